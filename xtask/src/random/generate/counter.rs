//! Loops with a counter of their own, in the forms that people write, and the counter as an index.

use super::jump::Target;
use super::scope::Variable;
use super::{Generator, MakeStatement, Maker};
use crate::random::tree::{Node, Statement, Type, fill};
use kernel_core::Scalar;

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(6, counting)];

/// The forms, where `K` is the counter of type `T`, `N` its limit, `L` the label and `$` the body. Whether `continue` ends a pass as it
/// should is said with each.
const FORMS: [(&str, bool); 9] = [
    ("let mut K = 0_T; L: while K < N { $ K += 1; }", false),
    ("let mut K = 1_T; L: while K < N { $ K *= 2; }", false),
    ("let mut K: T = N; L: while K > 0 { K -= 1; $ }", true),
    ("let mut K: T = N; L: while K != 0 { K >>= 1; $ }", true),
    ("let mut K = 0_T; L: loop { if K >= N { break; } $ K += 2; }", false),
    ("let mut K: T = N; L: loop { match K { 0 => break L, n => K = n - 1 } $ }", true),
    ("L: for K in 0_T.. { if K >= N { break; } $ }", true),
    ("L: for K in (0_T..).take(N as usize) { $ }", true),
    ("L: for (K, _) in (0_T..).zip([0_u8; 9]) { if K == N { break L; } $ }", true),
];

/// How many passes there are at most.
const MAX_PASSES: usize = 7;

/// A variable that is always below something.
#[derive(Clone, Debug)]
pub(super) struct Below {
    /// The variable, as a `usize`.
    index: String,
    /// Its number in the scope, by which it is told from one that hides it.
    variable: usize,
    limit: Limit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Limit {
    Number(usize),
    /// The length of a slice.
    Len(String),
}

fn counting(g: &mut Generator) -> Option<Statement> {
    if !g.may_repeat(MAX_PASSES as u64) {
        return None;
    }
    let (form, can_continue) = g.random.pick(&FORMS);
    let (label, name, limit) = (g.name("'l"), g.name("v"), g.name("n"));
    let slice = g.readable_slice().filter(|_| g.random.chance(25));
    let mut parts: Vec<Node> = Vec::new();
    let (scalar, first, written, known) = match slice {
        Some(slice) => {
            let first = format!("let {limit} = {}.len().min({MAX_PASSES}); ", slice.name);
            (Scalar::Usize, first, limit, Limit::Len(slice.name))
        }
        None if g.random.chance(50) => {
            let scalar = g.integer();
            let number = g.random.within(1, MAX_PASSES);
            (scalar, String::new(), number.to_string(), Limit::Number(number))
        }
        None => {
            let scalar = g.integer();
            parts.push(g.value(&Type::Scalar(scalar)).into());
            (scalar, format!("let {limit} = $ & {MAX_PASSES}; "), limit, Limit::Number(MAX_PASSES))
        }
    };
    let index = if scalar == Scalar::Usize { name.clone() } else { format!("({name} as usize)") };
    let target = Target { label: label.clone(), is_loop: can_continue, value: None };
    let ty = Type::Scalar(scalar);
    g.below.push(Below { index, variable: g.scope.next_variable(), limit: known });
    let variables = vec![Variable::new(&name, ty, false)];
    let body = g.in_passes(MAX_PASSES as u64, |g| {
        g.with_variables(variables, |g| g.inside(target, |g| g.unit_block(4)))
    });
    g.below.pop();
    parts.push(body.into());
    let replaced = |word: char| match word {
        'K' => name.clone(),
        'T' => scalar.to_string(),
        'N' => written.clone(),
        'L' => label.clone(),
        other => other.to_string(),
    };
    let form: String = form.chars().map(replaced).collect();
    Some(Statement(fill(&(first + &form), parts)))
}

impl Generator {
    /// A counter that is below a length whatever happens.
    pub(super) fn counter_below(&mut self, len: usize) -> Option<String> {
        let fits = |limit: &Limit| matches!(limit, Limit::Number(number) if *number <= len);
        self.some_counter(fits)
    }

    /// A counter that is below the length of a slice.
    pub(super) fn counter_of(&mut self, slice: &str) -> Option<String> {
        self.some_counter(|limit| matches!(limit, Limit::Len(of) if of == slice))
    }

    fn some_counter(&mut self, fits: impl Fn(&Limit) -> bool) -> Option<String> {
        // The variable may not be known here, or another may have its name or its number.
        let is_known = |below: &&Below| {
            let name = below.index.trim_start_matches('(').split(' ').next().unwrap_or_default();
            self.scope.visible().any(|(number, variable)| number == below.variable && variable.name == name)
        };
        let fitting = self.below.iter().filter(|below| fits(&below.limit)).filter(is_known);
        let fitting: Vec<String> = fitting.map(|below| below.index.clone()).collect();
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting)) }
    }
}
