//! `cargo xtask bench`: measures, and shows what was measured; `bench modes` only prints what launches cost in all modes of lists and queues.
//!
//! * [`isa`] compares the code for GPUs with that of both OpenCL C front ends,
//! * [`peers`] installs what the CPU driver is measured with,
//! * [`null_device`] is what launches are measured on besides the CPU device,
//! * [`conditions`] says what else was going on meanwhile,
//! * [`rows`] are the figures, which are kept,
//! * [`page`] writes them into the guide, as tables, and [`plot`] as a picture.

mod conditions;
mod isa;
mod null_device;
mod page;
mod peers;
mod plot;
mod rows;

use crate::install;
use crate::temporary::TemporaryFolder;
use crate::workspace;
use peers::Peers;
use rows::Rows;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Isa,
    Cpu,
    Expansion,
    Launch,
}

impl Part {
    const ALL: [Self; 4] = [Self::Isa, Self::Cpu, Self::Expansion, Self::Launch];

    const fn name(self) -> &'static str {
        match self {
            Self::Isa => "isa",
            Self::Cpu => "cpu",
            Self::Expansion => "expansion",
            Self::Launch => "launch",
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// Measures, and returns the figures, with what they were measured under.
    fn measure(self) -> Result<Rows, Box<dyn Error>> {
        let folder = TemporaryFolder::new()?;
        let file = folder.path().join("rows");
        let peers = match self {
            Self::Isa => return isa::measure(),
            Self::Cpu => Some(Peers::install()?),
            Self::Expansion => peers::compilers().map(|()| None)?,
            Self::Launch => None,
        };
        // Built before, so that what is seen of the machine is what others do.
        workspace::run(bench(self.name()).arg("--no-run"))?;
        let conditions = conditions::machine();
        let mut command = match &peers {
            Some(peers) => peers::command(peers, &peers::SHOWN.map(str::to_owned)),
            None => bench(self.name()),
        };
        if self == Self::Expansion {
            command.args(["--", "--compared"]);
        }
        workspace::run(command.env("KERNEL_DEVICE", "cpu").env(rows::FILE, &file))?;
        if self == Self::Launch {
            install::level_zero_libraries()?;
            let mut command = bench(self.name());
            command.args(["--", "launches", "--no-check"]).envs(null_device::ENVIRONMENT);
            workspace::run(command.env("KERNEL_DEVICE", "gpu").env(rows::FILE, &file))?;
        }
        let mut rows = Rows::read(&file)?;
        rows.set_conditions(self.name(), conditions);
        Ok(rows)
    }
}

/// A benchmark.
fn bench(name: &str) -> Command {
    let mut cargo = workspace::cargo();
    cargo.args(["bench", "--quiet", "--package", "kernel-benches", "--bench", name]);
    cargo
}

/// Runs the task.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    match arguments {
        [part, options @ ..] if part == "cpu" && !options.is_empty() => {
            workspace::run(&mut peers::command(&Peers::install()?, options))
        }
        [part] if part == "modes" => {
            let runtime = install::opencl_runtime()?;
            let vendors = runtime.vendors()?;
            let mut command = bench("modes");
            runtime.choose(&vendors, &mut command);
            workspace::run(command.env("KERNEL_CPU_EXECUTOR", "native"))
        }
        [part] if part == "show" => show(&Rows::read(&kept())?),
        [] => measure(&Part::ALL),
        names => {
            let known = |name: &String| Part::of_name(name).ok_or_else(|| unknown(name));
            measure(&names.iter().map(known).collect::<Result<Vec<_>, _>>()?)
        }
    }
}

fn unknown(name: &str) -> String {
    let known = Part::ALL.map(Part::name).join(", ");
    format!("`{name}` cannot be measured, but {known}; `show` writes what was measured into the guide again")
}

/// Measures some parts, and keeps and shows what was measured with what is known of the others.
fn measure(parts: &[Part]) -> Result<(), Box<dyn Error>> {
    let mut rows = Rows::read(&kept())?;
    for &part in parts {
        rows.replace(part.name(), part.measure()?);
        fs::write(kept(), rows.to_string())?;
    }
    show(&rows)
}

fn show(rows: &Rows) -> Result<(), Box<dyn Error>> {
    let panels = page::panels(rows);
    if !panels.is_empty() {
        fs::write(guide().join("measurements.svg"), plot::svg(&panels))?;
    }
    let page = guide().join("measurements.md");
    let text = fs::read_to_string(&page)?;
    fs::write(&page, page::with_tables(&text, &panels)?)?;
    println!("wrote {} and its picture", page.display());
    Ok(())
}

/// The file of the figures.
fn kept() -> PathBuf {
    workspace::root().join("benches/measured.tsv")
}

/// The guide's chapters.
fn guide() -> PathBuf {
    workspace::root().join("guide/src")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_shows_what_was_measured() {
        let panels = page::panels(&Rows::read(&kept()).unwrap());
        let picture = fs::read_to_string(guide().join("measurements.svg")).unwrap_or_default();
        assert!(picture == plot::svg(&panels), "`cargo xtask bench show` writes it");
        let page = fs::read_to_string(guide().join("measurements.md")).unwrap();
        assert!(page == page::with_tables(&page, &panels).unwrap(), "`cargo xtask bench show` writes it");
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let error = run(&["gpu".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("`gpu`") && error.contains("isa, cpu, expansion, launch"), "{error}");
    }
}
