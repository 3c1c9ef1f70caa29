//! What `cargo xtask random` found to be wrong once, as small as it could be made.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// What is written through a mutable reference is there, whether it refers to a place or to a value without one.
#[device]
fn mutable_references(x: u32) -> u32 {
    let mut pair = (x, 1);
    let ref mut first = pair.0;
    (*first,) = (5,);
    let ref mut both = pair;
    both.1 += x & 7;
    let temporary = &mut (x & 15);
    *temporary += 1;
    let sum = match (x & 3, 2) {
        (ref mut low, high) => {
            *low *= 3;
            *low + high
        }
    };
    pair.0 * 1000 + pair.1 * 100 + *temporary + sum
}

#[kernel]
pub fn mutable_reference_values(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = mutable_references(x[i]);
}

/// An index that is known to be out of bounds is a fault like any other.
#[kernel]
#[allow(unconditional_panic, clippy::out_of_bounds_indexing, reason = "that is what is tested")]
pub fn constant_index(result: &mut [u32]) {
    let i = global_id(0);
    let table = [3, 4];
    if i > 1 {
        result[i] = table[2];
    } else {
        result[i] = table[1];
    }
}

/// The place of a panic in a method is the method's name.
#[kernel(overflow = "wrap")]
pub fn place_of_method(x: &[i64], result: &mut [i64]) {
    let i = global_id(0);
    result[i] = (x[i] + 1).strict_add(-1);
}

/// What is matched is a place that must exist, even if no pattern looks at it.
#[kernel]
#[allow(clippy::match_single_binding, reason = "that is what is tested")]
pub fn scrutinee_of_nothing(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    let table = [3, 4];
    result[i] = match table[x[i] as usize] {
        _ => 7,
    };
}

/// A variable with the name of a type is no constant, and hides no type.
#[device]
#[allow(non_camel_case_types, reason = "that is what is tested")]
fn variable_named_as_a_type(x: u32) -> u32 {
    let f32 = x + 1;
    let none = Option::<f32>::None;
    if none.is_none() { f32 } else { 0 }
}

#[kernel]
pub fn variables_named_as_types(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = variable_named_as_a_type(x[i]);
}

/// The rest of an array of tuples, bound by value where the array is an item of an array.
#[device]
fn rest_of_tuples(x: u32) -> u32 {
    let mut sum = 0;
    for [(first, _), .., (_, last)] in [[(x, 1); 3]; 2] {
        sum += first + last;
    }
    for [(mut first, second), rest @ ..] in ([[(x, 2_u32), (x + 1, 3), (x + 2, 4)]; 2]).into_iter() {
        first += second;
        sum += first + rest[x as usize % 2].0 * rest[1].1;
    }
    sum
}

#[kernel]
pub fn rests_of_tuples(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = rest_of_tuples(x[i]);
}

/// The whole of an array that a `None` would hold.
#[device]
fn rest_of_nothing(x: u32) -> u32 {
    let nothing = [x, 1].into_iter().map_while(|_| Option::<[u32; 3]>::None).filter(|_| x > 2);
    let nothing = nothing.fold(x, |sum, [mut rest @ ..]| {
        rest[0] += 1;
        sum + rest[0] + rest.len() as u32
    });
    let found: Option<[u32; 3]> = if x > 5 { Some([x; 3]) } else { None };
    nothing + found.map_or(1, |[first, rest @ ..]| first + rest[x as usize % 2])
}

#[kernel]
pub fn rests_of_nothing(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = rest_of_nothing(x[i]);
}

/// Barriers under conditions and in loops that arrays decide, whose elements are the same for all.
#[kernel(group_size = 4)]
pub fn agreement_in_arrays(n: u32, y: &mut [u32]) {
    let mut shared = Local::<[u32; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut limits = [n, 3];
    shared[l] = i as u32;
    barrier();
    for steps in [1, 0, 2] {
        limits[steps % 2] += 1;
        if limits[0] > 2 && u32x2::from_array([n, 7]).simd_gt(u32x2::splat(1)).all() {
            let next = shared[(l + steps) % 4];
            barrier();
            shared[l] += next;
            barrier();
        }
    }
    y[i] = shared[l] + limits[1];
}

/// What a work-group has in `shared` after it.
fn agreed_in_arrays(n: u32, mut shared: [u32; 4]) -> [u32; 4] {
    let mut limits = [n, 3];
    for steps in [1, 0, 2] {
        limits[steps % 2] += 1;
        if limits[0] > 2 && n > 1 {
            let before = shared;
            (0..4).for_each(|l| shared[l] += before[(l + steps) % 4]);
        }
    }
    shared.map(|sum| sum + limits[1])
}

#[device]
mod differences {
    pub trait Apart {
        fn apart(&self, k: u32) -> u32;

        fn less_ten(&self, k: u32) -> u32 {
            self.apart(k) - 10
        }
    }

    impl Apart for i32 {
        fn apart(&self, k: u32) -> u32 {
            k - *self as u32
        }
    }

    #[derive(Clone, Copy)]
    pub struct Pair(pub u32, pub u32);

    impl Pair {
        pub fn difference(self) -> u32 {
            self.0 - self.1
        }
    }

    pub fn of<T: Apart>(x: &T, k: u32) -> [u32; 2] {
        [x.apart(k), x.less_ten(k)]
    }
}

/// The author's own methods are checked for overflow as all that the author writes.
#[kernel(overflow = "check")]
pub fn overflow_in_methods(pair: bool, k: u32, y: &mut [u32]) {
    let i = global_id(0);
    y[i] = if pair { differences::Pair(k, 5).difference() } else { differences::of(&5, k)[1] };
}

/// What is the same for all of a work-group after it has combined something: barriers may depend on it.
#[kernel(group_size = 4)]
pub fn agreement_on_combinations(x: &[u64], y: &mut [u64]) {
    let mut shared = Local::<[u64; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    shared[l] = 1;
    barrier();
    let passes = [
        work_group::reduce_xor(x[i]),
        work_group::reduce_and(x[i]),
        work_group::reduce_or(x[i] as u8) as u64,
        work_group::reduce_mul(x[i]),
    ];
    for _ in 0..passes[0] + passes[1] + passes[2] + passes[3] {
        let next = shared[(l + 1) % 4];
        barrier();
        shared[l] = shared[l] * 3 + next;
        barrier();
    }
    y[i] = shared[l];
}

/// When the last leave both loops from within a condition, nobody is left to come to what follows it.
#[kernel]
pub fn leaving_from_a_condition(flags: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let ways = boolx2::from_array([true, false]);
    let mut sum = 0;
    'passes: for _ in 0..1_u32 {
        let mut n = 5_u32;
        while n > 0 && ways[i % 2] {
            n -= 1;
            let even = if flags[i] >> n & 1 == 1 {
                false
            } else {
                if true {
                    break 'passes;
                }
                false
            };
            let chosen = if even { ways } else { boolx2::splat(true) };
            sum += if chosen[0] { 10 } else { 1 };
        }
        sum += 100;
    }
    y[i] = sum;
}

/// What is left of the others is right after some have faulted between the two ways of a value.
#[kernel]
pub fn values_around_faults(x: &[f32], y: &[u64], result: &mut [u64]) {
    let i = global_id(0);
    let mut value = 0.0;
    let y = y[i];
    if if 0 < (y % (y | 1)).strict_sub(y) {
        if false {
            value = x[i];
        } else {
        }
        false
    } else {
        false
    } {}
    result[i] = if value.is_nan() { 7 } else { u64::from(value.to_bits()) };
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..40).collect();
    let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).count(2).values([2, 2]).at("table[2]");
    vec![
        Case::of(&MUTABLE_REFERENCE_VALUES).input(&x).output(&map(&x, mutable_references)).items([x.len()]),
        Case::of(&VARIABLES_NAMED_AS_TYPES)
            .input(&x)
            .output(&map(&x, variable_named_as_a_type))
            .items([x.len()]),
        Case::of(&SCRUTINEE_OF_NOTHING)
            .input(&[1_u32, 2])
            .output(&[7_u32, 7])
            .unwritten([1])
            .items([2])
            .faults(
                ExpectedFault::new(FaultKind::IndexOutOfBounds)
                    .values([2, 2])
                    .global_id([1, 0, 0])
                    .at("table[x[i] as usize]"),
            ),
        Case::of(&PLACE_OF_METHOD)
            .input(&[4_i64, i64::MAX])
            .output(&[4_i64, i64::MAX])
            .unwritten([1])
            .items([2])
            .faults(
                ExpectedFault::new(FaultKind::AdditionOverflow).global_id([1, 0, 0]).at("strict_add(-1)"),
            ),
        Case::of(&RESTS_OF_TUPLES).input(&x).output(&map(&x, rest_of_tuples)).items([x.len()]),
        Case::of(&OVERFLOW_IN_METHODS).scalar(true).scalar(7_u32).output(&[2_u32]),
        Case::of(&OVERFLOW_IN_METHODS)
            .scalar(true)
            .scalar(4_u32)
            .output(&[0_u32])
            .unwritten([0])
            .faults(ExpectedFault::new(FaultKind::SubtractionOverflow).at("self.0 - self.1")),
        Case::of(&OVERFLOW_IN_METHODS).scalar(false).scalar(17_u32).output(&[2_u32]),
        Case::of(&OVERFLOW_IN_METHODS)
            .scalar(false)
            .scalar(4_u32)
            .output(&[0_u32])
            .unwritten([0])
            .faults(ExpectedFault::new(FaultKind::SubtractionOverflow).at("k - *self as u32")),
        Case::of(&OVERFLOW_IN_METHODS)
            .scalar(false)
            .scalar(8_u32)
            .output(&[0_u32])
            .unwritten([0])
            .faults(ExpectedFault::new(FaultKind::SubtractionOverflow).at("self.apart(k) - 10")),
        // 1 ^ 2 ^ 3 ^ 2, 1 & 2 & 3 & 2, 1 | 2 | 3 | 2 and 1 * 2 * 3 * 2 make 17 passes.
        Case::of(&AGREEMENT_ON_COMBINATIONS)
            .input(&[1_u64, 2, 3, 2])
            .output(&[4_u64.pow(17); 4])
            .groups([1], [4]),
        Case::of(&AGREEMENT_IN_ARRAYS)
            .scalar(1_u32)
            .output(&agreed_in_arrays(1, [0, 1, 2, 3]))
            .groups([1], [4]),
        Case::of(&AGREEMENT_IN_ARRAYS)
            .scalar(2_u32)
            .output(&[agreed_in_arrays(2, [0, 1, 2, 3]), agreed_in_arrays(2, [4, 5, 6, 7])].concat())
            .groups([2], [4]),
        Case::of(&VALUES_AROUND_FAULTS)
            .input(&[1.5_f32; 8])
            .input(&[33_u64, 5, 6, 7, 8, 9, 11, 12])
            .output(&[0_u64; 8])
            .unwritten([0, 1, 3, 5, 6])
            .groups([1], [8])
            .faults(ExpectedFault::new(FaultKind::SubtractionOverflow).count(5).at("strict_sub(y)")),
        Case::of(&LEAVING_FROM_A_CONDITION)
            .input(&[24_u32, 24, 0, 0].repeat(10))
            .output(&[20_u32, 100, 0, 100].repeat(10))
            .items([40]),
        Case::of(&RESTS_OF_NOTHING).input(&x).output(&map(&x, rest_of_nothing)).items([x.len()]),
        Case::of(&CONSTANT_INDEX).output(&[4_u32, 4, 0, 0]).unwritten([2, 3]).items([4]).faults(fault),
    ]
}
