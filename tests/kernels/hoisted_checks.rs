//! Checks that the host makes for the whole launch, by lengths, scalars and the size of the launch.
//!
//! Each kernel has launches in which its conditions just hold, and others in which they just do not: then it has all checks, and faults as ever.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[kernel]
pub fn by_global_id(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i] + 1;
}

/// The lengths differ by a guard on one of them.
#[kernel]
pub fn by_guard(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = x[i] * 2;
    }
}

#[kernel]
pub fn product(a: &[u32], b: &[u32], c: &mut [u32], m: usize, n: usize, k: usize) {
    let (row, column) = (global_id(1), global_id(0));
    if row < m && column < n {
        let mut sum = 0;
        for i in 0..k {
            sum += a[row * k + i] * b[i * n + column];
        }
        c[row * n + column] = sum;
    }
}

#[kernel]
pub fn neighbours(x: &[u32], y: &mut [u32], w: usize, h: usize, d: usize) {
    let (a, b, c) = (global_id(0), global_id(1), global_id(2));
    if a >= 1 && a + 1 < w && b >= 1 && b + 1 < h && c < d {
        let i = (c * h + b) * w + a;
        y[i] = x[i - 1] + x[i + 1] + x[i - w] + x[i + w];
    }
}

pub const WIDE: [usize; 3] = [5, 4, 3];

/// The wrap of 32 bits is one of the conditions.
#[kernel]
pub fn of_32_bits(x: &[u32], y: &mut [u32], n: u32, dim: u32) {
    let i = global_id(0) as u32;
    if i < n {
        for d in 0..dim {
            y[(i * dim + d) as usize] = x[(d * n + i) as usize];
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
#[device]
pub struct Shape {
    pub seed: u64,
    pub width: u32,
    pub height: u32,
}

#[kernel(overflow = "wrap")]
pub fn by_fields(shape: Shape, y: &mut [u32]) {
    let (column, row) = (global_id(0) as u32, global_id(1) as u32);
    if column < shape.width && row < shape.height {
        y[(row * shape.width + column) as usize] = row * 100 + column;
    }
}

#[kernel(N = _)]
pub fn by_constant<const N: usize>(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for k in 0..N {
        sum += x[i * N + k];
    }
    y[i] = sum;
}

#[kernel(T = [u32, u64])]
pub fn generic<T: Number>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[x.len() - 1 - i];
}

/// What is read from memory has its check in both versions.
#[kernel]
pub fn gather(index: &[u32], x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[index[i] as usize];
}

#[kernel]
pub fn divided(x: &[u32], y: &mut [u32], by: usize) {
    let i = global_id(0);
    y[i] = x[i / by];
}

/// A meeting after the checks, so that work-items go on after a fault.
#[kernel(group_size = 4)]
pub fn with_barrier(x: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 4]>::new();
    let (i, l) = (global_id(0), local_id(0));
    tile[l] = x[i];
    barrier();
    y[i] = tile[3 - l];
}

#[kernel(group_size = 4)]
pub fn by_group(x: &[u32], y: &mut [u32]) {
    let mut sum = 0;
    for k in 0..4 {
        sum += x[group_id(0) * 4 + k];
    }
    if local_id(0) == 0 {
        y[group_id(0)] = sum;
    }
}

/// Two kernels of one module, each of which is there twice.
#[kernel_runtime::kernels(one_module)]
pub mod together {
    use kernel_runtime::prelude::*;

    #[kernel]
    pub fn first(x: &[u32], y: &mut [u32]) {
        y[global_id(0)] = x[global_id(0)] + 10;
    }

    #[kernel(unsafe(races(tile)))]
    pub fn second(x: &[u32], y: &mut [u32]) {
        let mut tile = Local::<[u32; 2]>::new();
        tile[0] = 20;
        y[global_id(0)] = x[global_id(0)] + tile[0];
    }
}

fn numbers(count: usize) -> Vec<u32> {
    (0..count as u32).map(|k| k * 3 + 1).collect()
}

fn doubled(x: &[u32]) -> Vec<u32> {
    x.iter().map(|x| x * 2).collect()
}

/// A launch that meets all conditions of its kernel, which is executed without checks and with them.
#[track_caller]
fn met(case: Case) -> Case {
    assert_eq!(case.entry_points().len(), 2, "{}, {}", case.kernel.name, case.origin());
    case
}

/// A launch that does not: so many work-items fault, at indices into what has this name.
#[track_caller]
fn unmet(case: Case, count: u32, at: &'static str) -> Case {
    assert_eq!(case.entry_points().len(), 1, "{}, {}", case.kernel.name, case.origin());
    case.faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(count).at(at)).label("unmet")
}

/// A launch that does not meet the conditions, and in which no check fails all the same.
#[track_caller]
fn unmet_in_vain(case: Case) -> Case {
    assert_eq!(case.entry_points().len(), 1, "{}, {}", case.kernel.name, case.origin());
    case.label("unmet in vain")
}

fn simple_cases() -> Vec<Case> {
    let x = numbers(9);
    let more = |x: &[u32]| x.iter().map(|x| x + 1).collect::<Vec<_>>();
    let global = |x: usize, y: usize, count: usize| {
        let good = x.min(y).min(count);
        let mut expected = more(&numbers(9)[..y]);
        expected.resize(y, 0);
        Case::of(&BY_GLOBAL_ID).input(&numbers(9)[..x]).output(&expected).unwritten(good..y).items([count])
    };
    let guarded = |x: usize, y: usize, count: usize| {
        let good = x.min(y).min(count);
        Case::of(&BY_GUARD)
            .input(&numbers(9)[..x])
            .output(&doubled(&numbers(9)[..y]))
            .unwritten(good..y)
            .items([count])
    };
    vec![
        met(global(7, 7, 7)),
        met(global(9, 8, 7)),
        unmet(global(6, 7, 7), 1, "x[i]"),
        unmet(global(7, 6, 7), 1, "y[i]"),
        met(guarded(7, 7, 9)),
        // The guard counts, not the size of the launch.
        unmet_in_vain(guarded(7, 9, 7)),
        unmet(guarded(6, 7, 9), 1, "x[i]"),
        unmet(guarded(6, 9, 7), 1, "x[i]"),
        met(Case::of(&GENERIC_U32).input(&x).output(&x.iter().rev().copied().collect::<Vec<_>>()).items([9])),
        met(Case::of(&GENERIC_U64).input(&[1_u64, 2, 3]).output(&[3_u64, 2]).items([2])),
        met(Case::of(&GATHER).input(&[2_u32, 0, 1]).input(&x[..3]).output(&[7_u32, 1, 4]).items([3])),
        met(Case::of(&GATHER)
            .input(&[2_u32, 3, 1])
            .input(&x[..3])
            .output(&[7_u32, 0, 4])
            .unwritten([1])
            .items([3]))
        .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([3, 3]).global_id([1, 0, 0])),
        unmet(
            Case::of(&GATHER)
                .input(&[2_u32, 0])
                .input(&x[..3])
                .output(&[7_u32, 1, 4])
                .unwritten([2])
                .items([3]),
            1,
            "index[i]",
        ),
    ]
}

fn product_case([m, n, k]: [usize; 3], lens: [usize; 3], size: [usize; 2]) -> Case {
    let (a, b) = (numbers(40), numbers(40));
    let mut expected = vec![0; lens[2]];
    let mut unwritten: Vec<usize> = (0..lens[2]).collect();
    for row in 0..m.min(size[1]) {
        for column in 0..n.min(size[0]) {
            let indices = (0..k).map(|i| (row * k + i, i * n + column));
            let is_inside = indices.clone().all(|(left, right)| left < lens[0] && right < lens[1]);
            let at = row * n + column;
            if is_inside && at < lens[2] {
                expected[at] = indices.map(|(left, right)| a[left] * b[right]).sum();
                unwritten.retain(|element| *element != at);
            }
        }
    }
    Case::of(&PRODUCT)
        .input(&a[..lens[0]])
        .input(&b[..lens[1]])
        .output(&expected)
        .unwritten(unwritten)
        .scalar(m)
        .scalar(n)
        .scalar(k)
        .items(size)
}

fn product_cases() -> Vec<Case> {
    let size = [4, 4];
    vec![
        met(product_case([3, 4, 2], [6, 8, 12], size)),
        met(product_case([3, 4, 2], [9, 9, 13], size)),
        met(product_case([3, 4, 0], [0, 0, 12], size)),
        unmet(product_case([3, 4, 2], [5, 8, 12], size), 4, "a[row * k + i]"),
        unmet(product_case([3, 4, 2], [6, 7, 12], size), 3, "b[i * n + column]"),
        unmet(product_case([3, 4, 2], [6, 8, 11], size), 1, "c[row * n + column]"),
        // The launch is smaller than the matrix.
        unmet_in_vain(product_case([100, 4, 2], [6, 8, 12], [4, 3])),
        // The products do not fit in 64 bits: that is no reason to go without checks.
        unmet_in_vain(product_case([3, 4, 1 << 62], [6, 8, 12], size))
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(12)),
    ]
}

fn neighbours_case(len: usize, [w, h, d]: [usize; 3], launched: [usize; 3]) -> Case {
    let x = numbers(100);
    let mut expected = vec![0; 70];
    let mut written = Vec::new();
    for (c, b, a) in (0..d).flat_map(|c| (0..h).flat_map(move |b| (0..w).map(move |a| (c, b, a)))) {
        let at = (c * h + b) * w + a;
        let is_inner = a >= 1 && a + 1 < w && b >= 1 && b + 1 < h;
        let is_launched = a < launched[0] && b < launched[1] && c < launched[2];
        if is_inner && is_launched && at + w < len {
            expected[at] = x[at - 1] + x[at + 1] + x[at - w] + x[at + w];
            written.push(at);
        }
    }
    Case::of(&NEIGHBOURS)
        .input(&x[..len])
        .output(&expected)
        .unwritten((0..70).filter(|element| !written.contains(element)))
        .scalar(w)
        .scalar(h)
        .scalar(d)
        .items(launched)
}

fn of_32_bits_case([n, dim]: [u32; 2], x: usize, y: usize, count: usize) -> Case {
    let input = numbers(60);
    let mut expected = vec![0; y];
    let mut written = Vec::new();
    for i in 0..n.min(count as u32) {
        for d in 0..dim {
            let (to, from) = ((i * dim + d) as usize, (d * n + i) as usize);
            if to >= y || from >= x {
                break;
            }
            expected[to] = input[from];
            written.push(to);
        }
    }
    Case::of(&OF_32_BITS)
        .input(&input[..x])
        .output(&expected)
        .unwritten((0..y).filter(|element| !written.contains(element)))
        .scalar(n)
        .scalar(dim)
        .items([count])
}

fn by_fields_case(shape: Shape, len: usize, size: [usize; 2]) -> Case {
    let mut expected = vec![0; len];
    let mut written = Vec::new();
    for (row, column) in
        (0..size[1] as u32).flat_map(|row| (0..size[0] as u32).map(move |column| (row, column)))
    {
        let at = (row * shape.width + column) as usize;
        if column < shape.width && row < shape.height && at < len {
            expected[at] = row * 100 + column;
            written.push(at);
        }
    }
    let unwritten = (0..len).filter(|element| !written.contains(element));
    Case::of(&BY_FIELDS).value(shape).output(&expected).unwritten(unwritten).items(size)
}

fn shaped_cases() -> Vec<Case> {
    let shape = Shape { seed: u64::MAX, width: 5, height: 3 };
    vec![
        met(neighbours_case(60, WIDE, WIDE)),
        met(neighbours_case(60, WIDE, [8, 8, 8])),
        met(neighbours_case(59, WIDE, WIDE)),
        unmet(neighbours_case(58, WIDE, WIDE), 1, "x[i + w]"),
        met(of_32_bits_case([5, 4], 20, 20, 8)),
        unmet(of_32_bits_case([5, 4], 19, 20, 8), 1, "x[(d * n + i) as usize]"),
        unmet(of_32_bits_case([5, 4], 20, 19, 8), 1, "y[(i * dim + d) as usize]"),
        met(by_fields_case(shape, 15, [8, 4])),
        unmet_in_vain(by_fields_case(shape, 10, [8, 2])),
        unmet(by_fields_case(shape, 14, [8, 4]), 1, "y[(row * shape.width + column) as usize]"),
        unmet(by_fields_case(shape, 9, [8, 2]), 1, "y[(row * shape.width + column) as usize]"),
    ]
}

fn by_constant_case(n: usize, x: usize, y: usize, count: usize) -> Case {
    let input = numbers(30);
    let good = count.min(y).min(if n == 0 { count } else { x / n });
    let sum = |i: usize| if i < good { input[i * n..(i + 1) * n].iter().sum() } else { 0_u32 };
    Case::of(&BY_CONSTANT)
        .set(n as u64)
        .input(&input[..x])
        .output(&(0..y).map(sum).collect::<Vec<_>>())
        .unwritten(good..y)
        .items([count])
}

fn divided_case(by: usize, x: usize, count: usize) -> Case {
    let input = numbers(30);
    let value = |i: usize| i.checked_div(by).filter(|at| *at < x).map(|at| input[at]);
    let expected: Vec<u32> = (0..count).map(|i| value(i).unwrap_or(0)).collect();
    Case::of(&DIVIDED)
        .input(&input[..x])
        .output(&expected)
        .unwritten((0..count).filter(|i| value(*i).is_none()))
        .scalar(by)
        .items([count])
}

fn grouped_cases() -> Vec<Case> {
    let x = numbers(16);
    let turned: Vec<u32> = (0..16).map(|i| x[i / 4 * 4 + 3 - i % 4]).collect();
    // The work-item without an element goes on with 0.
    let cut: Vec<u32> = (0..16).map(|i| if i == 12 { 0 } else { turned[i] }).collect();
    let sums: Vec<u32> = x.chunks(4).map(|four| four.iter().sum()).collect();
    vec![
        met(Case::of(&WITH_BARRIER).input(&x).output(&turned).items([16])),
        unmet(Case::of(&WITH_BARRIER).input(&x[..15]).output(&cut).items([16]), 1, "x[i]"),
        met(Case::of(&BY_GROUP).input(&x).output(&sums).items([16])),
        unmet(
            Case::of(&BY_GROUP).input(&x[..15]).output(&sums).unwritten([3]).items([16]),
            4,
            "x[group_id(0) * 4 + k]",
        ),
        unmet(Case::of(&BY_GROUP).input(&x).output(&sums[..3]).items([16]), 1, "y[group_id(0)]"),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(simple_cases());
    cases.extend(product_cases());
    cases.extend(shaped_cases());
    cases.extend(grouped_cases());
    cases.extend([
        met(by_constant_case(3, 12, 4, 4)),
        met(by_constant_case(0, 0, 4, 4)),
        unmet(by_constant_case(3, 11, 4, 4), 1, "x[i * N + k]"),
        unmet(by_constant_case(3, 12, 3, 4), 1, "y[i]"),
        met(divided_case(3, 4, 12)),
        unmet(divided_case(3, 3, 12), 3, "x[i / by]"),
        unmet_in_vain(divided_case(0, 4, 12))
            .faults(ExpectedFault::new(FaultKind::DivisionByZero).count(12).at("i / by")),
        met(Case::of(&together::FIRST).input(&[1_u32, 2]).output(&[11_u32, 12]).items([2])),
        met(Case::of(&together::SECOND).input(&[1_u32, 2]).output(&[21_u32, 22]).items([2]).races()),
        unmet(
            Case::of(&together::FIRST).input(&[1_u32]).output(&[11_u32, 12]).unwritten([1]).items([2]),
            1,
            "x[global_id(0)]",
        ),
        unmet(
            Case::of(&together::SECOND).input(&[1_u32, 2]).output(&[21_u32]).items([2]).races(),
            1,
            "y[global_id(0)]",
        ),
    ]);
    cases
}
