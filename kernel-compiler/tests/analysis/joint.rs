//! Checks of several slices by one index that are made together.

use crate::interpreter::{Inputs, Observer, run};
use crate::source::discharged;
use kernel_compiler::analysis::{Analysis, join_checks};
use kernel_compiler::ir::{Check, Handle, Module, Op, Query, Statement, Value};
use std::collections::HashMap;

const PRODUCT: &str = "fn k(ptr: &[u32], col: &[u32], val: &[u32], x: &[u32], y: &mut [u32]) {
    let row = global_id(0);
    if row < y.len() {
        let mut sum = 0;
        for i in ptr[row]..ptr[row + 1] { sum += val[i as usize] * x[col[i as usize] as usize]; }
        y[row] = sum;
    }
}";

fn joined(module: &Module) -> Module {
    let mut joined = module.clone();
    join_checks(&mut joined, &Analysis::of(module));
    assert_eq!(joined.verify(), Ok(()));
    joined
}

/// How many checks each requirement of a kernel stands for.
fn requirements(source: &str) -> Vec<usize> {
    let module = joined(&discharged(source, None));
    let mut found = Vec::new();
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Evaluate(value) = statement
            && let Op::Require { faults, .. } = &module.values[*value].op
        {
            found.push(faults.len());
        }
    });
    found
}

#[test]
fn one_index_into_several_slices_is_checked_once() {
    assert_eq!(requirements(PRODUCT), [2]);
    let three = "fn k(a: &[u32], b: &[u32], c: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        y[i] = a[i] + b[i] * c[i];
    }";
    assert_eq!(requirements(three), [4], "the store is the last of them");
    let compound = "fn k(x: &mut [u32], b: &[u32]) { let i = global_id(0); x[i] += b[i]; }";
    assert_eq!(requirements(compound), [2], "the store needs no check of its own");
}

#[test]
fn nothing_comes_before_what_could_be_noticed() {
    // The first store is made though the second one faults.
    assert_eq!(
        requirements("fn k(a: &mut [u32], b: &mut [u32]) { let i = global_id(0); a[i] = 1; b[i] = 2; }"),
        [0; 0]
    );
    // The fault of another index is the first.
    let other = "fn k(a: &[u32], b: &[u32], c: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        y[0] = a[i] + b[2 * i] + c[i];
    }";
    assert_eq!(requirements(other), [0; 0]);
    // Where a work-item goes on after a fault, the other access is made.
    let barrier = "fn k(a: &[u32], b: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        let sum = a[i] + b[i];
        barrier();
        if i < y.len() { y[i] = sum; }
    }";
    assert_eq!(requirements(barrier), [0; 0]);
}

/// The site of the first fault of a work-item.
#[derive(Debug, Default, PartialEq, Eq)]
struct First(Option<usize>);

impl Observer for First {
    fn check(&mut self, _: Check, _: bool) {}

    fn value(&mut self, _: Handle<Value>, _: u64) {}

    fn fault(&mut self, check: Check) {
        if let (Check::At(site), None) = (check, self.0) {
            self.0 = Some(site.index());
        }
    }
}

#[test]
fn the_fault_is_the_one_that_came_first() {
    let sources = [
        "fn k(a: &[u32], b: &[u32], c: &[u32], y: &mut [u32]) { let i = global_id(0); y[i] = a[i] + b[i] * c[i]; }",
        "fn k(a: &[u32], b: &[u32], c: &[u32], y: &mut [u32]) {
            let i = global_id(0);
            for j in i..i + 3 { y[j] = a[j] + b[j]; }
            y[i] = c[i] + c[i + 1] + b[i + 1];
        }",
        "fn k(a: &[u32], b: &mut [u32], c: &mut [u32], y: &mut [u32]) { let i = global_id(0); c[i] += a[i]; y[i] += b[i]; }",
    ];
    let mut faults = HashMap::new();
    for source in sources {
        let module = discharged(source, None);
        let together = joined(&module);
        assert_ne!(module.to_string(), together.to_string());
        for case in 0..4_u64.pow(5) {
            let digit = |position: u32| case / 4_u64.pow(position) % 4;
            let queries = HashMap::from([((Query::GlobalId, 0), digit(4))]);
            let inputs = Inputs { parameters: (0..4).map(digit).collect(), queries };
            let [mut expected, mut found] = [First::default(), First::default()];
            run(&module, &inputs, &mut expected);
            run(&together, &inputs, &mut found);
            assert_eq!(found, expected, "{inputs:?} in\n{together}");
            *faults.entry(expected.0).or_insert(0) += 1;
        }
    }
    assert!(faults.len() > 6, "each check is the first to fail in some launch: {faults:?}");
}
