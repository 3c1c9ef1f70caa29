//! What variables outside functions start as, where that is computed from constants or has addresses of others in it.

use super::globals::ModuleData;
use super::operand::Operand;
use super::{Calls, Escaped, Lowering};
use crate::load::constants::Composite;
use crate::load::{Id, LoadError, Module, Problem};
use crate::program::draft::Step;
use crate::program::{Inst, IntOp, Kind, Value, constants};
use std::collections::HashMap;

/// A scalar of a variable before any kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Initial {
    Bits(u64),
    /// The address of the module's data and so many bytes.
    Address(u64),
}

/// The scalars that variables start as: each with its type, its offset and its initializer.
pub(super) fn computed(
    module: &Module<'_>,
    data: &ModuleData,
    variables: &[(Id, usize, Id)],
) -> Result<Vec<(Id, usize, Vec<Initial>)>, LoadError> {
    if variables.is_empty() {
        return Ok(Vec::new());
    }
    let escaped = Escaped::default();
    let mut lowering = Lowering::new(module, data, &escaped, Calls::Noted(Vec::new()));
    lowering.constant_ops()?;
    let known = results(&lowering);
    let scalars = |&(ty, start, initializer): &(Id, usize, Id)| {
        let (own, operand) = lowering.lookup(initializer)?;
        let Operand::Values(values) = operand else {
            return Err(Problem::Expected { what: "a constant", id: initializer }.into());
        };
        if own != ty {
            return Err(Problem::TypeMismatch("a variable and its initializer").into());
        }
        let scalar = |&value| initial(&lowering, &known, value);
        let scalars = values.iter().map(scalar).collect::<Option<Vec<_>>>();
        let scalars = scalars.ok_or(Problem::Unsupported("what this variable starts as"))?;
        Ok((ty, start, scalars))
    };
    variables.iter().map(scalars).collect()
}

/// What the instructions that have been lowered compute, as far as it is known.
fn results(lowering: &Lowering<'_, '_>) -> HashMap<Value, Initial> {
    let mut known = HashMap::new();
    for step in lowering.builder.steps() {
        let Step::Inst(mut inst) = *step else { continue };
        let Some(result) = inst.result() else { continue };
        let mut operands = Vec::with_capacity(3);
        inst.visit_operands(&mut |operand| operands.push(initial(lowering, &known, *operand)));
        let operands: Option<Vec<_>> = operands.into_iter().collect();
        if let Some(scalar) = operands.and_then(|operands| computed_by(&inst, &operands)) {
            known.insert(result, scalar);
        }
    }
    known
}

fn initial(lowering: &Lowering<'_, '_>, known: &HashMap<Value, Initial>, value: Value) -> Option<Initial> {
    let builder = &lowering.builder;
    let constant = builder.constant_bits(value).map(Initial::Bits);
    let address = || builder.module_data(value).map(|offset| Initial::Address(offset.into()));
    constant.or_else(address).or_else(|| known.get(&value).copied())
}

/// Addresses can be moved; all else is computed from numbers.
fn computed_by(inst: &Inst, operands: &[Initial]) -> Option<Initial> {
    use Initial::{Address, Bits};
    Some(match (*inst, operands) {
        (
            Inst::Int(IntOp::Add, Kind::I64, ..),
            &([Address(base), Bits(offset)] | [Bits(offset), Address(base)]),
        ) => Address(base.wrapping_add(offset)),
        (Inst::Address { scale, offset, .. }, &[Address(base), Bits(index)]) => {
            Address(base.wrapping_add(index.wrapping_mul(scale as u64)).wrapping_add(offset as u64))
        }
        _ => {
            let bits = operands.iter().map(|operand| match operand {
                Bits(bits) => Some(*bits),
                Address(_) => None,
            });
            Bits(constants::result(inst, &bits.collect::<Option<Vec<_>>>()?)?)
        }
    })
}

impl Lowering<'_, '_> {
    /// The type and the scalars of a composite of which not all parts are known constants. What is computed from constants
    /// has been computed when a kernel begins, so that this is there everywhere.
    pub(super) fn composite_of_addresses(
        &mut self,
        id: Id,
        composite: &Composite,
    ) -> Result<(Id, Operand), LoadError> {
        let mut values = Vec::new();
        for &part in &composite.parts {
            let (_, Operand::Values(part)) = self.lookup(part)? else {
                return Err(Problem::Expected { what: "a constant", id: part }.into());
            };
            self.copy_scalars(part.len())?;
            values.extend(part);
        }
        let operand = (composite.ty, Operand::Values(values));
        self.constants.insert(id, operand.clone());
        Ok(operand)
    }
}
