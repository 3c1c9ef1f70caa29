//! Places that groups reserve by one addition.

/// free
#[kernel(group_size = 64)]
fn by_local_memory(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<[u32; 1]>::new();
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        start[0] = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep {
        y[(start[0] + place) as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_wide_numbers(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = if x[i] > 0.0 { 1 } else { 0 };
    let place = work_group::scan_exclusive_add(keep);
    let total = work_group::reduce_add(keep);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep == 1 {
        y[*start as usize + place as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_broadcast(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let mut start = 0;
    if local_id(0) == 0 {
        start = count.fetch_add(total, Relaxed);
    }
    let start = work_group::broadcast(start, 0);
    if keep {
        y[(start + place) as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_broadcast_of_a_choice(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let start = if local_id(0) == 0 { count.fetch_add(total, Relaxed) } else { 0 };
    let start = work_group::broadcast(start, 0);
    if keep {
        y[start as usize + place as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_a_number_of_its_own_type(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<usize>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed) as usize;
    }
    barrier();
    if keep {
        y[*start + place as usize] = x[i];
    }
}

/// free
#[kernel(group_size = 64)]
fn in_each_pass(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let mut start = Local::<u64>::new();
    for first in (group_id(0) * local_size(0)..x.len()).step_by(global_size(0)) {
        let i = first + local_id(0);
        let keep = i < x.len() && x[i] > 0.0;
        let place = work_group::scan_exclusive_add(keep as u32);
        let total = work_group::reduce_add(keep as u32);
        if local_id(0) == 0 {
            *start = count.fetch_add(total as u64, Relaxed);
        }
        barrier();
        if keep {
            y[*start as usize + place as usize] = x[i];
        }
        barrier();
    }
}

/// condition
#[kernel(group_size = 64)]
fn in_each_pass_of_a_grid(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let mut first = group_id(0) * local_size(0);
    while first < x.len() {
        let i = first + local_id(0);
        let keep = i < x.len() && x[i] > 0.0;
        let place = work_group::scan_exclusive_add(keep as u32);
        let total = work_group::reduce_add(keep as u32);
        if local_id(0) == 0 {
            *start = count.fetch_add(total, Relaxed);
        }
        barrier();
        if keep {
            y[(*start + place) as usize] = x[i];
        }
        barrier();
        first += global_size(0);
    }
}

/// condition
#[kernel]
fn by_subgroups_in_each_pass(n: usize, x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    for k in 0..n {
        let i = global_id(0) * n + k;
        let keep = i < x.len() && x[i] > 0.0;
        let place = subgroup::scan_exclusive_add(keep as u32);
        let total = subgroup::reduce_add(keep as u32);
        let mut start = 0;
        if subgroup::local_id() == 0 {
            start = count.fetch_add(total, Relaxed);
        }
        let start = subgroup::broadcast(start, 0);
        if keep {
            y[(start + place) as usize] = x[i];
        }
    }
}

/// free
#[kernel]
fn by_a_ballot(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let votes = subgroup::ballot(keep);
    let before = votes & ((1 << subgroup::local_id()) - 1);
    let mut start = 0;
    if subgroup::local_id() == 0 {
        start = count.fetch_add(votes.count_ones(), Relaxed);
    }
    let start = subgroup::broadcast(start, 0);
    if keep {
        y[(start + before.count_ones()) as usize] = x[i];
    }
}

/// free
#[kernel]
fn by_a_ballot_in_each_pass(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let mut i = global_id(0);
    let n = x.len();
    while subgroup::any(i < n) {
        let keep = i < n && x[i] > 0.0;
        let votes = subgroup::ballot(keep);
        let mut start = 0;
        if subgroup::local_id() == 0 {
            start = count.fetch_add(votes.count_ones() as u64, Relaxed);
        }
        let start = subgroup::broadcast(start, 0);
        if keep {
            let below = (1_u64 << subgroup::local_id()) - 1;
            y[start as usize + (votes & below).count_ones() as usize] = x[i];
        }
        i += global_size(0);
    }
}

/// free
#[kernel(group_size = 64)]
fn in_each_pass_by_wide_numbers(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let mut start = Local::<u64>::new();
    let mut first = group_id(0) * local_size(0);
    while first < x.len() {
        let i = first + local_id(0);
        let keep = i < x.len() && x[i] > 0.0;
        let place = work_group::scan_exclusive_add(keep as u32);
        let total = work_group::reduce_add(keep as u32);
        if local_id(0) == 0 {
            *start = count.fetch_add(total as u64, Relaxed);
        }
        barrier();
        if keep {
            y[*start as usize + place as usize] = x[i];
        }
        barrier();
        first += global_size(0);
    }
}

/// condition: `count`
#[kernel(group_size = 64)]
fn in_each_of_some_passes(x: &[f32; 4096], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    for k in 0..16 {
        let keep = x[k * 64 + local_id(0)] > 0.0;
        let place = work_group::scan_exclusive_add(keep as u32);
        let total = work_group::reduce_add(keep as u32);
        if local_id(0) == 0 {
            *start = count.fetch_add(total, Relaxed);
        }
        barrier();
        if keep {
            y[(*start + place) as usize] = x[k];
        }
        barrier();
    }
}

/// free
#[kernel]
fn assigned_broadcast(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let rank = subgroup::scan_exclusive_add(keep as u32);
    let total = subgroup::reduce_add(keep as u32);
    let mut base = 0;
    if subgroup::local_id() == 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, 0);
    if keep {
        y[(base + rank) as usize] = x[global_id(0)];
    }
}

/// free
#[kernel]
fn shuffled_from_the_first(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let rank = subgroup::scan_exclusive_add(keep as u32);
    let total = subgroup::reduce_add(keep as u32);
    let mut base = 0;
    if subgroup::local_id() == 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::shuffle(base, 0);
    if keep {
        y[(base + rank) as usize] = x[global_id(0)];
    }
}

/// free
#[kernel]
fn under_a_flag(flag: u32, x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    if flag > 0 {
        let keep = x[global_id(0)] > 3;
        let rank = subgroup::scan_exclusive_add(keep as u32);
        let total = subgroup::reduce_add(keep as u32);
        let mut base = 0;
        if subgroup::local_id() == 0 {
            base = count.fetch_add(total, Relaxed);
        }
        let base = subgroup::broadcast(base, 0);
        if keep {
            y[(base + rank) as usize] = x[global_id(0)];
        }
    }
}

/// free
#[kernel(group_size = 64)]
fn queue_put_down(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let mut base = Local::<u32>::new();
    let mut queue = Local::<[u32; 64]>::new();
    let l = local_id(0);
    let keep = x[global_id(0)] > 3;
    let rank = work_group::scan_exclusive_add(keep as u32);
    let n = work_group::reduce_add(keep as u32);
    if keep {
        queue[rank as usize] = x[global_id(0)];
    }
    if l == 0 {
        *base = count.fetch_add(n, Relaxed);
    }
    barrier();
    if (l as u32) < n {
        y[*base as usize + l] = queue[l];
    }
}

/// free
#[kernel]
fn by_the_first_voter(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = votes.trailing_zeros() as usize;
    let mut base = 0;
    if lane == leader {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, leader);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// free
#[kernel]
fn by_the_first_voter_shuffled(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = votes.trailing_zeros() as usize;
    let mut base = 0;
    if lane == leader {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::shuffle(base, leader);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// free
#[kernel]
fn where_some_are_kept(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = 0;
    let mut base = 0;
    if lane == 0 && total > 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, 0);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// free
#[kernel]
fn where_there_are_votes(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = 0;
    let mut base = 0;
    if lane == 0 && votes != 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, 0);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// free
#[kernel]
fn by_the_last_of_a_subgroup(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = subgroup::size() - 1;
    let mut base = 0;
    if lane == leader {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, leader);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// free
#[kernel]
fn by_votes_and_a_scan(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let rank = subgroup::scan_exclusive_add(keep as u32);
    let total = subgroup::ballot(keep).count_ones();
    let mut base = 0;
    if subgroup::local_id() == 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, 0);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// free
#[kernel]
fn by_a_sum_and_votes(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let rank = (subgroup::ballot(keep) & ((1 << subgroup::local_id()) - 1)).count_ones();
    let total = subgroup::reduce_add(keep as u32);
    let mut base = 0;
    if subgroup::local_id() == 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, 0);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}
