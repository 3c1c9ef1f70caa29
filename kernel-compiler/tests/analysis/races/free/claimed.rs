//! Elements of who is the first to change an atomic.

/// condition
#[kernel]
fn parents(level: u32, starts: &[u32], edges: &[u32], front: &[u32], dist: &[AtomicU32], parent: &mut [u32]) {
    let i = global_id(0);
    if i < front.len() {
        let v = front[i];
        for e in starts[v as usize]..starts[v as usize + 1] {
            let w = edges[e as usize] as usize;
            if dist[w].compare_exchange(u32::MAX, level, Relaxed, Relaxed).is_ok() {
                parent[w] = v;
            }
        }
    }
}

/// free
#[kernel]
fn first_to_come(x: &[u32], taken: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let k = x[i] as usize;
    if taken[k].swap(1, Relaxed) == 0 {
        y[k] = i as u32;
    }
}

/// free
#[kernel]
fn keys_put_into_slots(keys: &[u32], table: &[AtomicU32], values: &mut [u32]) {
    let i = global_id(0);
    if i < keys.len() {
        let mut slot = keys[i] as usize % table.len();
        for _ in 0..table.len() {
            if table[slot].compare_exchange(0, keys[i] | 1, Relaxed, Relaxed).is_ok() {
                values[slot] = i as u32;
                break;
            }
            slot = (slot + 1) % table.len();
        }
    }
}

/// free
#[kernel]
fn the_sixth_to_come(count: &AtomicU32, y: &mut [u32]) {
    if count.fetch_add(1, Relaxed) == 5 {
        y[0] = global_id(0) as u32;
    }
}
