//! Lists the devices that kernels can run on, as a person would read it, and says why no GPU was found.
//!
//! `cargo install kernel-runtime` installs it. What it says is in a function of the library where programs need it: [`Device::all`],
//! [`Device::limits`], [`Device::gpu_status`].

use kernel_runtime::{
    DEVICE_VARIABLE, Device, DeviceKind, FloatAtomics, FloatModes, GpuStatus, Limits, MemoryAccess,
    RenderNodes,
};
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if let Some(option) = files.iter().find(|file| file.starts_with('-')) {
        print!("{HELP}");
        let is_help = ["-h", "--help"].contains(&option.as_str());
        return if is_help { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    if !files.is_empty() {
        let ran: Vec<bool> = files.iter().map(|file| of_module(file)).collect();
        return if ran.iter().all(|ran| *ran) { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let mut text = String::new();
    let _ = describe(&mut text);
    print!("{text}");
    // A program that asks for a device would fail, so that a script can tell.
    if Device::best().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

const HELP: &str = "\
kernel-info lists the devices that kernels can run on, and says why there is no GPU.

Usage: kernel-info [FILE...]

With files of SPIR-V it says of each which devices can run it, by having their drivers build it, and fails if none can.
`cargo kernel spirv NAME --output-file FILE` writes that of a kernel of a crate.
";

/// Says which devices can run a module in a file; whether any can.
fn of_module(file: &str) -> bool {
    println!("{file}");
    let module = match std::fs::read(file) {
        Ok(module) => module,
        Err(error) => {
            println!("  it cannot be read: {error}");
            return false;
        }
    };
    let mut can_run = false;
    for device in Device::all() {
        // SAFETY: whoever names the file vouches for what is in it; where it is wrong, a driver may end this program, which has nothing to lose.
        match unsafe { device.try_module(&module) } {
            Ok(kernels) => {
                can_run = true;
                println!("  {}: can run it; its kernels are {}", device.name(), kernels.join(", "));
            }
            Err(error) => println!("  {}: cannot run it: {error}", device.name()),
        }
    }
    can_run
}

fn describe(text: &mut String) -> fmt::Result {
    let mut counts: HashMap<DeviceKind, usize> = HashMap::new();
    for device in Device::all() {
        let count = counts.entry(device.kind()).or_default();
        writeln!(text, "{}:{count}  {}", device.kind(), device.name())?;
        *count += 1;
        of_device(text, &device)?;
        writeln!(text)?;
    }
    of_gpus(text)?;
    match Device::best() {
        Ok(device) => writeln!(text, "Programs run kernels on: {}", device.name())?,
        Err(error) => writeln!(text, "Programs find no device: {error}")?,
    }
    of_environment(text)
}

/// Writes one line of what a device is or can do.
fn line(text: &mut String, name: &str, value: impl fmt::Display) -> fmt::Result {
    writeln!(text, "  {name:<20}{value}")
}

fn of_device(text: &mut String, device: &Device) -> fmt::Result {
    let (limits, (major, minor)) = (device.limits(), device.api_version());
    line(text, "driver", format_args!("Level Zero {major}.{minor}, version {:#x}", device.driver_version()))?;
    if limits.compute_units > 0 {
        line(text, "compute units", compute_units(limits))?;
    }
    line(
        text,
        "memory",
        format_args!("{}, {} in one buffer at most", bytes(limits.memory), bytes(limits.max_allocation)),
    )?;
    line(
        text,
        "local memory",
        format_args!("{} for each work-group", bytes(limits.max_local_memory.into())),
    )?;
    let [x, y, z] = limits.max_group_size;
    line(
        text,
        "work-groups",
        format_args!("up to {} work-items, and up to {x} × {y} × {z}", limits.max_group_total),
    )?;
    let subgroups: Vec<String> = limits.subgroup_sizes.iter().map(u32::to_string).collect();
    line(text, "subgroups", format_args!("of {} work-items", subgroups.join(", ")))?;
    let (major, minor) = limits.spirv_version;
    line(text, "SPIR-V", format_args!("up to {major}.{minor}"))?;
    line(text, "arithmetic", arithmetic(limits))?;
    let modes = [
        (limits.fp16, "f16", limits.fp16_modes),
        (true, "f32", limits.fp32_modes),
        (limits.fp64, "f64", limits.fp64_modes),
    ];
    for (_, name, modes) in modes.into_iter().filter(|(has, ..)| *has) {
        line(text, name, float_modes(modes))?;
    }
    line(text, "atomics", atomics(limits))?;
    line(text, "images", images(limits))?;
    line(text, "memory of the host", access(limits.usm.host))?;
    line(text, "shared memory", access(limits.usm.shared))?;
    of_others(text, device)
}

/// Writes what parts a device has, and whose memory it can use besides its own.
fn of_others(text: &mut String, device: &Device) -> fmt::Result {
    match device.sub_devices() {
        Ok(parts) if parts.is_empty() => {}
        Ok(parts) => line(text, "sub-devices", parts.len())?,
        Err(error) => line(text, "sub-devices", format_args!("cannot be told: {error}"))?,
    }
    let mut counts: HashMap<DeviceKind, usize> = HashMap::new();
    let mut reached = Vec::new();
    for other in Device::all() {
        let count = counts.entry(other.kind()).or_default();
        let name = format!("{}:{count}", other.kind());
        *count += 1;
        if other != *device && device.can_access(&other).unwrap_or(false) {
            reached.push(name);
        }
    }
    match reached.is_empty() {
        true => Ok(()),
        false => line(text, "memory of others", format_args!("of {}", reached.join(", "))),
    }
}

fn arithmetic(limits: &Limits) -> String {
    let has = [("f16", limits.fp16), ("f32", true), ("f64", limits.fp64)];
    let of = |wanted: bool| {
        let names: Vec<&str> = has.iter().filter(|(_, has)| *has == wanted).map(|(name, _)| *name).collect();
        names.join(", ")
    };
    let missing = of(false);
    if missing.is_empty() { of(true) } else { format!("{}; no {missing}", of(true)) }
}

/// How many processors subgroups run on, and what of them is known besides.
fn compute_units(limits: &Limits) -> String {
    let Limits { compute_units, threads_per_unit, clock_rate, .. } = limits;
    let mut text = compute_units.to_string();
    if *threads_per_unit > 1 {
        text += &format!(" with {threads_per_unit} threads each");
    }
    if *clock_rate > 0 {
        text += &format!(", at {clock_rate} MHz");
    }
    text
}

fn float_modes(modes: FloatModes) -> String {
    let named = [
        (modes.subnormals, "subnormals"),
        (modes.infinities_and_nans, "infinities and NaNs"),
        (modes.round_to_nearest, "rounded to nearest"),
        (modes.round_to_zero, "towards zero"),
        (modes.round_to_infinity, "up and down"),
        (modes.fma, "mul_add rounds once"),
        (modes.rounded_division_and_root, "division and root rounded correctly"),
        (modes.software, "by software"),
    ];
    let names: Vec<&str> = named.iter().filter(|(has, _)| *has).map(|(_, name)| *name).collect();
    if names.is_empty() { "the driver says nothing of it".to_owned() } else { names.join(", ") }
}

fn atomics(limits: &Limits) -> String {
    let mut has = vec!["32-bit integers".to_owned()];
    has.extend(limits.int64_atomics.then(|| "64-bit integers".to_owned()));
    let floats = [("f16", limits.fp16_atomics), ("f32", limits.fp32_atomics), ("f64", limits.fp64_atomics)];
    has.extend(
        floats
            .iter()
            .filter(|(_, updates)| *updates != FloatAtomics::NONE)
            .map(|(name, _)| (*name).to_owned()),
    );
    has.join(", ")
}

fn images(limits: &Limits) -> String {
    match &limits.images {
        Some(images) => format!("up to {0} × {0}, or {1} × {1} × {1}", images.max_2d, images.max_3d),
        None => "none".to_owned(),
    }
}

fn access(access: MemoryAccess) -> &'static str {
    match access {
        MemoryAccess { read_write: false, .. } => "kernels cannot use it",
        MemoryAccess { atomic: true, .. } => "kernels read and write it, by atomics too",
        MemoryAccess { .. } => "kernels read and write it, but not by atomics",
    }
}

/// A number of bytes in the largest unit of which there is a whole one.
fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = (count.max(1).ilog2() / 10).min(UNITS.len() as u32 - 1);
    match (count == u64::MAX, unit) {
        (true, _) => "as much as there is".to_owned(),
        (_, 0) => format!("{count} bytes"),
        _ => {
            format!("{:.1} {}", count as f64 / f64::from(1_u32 << 10).powi(unit as i32), UNITS[unit as usize])
        }
    }
}

/// Says what became of the search for GPUs, and what there is to see of why.
fn of_gpus(text: &mut String) -> fmt::Result {
    let status = Device::gpu_status();
    let mut status_text = status.to_string();
    if let Some(first) = status_text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    writeln!(text, "{status_text}.")?;
    if !matches!(status, GpuStatus::Ready(_)) {
        let nodes = RenderNodes::search();
        line(
            text,
            "render nodes",
            format_args!("{} found, {} not for this user", nodes.found, nodes.denied),
        )?;
        line(text, "kernel modules", kernel_modules())?;
    }
    Ok(())
}

/// The modules of the operating system's kernel that drive Intel's GPUs and are loaded.
fn kernel_modules() -> String {
    match kernel_runtime::loaded_kernel_modules() {
        None => "cannot be told".to_owned(),
        Some(found) if found.is_empty() => "neither i915 nor xe is loaded (it may be built in)".to_owned(),
        Some(found) => format!("{} loaded", found.join(" and ")),
    }
}

/// The variables of the environment that decide which devices there are, as far as they are set.
const VARIABLES: [&str; 6] = [
    DEVICE_VARIABLE,
    "ZE_AFFINITY_MASK",
    "ZE_FLAT_DEVICE_HIERARCHY",
    "ZE_ENABLE_ALT_DRIVERS",
    "LEVEL_ZERO_LOADER",
    "KERNEL_CPU_DEVICES",
];

fn of_environment(text: &mut String) -> fmt::Result {
    for name in VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            line(text, "environment", format_args!("{name}={}", value.display()))?;
        }
    }
    Ok(())
}
