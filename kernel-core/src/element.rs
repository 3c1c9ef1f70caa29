//! The types that host and device share in buffers and arguments, and their descriptions.

use crate::half::{bf16, f16};
use crate::layout::Layout;
use crate::scalar::Scalar;
use core::fmt;
use core::mem::MaybeUninit;

/// A Rust type that may be an element of a buffer or an argument passed by value.
///
/// It is implemented for the scalars, for vectors of them, for arrays, and for raw pointers, which are addresses on the device. `#[device]`
/// implements it for a struct that is `#[repr(C)]` and has only such fields:
///
/// ```
/// use kernel_core::{Element, ElementType, Field, Scalar, StructType};
///
/// #[repr(C)]
/// #[derive(Clone, Copy)]
/// struct Body {
///     position: [f32; 3],
///     mass: f64,
/// }
///
/// // SAFETY: the description is that of the fields, in their order, and the layout is that of C.
/// unsafe impl Element for Body {
///     const TYPE: ElementType = ElementType::Struct(&StructType {
///         name: "Body",
///         fields: &[
///             Field { name: "position", ty: <[f32; 3]>::TYPE },
///             Field { name: "mass", ty: f64::TYPE },
///         ],
///         align: align_of::<Self>() as u64,
///     });
/// }
/// assert_eq!(Body::TYPE.layout().size, size_of::<Body>() as u64);
/// ```
///
/// A type may have padding: what it holds goes to the device and back, and means nothing there. What comes back from a device is
/// checked for bytes that are no value of its type, such as a `bool` of 2.
///
/// # Safety
///
/// `TYPE` must describe the type: its size and alignment are those of [`ElementType::layout`], each field is where that layout
/// puts it, the scalars of `TYPE` are those that the type holds, and bytes for which [`ElementType::is_valid`] holds are a value of
/// the type. Bytes that are all zero are one then.
#[diagnostic::on_unimplemented(
    message = "[K0024] `{Self}` cannot be in memory that host and device share",
    label = "host and device would not agree on its layout",
    note = "these can: scalars, vectors, arrays, raw pointers, and each `#[device]` struct that is `#[repr(C)]`, `Copy` and has only such fields",
    note = "a type of another crate goes there as one of these with the same layout: `bytemuck::cast_slice` makes slices of `[f32; 2]` of those of `Complex<f32>`"
)]
pub unsafe trait Element: Copy + 'static {
    /// What kernels see.
    const TYPE: ElementType;
}

macro_rules! element {
    ($($ty:ty => $scalar:ident),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: the named scalar has this primitive's size, alignment and values.
        unsafe impl Element for $ty {
            const TYPE: ElementType = ElementType::Scalar(Scalar::$scalar);
        }
        const _: () = assert!(size_of::<$ty>() == Scalar::$scalar.size());
        const _: () = assert!(align_of::<$ty>() == Scalar::$scalar.size());
    )*};
}

element! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, isize => Isize,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, usize => Usize,
    f32 => F32, f64 => F64, f16 => F16, bf16 => Bf16, bool => Bool,
}

#[diagnostic::do_not_recommend]
// SAFETY: an array is its elements in a row, in Rust as in the description.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const TYPE: ElementType = {
        assert!(
            N > 0 && N <= u32::MAX as usize,
            "an array in device memory has elements, and fewer than 2^32"
        );
        ElementType::Array { element: &T::TYPE, len: N as u32 }
    };
}

macro_rules! pointer {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: a thin pointer is an address of 64 bits, like those of devices, and any bits are one.
        unsafe impl<T: 'static> Element for $ty {
            const TYPE: ElementType = ElementType::Pointer;
        }
    )*};
}

pointer!(*const T, *mut T);
const _: () = assert!(size_of::<*const u8>() == 8 && align_of::<*const u8>() == 8);

/// A type as it is in memory that host and device share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// A scalar.
    Scalar(Scalar),
    /// A vector, whose lanes are in a row; it is aligned to its size, and of three lanes it takes the room of four.
    Vector {
        /// The type of each lane.
        element: Scalar,
        /// How many; 2, 3, 4, 8 or 16.
        lanes: u32,
    },
    /// A fixed number of elements in a row.
    Array {
        /// The type of each.
        element: &'static ElementType,
        /// How many; at least 1.
        len: u32,
    },
    /// A struct that is laid out as in C.
    Struct(&'static StructType),
    /// A raw pointer, whatever it points to.
    Pointer,
}

/// A struct that is laid out as in C: each field at the next offset that its alignment allows, and as many bytes at the end as its own
/// alignment takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StructType {
    /// Its name, without the path.
    pub name: &'static str,
    /// Its fields in the order of their declaration, at least one.
    pub fields: &'static [Field],
    /// Its alignment in bytes: the largest of its fields, or more where `#[repr(C, align(16))]` says it, at most
    /// [`MAX_ALIGNMENT`](crate::MAX_ALIGNMENT).
    pub align: u64,
}

/// A field of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name, or its position in a tuple struct.
    pub name: &'static str,
    /// Its type.
    pub ty: ElementType,
}

impl ElementType {
    /// Size and alignment.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        match self {
            Self::Scalar(scalar) => Layout::of_scalar(*scalar),
            Self::Pointer => Layout::of_scalar(Scalar::Usize),
            Self::Vector { element, lanes } => Layout::of_vector(*element, *lanes),
            Self::Array { element, len } => element.layout().repeated(*len as u64),
            Self::Struct(structure) => structure.layout(),
        }
    }

    /// A struct, for the code that `#[device]` writes: checked against what rustc has made of it.
    ///
    /// # Panics
    ///
    /// At compile time, if the size, the alignment or an offset of a field is another than that of the description.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_struct(structure: &'static StructType, actual: Layout, offsets: &[usize]) -> Self {
        let ty = Self::Struct(structure);
        let layout = ty.layout();
        let mut same = layout.size == actual.size && layout.align == actual.align;
        let mut index = 0;
        while index < structure.fields.len() {
            same = same && structure.offset(index) == offsets[index] as u64;
            index += 1;
        }
        assert!(same, "this struct is not laid out as `#[repr(C)]` with the fields that device code sees");
        ty
    }

    /// The scalar that it is, if it is one.
    #[must_use]
    pub const fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Returns whether two types have the same scalars at the same offsets and the same length, whatever the names are.
    #[must_use]
    pub const fn is_same_layout(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scalar(one), Self::Scalar(other)) => *one as u8 == *other as u8,
            (Self::Vector { element, lanes }, Self::Vector { element: other, lanes: other_lanes }) => {
                *element as u8 == *other as u8 && *lanes == *other_lanes
            }
            (Self::Array { element, len }, Self::Array { element: other, len: other_len }) => {
                *len == *other_len && element.is_same_layout(other)
            }
            (Self::Struct(one), Self::Struct(other)) => {
                one.has_same_fields(other) && one.layout().align == other.layout().align
            }
            (Self::Pointer, Self::Pointer) => true,
            _ => false,
        }
    }

    /// Returns whether all bytes, but for padding, are a value.
    #[must_use]
    pub const fn takes_any_bytes(&self) -> bool {
        match self {
            Self::Scalar(scalar) | Self::Vector { element: scalar, .. } => !matches!(scalar, Scalar::Bool),
            Self::Pointer => true,
            Self::Array { element, .. } => element.takes_any_bytes(),
            Self::Struct(structure) => {
                let (mut index, mut all) = (0, true);
                while index < structure.fields.len() {
                    all &= structure.fields[index].ty.takes_any_bytes();
                    index += 1;
                }
                all
            }
        }
    }

    /// Returns whether a value holds raw pointers.
    #[must_use]
    pub const fn has_pointers(&self) -> bool {
        match self {
            Self::Scalar(_) | Self::Vector { .. } => false,
            Self::Pointer => true,
            Self::Array { element, .. } => element.has_pointers(),
            Self::Struct(structure) => {
                let (mut index, mut any) = (0, false);
                while index < structure.fields.len() {
                    any |= structure.fields[index].ty.has_pointers();
                    index += 1;
                }
                any
            }
        }
    }

    /// Returns whether these bytes are a value of the type.
    ///
    /// Only `bool` has bytes that are none: those other than 0 and 1.
    ///
    /// # Safety
    ///
    /// There must be as many bytes as the type has, and all but those of padding must be initialised.
    #[must_use]
    pub unsafe fn is_valid(&self, bytes: &[MaybeUninit<u8>]) -> bool {
        let mut valid = true;
        self.for_each_scalar(&mut |scalar, offset| {
            // SAFETY: the byte of a `bool` is no padding.
            valid &= scalar != Scalar::Bool || unsafe { bytes[offset].assume_init() } <= 1;
        });
        valid
    }

    /// Calls `visit` with every scalar of a value and its offset in bytes, in ascending order. What is between them is padding.
    /// A pointer is its address, a `usize`.
    pub fn for_each_scalar(&self, visit: &mut impl FnMut(Scalar, usize)) {
        self.for_each_scalar_at(0, visit);
    }

    fn for_each_scalar_at(&self, start: usize, visit: &mut impl FnMut(Scalar, usize)) {
        match self {
            Self::Scalar(scalar) => visit(*scalar, start),
            Self::Pointer => visit(Scalar::Usize, start),
            Self::Vector { element, lanes } => {
                for lane in 0..*lanes as usize {
                    visit(*element, start + lane * element.size());
                }
            }
            Self::Array { element, len } => {
                let stride = element.layout().size as usize;
                for index in 0..*len as usize {
                    element.for_each_scalar_at(start + index * stride, visit);
                }
            }
            Self::Struct(structure) => {
                for (index, field) in structure.fields.iter().enumerate() {
                    field.ty.for_each_scalar_at(start + structure.offset(index) as usize, visit);
                }
            }
        }
    }
}

impl StructType {
    /// The alignment of a struct with fields of these types and at least the alignment that its author asks for.
    #[must_use]
    pub const fn alignment(fields: &[ElementType], asked: u64) -> u64 {
        let (mut layout, mut index) = (Layout::EMPTY.aligned(asked), 0);
        while index < fields.len() {
            layout = layout.aligned(fields[index].layout().align);
            index += 1;
        }
        layout.align
    }

    /// Size and alignment.
    const fn layout(&self) -> Layout {
        self.extent(self.fields.len()).aligned(self.align).padded()
    }

    /// The offset of a field in bytes.
    ///
    /// # Panics
    ///
    /// If there is no such field.
    #[must_use]
    pub const fn offset(&self, field: usize) -> u64 {
        self.extent(field).with_field(self.fields[field].ty.layout()).1
    }

    /// The layout of the first fields, without padding at the end.
    const fn extent(&self, count: usize) -> Layout {
        let (mut layout, mut index) = (Layout::EMPTY, 0);
        while index < count {
            layout = layout.with_field(self.fields[index].ty.layout()).0;
            index += 1;
        }
        layout
    }

    const fn has_same_fields(&self, other: &Self) -> bool {
        let mut same = self.fields.len() == other.fields.len();
        let mut index = 0;
        while same && index < self.fields.len() {
            same = self.fields[index].ty.is_same_layout(&other.fields[index].ty);
            index += 1;
        }
        same
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::Vector { element, lanes } => write!(f, "{element}x{lanes}"),
            Self::Array { element, len } => write!(f, "[{element}; {len}]"),
            Self::Struct(structure) => f.write_str(structure.name),
            Self::Pointer => f.write_str("a raw pointer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::offset_of;

    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Inner {
        flag: bool,
        weights: [i16; 3],
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Outer {
        tag: u8,
        inner: [Inner; 2],
        value: f64,
        last: bool,
    }

    const INNER: StructType = StructType {
        name: "Inner",
        fields: &[Field { name: "flag", ty: bool::TYPE }, Field { name: "weights", ty: <[i16; 3]>::TYPE }],
        align: 2,
    };

    const OUTER: StructType = StructType {
        name: "Outer",
        fields: &[
            Field { name: "tag", ty: u8::TYPE },
            Field { name: "inner", ty: <[Inner; 2]>::TYPE },
            Field { name: "value", ty: f64::TYPE },
            Field { name: "last", ty: bool::TYPE },
        ],
        align: 8,
    };

    // SAFETY: these are the fields, and the layout is that of C.
    unsafe impl Element for Inner {
        const TYPE: ElementType = ElementType::Struct(&INNER);
    }

    // SAFETY: these are the fields, and the layout is that of C.
    unsafe impl Element for Outer {
        const TYPE: ElementType = ElementType::Struct(&OUTER);
    }

    #[test]
    fn structs_are_where_rustc_puts_them() {
        let offsets = [
            offset_of!(Outer, tag),
            offset_of!(Outer, inner),
            offset_of!(Outer, value),
            offset_of!(Outer, last),
        ];
        assert_eq!([0, 1, 2, 3].map(|field| OUTER.offset(field) as usize), offsets);
        let layout = Outer::TYPE.layout();
        assert_eq!([layout.size as usize, layout.align as usize], [size_of::<Outer>(), align_of::<Outer>()]);
        assert_eq!(INNER.offset(1) as usize, offset_of!(Inner, weights));
    }

    #[test]
    fn scalars_are_visited_with_their_offsets() {
        let mut found = [(Scalar::Bool, usize::MAX); 11];
        let mut count = 0;
        Outer::TYPE.for_each_scalar(&mut |scalar, offset| {
            found[count] = (scalar, offset);
            count += 1;
        });
        use Scalar::{Bool, F64, I16, U8};
        let inner = |start| [(Bool, start), (I16, start + 2), (I16, start + 4), (I16, start + 6)];
        let [a, b] = [inner(2), inner(10)];
        let expected = [(U8, 0), a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], (F64, 24), (Bool, 32)];
        assert_eq!((count, found), (11, expected));
    }

    #[test]
    fn only_bytes_of_bools_are_judged() {
        assert!(!Outer::TYPE.takes_any_bytes() && <[u64; 4]>::TYPE.takes_any_bytes());
        let mut bytes = [MaybeUninit::uninit(); size_of::<Outer>()];
        Outer::TYPE.for_each_scalar(&mut |scalar, offset| {
            bytes[offset..offset + scalar.size()].fill(MaybeUninit::new(0xff));
        });
        // SAFETY: these are all bytes of the type, and only those of padding are not initialised.
        assert!(unsafe { !Outer::TYPE.is_valid(&bytes) });
        for offset in [2, 10, 32] {
            bytes[offset].write(1);
        }
        // SAFETY: the same.
        assert!(unsafe { Outer::TYPE.is_valid(&bytes) });
    }

    #[test]
    fn types_are_the_same_by_their_fields() {
        let renamed = ElementType::Struct(&StructType {
            name: "Other",
            fields: &[
                Field { name: "a", ty: bool::TYPE },
                Field { name: "b", ty: ElementType::Array { element: &i16::TYPE, len: 3 } },
            ],
            align: 2,
        });
        assert!(renamed.is_same_layout(&Inner::TYPE) && renamed != Inner::TYPE);
        assert!(!renamed.is_same_layout(&Outer::TYPE));
        assert!(!<[i16; 3]>::TYPE.is_same_layout(&<[u16; 3]>::TYPE));
    }

    #[test]
    fn pointers_are_addresses() {
        let pair = ElementType::Struct(&StructType {
            name: "Pair",
            fields: &[
                Field { name: "len", ty: u8::TYPE },
                Field { name: "start", ty: <[*const f32; 2]>::TYPE },
            ],
            align: 8,
        });
        assert!(pair.has_pointers() && pair.takes_any_bytes() && !Outer::TYPE.has_pointers());
        assert_eq!(pair.layout(), Layout { size: 24, align: 8 });
        let mut found = [0; 3];
        let mut count = 0;
        pair.for_each_scalar(&mut |scalar, offset| {
            assert_eq!(scalar, if offset == 0 { Scalar::U8 } else { Scalar::Usize });
            found[count] = offset;
            count += 1;
        });
        assert_eq!((count, found), (3, [0, 8, 16]));
        assert!(<*const f32>::TYPE.is_same_layout(&<*mut Inner>::TYPE));
        assert!(!<*const f32>::TYPE.is_same_layout(&u64::TYPE));
    }

    #[test]
    fn an_alignment_moves_fields_and_pads_the_end() {
        #[repr(C, align(16))]
        struct Aligned([f32; 3]);
        #[repr(C)]
        struct Holder(u8, [Aligned; 2], bool);

        const ALIGNED: StructType =
            StructType { name: "Aligned", fields: &[Field { name: "0", ty: <[f32; 3]>::TYPE }], align: 16 };
        const BOTH: ElementType = ElementType::Array { element: &ElementType::Struct(&ALIGNED), len: 2 };
        const HOLDER: StructType = StructType {
            name: "Holder",
            fields: &[
                Field { name: "0", ty: u8::TYPE },
                Field { name: "1", ty: BOTH },
                Field { name: "2", ty: bool::TYPE },
            ],
            align: StructType::alignment(&[u8::TYPE, BOTH, bool::TYPE], 1),
        };
        let offsets = [offset_of!(Holder, 0), offset_of!(Holder, 1), offset_of!(Holder, 2)];
        assert_eq!([0, 1, 2].map(|field| HOLDER.offset(field) as usize), offsets);
        let layout = ElementType::Struct(&HOLDER).layout();
        assert_eq!(
            [layout.size as usize, layout.align as usize],
            [size_of::<Holder>(), align_of::<Holder>()]
        );

        const fn aligned(align: u64) -> StructType {
            StructType { align, ..ALIGNED }
        }
        let [four, eight, sixteen] =
            [const { &aligned(4) }, const { &aligned(8) }, const { &aligned(16) }].map(ElementType::Struct);
        assert!(!four.is_same_layout(&eight) && !eight.is_same_layout(&sixteen));
        assert!(sixteen.is_same_layout(&ElementType::Struct(&ALIGNED)));
        assert_eq!(StructType::alignment(&[u8::TYPE, f32::TYPE], 2), 4);
    }

    #[test]
    fn types_read_as_in_a_signature() {
        use std::string::ToString;
        assert_eq!(<[[Inner; 2]; 3]>::TYPE.to_string(), "[[Inner; 2]; 3]");
        assert_eq!(usize::TYPE.to_string(), "usize");
    }
}
