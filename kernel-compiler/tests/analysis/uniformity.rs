//! Who comes to a barrier together, and what the barrier orders.

use crate::source::{discharged, lowered};
use kernel_compiler::analysis::{Analysis, Uniformity, divergence, keep_fault_exits};
use kernel_compiler::ir::{Fence, Memory, Scope, Statement};

/// Checks who comes to each barrier of the kernel `fn k(<parameters>) { <body> }`.
#[track_caller]
fn reach(expected: &[Uniformity], parameters: &str, body: &str) {
    let mut module = lowered(&format!("fn k({parameters}) {{ {body} }}"), Some([16, 16, 1]));
    keep_fault_exits(&mut module);
    let analysis = Analysis::of(&module);
    let found: Vec<_> = analysis.barriers().iter().map(|(_, uniformity)| *uniformity).collect();
    assert_eq!(found, expected, "{module}");
}

const PARAMETERS: &str = "n: usize, x: &[usize], y: &mut [usize]";

use Uniformity::{Launch, Subgroup, Varying, WorkGroup};

#[test]
fn conditions_decide_who_comes() {
    reach(&[Launch], PARAMETERS, "if n > 3 { barrier(); }");
    reach(&[Launch], PARAMETERS, "if x[n] > 3 { barrier(); }");
    reach(&[WorkGroup], PARAMETERS, "if x[group_id(0)] > 3 { barrier(); }");
    reach(&[Varying], PARAMETERS, "if x[local_id(0)] > 3 { barrier(); }");
    reach(&[Varying], PARAMETERS, "if y[n] > 3 { barrier(); }");
    reach(&[Varying, Launch], PARAMETERS, "if global_id(0) > 3 { barrier(); } barrier();");
    reach(&[WorkGroup], PARAMETERS, "if global_id(2) > 3 { barrier(); }");
}

#[test]
fn who_has_left_does_not_come() {
    reach(&[Launch, Varying], PARAMETERS, "barrier(); if global_id(0) > n { return; } barrier();");
    reach(&[Varying], PARAMETERS, "loop { barrier(); if global_id(0) > n { return; } }");
    reach(&[Varying, Launch], PARAMETERS, "loop { barrier(); if global_id(0) > n { break; } } barrier();");
    reach(
        &[Varying, Varying, Launch],
        PARAMETERS,
        "'a: loop { for i in 0..n { barrier(); if i > global_id(0) { break 'a; } } barrier(); } barrier();",
    );
    reach(
        &[Launch, Varying, Launch],
        PARAMETERS,
        "'a: { barrier(); for _ in 0..n { if n > global_id(0) { break 'a; } } barrier(); } barrier();",
    );
}

#[test]
fn variables_carry_what_they_were_given() {
    reach(&[Launch], PARAMETERS, "let mut i = 0; while i < n { barrier(); i += 16; }");
    reach(&[Varying], PARAMETERS, "let mut i = local_id(0); while i < n { barrier(); i += 16; }");
    reach(&[Varying], PARAMETERS, "let mut i = 0; if local_id(0) > 3 { i = 1; } if i > 0 { barrier(); }");
    reach(
        &[Varying],
        PARAMETERS,
        "let mut c = 0; let mut i = 0; while i < local_id(0) { i += 1; c += 1; } if c > 3 { barrier(); }",
    );
}

#[test]
fn what_a_group_finds_out_together_is_the_same_for_all_of_it() {
    reach(&[WorkGroup], PARAMETERS, "if work_group_any(x[local_id(0)] > 3) { barrier(); }");
    reach(&[WorkGroup], PARAMETERS, "if work_group_reduce_add(y[local_id(0)]) > 3 { barrier(); }");
    reach(&[WorkGroup], PARAMETERS, "let v = work_group_broadcast(y[n], 3); while v > 1 { barrier(); }");
    reach(&[Varying], PARAMETERS, "if work_group_scan_inclusive_add(n) > 3 { barrier(); }");
    reach(&[Subgroup], PARAMETERS, "if subgroup_all(x[local_id(0)] > 3) { barrier(); }");
    reach(&[Subgroup], PARAMETERS, "if subgroup_id() == 0 { barrier(); }");
    reach(&[Varying], PARAMETERS, "if subgroup_local_id() == 0 { barrier(); }");
    reach(&[Varying], PARAMETERS, "if subgroup_shuffle(n, 1) == 0 { barrier(); }");
    reach(&[Launch], PARAMETERS, "if subgroup_count() == work_group_size() { barrier(); }");
}

/// Checks how many barriers and collectives of a kernel are reached by a part of their group only.
#[track_caller]
fn apart(expected: usize, body: &str) {
    let mut module = lowered(&format!("fn k({PARAMETERS}) {{ {body} }}"), None);
    keep_fault_exits(&mut module);
    let found = divergence(&module, &Analysis::of(&module));
    assert_eq!(found.len(), expected, "{found:?}\n{module}");
}

#[test]
fn a_part_of_a_group_is_an_error() {
    apart(0, "barrier(); subgroup_barrier(); y[n] = subgroup_reduce_add(n);");
    apart(1, "if local_id(0) == 0 { barrier(); }");
    apart(1, "if local_id(0) == 0 { subgroup_barrier(); }");
    apart(1, "if subgroup_id() == 0 { barrier(); subgroup_barrier(); }");
    apart(2, "if global_id(0) >= n { return; } barrier(); y[n] = work_group_reduce_add(n);");
    apart(1, "let all = local_id(0) > 1 && subgroup_all(n > 3);");
    apart(0, "let all = n > 1 && subgroup_all(local_id(0) > 3);");
    // What is asked after faults is no place of its own, and makes no other error.
    apart(1, "let mut k = local_id(0); while k != 0 { barrier(); k = x[k]; } barrier();");
    apart(1, "let mut k = local_id(0); while k != 0 { subgroup_barrier(); k = x[k]; } barrier();");
    // A panic in a kernel that has any goes on.
    apart(0, "assert!(local_id(0) < n); y[n] = subgroup_reduce_add(n);");
}

#[test]
fn a_broadcast_is_from_one() {
    apart(0, "y[n] = subgroup_broadcast(local_id(0), n);");
    apart(0, "y[n] = subgroup_broadcast(local_id(0), subgroup_id());");
    apart(1, "y[n] = work_group_broadcast(local_id(0), subgroup_id());");
    apart(1, "y[n] = subgroup_broadcast(local_id(0), x[local_id(0)]);");
}

/// Checks what the barriers of a kernel order; those of a block come before those of the blocks nested in it.
#[track_caller]
fn fences(expected: &[Fence], body: &str) {
    let module = discharged(&format!("fn k({PARAMETERS}) {{ {body} }}"), None);
    let mut found = Vec::new();
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Barrier(_, _, fence) = statement {
            found.push(*fence);
        }
    });
    assert_eq!(found, expected, "{module}");
}

#[test]
fn barriers_order_global_memory_only_where_it_is_seen() {
    use Fence::{Given, Local, LocalAndGlobal};
    fences(&[Local], "let v = x[0]; barrier(); y[0] = v;");
    fences(
        &[Given(Scope::Device, Memory::GLOBAL)],
        "let v = x[0]; work_group_barrier_in(Scope::Device, Memory::GLOBAL); y[0] = v;",
    );
    fences(&[LocalAndGlobal], "y[1] = 1; barrier(); let v = y[0]; y[0] = v;");
    fences(&[LocalAndGlobal], "y[0] = 1; barrier(); y[0] = 2;");
    fences(&[Local, Local], "barrier(); barrier(); y[0] = 2; y[1] = 3;");
    fences(&[LocalAndGlobal], "for i in 0..n { barrier(); y[i] = 1; }");
    fences(
        &[Local, Local, LocalAndGlobal],
        "barrier(); for i in 0..n { y[i] = 1; barrier(); } if n > 9 { return; } barrier();",
    );
}

/// Where a copy is made is looked at as barriers are, and so is what it copies.
#[test]
fn copies_are_the_same_for_all() {
    let is_refused = |body: &str| {
        let parameters = "n: usize, x: &[u32], y: &mut [u32]";
        let local = "let mut tile = Local::<[u32; 64]>::new();";
        let module = lowered(&format!("fn k({parameters}) {{ {local} {body} }}"), Some([16, 16, 1]));
        divergence(&module, &Analysis::of(&module)).iter().next().is_some()
    };
    assert!(!is_refused("work_group_copy(&mut tile[..8], &x[..8]);"));
    assert!(!is_refused("work_group_copy(&mut tile[..8], &x[group_id(0)..group_id(0) + 8]);"));
    assert!(!is_refused("if n > 3 { work_group_gather(&mut tile[..8], x, n); }"));
    assert!(is_refused("work_group_copy(&mut tile[..8], &x[local_id(0)..local_id(0) + 8]);"));
    assert!(is_refused("work_group_scatter(y, &tile[..], local_id(0));"));
    assert!(is_refused("work_group_copy(&mut tile[local_id(0)..local_id(0) + 8], &y[..8]);"));
    assert!(is_refused("if local_id(0) > 3 { work_group_copy(&mut tile[..8], &x[..8]); }"));
}
