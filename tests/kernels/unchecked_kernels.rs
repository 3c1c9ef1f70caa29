//! Kernels whose author vouches for all that their memory accesses and divisions need: what is checked in them is what somebody has asked for.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// All kernels of the module, those of modules in it too.
#[kernels(unsafe(unchecked), overflow = "wrap", group_size = [4])]
pub mod vouched {
    use kernel_runtime::prelude::*;

    #[device]
    fn element(x: &[u32], index: usize) -> u32 {
        x[index]
    }

    /// An index, a range of a slice, an array, local memory, a quotient and a remainder, also in a function.
    #[kernel(unsafe(races(shared)))]
    pub fn every_guard(x: &[u32], index: &[usize], divisor: &[i32], y: &mut [i32]) {
        let mut shared = Local::<[u32; 4]>::new();
        let (l, i) = (local_id(0), global_id(0));
        let table = [1, 10, 100, 1000];
        shared[index[i]] = element(x, i);
        barrier();
        let part = &x[index[i]..index[i] + 2];
        let sum = part[0] + part[1] + table[index[i]] + shared[l];
        y[i] = sum as i32 / divisor[i] + sum as i32 % divisor[i];
    }

    /// What the author has asked for is still checked.
    #[kernel(group_size = [2])]
    pub fn what_is_asked_for(x: &[u32], y: &mut [u32]) {
        let i = global_id(0);
        assert!(x[i] < 100, "{} is too much", x[i]);
        y[i] = x[i].strict_add(1);
    }

    pub mod inner {
        use kernel_runtime::prelude::*;

        #[kernel(requires(x.len() >= y.len()))]
        pub fn copy(x: &[u32], y: &mut [u32]) {
            y[global_id(0)] = x[global_id(0)];
        }
    }
}

use vouched::inner::COPY;
use vouched::{EVERY_GUARD, WHAT_IS_ASKED_FOR};

/// One kernel by itself.
#[kernel(unsafe(unchecked))]
pub fn by_itself(x: &[u32], y: &mut [u32]) {
    y[global_id(0)] = x[global_id(0)] / x[0];
}

pub fn cases() -> Vec<Case> {
    for descriptor in [&EVERY_GUARD, &WHAT_IS_ASKED_FOR, &COPY, &BY_ITSELF] {
        assert!(descriptor.unchecked, "{}", descriptor.name);
    }
    assert!([&EVERY_GUARD, &COPY, &BY_ITSELF].iter().all(|descriptor| descriptor.fault_sites.is_empty()));
    assert_eq!(WHAT_IS_ASKED_FOR.fault_sites.len(), 2);
    assert_eq!([EVERY_GUARD.group_size, WHAT_IS_ASKED_FOR.group_size], [Some([4, 1, 1]), Some([2, 1, 1])]);
    vec![
        Case::of(&EVERY_GUARD)
            .input(&[5_u32, 6, 7, 8, 9])
            .input(&[3_usize, 2, 1, 0])
            .input(&[1, -7, 10, 100])
            .output(&[1025, -17 + 3, 2 + 9, 17])
            .items([4]),
        Case::of(&WHAT_IS_ASKED_FOR).input(&[5_u32, 6]).output(&[6_u32, 7]).items([2]),
        Case::of(&WHAT_IS_ASKED_FOR)
            .input(&[5_u32, 100])
            .update(&[50_u32; 2], &[6_u32, 50])
            .items([2])
            .faults(ExpectedFault::new(FaultKind::Panic).message("100 is too much").at("assert!"))
            .label("too much"),
        Case::of(&COPY).input(&[5_u32, 6, 7, 8]).output(&[5_u32, 6, 7, 8]).items([4]),
        Case::of(&BY_ITSELF).input(&[2_u32, 7]).output(&[1_u32, 3]).items([2]),
    ]
}
