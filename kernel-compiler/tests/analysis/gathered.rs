//! Checks of accesses one after the other that are made together.

use crate::same::{compare, compare_random_kernels};
use crate::source::discharged;
use kernel_compiler::analysis::gather_checks;
use kernel_compiler::ir::{Module, Op, Statement};

fn gathered(module: &Module) -> Module {
    let mut gathered = module.clone();
    gather_checks(&mut gathered);
    assert_eq!(gathered.verify(), Ok(()));
    gathered
}

/// How many places are asked for in a row, and how many checks are left elsewhere.
fn checks(source: &str) -> (Vec<usize>, usize) {
    let module = gathered(&discharged(source, None));
    let (mut rows, mut others, mut is_row) = (Vec::new(), 0, false);
    module.body.for_each_statement(&mut |statement| {
        let asks = matches!(statement, Statement::Evaluate(value) if matches!(module.values[*value].op, Op::InBounds(_)));
        match (asks, is_row) {
            (true, true) => *rows.last_mut().expect("the row has begun") += 1,
            (true, false) => rows.push(1),
            _ => others += usize::from(statement.is_checked(&module.values)),
        }
        is_row = asks;
    });
    (rows, others)
}

#[test]
fn checks_are_made_before_the_first_access() {
    let neighbours = "fn k(x: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        y[i] = x[i] + x[i + 1] * x[i + 2];
    }";
    assert_eq!(checks(neighbours), (vec![4], 0), "the store is the last of them");
    let again = "fn k(x: &mut [u32], y: &[u32]) {
        let i = global_id(0);
        x[i] += y[3 * i] + y[3 * i];
    }";
    assert_eq!(checks(again), (vec![2], 0), "each place is asked for once");
}

#[test]
fn what_is_read_is_not_asked_for_before() {
    let follows = "fn k(x: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        let next = x[i] as usize;
        y[i] = x[next] + x[next + 1];
    }";
    assert_eq!(checks(follows), (vec![3], 1), "the first load is by itself");
    let variable = "fn k(x: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        let mut j = i;
        let first = x[j];
        j += 1;
        y[i] = first + x[j];
    }";
    assert_eq!(checks(variable), (vec![2], 1), "the variable has changed");
}

#[test]
fn nothing_comes_before_what_could_be_noticed() {
    let stores = "fn k(x: &mut [u32], y: &mut [u32]) { let i = global_id(0); x[i] = 1; y[i] = 2; }";
    assert_eq!(checks(stores), (vec![], 2));
    let divides = "fn k(x: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        let ratio = x[i] / x[i + 1];
        y[i] = ratio + x[i + 2];
    }";
    assert_eq!(checks(divides), (vec![2, 2], 1), "the divisor may be zero before the next fails");
    let barrier = "fn k(x: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        let sum = x[i] + x[i + 1];
        barrier();
        if i < y.len() { y[i] = sum; }
    }";
    assert_eq!(checks(barrier), (vec![], 2), "work-items go on after a fault");
}

#[test]
fn random_kernels_do_the_same() {
    let (changed, faults) = compare_random_kernels(|module, _| gathered(module));
    assert!(changed > 15 && faults > 200, "{changed} kernels, {faults} faults");
}

#[test]
fn the_fault_is_the_one_that_came_first() {
    let sources = [
        "fn k(x: &[u32], y: &[u32], z: &mut [u32]) {
            let i = global_id(0);
            z[i] = x[i + 1] + y[i] + x[i] + y[i + 1];
        }",
        "fn k(x: &[u32], y: &[u32], z: &mut [u32]) {
            let i = global_id(0);
            let (a, b) = (2 * x[i] as usize, 3 * y[i] as usize);
            z[i] = x[b] + x[a] + x[b + 1] + x[a + 1];
        }",
    ];
    compare(&sources, 7, |module, _| gathered(module));
}
