//! Steps between elements that a launch gives, and that must not be zero.

/// condition: the step is not 0
fn pairs_at_a_step(x: &mut [f32], step: usize) {
    let i = global_id(0) * 2 * step;
    if i + step < x.len() {
        let (a, b) = (x[i], x[i + step]);
        x[i] = (a + b) * 0.5;
        x[i + step] = (a - b) * 0.5;
    }
}

/// condition: the pitch is not 0, and nothing wraps
fn each_of_a_column(x: &mut [f32], pitch: u32) {
    let i = global_id(0) as u32 * pitch;
    if (i as usize) < x.len() {
        x[i as usize] = 1.0;
    }
}

/// condition: the factor is not 0, and nothing wraps
#[kernel]
fn a_factor_in_thirty_two_bits(n: u32, y: &mut [f32]) {
    let i = global_id(0) as u32;
    y[i.wrapping_mul(n) as usize] = 1.0;
}

/// condition: the factor is not 0, and nothing wraps
#[kernel]
fn each_of_a_step_by_all(step: usize, y: &mut [f32]) {
    let mut k = global_id(0) * step;
    while k < y.len() {
        y[k] = 1.0;
        k += global_size(0) * step;
    }
}

/// condition: the factor is not 0, and nothing wraps
#[kernel]
fn a_scalar_times_the_id(n: u32, y: &mut [u32]) {
    y[(n as usize) * global_id(0)] = 1;
}
