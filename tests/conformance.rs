//! Runs every case of `tests/kernels` on the device that a program gets by default, through the public interface of the
//! runtime. `KERNEL_DEVICE` chooses another.

#[path = "conformance/device.rs"]
mod device;
#[macro_use]
mod kernels;

use device::execute;
use kernel_runtime::{Device, Error};
use kernels::case::Case;

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

/// Executes cases and reports all that are wrong.
fn check(cases: &[Case]) {
    let queue = Device::best().and_then(|device| device.queue()).expect("there is always the CPU device");
    let mut failures = Vec::new();
    for case in cases {
        let subject = format!("{}, {}", case.kernel.name, case.origin());
        match execute(&queue, case) {
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
