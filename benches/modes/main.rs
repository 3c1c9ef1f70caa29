//! What a launch of next to nothing costs with the waiting for it, in each mode of the CPU driver's lists and queues, beside Intel's OpenCL runtime for CPUs; and what
//! events and fences cost.
//!
//! `OCL_ICD_VENDORS` and `LD_LIBRARY_PATH` say where OpenCL is; `cargo xtask bench modes` sets them. All sides take turns in short rounds, and the median of each counts; a ratio
//! is to as many launches with one `clFinish`.

mod driver;
#[path = "../kernels/mod.rs"]
mod kernels;
#[allow(dead_code, reason = "the conformance checks use more of it")]
#[path = "../../xtask/src/conformance/opencl/mod.rs"]
mod opencl;

use driver::{Driver, Mode};
use kernels::benches::launch::BUMP;
use kernels::case::{Case, DeviceArgument};
use opencl::{Bound, Session};
use std::error::Error;
use std::time::Instant;

/// How often what is measured is done in a round, and how many rounds there are after those that are not counted.
const TIMES: u32 = 200;
const ROUNDS: usize = 41;
const WARM_UP: usize = 5;

/// How many launches there are where there are several.
const SEVERAL: u32 = 10;

/// How many work-groups a launch has: one is executed by who launches it, many by all threads.
const GROUPS: [u32; 2] = [1, 64];
const GROUP_SIZE: [u32; 3] = [64, 1, 1];
const SOURCE: &str = include_str!("../opencl/bump.cl");

/// What is measured, with how many launches that is for the other side.
struct Row<'a> {
    name: &'static str,
    launches: u32,
    call: Box<dyn FnMut() + 'a>,
    times: Vec<f64>,
}

impl<'a> Row<'a> {
    fn new(name: &'static str, launches: u32, call: impl FnMut() + 'a) -> Self {
        Self { name, launches, call: Box::new(call), times: Vec::new() }
    }

    /// The microseconds of the median.
    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let session = Session::open();
    if let Err(error) = &session {
        println!("without OpenCL: {error}");
    }
    let program =
        session.as_ref().ok().map(|session| session.build_source(SOURCE, c"-cl-std=CL3.0")).transpose()?;
    let kernel = program.as_ref().map(|program| program.kernel("bump")).transpose()?;
    let case = Case::of(&BUMP).scalar(0_u32).update(&[0_u32; 64], &[0_u32; 64]);
    let mut arguments = case.device_arguments_of(case.kernel.name);
    let is_of_record = |argument: &DeviceArgument<'_>| {
        matches!(argument, DeviceArgument::FaultRecord(_) | DeviceArgument::NoFaultRecord(_))
    };
    arguments.retain(|argument| !is_of_record(argument));
    let bound = kernel.as_ref().map(|kernel| kernel.bind(&arguments)).transpose()?;

    for groups in GROUPS {
        println!("\nwork-groups: {groups}\n");
        measure(groups, bound.as_ref());
    }
    Ok(())
}

fn measure(groups: u32, bound: Option<&Bound<'_>>) {
    let driver = Driver::new(&BUMP, groups);
    let mut rows: Vec<Row<'_>> = Vec::new();
    if let Some(bound) = bound {
        rows.push(of_opencl("OpenCL, a launch and clFinish", bound, 1, groups));
        rows.push(of_opencl("OpenCL, ten launches and clFinish", bound, SEVERAL, groups));
    }
    let peers = rows.len();
    let modes = driver.modes(SEVERAL).into_iter();
    rows.extend(modes.map(|Mode { name, launches, call }| Row::new(name, launches, call)));
    for round in 0..WARM_UP + ROUNDS {
        for row in &mut rows {
            let start = Instant::now();
            for _ in 0..TIMES {
                (row.call)();
            }
            if round >= WARM_UP {
                row.times.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(TIMES));
            }
        }
    }
    report(&rows, peers);
}

fn of_opencl<'a>(name: &'static str, bound: &'a Bound<'a>, launches: u32, groups: u32) -> Row<'a> {
    let run = move || bound.run_times(launches, [groups, 1, 1], GROUP_SIZE).expect("it ran before");
    Row::new(name, launches, run)
}

fn report(rows: &[Row<'_>], peers: usize) {
    println!("| what | µs | of OpenCL |");
    println!("|---|---:|---:|");
    for row in rows {
        let peer = rows[..peers].iter().find(|peer| peer.launches == row.launches);
        let ratio = peer.map_or_else(String::new, |peer| format!("{:.2}", row.median() / peer.median()));
        println!("| {} | {:.2} | {ratio} |", row.name, row.median());
    }
}
