fn matmul(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let mut tile_a = Local::<[[f32; 16]; 16]>::new();
    let mut tile_b = Local::<[[f32; 16]; 16]>::new();
    let column = global_id(0);
    let row = global_id(1);
    let x = local_id(0);
    let y = local_id(1);
    let mut sum = 0.0;
    let mut start = 0;
    while start < n {
        tile_a[y][x] = if row < n && start + x < n { a[row * n + start + x] } else { 0.0 };
        tile_b[y][x] = if start + y < n && column < n { b[(start + y) * n + column] } else { 0.0 };
        barrier();
        for k in 0..16 {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        barrier();
        start += 16;
    }
    if row < n && column < n {
        c[row * n + column] = sum;
    }
}
