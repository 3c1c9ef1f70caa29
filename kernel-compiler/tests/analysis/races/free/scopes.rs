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
