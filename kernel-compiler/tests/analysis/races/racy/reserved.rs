//! Places of groups that are not reserved, or not enough of them.

/// index from memory
#[kernel]
fn one_for_all(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(1, Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn of_others(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add((x[i] > 1.0) as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn for_those_who_bring_nothing(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    y[(*start + place) as usize] = x[i];
}

/// index from memory
#[kernel]
fn stored_again(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if local_id(0) == 0 {
        *start = 0;
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn by_nobody_in_some_groups(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 99 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn taken_back(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let mut start = 0;
    if local_id(0) == 0 {
        start = count.fetch_add(total, Relaxed);
        count.fetch_sub(1, Relaxed);
    }
    let start = work_group::broadcast(start, 0);
    if keep {
        y[(start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn of_another_work_item(x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let keep = x[i] > 0.0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let mut start = 0;
    if local_id(0) == 0 {
        start = count.fetch_add(total, Relaxed);
    }
    let start = work_group::broadcast(start, 1);
    if keep {
        y[(start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn of_an_earlier_pass(n: u32, x: &[f32], count: &AtomicU32, y: &mut [f32]) {
    let i = global_id(0);
    let mut total = 0;
    let mut place = 0;
    let mut keep = false;
    for k in 0..n {
        keep = x[i] > k as f32;
        place = work_group::scan_exclusive_add(keep as u32);
        if k == 0 {
            total = work_group::reduce_add(keep as u32);
        }
    }
    let mut start = Local::<u32>::new();
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] = x[i];
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn total_of_others(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let mut start = Local::<u64>::new();
    for first in (group_id(0) * local_size(0)..x.len()).step_by(global_size(0)) {
        let i = first + local_id(0);
        let keep = i < x.len() && x[i] > 0.0;
        let other = i < x.len() && x[i] > 1.0;
        let place = work_group::scan_exclusive_add(keep as u32);
        let total = work_group::reduce_add(other as u32);
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

/// index from memory
#[kernel(group_size = 64)]
fn no_barrier_between_passes(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
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
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn reserved_once_for_a_loop(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let mut start = Local::<u64>::new();
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total as u64, Relaxed);
    }
    barrier();
    for k in 0..4 {
        let keep = x[i * k] > 0.0;
        let place = work_group::scan_exclusive_add(keep as u32);
        if keep {
            y[*start as usize + place as usize] = x[i];
        }
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn place_of_the_pass_before(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let mut place = 0;
    for k in 0..4 {
        let i = global_id(0) * 4 + k;
        let keep = i < x.len() && x[i] > 0.0;
        let total = work_group::reduce_add(keep as u32);
        let mut start = 0;
        if local_id(0) == 0 {
            start = count.fetch_add(total as u64, Relaxed);
        }
        let start = work_group::broadcast(start, 0);
        if keep {
            y[start as usize + place as usize] = x[i];
        }
        place = work_group::scan_exclusive_add(keep as u32);
    }
}

/// index from memory
#[kernel]
fn places_in_subgroups_of_groups(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let place = subgroup::scan_exclusive_add(keep as u32);
    let total = subgroup::reduce_add(keep as u32);
    let mut start = 0;
    if local_id(0) == 0 {
        start = count.fetch_add(total as u64, Relaxed);
    }
    let start = work_group::broadcast(start, 0);
    if keep {
        y[start as usize + place as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn ballot_with_itself(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let votes = subgroup::ballot(keep);
    let below = (1_u64 << (subgroup::local_id() + 1)) - 1;
    let mut start = 0;
    if subgroup::local_id() == 0 {
        start = count.fetch_add(votes.count_ones() as u64, Relaxed);
    }
    let start = subgroup::broadcast(start, 0);
    if !keep {
        y[start as usize + (votes & below).count_ones() as usize] = x[i];
    }
}

/// index from memory
#[kernel]
fn ballot_of_others(x: &[f32], count: &AtomicU64, y: &mut [f32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0.0;
    let votes = subgroup::ballot(keep);
    let below = (1_u64 << subgroup::local_id()) - 1;
    let mut start = 0;
    if subgroup::local_id() == 0 {
        start = count.fetch_add(votes.count_ones() as u64, Relaxed);
    }
    let start = subgroup::broadcast(start, 0);
    if !keep {
        y[start as usize + (votes & below).count_ones() as usize] = x[i];
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn queue_with_one_too_many(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let mut base = Local::<u32>::new();
    let l = local_id(0);
    let keep = x[global_id(0)] > 3;
    let n = work_group::reduce_add(keep as u32);
    if l == 0 {
        *base = count.fetch_add(n, Relaxed);
    }
    barrier();
    if (l as u32) <= n {
        y[*base as usize + l] = 1;
    }
}

/// index from memory
#[kernel(group_size = 64)]
fn reserved_by_what_the_first_has(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let mut base = Local::<u32>::new();
    let l = local_id(0);
    let n = x[global_id(0)];
    if l == 0 {
        *base = count.fetch_add(n, Relaxed);
    }
    barrier();
    if (l as u32) < n {
        y[*base as usize + l] = 1;
    }
}

/// index from memory
#[kernel]
fn shuffled_from_another(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let rank = subgroup::scan_exclusive_add(keep as u32);
    let total = subgroup::reduce_add(keep as u32);
    let mut base = 0;
    if subgroup::local_id() == 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::shuffle(base, 1);
    if keep {
        y[(base + rank) as usize] = x[global_id(0)];
    }
}

/// index from memory
#[kernel]
fn assigned_before_the_broadcast(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let rank = subgroup::scan_exclusive_add(keep as u32);
    let total = subgroup::reduce_add(keep as u32);
    let mut base = 0;
    if subgroup::local_id() == 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = 7;
    base = subgroup::broadcast(base, 0);
    if keep {
        y[(base + rank) as usize] = x[global_id(0)];
    }
}

/// index from memory
#[kernel]
fn by_the_first_other_voter(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = subgroup::ballot(other).trailing_zeros() as usize;
    let mut base = 0;
    if lane == leader {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, leader);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// index from memory
#[kernel]
fn where_more_than_one_is_kept(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = 0;
    let mut base = 0;
    if lane == 0 && total > 1 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, 0);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// index from memory
#[kernel]
fn by_the_third(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = 3;
    let mut base = 0;
    if lane == leader {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, leader);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// index from memory
#[kernel]
fn sent_from_another(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let keep = x[global_id(0)] > 3;
    let other = x[global_id(0)] > 5;
    let votes = subgroup::ballot(keep);
    let total = votes.count_ones();
    let rank = (votes & ((1 << subgroup::local_id()) - 1)).count_ones();
    let lane = subgroup::local_id();
    let leader = votes.trailing_zeros() as usize;
    let mut base = 0;
    if lane == 0 {
        base = count.fetch_add(total, Relaxed);
    }
    base = subgroup::broadcast(base, leader);
    if keep {
        y[(base + rank) as usize] = x[0];
    }
}

/// index from memory
#[kernel]
fn by_the_first_voter_for_others(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
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
    if !keep {
        y[(base + rank) as usize] = x[0];
    }
}
