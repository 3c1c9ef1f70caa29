fn transpose(w: u32, h: u32, input: &[f32], out: &mut [f32]) {
    let mut tile = Local::<[[f32; 17]; 16]>::new();
    let w = w as usize;
    let h = h as usize;
    let lx = local_id(0);
    let ly = local_id(1);
    let x = global_id(0);
    let y = global_id(1);
    if x < w && y < h && w * h <= input.len() {
        tile[ly][lx] = input[y * w + x];
    }
    barrier();
    let column = group_id(1) * 16 + lx;
    let row = group_id(0) * 16 + ly;
    if column < h && row < w && w * h <= out.len() {
        out[row * h + column] = tile[lx][ly];
    }
}
