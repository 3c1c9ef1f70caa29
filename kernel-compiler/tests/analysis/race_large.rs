//! Kernels of thousands of lines.

use crate::source::lowered;
use kernel_compiler::analysis::{Class, Races, keep_fault_exits, races};
use std::fmt::Write;

fn checked(parameters: &str, body: &str) -> Races {
    let mut module = lowered(&format!("fn k({parameters}) {{ {body} }}"), Some([64, 1, 1]));
    keep_fault_exits(&mut module);
    races(&module)
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, k| {
        // Writing to a string does not fail.
        let _ = writeln!(all, "{}", line(k));
        all
    })
}

#[test]
fn places_that_differ_by_constants_are_compared_together() {
    let parameters = "x: &[f32], y: &mut [f32]";
    let own = lines(5000, |k| format!("y[i * 5000 + {k}] = x[i + {k}];"));
    let found = checked(parameters, &format!("let i = global_id(0); {own}"));
    assert!(found.findings.is_empty() && found.presumed.is_empty(), "{:?}", found.findings);
    // One place too many is that of the next work-item.
    let beyond = lines(65, |k| format!("y[i * 64 + {k}] = x[i + {k}];"));
    let found = checked(parameters, &format!("let i = global_id(0); {beyond}"));
    assert!(found.findings.iter().any(|finding| finding.class == Class::Unproved), "{:?}", found.findings);
}

#[test]
fn a_kernel_that_is_too_complex_says_what_for_and_the_way_out() {
    let rounds =
        lines(1250, |k| format!("tile[l] = {k}.5; barrier(); let t = tile[63 - l]; barrier(); tile[l] = t;"));
    let found = checked(
        "y: &mut [f32]",
        &format!(
            "let mut tile = Local::<[f32; 64]>::new(); let l = local_id(0); {rounds} y[global_id(0)] = tile[l];"
        ),
    );
    let finding = &found.findings[0];
    assert_eq!(finding.class, Class::TooComplex);
    assert_eq!(
        finding.message(),
        "it is too complex to tell whether two work-items access one element of `tile`"
    );
    assert!(finding.notes()[0].contains("`tile[local_id(0)]`"), "{:?}", finding.notes());
    assert!(finding.help().contains("split the kernel"), "{}", finding.help());
}

#[test]
fn parts_that_an_index_has_in_common_are_looked_at_once() {
    // Each line says the number before it twice or more, so the last one has 2^200 parts and more if each is looked at for itself.
    let declared = "let mut tile = Local::<[u32; 64]>::new(); let l = local_id(0);";
    let own = lines(200, |k| format!("s ^= s << {};", k % 5 + 1));
    let found = checked(
        "y: &mut [u32]",
        &format!("{declared} let mut s = l as u32; {own} tile[(s % 64) as usize] = 1;"),
    );
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let mixed =
        lines(2000, |k| format!("s = if s > {k} {{ s * 3 + (s >> 1) }} else {{ s.min(l as u32 ^ s) }};"));
    let found = checked(
        "y: &mut [u32]",
        &format!("{declared} let mut s = l as u32; {mixed} tile[(s % 64) as usize] = 1;"),
    );
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    let global =
        format!("let mut s = global_id(0); {mixed} y[s] = 1; y[s ^ 1] = 2;").replace("l as u32", "5");
    let found = checked("y: &mut [u32]", &global);
    assert!(!found.findings.is_empty());
}

#[test]
fn a_value_that_very_many_statements_made_is_no_matter_of_depth() {
    let own = lines(16_000, |k| format!("s = s * 3 ^ {k};"));
    let body = |guarded: &str| format!("let i = global_id(0); let mut s = n; {own} if s > 5 {{ {guarded} }}");
    let found = checked("y: &mut [u32], n: u32", &body("y[i] = s;"));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let found = checked("y: &mut [u32], n: u32", &body("y[(s % 64) as usize] = 1;"));
    assert_eq!(found.findings[0].class, Class::Uniform, "{:?}", found.findings);
}

#[test]
fn indices_that_nothing_bounds_leave_time_for_the_others() {
    let parameters = "x: &[u32], y: &mut [u32]";
    let wandering =
        lines(300, |k| format!("s = if s > {k} && s < x.len() {{ x[s] as usize + s }} else {{ s / 2 }};"));
    let found =
        checked(parameters, &format!("let i = global_id(0); let mut s = i; {wandering} y[i] = s as u32;"));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
}

#[test]
fn ways_through_a_kernel_are_not_told_apart_without_end() {
    // Each block is left early or not, which the group agrees on: 2^200 ways.
    let blocks = |count| lines(count, |k| format!("'b{k}: {{ if n == {k} {{ break 'b{k}; }} s += n; }}"));
    // The inner loops are gone through again for each round of the outer ones.
    let open =
        lines(20, |k| format!("for p{k} in 0..n {{ if s == {k} {{ break; }} s ^= p{k}; {}", blocks(5)));
    let close = "}".repeat(20);
    let found = checked(
        "y: &mut [u32], n: u32",
        &format!("let mut s = 0; {} {open} y[global_id(0)] = s; {close}", blocks(200)),
    );
    assert!(found.findings.is_empty(), "{:?}", found.findings);
}

#[test]
fn barriers_in_loops_in_each_other_are_still_told_apart() {
    let open = lines(6, |k| format!("for p{k} in 0..n {{ barrier(); if s == {k} {{ break; }} s ^= p{k};"));
    let close = "}".repeat(6);
    let declared = "let mut tile = Local::<[u32; 64]>::new(); let l = local_id(0); let mut s = 0;";
    let own = "tile[l] = s; barrier(); y[global_id(0)] = tile[63 - l]; barrier();";
    let found = checked("y: &mut [u32], n: u32", &format!("{declared} {open} {own} {close}"));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
}

#[test]
fn branches_cost_what_they_store_and_not_what_there_is() {
    let declared = lines(3000, |k| format!("let mut v{k} = n + {k};"));
    let own = lines(1000, |k| format!("if n > {k} {{ v{k} += 1; }}"));
    let sum = lines(3000, |k| format!("s ^= v{k};"));
    let found = checked(
        "y: &mut [u32], n: u32",
        &format!("let mut s = 0; {declared} {own} {sum} y[global_id(0)] = s;"),
    );
    assert!(found.findings.is_empty(), "{:?}", found.findings);
}

#[test]
fn what_is_left_after_loops_in_each_other_decides_about_races() {
    let open = lines(24, |k| {
        format!("let mut p{k} = s % 7; while p{k} < n {{ if s == {k} {{ break; }} s ^= p{k}; p{k} += 1;")
    });
    let close = "}".repeat(24);
    let body =
        |after: &str| format!("let i = global_id(0); let mut s = x[0]; {open} s += 1; {close} {after}");
    let parameters = "x: &[u32], y: &mut [u32], n: u32";
    let found = checked(parameters, &body("if s > 3 { y[i] = s; } else { y[i] = n; }"));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let found = checked(parameters, &body("if i > 0 { y[i - 1] = s; } y[i] = n;"));
    assert_eq!(found.findings[0].class, Class::Unproved, "{:?}", found.findings);
    let found = checked(parameters, &body("y[(s % 64) as usize] = n;"));
    assert_eq!(found.findings[0].class, Class::Uniform, "{:?}", found.findings);
}

/// Loops over `count` numbers, in each of which a statement accesses an element.
fn in_loops(loops: usize, count: &str, statement: &str) -> String {
    lines(loops, |k| format!("for j in 0..{count} {{ if x[j] > {k}.0 {{ {statement} }} }}"))
}

#[test]
fn accesses_in_hundreds_of_loops_are_compared_together() {
    let parameters = "x: &[f32], y: &mut [f32], n: usize";
    let own = in_loops(300, "n", "y[i] += x[j];");
    let found = checked(parameters, &format!("let i = global_id(0); {own}"));
    assert!(found.findings.is_empty() && found.presumed.is_empty(), "{:?}", found.findings);
    let four = in_loops(400, "4", "y[i * 4 + j] += x[j];");
    let found = checked(parameters, &format!("let i = global_id(0); {four}"));
    assert!(found.findings.is_empty() && found.presumed.is_empty(), "{:?}", found.findings);
    let rows = in_loops(300, "n", "y[i * n + j] += x[j];");
    let found = checked(parameters, &format!("let i = global_id(0); {rows}"));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let presumed: Vec<&str> = found.presumed.iter().map(|one| one.text.as_str()).collect();
    assert!(presumed.contains(&"global_id(0) * n"), "{presumed:?}");
}

#[test]
fn one_loop_that_is_unlike_hundreds_of_others_is_found() {
    let parameters = "x: &[f32], y: &mut [f32], n: usize";
    for (others, one) in [
        (in_loops(100, "4", "y[i * 4 + j] += x[j];"), in_loops(1, "5", "y[i * 4 + j] += x[j];")),
        (in_loops(100, "4", "y[i * 4 + j] += x[j];"), in_loops(1, "4", "y[i * 3 + j] += x[j];")),
        (in_loops(100, "n", "y[i * n + j] += x[j];"), in_loops(1, "n + 1", "y[i * n + j] += x[j];")),
        (in_loops(100, "n", "y[i] += x[j];"), in_loops(1, "n", "y[i + 1] += x[j];")),
        (in_loops(100, "n", "y[i] += x[j];"), in_loops(1, "n", "y[i + j] += x[j];")),
    ] {
        for body in [format!("{others}{one}"), format!("{one}{others}")] {
            let found = checked(parameters, &format!("let i = global_id(0); {body}"));
            assert_eq!(found.findings.len(), 1, "{one}");
        }
    }
    // What guards all but one does not guard that.
    let guarded = in_loops(50, "n", "y[j] += x[j];");
    let body =
        format!("let i = global_id(0); if i == 0 {{ {guarded} }} {}", in_loops(1, "n", "y[j] = x[j];"));
    assert_eq!(checked(parameters, &body).findings.len(), 1);
}
