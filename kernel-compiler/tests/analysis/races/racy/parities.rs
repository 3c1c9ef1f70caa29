//! Two tiles in turn, the wrong way.

/// not proved: the tile of the pass before is read
#[kernel(group_size = 64)]
fn of_the_pass_before(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for k in 0..n {
        t[k % 2][l] = k as f32;
        barrier();
        acc += t[(k + 1) % 2][63 - l];
    }
    y[global_id(0)] = acc;
}

/// not proved: two tiles for three in turn
#[kernel(group_size = 64)]
fn one_too_few(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for k in 0..n {
        t[k % 2][l] = k as f32;
        barrier();
        acc += t[k % 2][63 - l] + t[k / 2 % 2][63 - l];
    }
    y[global_id(0)] = acc;
}

/// not proved: a step of two comes to the same tile again
#[kernel(group_size = 64)]
fn steps_of_two(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for k in (0..n).step_by(2) {
        t[k % 2][l] = k as f32;
        barrier();
        acc += t[k % 2][63 - l];
    }
    y[global_id(0)] = acc;
}

/// not proved: what is read is what is written
#[kernel(group_size = 64)]
fn from_itself(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    for k in 0..n {
        let (cur, next) = (k % 2, (k + 2) % 2);
        t[next][l] = t[cur][63 - l] + 1.0;
        barrier();
    }
    y[global_id(0)] = t[n % 2][l];
}

/// not proved: a loop around it begins anew, and the last tile may be the first one again
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
    }
    y[global_id(0)] = acc;
}

/// not proved: the same where it is remembered which is which, for each loop anew
#[kernel(group_size = 64)]
fn by_a_variable_in_a_loop(n: usize, m: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for _ in 0..m {
        let mut cur = 0;
        for k in 0..n {
            t[cur][l] = k as f32;
            barrier();
            acc += t[cur][63 - l];
            cur = 1 - cur;
        }
    }
    y[global_id(0)] = acc;
}

/// not proved: it alternates in some passes only
#[kernel(group_size = 64)]
fn now_and_then(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    let mut cur = 0;
    for k in 0..n {
        t[cur][l] = k as f32;
        barrier();
        acc += t[cur][63 - l];
        if k % 3 == 0 {
            cur = 1 - cur;
        }
    }
    y[global_id(0)] = acc;
}

/// not proved: a barrier in some passes only
#[kernel(group_size = 64)]
fn barriers_now_and_then(n: usize, y: &mut [f32]) {
    let mut t = Local::<[[f32; 64]; 2]>::new();
    let l = local_id(0);
    let mut acc = 0.0;
    for k in 0..n {
        t[k % 2][l] = k as f32;
        if k % 3 == 0 {
            barrier();
        }
        acc += t[k % 2][63 - l];
    }
    y[global_id(0)] = acc;
}

/// not proved: after the loop the last tile is written once more
#[kernel(group_size = 64)]
fn behind_the_loop(n: usize, y: &mut [f32]) {
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
    t[1 - cur][l] = acc;
    y[global_id(0)] = acc;
}

/// not proved
#[kernel(group_size = 64)]
fn exchanged_without_a_barrier(steps: u32, x: &mut [f32]) {
    let mut t = Local::<[[f32; 66]; 2]>::new();
    let l = local_id(0);
    let (mut from, mut to) = (0, 1);
    t[0][l + 1] = x[global_id(0)];
    barrier();
    for _ in 0..steps {
        t[to][l + 1] = t[from][l] + t[from][l + 2];
        std::mem::swap(&mut from, &mut to);
    }
    barrier();
    x[global_id(0)] = t[from][l + 1];
}

/// not proved
#[kernel(group_size = 64)]
fn exchanged_twice(steps: u32, x: &mut [f32]) {
    let mut t = Local::<[[f32; 66]; 2]>::new();
    let l = local_id(0);
    let (mut from, mut to) = (0, 1);
    t[0][l + 1] = x[global_id(0)];
    barrier();
    for _ in 0..steps {
        t[to][l + 1] = t[from][l] + t[from][l + 2];
        std::mem::swap(&mut from, &mut to);
        t[to][l + 1] = t[from][l] + t[from][l + 2];
        barrier();
    }
    x[global_id(0)] = t[from][l + 1];
}

/// not proved
#[kernel(group_size = 64)]
fn exchanged_with_itself(steps: u32, x: &mut [f32]) {
    let mut t = Local::<[[f32; 66]; 2]>::new();
    let l = local_id(0);
    let (mut from, mut to) = (1, 1);
    t[1][l + 1] = x[global_id(0)];
    barrier();
    for _ in 0..steps {
        t[to][l + 1] = t[from][l] + t[from][l + 2];
        barrier();
        std::mem::swap(&mut from, &mut to);
    }
    x[global_id(0)] = t[from][l + 1];
}
