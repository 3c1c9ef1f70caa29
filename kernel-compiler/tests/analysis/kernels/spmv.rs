fn spmv(ptr: &[u32], col: &[u32], val: &[f32], x: &[f32], y: &mut [f32]) {
    let r = global_id(0);
    if r < y.len() {
        let mut s = 0.0_f32;
        let end = ptr[r + 1] as usize;
        for i in ptr[r] as usize..end {
            s += val[i] * x[col[i] as usize];
        }
        y[r] = s;
    }
}
