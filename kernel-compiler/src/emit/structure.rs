//! Structs as SPIR-V has them, which knows no alignment of a struct: consumers put each member at the next offset that its own type allows.
//!
//! Where Rust puts it further on, or where the struct has more bytes at its end, as it is with `#[repr(C, align(16))]`, integers fill the room.
//! So all consumers agree on sizes and offsets. They know less of the alignment of the whole, which each load and each pointer states.

use crate::ir::{Arena, Handle, Member, Type};
use kernel_core::Layout;

/// A part of a struct in SPIR-V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The member of this position in the source.
    Member(usize),
    /// An integer of so many bits that means nothing.
    Padding(u32),
}

/// Returns whether any struct has more than the alignment of its members.
pub(super) fn may_have_padding(types: &Arena<Type>) -> bool {
    types.iter().any(|(_, ty)| match ty {
        Type::Struct { members, align, .. } => {
            members.iter().all(|member| types.layout(member.ty).align < *align)
        }
        _ => false,
    })
}

/// The parts of a struct with these members and this alignment, and the layout that a consumer gives it.
pub(super) fn parts(types: &Arena<Type>, members: &[Member], align: u64) -> (Vec<Part>, Layout) {
    let (mut parts, mut rust, mut consumer) = (Vec::new(), Layout::EMPTY, Layout::EMPTY);
    for (position, member) in members.iter().enumerate() {
        let (extended, offset) = rust.with_field(types.layout(member.ty));
        let placed = placed(types, member.ty);
        fill(&mut parts, &mut consumer, offset, placed.align);
        parts.push(Part::Member(position));
        (rust, consumer) = (extended, consumer.with_field(placed).0);
    }
    let size = rust.aligned(align).padded().size;
    let natural = consumer.align;
    fill(&mut parts, &mut consumer, size, natural);
    (parts, consumer.padded())
}

/// Fills the room up to an offset, if what is aligned so would not be there anyway.
fn fill(parts: &mut Vec<Part>, layout: &mut Layout, offset: u64, align: u64) {
    if layout.with_field(Layout { size: 0, align }).1 == offset {
        return;
    }
    while layout.size < offset {
        let aligned = 1 << layout.size.trailing_zeros().min(3);
        let fitting = 1 << (offset - layout.size).ilog2();
        let bytes: u64 = aligned.min(fitting);
        parts.push(Part::Padding(8 * bytes as u32));
        *layout = layout.with_field(Layout { size: bytes, align: bytes }).0;
    }
}

/// Size and alignment that a consumer gives a type in memory. The size is Rust's.
pub(super) fn placed(types: &Arena<Type>, ty: Handle<Type>) -> Layout {
    match &types[ty] {
        Type::Array { element, len } => placed(types, *element).repeated(u64::from(*len)),
        Type::Struct { members, align, .. } => parts(types, members, *align).1,
        _ => types.layout(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::Part::{Member as At, Padding};
    use super::*;
    use kernel_core::Scalar;

    /// A struct of these types.
    fn structure(types: &mut Arena<Type>, members: &[Handle<Type>], align: u64) -> Handle<Type> {
        let member = |&ty| Member { name: String::new(), ty };
        let members = members.iter().map(member).collect();
        types.intern(Type::Struct { name: String::new(), members, align })
    }

    /// The parts of a struct; its size must be Rust's, and its alignment no more than Rust's.
    fn parts_of(types: &Arena<Type>, ty: Handle<Type>) -> Vec<Part> {
        let Type::Struct { members, align, .. } = &types[ty] else { panic!("it is a struct") };
        let (parts, placed) = parts(types, members, *align);
        let rust = types.layout(ty);
        assert_eq!((placed.size, *align), (rust.size, rust.align));
        assert!(placed.align <= rust.align);
        parts
    }

    #[test]
    fn what_consumers_place_as_rust_does_is_left_alone() {
        let mut types = Arena::default();
        let scalars = [Scalar::U8, Scalar::F64, Scalar::U16].map(|scalar| types.intern(Type::Scalar(scalar)));
        let plain = structure(&mut types, &scalars, 8);
        assert_eq!(parts_of(&types, plain), [At(0), At(1), At(2)]);
        let twice = structure(&mut types, &[scalars[0], plain], 8);
        assert_eq!(parts_of(&types, twice), [At(0), At(1)]);
    }

    #[test]
    fn integers_fill_the_room_at_the_end() {
        let mut types = Arena::default();
        let [byte, single] = [Scalar::U8, Scalar::F32].map(|scalar| types.intern(Type::Scalar(scalar)));
        let aligned = structure(&mut types, &[byte], 8);
        assert_eq!(parts_of(&types, aligned), [At(0), Padding(8), Padding(16), Padding(32)]);
        let aligned = structure(&mut types, &[single], 16);
        assert_eq!(parts_of(&types, aligned), [At(0), Padding(32), Padding(64)]);
        let aligned = structure(&mut types, &[byte], 2);
        assert_eq!(parts_of(&types, aligned), [At(0), Padding(8)]);
    }

    #[test]
    fn integers_fill_the_room_before_a_member() {
        let mut types = Arena::default();
        let [byte, single] = [Scalar::U8, Scalar::F32].map(|scalar| types.intern(Type::Scalar(scalar)));
        let aligned = structure(&mut types, &[single], 16);
        let both = types.intern(Type::Array { element: aligned, len: 2 });
        let holder = structure(&mut types, &[byte, both, byte], 16);
        let before = [At(0), Padding(8), Padding(16), Padding(32), Padding(64), At(1), At(2)];
        let after = [Padding(8), Padding(16), Padding(32), Padding(64)];
        assert_eq!(parts_of(&types, holder), [&before[..], &after].concat());
        assert_eq!(types.layout(holder), Layout { size: 64, align: 16 });
        // The wider alignment is the member's own: consumers know of it, and need no room before it.
        let wide = types.intern(Type::Scalar(Scalar::F64));
        let inner = structure(&mut types, &[wide], 8);
        let holder = structure(&mut types, &[byte, inner], 32);
        assert_eq!(parts_of(&types, holder), [At(0), At(1), Padding(64), Padding(64)]);
    }
}
