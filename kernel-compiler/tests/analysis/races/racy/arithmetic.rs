/// not proved
#[kernel]
fn a_sum_that_wraps_in_eight_bits(y: &mut [f32]) {
    let i = global_id(0) as u8;
    y[i.wrapping_add(1) as usize] = 1.0;
}

/// not proved
#[kernel]
fn a_cast_that_loses_bits(y: &mut [f32]) {
    y[global_id(0) as u16 as usize] = 1.0;
}

/// not proved
#[kernel]
fn a_cast_to_sixteen_bits_and_back(y: &mut [f32]) {
    y[global_id(0) as i16 as usize & 0xffff] = 1.0;
}

/// not proved
#[kernel]
fn a_factor_that_may_be_zero(n: usize, y: &mut [f32]) {
    y[global_id(0) * (n % 2)] = 1.0;
}

/// not proved
#[kernel]
fn a_negated_id_beside_the_id(y: &mut [f32]) {
    let i = global_id(0) as i32;
    y[(i * i) as usize] = 1.0;
    y[(-i * i + 100) as usize] = 2.0;
}

/// not proved
#[kernel]
fn the_square_of_a_difference(y: &mut [f32]) {
    let i = global_id(0) as i64 - 8;
    y[(i * i) as usize] = 1.0;
}

/// not proved
#[kernel]
fn an_absolute_difference(y: &mut [f32]) {
    let i = global_id(0) as i32 - 16;
    y[i.unsigned_abs() as usize] = 1.0;
}

/// not proved
#[kernel]
fn a_shift_out(y: &mut [f32]) {
    y[global_id(0) >> 2 << 2] = 1.0;
}

/// not proved
#[kernel]
fn a_shift_out_at_the_top(y: &mut [f32]) {
    let i = global_id(0) as u32;
    y[(i << 30 >> 28) as usize] = 1.0;
}

/// not proved
#[kernel]
fn a_mask_with_a_hole(y: &mut [f32]) {
    y[global_id(0) & 0xf7] = 1.0;
}

/// not proved
#[kernel]
fn a_union_of_bits(n: usize, y: &mut [f32]) {
    y[global_id(0) | n] = 1.0;
}

/// not proved
#[kernel]
fn an_exclusive_or_of_itself(y: &mut [f32]) {
    let i = global_id(0);
    y[i ^ (i >> 1 << 1)] = 1.0;
}

/// not proved
#[kernel]
fn an_exclusive_or_beside_the_id(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    y[i] = 1.0;
    y[i ^ n] = 2.0;
}

/// not proved
#[kernel]
fn a_saturating_difference(n: usize, y: &mut [f32]) {
    y[global_id(0).saturating_sub(n)] = 1.0;
}

/// not proved
#[kernel]
fn a_saturating_sum(y: &mut [f32]) {
    let i = global_id(0) as u8;
    y[i.saturating_add(200) as usize] = 1.0;
}

/// not proved
#[kernel]
fn clamped(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    y[i.clamp(0, 100)] = n as f32;
}

/// not proved
#[kernel]
fn a_quotient_and_a_remainder_of_others(y: &mut [f32]) {
    let i = global_id(0);
    y[i / 8 * 8 + i % 4] = 1.0;
}

/// not proved
#[kernel]
fn a_remainder_of_the_quotient(y: &mut [f32]) {
    let i = global_id(0);
    y[i / 8 % 8 * 8 + i % 8] = 1.0;
}

/// not proved
#[kernel]
fn a_width_that_is_too_small(y: &mut [f32]) {
    let i = global_id(0);
    y[i / 8 * 7 + i % 8] = 1.0;
}

/// not proved
#[kernel]
fn a_width_of_another_argument(n: usize, m: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < n {
        y[row * m + column] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_guard_after_the_write(n: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    y[row * n + column] = 1.0;
    if column >= n {
        return;
    }
    y[row * n + column] = 2.0;
}

/// not proved
#[kernel]
fn a_guard_by_or(n: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < n || row < n {
        y[row * n + column] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_guard_of_the_wrong_way(n: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column > n {
        y[row * n + column] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_guard_of_a_cast(n: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if (column as u8 as usize) < n {
        y[row * n + column] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_guard_that_wraps(n: u32, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if (column as u32).wrapping_mul(3) < n {
        y[row * n as usize + column] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_width_changed_between(n: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    let mut width = n;
    if column < width {
        width /= 2;
        y[row * width + column] = 1.0;
    }
}

/// not proved
#[kernel]
fn rows_and_columns_mixed(n: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < n && row < n {
        y[row * n + column] += y[column * n + row];
    }
}

/// not proved
#[kernel]
fn a_symmetric_index(n: usize, y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < n && row < n {
        y[column.min(row) * n + column.max(row)] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_triangle_packed_wrongly(y: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column <= row {
        y[row * row / 2 + column] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_sum_of_ids(y: &mut [f32]) {
    y[global_id(0) + 3 * global_id(1)] = 1.0;
}

/// not proved
#[kernel]
fn a_product_of_ids(y: &mut [f32]) {
    y[global_id(0) * global_id(1)] = 1.0;
}

/// not proved
#[kernel]
fn two_ids_of_one_dimension(y: &mut [f32]) {
    y[local_id(0) * local_size(0) + group_id(0)] = 1.0;
}

/// not proved
#[kernel]
fn a_wrapping_difference(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    let k = n.wrapping_sub(i).wrapping_mul(2) / 2;
    y[k] = 1.0;
    y[i] = 2.0;
}

/// not proved
#[kernel]
fn a_signed_remainder(y: &mut [f32]) {
    let i = global_id(0) as i32 - 8;
    y[(i % 8 + 8) as usize] = 1.0;
}

/// not proved
#[kernel]
fn a_rounded_float(y: &mut [f32]) {
    let i = global_id(0);
    y[(i as f32 * 0.5) as usize] = 1.0;
}

/// not proved
#[kernel]
fn a_float_of_too_few_bits(y: &mut [f32]) {
    y[global_id(0) as f32 as usize] = 1.0;
}

/// not proved
#[kernel]
fn counted_ones(y: &mut [f32]) {
    y[global_id(0).count_ones() as usize] = 1.0;
}

/// not proved
#[kernel]
fn reversed_bits_of_a_part(y: &mut [f32]) {
    y[(global_id(0) as u8).reverse_bits() as usize] = 1.0;
}

/// not proved
#[kernel]
fn butterfly_with_a_wrong_stride(half: usize, y: &mut [f32]) {
    let t = global_id(0);
    if half > 0 {
        let i = t / half * half + t % half;
        let (a, b) = (y[i], y[i + half]);
        y[i] = a + b;
        y[i + half] = a - b;
    }
}

/// not proved
#[kernel]
fn butterfly_that_overlaps(half: usize, y: &mut [f32]) {
    let t = global_id(0);
    if half > 0 {
        let i = t / half * 2 * half + t % half;
        let (a, b) = (y[i], y[i + half + 1]);
        y[i] = a + b;
        y[i + half + 1] = a - b;
    }
}

/// not proved
#[kernel]
fn coarse_rows_of_an_odd_width(width: usize, y: &mut [f32]) {
    let (i, j) = (global_id(0), global_id(1));
    if i <= width / 2 {
        y[j * (width / 2) + i] = 1.0;
    }
}

/// not proved
#[kernel]
fn flipped_past_the_middle(width: usize, y: &mut [u8]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width / 2 + 1 {
        let (a, b) = (row * width + column, row * width + (width - 1 - column));
        let t = y[a];
        y[a] = y[b];
        y[b] = t;
    }
}

/// not proved
#[kernel]
fn reversed_past_the_middle(y: &mut [u32]) {
    let i = global_id(0);
    let n = y.len();
    if i < n {
        y.swap(i, n - 1 - i);
    }
}

/// not proved
#[kernel]
fn red_black_of_one_colour(u: &mut [f32]) {
    let i = global_id(0) + 1;
    u[i] = 0.5 * (u[i - 1] + u[i + 1]);
}

/// not proved
#[kernel]
fn red_black_of_both_colours(u: &mut [f32]) {
    let i = 2 * global_id(0) + 1;
    u[i] = 0.5 * (u[i - 1] + u[i + 1]);
    u[i + 1] = 0.5 * (u[i] + u[i + 2]);
}

/// not proved
#[kernel]
fn red_black_of_a_changing_colour(u: &mut [f32]) {
    let i = 2 * global_id(0) + 1;
    for colour in 0..2 {
        u[i + colour] = 0.5 * (u[i + colour - 1] + u[i + colour + 1]);
    }
}

/// dimension missing
#[kernel]
fn red_black_in_rows_of_one_parity(n: usize, u: &mut [f32]) {
    let (i, j) = (global_id(0), global_id(1));
    let column = 2 * i + 1;
    if column + 1 < n && j > 0 {
        let k = j * n + column;
        u[k] = 0.25 * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n]);
    }
}

/// not proved: the height for the width
#[kernel]
fn another_element_of_an_array(y: &mut [f32], size: [usize; 2]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < size[0] && row < size[1] {
        y[row * size[1] + column] = 1.0;
    }
}
