//! Which checks for overflow go and which stay.

use crate::source::{discharged, discharged_with_overflow};
use kernel_core::FaultKind;

/// Compares the reasons of the checks that stay in `fn k(<parameters>) { <body> }`.
#[track_caller]
fn remain(parameters: &str, body: &str, expected: &[&str]) {
    let module = discharged_with_overflow(&format!("fn k({parameters}) {{ {body} }}"));
    let found: Vec<&str> = module.sites.iter().map(|(_, site)| site.reason.as_str()).collect();
    assert_eq!(found, expected, "{module}");
}

/// As a guard that is beyond doubt, so that only arithmetic is left to check.
const X: &str = "x: &mut [u32]";

#[test]
fn nothing_is_checked_unless_it_is_asked_for() {
    let module =
        discharged("fn k(a: u32, b: u32, x: &mut [u32]) { for v in x { *v = a + b * 3 - (a << b); } }", None);
    assert!(module.sites.is_empty(), "{module}");
}

#[test]
fn counters_stay_in_their_range() {
    remain(X, "for i in 0..x.len() { if i + 1 < x.len() { x[i] = x[i + 1]; } }", &[]);
    remain(X, "let mut i = 0; while i < x.len() { x[i] = 1; i += 1; }", &[]);
    remain(X, "let mut i = x.len(); while i > 0 { i -= 1; x[i] = 1; }", &[]);
    remain(X, "for i in 1..x.len() { x[i - 1] = x[i]; }", &[]);
    remain(
        X,
        "let mut i = 0_u32; while x[0] != i { i += 1; }",
        &["`0 < x.len()` is not known", "`i + 1` may not fit in `u32`"],
    );
}

#[test]
fn ids_are_small() {
    remain(X, "let i = global_id(0); if i + 1 < x.len() { x[i] = x[i + 1]; }", &[]);
    remain(X, "let i = global_id(0) * 4 + local_id(0); if i < x.len() { x[i] = 1; }", &[]);
    remain(X, "let i = global_id(0) * global_size(1); if i < x.len() { x[i] = 1; }", &[]);
    // No slice has more than `isize::MAX` bytes.
    remain(X, "let i = global_id(0) + x.len(); if i < x.len() { x[i] = 1; }", &[]);
    remain(X, "let i = 3 * x.len(); if i < x.len() { x[i] = 1; }", &["`3 * x.len()` may not fit in `usize`"]);
}

#[test]
fn casts_make_room() {
    let parameters = "a: u32, b: u32, x: &mut [u64]";
    remain(parameters, "for v in x { *v = a as u64 * b as u64; }", &[]);
    remain(parameters, "for v in x { *v = a as u64 + b as u64 + 1; }", &[]);
    remain(parameters, "for v in x { *v = (a as u64) << 32; }", &[]);
    remain(parameters, "for v in x { *v = (a + b) as u64; }", &["`a + b` may not fit in `u32`"]);
}

#[test]
fn masks_and_remainders_bound() {
    let parameters = "a: u32, b: u32, x: &mut [u32]";
    remain(parameters, "for v in x { *v = (a & 255) * (b & 255); }", &[]);
    remain(parameters, "for v in x { *v = (a % 100) + 7; }", &[]);
    remain(parameters, "for v in x { *v = a >> (b & 31); }", &[]);
    remain(parameters, "for v in x { *v = a << (b % 33); }", &["`b % 33 < 32` is not known"]);
    remain(parameters, "for v in x { *v = a << 31; }", &[]);
    remain(
        parameters,
        "for v in x { *v = *v + 1; }",
        &["`x[..] + 1` may not fit in `u32`: `x[..]` is read from memory"],
    );
}

#[test]
fn conditions_bound() {
    let parameters = "a: u32, b: u32, x: &mut [u32]";
    remain(parameters, "if a >= b { for v in x { *v = a - b; } }", &[]);
    remain(parameters, "if a > b { for v in x { *v = a - b - 1; } }", &[]);
    remain(parameters, "if a < b { for v in x { *v = a - b; } }", &["`a - b` may not fit in `u32`"]);
    remain("a: i32, x: &mut [i32]", "if a > 0 { for v in x { *v = -a; } }", &[]);
    remain("a: i32, x: &mut [i32]", "for v in x { *v = -a; }", &["`0 - a` may not fit in `i32`"]);
    remain("a: i32, x: &mut [i32]", "if a != i32::MIN { for v in x { *v = a.abs(); } }", &[]);
}

/// That there was a check says nothing of anything else.
#[test]
fn a_check_that_was_made_proves_only_what_it_asked_for() {
    remain(
        "n: usize, x: &mut [u32]",
        "if n + 1 < x.len() { x[n] = 1; }",
        &["`n + 1` may not fit in `usize`", "`n < x.len()` is not known"],
    );
    remain(
        "a: u32, b: u32, x: &mut [u32]",
        "for v in x { *v = a + b; *v = a + b; }",
        &["`a + b` may not fit in `u32`"],
    );
    // Where others wait, a work-item whose sum did not fit goes on with the wrapped one.
    remain(
        "a: u32, b: u32, x: &mut [u32]",
        "for v in x { *v = a + b; *v = a + b; } barrier();",
        &["`a + b` may not fit in `u32`", "`a + b` may not fit in `u32`"],
    );
}

#[test]
fn the_standard_library_is_not_checked() {
    let module = discharged_with_overflow(
        "fn k(x: &[u32], y: &mut [u32]) { y.sort_unstable(); let found = x.binary_search(&3).is_ok(); for v in y { *v = found as u32; } }",
    );
    let is_overflow = |kind| !matches!(kind, FaultKind::IndexOutOfBounds);
    assert!(!module.sites.iter().any(|(_, site)| is_overflow(site.kind)), "{module}");
}
