/// not proved
#[kernel]
fn a_negative_step(n: usize, y: &mut [f32]) {
    let mut k = global_id(0) + n;
    while k > 0 {
        y[k] = 1.0;
        k -= 1;
    }
}

/// not proved
#[kernel]
fn a_loop_downwards_over_others(y: &mut [f32]) {
    let i = global_id(0) as i32;
    let mut k = i + 4;
    while k >= i {
        y[k as usize] = 1.0;
        k -= 1;
    }
}

/// not proved
#[kernel]
fn a_loop_left_early(x: &[f32], y: &mut [f32]) {
    let mut k = global_id(0);
    loop {
        if k >= y.len() || x[k] > 0.0 {
            break;
        }
        k += 1;
    }
    y[k] = 1.0;
}

/// not proved
#[kernel]
fn a_loop_with_continue(x: &[f32], y: &mut [f32]) {
    let mut k = global_id(0);
    while k < y.len() {
        if x[k] > 0.0 {
            k += 1;
            continue;
        }
        y[k] = 1.0;
        k += global_size(0);
    }
}

/// not proved
#[kernel]
fn two_steps_in_one_pass(y: &mut [f32]) {
    let mut k = global_id(0);
    while k + 1 < y.len() {
        y[k] = 1.0;
        k += 1;
        y[k] = 2.0;
        k += global_size(0);
    }
}

/// not proved
#[kernel]
fn a_variable_chosen_by_another_id(y: &mut [f32]) {
    let i = global_id(0);
    let j = if local_id(0) == 0 { i } else { i - 1 };
    y[j] = 1.0;
}

/// not proved
#[kernel]
fn a_match_on_the_id(y: &mut [f32]) {
    let i = global_id(0);
    let j = match i {
        0..=3 => 7,
        _ => i,
    };
    y[j] = 1.0;
}

/// uniform index
#[kernel]
fn early_return_of_the_wrong_ones(y: &mut [f32]) {
    let i = global_id(0);
    if i == 0 {
        return;
    }
    y[0] = 1.0;
}

/// uniform index
#[kernel]
fn all_but_one(y: &mut [f32]) {
    if global_id(0) != 7 {
        y[3] += 1.0;
    }
}

/// uniform index
#[kernel]
fn the_last_ones(y: &mut [f32]) {
    if global_id(0) + 2 >= global_size(0) {
        y[0] = 1.0;
    }
}

/// uniform index
#[kernel]
fn one_of_each_group(y: &mut [f32]) {
    if local_id(0) == 0 {
        y[0] = 1.0;
    }
}

/// uniform index
#[kernel]
fn two_guards_for_two_items(y: &mut [f32]) {
    let i = global_id(0);
    if i == 4 {
        y[0] = 1.0;
    } else if i == 5 {
        y[0] = 2.0;
    }
}

/// not proved
#[kernel]
fn a_closure_with_a_fixed_index(y: &mut [f32]) {
    let i = global_id(0);
    let mut put = |k: usize, value: f32| y[k / 2] = value;
    put(i, 1.0);
}

/// not proved
#[kernel]
fn a_closure_called_twice(y: &mut [f32]) {
    let i = global_id(0);
    let mut put = |k: usize| y[k] = 1.0;
    put(i);
    put(i + 1);
}

/// not proved
#[kernel]
fn a_closure_that_captures_a_variable(y: &mut [f32]) {
    let mut k = global_id(0);
    let mut put = || {
        y[k] = 1.0;
        k += 1;
    };
    put();
    put();
}

/// not proved
#[kernel]
fn an_iterator_from_the_id_on(y: &mut [f32]) {
    for value in y.iter_mut().skip(global_id(0)) {
        *value = 1.0;
    }
}

/// not proved
#[kernel]
fn an_iterator_up_to_the_id(y: &mut [f32]) {
    for value in y.iter_mut().take(global_id(0)) {
        *value = 1.0;
    }
}

/// not proved
#[kernel]
fn an_iterator_with_a_small_step(y: &mut [f32]) {
    for value in y.iter_mut().skip(global_id(0)).step_by(local_size(0)) {
        *value = 1.0;
    }
}

/// not proved
#[kernel]
fn chunks_of_half_ids(y: &mut [f32]) {
    if let Some(part) = y.chunks_mut(4).nth(global_id(0) / 2) {
        part[0] = 1.0;
    }
}

/// not proved
#[kernel]
fn exact_chunks_of_half_ids(y: &mut [f32]) {
    if let Some(part) = y.chunks_exact_mut(4).nth(global_id(0) / 2) {
        part[0] = 1.0;
    }
}

/// uniform index
#[kernel]
fn one_chunk_for_all(y: &mut [f32]) {
    if let Some(part) = y.chunks_mut(4).nth(3) {
        part[0] = 1.0;
    }
}

/// not proved
#[kernel]
fn chunks_of_a_size_that_differs(y: &mut [f32]) {
    let i = global_id(0);
    if let Some(part) = y.chunks_mut(i / 2 + 1).nth(i) {
        part[0] = 1.0;
    }
}

/// not proved
#[kernel]
fn an_element_of_half_ids(y: &mut [f32]) {
    if let Some(value) = y.iter_mut().nth(global_id(0) / 2) {
        *value = 1.0;
    }
}

/// not proved
#[kernel]
fn two_parts_of_one_split(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    let (left, right) = y.split_at_mut(n);
    left[i] = 1.0;
    right[i / 2] = 2.0;
}

/// not proved
#[kernel]
fn a_split_at_an_own_place(y: &mut [f32]) {
    let (left, right) = y.split_at_mut(global_id(0));
    right[0] = 1.0;
    left[0] = 2.0;
}

/// not proved
#[kernel]
fn a_split_and_the_whole(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    {
        let (left, _) = y.split_at_mut(n);
        left[i] = 1.0;
    }
    y[i + 1] = 2.0;
}

/// not proved
#[kernel]
fn windows_of_neighbours(y: &mut [f32]) {
    let i = global_id(0);
    let part = &mut y[i..i + 3];
    part[1] = part[0] + part[2];
}

/// not proved
#[kernel]
fn a_part_of_a_part(y: &mut [f32]) {
    let i = global_id(0);
    let part = &mut y[i * 2..];
    let part = &mut part[1..4];
    part[0] = 1.0;
    part[2] = 2.0;
}

/// not proved
#[kernel]
fn a_copy_that_overlaps(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i * 2..i * 2 + 3].copy_from_slice(&x[0..3]);
}

/// not proved
#[kernel]
fn a_swap_with_the_neighbour(y: &mut [f32]) {
    let i = global_id(0);
    if i + 1 < y.len() {
        y.swap(i, i + 1);
    }
}

/// not proved
#[kernel]
fn a_rotation_of_overlapping_parts(y: &mut [f32]) {
    let i = global_id(0);
    y[i..i + 4].rotate_left(1);
}

/// not proved
#[kernel]
fn bytes_of_one_word(y: &mut [u8]) {
    let i = global_id(0);
    y[i] = 1;
    y[i ^ 1] = 2;
}

/// not proved
#[kernel]
fn fields_of_the_neighbour(y: &mut [[f32; 2]]) {
    let i = global_id(0);
    y[i][0] = 1.0;
    y[i + 1][0] = 2.0;
}

/// not proved
#[kernel]
fn an_element_and_the_whole_array(y: &mut [[f32; 2]]) {
    let i = global_id(0);
    let all = y[i + 1];
    y[i][1] = all[0];
}

/// not proved
#[kernel]
fn lanes_of_the_neighbour(y: &mut [f32x4]) {
    let i = global_id(0);
    let value = y[i + 1].x;
    y[i] = f32x4::splat(value);
}

/// not proved
#[kernel]
fn vectors_that_overlap(y: &mut [f32]) {
    let i = global_id(0);
    f32x4::splat(1.0).store(y, i);
}

/// not proved
#[kernel]
fn vectors_at_even_places(y: &mut [f32]) {
    let i = global_id(0);
    f32x4::splat(1.0).store(y, i * 2);
}

/// not proved
#[kernel]
fn columns_of_an_array(y: &mut [[f32; 8]]) {
    let i = global_id(0);
    y[i / 8][i % 4] = 1.0;
}

/// dimension missing: `global_id(1)`
#[kernel]
fn planes_without_rows(y: &mut [f32]) {
    let (i, _, k) = (global_id(0), global_id(1), global_id(2));
    if i < 32 {
        y[k * 32 + i] = 1.0;
    }
}
