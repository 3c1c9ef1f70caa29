//! Functions for other modules, `#[device(export = "…")]`: what another crate and this file export is called by kernels in Rust, which import it, and by
//! kernels that `clang` made of OpenCL C.

use super::case::Case;
use super::edge::map;
use device_library::exported;
use kernel_core::descriptor::{AlignedBytes, Argument, ArgumentKind, Import, Spirv};
use kernel_core::{
    Access, ElementType, ExportDescriptor, FaultSites, FloatAtomics, KernelDescriptor, Requirements, Scalar,
    SourceLine,
};
use kernel_runtime::prelude::*;

/// # Safety
///
/// There are `count` numbers at `coefficients`.
#[device(import = "rust_horner")]
unsafe fn horner(x: f32, coefficients: *const f32, count: usize) -> f32 {
    // SAFETY: the caller vouches for so many.
    unsafe { exported::horner(x, coefficients, count) }
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "rust_ranked")]
unsafe fn ranked(x: f32) -> u32 {
    exported::ranked(x)
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "rust_scale")]
unsafe fn scale(x: f32, y: f32) -> f32 {
    exported::scale(x, y)
}

/// The functions are called as those of another module, and once more as device functions.
#[kernel]
pub fn calls_exports(coefficients: &[f32], x: &mut [f32], ranks: &mut [u32], same: &mut [bool]) {
    let i = global_id(0);
    // SAFETY: there are as many numbers as it says.
    unsafe {
        let value = horner(x[i], coefficients.as_ptr(), coefficients.len());
        ranks[i] = ranked(value);
        same[i] = ranks[i] == exported::ranked(value)
            && value == exported::horner(x[i], coefficients.as_ptr(), coefficients.len());
        x[i] = scale(value, 0.5);
    }
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "rust_halved")]
unsafe fn halved(x: f16) -> f16 {
    exported::halved(x)
}

#[kernel]
pub fn calls_half_export(x: &mut [f16]) {
    let i = global_id(0);
    // SAFETY: it takes any number.
    x[i] = unsafe { halved(x[i]) };
}

/// # Safety
///
/// There are more than `width * i` numbers at `x`.
#[device(import = "rust_row")]
unsafe fn row(x: *mut f32, width: usize, i: usize) -> *mut f32 {
    // SAFETY: the caller vouches for so many.
    unsafe { exported::row(x, width, i) }
}

#[kernel(overflow = "wrap")]
pub unsafe fn calls_address_export(width: usize, x: *mut f32, is_there: &mut [bool]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for a row for each work-item.
    unsafe {
        let own = row(x, width, i);
        is_there[i] = !own.is_null();
        if is_there[i] {
            *own += i as f32 + 1.0;
        }
    }
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "rust_quotient")]
unsafe fn imported_quotient(x: f64, y: f64) -> f64 {
    quotient(x, y)
}

/// Double precision, and no parameter that is as the host passes it.
#[device(export = "rust_quotient")]
pub fn quotient(x: f64, y: f64) -> f64 {
    if y == 0.0 { 0.0 } else { x / y }
}

#[kernel]
pub fn calls_double_export(x: &mut [f64], y: &[f64]) {
    let i = global_id(0);
    // SAFETY: it takes any numbers.
    x[i] = unsafe { imported_quotient(x[i], y[i]) };
}

/// # Safety
///
/// It is called on a device only.
#[device(import = "rust_place")]
unsafe fn imported_place() -> usize {
    unreachable!("there are no work-items here")
}

/// Where the work-item that calls it is, in a launch of which the function knows nothing.
#[device(export = "rust_place", overflow = "wrap")]
fn place() -> usize {
    (global_id(1) * global_size(0) + global_id(0)) * 100 + work_group::local_linear_id()
}

#[kernel]
pub fn calls_place(y: &mut [usize]) {
    let i = global_id(1) * global_size(0) + global_id(0);
    // SAFETY: this is a device.
    y[i] = unsafe { imported_place() };
}

#[kernel]
pub fn calls_place_in_a_row(y: &mut [usize]) {
    let i = global_id(0);
    // SAFETY: this is a device.
    y[i] = unsafe { imported_place() };
}

/// # Safety
///
/// There is a number at `to`.
#[device(import = "rust_count")]
unsafe fn imported_count(to: *mut u32, x: f32, table: *const f32) -> bool {
    // SAFETY: the caller vouches for what both ask for.
    unsafe { count(to, x, table) }
}

/// # Safety
///
/// There are four numbers at `table`, and `x` is not negative.
#[device(import = "gamma_of")]
unsafe fn gamma(x: f32, table: *const f32) -> f32 {
    // SAFETY: the caller vouches for four numbers.
    x * unsafe { *table.add(x as usize & 3) } + 0.5
}

/// What is exported calls what is imported.
///
/// # Safety
///
/// There is a number at `to`, which nobody else accesses; there are four numbers at `table`, and `x` is not negative.
#[device(export = "rust_count")]
pub unsafe fn count(to: *mut u32, x: f32, table: *const f32) -> bool {
    // SAFETY: the caller vouches for all that is asked for.
    unsafe {
        let is_large = gamma(x, table) > 3.0;
        if is_large {
            *to = (*to).wrapping_add(1);
        }
        is_large
    }
}

#[kernel]
pub fn calls_what_calls(table: &[f32], x: &[f32], large: &mut [bool], totals: &mut [u32]) {
    let i = global_id(0);
    assert!(table.len() == 4 && x[i] >= 0.0);
    // SAFETY: there are four numbers, and a total for each work-item.
    large[i] = unsafe { imported_count(&raw mut totals[i], x[i], table.as_ptr()) };
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "rust_rounded")]
unsafe fn imported_rounded(x: f32, y: f32) -> f32 {
    rounded(x, y)
}

/// A product and a difference, each of which is rounded.
#[device(export = "rust_rounded")]
fn rounded(x: f32, y: f32) -> f32 {
    x * x - y
}

/// The kernel rounds as Rust does, in what it calls too.
#[kernel]
pub fn rounds(x: &mut [f32], own: &mut [f32], y: &[f32]) {
    let i = global_id(0);
    own[i] = x[i] * x[i] - y[i];
    // SAFETY: it takes any numbers.
    x[i] = unsafe { imported_rounded(x[i], y[i]) };
}

static ROUND: &[&[u8]] = &[ROUNDED.spirv.bytes()];
static DOUBLE: &[&[u8]] = &[QUOTIENT.spirv.bytes()];
static PLACES: &[&[u8]] = &[PLACE.spirv.bytes()];
static COUNTS: &[&[u8]] = &[COUNT.spirv.bytes(), include_bytes!("modules/library.spv")];

/// Everything that is exported, for those who look at modules.
#[allow(dead_code, reason = "`cargo test` runs them alone")]
pub static EXPORTS: [&ExportDescriptor; 14] = {
    let [a, b, c, d, e, f, g, h, i, j] = exported::ALL;
    [a, b, c, d, e, f, g, h, i, j, &QUOTIENT, &PLACE, &COUNT, &ROUNDED]
};

/// What `clang` made of `modules/exports.cl`.
static CLANG: AlignedBytes<{ include_bytes!("modules/exports.spv").len() }> =
    AlignedBytes(*include_bytes!("modules/exports.spv"));

const fn pointer(name: &'static str, element: ElementType, access: Access) -> Argument {
    Argument { name, kind: ArgumentKind::Pointer { element, access }, atomic: false }
}

const fn number(name: &'static str, scalar: Scalar) -> Argument {
    Argument { name, kind: ArgumentKind::Value(ElementType::Scalar(scalar)), atomic: false }
}

/// A kernel of that module.
const fn kernel_in_c(
    name: &'static str,
    imports: &'static [Import],
    arguments: &'static [Argument],
) -> KernelDescriptor {
    KernelDescriptor {
        name,
        // SAFETY: clang has made it.
        spirv: unsafe { Spirv::new(&CLANG) },
        specializations: &[],
        imports,
        arguments,
        rank: 1,
        group_size: None,
        subgroup_size: None,
        depends_on_groups: true,
        local_memory: 0,
        correctly_rounded: true,
        indirect: true,
        unchecked: false,
        races: &[],
        assumes_distinct: &[],
        requirements: Requirements {
            spirv_version: (1, 0),
            capabilities: &["Addresses", "Int16", "Int64", "Int8", "Kernel", "Linkage"],
            extensions: &[],
            fp64: false,
            fp16: false,
            int64_atomics: false,
            fp16_atomics: FloatAtomics::NONE,
            fp32_atomics: FloatAtomics::NONE,
            fp64_atomics: FloatAtomics::NONE,
            lines: &[],
        },
        conditions: &[],
        presumptions: &[],
        access_places: kernel_core::AccessPlaces::NONE,
        fault_sites: FaultSites::NONE,
        print_sites: &[],
        hoisted: None,
        small: None,
        ir: None,
    }
}

const fn called(name: &'static str, line: u32) -> Import {
    Import { name, at: SourceLine { file: "tests/kernels/modules/exports.cl", line, column: 1 } }
}

static POLYNOMIALS: KernelDescriptor = kernel_in_c(
    "polynomials",
    &[called("rust_horner", 14), called("rust_ranked", 15), called("rust_scale", 16)],
    &[
        pointer("coefficients", ElementType::Scalar(Scalar::F32), Access::Read),
        number("count", Scalar::U64),
        pointer("x", ElementType::Scalar(Scalar::F32), Access::ReadWrite),
        pointer("ranks", ElementType::Scalar(Scalar::U32), Access::ReadWrite),
    ],
);

static MIXED: KernelDescriptor = kernel_in_c(
    "mixed",
    &[
        called("rust_bump", 22),
        called("rust_checksum", 23),
        called("rust_blended", 24),
        called("rust_narrow", 26),
    ],
    &[
        pointer("data", ElementType::Scalar(Scalar::U64), Access::Read),
        number("count", Scalar::U64),
        pointer("x", ElementType::Scalar(Scalar::I32), Access::ReadWrite),
        pointer("sums", ElementType::Scalar(Scalar::I64), Access::ReadWrite),
        pointer("vectors", ElementType::Vector { element: Scalar::F32, lanes: 4 }, Access::ReadWrite),
        pointer("small", ElementType::Scalar(Scalar::I8), Access::ReadWrite),
    ],
);

/// The exact values: sums of small whole numbers and halves.
const COEFFICIENTS: [f32; 4] = [0.5, -2.0, 1.0, 3.0];

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        in_rust(&COEFFICIENTS, 19),
        in_rust(&COEFFICIENTS, 1),
        in_rust(&[], 5),
        in_c(&COEFFICIENTS, 19),
        in_c(&COEFFICIENTS, 1),
        mixed(1),
        mixed(17),
    ];
    let halves = map(&[0.0_f32, 1.5, -2.25, 65504.0, f32::NAN], f16::from_f32);
    cases.push(
        Case::of(&CALLS_HALF_EXPORT)
            .with(exported::MODULES)
            .update(&halves, &map(&halves, exported::halved))
            .items([5]),
    );
    cases.extend([(3, 5), (1, 1), (0, 4)].map(|(width, rows)| addresses(width, rows)));
    let (x, y) = ([1.0_f64, -3.0, 1e300, 0.1], [3.0, 0.0, 1e-300, -7.0]);
    let quotients: Vec<f64> = x.iter().zip(&y).map(|(x, y)| quotient(*x, *y)).collect();
    cases.push(Case::of(&CALLS_DOUBLE_EXPORT).with(DOUBLE).update(&x, &quotients).input(&y).items([4]));
    let table = [2.0_f32, -1.0, 0.25, 8.0];
    let x = map(&[0, 1, 2, 3, 4, 40, 41, 1000, 7], |x| x as f32);
    let before: Vec<u32> = (40..49).collect();
    let mut totals = before.clone();
    // SAFETY: there are four numbers, and a total for each.
    let large = x.iter().zip(&mut totals).map(|(x, total)| unsafe { count(total, *x, table.as_ptr()) });
    let large: Vec<bool> = large.collect();
    cases.push(
        Case::of(&CALLS_WHAT_CALLS)
            .with(COUNTS)
            .input(&table)
            .input(&x)
            .output(&large)
            .update(&before, &totals)
            .items([x.len()]),
    );
    let x: Vec<f32> = (1..18).map(|i| 1.0 + i as f32 / 4096.0).collect();
    let y = map(&x, |x| x * x);
    cases.push(
        Case::of(&ROUNDS)
            .with(ROUND)
            .update(&x, &[0.0_f32; 17])
            .output(&[0.0_f32; 17])
            .input(&y)
            .items([x.len()]),
    );
    let places = |width: usize, group: [usize; 2]| {
        move |i: usize| {
            let local = (i / width % group[1]) * group[0] + i % width % group[0];
            i * 100 + local
        }
    };
    cases.push(
        Case::of(&CALLS_PLACE)
            .with(PLACES)
            .output(&(0..48).map(places(8, [4, 3])).collect::<Vec<usize>>())
            .groups([2, 2], [4, 3]),
    );
    cases.push(
        Case::of(&CALLS_PLACE_IN_A_ROW)
            .with(PLACES)
            .output(&(0..15).map(places(15, [5, 1])).collect::<Vec<usize>>())
            .groups([3], [5]),
    );
    cases
}

/// The polynomial, its rank and half of it, for so many numbers.
fn polynomials(coefficients: &[f32], size: usize) -> (Vec<f32>, Vec<u32>, Vec<f32>) {
    let x: Vec<f32> = (0..size).map(|i| i as f32 / 2.0 - 3.0).collect();
    // SAFETY: there are as many numbers as it says.
    let values = map(&x, |x| unsafe { exported::horner(x, coefficients.as_ptr(), coefficients.len()) });
    let (ranks, halves) = (map(&values, exported::ranked), map(&values, |x| exported::scale(x, 0.5)));
    (x, ranks, halves)
}

fn in_rust(coefficients: &[f32], size: usize) -> Case {
    let (x, ranks, halves) = polynomials(coefficients, size);
    Case::of(&CALLS_EXPORTS)
        .with(exported::MODULES)
        .input(coefficients)
        .update(&x, &halves)
        .output(&ranks)
        .output(&vec![true; size])
        .items([size])
}

fn addresses(width: usize, rows: usize) -> Case {
    let x: Vec<f32> = (0..width.max(1) * rows).map(|k| k as f32).collect();
    let mut after = x.clone();
    if width > 0 {
        (0..rows).for_each(|i| after[width * i] += i as f32 + 1.0);
    }
    Case::of(&CALLS_ADDRESS_EXPORT)
        .with(exported::MODULES)
        .scalar(width)
        .point_mut(&x, &after)
        .output(&vec![width > 0; rows])
        .items([rows])
}

fn in_c(coefficients: &[f32], size: usize) -> Case {
    let (x, ranks, halves) = polynomials(coefficients, size);
    Case::of(&POLYNOMIALS)
        .with(exported::MODULES)
        .point(coefficients)
        .scalar(coefficients.len() as u64)
        .point_mut(&x, &halves)
        .point_mut(&vec![0_u32; size], &ranks)
        .items([size])
}

fn mixed(size: usize) -> Case {
    let data: Vec<u64> = (0..size as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let x: Vec<i32> = (0..size as i32).map(|i| i * 11 - 20).collect();
    let of_x: Vec<i32> = (0..size).map(|i| if i % 3 == 1 { x[i] } else { x[i] + 100 - i as i32 }).collect();
    // SAFETY: there are so many numbers.
    let sums: Vec<i64> =
        (0..size).map(|i| unsafe { exported::checksum(data.as_ptr(), (size - i) as u64, i & 3) }).collect();
    let vectors: Vec<f32x4> = (0..size).map(|i| f32x4::from([i as f32, 2.0, -1.5, 0.5])).collect();
    let blended: Vec<f32x4> = (0..size)
        .map(|i| {
            let [a, b, c, _] = vectors[i].to_array();
            exported::blended(vectors[i], [a, b, c].into(), [i as i32, of_x[i]].into())
        })
        .collect();
    let small: Vec<i8> = (0..size).map(|i| (i * 37) as i8).collect();
    let narrowed = map(&small, |c| {
        let int = i32::from(c);
        let odd = exported::narrow::is_odd(c as u8);
        exported::narrow::narrow(c, (int * 5) as u8, (int * 300) as i16, (int * 700) as u16, odd)
    });
    Case::of(&MIXED)
        .with(exported::MODULES)
        .point(&data)
        .scalar(size as u64)
        .point_mut(&x, &of_x)
        .point_mut(&vec![0_i64; size], &sums)
        .point_mut(&vectors, &blended)
        .point_mut(&small, &narrowed)
        .items([size])
}

#[test]
fn a_descriptor_says_what_its_module_needs() {
    let needs = |export: &ExportDescriptor| (export.name, export.requirements.capabilities.to_vec());
    assert_eq!(needs(&exported::SCALE), ("rust_scale", vec!["Addresses", "Kernel", "Linkage"]));
    assert!(QUOTIENT.requirements.fp64 && !QUOTIENT.requirements.fp16);
    assert!(exported::HALVED.requirements.fp16);
    assert!(exported::CHECKSUM.unchecked && !exported::SCALE.unchecked);
    let imports: Vec<_> = COUNT.imports.iter().map(|import| import.name).collect();
    assert_eq!(imports, ["gamma_of"]);
}
