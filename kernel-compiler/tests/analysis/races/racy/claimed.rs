//! Elements of those who find something in an atomic that others find too.

/// index from memory
#[kernel]
fn parents_where_others_leave_it(level: u32, x: &[u32], dist: &[AtomicU32], parent: &mut [u32]) {
    let i = global_id(0);
    let w = x[i] as usize;
    if dist[w].compare_exchange(u32::MAX, level, Relaxed, Relaxed).is_err() {
        parent[w] = i as u32;
    }
}

/// index from memory
#[kernel]
fn parents_of_another(level: u32, x: &[u32], dist: &[AtomicU32], parent: &mut [u32]) {
    let i = global_id(0);
    let w = x[i] as usize;
    if dist[w].compare_exchange(u32::MAX, level, Relaxed, Relaxed).is_ok() {
        parent[x[i + 1] as usize] = i as u32;
    }
}

/// index from memory
#[kernel]
fn locks(x: &[u32], taken: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let k = x[i] as usize;
    if taken[k].swap(1, Relaxed) == 0 {
        y[k] = i as u32;
        taken[k].store(0, Relaxed);
    }
}

/// index from memory
#[kernel]
fn nothing_put(x: &[u32], taken: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let k = x[i] as usize;
    if taken[k].swap(0, Relaxed) == 0 {
        y[k] = i as u32;
    }
}

/// index from memory
#[kernel]
fn found_loaded(x: &[u32], taken: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let k = x[i] as usize;
    if taken[k].load(Relaxed) == 0 {
        y[k] = i as u32;
    }
}

/// index from memory
#[kernel]
fn claimed_in_half_as_many(x: &[u32], taken: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let k = x[i] as usize;
    if taken[k].swap(1, Relaxed) == 0 {
        y[k / 2] = i as u32;
    }
}

/// index from memory
#[kernel]
fn decremented(x: &[u32], left: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let k = x[i] as usize;
    if left[k].swap(1, Relaxed) == 0 {
        y[k] = i as u32;
        left[k].fetch_sub(1, Relaxed);
    }
}

/// uniform index
#[kernel]
fn the_sixth_of_each_round(count: &AtomicU32, y: &mut [u32]) {
    if count.fetch_add(1, Relaxed) % 8 == 5 {
        y[0] = global_id(0) as u32;
    }
}
