/// free
#[kernel]
fn a_guarded_ring(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    if i < n {
        y[i % n] = 1.0;
    }
}

/// free
#[kernel]
fn a_guarded_ring_of_all_elements(y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        let slot = i % y.len();
        y[slot] = 1.0;
    }
}

/// free
#[kernel]
fn a_guarded_ring_by_a_mask(y: &mut [f32]) {
    if global_id(0) < 1024 {
        y[global_id(0) & 1023] = 1.0;
    }
}

/// free
#[kernel]
fn a_guarded_short_number(y: &mut [f32]) {
    if global_id(0) < 65536 {
        y[global_id(0) as u16 as usize] = 1.0;
    }
}
