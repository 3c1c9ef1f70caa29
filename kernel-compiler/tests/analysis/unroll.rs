//! Loops that load again what they have stored, written out.

use crate::interpreter::{Inputs, Observer, run};
use crate::same::compare;
use crate::source::discharged;
use kernel_compiler::analysis::{Analysis, unroll_updates};
use kernel_compiler::ir::{Check, Handle, Module, Query, Statement, Value};
use kernel_core::semantics::extend;
use std::collections::HashMap;

/// Solves a system of two equations in place.
const SOLVE: &str = "fn k(x: &mut [u32], y: &[u32], n: u32) {
    if x.len() >= 4 {
        for j in 0..2_usize {
            for i in j..2 {
                let mut sum = x[i * 2 + j];
                for k in 0..j { sum -= x[i * 2 + k] * x[j * 2 + k] + n; }
                x[i * 2 + j] = sum;
            }
        }
    }
}";

/// Goes over a row of elements of which each is made of the one before.
const CHAIN: &str = "fn k(x: &mut [u32], y: &[u32], n: u32) {
    let i = global_id(0);
    if 4 <= x.len() {
        let part = &mut x[0..4];
        for round in 0..n {
            for k in 1..4_usize { if k as u32 != round { part[k] = 3 * part[k - 1] + i as u32; } }
        }
    }
}";

fn unrolled(module: &Module) -> (Module, Analysis) {
    let (mut unrolled, mut analysis) = (module.clone(), Analysis::of(module));
    unroll_updates(&mut unrolled, &mut analysis);
    assert_eq!(unrolled.verify(), Ok(()));
    (unrolled, analysis)
}

fn loops(module: &Module) -> usize {
    let mut found = 0;
    module.body.for_each_statement(&mut |statement| {
        found += usize::from(matches!(statement, Statement::Loop { .. }))
    });
    found
}

/// How many loops a kernel has, and how many once those are written out.
fn counts(source: &str) -> [usize; 2] {
    let module = discharged(source, None);
    [loops(&module), loops(&unrolled(&module).0)]
}

#[test]
fn loops_are_written_out_that_load_what_they_have_stored() {
    assert_eq!(
        counts(SOLVE),
        [3, 3],
        "of the innermost loop, which stores nothing, there is one for each pass around it"
    );
    assert_eq!(counts(CHAIN), [2, 1], "how often the other one is gone through is not known");
}

#[test]
fn other_loops_stay() {
    let same = "fn k(x: &mut [u32]) { if x.len() >= 4 { for k in 0..4_usize { x[k] += 1; } } }";
    assert_eq!(counts(same), [1, 1], "each element is loaded before it is stored to, once");
    let read = "fn k(x: &[u32], y: &mut [u32]) {
        if x.len() >= 8 && y.len() >= 4 { for k in 0..4_usize { y[k] = x[k] + x[k + 4]; } }
    }";
    assert_eq!(counts(read), [1, 1], "another slice is loaded from");
    let checked = "fn k(x: &mut [u32]) { for k in 0..4_usize { x[k + 1] = x[k]; } }";
    assert_eq!(counts(checked), [1, 1], "checks are not multiplied");
    let long = "fn k(x: &mut [u32]) { if x.len() >= 101 { for k in 0..100_usize { x[k + 1] = x[k]; } } }";
    assert_eq!(counts(long), [1, 1], "there are too many passes");
}

#[test]
fn the_same_is_stored() {
    compare(&[SOLVE, CHAIN], 0, |module, _| unrolled(module).0);
}

/// What is said of values and is not true.
struct Lies<'a> {
    module: &'a Module,
    analysis: &'a Analysis,
    known: usize,
    found: Vec<Handle<Value>>,
}

impl Observer for Lies<'_> {
    fn check(&mut self, _: Check, _: bool) {}

    fn value(&mut self, value: Handle<Value>, bits: u64) {
        let scalar = self.module.scalar(self.module.values[value].ty);
        if let (Some(scalar), Some(range)) = (scalar, self.analysis.range(value)) {
            self.known += 1;
            let number = extend(scalar, bits);
            if number < range.min || number > range.max {
                self.found.push(value);
            }
        }
    }
}

#[test]
fn what_is_known_of_copies_is_true() {
    for source in [SOLVE, CHAIN] {
        let (module, analysis) = unrolled(&discharged(source, None));
        let queries = HashMap::from([((Query::GlobalId, 0), 2)]);
        let inputs = Inputs { parameters: vec![5, 4, 3], queries };
        let mut lies = Lies { module: &module, analysis: &analysis, known: 0, found: Vec::new() };
        run(&module, &inputs, &mut lies);
        assert!(lies.known > 10 && lies.found.is_empty(), "{:?} of {} in\n{module}", lies.found, lies.known);
    }
}
