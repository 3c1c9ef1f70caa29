//! The conditions under which the host can leave checks out of a launch.

use crate::source::lowered;
use kernel_compiler::analysis::{Analysis, discharge, hoist, keep_escapes};
use kernel_compiler::ir::Module;

/// The conditions of a kernel, and how many checks it has without them and with them.
fn found(source: &str, group_size: Option<[u32; 3]>) -> (Vec<String>, [usize; 2]) {
    let mut module = lowered(source, group_size);
    keep_escapes(&mut module);
    let analysis = Analysis::of(&module);
    let kept = discharge(&mut module, &analysis);
    let all = checked(&module);
    hoist(&mut module, &kept);
    assert_eq!(module.verify(), Ok(()));
    let conditions = kept.conditions.iter().map(kernel_compiler::analysis::Number::text).collect();
    (conditions, [all, checked(&module)])
}

/// How many sites there are that a check names.
fn checked(module: &Module) -> usize {
    let text = module.to_string();
    let named = |site: usize| {
        let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("site "));
        lines.any(|line| line.contains(&format!("!{site}")))
    };
    module.sites.iter().filter(|(site, _)| named(site.index())).count()
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    let (conditions, _) = found(source, None);
    assert_eq!(conditions, expected, "{source}");
}

#[test]
fn an_id_is_below_the_size_of_the_launch() {
    check("fn k(x: &mut [u32]) { x[global_id(0)] = 1; }", &["global_size(0) <= x.len()"]);
    check("fn k(x: &mut [u32]) { x[2 * global_id(0) + 1] = 1; }", &["global_size(0) * 2 <= x.len()"]);
    check("fn k(x: &mut [u32]) { x[global_id(1)] = 1; }", &["global_size(1) <= x.len()"]);
}

#[test]
fn a_guard_is_a_bound_too() {
    check(
        "fn k(x: &[u32], y: &mut [u32]) { let i = global_id(0); if i < y.len() { y[i] = x[i]; } }",
        &["y.len() <= x.len()"],
    );
    check(
        "fn k(x: &mut [u32], n: u32) { let i = global_id(0) as u32; if i < n { x[i as usize] = 1; } }",
        &["n <= x.len()"],
    );
}

#[test]
fn rows_and_columns() {
    check(
        "fn k(x: &mut [u32], n: usize, m: usize) {
            let row = global_id(0);
            if row < m { for k in 0..n { x[row * n + k] = 1; } }
        }",
        &["m * n <= x.len()"],
    );
    check(
        "fn k(x: &[u32], y: &mut [u32], w: usize, h: usize, d: usize) {
            let (a, b, c) = (global_id(0), global_id(1), global_id(2));
            if a >= 1 && a + 1 < w && b >= 1 && b + 1 < h && c < d {
                let i = (c * h + b) * w + a;
                y[i] = x[i - 1] + x[i + 1] + x[i - w] + x[i + w];
            }
        }",
        &[
            "d * w * h <= x.len() + 2 + w",
            "d * w * h <= x.len() + w",
            "d * w * h <= x.len() + w * 2 + 1",
            "d * w * h <= x.len() + 1",
            "d * w * h <= y.len() + w + 1",
        ],
    );
}

#[test]
fn parts_of_slices() {
    check(
        "fn k(x: &[u32], y: &mut [u32], cols: usize) {
            let r = global_id(0);
            if r < y.len() {
                let row = &x[r * cols..r * cols + cols];
                for c in 0..cols { y[r] += row[c]; }
            }
        }",
        &["y.len() * cols <= x.len()"],
    );
    // Of these the order is not known.
    check(
        "fn k(x: &[u32], y: &mut [u32], from: usize) { y[global_id(0)] = x[from..global_id(0)].len() as u32; }",
        &["global_size(0) <= y.len()"],
    );
}

#[test]
fn what_wraps_is_no_reason_to_go_without_checks() {
    check(
        "fn k(x: &mut [u32], n: u32, dim: u32) {
            let i = global_id(0) as u32;
            if i < n { for d in 0..dim { x[(i * dim + d) as usize] = 1; } }
        }",
        &["n * dim <= x.len()"],
    );
    // A difference may be less than nothing.
    check("fn k(x: &mut [u32], n: usize) { x[global_id(0) - n] = 1; }", &[]);
    check("fn k(x: &mut [u32]) { x[x.len() - 1 - global_id(0)] = 1; }", &[]);
    check("fn k(x: &mut [u32]) { let i = global_id(0); if i < x.len() { x[x.len() - 1 - i] = 1; } }", &[]);
}

#[test]
fn quotients_and_remainders() {
    check("fn k(x: &mut [u32]) { x[global_id(0) / 4] = 1; }", &["(global_size(0) - 1) / 4 + 1 <= x.len()"]);
    check("fn k(x: &mut [u32], n: usize) { x[global_id(0) % n] = 1; }", &["n != 0", "n.max(1) <= x.len()"]);
    check("fn k(x: &mut [u32], n: usize) { if n > 0 { x[global_id(0) % n] = 1; } }", &["n <= x.len()"]);
}

#[test]
fn loops_with_steps() {
    check(
        "fn k(x: &[u32], y: &mut [u32], n: usize) {
            let mut sum = 0;
            for i in (global_id(0)..n).step_by(global_size(0)) { sum += x[i]; }
            y[global_id(0)] = sum;
        }",
        &["n <= x.len()", "global_size(0) <= y.len()"],
    );
    check("fn k(x: &mut [u32; 16]) { for i in (0..16).step_by(4) { x[i] = 1; x[i + 3] = 2; } }", &[]);
    check("fn k(x: &mut [u32; 5]) { for d in -2..=2 { x[(d + 2) as usize] = 1; } }", &[]);
}

#[test]
fn what_memory_says_has_no_bound() {
    check("fn k(x: &mut [u32], i: &[u32]) { x[i[0] as usize] = 1; }", &["1 <= i.len()"]);
    check("fn k(x: &mut [u32], i: &[u8]) { x[i[0] as usize] = 1; }", &["1 <= i.len()", "256 <= x.len()"]);
}

/// Arrays of four thousand million elements are no reason for a second version.
#[test]
fn what_hardly_any_launch_meets_is_no_condition() {
    let ends = "fn k(x: &mut [u32], i: &[u32]) { let i = i[0]; if i != 0xffff_ffff { x[i as usize] = 1; } }";
    check(ends, &["1 <= i.len()"]);
}

#[test]
fn what_always_fails_stays() {
    let (conditions, checks) = found("fn k(x: &mut [u32; 4]) { x[4] = 1; }", None);
    assert_eq!((conditions, checks), (Vec::new(), [1, 1]));
}

#[test]
fn sites_keep_their_numbers() {
    let (_, checks) = found("fn k(x: &mut [u32], i: &[u32]) { x[i[global_id(0)] as usize] = 1; }", None);
    assert_eq!(checks, [2, 1]);
}
