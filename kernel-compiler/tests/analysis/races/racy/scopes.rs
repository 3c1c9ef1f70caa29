/// uniform index: `orders none but`
#[kernel]
fn a_counter_of_all_groups(count: &AtomicU32) {
    count.scope(Scope::WorkGroup).fetch_add(1, Relaxed);
}

/// not proved
#[kernel]
fn bins_of_all_groups(count: &[AtomicU32]) {
    count[global_id(0) % 16].scope(Scope::WorkGroup).fetch_add(1, Relaxed);
}

/// uniform index
#[kernel(group_size = 64)]
fn a_local_counter_of_all_subgroups(y: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    count.scope(Scope::Subgroup).fetch_add(1, Relaxed);
    barrier();
    y[global_id(0)] = count.load(Relaxed);
}

/// uniform index
#[kernel]
fn one_of_two_scopes_is_too_small(count: &[AtomicU32]) {
    count[0].fetch_add(1, Relaxed);
    count[0].scope(Scope::Subgroup).load(Relaxed);
}

/// not proved
#[kernel]
fn a_counter_of_each_group_by_subgroups(count: &[AtomicU32]) {
    count[group_id(0)].scope(Scope::Subgroup).fetch_add(1, Relaxed);
}

/// not proved
#[kernel]
fn last_lane_of_no_group(x: &[f32], y: &mut [f32]) {
    let sum = subgroup::scan_inclusive_add(x[global_id(0)]);
    if subgroup::local_id() == subgroup::size() - 1 {
        y[subgroup::id()] = sum;
    }
}
