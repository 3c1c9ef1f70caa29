//! Passes over a kernel after which it does the same.

use crate::interpreter::{Inputs, Observer, run};
use crate::random::{Random, kernel};
use crate::source::discharged;
use kernel_compiler::analysis::{Analysis, discharge};
use kernel_compiler::ir::{
    Base, Block, Check, Handle, Index, Module, Op, Place, Query, Statement, Step, Type, Value, Variable,
};
use kernel_core::Scalar;
use proc_macro2::Span;
use std::collections::HashMap;

/// What anybody can see of a work-item: what it stores, and the site of its fault.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    stores: Vec<(Base, u64, u64)>,
    fault: Option<usize>,
}

impl Observer for Seen {
    fn check(&mut self, check: Check, holds: bool) {
        if let (Check::At(site), false, None) = (check, holds, self.fault) {
            self.fault = Some(site.index());
        }
    }

    fn value(&mut self, _: Handle<Value>, _: u64) {}

    fn store(&mut self, base: Base, index: u64, value: u64) {
        if !matches!(base, Base::Variable(_)) {
            self.stores.push((base, index, value));
        }
    }
}

/// Has variables hold zeros at first, since what they hold otherwise may differ between runs.
fn initialise(module: &mut Module) {
    let ty = |module: &mut Module, scalar: Scalar| module.types.intern(Type::Scalar(scalar));
    let constant = |module: &mut Module, ty, bits| {
        module.values.push(Value { ty, op: Op::Constant(bits), span: Span::call_site() })
    };
    let variables: Vec<(Handle<Variable>, _)> =
        module.variables.iter().map(|(handle, variable)| (handle, variable.ty)).collect();
    let mut stores = Vec::new();
    for (variable, of) in variables {
        let (element, len) = match module.types[of] {
            Type::Array { element, len } => (element, Some(len)),
            _ => (of, None),
        };
        let value = constant(module, element, 0);
        let usize = ty(module, Scalar::Usize);
        for position in 0..len.unwrap_or(1) {
            let index = constant(module, usize, position.into());
            let step = Step::Index(Index { index, check: Check::Proved });
            let path = if len.is_some() { vec![step] } else { Vec::new() };
            let place = Place { base: Base::Variable(variable), path };
            stores.push(Statement::Store { place, value });
        }
    }
    let Block { statements, .. } = &mut module.body;
    statements.splice(0..0, stores);
}

/// Compares runs of random kernels with those of what they become; how many become something else, and how many runs fault.
pub(crate) fn compare_random_kernels(change: impl Fn(&Module, &Analysis) -> Module) -> (usize, usize) {
    let (mut changed, mut faults) = (0, 0);
    for seed in 0..80 {
        let mut module = kernel(seed);
        initialise(&mut module);
        let analysis = Analysis::of(&module);
        discharge(&mut module, &analysis);
        let together = change(&module, &analysis);
        if module.to_string() == together.to_string() {
            continue;
        }
        changed += 1;
        let mut random = Random(seed);
        for _ in 0..60 {
            let parameters = module.parameters.iter().map(|_| random.integer(Scalar::U8)).collect();
            let mut queries = HashMap::new();
            for (_, value) in module.values.iter() {
                if let Op::Query(query, dimension) = value.op {
                    queries.entry((query, dimension)).or_insert_with(|| random.below(9) as u64);
                }
            }
            let inputs = Inputs { parameters, queries };
            let [mut expected, mut found] = [Seen::default(), Seen::default()];
            let have_ended = [run(&module, &inputs, &mut expected), run(&together, &inputs, &mut found)];
            if have_ended != [true; 2] {
                continue;
            }
            assert_eq!(found, expected, "{inputs:?} in\n{module}\n{together}");
            faults += usize::from(expected.fault.is_some());
        }
    }
    (changed, faults)
}

/// Compares runs of kernels of three parameters with those of what they become, in all launches with small numbers; there are more outcomes than so many.
pub(crate) fn compare(sources: &[&str], outcomes: usize, change: impl Fn(&Module, &Analysis) -> Module) {
    let mut seen = HashMap::new();
    for source in sources {
        let module = discharged(source, None);
        let together = change(&module, &Analysis::of(&module));
        assert_ne!(module.to_string(), together.to_string());
        for case in 0..5_u64.pow(4) {
            let digit = |position: u32| case / 5_u64.pow(position) % 5;
            let queries = HashMap::from([((Query::GlobalId, 0), digit(3))]);
            let inputs = Inputs { parameters: (0..3).map(digit).collect(), queries };
            let [mut expected, mut found] = [Seen::default(), Seen::default()];
            assert!(run(&module, &inputs, &mut expected) && run(&together, &inputs, &mut found));
            assert_eq!(found, expected, "{inputs:?} in\n{together}");
            *seen.entry((*source, expected.fault)).or_insert(0) += 1;
        }
    }
    assert!(seen.len() > outcomes, "checks are the first to fail in some launch: {seen:?}");
}
