//! Vectors that the work-items of a group hand each other and combine, lane by lane.

use super::case::Case;
use super::folding::{Among, LAUNCHES, Pattern, factors, folded, others, summands, taken};
use kernel_core::KernelDescriptor;
use kernel_core::vector::{Lane, Vector};
use kernel_runtime::prelude::*;
use kernel_runtime::{Bits, Element, GroupNumber, GroupValue};

#[kernel(T = [f32x4, u32x3, i32x2, f32x16, i16x8, u8x16, f16x4, bf16x3, boolx4, boolx2, u64x2, i64x3, f64x4, usizex2], subgroup_size = 16)]
pub fn vectors_exchanged<T: GroupValue>(
    x: &[T],
    ids: &[usize],
    distance: usize,
    shuffled: &mut [T],
    up: &mut [T],
    down: &mut [T],
    xor: &mut [T],
) {
    let i = global_id(0);
    shuffled[i] = subgroup::shuffle(x[i], ids[i]);
    up[i] = subgroup::shuffle_up(x[i], distance);
    down[i] = subgroup::shuffle_down(x[i], distance);
    xor[i] = subgroup::shuffle_xor(x[i], distance);
}

#[kernel(T = [f32x4, u32x3, i16x8, u8x2, f16x4, bf16x3, boolx4, u64x2, f64x3], subgroup_size = 16)]
pub fn vectors_of_one<T: GroupValue>(x: &[T], in_subgroup: &mut [T], in_group: &mut [T]) {
    let i = global_id(0);
    in_subgroup[i] = subgroup::broadcast(x[i], subgroup::size() - 1);
    in_group[i] = work_group::broadcast(x[i], work_group::size() - 1);
}

#[kernel(T = [f32x4, u32x3, i32x8, i8x16, f16x2, bf16x3, u64x2, f64x3], subgroup_size = 16)]
pub fn vectors_added<T: GroupNumber>(
    x: &[T],
    sum: &mut [T],
    before: &mut [T],
    most: &mut [T],
    least: &mut [T],
) {
    let i = global_id(0);
    sum[i] = subgroup::reduce_add(x[i]);
    before[i] = work_group::scan_exclusive_add(x[i]);
    most[i] = subgroup::scan_inclusive_max(x[i]);
    least[i] = work_group::scan_exclusive_min(x[i]);
}

#[kernel(T = [f32x4, u32x3, i8x2, f16x3, u64x2], subgroup_size = 16)]
pub fn vectors_multiplied<T: GroupNumber>(x: &[T], all: &mut [T], before: &mut [T], up_to: &mut [T]) {
    let i = global_id(0);
    all[i] = subgroup::reduce_mul(x[i]);
    before[i] = subgroup::scan_exclusive_mul(x[i]);
    up_to[i] = work_group::scan_inclusive_mul(x[i]);
}

#[kernel(T = [u32x4, u16x3, i8x8, u64x2, boolx3], subgroup_size = 16)]
pub fn vectors_of_bits<T: Bits>(x: &[T], and: &mut [T], or: &mut [T], xor: &mut [T]) {
    let i = global_id(0);
    and[i] = subgroup::reduce_and(x[i]);
    or[i] = work_group::scan_exclusive_or(x[i]);
    xor[i] = work_group::scan_inclusive_xor(x[i]);
}

/// A point that is the mean of all, in a device function, and a component of what another has.
#[device]
fn mean(x: f32x3) -> f32x3 {
    subgroup::reduce_add(x) / f32x3::splat(subgroup::size() as f32)
}

#[kernel(subgroup_size = 16)]
pub fn centred(x: &[f32x3], y: &mut [f32x3], next: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] - mean(x[i]);
    next[i] = subgroup::shuffle_down(x[i].zyx(), 1).x;
}

/// Vectors whose lanes are the elements of a list from their own position on.
fn vectors<T: Lane<N>, const N: usize>(scalars: &[T], count: usize) -> Vec<Vector<T, N>> {
    let lane = |k: usize, lane: usize| scalars[(k + lane * 5) % scalars.len()];
    (0..count).map(|k| Vector::from_array(std::array::from_fn(|l| lane(k, l)))).collect()
}

fn exchanges<T: GroupValue + Element>(
    descriptor: &'static KernelDescriptor,
    of: impl Fn(usize) -> Vec<T>,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for (groups, size) in LAUNCHES {
        let x = of((groups * size) as usize);
        let ids = others(x.len());
        let taken = |from: &dyn Fn(usize, usize) -> usize| taken(&x, size, from);
        for distance in [0, 1, 7, usize::MAX] {
            let case = Case::of(descriptor)
                .input(&x)
                .input(&ids)
                .scalar(distance)
                .output(&taken(&|i, _| ids[i]))
                .output(&taken(&|_, lane| lane.wrapping_sub(distance)))
                .output(&taken(&|_, lane| lane.saturating_add(distance)))
                .output(&taken(&|_, lane| lane ^ distance));
            cases.push(case.groups([groups], [size]).label(format!("{groups} of {size} by {distance}")));
        }
    }
    cases
}

fn broadcasts<T: GroupValue + Element>(
    descriptor: &'static KernelDescriptor,
    of: impl Fn(usize) -> Vec<T>,
) -> Vec<Case> {
    let case = |(groups, size): (u32, u32)| {
        let x = of((groups * size) as usize);
        let last = |among: Among| -> Vec<T> {
            among
                .split(&x, size)
                .into_iter()
                .flat_map(|group| vec![group[group.len() - 1]; group.len()])
                .collect()
        };
        let case =
            Case::of(descriptor).input(&x).output(&last(Among::Subgroup)).output(&last(Among::WorkGroup));
        case.groups([groups], [size]).label(format!("{groups} of {size}"))
    };
    LAUNCHES.into_iter().map(case).collect()
}

/// The lists of scans and reductions of vectors, of which each lane is folded.
type Folded<T, const N: usize> = (Vec<Vector<T, N>>, Vec<Vector<T, N>>, Vec<Vector<T, N>>);

fn folded_lanes<T: Lane<N>, const N: usize>(
    groups: &[&[Vector<T, N>]],
    neutral: T,
    combine: impl Fn(T, T) -> T,
) -> Folded<T, N> {
    let each = |a: Vector<T, N>, b: Vector<T, N>| {
        Vector::from_array(std::array::from_fn(|lane| combine(a[lane], b[lane])))
    };
    folded(groups, Vector::splat(neutral), each)
}

fn sums<T: Lane<N> + Number, const N: usize>(descriptor: &'static KernelDescriptor) -> Vec<Case> {
    let case = |(groups, size): (u32, u32)| {
        let x: Vec<Vector<T, N>> = vectors(&summands((groups * size) as usize), (groups * size) as usize);
        let (subgroups, work_groups) = (Among::Subgroup.split(&x, size), Among::WorkGroup.split(&x, size));
        let (sum, _, _) = folded_lanes(&subgroups, <T as Number>::ZERO, |a, b| a + b);
        let (_, _, before) = folded_lanes(&work_groups, <T as Number>::ZERO, |a, b| a + b);
        let (_, most, _) = folded_lanes(&subgroups, T::LEAST, |a, b| if b > a { b } else { a });
        let (_, _, least) = folded_lanes(&work_groups, T::GREATEST, |a, b| if b < a { b } else { a });
        let case = Case::of(descriptor).input(&x).output(&sum).output(&before).output(&most).output(&least);
        case.groups([groups], [size]).label(format!("{groups} of {size}"))
    };
    LAUNCHES.into_iter().map(case).collect()
}

fn products<T: Lane<N> + Number, const N: usize>(descriptor: &'static KernelDescriptor) -> Vec<Case> {
    let case = |(groups, size): (u32, u32)| {
        let x: Vec<Vector<T, N>> = vectors(&factors((groups * size) as usize), (groups * size) as usize);
        let (subgroups, work_groups) = (Among::Subgroup.split(&x, size), Among::WorkGroup.split(&x, size));
        let (all, _, before) = folded_lanes(&subgroups, T::ONE, |a, b| a * b);
        let (_, up_to, _) = folded_lanes(&work_groups, T::ONE, |a, b| a * b);
        let case = Case::of(descriptor).input(&x).output(&all).output(&before).output(&up_to);
        case.groups([groups], [size]).label(format!("{groups} of {size}"))
    };
    LAUNCHES.into_iter().map(case).collect()
}

fn bits<T, const N: usize>(descriptor: &'static KernelDescriptor) -> Vec<Case>
where
    T: Lane<N>
        + Bits
        + Pattern
        + std::ops::BitAnd<Output = T>
        + std::ops::BitOr<Output = T>
        + std::ops::BitXor<Output = T>,
{
    let case = |(groups, size): (u32, u32)| {
        let patterns: Vec<T> = (0..(groups * size) as usize).map(T::pattern).collect();
        let x: Vec<Vector<T, N>> = vectors(&patterns, patterns.len());
        let (subgroups, work_groups) = (Among::Subgroup.split(&x, size), Among::WorkGroup.split(&x, size));
        let (and, _, _) = folded_lanes(&subgroups, T::ALL, |a, b| a & b);
        let (_, _, or) = folded_lanes(&work_groups, T::NONE, |a, b| a | b);
        let (_, xor, _) = folded_lanes(&work_groups, T::NONE, |a, b| a ^ b);
        let case = Case::of(descriptor).input(&x).output(&and).output(&or).output(&xor);
        case.groups([groups], [size]).label(format!("{groups} of {size}"))
    };
    LAUNCHES.into_iter().map(case).collect()
}

fn numbers<T: Lane<N> + Number, const N: usize>(count: usize) -> Vec<Vector<T, N>> {
    let scalars: Vec<T> = (0..count + 80).map(|k| T::from_f64((k % 101) as f64)).collect();
    vectors(&scalars, count)
}

fn masks<const N: usize>(count: usize) -> Vec<Vector<bool, N>>
where
    bool: Lane<N>,
{
    let scalars: Vec<bool> = (0..count + 80).map(|k| k % 5 < 2).collect();
    vectors(&scalars, count)
}

fn points() -> Vec<Case> {
    let case = |groups: u32| {
        let x: Vec<f32x3> = numbers((groups * 16) as usize);
        let mean =
            |group: &[f32x3]| group.iter().fold(f32x3::splat(0.0), |sum, &x| sum + x) / f32x3::splat(16.0);
        let y: Vec<f32x3> = x.chunks(16).flat_map(|group| group.iter().map(|&x| x - mean(group))).collect();
        let next: Vec<f32> = (0..x.len()).map(|k| x[if k % 16 == 15 { k } else { k + 1 }].z).collect();
        Case::of(&CENTRED).input(&x).output(&y).output(&next).groups([groups], [16])
    };
    vec![case(1), case(3).label("several groups")]
}

pub fn cases() -> Vec<Case> {
    let mut cases = points();
    cases.extend(exchanges(&VECTORS_EXCHANGED_F32X4, numbers::<f32, 4>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_U32X3, numbers::<u32, 3>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_I32X2, numbers::<i32, 2>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_F32X16, numbers::<f32, 16>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_I16X8, numbers::<i16, 8>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_U8X16, numbers::<u8, 16>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_F16X4, numbers::<f16, 4>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_BF16X3, numbers::<bf16, 3>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_BOOLX4, masks::<4>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_BOOLX2, masks::<2>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_U64X2, numbers::<u64, 2>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_I64X3, numbers::<i64, 3>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_F64X4, numbers::<f64, 4>));
    cases.extend(exchanges(&VECTORS_EXCHANGED_USIZEX2, numbers::<usize, 2>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_F32X4, numbers::<f32, 4>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_U32X3, numbers::<u32, 3>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_I16X8, numbers::<i16, 8>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_U8X2, numbers::<u8, 2>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_F16X4, numbers::<f16, 4>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_BF16X3, numbers::<bf16, 3>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_BOOLX4, masks::<4>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_U64X2, numbers::<u64, 2>));
    cases.extend(broadcasts(&VECTORS_OF_ONE_F64X3, numbers::<f64, 3>));
    cases.extend(sums::<f32, 4>(&VECTORS_ADDED_F32X4));
    cases.extend(sums::<u32, 3>(&VECTORS_ADDED_U32X3));
    cases.extend(sums::<i32, 8>(&VECTORS_ADDED_I32X8));
    cases.extend(sums::<i8, 16>(&VECTORS_ADDED_I8X16));
    cases.extend(sums::<f16, 2>(&VECTORS_ADDED_F16X2));
    cases.extend(sums::<bf16, 3>(&VECTORS_ADDED_BF16X3));
    cases.extend(sums::<u64, 2>(&VECTORS_ADDED_U64X2));
    cases.extend(sums::<f64, 3>(&VECTORS_ADDED_F64X3));
    cases.extend(products::<f32, 4>(&VECTORS_MULTIPLIED_F32X4));
    cases.extend(products::<u32, 3>(&VECTORS_MULTIPLIED_U32X3));
    cases.extend(products::<i8, 2>(&VECTORS_MULTIPLIED_I8X2));
    cases.extend(products::<f16, 3>(&VECTORS_MULTIPLIED_F16X3));
    cases.extend(products::<u64, 2>(&VECTORS_MULTIPLIED_U64X2));
    cases.extend(bits::<u32, 4>(&VECTORS_OF_BITS_U32X4));
    cases.extend(bits::<u16, 3>(&VECTORS_OF_BITS_U16X3));
    cases.extend(bits::<i8, 8>(&VECTORS_OF_BITS_I8X8));
    cases.extend(bits::<u64, 2>(&VECTORS_OF_BITS_U64X2));
    cases.extend(bits::<bool, 3>(&VECTORS_OF_BITS_BOOLX3));
    cases
}
