//! Runs every case of `tests/kernels` on the device that a program gets by default, through the public interface of the
//! runtime. `KERNEL_DEVICE` chooses another.

#[path = "conformance/addresses.rs"]
mod addresses;
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
#[path = "conformance/round_trip.rs"]
mod round_trip;
#[path = "conformance/shared.rs"]
mod shared;
#[path = "conformance/text.rs"]
mod text;
#[macro_use]
mod kernels;

use device::execute;
use kernel_runtime::{Device, Error};
use kernels::case::Case;
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
    let tested = for_each_construct!(names).into_iter().filter(|name| !elsewhere.contains(name)).collect();
    assert_eq!(linked, tested);
}

/// The name that a text starts with.
fn name_at(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Executes cases and reports all that are wrong.
fn check(cases: &[Case]) {
    let queue = Device::best().and_then(|device| device.queue()).expect("there is always the CPU device");
    let mut failures = Vec::new();
    // Where the host makes checks, the kernel is launched with them too.
    let launches = cases.iter().flat_map(|case| {
        let versions = if case.kernel.hoisted.is_some() { &[false, true][..] } else { &[false] };
        versions.iter().map(move |with_all_checks| (case, *with_all_checks))
    });
    for (case, with_all_checks) in launches {
        let which = if with_all_checks { " with all checks" } else { "" };
        let subject = format!("{}{which}, {}", case.kernel.name, case.origin());
        match execute(&queue, case, with_all_checks) {
            Ok(outcome) => {
                failures.extend(case.judge(&outcome).err().map(|error| format!("{subject}: {error}")))
            }
            Err(Error::MissingFeature(missing)) => println!("{subject}: not executed: {missing}"),
            Err(error) => failures.push(format!("{subject}: {error}")),
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases failed\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}
