//! What is said of the checks that stay.

use crate::source::discharged;

/// Compares the reasons of the checks that stay in `fn k(<parameters>) { <body> }`.
#[track_caller]
fn reasons(parameters: &str, body: &str, expected: &[&str]) {
    let module = discharged(&format!("fn k({parameters}) {{ {body} }}"), None);
    let found: Vec<&str> = module.sites.iter().map(|(_, site)| site.reason.as_str()).collect();
    assert_eq!(found, expected, "{module}");
}

const X: &str = "x: &mut [u32]";

#[test]
fn numbers_that_nothing_compares() {
    reasons(X, "x[global_id(0)] = 1;", &["`global_id(0) < x.len()` is not known"]);
    reasons(
        X,
        "let mut a = [0; 4]; let mut k = 0; while k < 9 { a[k] = 1; k += 1; } if x.len() > 0 { x[0] = a[0]; }",
        &["`k < 4` is not known: `k` may be 8"],
    );
}

#[test]
fn numbers_from_memory() {
    reasons(
        "order: &[u32], x: &mut [u32]",
        "let i = global_id(0); if i < order.len() { x[order[i] as usize] = 1; }",
        &["`order[global_id(0)]` is read from memory"],
    );
    reasons(
        "ptr: &[u32], col: &[u32], x: &[f32], y: &mut [f32]",
        "let row = global_id(0);
         if row + 1 < ptr.len() && row < y.len() { for k in ptr[row]..ptr[row + 1] { y[row] += x[col[k as usize] as usize]; } }",
        &["`ptr[global_id(0) + 1]` is read from memory", "`col[k as usize]` is read from memory"],
    );
}

#[test]
fn what_nobody_wants_to_read_is_not_written() {
    reasons(
        "n: u32, x: &mut [u32]",
        "let i = global_id(0) as u32; let j = if i > 3 { if i > 5 { n - i } else { n * i } } else { n ^ i } % 7; x[(j * j + n) as usize] = 1;",
        &["the index may wrap around"],
    );
}

#[test]
fn numbers_that_wrap() {
    reasons(
        "w: usize, x: &mut [u32]",
        "let i = global_id(0); if i * w < x.len() { x[(i + 1) * w] = 1; }",
        &["`w * (global_id(0) + 1)` may wrap around"],
    );
}

#[test]
fn divisors() {
    reasons("n: u32, x: &mut [u32]", "if x.len() > 0 { x[0] /= n; }", &["`n` may be 0"]);
    reasons(
        "a: i32, n: i32, x: &mut [i32]",
        "if x.len() > 0 && n != 0 { x[0] = a % n; }",
        &["`a` may be -2147483648, and `n` -1"],
    );
}

#[test]
fn conditions_of_the_authors_own() {
    reasons("n: u32", "assert!(n > 3);", &["`3 < n` is not known"]);
    reasons("n: u32", "if n > 3 { panic!(); }", &["nothing rules out that control gets here"]);
}
