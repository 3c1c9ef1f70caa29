//! Which loops a work-item leaves that has faulted, and what is still known after them.

use crate::source::{discharged, lowered};
use kernel_compiler::analysis::{Analysis, divergence, keep_escapes};

/// Checks that work-items which have faulted leave so many loops of the kernel `fn k(<parameters>) { <body> }`.
#[track_caller]
fn leave(count: usize, body: &str) {
    let module = discharged(&format!("fn k({PARAMETERS}) {{ {body} }}"), Some([16, 1, 1]));
    let mut found = 0;
    module.body.for_each_block(&mut |block| found += usize::from(block.escape(&module.values).is_some()));
    assert_eq!(found, count);
}

/// The same with a barrier after all that.
#[track_caller]
fn leave_beside_barrier(count: usize, body: &str) {
    leave(count, &format!("{body} barrier();"));
}

const PARAMETERS: &str = "n: usize, x: &[usize], y: &mut [usize]";

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

#[test]
fn beside_barriers_it_goes_on_after_the_loop() {
    leave(1, "let mut k = local_id(0); while k != 0 { k = x[k]; } barrier(); y[n] = k;");
    leave(0, "let mut k = n; while k != 0 { k = x[k]; barrier(); }");
    leave(1, "let mut k = n; while k != 0 { k = x[k]; } barrier();");
}

/// All leave the loops together that decide who comes to the barrier, or none does.
#[test]
fn who_has_to_meet_is_not_parted() {
    let both = "let mut k = local_id(0); while k != 0 { k = x[k]; } \
                let mut m = 1; while m < n { m += x[m]; } if m > 3 { barrier(); }";
    leave(1, both);
    let mut module = lowered(&format!("fn k({PARAMETERS}) {{ {both} }}"), Some([16, 1, 1]));
    assert!(divergence(&module, &Analysis::of(&module)).iter().next().is_some(), "it would part them");
    keep_escapes(&mut module);
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
