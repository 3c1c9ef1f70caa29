//! Work split into as many parts as there are workers, as even as can be.

/// condition: each part begins where the one before it ends
#[kernel]
fn parts_of_a_slice(x: &[f32], y: &mut [f32]) {
    let (worker, workers) = (global_id(0), global_size(0));
    let n = y.len();
    let start = worker * n / workers;
    let end = (worker + 1) * n / workers;
    for k in start..end {
        y[k] = x[k] * 2.0;
    }
}

/// condition: the same, with a sub-slice that is gone through
#[kernel]
fn parts_as_slices(y: &mut [u32]) {
    let worker = global_id(0);
    let n = y.len();
    let first = n * worker / global_size(0);
    let last = n * (worker + 1) / global_size(0);
    for v in &mut y[first..last] {
        *v += 1;
    }
}

/// condition: the number of parts is an argument
#[kernel]
fn parts_by_an_argument(y: &mut [u32], n: usize, parts: usize) {
    let i = global_id(0);
    if i >= parts {
        return;
    }
    let (mut k, end) = (i * n / parts, (i + 1) * n / parts);
    while k < end {
        y[k] = i as u32;
        k += 1;
    }
}

/// free: 32 parts, and numbers that are wide enough
#[kernel]
fn parts_by_a_constant(y: &mut [u32], n: u32) {
    let i = global_id(0);
    if i < 32 {
        let of = |part: usize| part * n as usize / 32;
        for k in of(i)..of(i + 1) {
            y[k] = 1;
        }
    }
}

/// free: in numbers that are wide enough for all of them
#[kernel]
fn parts_in_wider_numbers(y: &mut [u32], n: u32) {
    let (i, parts) = (global_id(0) as u64, global_size(0) as u64);
    if i < 1 << 20 && parts <= 1 << 20 {
        let start = (i * n as u64 / parts) as usize;
        let end = ((i + 1) * n as u64 / parts) as usize;
        y[start..end].fill(7);
    }
}

/// condition: so many elements each, the last ones fewer
#[kernel]
fn parts_of_a_size(x: &[f32], y: &mut [f32]) {
    let (i, parts) = (global_id(0), global_size(0));
    let share = x.len().div_ceil(parts);
    let start = (i * share).min(y.len());
    let end = (start + share).min(y.len());
    let mut sum = 0.0;
    for k in start..end {
        sum += x[k];
        y[k] = sum;
    }
}

/// condition: the same as a sub-slice
#[kernel]
fn slices_of_a_size(y: &mut [u32], share: usize) {
    let i = global_id(0);
    let start = (i * share).min(y.len());
    let end = (start + share).min(y.len());
    for value in &mut y[start..end] {
        *value += 1;
    }
}

/// condition: the end is that of the next one
#[kernel]
fn parts_up_to_the_next(y: &mut [u32], share: usize) {
    let i = global_id(0);
    let mut k = (i * share).min(y.len());
    while k < ((i + 1) * share).min(y.len()) {
        y[k] = 1;
        k += 1;
    }
}

/// condition: only the end is cut
#[kernel]
fn parts_whose_end_is_cut(y: &mut [u32], share: usize) {
    let start = global_id(0) * share;
    let end = (start + share).min(y.len());
    for k in start..end {
        y[k] += 1;
    }
}

/// condition: the last one takes what is left
#[kernel]
fn rest_to_the_last(x: &[f32], y: &mut [f32], parts: usize) {
    let t = global_id(0);
    if t >= parts {
        return;
    }
    let n = y.len().min(x.len());
    let chunk = n / parts;
    let start = t * chunk;
    let end = if t == parts - 1 { n } else { start + chunk };
    for k in start..end {
        y[k] = 2.0 * x[k];
    }
}

/// condition: the same for all work-items of a launch
#[kernel]
fn rest_to_the_last_work_item(y: &mut [u32]) {
    let (t, p) = (global_id(0), global_size(0));
    let chunk = y.len() / p;
    let begin = t * chunk;
    let mut end = begin + chunk;
    if t + 1 == p {
        end = y.len();
    }
    for value in &mut y[begin..end] {
        *value += 1;
    }
}

/// condition: the first ones take one more each
#[kernel]
fn rest_to_the_first(y: &mut [u32], n: usize) {
    let (t, p) = (global_id(0), global_size(0));
    let (share, rest) = (n / p, n % p);
    let start = t * share + t.min(rest);
    let end = start + share + usize::from(t < rest);
    for k in start..end {
        y[k] = t as u32;
    }
}

/// condition: the same by a condition
#[kernel]
fn rest_to_the_first_by_a_condition(y: &mut [u32]) {
    let (t, p) = (global_id(0), global_size(0));
    let (share, rest) = (y.len() / p, y.len() % p);
    let (start, count) = if t < rest {
        (t * (share + 1), share + 1)
    } else {
        (rest * (share + 1) + (t - rest) * share, share)
    };
    for k in start..start + count {
        y[k] = t as u32;
    }
}
