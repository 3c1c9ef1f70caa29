//! Kernels whose names mean something else to a compiler further down.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// A function of every C library; it must not be taken for it, nor call itself.
#[kernel]
pub fn sqrt(x: &[f32], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = x[i].sqrt() + 1.0;
}

/// A function that compilers call on their own account.
#[kernel(requires(global_size(0) == 1))]
pub fn memcpy(from: &[u8], to: &mut [u8]) {
    let mut row = [0; 64];
    for k in 0..64 {
        row[k] = from[k];
    }
    for k in 0..64 {
        to[k] = row[63 - k];
    }
}

/// The entry point of a C program.
#[kernel]
pub fn main(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = x[i] + 1;
}

/// A keyword of OpenCL C, with parameters that are types and functions there.
#[kernel]
pub fn kernel(float: f32, global: &[f32], get_global_id: &mut [f32]) {
    let int = global_id(0);
    get_global_id[int] = global[int] * float;
}

/// A raw identifier; the name of the kernel is without its mark.
#[kernel]
pub fn r#loop(r#type: &mut [u32]) {
    let i = global_id(0);
    r#type[i] = i as u32;
}

/// Letters beyond ASCII.
#[kernel]
pub fn größe(länge: &[u16], ergebnis: &mut [u16]) {
    let i = global_id(0);
    ergebnis[i] = länge[i] * 2;
}

/// Functions of the user's own with the names and the types of built-in ones.
pub mod own {
    use kernel_runtime::prelude::{device, global_id, kernel};

    #[device]
    fn global_size(dimension: u32) -> usize {
        dimension as usize + 40
    }

    /// It is not the number of work-items.
    #[kernel]
    pub fn own_function(result: &mut [u32]) {
        #![allow(unused_variables, reason = "an attribute in the body is one of the function")]
        let i = global_id(0);
        let unused = i;
        result[i] = global_size(2) as u32;
    }

    /// Built-in functions under each other's names.
    pub mod renamed {
        use kernel_runtime::prelude::{global_id as local_id, kernel, local_id as global_id};

        #[kernel(group_size = [2, 1, 1])]
        pub fn exchanged(result: &mut [u32]) {
            result[local_id(0)] = global_id(0) as u32;
        }
    }
}

pub fn cases() -> Vec<Case> {
    let floats = [0.0_f32, 2.0, 100.0];
    let bytes: Vec<u8> = (0..64).collect();
    let reversed: Vec<u8> = (0..64).rev().collect();
    vec![
        Case::of(&SQRT).input(&floats).output(&map(&floats, |x| x.sqrt() + 1.0)).items([3]),
        Case::of(&MEMCPY).input(&bytes).output(&reversed).items([1]),
        Case::of(&MAIN).input(&[1, 2]).output(&[2, 3]).items([2]),
        Case::of(&KERNEL).scalar(0.5_f32).input(&floats).output(&map(&floats, |x| x * 0.5)).items([3]),
        Case::of(&LOOP).output(&[0_u32, 1, 2, 3]).items([4]),
        Case::of(&own::OWN_FUNCTION).output(&[42_u32; 3]).items([3]),
        Case::of(&own::renamed::EXCHANGED).output(&[0_u32, 1, 0, 1]).groups([2], [2]),
        Case::of(&GRÖSSE).input(&[7_u16, 8]).output(&[14_u16, 16]).items([2]),
    ]
}
