//! Functions that may be called by a pointer: SPV_INTEL_function_pointers.
//!
//! A function has no code of its own, since calls are inlined. Its address is a number that no memory has, and a call by a pointer compares it
//! with the addresses of all functions that it could be.

use super::Id;
use super::constants::Constants;
use super::decorations::Decorations;
use super::error::{LoadError, Problem};
use super::functions::Function;
use super::types::{Type, Types};
use super::words::Instruction;
use spirv::StorageClass;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What is added to the id of a function: no address of the processor begins so.
const CODE: u64 = 0xf1 << 56;

/// The address of a function.
pub(crate) fn address(function: Id) -> u64 {
    CODE | u64::from(function) << 4
}

/// The functions of a module whose addresses it takes, or has others take.
#[derive(Debug, Default)]
pub(crate) struct Indirect<'w> {
    /// The constants that are addresses, which come before the functions.
    constants: Vec<Instruction<'w>>,
    by_signature: HashMap<Vec<Part>, Vec<Id>>,
}

/// What a result or a parameter has to be for a call.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Part {
    /// Of this type.
    Type(Id),
    /// A pointer into this class: what it points to is a matter of who accesses it.
    Pointer(u32),
}

impl<'w> Indirect<'w> {
    /// Takes OpConstantFunctionPointerINTEL.
    pub(super) fn declare(
        &mut self,
        inst: &Instruction<'w>,
        constants: &mut Constants,
        types: &Types,
    ) -> Result<(), LoadError> {
        let (class, pointee) = types.pointer(inst.result_type).map_err(|error| inst.error(error.problem))?;
        let is_function = matches!(types.get(pointee), Ok(Type::Function { .. }));
        if class != StorageClass::CodeSectionINTEL || !is_function {
            return Err(inst.error(Problem::TypeMismatch("the address of a function and its type")));
        }
        self.constants.push(*inst);
        constants.declare_address(inst, address(inst.operand(0)?))
    }

    /// Finds them, once all functions are known.
    pub(super) fn find(
        &mut self,
        functions: &HashMap<Id, Function<'_>>,
        kernels: &HashSet<Id>,
        decorations: &Decorations,
        types: &Types,
    ) -> Result<(), LoadError> {
        let mut found = BTreeSet::new();
        for inst in std::mem::take(&mut self.constants) {
            let id = inst.operand(0)?;
            if !functions.contains_key(&id) || kernels.contains(&id) {
                return Err(inst.error(Problem::Expected { what: "a function that is no kernel", id }));
            }
            found.insert(id);
        }
        // The host may ask for the address of what a module exports.
        let exported = decorations.exported.keys();
        found.extend(exported.filter(|id| functions.contains_key(id) && !kernels.contains(id)));
        for id in found {
            let function = &functions[&id];
            let parameters: Vec<Id> = function.parameters.iter().map(|&(_, ty)| ty).collect();
            let signature = signature(types, function.definition.result_type, &parameters);
            self.by_signature.entry(signature).or_default().push(id);
        }
        Ok(())
    }

    /// The functions that a call may be of which passes arguments of these types.
    pub(crate) fn callees(&self, types: &Types, result: Id, arguments: &[Id]) -> &[Id] {
        self.by_signature.get(&signature(types, result, arguments)).map_or(&[], Vec::as_slice)
    }
}

fn signature(types: &Types, result: Id, parameters: &[Id]) -> Vec<Part> {
    let part = |&ty: &Id| match types.pointer(ty) {
        Ok((class, _)) => Part::Pointer(class as u32),
        Err(_) => Part::Type(ty),
    };
    [result].iter().chain(parameters).map(part).collect()
}
