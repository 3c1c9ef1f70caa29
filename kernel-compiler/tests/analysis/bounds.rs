//! Which checks go and which stay.

use crate::source::discharged;

/// Checks how many places can still fault in the kernel `fn k(<parameters>) { <body> }`.
#[track_caller]
fn remain(count: usize, parameters: &str, body: &str) {
    let module = discharged(&format!("fn k({parameters}) {{ {body} }}"), Some([16, 16, 1]));
    assert_eq!(module.sites.len(), count, "{module}");
}

const X: &str = "x: &mut [f32]";

#[test]
fn a_guard_proves_what_it_says() {
    remain(0, X, "let i = global_id(0); if i < x.len() { x[i] = 1.0; }");
    remain(0, X, "let i = global_id(0); if x.len() > i { x[i] += 1.0; }");
    remain(0, X, "let i = global_id(0); if i >= x.len() { return; } x[i] = 1.0;");
    remain(0, X, "let i = global_id(0); if !(i < x.len()) { return; } x[i] = 1.0;");
    remain(1, X, "let i = global_id(0); if i <= x.len() { x[i] = 1.0; }");
    remain(1, X, "let i = global_id(0); if i < x.len() { return; } x[i] = 1.0;");
    remain(1, X, "let i = global_id(0); if i < x.len() { } x[i] = 1.0;");
    remain(1, X, "let i = global_id(0); if i < x.len() { x[i + 1] = 1.0; }");
}

#[test]
fn a_guard_of_another_slice_proves_nothing() {
    remain(
        1,
        "a: f32, x: &[f32], y: &mut [f32]",
        "let i = global_id(0); if i < y.len() { y[i] += a * x[i]; }",
    );
    remain(
        0,
        "a: f32, x: &[f32], y: &mut [f32]",
        "let i = global_id(0); if i < y.len() && i < x.len() { y[i] += a * x[i]; }",
    );
}

#[test]
fn a_guard_dies_with_the_variable_that_it_is_about() {
    remain(1, X, "let mut i = global_id(0); if i < x.len() { i += 1; x[i] = 1.0; }");
    remain(0, X, "let mut i = global_id(0); if i < x.len() { i /= 2; x[i] = 1.0; }");
    remain(
        1,
        X,
        "let mut i = global_id(0); if i < x.len() { let c = x[i] > 0.0; if c { i += 1; } x[i] = 1.0; }",
    );
}

#[test]
fn counters_stay_in_their_range() {
    remain(0, X, "for i in 0..x.len() { x[i] = 1.0; }");
    remain(1, X, "for i in 0..=x.len() { x[i] = 1.0; }");
    remain(0, X, "let mut i = 0; while i < x.len() { x[i] = 1.0; i += 1; }");
    remain(1, X, "let mut i = 0; while i < x.len() { i += 1; x[i] = 1.0; }");
    remain(0, X, "for i in 1..x.len() { x[i - 1] = x[i]; }");
    remain(1, X, "for i in 0..x.len() { x[i - 1] = 1.0; }");
    remain(0, X, "let mut i = x.len(); while i > 0 { i -= 1; x[i] = 1.0; }");
}

#[test]
fn arrays_are_indexed_by_small_numbers() {
    remain(
        0,
        X,
        "let mut a = [0.0_f32; 256]; for i in 0..256 { a[i] = 1.0; } if x.len() > 0 { x[0] = a[global_id(0) & 255]; }",
    );
    remain(
        0,
        X,
        "let mut a = [0.0_f32; 16]; for i in 0..=15 { a[i] = 1.0; } if x.len() > 0 { x[0] = a[global_id(0) % 16]; }",
    );
    remain(0, X, "let a = [1.0_f32; 16]; if x.len() != 0 { x[0] = a[local_id(1)]; }");
    remain(1, X, "let a = [1.0_f32; 15]; if x.len() != 0 { x[0] = a[local_id(1)]; }");
}

#[test]
fn a_midpoint_is_in_its_range() {
    let body = "let mut lo = 0; let mut hi = x.len();
        while lo < hi { let mid = lo + (hi - lo) / 2; if x[mid] < 1.0 { lo = mid + 1; } else { hi = mid; } }";
    remain(0, X, body);
}

#[test]
fn rows_of_a_matrix() {
    let parameters = "h: u32, w: u32, x: &mut [f32]";
    remain(
        0,
        parameters,
        "let h = h as usize; let w = w as usize; let c = global_id(0); let r = global_id(1);
         if r < h && c < w && h * w <= x.len() { x[r * w + c] = 1.0; }",
    );
    remain(
        1,
        "h: usize, w: usize, x: &mut [f32]",
        "let c = global_id(0); let r = global_id(1);
         if r < h && c < w && h * w <= x.len() { x[r * w + c] = 1.0; }",
    );
}
