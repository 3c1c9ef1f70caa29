//! Constants as bit patterns, one for each scalar of the value.

use super::Id;
use super::error::{LoadError, Problem};
use super::types::{MAX_LEAVES, Type, Types};
use super::words::Instruction;
use crate::load::grammar::Op;
use std::collections::HashMap;

/// A constant: its type and its scalars.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    pub(crate) ty: Id,
    pub(crate) bits: Vec<u64>,
}

/// A composite constant of which a part is an address, or computed from other constants.
#[derive(Clone, Debug)]
pub(crate) struct Composite {
    pub(crate) ty: Id,
    pub(crate) parts: Vec<Id>,
}

/// The constants of a module by id.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    by_id: HashMap<Id, Constant>,
    composites: HashMap<Id, Composite>,
    /// How many scalars all constants together have.
    total: u64,
}

/// The most scalars that the constants of a module may have together.
const MAX_TOTAL: u64 = 1 << 22;

impl Constants {
    pub(crate) fn get(&self, id: Id) -> Option<&Constant> {
        self.by_id.get(&id)
    }

    /// The composite of this id, if not all of it is known yet.
    pub(crate) fn composite(&self, id: Id) -> Option<&Composite> {
        self.composites.get(&id)
    }

    /// The value of an integer constant, zero-extended.
    pub(crate) fn integer(&self, id: Id, types: &Types) -> Option<u64> {
        let constant = self.by_id.get(&id)?;
        let is_integer = matches!(types.get(constant.ty), Ok(Type::Scalar(kind)) if !kind.is_float());
        if is_integer { constant.bits.first().copied() } else { None }
    }

    /// Takes a constant; `specialized` is the value from outside for a specialization constant, and `computed` knows the types of variables
    /// and of what is computed from other constants.
    pub(crate) fn declare(
        &mut self,
        inst: &Instruction<'_>,
        types: &Types,
        specialized: Option<u64>,
        computed: impl Fn(Id) -> Option<Id>,
    ) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let leaves = types.leaf_count(inst.result_type).map_err(located)?;
        self.total = self.total.saturating_add(leaves);
        if leaves > MAX_LEAVES.max(1 << 20) || self.total > MAX_TOTAL {
            return Err(inst.error(Problem::TooLarge("constants")));
        }
        let is_matrix = matches!(types.get(inst.result_type), Ok(Type::Matrix(_)));
        let bits = match inst.op {
            Op::ConstantTrue => vec![1],
            Op::ConstantFalse => vec![0],
            Op::SpecConstantTrue => vec![specialized.map_or(1, |bits| u64::from(bits != 0))],
            Op::SpecConstantFalse => vec![specialized.map_or(0, |bits| u64::from(bits != 0))],
            Op::Constant => vec![number(inst, types)?],
            Op::SpecConstant => {
                let default = number(inst, types)?;
                let size = types.scalar(inst.result_type).map_err(located)?.size();
                vec![specialized.map_or(default, |bits| bits & (u64::MAX >> (64 - 8 * size)))]
            }
            Op::ConstantComposite | Op::SpecConstantComposite => match self.parts(inst, types, computed)? {
                Some(bits) if is_matrix => bits.repeat(leaves as usize),
                Some(bits) => bits,
                None if is_matrix => return Err(inst.error(Problem::Unsupported("what this matrix is of"))),
                None => return Ok(()),
            },
            // ConstantNull and Undef.
            _ => vec![0; leaves as usize],
        };
        if bits.len() as u64 != leaves {
            return Err(inst.error(Problem::TypeMismatch("the constituents and the type of a constant")));
        }
        self.insert(inst, Constant { ty: inst.result_type, bits })
    }

    /// Takes a sampler.
    pub(crate) fn declare_sampler(&mut self, inst: &Instruction<'_>, types: &Types) -> Result<(), LoadError> {
        if *types.get(inst.result_type).map_err(|error| inst.error(error.problem))? != Type::Sampler {
            return Err(inst.error(Problem::TypeMismatch("a constant sampler has the type of samplers")));
        }
        self.insert(inst, super::image::sampler(inst)?)
    }

    /// Takes the address of a function.
    pub(crate) fn declare_address(&mut self, inst: &Instruction<'_>, address: u64) -> Result<(), LoadError> {
        self.insert(inst, Constant { ty: inst.result_type, bits: vec![address] })
    }

    fn insert(&mut self, inst: &Instruction<'_>, constant: Constant) -> Result<(), LoadError> {
        match self.by_id.insert(inst.result, constant) {
            None => Ok(()),
            Some(_) => Err(inst.error(Problem::BadId(inst.result))),
        }
    }

    /// The bits of a composite; None if not all are known, and it is kept as a [`Composite`].
    fn parts(
        &mut self,
        inst: &Instruction<'_>,
        types: &Types,
        computed: impl Fn(Id) -> Option<Id>,
    ) -> Result<Option<Vec<u64>>, LoadError> {
        let mut known = Some(Vec::new());
        for (position, id) in inst.constituents().enumerate() {
            let part = self.by_id.get(&id);
            let ty = match (part, self.composites.get(&id)) {
                (Some(part), _) => part.ty,
                (None, Some(composite)) => composite.ty,
                (None, None) => {
                    computed(id).ok_or_else(|| inst.error(Problem::Expected { what: "a constant", id }))?
                }
            };
            let expected = types.part(inst.result_type, position);
            if expected.map_err(|error| inst.error(error.problem))? != Some(ty) {
                return Err(inst.error(Problem::TypeMismatch("the constituents and the type of a constant")));
            }
            known = known.zip(part).map(|(mut bits, part)| {
                bits.extend_from_slice(&part.bits);
                bits
            });
            if known.as_ref().is_some_and(|bits| bits.len() as u64 > MAX_TOTAL) {
                return Err(inst.error(Problem::TooLarge("constants")));
            }
        }
        if known.is_none() {
            let next = types.part(inst.result_type, inst.constituents().count());
            if next.map_err(|error| inst.error(error.problem))?.is_some() {
                return Err(inst.error(Problem::TypeMismatch("the constituents and the type of a constant")));
            }
            let composite = Composite { ty: inst.result_type, parts: inst.constituents().collect() };
            self.composites.insert(inst.result, composite);
        }
        Ok(known)
    }
}

/// The literal number of a scalar constant, zero-extended.
fn number(inst: &Instruction<'_>, types: &Types) -> Result<u64, LoadError> {
    let kind = types.scalar(inst.result_type).map_err(|error| inst.error(error.problem))?;
    let low = u64::from(inst.operand(0)?);
    Ok(match kind.size() {
        8 => low | u64::from(inst.operand(1)?) << 32,
        size => low & (u64::MAX >> (64 - 8 * size)),
    })
}
