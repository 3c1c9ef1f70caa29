//! Which loops work-items leave once one has faulted, and what is still known after them.

use crate::source::{discharged, discharged_with_overflow, lowered};
use kernel_compiler::analysis::{Analysis, divergence, keep_fault_exits};
use kernel_compiler::ir::{End, Group, Module};

/// Checks that work-items which have faulted leave so many loops of the kernel `fn k(<parameters>) { <body> }`.
#[track_caller]
fn leave(count: usize, body: &str) {
    let module = discharged(&format!("fn k({PARAMETERS}) {{ {body} }}"), Some([16, 1, 1]));
    let mut found = 0;
    module.body.for_each_block(&mut |block| found += usize::from(block.fault_exit(&module.values).is_some()));
    assert_eq!(found, count);
}

/// The same with a barrier after all that.
#[track_caller]
fn leave_beside_barrier(count: usize, body: &str) {
    leave(count, &format!("{body} barrier();"));
}

const PARAMETERS: &str = "n: usize, x: &[usize], y: &mut [usize]";

/// Memory of the group, and the place of a work-item in it.
const SHARED: &str = "let mut s = Local::<[usize; 32]>::new(); let l = local_id(0);";

#[test]
fn a_loop_that_may_come_with_a_fault_is_left() {
    leave_beside_barrier(1, "let mut k = n; while k != 0 { k = x[k]; }");
    leave_beside_barrier(1, "let mut k = n; loop { k = x[k]; if k == 0 { break; } }");
    leave_beside_barrier(1, "let mut k = x[n]; while k != 1 { k /= 2; }");
    leave_beside_barrier(1, "for k in 0.. { if x[k] == n { break; } }");
    leave_beside_barrier(2, "let mut k = n; loop { while k != 0 { k = x[k]; } k = n; if k == 0 { break; } }");
    leave_beside_barrier(1, "for i in 0..n { let mut k = i; while k != 1 { k /= 2; } y[i] = k; }");
}

#[test]
fn without_barriers_a_fault_has_ended_the_work_item_before() {
    leave(0, "let mut k = n; while k != 0 { k = x[k]; }");
    leave(0, "let mut k = x[n]; while k != 1 { k /= 2; }");
    leave(0, "let mut k = n; while k != 1 { assert!(k > 0); k /= 2; }");
}

#[test]
fn no_other_loop_is_left() {
    leave_beside_barrier(0, "let mut k = n; while k != 1 { k /= 2; } y[n] = k;");
    leave_beside_barrier(0, "let mut k = 0; while k < x.len() { k += x[k]; }");
    leave_beside_barrier(0, "for i in 0..n { y[i] = x[i]; }");
    leave_beside_barrier(0, "'a: { let k = x[n]; if k == 0 { break 'a; } y[n] = k; }");
    leave_beside_barrier(0, "loop { y[n] = x[n]; break; }");
}

/// A loop that is bounded by its counter ends however little the faults leave of the rest.
#[test]
fn a_counter_that_comes_to_its_bound_ends_a_loop() {
    let counts = |expected, body: &str| leave(expected, &format!("{SHARED} {body} y[n] = s[l];"));
    counts(0, "let mut k = 8; while k > 0 { s[l] += s[l + k]; barrier(); k >>= 1; }");
    counts(0, "let mut k = 8; while k != 0 { s[l] += s[l + k]; barrier(); k /= 2; }");
    counts(0, "let mut k = n / 2; loop { if k == 0 { break; } s[l] += s[l + k]; barrier(); k /= 2; }");
    counts(0, "let mut k = 1; while k < n { s[l] += s[l + k]; barrier(); k *= 2; }");
    counts(0, "let mut k = 1; while x.len() >= k { s[l] += s[l + k]; barrier(); k <<= 1; }");
    counts(0, "let mut k = l; while k < n { s[l] += s[l + k]; k += 16; } barrier();");
    counts(0, "let mut k = 0; while k < n && n > 3 { s[l] += x[k]; barrier(); k += local_size(0); }");
    counts(
        0,
        "let mut k = 0; loop { if k >= n { break; } s[l] += x[k]; barrier(); k += 1; if n == 9 { k += 2; } }",
    );
    counts(0, "let mut k = n; while k > 0 { k -= 1; s[l] += s[l + k]; barrier(); }");
    counts(0, "let mut k = 9_i32; while k >= 0 { s[l] += s[l + k as usize]; barrier(); k -= 2; }");
    counts(
        0,
        "let mut k = 2; while k <= n { let mut j = k / 2; while j > 0 { s[l] += s[l ^ j]; barrier(); j /= 2; } k *= 2; }",
    );
}

#[test]
fn other_counters_may_never_come_to_a_bound() {
    let counts = |expected, body: &str| leave(expected, &format!("{SHARED} {body} y[n] = s[l];"));
    // It may not move.
    counts(1, "let mut k = 0; while k < n { s[l] += s[l + k]; barrier(); k += x.len(); }");
    counts(1, "let mut k = n; while k < 256 { s[l] += s[l + k]; barrier(); k *= 2; }");
    counts(1, "let mut k = 0; while k < n { if n > 3 { continue; } s[l] += x[k]; barrier(); k += 1; }");
    counts(1, "let mut k = 0; while k < n { s[l] += x[k]; barrier(); if n > 3 { k += 1; } }");
    counts(1, "let mut k = 1; while k < n { s[l] += x[k]; barrier(); k *= 1; }");
    // Or back.
    counts(1, "let mut k = 1; while k < n { s[l] += x[k]; barrier(); k += 1; if n == 9 { k = 0; } }");
    // The bound may move, or be passed over.
    counts(1, "let (mut k, mut m) = (0, n); while k < m { s[l] += x[k]; barrier(); k += 1; m += 1; }");
    counts(1, "let mut k = 0; while k != n { s[l] += x[k]; barrier(); k += 2; }");
    counts(1, "let mut k = n; while k > 0 { s[l] += s[l + k]; barrier(); k -= 2; }");
    counts(1, "let mut k = n; while k >= 0 { s[l] += s[l + k]; barrier(); k -= 1; }");
    counts(1, "let mut k = 0_u8; while k < 255 { s[l] += s[l + k as usize]; barrier(); k += 2; }");
    // Nothing leaves the loop, or not by the counter.
    counts(1, "let mut k = 0; loop { s[l] += x[k]; barrier(); k += 1; }");
    counts(1, "let mut k = 0; loop { if n > 3 { if k > n { break; } } s[l] += x[k]; barrier(); k += 1; }");
}

/// A counter whose overflow is a fault has wrapped after it.
#[test]
fn a_counter_that_overflows_may_start_over() {
    let leaves = |body: &str| {
        let module = discharged_with_overflow(&format!("fn k({PARAMETERS}) {{ {SHARED} {body} }}"));
        fault_exits(&module).len()
    };
    assert_eq!(leaves("let mut k = 1; while k < n { s[l] += x[k]; barrier(); k *= 2; }"), 1);
    assert_eq!(leaves("let mut k = 1; while k < 256 { s[l] += x[k]; barrier(); k *= 2; }"), 0);
    assert_eq!(leaves("let mut k = 0; while k < n { s[l] += x[k]; barrier(); k += 1; }"), 0);
}

/// Checks who leaves the loops of the kernel together, and whether that ends them.
#[track_caller]
fn together(expected: &[(Option<Group>, bool)], body: &str) {
    let module = discharged(&format!("fn k({PARAMETERS}) {{ {SHARED} {body} }}"), Some([16, 1, 1]));
    assert_eq!(fault_exits(&module), expected, "{module}");
    let analysis = Analysis::of(&module);
    assert!(divergence(&module, &analysis).iter().next().is_none(), "{module}");
}

/// The fault exits of a kernel, outermost first: of which group, and whether it ends.
fn fault_exits(module: &Module) -> Vec<(Option<Group>, bool)> {
    let mut found = Vec::new();
    module.body.for_each_block(&mut |block| {
        found.extend(
            block
                .fault_exit(&module.values)
                .map(|fault_exit| (fault_exit.group, fault_exit.end == End::Return)),
        );
    });
    found
}

#[test]
fn who_meets_in_a_loop_leaves_it_together() {
    let (group, subgroup) = (Some(Group::WorkGroup), Some(Group::Subgroup));
    together(&[(group, true)], "let mut k = n; while k != 0 { k = x[k]; barrier(); }");
    together(&[(group, true)], "let mut k = n; loop { barrier(); if x[k] == 7 { break; } k += 1; }");
    together(
        &[(group, true)],
        "for k in 0.. { s[l] = y[l]; if work_group_any(s[l] == k) { break; } y[k] = k; }",
    );
    together(
        &[(group, true)],
        "let mut k = 0; loop { if l == 0 { s[0] = y[k]; } barrier(); if unsafe { work_group_assume_uniform(s[0]) } == 1 { break; } k += 1; barrier(); }",
    );
    // A subgroup ends where it is the largest group that meets.
    together(&[(subgroup, true)], "let mut k = l; while subgroup_any(k != 0) { k = x[k]; }");
    together(&[(subgroup, false)], "let mut k = l; while subgroup_any(k != 0) { k = x[k]; } barrier();");
    // Each loop of its own.
    together(
        &[(group, true), (subgroup, false), (None, false)],
        "let mut k = n; while k != 0 {              k = x[k]; let mut j = l; while subgroup_any(j != 0) { j = x[j]; } \
             let mut i = l; while i != 0 { i = x[i]; } barrier();          }",
    );
    together(
        &[(group, true), (group, true)],
        "let mut k = n; 'a: while k != 0 { loop { k = x[k]; barrier(); if k == 3 { continue 'a; } if k == 5 { break 'a; } } }",
    );
}

/// Nobody leaves alone, nor a subgroup, where the work-group has to stay together.
#[test]
fn who_decides_on_meetings_leaves_together() {
    let group = Some(Group::WorkGroup);
    together(&[(group, true)], "let mut m = 1; while m < n { m += x[m]; } if m > 3 { barrier(); }");
    together(
        &[(group, true)],
        "let mut m = 1; while m < n { subgroup_barrier(); m += x[m]; } if m > 3 { barrier(); }",
    );
    together(
        &[(Some(Group::Subgroup), true)],
        "let mut m = 1; while m < n { m += x[m]; } if m > 3 { subgroup_barrier(); }",
    );
}

#[test]
fn without_checks_nobody_asks() {
    together(&[], "let mut k = n; while k != 1 { k /= 3; barrier(); }");
    together(&[], "let mut k = n; while k != 0 { k = work_group_broadcast(s[k % 32], 0); barrier(); }");
    together(
        &[],
        "let mut k = n; while k != 0 { k = work_group_broadcast(s[k % 32], 0); barrier(); } y[n] = x[n];",
    );
}

#[test]
fn beside_barriers_it_goes_on_after_the_loop() {
    leave(1, "let mut k = local_id(0); while k != 0 { k = x[k]; } barrier(); y[n] = k;");
    leave(1, "let mut k = n; while k != 0 { k = x[k]; } barrier();");
}

/// All leave the loops together that decide who comes to the barrier.
#[test]
fn who_has_to_meet_is_not_parted() {
    let both = "let mut k = local_id(0); while k != 0 { k = x[k]; } \
                let mut m = 1; while m < n { m += x[m]; } if m > 3 { barrier(); }";
    leave(2, both);
    let mut module = lowered(&format!("fn k({PARAMETERS}) {{ {both} }}"), Some([16, 1, 1]));
    assert!(divergence(&module, &Analysis::of(&module)).iter().next().is_some(), "it would part them");
    keep_fault_exits(&mut module);
    assert!(divergence(&module, &Analysis::of(&module)).iter().next().is_none());
}

#[test]
fn the_end_of_a_loop_proves_nothing_where_a_fault_leads_on() {
    let sites =
        |body: &str| discharged(&format!("fn k({PARAMETERS}) {{ {body} }}"), Some([16, 1, 1])).sites.len();
    let search = "let mut k = local_id(0); while k >= y.len() { k = x[k]; } y[k] = 1;";
    assert_eq!(sites(search), 1, "only that of the loop");
    assert_eq!(sites(&format!("{search} barrier();")), 2, "that after the loop too");
    let counted = "let mut k = local_id(0); while k >= y.len() { k /= 2; } y[k] = 1;";
    assert_eq!(sites(&format!("{counted} barrier();")), 0, "no fault is possible");
}
