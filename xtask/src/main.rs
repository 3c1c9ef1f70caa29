//! The project's own tasks; `cargo xtask help` lists them.

mod bench;
#[cfg(feature = "kernels")]
mod capture;
#[cfg(feature = "kernels")]
mod checks;
#[cfg(feature = "kernels")]
mod child;
#[cfg(feature = "kernels")]
mod conformance;
mod crates;
mod fuzz;
mod grammar;
mod inject;
mod install;
#[cfg(feature = "kernels")]
mod ir;
mod jobs;
mod level_zero;
mod loader;
#[cfg(feature = "kernels")]
mod native;
#[cfg(feature = "kernels")]
mod package;
#[cfg(feature = "kernels")]
mod precision;
mod profiles;
#[cfg(feature = "kernels")]
mod races;
#[cfg(feature = "kernels")]
mod random;
mod sanitize;
#[cfg(feature = "kernels")]
mod spirv;
mod suite;
mod temporary;
mod workspace;

#[cfg(feature = "kernels")]
use catalogue::{device, kernels};
use std::error::Error;
use std::process::ExitCode;
use std::{env, io};

const HELP: &str = "\
Usage: cargo xtask TASK [OPTIONS]

  help                                 this text
  bench [PART...]                      measure the code for GPUs beside that of OpenCL C (isa), kernels on the CPU driver beside its peers (cpu),
                                       expansion beside clang (expansion) and launches (launch), or those PARTs, and write tables and a
                                       picture into the guide, as `show` does with what was measured before
  bench cpu [NAME...] [--peer P]… [--threads T]…
                                       measure kernels on the CPU driver beside Intel's OpenCL runtime for CPUs, PoCL and plain Rust,
                                       which are installed if need be; by default all peers, on one and
                                       on two threads
  capture                              run the examples on Intel's driver in capture mode, under validation
  checks [NAME...] [--check | --write] list which checks remain in each kernel and why, or in those whose paths contain a NAME;
                                       with --check, compare the benchmarks and examples with benches/checks.txt
  crates                               check what each crate of the workspace depends on, and that those which are published have
                                       metadata, READMEs and licences
  conformance [NAME... | --all]        install the consumers of SPIR-V that run on any machine, and hand
                                       every kernel of the examples, tests and benchmarks to each, or those
                                       whose paths contain a NAME; without arguments, to those that take long only a part
  fuzz [--rounds N] [--seed S] [--minutes M] [--sanitizer KIND] [NAME]
                                       launch changed modules on the CPU driver, and call its functions in any order; by default 2000
                                       rounds from seed 1, of the tests whose names contain NAME; again from other seeds for so many
                                       minutes; with a sanitizer of a nightly compiler (address)
  grammar [--check]                    generate the table of the instructions of SPIR-V by which the CPU driver reads modules; with
                                       --check, compare only
  inject [NAME...]                     have each call of the CPU driver fail in turn in every test of the runtime, or in those whose names contain
                                       a NAME: nothing may crash or wait for ever
  ir [NAME...] [--lowered | --check]   show the intermediate representation of the kernels whose paths contain a NAME, docs/ir.md; with
                                       --lowered, before the analysis; with --check, whether its text is read back, and becomes
                                       the SPIR-V of the kernel
  level-zero [--check] [--include DIR] generate level-zero-sys/src/generated from the C headers in
                                       DIR/level_zero (default /usr/include); with --check, compare only
  loader [--suite NAME]                build the CPU driver as a shared library, and run a C program and an example by it through Debian's
                                       loader of Level Zero, with its layers; with a suite (sid), through the loader of that Debian
  native [--avx2] [--part | NAME...] [--off SWITCH,... | --each]
                                       run the tests of the CPU driver and of kernels, and the examples, by native code and by the interpreter, compare
                                       each launch, and list what has no native code; without what the switches name, or each of them in turn;
                                       with --avx2, by code for AVX2; with --part, the tests of kernels alone, or those whose names
                                       contain a NAME: `native --each benches` tries each switch on the kernels of the benchmarks
  package [--no-verify]                make the packages of the crates that are published, and build each from its package
  precision [--check | --exhaustive [NAME...]]
                                       measure the errors of the methods of floats, and write docs/precision.md (slow
                                       without --release); with --check, compare the CPU driver with it
  profiles                             build a crate in several ways, and ask it whether its kernels check for overflow as
                                       the rest of it does
  races [--mutants N [--seed S]] [NAME...]
                                       list for each kernel, or those whose paths contain a NAME, whether two work-items may access one
                                       element at the same time, and which elements; count the answers. With --mutants, change each
                                       kernel that has no races in N ways at most, by a barrier less or another index, and look for races in
                                       what is accepted of them
  random [--seed S] [--count N] [--consumer C]… [--jobs J] [--overflow] [--print]
                                       run random kernels on the host and on each consumer, and compare; by default
                                       200 from seed 0 on `cpu`, `opencl` (Intel's runtime for CPUs) and `spirv-val`,
                                       in as many batches at a time as there are processors; with --overflow, it is checked in
                                       both, so that the host's panics are faults of the devices; --print only shows them;
                                       `cpu:both:fold` is the CPU driver with that executor and that switch off, `cpu:both:each`
                                       with each of them off in turn
  sanitize [TOOL...]                   run the tests of the runtime under AddressSanitizer (address), ThreadSanitizer (thread) and Miri (miri),
                                       for which the nightly toolchain is needed, and models of threads by shuttle (models), or those TOOLs
  spirv DIR                            write every kernel to DIR, as SPIR-V and its descriptor as JSON
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_unread(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether nobody reads what is written any more, as in `cargo xtask ir | head`.
fn is_unread(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (task, rest) = arguments.split_first().ok_or("no task is named; `cargo xtask help` lists them")?;
    match task.as_str() {
        "help" | "--help" => {
            print!("{HELP}");
            Ok(())
        }
        "bench" => bench::run(rest),
        #[cfg(feature = "kernels")]
        "capture" => capture::run(rest),
        #[cfg(feature = "kernels")]
        "capture-probe" => capture::run_probe(rest),
        #[cfg(feature = "kernels")]
        "checks" => checks::run(rest),
        #[cfg(feature = "kernels")]
        "conformance" => conformance::run(rest),
        "crates" => crates::run(rest),
        "fuzz" => fuzz::run(rest),
        "grammar" => grammar::run(rest),
        "inject" => inject::run(rest),
        #[cfg(feature = "kernels")]
        "ir" => ir::run(rest),
        "level-zero" => level_zero::run(rest),
        "loader" => loader::run(rest),
        #[cfg(feature = "kernels")]
        "native" => native::run(rest),
        #[cfg(feature = "kernels")]
        "opencl-worker" => conformance::run_worker(rest),
        #[cfg(feature = "kernels")]
        "package" => package::run(rest),
        #[cfg(feature = "kernels")]
        "precision" => precision::run(rest),
        #[cfg(feature = "kernels")]
        "precision-worker" => precision::run_worker(rest),
        "profiles" => profiles::run(rest),
        #[cfg(feature = "kernels")]
        "races" => races::run(rest),
        #[cfg(feature = "kernels")]
        races::WORKER => races::run_worker(rest),
        #[cfg(feature = "kernels")]
        "random" => random::run(rest),
        "sanitize" => sanitize::run(rest),
        #[cfg(feature = "kernels")]
        "spirv" => spirv::run(rest),
        other => Err(format!("there is no task `{other}`; `cargo xtask help` lists them").into()),
    }
}
