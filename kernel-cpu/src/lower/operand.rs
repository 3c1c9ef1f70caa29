//! What results of the module stand for in the draft.

use super::Lowering;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::draft::Variable;
use crate::program::{BuiltIn, Kind, Value};

/// What a result stands for.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// Its scalars.
    Values(Vec<Value>),
    /// A pointer to a variable that lives in registers.
    Place(Place),
}

/// Where a pointer without an address points to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) storage: Storage,
    /// The type of what is there.
    pub(crate) pointee: Id,
    /// How many scalars of the storage come before it.
    pub(crate) leaf: u64,
}

/// A variable without an address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Storage {
    /// Consecutive variables of the draft.
    Variables(Variable),
    /// An input; the leaves are its dimensions.
    Input(spirv::BuiltIn),
}

impl Lowering<'_, '_> {
    /// The type of an operand and what it stands for.
    pub(super) fn operand(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
    ) -> Result<(Id, Operand), LoadError> {
        let id = inst.operand(index)?;
        self.lookup(id).map_err(|error| inst.error(error.problem))
    }

    /// The type of a result, constant or global variable and what it stands for.
    pub(super) fn lookup(&mut self, id: Id) -> Result<(Id, Operand), LoadError> {
        if let Some(known) = self.operands.get(&id).or_else(|| self.constants.get(&id)) {
            let known = known.clone();
            if let Operand::Values(values) = &known.1 {
                self.copy_scalars(values.len())?;
            }
            return Ok(known);
        }
        if let Some(constant) = self.module.constants.get(id) {
            let leaves = self.module.types.leaves(constant.ty)?;
            let values =
                leaves.iter().zip(&constant.bits).map(|(&(kind, _), &bits)| self.constant(kind, bits));
            let operand = (constant.ty, Operand::Values(values.collect()));
            self.constants.insert(id, operand.clone());
            return Ok(operand);
        }
        if let Some(composite) = self.module.constants.composite(id) {
            return self.composite_of_addresses(id, composite);
        }
        if self.module.globals.contains_key(&id) {
            return self.global(id);
        }
        Err(Problem::Expected { what: "a value that is defined here", id }.into())
    }

    /// The type and the scalars of an operand.
    pub(super) fn values(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
    ) -> Result<(Id, Vec<Value>), LoadError> {
        match self.operand(inst, index)? {
            (ty, Operand::Values(values)) => Ok((ty, values)),
            (_, Operand::Place(_)) => {
                Err(inst.error(Problem::Unsupported("this use of a pointer to an input variable")))
            }
        }
    }

    /// The single scalar of an operand, with its kind.
    pub(super) fn scalar(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
    ) -> Result<(Kind, Value), LoadError> {
        let (ty, values) = self.values(inst, index)?;
        let kind = self.module.types.scalar(ty).map_err(|error| inst.error(error.problem))?;
        match *values {
            [value] => Ok((kind, value)),
            _ => Err(inst.error(Problem::TypeMismatch("a scalar is needed"))),
        }
    }

    /// A scalar or vector operand: the kind of its components and the components.
    pub(super) fn components(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
    ) -> Result<(Kind, Vec<Value>), LoadError> {
        let (ty, values) = self.values(inst, index)?;
        let (kind, _) = self.module.types.components(ty).map_err(|error| inst.error(error.problem))?;
        Ok((kind, values))
    }

    /// Like [`Self::components`], where each must be an integer.
    pub(super) fn integers(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
    ) -> Result<(Kind, Vec<Value>), LoadError> {
        let (kind, values) = self.components(inst, index)?;
        if kind.is_float() || kind == Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("integers are needed")));
        }
        Ok((kind, values))
    }

    /// Like [`Self::components`], where each must be a float; in the kind in which floats of its kind are computed.
    pub(super) fn floats(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
    ) -> Result<(Kind, Vec<Value>), LoadError> {
        let (kind, values) = self.components(inst, index)?;
        if !kind.is_float() {
            return Err(inst.error(Problem::TypeMismatch("floats are needed")));
        }
        self.widen(kind, values)
    }

    /// Like [`Self::components`], where each must be a boolean.
    pub(super) fn booleans(&mut self, inst: &Instruction<'_>, index: usize) -> Result<Vec<Value>, LoadError> {
        let (kind, values) = self.components(inst, index)?;
        if kind != Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("booleans are needed")));
        }
        Ok(values)
    }

    /// The kind and the number of components of the result.
    pub(super) fn result_components(&self, inst: &Instruction<'_>) -> Result<(Kind, usize), LoadError> {
        self.module.types.components(inst.result_type).map_err(|error| inst.error(error.problem))
    }

    /// An integer constant operand.
    pub(super) fn constant_operand(&self, inst: &Instruction<'_>, index: usize) -> Result<u64, LoadError> {
        let id = inst.operand(index)?;
        let value = self.module.constants.integer(id, &self.module.types);
        value.ok_or_else(|| inst.error(Problem::Expected { what: "an integer constant", id }))
    }

    /// Checks a scope of memory. One that is no constant can be left open, since all memory is coherent here.
    pub(super) fn check_memory_scope(&self, inst: &Instruction<'_>, index: usize) -> Result<(), LoadError> {
        // CrossDevice, Device, Workgroup, Subgroup, Invocation.
        match self.module.constants.integer(inst.operand(index)?, &self.module.types) {
            Some(0..=4) | None => Ok(()),
            Some(_) => Err(inst.error(Problem::Environment(
                "the scope of memory must be CrossDevice, Device, Workgroup, Subgroup or Invocation",
            ))),
        }
    }

    /// Lets the result stand for these scalars, once they fit the result type.
    pub(super) fn define(&mut self, inst: &Instruction<'_>, mut values: Vec<Value>) -> Result<(), LoadError> {
        let leaves = self.module.types.leaves(inst.result_type).map_err(|error| inst.error(error.problem))?;
        self.copy_scalars(leaves.len()).map_err(|error| inst.error(error.problem))?;
        for (&(kind, _), value) in leaves.iter().zip(&mut values) {
            *value = self.round_to_half(kind, *value)?;
        }
        let fits = leaves.len() == values.len()
            && leaves.iter().zip(&values).all(|(&(kind, _), &value)| {
                let own = self.builder.kind(value);
                own.size() == kind.size() && (own == Kind::Bool) == (kind == Kind::Bool)
            });
        if !fits {
            return Err(inst.error(Problem::TypeMismatch("the result type and the result")));
        }
        self.operands.insert(inst.result, (inst.result_type, Operand::Values(values)));
        Ok(())
    }

    /// The scalars of an input.
    pub(super) fn input(
        &mut self,
        inst: &Instruction<'_>,
        input: spirv::BuiltIn,
        place: Place,
    ) -> Result<Vec<Value>, LoadError> {
        let leaves = self.module.types.leaves(place.pointee).map_err(|error| inst.error(error.problem))?;
        let mut values = Vec::with_capacity(leaves.len());
        let mask = self.lane_mask(input).map_err(|error| inst.error(error.problem))?;
        for (index, &(kind, _)) in leaves.iter().enumerate() {
            if let Some(mask) = mask {
                if kind != Kind::I32 {
                    return Err(inst.error(Problem::TypeMismatch("a mask of lanes has words of 32 bits")));
                }
                let is_first = place.leaf + index as u64 == 0;
                values.push(if is_first { mask } else { self.constant(Kind::I32, 0) });
                continue;
            }
            let built_in = built_in(input, place.leaf + index as u64)
                .ok_or_else(|| inst.error(Problem::Unsupported("this built-in variable")))?;
            if !matches!(kind, Kind::I32 | Kind::I64) {
                return Err(inst.error(Problem::TypeMismatch("a built-in variable has 32 or 64 bits")));
            }
            values.push(self.builder.preset(kind, crate::program::Preset::BuiltIn(built_in)));
        }
        Ok(values)
    }

    /// Checks that a place holds what an access says it does.
    pub(super) fn check_pointee(
        &self,
        inst: &Instruction<'_>,
        place: Place,
        ty: Id,
    ) -> Result<(), LoadError> {
        if place.pointee == ty || self.same_scalar(place.pointee, ty) {
            return Ok(());
        }
        Err(inst.error(Problem::TypeMismatch("the access and what the pointer points to")))
    }

    /// Whether two declarations are of the same scalar, as when a front end declares signed and unsigned
    /// integers.
    fn same_scalar(&self, a: Id, b: Id) -> bool {
        matches!((self.module.types.get(a), self.module.types.get(b)), (Ok(Type::Scalar(a)), Ok(Type::Scalar(b))) if a == b)
    }
}

/// The dimension `leaf` of an input variable.
fn built_in(input: spirv::BuiltIn, leaf: u64) -> Option<BuiltIn> {
    use spirv::BuiltIn as Spirv;
    let dimension = u8::try_from(leaf).ok().filter(|&leaf| leaf < 3)?;
    Some(match input {
        Spirv::GlobalInvocationId => BuiltIn::GlobalId(dimension),
        Spirv::GlobalSize => BuiltIn::GlobalSize(dimension),
        Spirv::GlobalOffset => BuiltIn::GlobalOffset(dimension),
        Spirv::LocalInvocationId => BuiltIn::LocalId(dimension),
        Spirv::WorkgroupSize | Spirv::EnqueuedWorkgroupSize => BuiltIn::LocalSize(dimension),
        Spirv::WorkgroupId => BuiltIn::GroupId(dimension),
        Spirv::NumWorkgroups => BuiltIn::GroupCount(dimension),
        Spirv::GlobalLinearId if leaf == 0 => BuiltIn::GlobalLinearId,
        Spirv::LocalInvocationIndex if leaf == 0 => BuiltIn::LocalLinearId,
        Spirv::WorkDim if leaf == 0 => BuiltIn::WorkDim,
        Spirv::SubgroupSize if leaf == 0 => BuiltIn::SubgroupSize,
        Spirv::SubgroupMaxSize if leaf == 0 => BuiltIn::SubgroupMaxSize,
        Spirv::NumSubgroups | Spirv::NumEnqueuedSubgroups if leaf == 0 => BuiltIn::SubgroupCount,
        Spirv::SubgroupId if leaf == 0 => BuiltIn::SubgroupId,
        Spirv::SubgroupLocalInvocationId if leaf == 0 => BuiltIn::SubgroupLane,
        _ => return None,
    })
}
