//! The times of kernels on the CPU driver beside those of others, in one run. `cargo xtask bench cpu` installs the others and says where they are.
//!
//! | peer | what it runs |
//! |---|---|
//! | `intel-c` | Intel's OpenCL runtime for CPUs: the kernel in OpenCL C, `benches/opencl` |
//! | `intel-clang` | the same: the SPIR-V that clang makes of it |
//! | `intel-spirv` | the same: our SPIR-V |
//! | `pocl` | PoCL: the kernel in OpenCL C |
//! | `rust` | plain Rust on the threads of `rayon` |
//!
//! Kernels of many fields (`sha256`) and functions of `f32` (`f32::exp`) are measured only if they are asked for.
//!
//! Each is a process of its own, bound to as many processors as there are to be threads. They take turns; the least time of each counts. Each has first to compute
//! what the host computes. With `--avx2`, our driver and Intel's runtime make code for processors with AVX2; plain Rust and PoCL are as they are. Where
//! `KERNEL_CPU_EXECUTOR` says nothing, our driver runs native code. With `--modules FOLDER` nothing is measured, and the modules are written to files.

#[path = "../../xtask/src/child.rs"]
mod child;
mod consumer;
mod contests;
mod fields;
mod generation;
#[path = "../kernels/mod.rs"]
mod kernels;
mod modules;
#[allow(dead_code, reason = "the conformance checks use more of it")]
#[path = "../../xtask/src/conformance/opencl/mod.rs"]
mod opencl;
mod options;
mod table;
mod worker;

use child::Reporter;
use consumer::Consumer;
use options::Options;
use std::env;
use std::error::Error;
use std::io::Write;
use std::process::{ChildStdin, Command};
use std::time::Duration;
use worker::Answer;

/// How often each consumer has its turn with each kernel.
const ROUNDS: usize = 5;

/// The variable that says how our driver executes kernels.
const EXECUTOR: &str = "KERNEL_CPU_EXECUTOR";

/// How long an answer may take, with what has to be built for it.
const PATIENCE: Duration = Duration::from_secs(120);

/// What all consumers reached with one kernel, in the order of the options.
struct Row {
    name: &'static str,
    traffic: Option<usize>,
    answers: Vec<Answer>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [worker::TASK, consumer] = *arguments.iter().map(String::as_str).collect::<Vec<_>>() {
        return worker::run(consumer);
    }
    if let [option, folder, ..] = &arguments[..]
        && option == "--modules"
    {
        return modules::write(folder);
    }
    let options = Options::parse(&arguments)?;
    let log = generation::Log::new();
    for &threads in &options.threads {
        let rows = measure(&options, threads, &log)?;
        table::print(&options, threads, &rows);
        table::record(&options, threads, &rows)?;
    }
    log.print();
    Ok(())
}

fn measure(options: &Options, threads: usize, log: &generation::Log) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for (name, maker) in options.contests() {
        // Anew for each, so that a peer that dies or hangs is missing in one row only.
        let start = |&consumer: &Consumer| Worker::start(consumer, options, threads, log);
        let mut workers = options.consumers.iter().map(start).collect::<Result<Vec<_>, _>>()?;
        let mut answers: Vec<_> = workers.iter_mut().map(|worker| worker.ask(name)).collect();
        for _ in 1..ROUNDS {
            for (worker, answer) in workers.iter_mut().zip(&mut answers) {
                if let Answer::Times { .. } = answer {
                    *answer = worker.ask("");
                }
            }
        }
        rows.push(Row { name, traffic: maker().traffic, answers });
        eprint!(".");
    }
    eprintln!();
    Ok(rows)
}

/// The process of a consumer.
struct Worker {
    reporter: Reporter,
    input: ChildStdin,
}

impl Worker {
    fn start(
        consumer: Consumer,
        options: &Options,
        threads: usize,
        log: &generation::Log,
    ) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", &format!("0-{}", threads - 1)]);
        command.arg(env::current_exe()?).args([worker::TASK, consumer.name()]);
        command.env("RAYON_NUM_THREADS", threads.to_string());
        command.env("KERNEL_DEVICE", "cpu");
        if consumer == Consumer::Driver {
            let executor = if options.avx2 { "avx2" } else { "native" };
            command.env(EXECUTOR, env::var(EXECUTOR).unwrap_or_else(|_| executor.to_owned()));
            command.env("KERNEL_CPU_LOG", log.path());
        }
        if consumer.is_intel() && options.avx2 {
            command.env("CL_CONFIG_CPU_TARGET_ARCH", "core-avx2");
        }
        if let (true, Some((vendors, libraries))) = (consumer.is_intel(), &options.intel) {
            command.env("OCL_ICD_VENDORS", vendors).env("LD_LIBRARY_PATH", libraries);
        }
        if let (Consumer::Pocl, Some(vendors)) = (consumer, &options.pocl) {
            command.env("OCL_ICD_VENDORS", vendors);
        }
        let (reporter, input) = Reporter::start_with_input(command, PATIENCE)?;
        Ok(Self { reporter, input })
    }

    fn ask(&mut self, line: &str) -> Answer {
        if writeln!(self.input, "{line}").is_err() {
            return Answer::Failed(self.reporter.end());
        }
        while let Some(line) = self.reporter.line() {
            if let Some(answer) = Answer::parse(&line) {
                return answer;
            }
        }
        Answer::Failed(self.reporter.end())
    }
}
