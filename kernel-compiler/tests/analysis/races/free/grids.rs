/// condition
#[kernel]
fn seven_point_stencil(nx: u32, ny: u32, nz: u32, x: &[f32], y: &mut [f32]) {
    let (nx, ny, nz) = (nx as usize, ny as usize, nz as usize);
    let (i, j, k) = (global_id(0), global_id(1), global_id(2));
    if i == 0 || j == 0 || k == 0 || i + 1 >= nx || j + 1 >= ny || k + 1 >= nz {
        return;
    }
    let at = (k * ny + j) * nx + i;
    let plane = nx * ny;
    y[at] = x[at - 1] + x[at + 1] + x[at - nx] + x[at + nx] + x[at - plane] + x[at + plane] - 6.0 * x[at];
}

/// condition
#[kernel]
fn marching_along_z(nx: usize, ny: usize, nz: usize, x: &[f32], y: &mut [f32]) {
    let (i, j) = (global_id(0), global_id(1));
    if i < nx && j < ny {
        for k in 1..nz {
            let at = (k * ny + j) * nx + i;
            y[at] = x[at] - x[at - nx * ny];
        }
    }
}

/// condition
#[kernel]
fn red_black_gauss_seidel(n: usize, colour: usize, u: &mut [f32]) {
    let (i, j) = (global_id(0), global_id(1));
    let column = 2 * i + (j + colour) % 2;
    if column > 0 && column + 1 < n && j > 0 {
        let k = j * n + column;
        u[k] = 0.25 * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n]);
    }
}

/// free
#[kernel]
fn red_black_in_one_dimension(u: &mut [f32]) {
    let i = 2 * global_id(0) + 1;
    u[i] = 0.5 * (u[i - 1] + u[i + 1]);
}

/// free
#[kernel]
fn red_black_in_one_dimension_of_a_colour(colour: usize, u: &mut [f32]) {
    let i = 2 * global_id(0) + 1 + colour % 2;
    u[i] = 0.5 * (u[i - 1] + u[i + 1]);
}

/// condition
#[kernel]
fn game_of_life(width: usize, height: usize, x: &[u8], y: &mut [u8]) {
    let (column, row) = (global_id(0), global_id(1));
    if column >= width || row >= height {
        return;
    }
    let mut count = 0;
    for dy in 0..3 {
        for dx in 0..3 {
            let at = (row + height + dy - 1) % height * width + (column + width + dx - 1) % width;
            if dx != 1 || dy != 1 {
                count += x[at];
            }
        }
    }
    let at = row * width + column;
    y[at] = (count == 3 || count == 2 && x[at] == 1) as u8;
}

/// free
#[kernel(group_size = 64)]
fn rule_110_in_local_memory(steps: u32, cells: &mut [u8]) {
    let mut now = Local::<[u8; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    now[l] = cells[i];
    barrier();
    for _ in 0..steps {
        let pattern = now[(l + 63) % 64] * 4 + now[l] * 2 + now[(l + 1) % 64];
        barrier();
        now[l] = 110 >> pattern & 1;
        barrier();
    }
    cells[i] = now[l];
}

/// free
#[kernel(group_size = 64)]
fn cellular_automaton_in_two_buffers(steps: u32, cells: &mut [u8]) {
    let mut tile = Local::<[[u8; 64]; 2]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[0][l] = cells[i];
    barrier();
    for step in 0..steps {
        let from = (step % 2) as usize;
        tile[1 - from][l] = tile[from][(l + 63) % 64] ^ tile[from][(l + 1) % 64];
        barrier();
    }
    cells[i] = tile[(steps % 2) as usize][l];
}

/// condition
#[kernel]
fn lattice_boltzmann_streaming(n: usize, x: &[[f32; 9]], y: &mut [[f32; 9]]) {
    let (i, j) = (global_id(0), global_id(1));
    if i > 0 && j > 0 && i + 1 < n {
        let k = j * n + i;
        y[k][0] = x[k][0];
        y[k][1] = x[k - 1][1];
        y[k][2] = x[k - n][2];
        y[k][3] = x[k + 1][3];
    }
}

/// condition
#[kernel]
fn fields_of_an_array_of_structures(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    if i < n {
        for field in 0..5 {
            y[field * n + i] *= 2.0;
        }
    }
}

/// free
#[kernel]
fn stencil_in_place_by_own_row(y: &mut [[f32; 128]]) {
    let row = &mut y[global_id(0)];
    let mut before = row[0];
    for k in 1..127 {
        let next = 0.5 * (before + row[k + 1]);
        before = row[k];
        row[k] = next;
    }
}

/// condition
#[kernel]
fn coarsen_by_two(width: usize, x: &[f32], y: &mut [f32]) {
    let (i, j) = (global_id(0), global_id(1));
    if i < width / 2 {
        let at = 2 * j * width + 2 * i;
        y[j * (width / 2) + i] = 0.25 * (x[at] + x[at + 1] + x[at + width] + x[at + width + 1]);
    }
}

/// condition
#[kernel]
fn refine_by_two(width: usize, x: &[f32], y: &mut [f32]) {
    let (i, j) = (global_id(0), global_id(1));
    if i < width {
        let value = x[j * width + i];
        let at = (2 * j) * (2 * width) + 2 * i;
        y[at] = value;
        y[at + 1] = value;
        y[at + 2 * width] = value;
        y[at + 2 * width + 1] = value;
    }
}

/// free
#[kernel]
fn boundary_by_the_first(n: u32, y: &mut [f32]) {
    let i = global_id(0);
    let n = n as usize;
    if i < n {
        y[i] += 1.0;
    }
    if i == 0 {
        y[n] = 0.0;
    }
}

/// free
#[kernel]
fn pixels_of_four_channels(y: &mut [u8]) {
    let at = global_id(0) * 4;
    let grey = (y[at] as u32 + y[at + 1] as u32 + y[at + 2] as u32) / 3;
    y[at] = grey as u8;
    y[at + 1] = grey as u8;
    y[at + 2] = grey as u8;
}

/// condition
#[kernel]
fn flipped_rows(width: usize, x: &[u8], y: &mut [u8]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width {
        y[row * width + (width - 1 - column)] = x[row * width + column];
    }
}

/// condition
#[kernel]
fn flipped_in_place(width: usize, y: &mut [u8]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width / 2 {
        let (a, b) = (row * width + column, row * width + (width - 1 - column));
        let t = y[a];
        y[a] = y[b];
        y[b] = t;
    }
}

/// free
#[kernel]
fn reversed_in_place(y: &mut [u32]) {
    let i = global_id(0);
    let n = y.len();
    if i < n / 2 {
        y.swap(i, n - 1 - i);
    }
}

/// condition: the sizes are elements of an array
#[kernel]
fn sizes_in_an_array(x: &[f32], y: &mut [f32], size: [usize; 2]) {
    let [width, height] = size;
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < height {
        y[row * width + column] = x[row * size[0] + column];
    }
}
