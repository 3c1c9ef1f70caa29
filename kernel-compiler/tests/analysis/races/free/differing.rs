//! Guards that tell two numbers apart.

/// condition: what is presumed is that nothing wraps
fn shortest_paths(n: usize, pivot: usize, d: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if row < n && column < n && pivot < n && row != pivot && column != pivot {
        let by = d[row * n + pivot] + d[pivot * n + column];
        if by < d[row * n + column] {
            d[row * n + column] = by;
        }
    }
}

/// condition: what is presumed is that nothing wraps
fn generations_in_one_buffer(n: usize, from: usize, to: usize, cells: &mut [u32]) {
    let i = global_id(0);
    if i >= n || from == to {
        return;
    }
    let left = cells[from * n + (i + n - 1) % n];
    let right = cells[from * n + (i + 1) % n];
    cells[to * n + i] = left ^ right;
}

/// free
fn all_but_one_read_it(y: &mut [u32], chosen: usize) {
    let i = global_id(0);
    if i != chosen && chosen < y.len() && i < y.len() {
        y[i] = y[chosen] + 1;
    }
}

/// free
#[kernel(group_size = 64)]
fn all_but_one_read_it_in_local_memory(y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let l = local_id(0);
    tile[l] = l as u32;
    barrier();
    let leader = group_id(0) % 64;
    if l != leader {
        tile[l] += tile[leader];
    }
    barrier();
    y[global_id(0)] = tile[63 - l];
}

/// free
fn neither_of_two(y: &mut [u32], one: usize, other: usize) {
    let i = global_id(0);
    if i == one || i == other || i >= y.len() || one >= y.len() || other >= y.len() {
        return;
    }
    y[i] = y[one] + y[other];
}
