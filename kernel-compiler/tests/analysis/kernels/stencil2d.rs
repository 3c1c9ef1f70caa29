fn stencil2d(w: u32, h: u32, input: &[f32], out: &mut [f32]) {
    let w = w as usize;
    let h = h as usize;
    let x = global_id(0);
    let y = global_id(1);
    if x == 0 || y == 0 || x + 1 >= w || y + 1 >= h || w * h > input.len() || w * h > out.len() {
        return;
    }
    let p = y * w + x;
    out[p] = 0.2 * (input[p] + input[p - 1] + input[p + 1] + input[p - w] + input[p + w]);
}
