//! Executes a case on a device of the runtime.
#![allow(unreachable_pub, reason = "the tests are no library, and the catalogue of the tasks is")]

use crate::kernels::case::{Case, Outcome};
use kernel_core::{KernelDescriptor, RecordedFault};
use kernel_runtime::__private::Conditions;
use kernel_runtime::{DriverError, Error, KernelFault, LaunchArgument, Library, Queue, Result};
use std::sync::mpsc;

/// Which checks of a kernel are made in a launch.
#[allow(dead_code, reason = "not every program asks for all of them")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Those that the host does not make.
    Chosen,
    /// All.
    All,
    /// All, as in a launch of any size.
    AllInAnyLaunch,
}

/// Launches the kernel of a case and waits for it.
pub fn execute(queue: &Queue, case: &Case, checks: Checks) -> Result<Outcome> {
    let mut slices = Vec::new();
    let (sender, printed) = mpsc::channel();
    queue.on_print(move |_, text| {
        sender.send(text.to_owned()).expect("the receiver lives as long as the case")
    });
    let arguments = case.upload(queue, &mut slices)?;
    launch(queue, case, arguments, checks)?;
    let (fault, message) = match queue.synchronize() {
        Ok(()) => (RecordedFault::default(), String::new()),
        Err(Error::Fault(fault)) => (record(case.kernel, &fault), fault.message),
        Err(error) => return Err(error),
    };
    let slices = case.download(queue, &slices)?;
    let printed = printed.try_iter().collect();
    Ok(Outcome { slices, printed, message, fault: case.kernel.has_fault_record().then_some(fault) })
}

/// What a driver says that has stopped a launch because work-items race.
#[allow(dead_code, reason = "not every program looks for races")]
pub fn race(error: &DriverError) -> Option<&str> {
    error.description().filter(|what| what.contains("a data race on byte "))
}

/// A launch has its number of arguments in its type.
fn launch(queue: &Queue, case: &Case, arguments: Vec<LaunchArgument>, checks: Checks) -> Result<()> {
    let [groups, group_size] = [case.groups, case.group_size].map(|size| size.map(|extent| extent as usize));
    macro_rules! launch_with {
        ($($count:literal)*) => {
            match arguments.len() {
                $($count => {
                    let arguments: [LaunchArgument; $count] = arguments.try_into().expect("this is their number");
                    let conditions = Conditions::MET;
                    // SAFETY: the cases keep to the conditions of their kernels.
                    let launch = unsafe { conditions.launch(case.kernel, arguments).specialized(case.constants()) };
                    // SAFETY: the modules are made from what the kernels' authors know.
                    let library = unsafe { Library::new(case.library()) }?;
                    // SAFETY: the pointers lead to the buffers of the case, which are there until its end.
                    let launch = unsafe { launch.vouched() }.linked(&library);
                    let launch = match checks {
                        Checks::Chosen => launch,
                        Checks::All => launch.with_all_checks(),
                        Checks::AllInAnyLaunch => launch.as_in_any_launch(),
                    };
                    launch.launch_groups(queue, groups, group_size)
                })*
                count => panic!("no case has {count} arguments yet, so please add the number here"),
            }
        };
    }
    launch_with!(1 2 3 4 5 6 7 8 9 10)
}

/// The record from which the runtime made the error.
fn record(kernel: &KernelDescriptor, fault: &KernelFault) -> RecordedFault {
    let is_site = |site: kernel_core::FaultSite<'_>| {
        (site.kind, site.file, site.line, site.column) == (fault.kind, fault.file, fault.line, fault.column)
    };
    let site = kernel.fault_sites.iter().position(is_site).expect("a fault has a site of its kernel");
    let KernelFault { count, values, global_id, .. } = *fault;
    let global_id = global_id.map(|id| u32::try_from(id).expect("ids have 32 bits"));
    RecordedFault { count, site: site as u32, values, global_id }
}
