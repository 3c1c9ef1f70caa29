//! Runs every case of `tests/kernels` on the device that a program gets by default, through the public interface of the
//! runtime. `KERNEL_DEVICE` chooses another. The programs there have a test program of their own, `programs.rs`.

#[path = "conformance/addresses.rs"]
mod addresses;
#[path = "conformance/check.rs"]
mod check;
#[path = "conformance/conditions.rs"]
mod conditions;
#[path = "conformance/device.rs"]
mod device;
#[path = "conformance/hoisting.rs"]
mod hoisting;
#[path = "conformance/images.rs"]
mod images;
#[path = "conformance/linking.rs"]
mod linking;
#[path = "conformance/local.rs"]
mod local;
#[path = "conformance/presumed.rs"]
mod presumed;
#[path = "conformance/round_trip.rs"]
mod round_trip;
#[path = "conformance/shared.rs"]
mod shared;
#[path = "conformance/text.rs"]
mod text;
#[macro_use]
mod kernels;

use check::check;
use kernels::cases;
use std::collections::BTreeSet;

/// One test for each construct.
macro_rules! tests {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            check(&kernels::$name::cases());
        }
    )*};
}

for_each_construct!(tests);

/// Every construct that is tested is in the language reference, and nothing else is.
#[test]
fn the_language_reference_names_every_construct() {
    macro_rules! names {
        ($($name:ident)*) => { [$(stringify!($name)),*] };
    }
    let page = include_str!("../docs/language.md");
    let linked: BTreeSet<&str> = page
        .match_indices("](../tests/kernels/")
        .map(|(at, link)| name_at(&page[at + link.len()..]))
        .collect();
    let elsewhere = ["benches", "examples", "found_by_random"];
    let constructs = for_each_construct!(names).into_iter().filter(|name| !elsewhere.contains(name));
    let tested = constructs.chain(["programs"]).collect();
    assert_eq!(linked, tested);
}

/// The name that a text starts with.
fn name_at(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}
