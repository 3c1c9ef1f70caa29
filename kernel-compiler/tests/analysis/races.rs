//! Which kernels may race, and which cannot.
//!
//! The kernels that race come first, in the order of the ways in which they do; each of them does for some launch. Then come those that do not.

use crate::source::lowered;
use kernel_compiler::analysis::{Class, Finding, Races, keep_fault_exits, races};

fn checked(group: Option<[u32; 3]>, parameters: &str, body: &str) -> Races {
    let mut module = lowered(&format!("fn k({parameters}) {{ {body} }}"), group);
    keep_fault_exits(&mut module);
    races(&module)
}

/// What is wrong with the answers about some kernels.
#[track_caller]
fn none_wrong(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Checks that each of these bodies has a race of a class, with some group size.
#[track_caller]
fn racy_in(group: Option<[u32; 3]>, class: Class, kernels: &[(&str, &str)]) {
    let answers = kernels.iter().map(|(parameters, body)| (body, checked(group, parameters, body)));
    let classes = |races: &Races| races.findings.iter().map(|finding| finding.class).collect::<Vec<_>>();
    let wrong =
        answers.map(|(body, races)| (body, classes(&races))).filter(|(_, found)| !found.contains(&class));
    none_wrong(wrong.map(|(body, found)| format!("`{body}` has {found:?}")).collect());
}

#[track_caller]
fn racy(class: Class, kernels: &[(&str, &str)]) {
    racy_in(None, class, kernels);
}

/// Checks that each of these bodies has a race of some class.
#[track_caller]
fn somehow_racy_in(group: Option<[u32; 3]>, kernels: &[(&str, &str)]) {
    let answers = kernels.iter().map(|(parameters, body)| (body, checked(group, parameters, body)));
    let wrong = answers.filter(|(_, races)| {
        let is_decided = |finding: &Finding| finding.class != Class::TooComplex;
        races.findings.is_empty() || !races.findings.iter().all(is_decided)
    });
    none_wrong(wrong.map(|(body, races)| format!("`{body}` has {:?}", races.findings)).collect());
}

/// Checks of bodies that none has a race, and whether anything has to be seen to.
#[track_caller]
fn unopposed(group: Option<[u32; 3]>, kernels: &[(&str, &str)], presumes: bool) {
    let mut wrong = Vec::new();
    for (parameters, body) in kernels {
        let Races { findings, presumed } = checked(group, parameters, body);
        let pairs: Vec<_> = findings.iter().map(|finding| (&finding.elements, finding.class)).collect();
        if !pairs.is_empty() || presumed.is_empty() == presumes {
            let deeds: Vec<_> = findings.iter().map(|finding| finding.deeds).collect();
            wrong.push(format!("`{body}` has {pairs:?} {deeds:?} and presumes {presumed:?}"));
        }
    }
    none_wrong(wrong);
}

/// Checks that none of these bodies has a race, whatever is launched.
#[track_caller]
fn free_in(group: Option<[u32; 3]>, kernels: &[(&str, &str)]) {
    unopposed(group, kernels, false);
}

#[track_caller]
fn free(kernels: &[(&str, &str)]) {
    free_in(None, kernels);
}

/// Checks that none of these bodies has a race if something does not wrap, is a power of two, or is not zero.
#[track_caller]
fn conditional(kernels: &[(&str, &str)]) {
    unopposed(None, kernels, true);
}

const Y: &str = "y: &mut [f32]";
const XY: &str = "x: &[f32], y: &mut [f32]";
const NY: &str = "n: usize, y: &mut [f32]";
const LINE: Option<[u32; 3]> = Some([64, 1, 1]);
const SQUARE: Option<[u32; 3]> = Some([16, 16, 1]);
const TILE: &str = "let mut tile = Local::<[f32; 64]>::new(); let l = local_id(0); let i = global_id(0); ";

/// A body with a tile for each group of 64.
fn tiled(rest: &str) -> String {
    format!("{TILE}{rest}")
}

#[test]
fn an_element_for_all() {
    racy(
        Class::Uniform,
        &[
            (XY, "y[0] += x[global_id(0)];"),
            (Y, "y[0] = 1.0;"),
            (Y, "y[y.len() - 1] = 1.0;"),
            (NY, "y[n] = 1.0;"),
            (NY, "y[n] += global_id(0) as f32;"),
            (Y, "for k in 0..y.len() { y[k] = 1.0; }"),
            (Y, "let mut k = 0; while k < 4 { y[k] += 1.0; k += 1; }"),
            ("x: &[f32], total: &mut f32", "*total += x[global_id(0)];"),
            ("total: &mut f32", "*total = global_id(0) as f32;"),
            (Y, "if y[0] > 0.0 { y[0] = 1.0; }"),
            (Y, "y[global_size(0) - 1] = 1.0;"),
            (Y, "y[num_groups(0)] = 1.0;"),
            (NY, "if n > 3 { y[n / 2] = 2.0; }"),
            (NY, "y[n.min(7)] = 2.0;"),
        ],
    );
}

#[test]
fn an_index_from_memory() {
    racy(
        Class::FromMemory,
        &[
            ("index: &[u32], y: &mut [f32]", "let i = global_id(0); y[index[i] as usize] = 1.0;"),
            ("index: &[u32], y: &mut [f32]", "let i = global_id(0); y[index[i] as usize] += 1.0;"),
            ("index: &[usize], y: &mut [f32]", "y[index[global_id(0)] + 1] = 1.0;"),
            ("keys: &[u32], count: &mut [u32]", "let k = keys[global_id(0)] % 256; count[k as usize] += 1;"),
            ("index: &[u32], y: &mut [f32]", "let i = global_id(0); y[i] = 1.0; y[index[i] as usize] = 2.0;"),
            ("index: &[usize], y: &mut [f32]", "let i = global_id(0); y[i + index[i]] = 2.0;"),
        ],
    );
}

#[test]
fn a_dimension_that_does_not_take_part() {
    racy(
        Class::MissingDimensions(2),
        &[
            (Y, "let j = global_id(1); y[global_id(0)] = j as f32;"),
            (NY, "if global_id(1) < n { y[global_id(0)] += 1.0; }"),
            (Y, "y[global_id(0) * 2 + global_id(1) / 2 % 2] = 1.0;"),
        ],
    );
    racy(Class::MissingDimensions(1), &[(Y, "let i = global_id(0); y[global_id(1)] = i as f32;")]);
    racy(
        Class::MissingDimensions(4),
        &[(
            "w: u32, y: &mut [f32]",
            "let k = global_id(2); let (i, j) = (global_id(0), global_id(1)); if i < w as usize { y[j * w as usize + i] = k as f32; }",
        )],
    );
}

#[test]
fn a_neighbour() {
    racy(
        Class::Unproved,
        &[
            (Y, "let i = global_id(0); y[i] = y[i + 1] + 1.0;"),
            (Y, "let i = global_id(0); if i > 0 { y[i] = y[i - 1]; }"),
            (Y, "let i = global_id(0); y[i] = 1.0; y[i + 1] = 2.0;"),
            (Y, "let i = global_id(0); y[i] = 1.0; y[y.len() - 1 - i] = 2.0;"),
            (Y, "let i = global_id(0); let t = y[i]; y[y.len() - 1 - i] = t;"),
            (Y, "let i = global_id(0); y[i] = y[i ^ 1];"),
            (Y, "let i = global_id(0); y[i] = y[i / 2];"),
            (Y, "let i = global_id(0); y[2 * i] = 1.0; y[2 * i + 2] = 2.0;"),
            (Y, "let i = global_id(0); y[i] = y[2 * i];"),
            (NY, "let i = global_id(0); y[i] = y[i + n];"),
            (NY, "let i = global_id(0); if i < n { y[i] = y[(i + 1) % n]; }"),
            (Y, "let i = global_id(0); barrier(); y[i] = 1.0; barrier(); y[i + 1] = 2.0;"),
            (Y, "let i = global_id(0); y[i] = 1.0; barrier(); let t = y[i + 1]; barrier(); y[i] = t;"),
        ],
    );
}

#[test]
fn an_index_that_several_have() {
    racy(
        Class::Unproved,
        &[
            (Y, "y[global_id(0) / 2] = 1.0;"),
            (Y, "y[global_id(0) % 16] = 1.0;"),
            (Y, "y[global_id(0) & 15] = 1.0;"),
            (Y, "y[global_id(0) >> 1] = 1.0;"),
            (NY, "y[global_id(0) % n] = 1.0;"),
            (NY, "y[global_id(0) * (n % 2)] = 1.0;"),
            (Y, "y[local_id(0)] = 1.0;"),
            (Y, "y[group_id(0)] = 1.0;"),
            (Y, "y[global_id(0).min(7)] = 1.0;"),
            (Y, "y[global_id(0).max(7)] = 1.0;"),
            (Y, "y[(global_id(0) as u8) as usize] = 1.0;"),
            (Y, "y[global_id(0) | 1] = 1.0;"),
            (Y, "y[global_id(0) + local_id(0)] = 1.0;"),
            (Y, "y[global_id(0) - local_id(0)] = 1.0;"),
            (Y, "y[group_id(0) * 64 + local_id(0)] = 1.0;"),
            (Y, "y[work_group_local_linear_id()] = 1.0;"),
            (Y, "y[subgroup_local_id()] = 1.0;"),
            (Y, "y[subgroup_id()] = 1.0;"),
            (Y, "y[global_id(0) * global_id(0)] = 1.0; y[global_id(0)] = 2.0;"),
            (Y, "let i = global_id(0); y[if i > 5 { i } else { 5 }] = 1.0;"),
            (Y, "let i = global_id(0); y[i.saturating_sub(1)] = 1.0;"),
            (Y, "let i = global_id(0) as u32; y[(i << 16 >> 16) as usize] = 1.0;"),
            (Y, "let i = global_id(0); y[i.abs_diff(100)] = 1.0;"),
        ],
    );
}

#[test]
fn rows_that_overlap() {
    racy(
        Class::Unproved,
        &[
            (Y, "let i = global_id(0); for k in 0..5 { y[i * 4 + k] = 1.0; }"),
            (NY, "let i = global_id(0); for k in 0..=n { y[i * n + k] = 1.0; }"),
            (NY, "let i = global_id(0); for k in 0..n { y[i + k] = 1.0; }"),
            (NY, "let i = global_id(0); for k in 0..n { y[i + n * k] = 1.0; }"),
            (
                "w: u32, y: &mut [f32]",
                "let (i, j) = (global_id(0), global_id(1)); y[j * w as usize + i] = 1.0;",
            ),
            (
                "w: u32, h: u32, y: &mut [f32]",
                "let (i, j) = (global_id(0), global_id(1)); if i < h as usize { y[j * w as usize + i] = 1.0; }",
            ),
            (
                "w: u32, y: &mut [f32]",
                "let (i, j) = (global_id(0), global_id(1)); if i <= w as usize { y[j * w as usize + i] = 1.0; }",
            ),
            (
                "w: u32, y: &mut [f32]",
                "let (i, j) = (global_id(0), global_id(1)); if i < w as usize { y[j * w as usize + i + 1] = y[j * w as usize + i]; }",
            ),
            (Y, "let i = global_id(0); let part = &mut y[i..i + 2]; part[0] = 1.0; part[1] = 2.0;"),
            (Y, "let mut i = global_id(0); while i < y.len() { y[i] = 1.0; i += 1; }"),
            (Y, "let mut i = global_id(0); while i < y.len() { y[i] = 1.0; i += local_size(0); }"),
            (Y, "let mut i = global_id(0) * 2; while i < y.len() { y[i] = 1.0; i += global_size(0); }"),
        ],
    );
}

#[test]
fn local_memory_without_a_barrier() {
    for rest in [
        "tile[l] = 1.0; let t = tile[63 - l]; y[i] = t;",
        "tile[l] = 1.0; if l > 0 { y[i] = tile[l - 1]; }",
        "tile[l] = 1.0; if l == 0 { let mut s = 0.0; for k in 0..64 { s += tile[k]; } y[i] = s; }",
        "tile[l] = 1.0; barrier(); y[i] = tile[63 - l]; tile[l] = 2.0;",
        "tile[l] = 1.0; barrier(); tile[l] = tile[63 - l];",
        "tile[l] = 1.0; barrier(); let t = tile[63 - l]; tile[l] = t; barrier(); y[i] = tile[l];",
        "for k in 0..4 { tile[l] = k as f32; barrier(); y[i] = tile[63 - l]; }",
        "for k in 0..4 { barrier(); tile[l] = k as f32; y[i] = tile[63 - l]; }",
        "tile[l] = 1.0; let mut s = 32; while s > 0 { if l < s { tile[l] += tile[l + s]; } barrier(); s /= 2; } y[i] = tile[l];",
        "tile[l] = 1.0; barrier(); let mut s = 32; while s > 0 { if l < s { tile[l] += tile[l + s]; } s /= 2; } barrier(); y[i] = tile[l];",
        "tile[l] = 1.0; barrier(); let mut s = 32; while s > 0 { if l <= s && l + s < 64 { tile[l] += tile[l + s]; } barrier(); s /= 2; } y[i] = tile[l];",
        "tile[l] = 1.0; barrier(); let mut s = 1; while s < 64 { if l >= s { let t = tile[l - s]; tile[l] += t; } barrier(); s *= 2; } y[i] = tile[l];",
        "tile[l / 2] = 1.0; barrier(); y[i] = tile[l];",
        "tile[l] = 1.0; tile[(l + 1) % 64] = 2.0; barrier(); y[i] = tile[l];",
        "if l < 32 { tile[l] = 1.0; } if l >= 31 { tile[l - 31] = 2.0; } barrier(); y[i] = tile[l];",
        "tile[l] = 1.0; subgroup_barrier(); y[i] = tile[63 - l];",
        "tile[l ^ 1] = 1.0; tile[l] = 2.0; barrier(); y[i] = tile[l];",
    ] {
        somehow_racy_in(LINE, &[(Y, &tiled(rest))]);
    }
}

#[test]
fn a_local_element_for_all() {
    racy_in(
        LINE,
        Class::Uniform,
        &[
            (Y, &tiled("tile[0] = 1.0; barrier(); y[i] = tile[0];")),
            (Y, &tiled("tile[0] += y[i]; barrier(); y[i] = tile[0];")),
            (Y, &tiled("for k in 0..64 { tile[k] = 1.0; } barrier(); y[i] = tile[l];")),
            (Y, &tiled("tile[group_id(0) % 64] = 1.0; barrier(); y[i] = tile[l];")),
        ],
    );
}

/// What a sketch of this analysis once took for proofs.
#[test]
fn pitfalls() {
    let group = Some([64, 1, 1]);
    for (parameters, body) in [
        // A width that may be 0 makes all rows one.
        (NY, "let i = global_id(0); y[i * (n / 2)] = 1.0;".to_owned()),
        ("n: i32, y: &mut [f32]", "let i = global_id(0); y[i * n as usize] = 1.0;".to_owned()),
        // A large constant is no small negative number.
        (Y, "let i = global_id(0); y[i.wrapping_add(usize::MAX) % 5] = 1.0;".to_owned()),
        // A step that depends on what changes is no step.
        (Y, "let mut i = global_id(0); let mut d = global_size(0); while i < y.len() { y[i] = 1.0; i += d; d = d - 1; }".to_owned()),
        // Uniform is not simultaneous.
        (Y, tiled("for k in 0..8 { tile[(l + k) % 64] = 1.0; } barrier(); y[i] = tile[l];")),
        (Y, "let l = local_id(0); for k in 0..8 { y[group_id(0) * 64 + (l + k) % 64] = 1.0; }".to_owned()),
        ("x: &[u32], y: &mut [f32]", tiled("let mut k = 0; while k < 4 { tile[l ^ k] = 1.0; k += 1; } barrier(); y[i] = tile[l];")),
        // A barrier in one of two branches orders nothing where the other is taken.
        (NY, tiled("tile[l] = 1.0; if n > 3 { barrier(); } y[i] = tile[63 - l];")),
        (NY, tiled("tile[l] = 1.0; for k in 0..n { barrier(); } y[i] = tile[63 - l];")),
        // The last pass of a loop without a barrier meets what comes after.
        (NY, tiled("for k in 0..4 { barrier(); tile[l] = k as f32; } y[i] = tile[63 - l];")),
        (NY, tiled("for k in 0..4 { let t = tile[63 - l]; barrier(); tile[l] = t; } y[i] = tile[l];")),
        // One guard of two.
        (Y, "let i = global_id(0); if i == 0 { y[0] = 1.0; } if i == 1 { y[0] = 2.0; }".to_owned()),
        (Y, "let i = global_id(0); if i < 2 { y[0] = 1.0; }".to_owned()),
        (Y, "if local_id(0) == 0 { y[0] = 1.0; }".to_owned()),
        (Y, "if group_id(0) == 0 { y[0] = 1.0; }".to_owned()),
        (NY, "if global_id(0) != n { y[0] = 1.0; }".to_owned()),
        // A part of a slice has bounds of its own.
        ("x: &[u32], y: &mut [f32]", "let i = global_id(0); let k = x[i] as usize; barrier(); let part = &mut y[i * 2..i * 2 + 2]; part[k] = 1.0; y[i * 2 + k] = 2.0;".to_owned()),
        // What is known at the first access is not known at the next one.
        (Y, tiled("if l == 0 { tile[0] = 1.0; } y[i] = tile[0];")),
        (Y, "let i = global_id(0); if i == 3 { y[0] = 1.0; } y[1] = 2.0;".to_owned()),
        (Y, "let i = global_id(0); for k in 0..i { if k == 2 { y[i] = 1.0; } y[k] = 2.0; }".to_owned()),
    ] {
        somehow_racy_in(group, &[(parameters, &body)]);
    }
}

#[test]
fn an_argument_that_may_be_zero_is_presumed_not_to_be() {
    conditional(&[
        (NY, "y[global_id(0) * n] = 1.0;"),
        ("n: u32, y: &mut [f32]", "let i = global_id(0); y[i * n as usize] = 1.0;"),
        ("n: u16, m: u8, y: &mut [f32]", "let i = global_id(0); y[i * n as usize * m as usize] = 1.0;"),
    ]);
}

#[test]
fn an_element_for_each() {
    free(&[
        (
            "a: f32, x: &[f32], y: &mut [f32]",
            "let i = global_id(0); if i < y.len() { y[i] = a * x[i] + y[i]; }",
        ),
        (XY, "let i = global_id(0); y[i] = x[i + 1];"),
        (Y, "let i = global_id(0); y[i] += 1.0; y[i] *= 2.0;"),
        (Y, "let i = global_id(0); y[2 * i] = 1.0; y[2 * i + 1] = 2.0;"),
        (Y, "let i = global_id(0); y[i + 1] = 1.0;"),
        (Y, "let i = global_id(0); if i > 0 { y[i - 1] = 1.0; }"),
        (Y, "let i = global_id(0); y[y.len() - 1 - i] = 1.0;"),
        (Y, "let i = global_id(0); y[i ^ 1] = 1.0;"),
        (Y, "let i = global_id(0); y[i * 3] = y[i * 3 + 2];"),
        (Y, "let i = global_id(0) as u32; y[i as usize] = 1.0;"),
        (Y, "let i = global_id(0) as i32 as u32; y[i as usize] = 1.0;"),
        (Y, "let i = global_id(0) as u64; y[i as usize] = 1.0;"),
        (Y, "y[group_id(0) * local_size(0) + local_id(0)] = 1.0;"),
        (Y, "y[local_id(0) * num_groups(0) + group_id(0)] = 1.0;"),
        (Y, "let i = global_id(0); for k in 0..4 { y[i * 4 + k] = 1.0; }"),
        (Y, "let i = global_id(0); for k in 0..4 { y[i * 4 + 3 - k] = 1.0; }"),
        (Y, "let i = global_id(0); y[i << 2] = 1.0; y[(i << 2) + 3] = 2.0;"),
        (Y, "let i = global_id(0); y[i << 2 | 1] = 1.0;"),
        (
            "w: u32, y: &mut [f32]",
            "let (i, j) = (global_id(0), global_id(1)); if i < w as usize { y[j * w as usize + i] = 1.0; }",
        ),
        (
            "w: u32, h: u32, y: &mut [f32]",
            "let (i, j) = (global_id(0), global_id(1)); if i < w as usize && j < h as usize { y[i * h as usize + j] = 1.0; }",
        ),
        (
            "w: u32, h: u32, y: &mut [f32]",
            "let (i, j) = (global_id(0), global_id(1)); if i >= w as usize || j >= h as usize { return; } y[j * w as usize + i] += 1.0;",
        ),
        (Y, "let (i, j) = (global_id(0), global_id(1)); y[j * global_size(0) + i] = 1.0;"),
        ("y: &mut [[f32; 4]]", "let i = global_id(0); for k in 0..4 { y[i][k] = 1.0; }"),
        ("y: &mut [[f32; 4]]", "let i = global_id(0); y[i][0] = y[i][3];"),
        ("y: &mut [f32; 64]", "let i = global_id(0); y[i] = 1.0;"),
        (Y, "let i = global_id(0); if i == 0 { y[0] = 1.0; }"),
        (Y, "let i = global_id(0); if i == 5 { y[0] = 1.0; y[1] = y[0]; }"),
        (NY, "if global_id(0) == n { y[0] = 1.0; }"),
        (Y, "if local_id(0) == 0 { y[group_id(0)] = 1.0; }"),
        (NY, "if local_id(0) == n { y[group_id(0)] += 1.0; }"),
        ("total: &mut f32", "if global_id(0) == 0 { *total = 1.0; }"),
        (Y, "let i = global_id(0); let part = &mut y[i * 2..i * 2 + 2]; part[0] = 1.0; part[1] = 2.0;"),
        (Y, "let mut i = global_id(0); while i < y.len() { y[i] = 1.0; i += global_size(0); }"),
        (Y, "for i in (global_id(0)..y.len()).step_by(global_size(0)) { y[i] = 1.0; }"),
        (Y, "let i = global_id(0); y[i % 8 + i / 8 * 8] = 1.0;"),
        (XY, "let i = global_id(0); let mut s = 0.0; for k in 0..x.len() { s += x[k]; } y[i] = s;"),
    ]);
}

#[test]
fn nothing_to_write() {
    free(&[
        ("x: &[f32]", "let _ = x[0];"),
        (Y, "let _ = y[0];"),
        ("x: &[AtomicU32]", "x[0].fetch_add(1, Relaxed);"),
        (
            "keys: &[u32], count: &[AtomicU32]",
            "let k = keys[global_id(0)] % 256; count[k as usize].fetch_add(1, Relaxed);",
        ),
        (Y, "let mut own = [0.0_f32; 4]; for k in 0..4 { own[k] = k as f32; } y[global_id(0)] = own[2];"),
    ]);
}

/// Bodies that use a tile without a race, each of whose barriers is needed for that.
const BETWEEN_BARRIERS: [&str; 21] = [
    "tile[l] = 1.0; barrier(); y[i] = tile[63 - l];",
    "tile[l] = 1.0; barrier(); let t = tile[63 - l]; barrier(); tile[l] = t; y[i] = tile[l];",
    "for k in 0..4 { tile[l] = k as f32; barrier(); y[i] = tile[63 - l]; barrier(); }",
    "for k in 0..4 { barrier(); tile[l] = k as f32; barrier(); y[i] = tile[63 - l]; }",
    "tile[l] = 1.0; barrier(); let mut s = 32; while s > 0 { if l < s { tile[l] += tile[l + s]; } barrier(); s /= 2; } y[i] = tile[0];",
    "tile[l] = 1.0; let mut s = 32; while s > 0 { barrier(); if l < s { tile[l] += tile[l + s]; } s >>= 1; } if l == 0 { y[group_id(0)] = tile[0]; }",
    "tile[l] = 1.0; barrier(); let mut s = 1; while s < 64 { let t = if l >= s { tile[l - s] } else { 0.0 }; barrier(); tile[l] += t; barrier(); s *= 2; } y[i] = tile[l];",
    "if l == 0 { tile[0] = 1.0; } barrier(); y[i] = tile[0];",
    "if l == 0 { for k in 0..64 { tile[k] = 1.0; } } barrier(); y[i] = tile[l];",
    "tile[63 - l] = 1.0; barrier(); y[i] = tile[l];",
    "tile[l ^ 5] = 1.0; barrier(); y[i] = tile[l];",
    "if l < 32 { tile[l] = 1.0; } else { tile[l] = 2.0; } barrier(); y[i] = tile[l ^ 1];",
    "if l < 32 { tile[2 * l] = 1.0; tile[2 * l + 1] = 2.0; } barrier(); y[i] = tile[l];",
    "if l < 32 { tile[l] = 1.0; tile[l + 32] = 2.0; } barrier(); y[i] = tile[l];",
    "tile[l] = y[i]; barrier(); for k in 1..4 { let t = tile[(l + k) % 64]; barrier(); tile[l] = t; barrier(); } y[i] = tile[l];",
    "tile[l] = y[i]; barrier(); if l == 0 { let mut s = 0.0; for k in 0..64 { s += tile[k]; } y[group_id(0) * 64] = s; }",
    "tile[l] = 1.0; barrier(); if l < 63 { y[i] = tile[l + 1]; } else { y[i] = tile[0]; }",
    "tile[(l + 1) % 64] = 1.0; barrier(); y[i] = tile[l];",
    "let mut k = 0; while k < 4 { tile[l] = y[i]; barrier(); y[i] = tile[l ^ 1]; barrier(); k += 1; }",
    "tile[l] = 1.0; barrier(); for k in 0..64 { y[i] += tile[k]; } barrier(); tile[l] = 2.0; barrier(); y[i] += tile[63 - l];",
    "if l < 32 { tile[l] = 1.0; } barrier(); if l >= 32 { tile[l] = tile[l - 32]; } barrier(); y[i] = tile[63 - l];",
];

#[test]
fn local_memory_between_barriers() {
    free_in(LINE, &[(Y, &tiled("tile[l] = 1.0; y[i] = tile[l];"))]);
    for rest in BETWEEN_BARRIERS {
        free_in(LINE, &[(Y, &tiled(rest))]);
    }
    free_in(
        SQUARE,
        &[
            (
                Y,
                "let mut tile = Local::<[[f32; 16]; 16]>::new(); let (x, z) = (local_id(0), local_id(1)); tile[z][x] = 1.0; barrier(); y[global_id(1) * global_size(0) + global_id(0)] = tile[x][z];",
            ),
            (
                Y,
                "let mut tile = Local::<[f32; 256]>::new(); let (x, z) = (local_id(0), local_id(1)); tile[z * 16 + x] = 1.0; barrier(); y[global_id(1) * global_size(0) + global_id(0)] = tile[x * 16 + z];",
            ),
            (
                Y,
                "let mut tile = Local::<[f32; 256]>::new(); tile[work_group_local_linear_id()] = 1.0; barrier(); y[global_id(1) * global_size(0) + global_id(0)] = tile[local_id(0)];",
            ),
        ],
    );
}

#[test]
fn sorting_networks() {
    free_in(
        LINE,
        &[
            (
                Y,
                &tiled(
                    "tile[l] = y[i]; barrier(); for pass in 0..64 { if l % 2 == pass % 2 && l < 63 { let (a, b) = (tile[l], tile[l + 1]); if a > b { tile[l] = b; tile[l + 1] = a; } } barrier(); } y[i] = tile[l];",
                ),
            ),
            (
                Y,
                &tiled(
                    "tile[l] = y[i]; barrier(); let mut k = 2; while k <= 64 { let mut j = k / 2; while j > 0 { let p = l ^ j; if p > l && p < 64 { let (a, b) = (tile[l], tile[p]); if (a > b) == (l & k == 0) { tile[l] = b; tile[p] = a; } } barrier(); j /= 2; } k *= 2; } y[i] = tile[l];",
                ),
            ),
        ],
    );
}

#[test]
fn two_buffers_in_turn() {
    let body = "let mut tile = Local::<[[f32; 64]; 2]>::new(); let l = local_id(0); let i = global_id(0); tile[0][l] = y[i]; barrier(); let mut from = 0;
        for k in 0..4 { tile[1 - from][l] = tile[from][(l + 1) % 64]; barrier(); from = 1 - from; } y[i] = tile[from][l];";
    free_in(LINE, &[(Y, body)]);
    let toggled = body.replace("1 - from", "from ^ 1");
    free_in(LINE, &[(Y, &toggled)]);
    let same = body.replace("tile[1 - from][l]", "tile[from][l]");
    assert!(!checked(LINE, Y, &same).findings.is_empty());
}

#[test]
fn a_product_that_may_wrap() {
    conditional(&[
        (NY, "let (i, j) = (global_id(0), global_id(1)); if i < n { y[j * n + i] = 1.0; }"),
        (NY, "let i = global_id(0); for k in 0..n { y[i * n + k] = 1.0; }"),
        (
            "w: u32, y: &mut [f32]",
            "let (i, j) = (global_id(0), global_id(1)); if i < w as usize { for k in 0..3 { y[(j * w as usize + i) * 3 + k] = 1.0; } }",
        ),
        // A large constant is no small negative number.
        (Y, "let i = global_id(0); y[(i as u32).wrapping_mul(0x8000_0000) as usize] = 1.0;"),
        (Y, "let i = global_id(0); y[i.wrapping_mul(1 << 63)] = 1.0;"),
    ]);
}

/// Without any one of its barriers each of these races.
#[test]
fn without_one_of_the_barriers() {
    for rest in BETWEEN_BARRIERS {
        for (position, barrier) in rest.match_indices("barrier();") {
            let without = format!("{}{}", &rest[..position], &rest[position + barrier.len()..]);
            somehow_racy_in(LINE, &[(Y, &tiled(&without))]);
        }
    }
}

/// An index that is one off, or a guard that is gone, makes a race of what is none.
#[test]
fn with_another_index_or_guard() {
    for (kernel, from, to) in [
        ("let i = global_id(0); y[2 * i] = 1.0; y[2 * i + 1] = 2.0;", "2 * i + 1", "2 * i + 2"),
        ("let i = global_id(0); y[i * 3] = y[i * 3 + 2];", "+ 2", "+ 3"),
        ("let i = global_id(0); for k in 0..4 { y[i * 4 + k] = 1.0; }", "0..4", "0..5"),
        ("let i = global_id(0); for k in 0..4 { y[i * 4 + k] = 1.0; }", "i * 4", "i * 3"),
        ("let i = global_id(0); for k in 0..4 { y[i * 4 + 3 - k] = 1.0; }", "0..4", "0..=4"),
        ("let i = global_id(0); y[i << 2] = 1.0; y[(i << 2) + 3] = 2.0;", "+ 3", "+ 4"),
        ("let i = global_id(0); if i == 0 { y[0] = 1.0; }", "if i == 0", "if i <= 1"),
        ("if local_id(0) == 0 { y[group_id(0)] = 1.0; }", "if local_id(0) == 0", "if local_id(0) < 2"),
        (
            "let mut i = global_id(0); while i < y.len() { y[i] = 1.0; i += global_size(0); }",
            "global_size(0)",
            "local_size(0)",
        ),
        (
            "let mut i = global_id(0); while i < y.len() { y[i] = 1.0; i += global_size(0); }",
            "+= global_size(0)",
            "+= global_size(0) - 1",
        ),
        (
            "let i = global_id(0); let part = &mut y[i * 2..i * 2 + 2]; part[1] = 2.0;",
            "part[1]",
            "y[i * 2 + 3] = 1.0; part[1]",
        ),
        ("y[group_id(0) * local_size(0) + local_id(0)] = 1.0;", "* local_size(0)", "* (local_size(0) - 1)"),
    ] {
        free(&[(Y, kernel)]);
        let other = kernel.replace(from, to);
        assert!(other != kernel, "`{kernel}` has no `{from}`");
        somehow_racy_in(None, &[(Y, &other)]);
    }
}

#[test]
fn shapes_of_memory() {
    free(&[
        ("y: &mut [f32x4]", "let i = global_id(0); y[i] = f32x4::splat(1.0);"),
        ("y: &mut [[[f32; 4]; 3]]", "let i = global_id(0); for k in 0..3 { y[i][k][0] = y[i][k][3]; }"),
        ("y: &mut [[f32; 4]; 64]", "let i = global_id(0); y[i][1] = 1.0; y[i][2] = 2.0;"),
        ("y: &mut [[f32; 4]]", "let (i, j) = (global_id(0), global_id(1)); y[i][j] = 1.0;"),
        ("y: &mut [[f32; 64]]", "let (i, j) = (global_id(0), global_id(1)); y[j][i] += 1.0;"),
        ("a: &mut [f32], b: &mut [f32]", "let i = global_id(0); a[i] = b[i]; b[i] = 2.0;"),
        ("a: &mut [f32], b: &[f32]", "let i = global_id(0); a[i] = b[i + 1] + b[0];"),
        ("y: &mut [[f32; 4]]", "let i = global_id(0); let row = &mut y[i]; row[0] = 1.0; row[3] = row[0];"),
        ("y: &mut [u8]", "let i = global_id(0); y[i] = 1;"),
        ("y: &mut [bool]", "let i = global_id(0); y[i] = !y[i];"),
        ("y: &mut [f32]", "let i = global_id(0); y[i..i + 1][0] = 1.0;"),
        ("y: &mut [f32]", "let i = global_id(0); y[i..][0] = 1.0;"),
        ("y: &mut [f32]", "let i = global_id(0); if let Some(own) = y.get_mut(i) { *own = 1.0; }"),
        ("y: &mut [f32]", "let i = global_id(0); for own in &mut y[i * 4..i * 4 + 4] { *own = 1.0; }"),
        ("y: &mut [f32]", "let i = global_id(0); y[i * 4..i * 4 + 4].fill(1.0);"),
        ("x: &[f32], y: &mut [f32]", "let i = global_id(0); y[i * 2..i * 2 + 2].copy_from_slice(&x[0..2]);"),
    ]);
    somehow_racy_in(
        None,
        &[
            ("y: &mut [[f32; 4]]", "let (i, j) = (global_id(0), global_id(1)); y[i][j / 2] = 1.0;"),
            ("y: &mut [[f32; 4]]", "let i = global_id(0); y[i / 4][i % 4] = 1.0; y[i][0] = 2.0;"),
            ("y: &mut [[f32; 4]]", "let i = global_id(0); y[i][0] = y[i + 1][0];"),
            ("y: &mut [f32x4]", "let i = global_id(0); y[i / 2] = f32x4::splat(1.0);"),
            ("y: &mut [f32]", "let i = global_id(0); y[i..i + 2][1] = 1.0; y[i] = 2.0;"),
            ("y: &mut [f32]", "let i = global_id(0); y[i * 3..i * 3 + 4].fill(1.0);"),
            ("y: &mut [f32]", "for own in y.iter_mut() { *own = 1.0; }"),
            ("y: &mut [f32]", "if let Some(own) = y.get_mut(3) { *own = 1.0; }"),
        ],
    );
}

#[test]
fn three_dimensions() {
    free(&[
        (
            "w: u16, h: u16, y: &mut [f32]",
            "let (i, j, k) = (global_id(0), global_id(1), global_id(2)); let (w, h) = (w as usize, h as usize);
            if i < w && j < h && k < 9 { y[(k * h + j) * w + i] = 1.0; }",
        ),
        (
            "w: u16, h: u16, y: &mut [f32]",
            "let (i, j, k) = (global_id(0), global_id(1), global_id(2)); let (w, h) = (w as usize, h as usize);
            if i >= w { return; } if j >= h { return; } if k < 4 { y[(i * h + j) * 4 + k] += 1.0; }",
        ),
        (
            "y: &mut [f32]",
            "let (i, j, k) = (global_id(0), global_id(1), global_id(2)); if i < 8 && j < 8 { y[(k * 8 + j) * 8 + i] = 1.0; }",
        ),
        ("y: &mut [f32]", "let (i, j, k) = (global_id(0), global_id(1), global_id(2)); if j == 0 && k == 0 { y[i] = 1.0; }"),
        ("y: &mut [f32]", "let (i, j) = (global_id(0), global_id(1)); if i + j == 0 { y[0] = 1.0; }"),
        ("y: &mut [f32]", "let (i, j) = (global_id(0), global_id(1)); if i < 16 { y[j * 16 + i] = y[j * 16 + i] * 2.0; }"),
        ("y: &mut [f32]", "let (i, j) = (global_id(0), global_id(1)); if i < 16 { y[(j << 4) | i] = 1.0; }"),
        ("y: &mut [f32]", "let (i, j) = (global_id(0) as u32, global_id(1) as u32); if i < 16 { y[j as usize * 16 + i as usize] = 1.0; }"),
    ]);
    somehow_racy_in(
        None,
        &[
            (
                "y: &mut [f32]",
                "let (i, j, k) = (global_id(0), global_id(1), global_id(2)); if i < 8 && j < 9 { y[(k * 8 + j) * 8 + i] = 1.0; }",
            ),
            (
                "y: &mut [f32]",
                "let (i, j, k) = (global_id(0), global_id(1), global_id(2)); if i < 8 && j < 8 { y[(k + j) * 8 + i] = 1.0; }",
            ),
            ("y: &mut [f32]", "let (i, j) = (global_id(0), global_id(1)); y[i + j] = 1.0;"),
            (
                "y: &mut [f32]",
                "let (i, j) = (global_id(0), global_id(1)); if i < 17 { y[j * 16 + i] = 1.0; }",
            ),
            ("y: &mut [f32]", "let (i, j) = (global_id(0), global_id(1)); if i == 0 { y[0] = j as f32; }"),
        ],
    );
}

#[test]
fn atomics_beside_others() {
    free(&[
        (
            "count: &[AtomicU32], y: &mut [f32]",
            "let i = global_id(0); if count[0].load(Relaxed) > 3 { y[i] = 1.0; }",
        ),
        (
            "count: &[AtomicU32]",
            "let i = global_id(0); count[i / 2].fetch_max(i as u32, Relaxed); count[0].store(1, Relaxed);",
        ),
        ("total: &AtomicU32", "total.fetch_add(1, Relaxed);"),
    ]);
}

#[test]
fn numbers_that_nobody_else_gets() {
    free(&[
        (
            "next: &AtomicU32, y: &mut [f32]",
            "let place = next.fetch_add(1, Relaxed); y[place as usize] = 1.0;",
        ),
        (
            "next: &[AtomicU32], y: &mut [f32]",
            "let place = next[0].fetch_add(1, Relaxed) as usize; if place < y.len() { y[place] += 1.0; }",
        ),
        (
            "x: &[f32], next: &AtomicU64, y: &mut [f32]",
            "let i = global_id(0); if x[i] > 0.0 { let place = next.fetch_add(2, Relaxed) as usize; y[place] = x[i]; }",
        ),
        (
            "next: &AtomicU64, y: &mut [f32]",
            "for k in 0..3 { let place = next.fetch_add(1, Relaxed) as usize; y[place] = k as f32; }",
        ),
    ]);
    conditional(&[
        (
            "next: &AtomicU32, other: &AtomicU32, y: &mut [f32]",
            "other.store(0, Relaxed); let place = next.fetch_add(1, Relaxed); y[place as usize] = 1.0;",
        ),
        (
            "next: &AtomicU32, y: &mut [f32]",
            "for k in 0..3 { let place = next.fetch_add(1, Relaxed); y[place as usize] = k as f32; }",
        ),
        (
            "next: &AtomicU32, y: &mut [f32]",
            "let j = global_id(1); let place = next.fetch_add(1, Relaxed); y[place as usize] = j as f32;",
        ),
    ]);
    somehow_racy_in(
        None,
        &[
            (
                "next: &AtomicU32, y: &mut [f32]",
                "let place = next.fetch_and(7, Relaxed); y[place as usize] = 1.0;",
            ),
            (
                "next: &AtomicU32, y: &mut [f32]",
                "let place = next.fetch_add(0, Relaxed); y[place as usize] = 1.0;",
            ),
            (
                "next: &AtomicU32, n: u32, y: &mut [f32]",
                "let place = next.fetch_add(n, Relaxed); y[place as usize] = 1.0;",
            ),
            ("next: &AtomicU32, y: &mut [f32]", "let place = next.load(Relaxed); y[place as usize] = 1.0;"),
            (
                "next: &AtomicU32, y: &mut [f32]",
                "let place = next.fetch_add(1, Relaxed); y[place as usize / 2] = 1.0;",
            ),
            (
                "next: &AtomicU32, y: &mut [f32]",
                "let place = next.fetch_add(1, Relaxed) as usize; y[place] = 1.0; y[place + 1] = 1.0;",
            ),
            (
                "next: &AtomicU32, y: &mut [f32]",
                "next.store(0, Relaxed); let place = next.fetch_add(1, Relaxed); y[place as usize] = 1.0;",
            ),
            (
                "next: &[AtomicU32], y: &mut [f32]",
                "let place = next[global_id(0) % 2].fetch_add(1, Relaxed); y[place as usize] = 1.0;",
            ),
        ],
    );
}

#[test]
fn findings_in_words() {
    let found = checked(None, Y, "let i = global_id(0); y[i] = y[i + 1] + 1.0;");
    let [finding] = &found.findings[..] else { panic!("there is one finding") };
    assert_eq!(finding.message(), "two work-items may access one element of `y`, and one of them writes");
    assert_eq!(
        finding.pair,
        "the work-item with global id `i` writes what the one with global id `i - 1` reads"
    );
    assert!(
        finding
            .notes()
            .iter()
            .any(|note| note.contains("a barrier does not order work-items of different groups"))
    );
    let of_all = checked(None, XY, "y[0] += x[global_id(0)];");
    assert_eq!(of_all.findings[0].pair, "every work-item comes to `y[0]`");
    let of_some = checked(None, Y, "let j = global_id(1); y[global_id(0)] = j as f32;");
    assert_eq!(
        of_some.findings[0].pair,
        "work-items that differ in `global_id(1)` only may come to one element"
    );
    let tile = checked(LINE, Y, &tiled("tile[l] = 1.0; if l > 0 { y[i] = tile[l - 1]; }"));
    assert_eq!(
        tile.findings[0].pair,
        "the work-item with local id `i` writes what the one with local id `i + 1` reads"
    );
    assert!(tile.findings[0].help().contains("put a barrier between"));
}

/// What is said of two work-items is true of them: both come to the access, or it is said that it depends.
#[test]
fn work_items_that_come_to_the_access() {
    let ids = |one: &str, other: &str| {
        Some(format!("work-items whose `global_id(0)` is `{one}` and `{other}` have one index"))
    };
    let with_condition = |one: &str, other: &str| ids(one, other).map(|note| note + ", if both come here");
    let text = |text: &str| Some(text.to_owned());
    let shared = [
        ("if i % 3 == 0 { y[i / 6] = 1.0; }", ids("0", "3")),
        ("if i > 9 { y[i / 2] = 1.0; }", ids("10", "11")),
        ("if i % 4 != 0 && i > 2 { y[i >> 3] = 1.0; }", ids("3", "5")),
        ("if i % 3 != 0 { return; } y[i / 6] = 1.0;", ids("0", "3")),
        ("if i < x.len() { if i % 2 == 1 { y[i / 4] = x[i]; } }", ids("1", "3")),
        ("for k in 0..x.len() { if i % 3 == 0 { y[i / 6] = 1.0; } }", ids("0", "3")),
        ("let mut k = 0; while k < 4 { if i % 3 == 0 { y[i / 6] = x[k]; } k += 1; }", ids("0", "3")),
        ("if i > 2 { y[i % x.len()] = 1.0; }", ids("3", "x.len() + 3")),
        ("if i >= 5 { y[i & 7] = 1.0; }", ids("5", "13")),
        ("if x[i] > 5.0 { y[i / 2] = 1.0; }", with_condition("0", "1")),
        ("if x[i] > 5.0 && i % 3 == 0 { y[i / 6] = 1.0; }", with_condition("0", "3")),
        ("if x[i] > 5.0 { return; } y[i & 7] = 1.0;", with_condition("0", "8")),
        ("for k in 0..4 { if x[k] > 0.0 { break; } y[i / 2] = 1.0; }", with_condition("0", "1")),
        ("if subgroup_local_id() == 0 { y[i / 2] = 1.0; }", with_condition("0", "1")),
        // Nothing is said of two that are not there.
        ("if i * i == 16 { y[i / 2] = 1.0; }", None),
    ];
    let every = text("every work-item comes to `y[0]`");
    let each = text("each work-item that comes here accesses `y[0]`");
    let uniform = [
        ("if x[0] > 5.0 { y[0] = 1.0; }", &every),
        ("if x.len() < 5 { return; } y[0] = 1.0;", &every),
        ("for k in 0..x.len() { y[0] += x[k]; }", &every),
        ("for k in 0..i { if x[k] > 1.0 { break; } } y[0] = 1.0;", &every),
        ("if x[i] > 5.0 { y[0] = 1.0; }", &each),
        ("if subgroup_local_id() == 0 { y[0] = 1.0; }", &each),
        ("if x[i] > 5.0 { return; } y[0] = 1.0;", &each),
        ("for k in 0..i { y[0] = 1.0; }", &each),
        ("for k in 0..9 { if x[i] > 1.0 { break; } if k == 3 { y[0] = 1.0; } }", &each),
        ("for k in 0..9 { if k == 3 { return; } if x[i] > 1.0 { break; } } y[0] = 1.0;", &each),
    ];
    let shifted = [
        (
            "y[i] = y[i + 1];",
            text("the work-item with global id `i` writes what the one with global id `i - 1` reads"),
        ),
        (
            "if i % 3 == 0 { y[i] = y[i + 3]; }",
            text("the work-item with global id `i` writes what the one with global id `i - 3` reads"),
        ),
        (
            "if x[i] > 5.0 { y[i] = y[i + 3]; }",
            text("the work-item with global id `i` may write what the one with global id `i - 3` reads"),
        ),
    ];
    let uniform = uniform.map(|(body, note)| (body, note.clone()));
    for (body, expected) in shared.into_iter().chain(uniform).chain(shifted) {
        let found = checked(None, XY, &format!("let i = global_id(0); {body}"));
        let [finding] = &found.findings[..] else { panic!("there is one finding: {body}") };
        let notes = finding.notes();
        let said = notes.iter().find(|note| note.contains("work-item") && !note.contains("barrier"));
        assert_eq!(said, expected.as_ref(), "{body}: {finding:?}");
    }
}

/// What whole groups copy, and rows of a width that a launch chooses.
#[test]
fn rows_of_groups_and_work_items() {
    conditional(&[
        (
            "tile: &mut Local<[f32]>, y: &mut [f32]",
            "let n = tile.len(); let s = group_id(0) * n; for p in (local_id(0)..n).step_by(local_size(0)) { tile[p] = 1.0; } barrier(); work_group_copy(&mut y[s..s + n], tile);",
        ),
        (NY, "let s = global_id(0) * n; y[s..s + n].fill(1.0);"),
        (NY, "let s = global_id(0) * n; for v in &mut y[s..s + n] { *v = 1.0; }"),
        (
            NY,
            "let i = global_id(0); let row = &mut y[i * n..(i + 1) * n]; for k in 0..row.len() { row[k] += 1.0; }",
        ),
        (NY, "let i = global_id(0); let row = &mut y[i * n..][..n]; for v in row { *v *= 2.0; }"),
    ]);
    free(&[
        (NY, "let i = global_id(0); if n < 1 << 20 { for v in &mut y[i * n..][..n] { *v *= 2.0; } }"),
        (Y, "let i = global_id(0); for v in &mut y[i * 4..i * 4 + 4] { *v *= 2.0; }"),
        (Y, "for k in (global_id(0)..y.len()).step_by(global_size(0)) { y[k] = 1.0; }"),
        (
            "y: &mut Local<[f32]>, n: usize, x: &[f32]",
            "for k in (local_id(0)..y.len()).step_by(local_size(0)) { y[k] = x[k]; }",
        ),
        (Y, "for v in y.iter_mut().skip(global_id(0)).step_by(global_size(0)) { *v = 1.0; }"),
        (
            Y,
            "for (k, v) in y.iter_mut().enumerate().skip(global_id(0)).step_by(global_size(0)) { *v = k as f32; }",
        ),
    ]);
}

/// What each group mirrors in place.
#[test]
fn mirrored_in_a_group() {
    free(&[(
        Y,
        "let i = group_id(0) * local_size(0) + local_size(0) - 1 - local_id(0); let v = y[i]; barrier(); y[global_id(0)] = v;",
    )]);
}

/// Places that a group gives out by a scan or a counter of its own.
#[test]
fn places_from_scans_and_counters() {
    free_in(
        LINE,
        &[
            (
                XY,
                &tiled(
                    "let keep = x[i] > 0.0; let p = work_group_scan_exclusive_add(keep as usize); if keep { tile[p] = x[i]; } barrier(); y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let keep = i % 3 < 2; let p = work_group_scan_exclusive_add(keep as u32); if keep { tile[p as usize] = x[i]; } barrier(); y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let keep = x[i] > 0.0; let p = work_group_scan_exclusive_add(if keep { 1_u32 } else { 0 }); if keep { tile[p as usize] = x[i]; } barrier(); y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let next = Local::<AtomicU32>::new(); if l == 0 { next.store(0, Relaxed); } barrier(); if x[i] > 0.0 { tile[next.fetch_add(1, Relaxed) as usize] = x[i]; } barrier(); y[i] = tile[l];",
                ),
            ),
        ],
    );
    somehow_racy_in(
        LINE,
        &[
            (
                XY,
                &tiled(
                    "let keep = x[i] > 0.0; let p = work_group_scan_exclusive_add(keep as usize); tile[p] = x[i]; barrier(); y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let keep = x[i] > 0.0; let p = work_group_scan_exclusive_add(keep as usize); if !keep { tile[p] = x[i]; } barrier(); y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let keep = x[i] > 0.0; let p = work_group_scan_exclusive_add(keep as usize); if keep { tile[p / 2] = x[i]; } barrier(); y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let keep = x[i] > 0.0; let p = work_group_scan_inclusive_add(keep as usize); tile[p] = x[i]; barrier(); y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let keep = x[i] > 0.0; let p = work_group_scan_exclusive_add(keep as usize); if keep { tile[p] = x[i]; } y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let keep = x[i] > 0.0; let p = work_group_scan_exclusive_add(keep as usize); if keep { y[p] = x[i]; }",
                ),
            ),
            (
                XY,
                &tiled(
                    "let next = Local::<AtomicU32>::new(); if l == 0 { next.store(0, Relaxed); } barrier(); if x[i] > 0.0 { y[next.fetch_add(1, Relaxed) as usize] = x[i]; }",
                ),
            ),
            (
                XY,
                &tiled(
                    "let next = Local::<AtomicU32>::new(); for _ in 0..3 { next.store(0, Relaxed); if x[i] > 0.0 { tile[next.fetch_add(1, Relaxed) as usize] = x[i]; } } barrier(); y[i] = tile[l];",
                ),
            ),
            (
                XY,
                &tiled(
                    "let next = Local::<AtomicU32>::new(); if l == 0 { next.store(0, Relaxed); } barrier(); if x[i] > 0.0 { tile[next.fetch_sub(1, Relaxed) as usize] = x[i]; } barrier(); y[i] = tile[l];",
                ),
            ),
        ],
    );
}
