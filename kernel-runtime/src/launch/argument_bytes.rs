//! The bytes of arguments that are passed by value.

use kernel_core::{Element, ElementType};
use std::ptr;

/// Values up to this size are kept in the launch itself.
const INLINE: usize = 64;

/// A value as the bytes that the device gets, with zeros for padding.
pub(crate) struct ArgumentBytes(Storage);

/// Bytes that are written and read together.
#[derive(Clone, Copy)]
#[repr(align(8))]
struct Word([u8; size_of::<u64>()]);

impl Word {
    #[inline]
    fn is(self, other: Self) -> bool {
        u64::from_ne_bytes(self.0) == u64::from_ne_bytes(other.0)
    }
}

enum Storage {
    /// As many of the bytes as the size says, and zeros: most values are scalars, which are in a register mostly.
    Word {
        word: Word,
        size: usize,
    },
    /// As many of the bytes as the size says.
    Inline {
        bytes: [u8; INLINE],
        size: usize,
    },
    Boxed(Box<[u8]>),
}

impl ArgumentBytes {
    #[inline]
    pub(crate) fn of<T: Element>(value: &T) -> Self {
        let size = size_of::<T>();
        if let (ElementType::Scalar(_), 0..=8) = (T::TYPE, size) {
            return Self(Storage::Word { word: word_of(value), size });
        }
        let mut storage = match size {
            0..=8 => Storage::Word { word: Word([0; 8]), size },
            9..=INLINE => Storage::Inline { bytes: [0; INLINE], size },
            _ => Storage::Boxed(vec![0; size].into()),
        };
        copy_scalars(value, storage.as_mut_slice());
        Self(storage)
    }

    /// A copy, if the value is kept without an allocation.
    pub(crate) fn to_inline(&self) -> Option<Self> {
        match self.0 {
            Storage::Word { word, size } => Some(Self(Storage::Word { word, size })),
            Storage::Inline { bytes, size } => Some(Self(Storage::Inline { bytes, size })),
            Storage::Boxed(_) => None,
        }
    }

    /// Whether two are the same.
    #[inline]
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Storage::Word { word, size }, Storage::Word { word: other, size: other_size }) => {
                size == other_size && word.is(*other)
            }
            _ => self.has_bytes_of(other),
        }
    }

    #[inline(never)]
    fn has_bytes_of(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        match &self.0 {
            Storage::Word { word, size } => &word.0[..*size],
            Storage::Inline { bytes, size } => &bytes[..*size],
            Storage::Boxed(bytes) => bytes,
        }
    }
}

impl Storage {
    #[inline]
    fn as_mut_slice(&mut self) -> &mut [u8] {
        match self {
            Self::Word { word, size } => &mut word.0[..*size],
            Self::Inline { bytes, size } => &mut bytes[..*size],
            Self::Boxed(bytes) => bytes,
        }
    }
}

/// The bytes of a scalar, which has 8 at most, with zeros after them.
#[inline]
fn word_of<T: Element>(scalar: &T) -> Word {
    let from = ptr::from_ref(scalar);
    // SAFETY: the type is a scalar of this size, so that all of its bytes are initialised, and any are those of such a number.
    let bytes = unsafe {
        match size_of::<T>() {
            1 => u64::from(from.cast::<u8>().read()).to_le_bytes(),
            2 => u64::from(from.cast::<u16>().read().to_le()).to_le_bytes(),
            4 => u64::from(from.cast::<u32>().read().to_le()).to_le_bytes(),
            8 => from.cast::<u64>().read().to_ne_bytes(),
            size => unreachable!("there is no scalar of {size} bytes"),
        }
    };
    Word(bytes)
}

/// Copies a value but for its padding, whose bytes must not be read.
fn copy_scalars<T: Element>(value: &T, bytes: &mut [u8]) {
    let from = ptr::from_ref(value).cast::<u8>();
    let mut copy = |offset: usize, size: usize| {
        let to = &mut bytes[offset..offset + size];
        // SAFETY: the type has a scalar of this size at this offset, so that its bytes are initialised.
        unsafe { ptr::copy_nonoverlapping(from.add(offset), to.as_mut_ptr(), size) };
    };
    match T::TYPE {
        ElementType::Scalar(scalar) => copy(0, scalar.size()),
        ty => ty.for_each_scalar(&mut |scalar, offset| copy(offset, scalar.size())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_core::{Field, StructType};

    fn check<T: Element>(value: T, expected: &[u8]) {
        assert_eq!(ArgumentBytes::of(&value).as_slice(), expected);
    }

    #[test]
    fn scalars_are_their_bytes() {
        check(1.5_f32, &1.5_f32.to_ne_bytes());
        check(-2_i16, &(-2_i16).to_ne_bytes());
        check(f64::MAX, &f64::MAX.to_ne_bytes());
        check(7_usize, &7_usize.to_ne_bytes());
        check(true, &[1]);
    }

    #[test]
    fn large_values_are_whole_too() {
        for size in [64, 65, 1000] {
            let mut expected = vec![0; size];
            expected[size - 1] = 7;
            match size {
                64 => check(<[u8; 64]>::try_from(&expected[..]).unwrap(), &expected),
                65 => check(<[u8; 65]>::try_from(&expected[..]).unwrap(), &expected),
                _ => check(<[u8; 1000]>::try_from(&expected[..]).unwrap(), &expected),
            }
        }
    }

    #[test]
    fn padding_is_zero() {
        #[repr(C)]
        #[derive(Clone, Copy)]
        struct Padded {
            flag: bool,
            value: u32,
            tail: u8,
        }
        // SAFETY: these are the fields, and the layout is that of C.
        unsafe impl Element for Padded {
            const TYPE: ElementType = ElementType::Struct(&StructType {
                name: "Padded",
                fields: &[
                    Field { name: "flag", ty: bool::TYPE },
                    Field { name: "value", ty: u32::TYPE },
                    Field { name: "tail", ty: u8::TYPE },
                ],
                align: 4,
            });
        }
        let value = Padded { flag: true, value: u32::MAX, tail: 3 };
        check(value, &[1, 0, 0, 0, 255, 255, 255, 255, 3, 0, 0, 0]);
    }
}
