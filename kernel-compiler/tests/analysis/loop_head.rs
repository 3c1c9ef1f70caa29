//! Checks that become part of the test whether a loop goes on.

use crate::same::compare;
use crate::source::discharged;
use kernel_compiler::analysis::{Analysis, check_at_loop_heads, join_checks};
use kernel_compiler::ir::{Module, Statement};

fn changed(module: &Module, analysis: &Analysis) -> Module {
    let mut changed = module.clone();
    join_checks(&mut changed, analysis);
    check_at_loop_heads(&mut changed, analysis);
    assert_eq!(changed.verify(), Ok(()));
    changed
}

/// How many checks are made in passes that do not end a loop.
fn checks_in_passes(source: &str) -> usize {
    let module = discharged(source, None);
    let module = changed(&module, &Analysis::of(&module));
    let mut found = 0;
    module.body.for_each_statement(&mut |statement| {
        let Statement::Loop { body, .. } = statement else { return };
        found += body.statements.iter().filter(|statement| statement.is_checked(&module.values)).count();
    });
    found
}

#[test]
fn a_loop_ends_where_its_check_fails() {
    let sum = "fn k(x: &[u32], y: &mut [u32], n: u32) {
        let mut sum = 0;
        for i in y[0]..n { sum += x[i as usize]; }
        y[0] = sum;
    }";
    assert_eq!(checks_in_passes(sum), 0);
    let product = "fn k(x: &[u32], y: &[u32], z: &mut [u32]) {
        let mut sum = 0;
        for i in z[0] as usize..z[1] as usize { sum += x[i] * y[i]; }
        z[0] = sum;
    }";
    assert_eq!(checks_in_passes(product), 0);
    let gather = "fn k(x: &[u32], y: &[u32], z: &mut [u32]) {
        let mut sum = 0;
        for i in z[0] as usize..z[1] as usize { sum += x[y[i] as usize]; }
        z[0] = sum;
    }";
    assert_eq!(checks_in_passes(gather), 1, "what is read is checked as before");
}

#[test]
fn what_comes_between_keeps_its_place() {
    let stores = "fn k(x: &[u32], y: &mut [u32], n: u32) {
        for i in y[0]..n { y[1] = i; y[0] = x[i as usize]; }
    }";
    assert_eq!(checks_in_passes(stores), 2, "the store is made though the next check fails");
    let other = "fn k(x: &[u32], y: &mut [u32], n: u32) {
        let mut sum = 0;
        for i in y[0]..n { sum += x[(i * i) as usize]; }
        y[0] = sum;
    }";
    assert_eq!(checks_in_passes(other), 1, "another index is no part of the test");
}

#[test]
fn the_fault_is_the_one_that_came_first() {
    let sources = [
        "fn k(x: &[u32], y: &mut [u32], n: u32) {
            let first = global_id(0) as u32;
            for i in y[0] % 3 + first..n { y[1] += x[i as usize]; }
            y[2] = 7;
        }",
        "fn k(x: &[u32], y: &[u32], z: &mut [u32]) {
            let mut i = global_id(0) as u32;
            let mut sum = 0;
            while i < z[0] % 5 {
                sum += x[i as usize] * y[i as usize];
                i += 1;
                if sum > 1 << 31 { break; }
            }
            z[1] = sum;
        }",
        "fn k(x: &[u32], y: &[u32], z: &mut [u32]) {
            for j in 0..global_id(0) as u32 {
                for i in j..4 { z[1] += x[i as usize]; }
                z[2] += y[j as usize];
            }
        }",
    ];
    compare(&sources, 9, changed);
}
