//! Imported functions whose parameters lead to something else than those of the export.
//!
//! To a compiler all pointers may be alike, as they are to LLVM. What a parameter leads to it can see in the body of a function, and makes up where
//! there is only a declaration; so two modules may disagree about it that come from the same source. Arguments of such calls are cast, which changes nothing of a
//! pointer. All else has to be the same, the storage classes among it.

use super::Part;
use crate::load::grammar::Op;
use crate::load::{Id, LoadError};
use std::collections::HashMap;

/// The positions of arguments that are cast, and the pointer types that they are cast to.
pub(super) type Casts = Vec<(usize, Id)>;

/// The pointer and function types of all modules, by their ids in the whole.
#[derive(Debug, Default)]
pub(super) struct Signatures {
    /// The storage class of each pointer type.
    classes: HashMap<Id, u32>,
    /// The result and the parameters of each function type.
    functions: HashMap<Id, Vec<Id>>,
}

impl Signatures {
    pub(super) fn of(parts: &[Part<'_>]) -> Result<Self, LoadError> {
        let mut found = Self::default();
        for part in parts {
            for inst in &part.instructions {
                match (inst.op, inst.operands) {
                    (Op::TypePointer, &[class, _]) => {
                        found.classes.insert(part.id(inst.result)?, class);
                    }
                    (Op::TypeFunction, operands) => {
                        let types = operands.iter().map(|&ty| part.id(ty)).collect::<Result<_, _>>()?;
                        found.functions.insert(part.id(inst.result)?, types);
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// Which arguments of calls have to be cast if a function is declared with one type and defined with another; none if that is not all.
    pub(super) fn casts(&self, declared: Id, defined: Id) -> Option<Casts> {
        let (declared, defined) = (self.functions.get(&declared)?, self.functions.get(&defined)?);
        if declared.len() != defined.len() || declared.first() != defined.first() {
            return None;
        }
        let parameters = declared.iter().zip(defined).skip(1).enumerate();
        let differing: Vec<_> = parameters.filter(|(_, (declared, defined))| declared != defined).collect();
        let is_cast = |declared: &Id, defined: &Id| {
            let class = self.classes.get(declared);
            class.is_some() && class == self.classes.get(defined)
        };
        let all_casts = differing.iter().all(|(_, (declared, defined))| is_cast(declared, defined));
        all_casts.then(|| differing.iter().map(|(position, (_, defined))| (*position, **defined)).collect())
    }
}
