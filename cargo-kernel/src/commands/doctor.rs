//! `cargo kernel doctor`.

use crate::arguments::Output;
use crate::cargo;
use crate::failure::Result;
use crate::ocloc;
use crate::style::{ASIDE, ERROR, GOOD, HELP, WARNING};
use crate::{print, print_json};
use kernel_runtime::prelude::*;
use kernel_runtime::{DEVICE_VARIABLE, GpuStatus, RenderNodes};
use serde_json::{Value, json};
use std::env;
use std::process::ExitCode;

/// Something that was looked at.
struct Finding {
    state: State,
    subject: String,
    said: String,
    help: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is as it should be.
    Good,
    /// It is worth knowing.
    Note,
    /// Kernels cannot run, or not as they should, because of it.
    Problem,
}

/// Says which devices there are, and why there is no GPU. It fails if programs find no device on which kernels run as they should.
pub(crate) fn doctor(output: Output) -> Result<ExitCode> {
    let mut findings = devices();
    findings.push(chosen());
    findings.extend(gpu());
    findings.extend(environment());
    findings.push(compiler());
    findings.push(ocloc());
    let is_well = findings.iter().all(|finding| finding.state != State::Problem);
    if output.json {
        print_json(&json!({ "ok": is_well, "findings": findings.iter().map(document).collect::<Vec<_>>() }))?;
    } else {
        print(&findings.iter().map(text).collect::<String>())?;
    }
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Finding {
    fn new(state: State, subject: &str, said: impl ToString) -> Self {
        Self { state, subject: subject.to_owned(), said: said.to_string(), help: None }
    }

    fn help(self, help: &str) -> Self {
        Self { help: Some(help.to_owned()), ..self }
    }
}

/// What is run on each device.
#[kernel]
fn probe(x: &mut [u32], factor: u32) {
    let i = global_id(0);
    if i < x.len() {
        x[i] = factor * i as u32;
    }
}

/// How many elements it is run for.
const ELEMENTS: u32 = 1000;

fn try_out(device: &Device) -> kernel_runtime::Result<bool> {
    let queue = device.queue()?;
    let mut x = queue.zeros::<u32>(ELEMENTS as usize)?;
    probe(&mut x, 3).launch(&queue, x.len())?;
    Ok(queue.download(&x)?.into_iter().eq((0..ELEMENTS).map(|i| 3 * i)))
}

fn devices() -> Vec<Finding> {
    let of = |device: Device| {
        let subject = format!("device {}", device.kind());
        match try_out(&device) {
            Ok(true) => {
                let (major, minor) = device.api_version();
                let said = format!("{}: a kernel ran, Level Zero {major}.{minor}", device.name());
                Finding::new(State::Good, &subject, said)
            }
            Ok(false) => {
                let said = format!("{}: a kernel ran, but its results are wrong", device.name());
                Finding::new(State::Problem, &subject, said)
                    .help("update its driver; `KERNEL_DEVICE=cpu` uses the processor instead")
            }
            Err(error) => {
                let said = format!("{}: no kernel runs: {error}", device.name());
                Finding::new(State::Problem, &subject, said)
                    .help("update its driver; `KERNEL_DEVICE=cpu` uses the processor instead")
            }
        }
    };
    Device::all().into_iter().map(of).collect()
}

/// What programs get.
fn chosen() -> Finding {
    match Device::best() {
        Ok(device) => {
            Finding::new(State::Good, "programs use", format!("{} ({})", device.name(), device.kind()))
        }
        Err(error) => Finding::new(State::Problem, "programs use", format!("no device: {error}")),
    }
}

/// What became of the search for GPUs, and what there is to see of why.
fn gpu() -> Vec<Finding> {
    let status = Device::gpu_status();
    if let GpuStatus::Ready(_) = status {
        return vec![Finding::new(State::Good, "GPU", status)];
    }
    let said = status.to_string();
    let (said, help) = said.split_once("; help: ").map_or((&*said, None), |(said, help)| (said, Some(help)));
    let mut finding = Finding::new(State::Note, "GPU", said);
    finding.help = help.map(str::to_owned);
    let nodes = RenderNodes::search();
    let seen = format!("{} found, {} not for this user", nodes.found, nodes.denied);
    vec![
        finding,
        Finding::new(State::Note, "render nodes", seen),
        Finding::new(State::Note, "kernel modules", kernel_modules()),
    ]
}

fn kernel_modules() -> String {
    match kernel_runtime::loaded_kernel_modules() {
        None => "cannot be told".to_owned(),
        Some(found) if found.is_empty() => "neither i915 nor xe is loaded (it may be built in)".to_owned(),
        Some(found) => format!("{} loaded", found.join(" and ")),
    }
}

/// The variables that decide which devices there are, as far as they are set.
fn environment() -> Vec<Finding> {
    let variables = [
        DEVICE_VARIABLE,
        "ZE_AFFINITY_MASK",
        "ZE_FLAT_DEVICE_HIERARCHY",
        "ZE_ENABLE_ALT_DRIVERS",
        "LEVEL_ZERO_LOADER",
        "KERNEL_CPU_DEVICES",
    ];
    let set = variables.into_iter().filter_map(|name| Some((name, env::var_os(name)?)));
    set.map(|(name, value)| Finding::new(State::Note, "environment", format!("{name}={}", value.display())))
        .collect()
}

fn compiler() -> Finding {
    let version = cargo::command().arg("--version").output();
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    let minor = |version: &str| -> Option<u32> { version.split('.').nth(1)?.parse().ok() };
    let least = env!("CARGO_PKG_RUST_VERSION");
    match minor(&version) {
        Some(found) if Some(found) < minor(least) => {
            Finding::new(State::Problem, "Rust", format!("{version}, but {least} is needed"))
                .help("`rustup update`")
        }
        _ => Finding::new(State::Good, "Rust", version),
    }
}

fn ocloc() -> Finding {
    if ocloc::is_there() {
        return Finding::new(State::Good, "ocloc", "installed, so that `isa` and `stats` can be used");
    }
    Finding::new(State::Note, "ocloc", "not installed; only `isa` and `stats` need it")
        .help("Debian and Ubuntu: `intel-opencl-icd`, elsewhere `intel-ocloc`")
}

fn text(Finding { state, subject, said, help }: &Finding) -> String {
    let (style, mark) = match state {
        State::Good => (GOOD, "ok"),
        State::Note => (WARNING, "--"),
        State::Problem => (ERROR, "!!"),
    };
    let mut text = format!("{style}{mark}{style:#} {subject:<16}{said}\n");
    if let Some(help) = help {
        text += &format!("{:<19}{HELP}help:{HELP:#} {ASIDE}{help}{ASIDE:#}\n", "");
    }
    text
}

fn document(Finding { state, subject, said, help }: &Finding) -> Value {
    let state = match state {
        State::Good => "ok",
        State::Note => "note",
        State::Problem => "problem",
    };
    json!({ "state": state, "subject": subject, "said": said, "help": help })
}
