//! Indices compared with the lengths of slices, also of more than 2^32 elements.
//!
//! No test has memory for such a slice, and comparisons need none: the cases launch the kernel by a descriptor according to which the slice
//! is what it is to a device, a pointer and a number.

use super::case::Case;
use kernel_core::{Access, Argument, ArgumentKind, Element, KernelDescriptor};
use kernel_runtime::prelude::*;

/// All comparisons of an index with a length, one bit each.
#[device]
fn compared(index: usize, len: usize) -> u32 {
    let index_first = (index < len) as u32 | ((index <= len) as u32) << 1 | ((index > len) as u32) << 2;
    let len_first = (len < index) as u32 | ((len <= index) as u32) << 1 | ((len > index) as u32) << 2;
    let others = (index >= len) as u32 | ((len >= index) as u32) << 1 | ((index == len) as u32) << 2;
    index_first | len_first << 3 | others << 6
}

#[kernel]
pub fn lengths(bytes: &[u8], indices: &[u32], result: &mut [[u32; 3]]) {
    let i = global_id(0);
    let index = indices[i];
    result[i][0] = compared(index as usize, bytes.len());
    result[i][1] = compared(index.min(u32::MAX - 1) as usize, bytes.len());
    result[i][2] = compared(i, bytes.len());
}

/// The kernel as it takes any length.
static OF_ANY_LENGTH: KernelDescriptor = KernelDescriptor {
    arguments: &[
        Argument {
            name: "bytes",
            kind: ArgumentKind::Pointer { element: u8::TYPE, access: Access::Read },
            atomic: false,
        },
        Argument { name: "len", kind: ArgumentKind::Value(u64::TYPE), atomic: false },
        Argument {
            name: "indices",
            kind: ArgumentKind::Slice { element: u32::TYPE, access: Access::Read },
            atomic: false,
        },
        Argument {
            name: "result",
            kind: ArgumentKind::Slice { element: <[u32; 3]>::TYPE, access: Access::ReadWrite },
            atomic: false,
        },
    ],
    ..LENGTHS
};

pub fn cases() -> Vec<Case> {
    let indices = [0, 1, 2, 3, 4, 255, 1 << 31, u32::MAX - 2, u32::MAX - 1, u32::MAX];
    let two_to_32 = 1_u64 << 32;
    let lengths = [
        0,
        1,
        2,
        4,
        256,
        (1 << 31) + 1,
        two_to_32 - 2,
        two_to_32 - 1,
        two_to_32,
        two_to_32 + 1,
        two_to_32 + 4,
        u64::MAX,
    ];
    let expected = |len: u64| -> Vec<[u32; 3]> {
        let at = |(i, index): (usize, u32)| [index as usize, index.min(u32::MAX - 1) as usize, i];
        (0..).zip(indices).map(|each| at(each).map(|at| compared(at, len as usize))).collect()
    };
    let of_any = |len: u64| {
        let case = Case::of(&OF_ANY_LENGTH).point(&[0_u8; 4]).scalar(len).input(&indices);
        case.output(&expected(len)).items([indices.len()]).label(format!("{len} elements"))
    };
    let of_slice = Case::of(&LENGTHS).input(&[0_u8; 3]).input(&indices).output(&expected(3));
    [of_slice.items([indices.len()])].into_iter().chain(lengths.map(of_any)).collect()
}
