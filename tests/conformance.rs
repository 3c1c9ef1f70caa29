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

use device::{Checks, execute, race};
use kernel_runtime::{Device, DeviceKind, Error, Queue};
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

/// One test for each program, since some are as long as many constructs.
mod programs {
    macro_rules! tests {
        ($($name:ident)*) => {$(
            #[test]
            fn $name() {
                super::check(&[super::kernels::programs::$name::case()]);
            }
        )*};
    }

    for_each_program!(tests);
}

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

/// Whether the driver looks for races.
fn looks_for_races(queue: &Queue) -> bool {
    let checks = std::env::var("KERNEL_CHECK").unwrap_or_default();
    queue.device().kind() == DeviceKind::Cpu && checks.split(',').any(|check| check == "races")
}

/// Executes cases and reports all that are wrong. Who looks for races has to find those of the cases that make some on purpose, and no other.
fn check(cases: &[Case]) {
    let queue = Device::best().and_then(|device| device.queue()).expect("there is always the CPU device");
    let mut failures = Vec::new();
    // Where the host makes checks, the kernel is launched with them too.
    let launches = cases.iter().flat_map(|case| {
        let versions = match case.kernel {
            kernel if kernel.small.is_some() => &[Checks::Chosen, Checks::All, Checks::AllInAnyLaunch][..],
            kernel if kernel.hoisted.is_some() => &[Checks::Chosen, Checks::All],
            _ => &[Checks::Chosen],
        };
        versions.iter().map(move |checks| (case, *checks))
    });
    for (case, checks) in launches {
        let subject = format!("{} with {checks:?} of its checks, {}", case.kernel.name, case.origin());
        let has_to_race = case.is_racy() && looks_for_races(&queue);
        match execute(&queue, case, checks) {
            Ok(_) if has_to_race => {
                failures.push(format!("{subject}: its work-items race, and nobody says so"))
            }
            Err(Error::Driver(error)) if has_to_race && race(&error).is_some() => {}
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
