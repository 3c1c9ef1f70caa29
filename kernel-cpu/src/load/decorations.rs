//! Names and decorations, as far as they mean something here.

use super::Id;
use super::error::{LoadError, Problem};
use super::words::{Instruction, string};
use crate::load::grammar::Op;
use spirv::{
    BuiltIn, Decoration, FPRoundingMode, FunctionParameterAttribute, LinkageType, LoadCacheControl,
    StoreCacheControl,
};
use std::collections::{HashMap, HashSet};

/// What the annotations of a module say.
#[derive(Debug, Default)]
pub(crate) struct Decorations {
    pub(crate) names: HashMap<Id, String>,
    pub(crate) built_ins: HashMap<Id, BuiltIn>,
    /// The rounding modes of conversions.
    pub(crate) rounding: HashMap<Id, FPRoundingMode>,
    /// The conversions whose values that do not fit are clamped.
    pub(crate) saturated: HashSet<Id>,
    /// The parameters that point to a copy of the argument.
    pub(crate) by_value: HashSet<Id>,
    /// The structs without padding.
    pub(crate) packed: HashSet<Id>,
    /// The alignments of variables and parameters in bytes.
    pub(crate) alignment: HashMap<Id, u32>,
    /// The numbers by which specialization constants are set.
    pub(crate) spec_ids: HashMap<Id, u32>,
    /// The functions and variables that another module would have to define, with the names by which it exports them.
    pub(crate) imported: HashMap<Id, String>,
    /// Those that this module defines for others.
    pub(crate) exported: HashMap<Id, String>,
    /// The pointers of which a level of cache has been told something.
    told: HashSet<(Id, Decoration, u32)>,
    /// The members of decoration groups, applied when the group is.
    groups: HashMap<Id, Vec<(Decoration, Vec<u32>)>>,
    /// How many decorations groups have given to others.
    applied: usize,
}

/// The most decorations that groups may give to others, since a module can have many members in a group and many that it decorates.
const MAX_APPLIED: usize = 1 << 20;

impl Decorations {
    /// Takes OpName, OpDecorate and their kin; other instructions are passed over.
    pub(crate) fn take(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        match inst.op {
            Op::Name => {
                let (name, _) = inst.string(1)?;
                self.names.insert(inst.operand(0)?, name);
            }
            Op::Decorate => {
                let number = inst.operand(1)?;
                let decoration = Decoration::from_u32(number).ok_or_else(|| {
                    inst.error(Problem::UnknownEnumerant { what: "decoration", value: number })
                })?;
                let literals = inst.operands_from(2);
                self.decorate(inst, inst.operand(0)?, decoration, literals)?;
                self.groups.entry(inst.operand(0)?).or_default().push((decoration, literals.to_vec()));
            }
            Op::GroupDecorate => self.apply_group(inst)?,
            _ => {}
        }
        Ok(())
    }

    fn apply_group(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let id = inst.operand(0)?;
        let Some(group) = self.groups.remove(&id) else { return Ok(()) };
        let targets = inst.operands_from(1);
        self.applied = self.applied.saturating_add(targets.len().saturating_mul(group.len()));
        if self.applied > MAX_APPLIED {
            return Err(inst.error(Problem::TooLarge("what groups of decorations decorate")));
        }
        for &target in targets {
            for (decoration, literals) in &group {
                self.decorate(inst, target, *decoration, literals)?;
            }
        }
        self.groups.insert(id, group);
        Ok(())
    }

    fn decorate(
        &mut self,
        inst: &Instruction<'_>,
        target: Id,
        decoration: Decoration,
        literals: &[u32],
    ) -> Result<(), LoadError> {
        let first = || literals.first().copied().ok_or_else(|| inst.error(Problem::Truncated));
        match decoration {
            Decoration::BuiltIn => {
                let number = first()?;
                let built_in = BuiltIn::from_u32(number).ok_or_else(|| {
                    inst.error(Problem::UnknownEnumerant { what: "built-in", value: number })
                })?;
                self.built_ins.insert(target, built_in);
            }
            Decoration::FPRoundingMode => {
                let number = first()?;
                let mode = FPRoundingMode::from_u32(number).ok_or_else(|| {
                    inst.error(Problem::UnknownEnumerant { what: "rounding mode", value: number })
                })?;
                self.rounding.insert(target, mode);
            }
            Decoration::SaturatedConversion => {
                self.saturated.insert(target);
            }
            Decoration::FuncParamAttr if first()? == FunctionParameterAttribute::ByVal as u32 => {
                self.by_value.insert(target);
            }
            Decoration::CPacked => {
                self.packed.insert(target);
            }
            Decoration::Alignment => {
                self.alignment.insert(target, first()?);
            }
            Decoration::SpecId => {
                self.spec_ids.insert(target, first()?);
            }
            // The linkage type is the last word, after the name.
            Decoration::LinkageAttributes => {
                let (name, _) = string(literals).ok_or_else(|| inst.error(Problem::BadString))?;
                let is_import = literals.last() == Some(&(LinkageType::Import as u32));
                if is_import { &mut self.imported } else { &mut self.exported }.insert(target, name);
            }
            // The name comes after the access. A variable that is exported too is known by that name.
            Decoration::HostAccessINTEL => {
                let (name, _) = string(literals.get(1..).unwrap_or_default())
                    .ok_or_else(|| inst.error(Problem::BadString))?;
                self.exported.entry(target).or_insert(name);
            }
            // There are no caches here that could be told, but what is said must be sound.
            Decoration::CacheControlLoadINTEL | Decoration::CacheControlStoreINTEL => {
                let &[level, number] = literals else { return Err(inst.error(Problem::Truncated)) };
                let is_known = match decoration {
                    Decoration::CacheControlLoadINTEL => LoadCacheControl::from_u32(number).is_some(),
                    _ => StoreCacheControl::from_u32(number).is_some(),
                };
                if !is_known {
                    return Err(
                        inst.error(Problem::UnknownEnumerant { what: "cache control", value: number })
                    );
                }
                if !self.told.insert((target, decoration, level)) {
                    let rule = "a pointer has one control of loads and one of stores for each level of cache";
                    return Err(inst.error(Problem::Environment(rule)));
                }
            }
            // Everything else is a hint to compilers.
            _ => {}
        }
        Ok(())
    }
}
