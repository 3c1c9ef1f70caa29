//! Launches so small that their indices have 32 bits.
//!
//! The version of a kernel without the checks that the host makes is also one for slices and launches that are not too large: then most of its numbers fit in 32 bits,
//! and GPUs compute these several times as fast. The host finds out whether a launch is small, as another condition.
//!
//! The checks are cheaper in such launches too. So there is a version with all of them for those that meet no other conditions. Of an index that is checked it is to be known that it fits in 32 bits,
//! where the host can tell: then its check is a comparison of 32 bits.

use super::{Kept, Number};
use crate::analysis::term::{Node, Term};
use crate::analysis::walk::Walk;
use crate::analysis::{Analysis, Interval};
use crate::hash::HashSet;
use crate::ir::{Check, Handle, Math, Module, Op, Place, Query, Statement, Type, Value};
use kernel_core::hoisted::hold;
use kernel_core::semantics::BinaryOp;
use kernel_core::{ExactOp, LaunchFacts, LaunchStep, Scalar};

/// The most elements of a slice and work-items in a small launch.
const MOST: i128 = i32::MAX as i128;
/// The most that is passed by value, so that the sum of two such numbers fits in an `i32`.
const MOST_VALUE: i128 = MOST / 2;

/// How many sums and products the host bounds besides.
const MOST_BOUNDS: usize = 4;
/// How many it bounds where checks are made, which are asked for their indices too.
const MOST_BOUNDS_OF_CHECKS: usize = 12;

/// What is small in a launch: all slices, the sizes of the launch, and numbers that are passed by value.
#[derive(Clone, Debug)]
pub struct Small {
    slices: Vec<u32>,
    dimensions: u8,
    /// The numbers of which conditions are made anyway, so that none that has nothing to do with sizes is asked to be small, with their types.
    values: Vec<(u32, Scalar)>,
    conditions: Vec<Number>,
    /// What holds anyway where there is such a launch.
    known: Vec<Number>,
    /// The values that have to fit in 32 bits themselves so that what is made of them can be computed in 32 bits.
    compared: HashSet<Handle<Value>>,
    most_bounds: usize,
}

impl Small {
    /// What is small in launches that meet the conditions under which the host makes checks.
    #[must_use]
    pub fn of(module: &Module, kept: &Kept) -> Option<Self> {
        let small = Self::of_any(module, kept)?;
        Some(Self { known: kept.conditions.clone(), ..small })
    }

    /// What is small in launches of a kernel with its checks, which need not meet these conditions.
    #[must_use]
    pub fn checked(module: &Module, kept: &Kept) -> Option<Self> {
        let mut small = Self::of_any(module, kept)?;
        small.compared.extend(checked_indices(module));
        Some(Self { most_bounds: MOST_BOUNDS_OF_CHECKS, ..small })
    }

    fn of_any(module: &Module, kept: &Kept) -> Option<Self> {
        let slices = module.parameters.iter().zip(0..);
        let slices = slices.filter(|(parameter, _)| matches!(module.types[parameter.ty], Type::Slice { .. }));
        let slices: Vec<u32> = slices.map(|(_, position)| position).collect();
        let values = values_in(module, &kept.conditions);
        let dimensions = module.rank().clamp(1, 3);
        let name = |position: u32| module.parameters[position as usize].name.as_str();
        let sizes = (0..dimensions)
            .map(|dimension| (LaunchStep::GlobalSize(dimension), format!("global_size({dimension})")));
        let lens = slices.iter().map(|slice| (LaunchStep::Len(*slice), format!("{}.len()", name(*slice))));
        let counts = sizes.chain(lens).map(|(step, name)| Number::Given(step, name.into()));
        let numbers = values.iter().map(|&(argument, scalar)| {
            Number::Given(LaunchStep::Value { argument, offset: 0, scalar }, name(argument).into())
        });
        let all = [at_most(counts, MOST), at_most(numbers, MOST_VALUE)];
        let conditions: Vec<_> = all.into_iter().flatten().collect();
        let is_said = conditions.iter().all(|condition| condition.steps().is_some());
        let (known, compared, most_bounds) = (Vec::new(), compared(module), MOST_BOUNDS);
        is_said.then_some(Self { slices, dimensions, values, conditions, known, compared, most_bounds })
    }

    /// What the host has to find.
    #[must_use]
    pub fn conditions(&self) -> &[Number] {
        &self.conditions
    }

    /// Returns whether a condition holds where the others do.
    fn implies(&self, condition: &Number) -> bool {
        let is_small = |number: &Number| match number {
            Number::Given(LaunchStep::Len(position), _) => self.slices.contains(position),
            Number::Given(LaunchStep::Value { argument, offset: 0, scalar }, _) => {
                self.values.contains(&(*argument, *scalar))
            }
            Number::Given(LaunchStep::GlobalSize(_) | LaunchStep::NumGroups(_), _) => true,
            _ => false,
        };
        let is_implied = match condition {
            Number::Exact(ExactOp::AtMost, sides) => {
                is_small(&sides[0]) && matches!(sides[1], Number::Constant(MOST..))
            }
            _ => false,
        };
        is_implied || self.known.contains(condition)
    }
}

/// Returns whether a kernel has products or quotients of type `usize` that may not fit in 32 bits, so that a version for small launches is worth its room.
#[must_use]
pub fn has_wide_products(module: &Module, analysis: &Analysis) -> bool {
    let is_wide = |value: Handle<Value>| {
        let Value { ty, op, .. } = &module.values[value];
        let Op::Binary { op, left, right, .. } = op else { return false };
        let is_product = match op {
            BinaryOp::Mul => true,
            // Shifts and masks are as good.
            BinaryOp::Div | BinaryOp::Rem => match module.values[*right].op {
                Op::Constant(divisor) => !divisor.is_power_of_two(),
                _ => true,
            },
            _ => false,
        };
        let fits =
            |value| analysis.range(value).is_some_and(|range| range.is_within(Interval::of(Scalar::U32)));
        let is_narrow = fits(value) && fits(*left) && fits(*right);
        is_product && module.scalar(*ty) == Some(Scalar::Usize) && !is_narrow
    };
    let mut found = false;
    module.body.for_each_statement(&mut |statement| {
        found |= matches!(statement, Statement::Evaluate(value) if is_wide(*value));
    });
    found
}

/// Returns whether numbers of type `usize` fit in 32 bits in small launches that need not in others.
#[must_use]
pub fn narrows(module: &Module, of_small: &Analysis, of_all: &Analysis) -> bool {
    let fits = |analysis: &Analysis, value| {
        analysis.range(value).is_some_and(|range| range.is_within(Interval::of(Scalar::U32)))
    };
    let mut found = false;
    module.body.for_each_statement(&mut |statement| {
        let Statement::Evaluate(value) = statement else { return };
        let Value { ty, op, .. } = &module.values[*value];
        found |= matches!(op, Op::Binary { .. })
            && module.scalar(*ty) == Some(Scalar::Usize)
            && fits(of_small, *value)
            && !fits(of_all, *value);
    });
    found
}

/// Returns whether the greatest of some numbers is no more than that.
fn at_most(numbers: impl Iterator<Item = Number>, most: i128) -> Option<Number> {
    let greatest = numbers.reduce(|one, other| Number::exact(ExactOp::Max, one, other))?;
    Some(Number::exact(ExactOp::AtMost, greatest, Number::Constant(most)))
}

/// Returns whether a condition holds in a launch with numbers that are not great. One that bounds by the greatest number of a type may hold in hardly any.
fn is_met_by_many(condition: &Number) -> bool {
    condition.steps().is_some_and(|steps| hold(&steps, &Usual))
}

/// A launch with numbers that are not great.
struct Usual;

impl LaunchFacts for Usual {
    fn len(&self, _: u32) -> Option<u64> {
        Some(1 << 12)
    }

    fn image_size(&self, _: u32, _: u32) -> Option<u64> {
        Some(1 << 4)
    }

    fn value(&self, _: u32, _: u32, _: Scalar) -> Option<u64> {
        Some(1 << 4)
    }

    fn global_size(&self, _: u8) -> Option<u64> {
        Some(1 << 4)
    }

    fn local_size(&self, _: u8) -> Option<u64> {
        Some(1 << 4)
    }

    fn specialization(&self, _: u32) -> Option<u64> {
        Some(1 << 4)
    }
}

/// The parameters of type `usize`, or converted to it from `u32`, that are in conditions.
fn values_in(module: &Module, conditions: &[Number]) -> Vec<(u32, Scalar)> {
    let widened = widened(module);
    let mut values = Vec::new();
    let mut note = |step| {
        let LaunchStep::Value { argument, offset: 0, scalar } = step else { return };
        let is_of_size = match scalar {
            Scalar::Usize => is_scalar(module, argument),
            Scalar::U32 => widened.contains(&argument),
            _ => false,
        };
        if is_of_size && !values.contains(&(argument, scalar)) {
            values.push((argument, scalar));
        }
    };
    conditions.iter().for_each(|condition| condition.for_each_given(&mut note));
    values
}

/// The parameters of type `u32` that are converted to `usize`.
fn widened(module: &Module) -> HashSet<u32> {
    let widened = module.values.iter().filter_map(|(_, value)| match value.op {
        Op::Cast(from) if module.scalar(value.ty) == Some(Scalar::Usize) => Some(from),
        _ => None,
    });
    let of_word = widened.filter(|from| module.scalar(module.values[*from].ty) == Some(Scalar::U32));
    let parameters = of_word.filter_map(|from| match module.values[from].op {
        Op::Parameter(position) => Some(position),
        _ => None,
    });
    parameters.collect()
}

/// The indices that are checked.
fn checked_indices(module: &Module) -> HashSet<Handle<Value>> {
    let mut found = HashSet::default();
    let mut look = |place: &Place| {
        let checked = place.indices().filter(|index| index.check != Check::Proved);
        found.extend(checked.map(|index| index.index));
    };
    module.values.iter().filter_map(|(_, value)| value.op.place()).for_each(&mut look);
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Store { place, .. } = statement {
            look(place);
        }
    });
    found
}

/// The numbers that are compared, divided or made floats.
fn compared(module: &Module) -> HashSet<Handle<Value>> {
    let mut found = HashSet::default();
    for (_, value) in module.values.iter() {
        match &value.op {
            Op::Binary { op, left, right, .. }
                if op.is_comparison() || matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr) =>
            {
                found.extend([*left, *right]);
            }
            Op::Cast(operand) if module.scalar(value.ty).is_some_and(Scalar::is_float) => {
                found.insert(*operand);
            }
            Op::Math(Math::Min | Math::Max, operands) => found.extend(operands.iter().copied()),
            _ => {}
        }
    }
    found.retain(|value| module.scalar(module.values[*value].ty) == Some(Scalar::Usize));
    found
}

fn is_scalar(module: &Module, parameter: u32) -> bool {
    let parameter = module.parameters.get(parameter as usize);
    parameter.is_some_and(|parameter| module.scalar(parameter.ty).is_some())
}

impl<'a> Walk<'a> {
    /// Takes it that launches are small.
    pub(in crate::analysis) fn presume(&mut self, small: Option<&'a Small>) {
        self.small = small;
        small.into_iter().for_each(|small| self.learn_small(small));
    }

    /// Learns that a launch is small.
    fn learn_small(&mut self, small: &Small) {
        for &slice in &small.slices {
            let slice = self.knowledge.terms.intern(Node::Parameter(slice), Scalar::Usize);
            self.learn_most(Node::Len(slice), Scalar::Usize, MOST);
        }
        for &(value, scalar) in &small.values {
            self.learn_most(Node::Parameter(value), scalar, MOST_VALUE);
        }
        for dimension in 0..small.dimensions {
            let size = self.module.attributes.group_size.map_or(1, |size| size[usize::from(dimension)]);
            let groups = MOST / i128::from(size.max(1));
            let limits = [
                (Query::GlobalSize, MOST),
                (Query::GlobalId, MOST - 1),
                (Query::NumGroups, groups),
                (Query::GroupId, groups - 1),
            ];
            for (query, most) in limits {
                self.learn_most(Node::Query(query, dimension), Scalar::Usize, most);
            }
        }
    }

    /// Has the host find out that a value fits in 32 bits, where it is computed, if that is to be known and it can.
    pub(in crate::analysis) fn have_fit(&mut self, value: Handle<Value>, term: Term) {
        let fits = Interval::of(Scalar::U32);
        let Some(small) = self.small.filter(|small| small.compared.contains(&value)) else { return };
        if self.knowledge.range(term).is_within(fits) {
            return;
        }
        // The sums of two small numbers fit too, so that they come first if nothing has to hold for them that does not hold anyway.
        let limits = [(MOST, self.seen.bounds.len()), (fits.max, small.most_bounds)];
        for (most, most_bounds) in limits {
            let Some(found) = self.bounded_in_launch(term, most) else { continue };
            let mut further = self.seen.bounds.clone();
            let is_new =
                |condition: &Number| !small.implies(condition) && !self.seen.bounds.contains(condition);
            further.extend(found.into_iter().filter(is_new));
            let is_usual = further[self.seen.bounds.len()..].iter().all(is_met_by_many);
            if is_usual && further.len() <= most_bounds {
                self.seen.bounds = further;
                self.knowledge.learn_range(term, Interval::up_to(most));
                return;
            }
        }
    }

    fn learn_most(&mut self, node: Node, scalar: Scalar, most: i128) {
        let term = self.knowledge.terms.intern(node, scalar);
        self.knowledge.learn_range(term, Interval::up_to(most));
    }
}
