//! Executes cases and compares what comes of them.

use crate::device::{Checks, execute, race};
use crate::kernels::case::Case;
use kernel_runtime::{Device, DeviceKind, Error, Queue};

/// Whether the driver looks for races.
fn looks_for_races(queue: &Queue) -> bool {
    let checks = std::env::var("KERNEL_CHECK").unwrap_or_default();
    queue.device().kind() == DeviceKind::Cpu && checks.split(',').any(|check| check == "races")
}

/// Executes cases and reports all that are wrong. Who looks for races has to find those of the cases that make some on purpose, and no other.
pub(crate) fn check(cases: &[Case]) {
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
