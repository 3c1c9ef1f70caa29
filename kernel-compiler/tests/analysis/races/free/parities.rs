//! Two tiles in turn, as often as an argument says.

/// free: a barrier in each pass is between a read and the write two passes later
#[kernel(group_size = 64)]
fn in_turn(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for k in 0..n {
        t[k % 2][l] = k as f32;
        barrier();
        acc += t[k % 2][63 - l];
    }
    y[global_id(0)] = acc;
}

/// free: the same by a mask
#[kernel(group_size = 64)]
fn in_turn_by_a_mask(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for k in 0..n {
        t[k & 1][l] = k as f32;
        barrier();
        acc += t[k & 1][63 - l];
    }
    y[global_id(0)] = acc;
}

/// free: three tiles
#[kernel(group_size = 64)]
fn three_in_turn(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 3]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for k in 0..n {
        t[k % 3][l] = k as f32;
        barrier();
        acc += t[k % 3][63 - l];
    }
    y[global_id(0)] = acc;
}

/// free: from one to the other, which is the next one
#[kernel(group_size = 64)]
fn from_one_to_the_next(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    for k in 0..n {
        let (cur, next) = (k % 2, (k + 1) % 2);
        t[next][l] = t[cur][63 - l] + 1.0;
        barrier();
    }
    y[global_id(0)] = t[n % 2][l];
}

/// free: the same by masks
#[kernel(group_size = 64)]
fn from_one_to_the_next_by_masks(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    for k in 0..n {
        let (cur, next) = (k & 1, (k + 1) & 1);
        t[next][l] = t[cur][63 - l] + 1.0;
        barrier();
    }
    y[global_id(0)] = t[n & 1][l];
}

/// free: which is which is remembered
#[kernel(group_size = 64)]
fn by_a_variable(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    let mut cur = 0;
    for k in 0..n {
        t[cur][l] = k as f32;
        barrier();
        acc += t[cur][63 - l];
        cur = 1 - cur;
    }
    y[global_id(0)] = acc;
}

/// free: the same by a bit
#[kernel(group_size = 64)]
fn by_a_bit(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    let mut cur = 0;
    for k in 0..n {
        t[cur][l] = k as f32;
        barrier();
        acc += t[cur][63 - l];
        cur ^= 1;
    }
    y[global_id(0)] = acc;
}

/// free: a loop around it begins anew behind a barrier
#[kernel(group_size = 64)]
fn in_a_loop(n: usize, m: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for _ in 0..m {
        for k in 0..n {
            t[k % 2][l] = k as f32;
            barrier();
            acc += t[k % 2][63 - l];
        }
        barrier();
    }
    y[global_id(0)] = acc;
}

/// free
#[kernel(group_size = 64)]
fn exchanged_tiles(steps: u32, x: &mut [f32]) {
    let mut t = Local::<[[f32; 66]; 2]>::new();
    let l = local_id(0);
    let (mut from, mut to) = (0, 1);
    t[0][l + 1] = x[global_id(0)];
    t[1][l + 1] = 0.0;
    barrier();
    for _ in 0..steps {
        t[to][l + 1] = t[from][l] + t[from][l + 2];
        barrier();
        std::mem::swap(&mut from, &mut to);
    }
    x[global_id(0)] = t[from][l + 1];
}

/// free
#[kernel(group_size = 64)]
fn exchanged_tiles_by_assignment(steps: u32, x: &mut [f32]) {
    let mut t = Local::<[[f32; 66]; 2]>::new();
    let l = local_id(0);
    let (mut from, mut to) = (0, 1);
    t[0][l + 1] = x[global_id(0)];
    barrier();
    for _ in 0..steps {
        t[to][l + 1] = t[from][l] + t[from][l + 2];
        barrier();
        (from, to) = (to, from);
    }
    x[global_id(0)] = t[from][l + 1];
}

/// free
#[kernel(group_size = 64)]
fn exchanged_references(steps: u32, x: &mut [f32]) {
    let mut a = Local::<[f32; 66]>::new();
    let mut b = Local::<[f32; 66]>::new();
    let l = local_id(0);
    let (mut from, mut to) = (&mut a, &mut b);
    from[l + 1] = x[global_id(0)];
    barrier();
    for _ in 0..steps {
        to[l + 1] = from[l] + from[l + 2];
        barrier();
        std::mem::swap(&mut from, &mut to);
    }
    x[global_id(0)] = from[l + 1];
}
