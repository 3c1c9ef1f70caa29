//! The process that computes functions with Intel's OpenCL runtime.
//!
//! It reads requests from standard input, one a line: the position of a function, the width of its type in bits, `strict` or `fast`,
//! how many arguments, and the file for the results. The arguments it makes itself, since they are the same in every process. It answers
//! each with a line: that the results are written, or that the driver does not take the kernel.

use super::consumer::{Mode, on_opencl};
use super::function::Function;
use super::list;
use super::sample::{Float, Inputs, Sample, values};
use crate::conformance::Session;
use crate::install::OpenClRuntime;
use crate::temporary::TemporaryFolder;
use kernel_core::half::f16;
use std::error::Error;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs};

/// The task's name on the command line.
const TASK: &str = "precision-worker";

/// What the worker answers when the results are written; drivers print other lines.
const DONE: &str = "results are written";

/// What it answers when the driver refuses a kernel.
const REFUSED: &str = "the kernel is refused";

/// The process, seen from the one that started it.
pub(super) struct Worker {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: TemporaryFolder,
    /// Where the ICD loader finds the driver, as long as the process is there.
    _vendors: TemporaryFolder,
}

impl Worker {
    /// Starts the process.
    pub(super) fn start(runtime: &OpenClRuntime) -> Result<Self, Box<dyn Error>> {
        let (folder, vendors) = (TemporaryFolder::new()?, runtime.vendors()?);
        let mut command = Command::new(env::current_exe()?);
        runtime.choose(&vendors, &mut command);
        let mut process = command.arg(TASK).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let requests = process.stdin.take().ok_or("the input of the worker is piped")?;
        let answers = process.stdout.take().ok_or("the output of the worker is piped")?;
        Ok(Self { process, requests, answers: BufReader::new(answers), folder, _vendors: vendors })
    }

    /// The results of the function at a position, for all arguments of a sample; nothing if the driver does not take the kernel.
    pub(super) fn results<T: Float>(
        &mut self,
        position: usize,
        mode: Mode,
        count: usize,
    ) -> Result<Option<Vec<T>>, Box<dyn Error>> {
        let file = self.folder.path().join("results");
        let mode = if mode == Mode::Fast { "fast" } else { "strict" };
        writeln!(self.requests, "{position} {} {mode} {count} {}", T::BITS, file.display())?;
        self.requests.flush()?;
        let mut line = String::new();
        while self.answers.read_line(&mut line)? > 0 {
            match line.trim_end() {
                DONE => return Ok(Some(values(&fs::read(file)?))),
                REFUSED => return Ok(None),
                _ => line.clear(),
            }
        }
        Err("the process with the OpenCL device died".into())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A process that has ended by itself cannot be killed, which is as well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs the worker, which takes no arguments.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    if !arguments.is_empty() {
        return Err("the worker takes no arguments".into());
    }
    let session = Session::open()?;
    let functions = list::all();
    for request in io::stdin().lines() {
        println!("{}", answer(&session, &functions, &request?)?);
    }
    Ok(())
}

fn answer(session: &Session, functions: &[Function], request: &str) -> Result<&'static str, Box<dyn Error>> {
    let words: Vec<&str> = request.splitn(5, ' ').collect();
    let [position, bits, mode, count, file] = words[..] else {
        return Err("a request has five parts".into());
    };
    let function = functions.get(position.parse::<usize>()?).ok_or("there is no such function")?;
    let mode = if mode == "fast" { Mode::Fast } else { Mode::Strict };
    let (count, file) = (count.parse()?, Path::new(file));
    match bits {
        "16" => write::<f16>(session, function, mode, count, file),
        "32" => write::<f32>(session, function, mode, count, file),
        _ => write::<f64>(session, function, mode, count, file),
    }
}

fn write<T: Float>(
    session: &Session,
    function: &Function,
    mode: Mode,
    count: usize,
    file: &Path,
) -> Result<&'static str, Box<dyn Error>> {
    let variant = T::variant(&function.variants).ok_or("there is no such function of this type")?;
    let inputs = Inputs::for_function(function, Sample { count, step: 1 });
    let Ok(results) = on_opencl(session, function, &variant, mode, &inputs) else { return Ok(REFUSED) };
    fs::write(file, bytemuck::cast_slice(&results))?;
    Ok(DONE)
}
