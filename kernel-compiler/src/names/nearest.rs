//! The name that was probably meant by one that leads nowhere.

use crate::methods;
use kernel_core::Scalar;

/// The function of the runtime, or the way to the method, whose name is nearest to this one, if one is near.
pub(crate) fn nearest(name: &str) -> Option<String> {
    let near = known().filter_map(|(known, shown)| Some((near(name, known)?, shown, known)));
    let (_, shown, known) = near.min_by_key(|(distance, shown, _)| (*distance, shown.len()))?;
    Some(shown.replace("{}", known))
}

/// How near one name is to another, if it is near.
pub(crate) fn near(name: &str, known: &str) -> Option<usize> {
    let allowed = name.chars().count().max(3) / 3;
    Some(distance(name, known)).filter(|distance| *distance <= allowed)
}

/// Returns whether the runtime's prelude has a function or a type of this name.
pub(crate) fn is_of_prelude(name: &str) -> bool {
    FREE.contains(&name) || super::vector(name).is_some() || matches!(name, "Local" | "Constant")
}

/// Returns whether the runtime's prelude may have anything of this name.
pub(crate) fn may_be_of_prelude(name: &str) -> bool {
    is_of_prelude(name)
        || crate::infer::is_intrinsic(name)
        || Scalar::from_name(name).is_some()
        || OTHERS.contains(&name)
}

/// The way to what the runtime has of this name for device code, but not in its prelude.
pub(crate) fn beside_prelude(name: &str) -> Option<&'static str> {
    match name {
        "Memory" => Some("kernel_runtime::Memory"),
        "Scope" => Some("kernel_runtime::atomic::Scope"),
        "fence_in" => Some("kernel_runtime::atomic::fence_in"),
        _ => None,
    }
}

/// What the prelude has beside functions and vectors.
const OTHERS: &[&str] = &[
    "Buffer",
    "ChannelOrder",
    "ChannelType",
    "Device",
    "DeviceImage",
    "Error",
    "Float",
    "Image1d",
    "Image1dArray",
    "Image2d",
    "Image2dArray",
    "Image2dArrayDepth",
    "Image2dDepth",
    "Image3d",
    "ImageBuffer",
    "ImageFormat",
    "Integer",
    "Linear",
    "LocalLen",
    "Nearest",
    "Normalized",
    "Number",
    "Queue",
    "ReadOnly",
    "ReadWrite",
    "Result",
    "Sampler",
    "Signed",
    "Unnormalized",
    "UsmBuffer",
    "Vector",
    "WriteOnly",
    "device",
    "kernel",
    "kernels",
    "math",
    "subgroup",
    "work_group",
];

/// Each name, and how it is written.
fn known() -> impl Iterator<Item = (&'static str, &'static str)> {
    let free = FREE.iter().map(|name| (*name, "{}"));
    let subgroup = SUBGROUP.iter().map(|name| (*name, "subgroup::{}"));
    let work_group = WORK_GROUP.iter().map(|name| (*name, "work_group::{}"));
    let math = methods::functions().map(|function| (function.name, "math::{}"));
    let methods = methods::of(Scalar::F32).map(|method| (method.name, "x.{}"));
    let integers = methods::of(Scalar::U32).map(|method| (method.name, "x.{}"));
    free.chain(subgroup).chain(work_group).chain(math).chain(methods).chain(integers)
}

const FREE: &[&str] = &[
    "global_id",
    "global_size",
    "local_id",
    "local_size",
    "group_id",
    "num_groups",
    "barrier",
    "assume_distinct",
];

const SUBGROUP: &[&str] = &[
    "all",
    "any",
    "ballot",
    "broadcast",
    "shuffle",
    "shuffle_up",
    "shuffle_down",
    "shuffle_xor",
    "reduce_add",
    "reduce_mul",
    "reduce_min",
    "reduce_max",
    "reduce_and",
    "reduce_or",
    "reduce_xor",
    "scan_inclusive_add",
    "scan_exclusive_add",
    "block_read",
    "block_write",
    "max_size",
];

const WORK_GROUP: &[&str] = &["local_linear_id", "copy", "gather", "scatter", "barrier_in"];

/// How many letters have to be added, left out, changed or swapped with the next to get from one name to another.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, left) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, right) in other.iter().enumerate() {
            let changed = row[j] + usize::from(left != right);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *left == other[j - 1] && one[i - 1] == *right {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, known, may_be_of_prelude, nearest};
    use crate::infer::is_intrinsic;

    #[test]
    fn names_that_are_meant_are_found() {
        let cases = [
            ("global_idx", Some("global_id")),
            ("globl_id", Some("global_id")),
            ("local_idx", Some("local_id")),
            ("bariier", Some("barrier")),
            ("reduce_ad", Some("subgroup::reduce_add")),
            ("suffle_xor", Some("subgroup::shuffle_xor")),
            ("rsqr", Some("math::rsqrt")),
            ("doubel", None),
            ("helper", None),
        ];
        for (name, expected) in cases {
            assert_eq!(nearest(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn the_names_exist() {
        for (name, shown) in known() {
            let module = shown.strip_suffix("::{}");
            let name = match module {
                Some("math") | None => name.to_owned(),
                Some(module) => format!("{module}_{name}"),
            };
            assert!(shown.starts_with("x.") || is_intrinsic(&name), "{name}");
        }
    }

    #[test]
    fn the_prelude_has_no_other_names() {
        let sources = [
            include_str!("../../../kernel-runtime/src/lib.rs")
                .split_once("pub mod prelude {")
                .map(|(_, after)| after),
            include_str!("../../../kernel-core/src/image/mod.rs")
                .split_once("pub mod names {")
                .map(|(_, after)| after),
        ];
        for source in sources {
            let (body, _) = source.expect("it is there").split_once("\n}").expect("it ends");
            let body = body.replace("#[cfg(feature = \"std\")]", "");
            for import in
                body.split("pub use ").skip(1).map(|import| import.split(';').next().unwrap_or_default())
            {
                let names = import.rsplit("::").next().unwrap_or_default();
                let names = names.split(['{', '}', ',']).map(str::trim);
                for name in names.filter(|name| !name.is_empty() && *name != "*") {
                    assert!(may_be_of_prelude(name), "{name}");
                }
            }
        }
        let functions = include_str!("../../../kernel-core/src/intrinsics.rs");
        let (_, functions) = functions.split_once("\nintrinsics! {").expect("it is there");
        for name in functions.split("    fn ").skip(1).filter_map(|row| row.split(['(', '<']).next()) {
            assert!(may_be_of_prelude(name), "{name}");
        }
    }

    #[test]
    fn a_swap_of_letters_is_one_mistake() {
        assert_eq!(distance("doubel", "double"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
