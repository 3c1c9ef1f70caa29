//! Parts of work that overlap.

/// not proved: each part goes one too far
#[kernel]
fn parts_with_one_more(y: &mut [f32]) {
    let (worker, workers) = (global_id(0), global_size(0));
    let n = y.len();
    for k in worker * n / workers..=(worker + 1) * n / workers {
        y[k] = 1.0;
    }
}

/// not proved: of so many workers, each has the parts of two
#[kernel]
fn parts_of_two(y: &mut [f32]) {
    let (worker, workers) = (global_id(0), global_size(0));
    let n = y.len();
    for k in worker * n / workers..(worker + 2) * n / workers {
        y[k] = 1.0;
    }
}

/// not proved: the ends are rounded up, the starts down
#[kernel]
fn parts_that_are_rounded_apart(y: &mut [f32]) {
    let (worker, workers) = (global_id(0), global_size(0));
    let n = y.len();
    for k in worker * n / workers..((worker + 1) * n).div_ceil(workers) {
        y[k] = 1.0;
    }
}

/// not proved: divided before it is multiplied, and the last has the rest of all
#[kernel]
fn parts_by_other_divisors(y: &mut [f32], a: usize, b: usize) {
    let i = global_id(0);
    let n = y.len();
    for k in i * n / a..(i + 1) * n / b {
        y[k] = 1.0;
    }
}

/// not proved: the first parts have one more, for which nobody makes room
#[kernel]
fn parts_with_the_rest_nowhere(y: &mut [u32]) {
    let (i, parts) = (global_id(0), global_size(0));
    let (share, rest) = (y.len() / parts, y.len() % parts);
    let start = i * share;
    let count = share + if i < rest { 1 } else { 0 };
    for k in start..start + count {
        y[k] = i as u32;
    }
}

/// not proved: rows in parts, each of which is one too long
#[kernel]
fn rows_in_parts_too_long(y: &mut [f32], rows: usize, cols: usize) {
    let (i, parts) = (global_id(0), global_size(0));
    for r in i * rows / parts..(i + 1) * rows / parts {
        for c in 0..=cols {
            y[r * cols + c] += 1.0;
        }
    }
}

/// not proved: each part has one more than there is between two
#[kernel]
fn parts_that_are_cut_too_late(y: &mut [f32], share: usize) {
    let i = global_id(0);
    let start = (i * share).min(y.len());
    let end = (start + share + 1).min(y.len());
    for k in start..end {
        y[k] = 1.0;
    }
}

/// not proved: where the elements end all of the others have the last one
#[kernel]
fn parts_that_end_in_one(y: &mut [f32], share: usize) {
    let i = global_id(0);
    if y.len() > 0 {
        let start = (i * share).min(y.len() - 1);
        let end = (start + share).min(y.len());
        for k in start..end {
            y[k] = 1.0;
        }
    }
}

/// not proved: the last but one takes what is left
#[kernel]
fn rest_to_the_last_but_one(y: &mut [f32], parts: usize) {
    let t = global_id(0);
    if t >= parts {
        return;
    }
    let n = y.len();
    let chunk = n / parts;
    let start = t * chunk;
    let end = if t + 2 == parts { n } else { start + chunk };
    for k in start..end {
        y[k] += 1.0;
    }
}

/// not proved: there may be more of them than parts
#[kernel]
fn rest_to_one_of_many(y: &mut [f32], parts: usize) {
    let t = global_id(0);
    let chunk = y.len() / parts;
    let start = t * chunk;
    let end = if t == parts - 1 { y.len() } else { start + chunk };
    for k in start..end {
        y[k] += 1.0;
    }
}

/// not proved: all but the last take what is left
#[kernel]
fn rest_to_all_but_the_last(y: &mut [f32]) {
    let (t, p) = (global_id(0), global_size(0));
    let chunk = y.len() / p;
    let start = t * chunk;
    let end = if t + 1 != p { y.len() } else { start + chunk };
    for k in start..end {
        y[k] += 1.0;
    }
}

/// not proved: the first ones take one more, and one too many do
#[kernel]
fn rest_to_one_too_many(y: &mut [u32], n: usize) {
    let (t, p) = (global_id(0), global_size(0));
    let (share, rest) = (n / p, n % p);
    let start = t * share + t.min(rest);
    let end = start + share + usize::from(t <= rest);
    for k in start..end {
        y[k] = t as u32;
    }
}

/// not proved: where the others start does not count those of the first ones
#[kernel]
fn rest_that_others_do_not_know_of(y: &mut [u32]) {
    let (t, p) = (global_id(0), global_size(0));
    let (share, rest) = (y.len() / p, y.len() % p);
    let (start, count) = if t < rest {
        (t * (share + 1), share + 1)
    } else {
        (t * share, share)
    };
    for k in start..start + count {
        y[k] = t as u32;
    }
}
