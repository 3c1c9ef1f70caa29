/// not proved: `3`, `have one index`, `as many work-items as there are elements`
#[kernel]
fn every_third(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i % 3 == 0 {
        y[i / 6] = x[i];
    }
}

/// not proved: `10`, `11`, `have one index`
#[kernel]
fn those_behind_a_border(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < 10 || i >= x.len() {
        return;
    }
    y[i / 2] = x[i];
}

/// not proved: `have one index, if both come here`
#[kernel]
fn halves_of_what_is_great(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if x[i] > 5.0 {
        y[i / 2] = x[i];
    }
}

/// not proved: `5`, `13`, `if global_id(0) < 8`
#[kernel]
fn a_ring_from_the_fifth_on(y: &mut [f32]) {
    let i = global_id(0);
    if i >= 5 {
        y[i & 7] = 1.0;
    }
}

/// uniform index: `each work-item that comes here accesses `
#[kernel]
fn one_for_what_is_great(x: &[f32], y: &mut [f32]) {
    if x[global_id(0)] > 5.0 {
        y[0] = 1.0;
    }
}

/// uniform index: `each work-item that comes here accesses `
#[kernel]
fn one_for_the_first_of_subgroups(y: &mut [f32]) {
    if subgroup_local_id() == 0 {
        y[0] = 1.0;
    }
}

/// uniform index: `each work-item of the group that comes here accesses `
#[kernel(group_size = 64)]
fn one_of_the_group_for_what_is_great(x: &[f32], y: &mut [f32]) {
    let mut found = Local::<f32>::new();
    if x[global_id(0)] > 5.0 {
        *found = 1.0;
    }
    barrier();
    y[global_id(0)] = *found;
}

/// uniform index: `every work-item comes to `
#[kernel]
fn one_where_all_agree(n: u32, x: &[f32], y: &mut [f32]) {
    if n > 3 {
        for k in 0..x.len() {
            y[0] += x[k];
        }
    }
}

/// not proved: `may write what the one with global id `
#[kernel]
fn neighbours_of_what_is_great(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if x[i] > 5.0 {
        y[i] = y[i + 1];
    }
}
