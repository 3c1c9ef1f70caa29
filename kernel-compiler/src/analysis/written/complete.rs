//! Stores of zeros where stores are left out, which is cheaper than filling all there is.
//!
//! In `if i < n { tile[l] = x[i]; } barrier();` each work-item has an element of its own, which nobody else accesses before the barrier. So it may as well store
//! there in any case, a zero where the condition does not hold: `tile[l] = if i < n { x[i] } else { 0 }`. That is done where nothing has to be filled then, and where each work-item has an element, whatever the condition says: it may
//! be what keeps work-items from elements that are not there.

use super::walk::orders_local;
use super::{Object, object_of, unwritten};
use crate::analysis::Analysis;
use crate::hash::HashSet;
use crate::ir::{
    Base, Block, Check, End, Group, Handle, Index, Module, Op, Place, Query, Statement, Step, Type, Value,
    Variable,
};

/// Adds the stores of zeros that spare a work-group the filling of local memory.
pub fn complete_stores(module: &mut Module, analysis: &Analysis) {
    let mut left = unwritten(module, analysis);
    for object in left.clone() {
        let Some((position, places)) = incomplete(module, analysis, object) else { continue };
        let before = module.clone();
        store_always(module, position, places);
        let now = unwritten(module, analysis);
        if now.contains(&object) {
            *module = before;
        } else {
            left = now;
        }
        if left.is_empty() {
            break;
        }
    }
}

/// Has a statement keep what it stores in variables, and zeros where it does not, and stores these after it.
fn store_always(module: &mut Module, position: usize, places: Vec<Place>) {
    let mut after = Vec::new();
    for place in places {
        let (ty, span) = (module.place_type(&place), proc_macro2::Span::call_site());
        let variable = module.variables.push(Variable { name: String::new(), ty });
        let kept = Place { base: Base::Variable(variable), path: Vec::new() };
        let zero = module.values.push(Value { ty, op: Op::Constant(0), span });
        let value = module.values.push(Value { ty, op: Op::Load(kept.clone()), span });
        if let Statement::If { accept, reject, .. } = &mut module.body.statements[position] {
            for statement in &mut accept.statements {
                if let Statement::Store { place: stored, .. } = statement
                    && *stored == place
                {
                    *stored = kept.clone();
                }
            }
            reject.statements.push(Statement::Store { place: kept, value: zero });
        }
        after.extend([Statement::Evaluate(value), Statement::Store { place, value }]);
    }
    module.body.statements.splice(position + 1..position + 1, after);
}

/// The statement on whose condition each work-item stores something of its own to an object before anybody else may look at it, and where.
fn incomplete(module: &Module, analysis: &Analysis, object: Object) -> Option<(usize, Vec<Place>)> {
    let statements = &module.body.statements;
    let first = statements.iter().position(|statement| touches(module, statement, object))?;
    let Statement::If { accept, reject, .. } = &statements[first] else { return None };
    let barrier = statements[first + 1..].iter().find(|statement| {
        let is_phase = is_barrier(statement);
        is_phase || has_barrier(statement) || touches(module, statement, object)
    })?;
    if !is_barrier(barrier) || !reject.does_nothing() || is_left(accept) {
        return None;
    }
    let inside = computed_in(accept);
    let mut places = Vec::new();
    for statement in &accept.statements {
        match statement {
            Statement::Store { place, .. } if may_be(module, place.base, object) => {
                let is_outside = |value: Handle<Value>| !inside.contains(&value);
                let mut is_known =
                    matches!(place.base, Base::Local(_)) || object_is_slice(module, place.base);
                place.for_each_operand(&mut |value| is_known &= is_outside(value));
                if !is_known || !is_own(module, analysis, place) || !is_always_there(module, analysis, place)
                {
                    return None;
                }
                if !places.contains(place) {
                    places.push(place.clone());
                }
            }
            other if touches(module, other, object) => return None,
            _ => {}
        }
    }
    Some((first, places))
}

/// Returns whether control may go elsewhere from a block than to what follows it.
fn is_left(block: &Block) -> bool {
    let mut inside = HashSet::default();
    block.for_each_statement(&mut |statement| {
        if let Statement::Loop { label, .. } = statement {
            inside.insert(*label);
        }
    });
    block.any(|block| match block.end {
        End::Next => false,
        End::Break(label) | End::Continue(label) => !inside.contains(&label),
        End::Return => true,
    })
}

/// Returns whether each work-item has a place for itself: one of its steps is its number, or each of its ids is one.
fn is_own(module: &Module, analysis: &Analysis, place: &Place) -> bool {
    let mut dimensions = HashSet::default();
    for step in &place.path {
        match step {
            Step::Index(index) if index.check == Check::Proved => match analysis.query(index.index) {
                Some((Query::LocalLinearId, _)) => dimensions.extend(0..3),
                Some((Query::LocalId, dimension)) => dimensions.extend([dimension]),
                _ => {}
            },
            Step::Member(_) => {}
            Step::Index(_) | Step::Run { .. } => return false,
        }
    }
    let is_number = matches!(module.types[module.place_type(place)], Type::Scalar(_) | Type::Vector { .. });
    is_number && (0..module.rank()).all(|dimension| dimensions.contains(&dimension))
}

/// Returns whether a place is there for each work-item of a group that the kernel may be launched with.
fn is_always_there(module: &Module, analysis: &Analysis, place: &Place) -> bool {
    let is_below = |index: &Index, len: u32| {
        analysis.range(index.index).is_some_and(|range| range.min >= 0 && range.max < len.into())
    };
    let mut ty = module.place_type(&Place { base: place.base, path: Vec::new() });
    place.path.iter().all(|step| {
        let (is_there, below) = match (&module.types[ty], step) {
            (Type::Array { element, len }, Step::Index(index)) => (is_below(index, *len), *element),
            (Type::Vector { element, lanes }, Step::Index(index)) => (is_below(index, *lanes), *element),
            (Type::Struct { members, .. }, Step::Member(position)) => (true, members[*position as usize].ty),
            _ => return false,
        };
        ty = below;
        is_there
    })
}

/// Returns whether a path starts at the slice that a parameter is.
fn object_is_slice(module: &Module, base: Base) -> bool {
    matches!(base, Base::Slice(slice) if matches!(module.values[slice].op, Op::Parameter(_)))
}

fn is_barrier(statement: &Statement) -> bool {
    matches!(statement, Statement::Barrier(_, Group::WorkGroup, fence) if orders_local(*fence))
}

fn has_barrier(statement: &Statement) -> bool {
    statement.any(is_barrier)
}

/// The values that a block computes.
fn computed_in(block: &Block) -> HashSet<Handle<Value>> {
    let mut found = HashSet::default();
    block.for_each_statement(&mut |statement| {
        if let Statement::Evaluate(value) = statement {
            found.insert(*value);
        }
    });
    found
}

/// Returns whether a path may start in an object.
fn may_be(module: &Module, base: Base, object: Object) -> bool {
    let is_local = module.is_local(&Place { base, path: Vec::new() });
    is_local && object_of(module, base).is_none_or(|other| other == object)
}

/// Returns whether a statement, or one in it, may access an object.
fn touches(module: &Module, statement: &Statement, object: Object) -> bool {
    let one = |statement: &Statement| match statement {
        Statement::Store { place, .. } => may_be(module, place.base, object),
        Statement::Evaluate(value) => match &module.values[*value].op {
            Op::GroupCopy(copy) => {
                [copy.to, copy.from].into_iter().any(|slice| may_be(module, Base::Slice(slice), object))
            }
            Op::BlockAccess(access) => may_be(module, access.place.base, object),
            op => op.place().is_some_and(|place| may_be(module, place.base, object)),
        },
        _ => false,
    };
    statement.any(one)
}
