//! How types are laid out in memory that host and device share: as C and Rust's `#[repr(C)]` do.
//!
//! This is the only place where offsets are computed: the compiler asks it for the layout of what it emits, and the host for
//! the description of its own types, which is then compared with what rustc has made of them.

use crate::scalar::Scalar;

/// The largest alignment that `#[repr(C, align(..))]` may give a struct which host and device share, in bytes: that of the widest vector.
/// OpenCL promises it of every buffer, and nobody promises more (OpenCL C specification, "Alignment of Types").
pub const MAX_ALIGNMENT: u64 = 128;

/// Size and alignment in memory, in bytes.
///
/// Sizes saturate, so that a type that is too large for any memory is still too large here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The size, padding at the end included.
    pub size: u64,
    /// The alignment, a power of two.
    pub align: u64,
}

impl Layout {
    /// A struct without fields, to be extended by [`with_field`](Self::with_field).
    pub const EMPTY: Self = Self { size: 0, align: 1 };

    /// A scalar: aligned to its size.
    #[must_use]
    pub const fn of_scalar(scalar: Scalar) -> Self {
        let size = scalar.size() as u64;
        Self { size, align: size }
    }

    /// So many lanes in a row, aligned to their size; three take the room of four (OpenCL C specification, "Alignment of
    /// Types").
    #[must_use]
    pub const fn of_vector(element: Scalar, lanes: u32) -> Self {
        let size = element.size() as u64 * lanes.next_power_of_two() as u64;
        Self { size, align: size }
    }

    /// So many elements in a row.
    #[must_use]
    pub const fn repeated(self, len: u64) -> Self {
        Self { size: self.size.saturating_mul(len), align: self.align }
    }

    /// A struct with one more field at its end, and the offset of that field.
    ///
    /// The size has no padding at the end yet; see [`padded`](Self::padded).
    #[must_use]
    pub const fn with_field(self, field: Self) -> (Self, u64) {
        let offset = round_up(self.size, field.align);
        let align = if field.align > self.align { field.align } else { self.align };
        (Self { size: offset.saturating_add(field.size), align }, offset)
    }

    /// The same with at least this alignment, a power of two; the size is what it was.
    #[must_use]
    pub const fn aligned(self, align: u64) -> Self {
        Self { size: self.size, align: if align > self.align { align } else { self.align } }
    }

    /// The same with the padding at the end that lets the elements of an array be aligned.
    #[must_use]
    pub const fn padded(self) -> Self {
        Self { size: round_up(self.size, self.align), align: self.align }
    }
}

/// The next multiple of a power of two.
const fn round_up(size: u64, align: u64) -> u64 {
    let mask = align - 1;
    size.saturating_add(mask) & !mask
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offsets and the layout of a struct of scalars.
    fn structure<const N: usize>(fields: [Scalar; N]) -> ([u64; N], Layout) {
        let mut layout = Layout::EMPTY;
        let offsets = fields.map(|field| {
            let (extended, offset) = layout.with_field(Layout::of_scalar(field));
            layout = extended;
            offset
        });
        (offsets, layout.padded())
    }

    #[test]
    fn fields_are_aligned_and_the_end_is_padded() {
        use Scalar::{Bool, F32, F64, I16, U8};
        assert_eq!(structure([U8, F32, I16]), ([0, 4, 8], Layout { size: 12, align: 4 }));
        assert_eq!(structure([F64, Bool]), ([0, 8], Layout { size: 16, align: 8 }));
        assert_eq!(structure([U8, I16, U8]), ([0, 2, 4], Layout { size: 6, align: 2 }));
        assert_eq!(structure([]), ([], Layout { size: 0, align: 1 }));
    }

    #[test]
    fn an_alignment_asked_for_is_kept_if_it_is_the_larger_one() {
        let twelve = Layout::of_scalar(Scalar::F32).repeated(3);
        assert_eq!(twelve.aligned(16).padded(), Layout { size: 16, align: 16 });
        assert_eq!(twelve.aligned(1).padded(), Layout { size: 12, align: 4 });
        assert_eq!(Layout::of_scalar(Scalar::U8).with_field(twelve.aligned(32).padded()).1, 32);
    }

    #[test]
    fn sizes_saturate() {
        let huge = Layout::of_scalar(Scalar::U64).repeated(u64::MAX);
        assert_eq!(huge.size, u64::MAX);
        let (more, _) = huge.with_field(Layout::of_scalar(Scalar::U64));
        assert!(more.padded().size > u64::MAX - 8);
    }
}
