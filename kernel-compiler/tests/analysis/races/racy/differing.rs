//! Guards that tell two numbers apart, but not those that matter.

/// dimension missing
fn column_of_the_pivot(n: usize, pivot: usize, d: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if row < n && column < n && pivot < n && row != pivot {
        d[row * n + column] = d[row * n + pivot] + d[pivot * n + column];
    }
}

/// not proved
fn pivot_beyond_the_row(n: usize, pivot: usize, d: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    if row < n && column < n && row != pivot && column != pivot {
        d[row * n + column] = d[row * n + pivot] + d[pivot * n + column];
    }
}

/// not proved
fn another_generation(n: usize, from: usize, to: usize, other: usize, cells: &mut [u32]) {
    let i = global_id(0);
    if i < n && from != other {
        cells[to * n + i] = cells[from * n + (i + 1) % n];
    }
}

/// not proved
fn read_by_the_chosen_too(y: &mut [u32], chosen: usize) {
    let i = global_id(0);
    if chosen < y.len() && i < y.len() {
        let value = y[(chosen + 1) % y.len()];
        if i != chosen {
            y[i] = value;
        }
    }
}

/// not proved
fn different_from_themselves_only(y: &mut [u32], shift: usize) {
    let i = global_id(0);
    let j = i ^ shift;
    if i != j && i < y.len() && j < y.len() {
        y[i] = y[j];
    }
}
