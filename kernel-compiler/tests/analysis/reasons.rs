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
    reasons(
        X,
        "x[global_id(0)] = 1;",
        &["`global_id(0) < x.len()` is not known: `global_id(0)` may be 4294967294, and `x.len()` 0"],
    );
    reasons(
        X,
        "let mut a = [0; 4]; let mut k = 0; while k < 9 { a[k] = 1; k += 1; } if x.len() > 0 { x[0] = a[0]; }",
        &["`k < 4` is not known: `k` may be 8, and `4` 4"],
    );
}

#[test]
fn numbers_from_memory() {
    reasons(
        "order: &[u32], x: &mut [u32]",
        "let i = global_id(0); if i < order.len() { x[order[i] as usize] = 1; }",
        &["`order[global_id(0)] as usize < x.len()` is not known: `order[global_id(0)]` is read from memory"],
    );
}

#[test]
fn numbers_that_wrap() {
    reasons(
        "w: usize, x: &mut [u32]",
        "let i = global_id(0); if i * w < x.len() { x[(i + 1) * w] = 1; }",
        &["`w * (global_id(0) + 1) < x.len()` is not known: `w * (global_id(0) + 1)` may wrap around"],
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
