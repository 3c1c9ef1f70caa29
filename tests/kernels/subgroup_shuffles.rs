//! Values that the work-items of a subgroup take from each other.

use super::case::Case;
use super::folding::{LAUNCHES, others, summands, taken};
use super::for_types::for_types;
use kernel_core::{bf16, f16};
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_bool: bool, on_i8: i8, on_u16: u16, on_i32: i32, on_u32: u32, on_u64: u64, on_f32: f32, on_f64: f64, on_f16: f16,
        on_bf16: bf16,
    ]
    #[kernel(subgroup_size = 16)]
    pub fn shuffled(x: &[$T], ids: &[usize], result: &mut [$T], from_first: &mut [$T]) {
        let i = global_id(0);
        result[i] = subgroup::shuffle(x[i], ids[i]);
        from_first[i] = subgroup::broadcast(x[i], 0);
    }

    #[kernel(subgroup_size = 16)]
    pub fn neighbours(distance: usize, x: &[$T], up: &mut [$T], down: &mut [$T], xor: &mut [$T]) {
        let i = global_id(0);
        up[i] = subgroup::shuffle_up(x[i], distance);
        down[i] = subgroup::shuffle_down(x[i], distance);
        xor[i] = subgroup::shuffle_xor(x[i], distance);
    }

    pub fn cases() -> Vec<Case> {
        let number = |x: &i32| super::Made::<$T>::made(*x);
        let mut cases = Vec::new();
        for (groups, size) in LAUNCHES {
            let x: Vec<$T> = summands::<i32>((groups * size) as usize).iter().map(number).collect();
            let ids = others(x.len());
            let taken = |from: &dyn Fn(usize, usize) -> usize| taken(&x, size, from);
            let case = Case::of(&SHUFFLED).input(&x).input(&ids).output(&taken(&|i, _| ids[i])).output(&taken(&|_, _| 0));
            cases.push(case.groups([groups], [size]));
            for distance in [0, 1, 5, 16, usize::MAX, 1 << 32] {
                let case = Case::of(&NEIGHBOURS)
                    .scalar(distance)
                    .input(&x)
                    .output(&taken(&|_, lane| lane.wrapping_sub(distance)))
                    .output(&taken(&|_, lane| lane.saturating_add(distance)))
                    .output(&taken(&|_, lane| lane ^ distance));
                cases.push(case.groups([groups], [size]));
            }
        }
        cases
    }
}

/// A value of a type for each number.
struct Made<T>(std::marker::PhantomData<T>);

macro_rules! made {
    ($($ty:ident)*) => {$(
        impl Made<$ty> {
            fn made(x: i32) -> $ty {
                <$ty as Number>::from_f64(x.into())
            }
        }
    )*};
}

made! { i8 u16 i32 u32 u64 f32 f64 f16 bf16 }

impl Made<bool> {
    fn made(x: i32) -> bool {
        x > 0
    }
}
