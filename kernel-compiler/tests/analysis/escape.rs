//! Which loops a work-item leaves that has faulted, and what is still known after them.

use crate::source::{discharged, lowered};
use kernel_compiler::analysis::{Analysis, divergence, keep_escapes};
use kernel_compiler::ir::{End, Op, Statement};

/// Where work-items go that have faulted, in the order of the text, in the kernel `fn k(<parameters>) { <body> }`.
fn escapes(parameters: &str, body: &str) -> Vec<End> {
    let module = discharged(&format!("fn k({parameters}) {{ {body} }}"), Some([16, 1, 1]));
    let mut found = Vec::new();
    module.body.for_each_statement(&mut |statement| {
        if let Statement::If { condition, accept, .. } = statement
            && matches!(module.values[*condition].op, Op::HasFaulted)
        {
            found.push(accept.end);
        }
    });
    found
}

/// Checks that work-items which have faulted leave so many loops, by going to the end of the kernel.
#[track_caller]
fn leave(count: usize, parameters: &str, body: &str) {
    assert_eq!(escapes(parameters, body), vec![End::Return; count]);
}

/// The same, by going to what follows the loop.
#[track_caller]
fn go_on_after(count: usize, parameters: &str, body: &str) {
    let found = escapes(parameters, body);
    assert!(found.len() == count && found.iter().all(|end| matches!(end, End::Break(_))), "{found:?}");
}

const PARAMETERS: &str = "n: usize, x: &[usize], y: &mut [usize]";

#[test]
fn a_loop_that_may_come_with_a_fault_is_left() {
    leave(1, PARAMETERS, "let mut k = n; while k != 0 { k = x[k]; }");
    leave(1, PARAMETERS, "let mut k = n; loop { k = x[k]; if k == 0 { break; } }");
    leave(1, PARAMETERS, "let mut k = x[n]; while k != 1 { k /= 2; }");
    leave(1, PARAMETERS, "for k in 0.. { if x[k] == n { break; } }");
    leave(2, PARAMETERS, "let mut k = n; loop { while k != 0 { k = x[k]; } k = n; if k == 0 { break; } }");
    leave(1, PARAMETERS, "for i in 0..n { let mut k = i; while k != 1 { k /= 2; } y[i] = k; }");
}

#[test]
fn no_other_loop_is_left() {
    leave(0, PARAMETERS, "let mut k = n; while k != 1 { k /= 2; } y[n] = k;");
    leave(0, PARAMETERS, "let mut k = 0; while k < x.len() { k += x[k]; }");
    leave(0, PARAMETERS, "for i in 0..n { y[i] = x[i]; }");
    leave(0, PARAMETERS, "let mut k = n; while k != 1 { assert!(k > 0); k /= 2; }");
    leave(0, PARAMETERS, "'a: { let k = x[n]; if k == 0 { break 'a; } y[n] = k; }");
    leave(0, PARAMETERS, "loop { y[n] = x[n]; break; }");
}

#[test]
fn beside_barriers_it_goes_on_after_the_loop() {
    go_on_after(1, PARAMETERS, "let mut k = local_id(0); while k != 0 { k = x[k]; } barrier(); y[n] = k;");
    go_on_after(0, PARAMETERS, "let mut k = n; while k != 0 { k = x[k]; barrier(); }");
    go_on_after(1, PARAMETERS, "let mut k = n; while k != 0 { k = x[k]; } barrier();");
}

/// All leave the loops together that decide who comes to the barrier, or none does.
#[test]
fn who_has_to_meet_is_not_parted() {
    let both = "let mut k = local_id(0); while k != 0 { k = x[k]; } \
                let mut m = 1; while m < n { m += x[m]; } if m > 3 { barrier(); }";
    go_on_after(1, PARAMETERS, both);
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
