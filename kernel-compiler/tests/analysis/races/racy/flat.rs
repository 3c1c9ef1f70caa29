//! Ids that are taken apart and not put together again as they were.

/// not proved
#[kernel]
fn the_rest_by_another_width(y: &mut [f32], rows: usize, cols: usize) {
    let i = global_id(0);
    if i < rows * cols {
        let row = i / cols;
        let col = i - row * cols;
        y[col * (rows - 1) + row] = 1.0;
    }
}

/// not proved
#[kernel]
fn layers_of_another_area(y: &mut [f32], w: usize, h: usize, d: usize) {
    let i = global_id(0);
    if i < w * h * d {
        let col = i % w;
        let row = (i / w) % h;
        let z = i / (w * d);
        y[(z * h + row) * w + col] = 1.0;
    }
}

/// not proved
#[kernel]
fn halves_that_overlap(x: &mut [f32], stage: u32) {
    let i = global_id(0);
    let half = 1_usize << stage;
    let a = (i >> stage) * half + (i & (half - 1));
    let b = a + half;
    if b < x.len() {
        x[b] = x[a];
    }
}

/// not proved
#[kernel]
fn a_mask_of_another_stage(x: &mut [f32], stage: u32, other: u32) {
    let i = global_id(0);
    let half = 1_usize << stage;
    let a = (i >> stage) * 2 * half + (i & ((1 << other) - 1));
    if a < x.len() {
        x[a] = 1.0;
    }
}

/// not proved
#[kernel(group_size = 64)]
fn the_rest_where_a_division_by_zero_goes_on(y: &mut [f32], cols: usize) {
    let i = global_id(0);
    let row = i / cols;
    barrier();
    let col = i - row * cols;
    y[col] = 1.0;
}

/// not proved
#[kernel]
fn a_bit_inserted_one_too_low(amplitudes: &mut [f32], qubit: u32) {
    let i = global_id(0);
    let mask = (1_usize << (qubit + 1)) - 1;
    let zero = ((i >> qubit) << (qubit + 1)) | (i & mask);
    if zero < amplitudes.len() {
        amplitudes[zero] = 1.0;
    }
}

/// not proved
#[kernel]
fn a_bit_that_may_be_there(amplitudes: &mut [f32], qubit: u32) {
    let i = global_id(0);
    let one = i | (1 << qubit);
    if one < amplitudes.len() {
        amplitudes[one] = 1.0;
    }
}

/// not proved
#[kernel]
fn bits_that_are_shifted_out(y: &mut [f32], by: u32) {
    let i = global_id(0);
    y[(i << by) >> 3] = 1.0;
}
