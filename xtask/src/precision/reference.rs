//! Exact results, from mpmath. It is slow, so where a double tells a float's error the host's `f64` finds the arguments to ask about.

use super::error::Exact;
use super::function::{Argument, Exact as Source, Function};
use super::sample::{Float, Inputs, values};
use crate::install::python_package;
use crate::temporary::TemporaryFolder;
use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SCRIPT: &str = include_str!("reference.py");

/// A process of Python that evaluates formulas.
pub(super) struct Reference {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: TemporaryFolder,
}

impl Reference {
    /// Starts the process, after getting what it needs.
    pub(super) fn start() -> Result<Self, Box<dyn Error>> {
        let python = python_package("mpmath")?;
        let folder = TemporaryFolder::new()?;
        let script = folder.path().join("reference.py");
        fs::write(&script, SCRIPT)?;
        let mut process =
            Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let requests = process.stdin.take().ok_or("the input of the process is piped")?;
        let answers = process.stdout.take().ok_or("the output of the process is piped")?;
        Ok(Self { process, requests, answers: BufReader::new(answers), folder })
    }

    /// The exact results of a formula.
    pub(super) fn evaluate(
        &mut self,
        formula: &str,
        arguments: &[Argument],
        inputs: &Inputs<f64>,
    ) -> Result<Vec<Exact>, Box<dyn Error>> {
        let [source, target] = ["arguments", "results"].map(|name| self.folder.path().join(name));
        let rows: Vec<Vec<f64>> = arguments.iter().map(|&argument| row(inputs, argument)).collect();
        fs::write(&source, bytemuck::cast_slice(&rows.concat()))?;
        let names: Vec<_> = arguments.iter().map(|argument| format!("{argument:?}").to_lowercase()).collect();
        let names = names.join(" ");
        writeln!(self.requests, "{formula}\t{names}\t{}\t{}", source.display(), target.display())?;
        self.requests.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        if line.trim() != "done" {
            return Err(format!("mpmath does not evaluate {formula}").into());
        }
        let numbers: Vec<f64> = values(&fs::read(&target)?);
        let (near, rest) = numbers.split_at(numbers.len() / 2);
        Ok(near.iter().zip(rest).map(|(&near, &rest)| Exact(near, rest)).collect())
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        // A process that has ended by itself cannot be killed, which is as well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn row(inputs: &Inputs<f64>, argument: Argument) -> Vec<f64> {
    match argument {
        Argument::X => inputs.x.clone(),
        Argument::Y => inputs.y.clone(),
        Argument::Z => inputs.z.clone(),
        Argument::N => inputs.n.iter().map(|&n| n.into()).collect(),
    }
}

/// The results of a function of `f16` or `f32` in `f64`, which are far below a unit wrong; for other functions than formulas the
/// results of the host, which are exact.
pub(super) fn approximate<T: Float>(
    function: &Function,
    all: &[Function],
    inputs: &Inputs<T>,
    host: &[T],
) -> Result<Vec<Exact>, Box<dyn Error>> {
    let Source::Formula(formula) = function.exact else {
        return Ok(host.iter().map(|result| Exact(result.to_double(), 0.0)).collect());
    };
    let wide = inputs.wide(&(0..inputs.len()).collect::<Vec<_>>());
    let compute = in_double(formula, all).ok_or_else(|| format!("no function of `f64` is {formula}"))?;
    Ok((0..inputs.len()).map(|index| Exact(compute(&wide, index), 0.0)).collect())
}

/// A function of `f64` on the host.
type InDouble = fn(&Inputs<f64>, usize) -> f64;

/// A formula as a function of `f64`: an operator, or the function of the table that it is the exact result of.
fn in_double(formula: &str, all: &[Function]) -> Option<InDouble> {
    Some(match formula {
        "x / y" => |inputs, i| inputs.x[i] / inputs.y[i],
        "x * y" => |inputs, i| inputs.x[i] * inputs.y[i],
        _ => {
            let is_same = |other: &&Function| matches!(other.exact, Source::Formula(same) if same == formula);
            all.iter().filter(is_same).find_map(|other| other.variants.double)?.host
        }
    })
}
