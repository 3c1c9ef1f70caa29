//! Limits for types: nothing contains itself, and what is computed of types ends and fits.

use super::{MAX_DEPTH, Parser, Result};
use crate::ir::{Handle, Type};

/// The most bytes of a type.
const MAX_BYTES: u64 = 1 << 40;

/// The most parts of a type: members of structs, and of structs in structs.
const MAX_PARTS: u64 = 1 << 16;

/// How large a type is.
#[derive(Clone, Copy)]
struct Size {
    /// How deep it is nested.
    height: u32,
    parts: u64,
    /// No fewer than it has.
    bytes: u64,
}

impl Parser<'_> {
    /// Returns whether all types keep within the limits.
    pub(super) fn check_sizes(&self) -> Result<()> {
        let mut known = vec![None; self.module.types.len()];
        for (handle, _) in self.module.types.iter() {
            if self.size(handle, 0, &mut known).is_none() {
                return Err(
                    self.error("only types above that do not contain themselves and are not too large")
                );
            }
        }
        Ok(())
    }

    /// The size of a type at a depth; none if that, or the size, is too large.
    fn size(&self, handle: Handle<Type>, depth: u32, known: &mut [Option<Size>]) -> Option<Size> {
        if let Some(size) = known[handle.index()] {
            return Some(size);
        }
        if depth > MAX_DEPTH {
            return None;
        }
        let size = match &self.module.types[handle] {
            Type::Array { element, len } => {
                let Size { height, parts, bytes } = self.size(*element, depth + 1, known)?;
                Size { height: height + 1, parts, bytes: bytes.saturating_mul(u64::from(*len)) }
            }
            Type::Struct { members, .. } => {
                let mut size = Size { height: 1, parts: 1, bytes: 0 };
                for member in members {
                    let Size { height, parts, bytes } = self.size(member.ty, depth + 1, known)?;
                    size.height = size.height.max(height + 1);
                    size.parts = size.parts.saturating_add(parts);
                    // What comes between members is less than the largest alignment.
                    size.bytes = size.bytes.saturating_add(bytes).saturating_add(256);
                }
                size
            }
            // A vector of 16 lanes of 8 bytes is the largest.
            _ => Size { height: 1, parts: 1, bytes: 128 },
        };
        let fits = size.height <= MAX_DEPTH && size.parts <= MAX_PARTS && size.bytes <= MAX_BYTES;
        known[handle.index()] = fits.then_some(size);
        known[handle.index()]
    }
}
