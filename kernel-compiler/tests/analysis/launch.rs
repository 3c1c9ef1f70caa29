//! The conditions under which the host can leave checks out of a launch.

use crate::source::lowered;
use kernel_compiler::analysis::{Analysis, discharge, hoist, keep_fault_exits};
use kernel_compiler::ir::Module;

/// The conditions of a kernel, and how many checks it has without them and with them.
fn found(source: &str, group_size: Option<[u32; 3]>) -> (Vec<String>, [usize; 2]) {
    let mut module = lowered(source, group_size);
    keep_fault_exits(&mut module);
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

/// These conditions, and no check is left where they hold.
#[track_caller]
fn check_all(source: &str, group_size: Option<[u32; 3]>, expected: &[&str]) {
    let (conditions, [_, left]) = found(source, group_size);
    assert_eq!((conditions, left), (expected.iter().map(ToString::to_string).collect(), 0), "{source}");
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

/// Whether the product has wrapped or not.
#[test]
fn no_factor_of_a_product_is_zero_that_an_index_is_below() {
    check(
        "fn k(x: &mut [u32], w: usize, h: usize) { let i = global_id(0); if i < w * h { x[i % w] = 1; } }",
        &["w <= x.len()"],
    );
    check(
        "fn k(x: &mut [u32], w: u32, h: u32, d: usize) { let i = global_id(0); if i >= w as usize * h as usize * d { return; } x[i % h as usize / d] = 1 / w; }",
        &["(h as usize - 1) / d + 1 <= x.len()"],
    );
    // Of those with a sign both may be negative, and zero is not below zero.
    check(
        "fn k(x: &mut [i32], w: i32, h: i32) { let i = global_id(0) as i32; if i < w * h { x[0] = i % w; } }",
        &["1 <= w", "1 <= x.len()"],
    );
}

#[test]
fn comparisons_of_floats_bound_what_is_made_of_them() {
    let source = |condition: &str, index: &str| {
        format!(
            "fn k(x: &[u32], y: &mut [u32], w: usize, f: f32) {{
                let i = global_id(0);
                let s = i as f32 * f;
                if i < y.len() && {condition} {{ y[i] = x[{index}]; }}
            }}"
        )
    };
    for condition in ["s < w as f32", "!(s >= w as f32)", "w as f32 > s", "s.floor() < w as f32"] {
        for index in ["s as usize", "s.floor() as usize", "s.max(0.0) as usize"] {
            check_all(&source(condition, index), None, &["w <= 16777216", "w <= x.len()", "1 <= x.len()"]);
        }
    }
    check_all(&source("s <= w as f32", "s as usize"), None, &["w <= 16777216", "w + 1 <= x.len()"]);
    check_all(&source("s < 4.0", "s as u32 as usize"), None, &["4 <= x.len()"]);
    check_all(&source("true", "s.min(w as f32) as usize"), None, &["w <= 16777216", "w + 1 <= x.len()"]);
    // Another number, one that may be NaN, and what is greater.
    for (condition, index) in [
        ("s < w as f32", "(s + 1.0) as usize"),
        ("s < f", "s as usize"),
        ("s > w as f32", "s as usize"),
        ("s < w as f32", "s.round() as usize"),
    ] {
        check(&source(condition, index), &[]);
    }
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
        &["d * w * h <= x.len() + w", "d * w * h <= x.len() + 1", "d * w * h <= y.len() + w + 1"],
    );
}

/// The neighbours of a place in an image that is one row of numbers: an image of just as many is enough.
#[test]
fn neighbours_of_a_place_in_rows() {
    let sides = "fn k(a: &[f32], b: &mut [f32], w: usize, h: usize) {
        let i = global_id(0);
        if i >= w * h { return; }
        let (x, y) = (i % w, i / w);
        let mut s = a[i];
        if x > 0 { s += a[i - 1]; }
        if x + 1 < w { s += a[i + 1]; }
        if y > 0 { s += a[i - w]; }
        if y < h - 1 { s += a[i + w]; }
        b[i] = s;
    }";
    check_all(
        sides,
        None,
        &["w * h <= a.len()", "(w * h - 1) / w * w + w <= a.len()", "1 <= h", "w * h <= b.len()"],
    );
    let border = "fn k(a: &[f32], b: &mut [f32], w: u32, h: u32) {
        let i = global_id(0) as u32;
        if i >= w * h { return; }
        let (x, y) = (i % w, i / w);
        if x == 0 || x == w - 1 || y == 0 || y == h - 1 { return; }
        b[i as usize] = a[(i - 1) as usize] + a[(i + 1) as usize] + a[(i - w) as usize] + a[(i + w) as usize];
    }";
    let expected = [
        "1 <= h",
        "1 <= w",
        "h * w <= a.len() + w",
        "h * w <= a.len() + 1",
        "(w * h).min(h * w + w * -1) <= b.len()",
    ];
    check_all(border, None, &expected);
    let volume = "fn k(a: &[f32], b: &mut [f32], n: usize) {
        let i = global_id(0);
        if i >= n * n * n { return; }
        let (y, z) = (i / n % n, i / (n * n));
        if y > 0 && y < n - 1 && z > 0 && z < n - 1 { b[i] = a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n]; }
    }";
    let expected = [
        "1 <= n",
        "((n * n * n).min(n * n * n + n * n * -1) - 1) / n * n + n * n + n <= a.len()",
        "((n * n * n).min(n * n * n + n * n * -1) - 1) / n / n * n * n + n * n <= a.len()",
        "(n * n * n).min(n * n * n + n * n * -1) <= a.len() + n * n",
        "(n * n * n).min(n * n * n + n * n * -1) <= b.len()",
    ];
    check_all(volume, None, &expected);
}

/// The first work-item of a group loads what is before it, and the last one what is behind.
#[test]
fn ids_of_some_work_items_of_a_group() {
    let halo = "fn k(x: &[f32], y: &mut [f32]) {
        let (l, i) = (local_id(0), global_id(0));
        if l == 0 && i > 0 { y[i - 1] = x[i - 1]; }
        if l < 4 { y[i] = 1.0; }
    }";
    let expected = ["num_groups(0) * 64 <= x.len() + 64", "num_groups(0) * 64 <= y.len() + 60"];
    check_all(halo, Some([64, 1, 1]), &expected);
    let last = "fn k(x: &mut [f32]) { if local_id(0) == 63 { x[global_id(0)] = 1.0; } }";
    check_all(last, Some([64, 1, 1]), &["global_size(0) <= x.len()"]);
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
    // The end is at most the length where it has wrapped, too, and the start is beyond it then.
    let wraps =
        "fn k(y: &mut [u32], p: usize) { let end = p + (p + 8); if end <= y.len() { y[p..end][0] = 1; } }";
    check(wraps, &["p * 2 + 8 <= y.len()"]);
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
    check("fn k(x: &mut [u32]) { x[x.len() - 1 - global_id(0)] = 1; }", &["global_size(0) <= x.len()"]);
    check("fn k(x: &mut [u32]) { let i = global_id(0); if i < x.len() { x[x.len() - 1 - i] = 1; } }", &[]);
}

#[test]
fn a_number_beside_what_is_guarded_is_part_of_the_guard() {
    check(
        "fn k(x: &[u8], y: &mut [u8], n: usize) {
            let i = global_id(0);
            if i + n <= x.len() { for j in 0..n { y[i] += x[i + j]; } }
        }",
        &["global_size(0) + n <= 18446744073709551616", "x.len() + 1 <= y.len() + n"],
    );
}

#[test]
fn the_best_index_so_far_is_one_of_them() {
    check_all(
        "fn k(x: &[f32], y: &mut [f32]) {
            let (mut best, mut found) = (0.0, 0);
            for i in 0..x.len() { if x[i] > best { best = x[i]; found = i; } }
            for v in y { *v = x[found]; }
        }",
        None,
        &["1 <= x.len()"],
    );
    let (conditions, [_, left]) = found(
        "fn k(x: &[f32], z: &[f32], y: &mut [f32]) {
            let mut found = 7;
            for i in 0..x.len() { if x[i] > 0.0 { found = i; } else if x[i] < 0.0 { found = i + 1; } }
            for v in y { *v = z[found]; }
        }",
        None,
    );
    assert_eq!((conditions, left), (Vec::new(), 1), "the length is an index too");
}

#[test]
fn what_is_left_of_a_number_without_its_remainder_is_a_multiple() {
    check_all(
        "fn k(x: &mut [u32], n: usize, p: usize) {
            let i = global_id(0);
            if i < n && p > 0 { x[2 * i - i % p + p] = 1; }
        }",
        None,
        &["p * ((n - 1) / p) + n + p <= x.len()"],
    );
}

#[test]
fn quotients_and_remainders() {
    check("fn k(x: &mut [u32]) { x[global_id(0) / 4] = 1; }", &["(global_size(0) - 1) / 4 + 1 <= x.len()"]);
    check("fn k(x: &mut [u32], n: usize) { x[global_id(0) % n] = 1; }", &["1 <= n", "n <= x.len()"]);
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
    check_all(
        "fn k(x: &mut [u32; 16]) { for i in (0..16).step_by(4) { x[i] = 1; x[i + 3] = 2; } }",
        None,
        &[],
    );
    check_all("fn k(x: &mut [u32; 17]) { for i in (1..16).step_by(4) { x[i + 3] = 2; } }", None, &[]);
    let (_, [_, left]) =
        found("fn k(x: &mut [u32; 16]) { for i in (1..16).step_by(4) { x[i + 3] = 2; } }", None);
    assert_eq!(left, 1, "the last index is 16");
    check_all(
        "fn k(x: &mut [u32], n: usize) { for i in (0..n).step_by(4) { x[i + 3] = 1; } }",
        None,
        &["(n - 1) / 4 * 4 + 4 <= x.len()"],
    );
    check_all(
        "fn k(x: &[u32], y: &mut [u32]) {
            for i in (4 * global_id(0)..x.len()).step_by(4 * global_size(0)) {
                for j in 0..4 { y[i + j] = x[i]; }
            }
        }",
        None,
        &["(x.len() - 1) / 4 * 4 + 4 <= y.len()"],
    );
    // What is added is no multiple of four.
    check(
        "fn k(x: &mut [u32], n: usize) { for i in (0..n).step_by(6) { x[i + 3] = 1; } }",
        &["(n - 1) / 2 * 2 + 4 <= x.len()"],
    );
    check(
        "fn k(x: &mut [u32], n: usize) { for i in (0..n).step_by(3) { x[i + 3] = 1; } }",
        &["n + 3 <= x.len()"],
    );
    check("fn k(x: &mut [u32; 5]) { for d in -2..=2 { x[(d + 2) as usize] = 1; } }", &[]);
}

#[test]
fn a_guarded_sum_is_one_index() {
    check_all(
        "fn k(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
            let mut tile_a = Local::<[[f32; 16]; 16]>::new();
            let mut tile_b = Local::<[[f32; 16]; 16]>::new();
            let (column, row, x, y) = (global_id(0), global_id(1), local_id(0), local_id(1));
            let (mut sum, mut start) = (0.0, 0);
            while start < n {
                tile_a[y][x] = if row < n && start + x < n { a[row * n + start + x] } else { 0.0 };
                tile_b[y][x] = if start + y < n && column < n { b[(start + y) * n + column] } else { 0.0 };
                barrier();
                for k in 0..16 { sum += tile_a[y][k] * tile_b[k][x]; }
                barrier();
                start += 16;
            }
            if row < n && column < n { c[row * n + column] = sum; }
        }",
        Some([16, 16, 1]),
        &["n * n <= a.len()", "n * n <= b.len()", "n * n <= c.len()"],
    );
}

#[test]
fn signed_indices_are_exact_under_conditions() {
    check_all(
        "fn k(x: &[f32], y: &mut [f32], n: i32, dim: i32) {
            let i = global_id(0) as i32;
            if i < n {
                let mut s = 0.0;
                for d in 0..dim { s += x[(i * dim + d) as usize]; }
                y[i as usize] = s;
            }
        }",
        None,
        &["global_size(0) <= 2147483648", "n * dim <= 2147483648", "n * dim <= x.len()", "n <= y.len()"],
    );
    check_all(
        "fn k(f: &[f32; 5], x: &[f32], y: &mut [f32], w: usize, h: usize) {
            let (i, j) = (global_id(0), global_id(1));
            if i >= 2 && i + 2 < w && j < h {
                let mut s = 0.0;
                for d in -2..=2 { s += f[(d + 2) as usize] * x[j * w + (i as i32 + d) as usize]; }
                y[j * w + i] = s;
            }
        }",
        None,
        &["w <= 2147483648", "h * w <= x.len()", "h * w <= y.len() + 2"],
    );
    check_all(
        "fn k(x: &[f32], y: &mut [f32], w: i32, h: i32) {
            let (i, j) = (global_id(0) as i32, global_id(1) as i32);
            if i < w && j < h {
                let (a, b) = ((i - 1).clamp(0, w - 1), (j + 1).clamp(0, h - 1));
                y[(j * w + i) as usize] = x[(b * w + a) as usize];
            }
        }",
        None,
        &[
            "1 <= w",
            "1 <= h",
            "w * h <= 2147483648",
            "w * h <= x.len()",
            "global_size(1) <= 2147483648",
            "global_size(0) <= 2147483648",
            "h * w <= y.len()",
        ],
    );
    // A row before that of the work-item, which is at least the first one.
    check_all(
        "fn k(x: &[f32], y: &mut [f32], w: i32, up: &[bool]) {
            let (i, j) = (global_id(0) as i32, global_id(1) as i32 + 1);
            if i < w {
                let d = if up[0] { 1 } else { 0 };
                y[i as usize] = x[((j - d) * w + i) as usize];
            }
        }",
        None,
        &[
            "1 <= up.len()",
            "global_size(1) <= 2147483648",
            "0 <= w",
            "global_size(1) * w + w <= 2147483648",
            "global_size(0) <= 2147483648",
            "global_size(1) * w + w <= x.len()",
            "w <= y.len()",
        ],
    );
    // The torus, by either way to write it.
    for wrapped in ["(i + nx - 1) % nx", "(i - 1).rem_euclid(nx)"] {
        let source = format!(
            "fn k(x: &[f32], y: &mut [f32], nx: i32) {{
                let i = global_id(0) as i32;
                if i < nx {{ y[i as usize] = x[({wrapped}) as usize]; }}
            }}"
        );
        let (conditions, [_, left]) = found(&source, None);
        assert_eq!(left, 0, "{source}");
        assert!(conditions.contains(&"nx <= x.len()".to_owned()), "{conditions:?}");
    }
}

#[test]
fn parts_have_their_lengths() {
    let rows = |end: &str, count: &str| {
        format!(
            "fn k(x: &[f32], y: &mut [f32], cols: usize) {{
                let r = global_id(0);
                if r < y.len() {{
                    let row = &x[r * cols..{end}];
                    let mut s = 0.0;
                    for c in 0..{count} {{ s += row[c]; }}
                    y[r] = s;
                }}
            }}"
        )
    };
    for (end, count) in
        [("r * cols + cols", "cols"), ("(r + 1) * cols", "cols"), ("(r + 1) * cols", "row.len()")]
    {
        check_all(&rows(end, count), None, &["y.len() * cols <= x.len()"]);
    }
    let copies =
        ["for j in 0..16 { w[j] = part[j]; }", "w.copy_from_slice(part);", "w = part.try_into().unwrap();"];
    for copy in copies {
        let source = format!(
            "fn k(x: &[u32], y: &mut [u32]) {{
                let i = global_id(0);
                let part = &x[i * 16..i * 16 + 16];
                let mut w = [0_u32; 16];
                {copy}
                y[i] = w[3] + w[15];
            }}"
        );
        check_all(&source, None, &["global_size(0) * 16 <= x.len()", "global_size(0) <= y.len()"]);
    }
}

#[test]
fn groups_of_any_size() {
    check_all(
        "fn k(x: &[f32], partial: &mut [f32], t: &mut Local<[f32]>) {
            let l = local_id(0);
            t[l] = x[global_id(0)];
            barrier();
            if l == 0 { partial[group_id(0)] = t[0]; }
        }",
        None,
        &["global_size(0) <= x.len()", "local_size(0) <= t.len()", "num_groups(0) <= partial.len()"],
    );
    check_all(
        "fn k(x: &mut [f32]) { x[group_id(0) * local_size(0) + local_id(0)] = 1.0; }",
        None,
        &["global_size(0) <= x.len()"],
    );
}

#[test]
fn panics_that_the_launch_rules_out() {
    check_all(
        "fn k(x: &[u32], y: &mut [u32], n: usize) {
            if n == 0 { panic!(\"n\"); }
            assert!(n < 100, \"n is {}\", n);
            assert_eq!(x.len(), y.len());
            y[global_id(0)] = *x.get(global_id(0) + n).unwrap();
        }",
        None,
        // That of `y` follows from what has been asserted.
        &["x.len() == y.len()", "n + global_size(0) <= x.len()", "!(n == 0)", "n <= 99"],
    );
}

#[test]
fn bits_of_indices() {
    check_all(
        "fn k(x: &mut [u32], j: u32) {
            let i = global_id(0) as u32;
            let l = i ^ j;
            if l > i { x[i as usize] = x[l as usize]; }
        }",
        None,
        &["global_size(0).max(j + 1).next_power_of_two() <= x.len()", "global_size(0) <= x.len()"],
    );
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

/// What is not known of the place counts as any number, of which no slice has as many elements.
#[test]
fn what_no_launch_meets_is_no_condition() {
    let source = "fn k(a: &[u32], b: &[u32], out: &mut [u32], first: usize) {
        if global_id(0) != 0 { return; }
        let (mut i, mut j, mut k) = (0, 0, first);
        while i < a.len() && j < b.len() {
            if a[i] <= b[j] { out[k] = a[i]; i += 1; } else { out[k] = b[j]; j += 1; }
            k += 1;
        }
    }";
    check(source, &[]);
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
