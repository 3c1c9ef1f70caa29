/// free
#[kernel(group_size = (16, 16))]
fn transpose_with_padding(width: u32, height: u32, x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[[f32; 17]; 16]>::new();
    let (width, height) = (width as usize, height as usize);
    let (lx, ly) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < height {
        tile[ly][lx] = x[row * width + column];
    }
    barrier();
    let (column, row) = (group_id(1) * 16 + lx, group_id(0) * 16 + ly);
    if column < height && row < width {
        y[row * height + column] = tile[lx][ly];
    }
}

/// condition
#[kernel(group_size = (32, 8))]
fn transpose_by_strips(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[[f32; 33]; 32]>::new();
    let (lx, ly) = (local_id(0), local_id(1));
    let width = global_size(0);
    let height = num_groups(1) * 32;
    let column = group_id(0) * 32 + lx;
    for k in 0..4 {
        tile[ly + k * 8][lx] = x[(group_id(1) * 32 + ly + k * 8) * width + column];
    }
    barrier();
    let column = group_id(1) * 32 + lx;
    for k in 0..4 {
        y[(group_id(0) * 32 + ly + k * 8) * height + column] = tile[lx][ly + k * 8];
    }
}

/// condition
#[kernel(group_size = (16, 16))]
fn tiled_product(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let mut left = Local::<[[f32; 16]; 16]>::new();
    let mut right = Local::<[[f32; 16]; 16]>::new();
    let (lx, ly) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    for tile in 0..n / 16 {
        left[ly][lx] = a[row * n + tile * 16 + lx];
        right[ly][lx] = b[(tile * 16 + ly) * n + column];
        barrier();
        for k in 0..16 {
            sum += left[ly][k] * right[k][lx];
        }
        barrier();
    }
    if column < n {
        c[row * n + column] = sum;
    }
}

/// condition
#[kernel]
fn product_with_a_block_for_each(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let (column, row) = (global_id(0) * 4, global_id(1) * 4);
    if column + 4 <= n {
        for i in 0..4 {
            for j in 0..4 {
                let mut sum = 0.0;
                for k in 0..n {
                    sum += a[(row + i) * n + k] * b[k * n + column + j];
                }
                c[(row + i) * n + column + j] = sum;
            }
        }
    }
}

/// free
#[kernel]
fn batched_small_matrices(x: &[f32], y: &mut [f32]) {
    let matrix = global_id(0) * 16;
    let mut own = [0.0_f32; 16];
    for i in 0..4 {
        for j in 0..4 {
            let mut sum = 0.0;
            for k in 0..4 {
                sum += x[matrix + i * 4 + k] * y[matrix + k * 4 + j];
            }
            own[i * 4 + j] = sum;
        }
    }
    for k in 0..16 {
        y[matrix + k] = own[k];
    }
}

/// free
#[kernel]
fn batched_inverse_of_two_by_two(y: &mut [[[f32; 2]; 2]]) {
    let i = global_id(0);
    let [[a, b], [c, d]] = y[i];
    let scale = 1.0 / (a * d - b * c);
    y[i][0][0] = d * scale;
    y[i][0][1] = -b * scale;
    y[i][1][0] = -c * scale;
    y[i][1][1] = a * scale;
}

/// free
#[kernel(group_size = 32)]
fn lu_panel(a: &mut [f32]) {
    let mut panel = Local::<[[f32; 32]; 32]>::new();
    let l = local_id(0);
    let start = group_id(0) * 1024;
    for k in 0..32 {
        panel[l][k] = a[start + l * 32 + k];
    }
    barrier();
    for k in 0..32 {
        if l > k {
            panel[l][k] /= panel[k][k];
        }
        barrier();
        if l > k {
            for j in k + 1..32 {
                panel[l][j] -= panel[l][k] * panel[k][j];
            }
        }
        barrier();
    }
    for k in 0..32 {
        a[start + l * 32 + k] = panel[l][k];
    }
}

/// free
#[kernel(group_size = 64)]
fn forward_substitution(l: &[[f32; 64]; 64], y: &mut [f32]) {
    let mut x = Local::<[f32; 64]>::new();
    let i = local_id(0);
    let start = group_id(0) * 64;
    x[i] = y[start + i];
    barrier();
    for k in 0..64 {
        if i == k {
            x[i] /= l[k][k];
        }
        barrier();
        if i > k {
            x[i] -= l[i][k] * x[k];
        }
        barrier();
    }
    y[start + i] = x[i];
}

/// condition
#[kernel]
fn rank_one_update(n: usize, u: &[f32], v: &[f32], a: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column >= n {
        return;
    }
    a[row * n + column] += u[row] * v[column];
}

/// condition
#[kernel]
fn upper_triangle(n: usize, a: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if row <= column && column < n {
        a[row * n + column] = 0.0;
    }
}

/// condition
#[kernel]
fn mirrored_below_the_diagonal(n: usize, a: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if row < column && column < n {
        a[column * n + row] = a[row * n + column];
    }
}

/// free
#[kernel]
fn sparse_rows(starts: &[u32], columns: &[u32], values: &[f32], x: &[f32], y: &mut [f32]) {
    let row = global_id(0);
    if row + 1 < starts.len() {
        let mut sum = 0.0;
        for k in starts[row] as usize..starts[row + 1] as usize {
            sum += values[k] * x[columns[k] as usize];
        }
        y[row] = sum;
    }
}

/// free
#[kernel(group_size = 64)]
fn sparse_row_for_a_group(starts: &[u32], columns: &[u32], values: &[f32], x: &[f32], y: &mut [f32]) {
    let row = group_id(0);
    let (start, end) = (starts[row] as usize, starts[row + 1] as usize);
    let mut sum = 0.0;
    for k in (start + local_id(0)..end).step_by(64) {
        sum += values[k] * x[columns[k] as usize];
    }
    let total = work_group::reduce_add(sum);
    if local_id(0) == 0 {
        y[row] = total;
    }
}

/// condition
#[kernel]
fn jacobi(n: usize, x: &[f32], b: &[f32], y: &mut [f32]) {
    let (i, j) = (global_id(0), global_id(1));
    if i > 0 && j > 0 && i + 1 < n && j + 1 < n {
        let k = j * n + i;
        y[k] = 0.25 * (b[k] + x[k - 1] + x[k + 1] + x[k - n] + x[k + n]);
    }
}

/// free
#[kernel]
fn givens_rotation_of_two_rows(c: f32, s: f32, rows: &mut [[f32; 512]; 2]) {
    let k = global_id(0);
    let (a, b) = (rows[0][k], rows[1][k]);
    rows[0][k] = c * a - s * b;
    rows[1][k] = s * a + c * b;
}

/// condition: a group of two dimensions for each matrix, of which the launch has one row
#[kernel(group_size = (16, 16))]
fn lu_of_each_group(a: &mut [f32]) {
    let mut m = Local::<[[f32; 16]; 16]>::new();
    let (c, r) = (local_id(0), local_id(1));
    let start = group_id(0) * 256;
    m[r][c] = a[start + r * 16 + c];
    barrier();
    for k in 0..16 {
        if c == k && r > k {
            m[r][k] /= m[k][k];
        }
        barrier();
        if r > k && c > k {
            m[r][c] -= m[r][k] * m[k][c];
        }
        barrier();
    }
    a[start + r * 16 + c] = m[r][c];
}
