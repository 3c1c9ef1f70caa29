/// free
#[kernel]
fn a_counter_of_each_group(count: &[AtomicU32]) {
    count[group_id(0)].scope(Scope::WorkGroup).fetch_add(1, Relaxed);
}

/// free
#[kernel(group_size = 64)]
fn a_local_counter(y: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    count.scope(Scope::WorkGroup).fetch_add(1, Relaxed);
    barrier();
    y[global_id(0)] = count.load(Relaxed);
}

/// free
#[kernel(group_size = 64)]
fn a_local_counter_of_each_subgroup(y: &mut [u32]) {
    let counts = Local::<[AtomicU32; 64]>::new();
    counts[subgroup::id()].scope(Scope::Subgroup).fetch_add(1, Relaxed);
    barrier();
    y[global_id(0)] = counts[subgroup::id()].load(Relaxed);
}

/// free
#[kernel]
fn an_own_counter(count: &[AtomicU32]) {
    count[global_id(0)].scope(Scope::Subgroup).fetch_add(1, Relaxed);
}

/// free
#[kernel]
fn a_counter_of_the_launch(count: &AtomicU32) {
    count.scope(Scope::Device).fetch_add(1, Relaxed);
    count.scope(Scope::AllDevices).load(Relaxed);
}

/// free
#[kernel]
fn the_last_of_each_subgroup(x: &[f32], y: &mut [f32]) {
    let sum = subgroup::scan_inclusive_add(x[global_id(0)]);
    if subgroup::local_id() == subgroup::size() - 1 {
        y[group_id(0) * subgroup::count() + subgroup::id()] = sum;
    }
}

/// free
#[kernel(group_size = 256)]
fn the_last_of_each_subgroup_in_local_memory(x: &[f32], y: &mut [f32]) {
    let mut sums = Local::<[f32; 256]>::new();
    let sum = subgroup::scan_inclusive_add(x[global_id(0)]);
    if subgroup::local_id() + 1 == subgroup::size() {
        sums[subgroup::id()] = sum;
    }
    barrier();
    y[global_id(0)] = sums[subgroup::id()];
}

/// free
#[kernel]
fn the_last_of_each_group(x: &[f32], y: &mut [f32]) {
    let sum = work_group::scan_inclusive_add(x[global_id(0)]);
    if local_id(0) == local_size(0) - 1 {
        y[group_id(0)] = sum;
    }
}

/// free
#[kernel(group_size = 64)]
fn the_last_of_a_subgroup(x: &[f32], y: &mut [f32]) {
    let mut totals = Local::<[f32; 64]>::new();
    if subgroup_local_id() == subgroup_size() - 1 {
        totals[subgroup_id()] = x[global_id(0)];
    }
    barrier();
    y[global_id(0)] = totals[0];
}
