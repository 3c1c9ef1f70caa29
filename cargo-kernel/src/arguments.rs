//! The arguments of the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Shows what becomes of the kernels in a crate, and runs them under detectors of errors.
#[derive(Debug, Parser)]
#[command(name = "cargo kernel", bin_name = "cargo kernel", version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Lists the kernels: their arguments, what they need of a device, the checks left in them, their sizes
    List {
        #[command(flatten)]
        build: Build,
        #[command(flatten)]
        output: Output,
    },
    /// Shows the SPIR-V of kernels, with the Rust lines between
    Spirv {
        #[command(flatten)]
        names: Names,
        /// Without the Rust lines
        #[arg(long)]
        no_lines: bool,
        /// Write the module, as it is embedded, to a file instead (of one kernel)
        #[arg(long, short, value_name = "FILE")]
        output_file: Option<PathBuf>,
        #[command(flatten)]
        build: Build,
        #[command(flatten)]
        output: Output,
    },
    /// Shows the compiler's own representation of kernels, with the Rust lines between
    Ir {
        #[command(flatten)]
        names: Names,
        /// As it is before the analysis has removed checks
        #[arg(long)]
        lowered: bool,
        /// Without the Rust lines
        #[arg(long)]
        no_lines: bool,
        #[command(flatten)]
        build: Build,
        #[command(flatten)]
        output: Output,
    },
    /// Shows the code that Intel's compiler makes for a GPU (needs `ocloc`)
    Isa {
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        device: Device,
        #[command(flatten)]
        build: Build,
        #[command(flatten)]
        output: Output,
    },
    /// Lists the checks left in kernels: why, and under which conditions a launch goes without them
    Checks {
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        build: Build,
        #[command(flatten)]
        output: Output,
    },
    /// Says whether work-items can race in kernels
    Races {
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        build: Build,
        #[command(flatten)]
        output: Output,
    },
    /// Lists what kernels take of a GPU: registers, spills, width, local memory, cycles of each pipe (needs `ocloc`)
    Stats {
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        device: Device,
        /// Of a file instead of the crate's kernels, to compare: a module of SPIR-V, or OpenCL C (`.cl`)
        #[arg(long, value_name = "FILE", conflicts_with = "names")]
        module: Vec<PathBuf>,
        /// What `ocloc` is told of files, as `-cl-std=CL2.0 -cl-mad-enable`
        #[arg(
            long,
            value_name = "OPTIONS",
            requires = "module",
            allow_hyphen_values = true,
            default_value = ""
        )]
        options: String,
        #[command(flatten)]
        build: Build,
        #[command(flatten)]
        output: Output,
    },
    /// Runs the program, an example or the tests on the CPU device while it looks for errors
    Run {
        /// What to look for
        #[arg(long, value_enum, value_delimiter = ',', default_values = ["races", "memory"])]
        check: Vec<Detector>,
        #[command(flatten)]
        build: Build,
        #[command(flatten)]
        output: Output,
        /// What the program or the tests are given, after `--`
        #[arg(last = true, value_name = "ARGUMENTS")]
        rest: Vec<String>,
    },
    /// Says which devices there are, and why there is no GPU
    Doctor {
        #[command(flatten)]
        output: Output,
    },
    /// Makes a new crate with a kernel, a test and continuous integration that needs no GPU
    New {
        /// The folder, whose name the crate has
        path: PathBuf,
        /// The folder of the crate `kernel-runtime`, if it is not to come from the registry
        #[arg(long, value_name = "FOLDER")]
        runtime: Option<PathBuf>,
        #[command(flatten)]
        output: Output,
    },
}

/// Which kernels are meant.
#[derive(Debug, Args)]
pub(crate) struct Names {
    /// The names of kernels, or parts of names; all kernels without any
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
}

/// How results are written.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Output {
    /// Write JSON, for programs
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// The GPU to compile for.
#[derive(Debug, Args)]
pub(crate) struct Device {
    /// The GPU as `ocloc` calls it: `pvc`, `dg2`, `tgllp`, `skl`, …
    #[arg(long, value_name = "DEVICE", default_value = "pvc")]
    pub(crate) device: String,
}

/// What the CPU device can look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Detector {
    /// Data races
    Races,
    /// Reads of what nobody has written, and memory that is never freed
    Memory,
}

/// Which crates are built, and how; these are cargo's own options.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Build")]
pub(crate) struct Build {
    /// The package, if not the one of this folder
    #[arg(long, short, value_name = "NAME")]
    pub(crate) package: Vec<String>,
    /// All packages of the workspace
    #[arg(long)]
    pub(crate) workspace: bool,
    /// The library alone
    #[arg(long)]
    pub(crate) lib: bool,
    /// A program
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Vec<String>,
    /// An example
    #[arg(long, value_name = "NAME")]
    pub(crate) example: Vec<String>,
    /// All examples
    #[arg(long)]
    pub(crate) examples: bool,
    /// An integration test
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Vec<String>,
    /// All tests
    #[arg(long)]
    pub(crate) tests: bool,
    /// The library, programs, examples, tests and benchmarks
    #[arg(long)]
    pub(crate) all_targets: bool,
    /// Features to switch on
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// All features
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Without the default features
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// The profile: `release`, which is what ships, or for `run` the profile `dev`
    #[arg(long, value_name = "NAME", conflicts_with_all = ["dev", "release"])]
    pub(crate) profile: Option<String>,
    /// The profile `dev`, in which overflow is checked
    #[arg(long, conflicts_with = "release")]
    pub(crate) dev: bool,
    /// The profile `release`
    #[arg(long, short)]
    pub(crate) release: bool,
    /// The manifest of the crate
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// The folder of what is built
    #[arg(long, value_name = "FOLDER")]
    pub(crate) target_dir: Option<PathBuf>,
    /// Without the network
    #[arg(long)]
    pub(crate) offline: bool,
    /// With `Cargo.lock` as it is
    #[arg(long)]
    pub(crate) locked: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
