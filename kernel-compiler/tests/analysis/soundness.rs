//! What the analysis says of a random kernel is true of every run of it.

use crate::interpreter::{Inputs, Observer, run};
use crate::random::{Random, kernel};
use kernel_compiler::analysis::{Analysis, MAX_SIZE, Number, Small, discharge, hoist};
use kernel_compiler::ir::{Check, Fence, Group, Handle, Module, Query, Statement, Type, Value};
use kernel_core::semantics::extend;
use kernel_core::{ExactOp, LaunchCondition, LaunchFacts, LaunchStep, Scalar};
use proc_macro2::Span;
use std::collections::HashMap;

/// What one of the conditions of a check, by its position, is changed to, which has to be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mutant {
    None,
    /// The greater side is one more.
    OffByOne(usize),
    /// It is left out.
    Dropped(usize),
}

/// Compares a run with what was said.
struct Judge<'a> {
    module: &'a Module,
    analysis: &'a Analysis,
    inputs: &'a Inputs,
    mutant: Mutant,
    /// How many checks did not fail because of what the host has found.
    hoisted: usize,
    /// The first thing that was said and is not true.
    lie: Option<String>,
}

impl Judge<'_> {
    /// Returns whether the host finds that all conditions hold.
    fn all_hold(&self, conditions: &[Number]) -> bool {
        conditions.iter().enumerate().all(|(position, condition)| match self.mutant {
            Mutant::Dropped(dropped) if dropped == position => true,
            Mutant::OffByOne(changed) => self.holds(condition, changed == position),
            _ => self.holds(condition, false),
        })
    }

    fn holds(&self, condition: &Number, is_off_by_one: bool) -> bool {
        let mut steps = condition.steps().expect("a condition is not too long");
        if let (true, Some(LaunchStep::Exact(ExactOp::AtMost))) = (is_off_by_one, steps.last()) {
            let more = [LaunchStep::Constant(1), LaunchStep::Exact(ExactOp::Add)];
            steps.splice(steps.len() - 1..steps.len() - 1, more);
        }
        LaunchCondition { text: "", steps: Vec::leak(steps) }.holds(self.inputs)
    }
}

impl LaunchFacts for Inputs {
    fn len(&self, argument: u32) -> Option<u64> {
        self.parameters.get(argument as usize).copied()
    }
    fn image_size(&self, _: u32, _: u32) -> Option<u64> {
        None
    }
    fn value(&self, argument: u32, _: u32, _: Scalar) -> Option<u64> {
        self.parameters.get(argument as usize).copied()
    }
    fn global_size(&self, dimension: u8) -> Option<u64> {
        self.queries.get(&(Query::GlobalSize, dimension)).copied()
    }
    fn local_size(&self, dimension: u8) -> Option<u64> {
        self.queries.get(&(Query::LocalSize, dimension)).copied()
    }
    fn specialization(&self, _: u32) -> Option<u64> {
        None
    }
}

impl Observer for Judge<'_> {
    fn check(&mut self, check: Check, holds: bool) {
        if let (Check::At(site), false) = (check, holds)
            && self.analysis.is_proved(site)
        {
            self.lie.get_or_insert_with(|| format!("the check at !{} fails", site.index()));
        }
        if let Check::At(site) = check
            && let Some(conditions) = self.analysis.launch_conditions(site)
            && self.all_hold(conditions)
        {
            self.hoisted += 1;
            if holds {
                return;
            }
            let texts: Vec<_> = conditions.iter().map(Number::text).collect();
            self.lie.get_or_insert_with(|| format!("the check at !{} fails where {texts:?}", site.index()));
        }
    }

    fn value(&mut self, value: Handle<Value>, bits: u64) {
        let (Some(range), Some(scalar)) =
            (self.analysis.range(value), self.module.scalar(self.module.values[value].ty))
        else {
            return;
        };
        let number = extend(scalar, bits);
        if !range.contains(number) {
            self.lie.get_or_insert_with(|| format!("%{} is {number}, not in {range:?}", value.index()));
        }
    }
}

/// Inputs near the edges, as a launch could have them.
fn inputs(random: &mut Random, module: &Module) -> Inputs {
    let parameters = module.parameters.iter().map(|parameter| match module.types[parameter.ty] {
        Type::Scalar(scalar) => random.integer(scalar),
        // As many elements as a slice of bytes can have.
        _ => random.integer(Scalar::Usize) & i64::MAX as u64,
    });
    let parameters = parameters.collect();
    let required = module.attributes.group_size.map(|size| u64::from(size[0]));
    let local_size = required.unwrap_or_else(|| 1 + random.below(16) as u64);
    let most = MAX_SIZE as u64 / local_size;
    let groups = if random.chance(80) { 1 + random.below(4) as u64 } else { most - random.below(2) as u64 };
    let group = if random.chance(50) { groups - 1 } else { random.bits() % groups };
    let local = if random.chance(50) { local_size - 1 } else { random.bits() % local_size };
    let queries = [
        (Query::GlobalId, group * local_size + local),
        (Query::GlobalSize, groups * local_size),
        (Query::LocalId, local),
        (Query::LocalSize, local_size),
        (Query::GroupId, group),
        (Query::NumGroups, groups),
    ];
    let queries: HashMap<_, _> = queries.into_iter().map(|(query, answer)| ((query, 0), answer)).collect();
    Inputs { parameters, queries }
}

/// Analyses one random kernel and runs it a few times; returns how many checks it has, how many are proved, and how many of the rest did not
/// fail in a run because of what the host has found.
fn judge(seed: u64, runs: usize) -> [usize; 3] {
    judge_mutant(seed, runs, Mutant::None).unwrap_or_else(|lie| panic!("{lie}"))
}

/// The same with other conditions of launches than the analysis has found; or what is not true.
fn judge_mutant(seed: u64, runs: usize, mutant: Mutant) -> Result<[usize; 3], String> {
    let mut module = kernel(seed);
    if seed.is_multiple_of(2) {
        // With a barrier, work-items go on after a fault.
        let barrier = Statement::Barrier(Span::call_site(), Group::WorkGroup, Fence::LocalAndGlobal);
        module.body.statements.push(barrier);
    }
    assert_eq!(module.verify(), Ok(()), "{module}");
    let analysis = Analysis::of(&module);
    let (mut random, mut hoisted) = (Random(!seed), 0);
    for _ in 0..runs {
        let inputs = inputs(&mut random, &module);
        let mut judge =
            Judge { module: &module, analysis: &analysis, inputs: &inputs, mutant, hoisted: 0, lie: None };
        run(&module, &inputs, &mut judge);
        hoisted += judge.hoisted;
        if let Some(lie) = judge.lie {
            return Err(format!("seed {seed}: {lie} with {inputs:?} in\n{module}"));
        }
    }
    let mut discharged = module.clone();
    let kept = discharge(&mut discharged, &analysis);
    assert_eq!(discharged.verify(), Ok(()));
    if mutant == Mutant::None && !kept.is_empty() {
        if let Some(small) = Small::checked(&discharged, &kept) {
            judge_small(&discharged, &[], &small, (&mut random, runs / 3), mutant)?;
        }
        hoist(&mut discharged, &kept);
        assert_eq!(discharged.verify(), Ok(()));
        if let Some(small) = Small::of(&discharged, &kept) {
            judge_small(&discharged, &kept.conditions, &small, (&mut random, runs / 3), mutant)?;
        }
    }
    let checks = module.sites.len();
    let proved = module.sites.iter().filter(|(site, _)| analysis.is_proved(*site)).count();
    Ok([checks, proved, hoisted])
}

/// Runs a kernel in small launches where conditions hold: without the checks that the host makes where these do, or with them in any. A mutant is one of the bounds.
fn judge_small(
    module: &Module,
    conditions: &[Number],
    small: &Small,
    (random, runs): (&mut Random, usize),
    mutant: Mutant,
) -> Result<(), String> {
    let analysis = Analysis::of_small(module, small, &Analysis::of(module));
    for _ in 0..runs {
        let inputs = inputs(random, module);
        let mut judge = Judge { module, analysis: &analysis, inputs: &inputs, mutant, hoisted: 0, lie: None };
        let are_met = judge.all_hold(analysis.bounds());
        judge.mutant = Mutant::None;
        if are_met && judge.all_hold(conditions) && judge.all_hold(small.conditions()) {
            run(module, &inputs, &mut judge);
        }
        if let Some(lie) = judge.lie {
            return Err(format!("{lie} in a small launch with {inputs:?} in\n{module}"));
        }
    }
    Ok(())
}

#[test]
fn no_proved_check_fails_and_no_value_leaves_its_range() {
    let kernels = std::env::var("ANALYSIS_KERNELS").map_or(80, |count| count.parse().expect("a number"));
    let first = std::env::var("ANALYSIS_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let [mut checks, mut proved, mut hoisted] = [0; 3];
    for seed in first..first + kernels {
        let [more_checks, more_proved, more_hoisted] = judge(seed, 24);
        checks += more_checks;
        proved += more_proved;
        hoisted += more_hoisted;
    }
    println!("{proved} of {checks} checks are proved, the host makes {hoisted}");
    assert!(hoisted > 100, "the host makes checks: {hoisted}");
    assert!(proved * 20 > checks, "the test is of something: {proved} of {checks} checks are proved");
}

#[test]
fn conditions_of_launches_that_are_too_weak_are_seen() {
    for mutant in [Mutant::OffByOne(0), Mutant::Dropped(0)] {
        let lies = (1..60).filter(|seed| judge_mutant(*seed, 24, mutant).is_err());
        assert!(lies.count() > 5, "a good part of the kernels shows it");
    }
    // Checks with several conditions are fewer.
    for position in 1..3 {
        for mutant in [Mutant::OffByOne(position), Mutant::Dropped(position)] {
            let is_seen = (1..400).any(|seed| judge_mutant(seed, 24, mutant).is_err());
            assert!(is_seen, "each of the conditions is needed by some kernel: {position}");
        }
    }
}

#[test]
fn bounds_of_small_launches_that_are_too_weak_are_seen() {
    let is_seen = |seed: u64, mutant: Mutant| {
        let mut module = kernel(seed);
        let analysis = Analysis::of(&module);
        let kept = discharge(&mut module, &analysis);
        let Some(small) = Small::checked(&module, &kept) else { return false };
        judge_small(&module, &[], &small, (&mut Random(!seed), 96), mutant).is_err()
    };
    for position in 0..2 {
        let is_dropped = (1..1000).any(|seed| is_seen(seed, Mutant::Dropped(position)));
        assert!(is_dropped, "each of the bounds is needed by some kernel: {position}");
    }
    assert!((1..100).all(|seed| !is_seen(seed, Mutant::None)), "the bounds themselves are enough");
}

/// The test above would see a lie: without the analysis' answer every check is a claim, and many are wrong.
#[test]
fn checks_of_random_kernels_do_fail() {
    struct Failures(usize);
    impl Observer for Failures {
        fn check(&mut self, check: Check, holds: bool) {
            self.0 += usize::from(check != Check::Proved && !holds);
        }
        fn value(&mut self, _: Handle<Value>, _: u64) {}
    }
    let failing = (1..200).filter(|&seed| {
        let (module, mut failures) = (kernel(seed), Failures(0));
        let inputs = inputs(&mut Random(seed), &module);
        run(&module, &inputs, &mut failures);
        failures.0 > 0
    });
    assert!(failing.count() > 50, "a good part of the kernels has a check that fails");
}
