//! Kernels whose entry points share a module of SPIR-V: what they declare alike is declared once, local memory is each kernel's own.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[kernels(one_module, overflow = "wrap")]
pub mod together {
    use kernel_runtime::prelude::*;

    #[device]
    #[derive(Clone, Copy)]
    #[repr(C)]
    pub struct Step {
        pub scale: f32,
        pub offset: i32,
    }

    #[device]
    static TABLE: [u32; 5] = [1, 10, 100, 1000, 10000];

    #[device]
    fn power(n: usize) -> u32 {
        TABLE[n]
    }

    /// A table, and checks of its own.
    #[kernel]
    pub fn powers(n: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        y[i] = power(n[i] as usize);
    }

    /// The same table, and local memory.
    #[kernel(group_size = [4])]
    pub fn neighbours(x: &[u32], y: &mut [u32]) {
        let mut shared = Local::<[u32; 4]>::new();
        let l = local_id(0);
        shared[l] = x[global_id(0)];
        barrier();
        y[global_id(0)] = shared[3 - l] + TABLE[l];
    }

    /// Other local memory of the same type, in the other direction.
    #[kernel(group_size = [4])]
    pub fn turned(x: &[u32], y: &mut [u32]) {
        let mut shared = Local::<[u32; 4]>::new();
        let l = local_id(0);
        shared[3 - l] = x[global_id(0)];
        barrier();
        y[global_id(0)] = shared[l];
    }

    /// A struct, a function of OpenCL, and floating point that may not be contracted.
    #[kernel]
    pub fn stepped(step: Step, x: &[f32], y: &mut [f32]) {
        let i = global_id(0);
        y[i] = x[i].sqrt() * step.scale + step.offset as f32;
    }

    /// Two instances, whose types others have too.
    #[kernel(T = [u32, f32])]
    pub fn doubled<T: Number>(x: &[T], y: &mut [T]) {
        let i = global_id(0);
        y[i] = x[i] + x[i];
    }

    /// What the host alone uses stays what it is.
    pub const ITEMS: usize = 4;
}

/// Two that call the same function of another module, and one that calls none.
#[kernels(one_module)]
pub mod linked {
    use kernel_runtime::prelude::*;

    /// # Safety
    ///
    /// There is none to vouch for.
    #[device(import = "is_odd")]
    unsafe fn is_odd(x: u8) -> bool {
        x & 1 != 0
    }

    #[kernel]
    pub fn odd(x: &[u8], y: &mut [bool]) {
        let i = global_id(0);
        // SAFETY: it takes any number.
        y[i] = unsafe { is_odd(x[i]) };
    }

    #[kernel]
    pub fn even(x: &[u8], y: &mut [bool]) {
        let i = global_id(0);
        // SAFETY: the same.
        y[i] = !unsafe { is_odd(x[i]) };
    }

    #[kernel]
    pub fn zero(x: &[u8], y: &mut [bool]) {
        let i = global_id(0);
        y[i] = x[i] == 0;
    }
}

use super::imported_functions::LIBRARY;
use linked::{EVEN, ODD, ZERO};
use together::{DOUBLED_F32, DOUBLED_U32, ITEMS, NEIGHBOURS, POWERS, STEPPED, TURNED};

pub fn cases() -> Vec<Case> {
    let all = [&POWERS, &NEIGHBOURS, &TURNED, &STEPPED, &DOUBLED_U32, &DOUBLED_F32];
    let module = POWERS.spirv.bytes().as_ptr();
    assert!(all.iter().all(|descriptor| descriptor.spirv.bytes().as_ptr() == module));
    let step = together::Step { scale: 0.5, offset: -3 };
    vec![
        Case::of(&POWERS).input(&[4_u32, 0, 3]).output(&[10000_u32, 1, 1000]).items([3]),
        Case::of(&POWERS)
            .input(&[4_u32, 5, 3])
            .update(&[7_u32; 3], &[10000_u32, 7, 1000])
            .items([3])
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).at("TABLE[n]").values([5, 5]))
            .label("beyond the table"),
        Case::of(&NEIGHBOURS).input(&[1_u32, 2, 3, 4]).output(&[5_u32, 13, 102, 1001]).items([ITEMS]),
        Case::of(&TURNED).input(&[1_u32, 2, 3, 4]).output(&[4_u32, 3, 2, 1]).items([ITEMS]),
        Case::of(&STEPPED).scalar(step).input(&[4.0_f32, 9.0]).output(&[-2.0_f32, -1.5]).items([2]),
        Case::of(&ODD).with(LIBRARY).input(&[3_u8, 0, 254]).output(&[true, false, false]).items([3]),
        Case::of(&EVEN).with(LIBRARY).input(&[3_u8, 0, 254]).output(&[false, true, true]).items([3]),
        Case::of(&ZERO).with(LIBRARY).input(&[3_u8, 0, 254]).output(&[false, true, false]).items([3]),
        Case::of(&DOUBLED_U32).input(&[3_u32, u32::MAX]).output(&[6_u32, u32::MAX - 1]).items([2]),
        Case::of(&DOUBLED_F32).input(&[3.0_f32, -0.0]).output(&[6.0_f32, -0.0]).items([2]),
    ]
}
