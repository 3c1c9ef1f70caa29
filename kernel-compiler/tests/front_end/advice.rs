//! Holds that advice can be followed: the code that is proposed is in the language.

use kernel_compiler::chain::{Link, Resolved};
use kernel_compiler::diagnostics::Diagnostics;
use kernel_compiler::names::foreign::{foreign, listed};
use kernel_compiler::names::{self, Dependencies};
use syn::ItemFn;

/// The parameters of kernels, in one of which each code stands.
const PLACES: [&str; 12] = [
    "x: f32, y: f32, a: f32, b: f32, c: f32, low: f32, high: f32, edge: f32, n: i32",
    "x: u32, y: u32, a: u32, b: u32, c: u32, n: u32, mask: u32",
    "x: f32, id: usize, mask: usize, distance: usize, condition: bool, a: f32, b: f32",
    "x: f16",
    "a: f32x4, b: f32x4",
    "x: &[AtomicU32], i: usize, value: u32, old: u32, new: u32, limit: u32",
    "x: &[AtomicF32], i: usize, value: f32",
    "x: &[f32], y: &mut [f32], i: usize",
    "to: &mut Local<[f32]>, from: &[f32], stride: usize",
    "to: &mut [f32], from: &[f32], stride: usize",
    "image: &Image2d<f32>, x: usize, y: usize",
    "image: &mut Image2d<f32, WriteOnly>, x: usize, y: usize, value: f32x4",
];

/// One name at least of each family that has no row.
const FAMILIES: [&str; 22] = [
    "float4",
    "make_float4",
    "uchar16",
    "convert_int",
    "convert_float4",
    "as_float",
    "as_uint",
    "native_sqrt",
    "half_exp",
    "native_log",
    "sqrtf",
    "log1pf",
    "expm1f",
    "recip",
    "fdividef",
    "atomic_add",
    "atomic_inc",
    "atomic_dec",
    "atomic_xchg",
    "atomic_cmpxchg",
    "atomic_load",
    "atomic_store",
];

#[test]
fn advice_compiles() {
    let of_rows = listed().map(|(name, advice)| (name, advice.to_owned()));
    let of_families = FAMILIES.iter().filter_map(|name| Some((*name, foreign(name)?.advice().to_owned())));
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, advice) in of_rows.chain(of_families) {
        for code in proposed(&advice) {
            count += 1;
            if let Some(errors) = refused(code) {
                wrong.push(format!("{name}: `{code}`: {errors}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} do not compile:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 250, "{count} are proposed");
}

#[test]
fn what_is_found_in_advice_is_what_to_write() {
    assert_eq!(proposed("write `a` or `b`, which is `c`"), ["a", "b"]);
    assert_eq!(proposed("take `&[T]`, and write `x[i]`"), ["x[i]"]);
    assert_eq!(proposed("it is a method, as in `x.sqrt()`"), ["x.sqrt()"]);
    assert!(proposed("a device has no clock").is_empty());
}

#[test]
fn the_first_bit_of_zero_is_none() {
    let ffs = foreign("__ffs").unwrap();
    assert_eq!(proposed(ffs.advice()), ["if x == 0 { 0 } else { x.trailing_zeros() + 1 }"]);
    let increment = foreign("atomicInc").unwrap();
    assert!(proposed(increment.advice())[0].contains("fetch_update"), "{increment:?}");
}

#[test]
fn names_of_hip_are_known() {
    assert_eq!(
        foreign("hipBlockIdx_y").unwrap().message("hipBlockIdx_y"),
        "device code has no `hipBlockIdx_y`, which is of HIP"
    );
    assert_eq!(foreign("make_int2").unwrap().advice(), "write `i32x2::new(..)`");
}

/// The codes that a text says to write, without those that leave something out, as `f(..)`, and those of attributes.
fn proposed(advice: &str) -> Vec<&str> {
    let (mut codes, mut follows) = (Vec::new(), false);
    for pair in advice.split('`').collect::<Vec<_>>().chunks_exact(2) {
        let [text, code] = pair else { continue };
        follows = text.ends_with("write ")
            || text.ends_with("as in ")
            || follows && [" or ", ", or "].contains(text);
        if follows && !code.ends_with("(..)") && !code.starts_with("#[") {
            codes.push(*code);
        }
    }
    codes
}

/// What is said of a code in the place where it comes furthest, if it compiles in none.
fn refused(code: &str) -> Option<String> {
    let mut said: Option<String> = None;
    let code = code.trim_end_matches(';');
    let bodies = PLACES.iter().flat_map(|place| {
        [format!("fn k({place}) {{ let _ = {code}; }}"), format!("fn k({place}) {{ {code}; }}")]
    });
    for source in bodies.chain([format!("fn k(x: {code}) {{}}")]) {
        let Ok(item) = syn::parse_str(&source) else { continue };
        let Err(errors) = compile(item) else { return None };
        let errors: Vec<String> = errors.iter().map(|error| error.message.clone()).collect();
        if said.as_ref().is_none_or(|said| errors.join("; ").len() < said.len()) {
            said = Some(errors.join("; "));
        }
    }
    Some(said.unwrap_or_else(|| "this is no code".to_owned()))
}

fn compile(item: ItemFn) -> Result<(), Diagnostics> {
    let dependencies = Dependencies::of_function(&item, [], [], &[]);
    let links = dependencies.keys().into_iter().map(|key| {
        let last = || key.rsplit("::").next().unwrap_or_default().to_owned();
        let name = names::presumed(&key).unwrap_or_else(last);
        (key, Link::Builtin(name))
    });
    crate::lowered(item, &Resolved::of_links(links.collect())).map(drop)
}
