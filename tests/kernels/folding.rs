//! What reductions and scans over groups are compared with.

use super::case::Case;
use kernel_core::{Element, KernelDescriptor, Number};

/// The subgroup size that kernels fix.
pub const SUBGROUP: usize = 16;

/// Counts and sizes of work-groups: of one work-item, of whole subgroups, and with a smaller one at the end.
pub const LAUNCHES: [(u32, u32); 6] = [(1, 1), (2, 16), (3, 20), (2, 40), (1, 7), (2, 64)];

/// The work-items that are combined.
#[derive(Clone, Copy, Debug)]
pub enum Among {
    /// Those of a subgroup of [`SUBGROUP`].
    Subgroup,
    /// Those of a work-group.
    WorkGroup,
}

impl Among {
    /// The elements of each group, where each work-item of a launch has one.
    pub fn split<T>(self, x: &[T], group_size: u32) -> Vec<&[T]> {
        let size = if matches!(self, Self::Subgroup) { SUBGROUP } else { x.len() };
        x.chunks(group_size as usize).flat_map(|group| group.chunks(size)).collect()
    }
}

/// What each work-item of a launch takes from another one of its subgroup: from the one whose number `from` makes of its own numbers in the launch
/// and in the subgroup, or its own value if there is none.
pub fn taken<T: Copy>(x: &[T], group_size: u32, from: impl Fn(usize, usize) -> usize) -> Vec<T> {
    let mut result = Vec::new();
    for group in Among::Subgroup.split(x, group_size) {
        let start = result.len();
        result.extend((0..group.len()).map(|lane| {
            let id = from(start + lane, lane);
            group[if id < group.len() { id } else { lane }]
        }));
    }
    result
}

/// Numbers of work-items of a subgroup, some of which are not there.
pub fn others(count: usize) -> Vec<usize> {
    (0..count).map(|k| [k * 7 % 16, 3, k % 40, usize::MAX - k][k / 5 % 4]).collect()
}

/// Numbers whose sums over a work-group fit in every type and are exact in whatever order.
pub fn summands<T: Number>(count: usize) -> Vec<T> {
    let offset = if T::LEAST < T::ZERO { 3.0 } else { 0.0 };
    let number = |k: usize| if k % 3 == 0 { (k * 5 % 7) as f64 - offset } else { (k % 2) as f64 };
    (0..count).map(|k| T::from_f64(number(k))).collect()
}

/// The same for products.
pub fn factors<T: Number>(count: usize) -> Vec<T> {
    (0..count).map(|k| if k % 13 == 5 { T::ONE + T::ONE } else { T::ONE }).collect()
}

/// A value of bits for each number.
pub trait Pattern {
    /// The value.
    fn pattern(k: usize) -> Self;
}

macro_rules! patterns {
    ($($ty:ident)*) => {$(
        impl Pattern for $ty {
            fn pattern(k: usize) -> Self {
                // Each has a bit that is often missing, and one that is rarely there.
                !(1 << (k % 7)) ^ ((k % 11) as $ty) << 3
            }
        }
    )*};
}

patterns! { i8 u16 i32 u32 u64 }

impl Pattern for bool {
    fn pattern(k: usize) -> Self {
        k % 5 != 3
    }
}

/// A value for each work-item: the elements of its group combined, of all of it, up to its own, and before its own.
pub fn folded<T: Copy>(groups: &[&[T]], neutral: T, combine: impl Fn(T, T) -> T) -> (Vec<T>, Vec<T>, Vec<T>) {
    let (mut all, mut up_to, mut before) = (Vec::new(), Vec::new(), Vec::new());
    for group in groups {
        let mut so_far = neutral;
        for &x in *group {
            before.push(so_far);
            so_far = combine(so_far, x);
            up_to.push(so_far);
        }
        all.extend(std::iter::repeat_n(so_far, group.len()));
    }
    (all, up_to, before)
}

/// The cases of a kernel that takes elements and writes the reduction, the inclusive scan and the exclusive one.
#[track_caller]
pub fn cases<T: Element>(
    kernel: &'static KernelDescriptor,
    among: Among,
    x: impl Fn(usize) -> Vec<T>,
    neutral: T,
    combine: impl Fn(T, T) -> T,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for (groups, size) in LAUNCHES {
        let x = x((groups * size) as usize);
        let (all, up_to, before) = folded(&among.split(&x, size), neutral, &combine);
        let case = Case::of(kernel).input(&x).output(&all).output(&up_to).output(&before);
        cases.push(case.groups([groups], [size]));
    }
    cases
}
