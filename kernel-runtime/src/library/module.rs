//! A SPIR-V module, as far as linking depends on it: what it imports, what it exports, and what it needs of a device.
//!
//! The words come from outside. Nothing is taken for granted but what is checked here; what else may be wrong with them is for the driver to say.

use super::float_atomics::{self, Updates};
use super::rounding;
use super::types::Types;
use crate::error::LibraryProblem;
use std::collections::HashMap;
use std::iter;

const MAGIC: u32 = 0x0723_0203;
/// The words before the first instruction.
pub(super) const HEADER: usize = 5;

mod op {
    pub(super) const ENTRY_POINT: u16 = 15;
    pub(super) const CAPABILITY: u16 = 17;
    pub(super) const FUNCTION: u16 = 54;
    pub(super) const DECORATE: u16 = 71;
}

const LINKAGE_ATTRIBUTES: u32 = 41;

/// Whether a function is defined elsewhere, here, or perhaps in many modules alike.
mod linkage {
    pub(super) const EXPORT: u32 = 0;
    pub(super) const IMPORT: u32 = 1;
    pub(super) const ONCE: u32 = 2;
}

/// A module.
pub(crate) struct Module {
    /// In the order of bytes of the host.
    bytes: Vec<u8>,
    version: (u8, u8),
    imports: Vec<Function>,
    exports: Vec<Function>,
    kernels: Vec<String>,
    capabilities: Vec<u32>,
    float_atomics: Updates,
}

/// A function that a module imports or exports.
pub(super) struct Function {
    pub(super) name: String,
    /// Its type.
    pub(super) signature: String,
    /// Whether other modules may have it too, all of which are the same.
    pub(super) may_be_many: bool,
}

/// An instruction.
#[derive(Clone, Copy)]
pub(super) struct Instruction<'w> {
    pub(super) opcode: u16,
    pub(super) operands: &'w [u32],
}

impl Module {
    /// Reads a module in either order of bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, LibraryProblem> {
        let words = words(bytes)?;
        let [_, minor, major, _] = words[1].to_le_bytes();
        let mut module = Self {
            bytes: words.iter().flat_map(|word| word.to_ne_bytes()).collect(),
            version: (major, minor),
            imports: Vec::new(),
            exports: Vec::new(),
            kernels: Vec::new(),
            capabilities: Vec::new(),
            float_atomics: Updates::default(),
        };
        let mut types = Types::default();
        let mut updates = float_atomics::Reader::default();
        let (mut linked, mut functions) = (Vec::new(), HashMap::new());
        let mut end = HEADER;
        for (start, opcode, operands) in instructions(&words) {
            end = start + operands.len() + 1;
            types.add(Instruction { opcode, operands });
            updates.add(Instruction { opcode, operands });
            match (opcode, operands) {
                (op::CAPABILITY, [capability]) => module.capabilities.push(*capability),
                (op::ENTRY_POINT, [_, _, name @ ..]) => {
                    module.kernels.extend(text(name).map(|(name, _)| name))
                }
                (op::FUNCTION, [_, id, _, ty]) => {
                    functions.insert(*id, *ty);
                }
                (op::DECORATE, [id, LINKAGE_ATTRIBUTES, name @ ..]) => {
                    if let Some((name, [how])) = text(name) {
                        linked.push((*id, name, *how));
                    }
                }
                _ => {}
            }
        }
        if end < words.len() {
            return Err(LibraryProblem::Malformed { word: end });
        }
        module.float_atomics = updates.found;
        for (id, name, how) in linked {
            // Variables can be linked too, but no kernel of ours imports one.
            let Some(signature) = functions.get(&id).and_then(|ty| types.signature(*ty)) else { continue };
            let function = Function { name, signature, may_be_many: how == linkage::ONCE };
            match how {
                linkage::IMPORT => module.imports.push(function),
                linkage::EXPORT | linkage::ONCE => module.exports.push(function),
                _ => {}
            }
        }
        Ok(module)
    }

    /// The same, which has no kernel round otherwise than that says; it may have a kernel by this name then.
    pub(super) fn keeping_rounding(mut self, name: String) -> Self {
        let (words, _) = self.bytes.as_chunks::<4>();
        let mut words = words.iter().map(|word| u32::from_ne_bytes(*word)).collect();
        if rounding::keep(&mut words, &name) {
            self.bytes = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
            self.kernels.push(name);
        }
        self
    }

    /// The module in the order of bytes of the host.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn imports(&self) -> impl Iterator<Item = &Function> {
        self.imports.iter()
    }

    pub(super) fn exports(&self) -> impl Iterator<Item = &Function> {
        self.exports.iter()
    }

    /// The names of its kernels.
    pub(super) fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(String::as_str)
    }

    /// Whether it has a kernel or exports a function of this name.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.kernels.iter().any(|kernel| kernel == name)
            || self.exports.iter().any(|export| export.name == name)
    }

    /// Whether it declares a capability, by its number in SPIR-V.
    pub(crate) fn declares(&self, capability: u32) -> bool {
        self.capabilities.contains(&capability)
    }

    /// The atomic updates of floats in it.
    pub(crate) fn float_atomics(&self) -> Updates {
        self.float_atomics
    }

    /// The version of SPIR-V as (major, minor).
    pub(crate) fn version(&self) -> (u8, u8) {
        self.version
    }
}

/// The instructions of a module up to the first that is not whole, each with its place, its opcode and its operands.
pub(super) fn instructions(words: &[u32]) -> impl Iterator<Item = (usize, u16, &[u32])> {
    let mut start = HEADER;
    iter::from_fn(move || {
        let first = *words.get(start)?;
        let count = (first >> 16) as usize;
        let operands = words.get(start + 1..start.checked_add(count)?)?;
        let found = (start, first as u16, operands);
        start += count;
        Some(found)
    })
}

/// The words of a module in the order of bytes of the host.
fn words(bytes: &[u8]) -> Result<Vec<u32>, LibraryProblem> {
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() || words.len() < HEADER {
        return Err(LibraryProblem::NotSpirv);
    }
    let mut words: Vec<_> = words.iter().map(|word| u32::from_ne_bytes(*word)).collect();
    if words[0] == MAGIC.swap_bytes() {
        words.iter_mut().for_each(|word| *word = word.swap_bytes());
    }
    if words[0] == MAGIC { Ok(words) } else { Err(LibraryProblem::NotSpirv) }
}

/// A string with what follows it: bytes from the lowest of each word on, up to a zero.
fn text(words: &[u32]) -> Option<(String, &[u32])> {
    let last = words.iter().position(|word| word.to_le_bytes().contains(&0))?;
    let bytes: Vec<u8> = words[..=last].iter().flat_map(|word| word.to_le_bytes()).collect();
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((String::from_utf8(bytes[..end].to_vec()).ok()?, &words[last + 1..]))
}
