/// condition
#[kernel]
fn a_product_that_a_launch_keeps_in_sixteen_bits(y: &mut [f32]) {
    let i = global_id(0);
    if i < 1000 {
        y[(i as u16).wrapping_mul(256) as usize] = 1.0;
    }
}
