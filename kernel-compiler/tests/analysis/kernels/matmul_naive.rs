fn matmul_naive(n: u32, a: &[f32], b: &[f32], c: &mut [f32]) {
    let n = n as usize;
    let column = global_id(0);
    let row = global_id(1);
    if row >= n || column >= n || n * n > a.len() || n * n > b.len() || n * n > c.len() {
        return;
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += a[row * n + k] * b[k * n + column];
    }
    c[row * n + column] = sum;
}
