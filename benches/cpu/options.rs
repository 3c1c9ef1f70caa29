//! What is measured, and by whom.

use crate::consumer::Consumer;
use crate::contests::{self, Maker};
use std::error::Error;
use std::thread;

/// What is measured, and by whom.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// Parts of the names of kernels; none is those that are measured unless others are asked for.
    names: Vec<String>,
    /// Ours is the first.
    pub(super) consumers: Vec<Consumer>,
    pub(super) threads: Vec<usize>,
    /// Whether our driver and Intel's runtime are held to AVX2.
    pub(super) avx2: bool,
    /// The folder from which the ICD loader takes Intel's runtime, and that of its libraries.
    pub(super) intel: Option<(String, String)>,
    /// The folder from which the ICD loader takes PoCL.
    pub(super) pocl: Option<String>,
}

impl Options {
    pub(super) fn parse(arguments: &[String]) -> Result<Self, Box<dyn Error>> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} takes a value"));
            match argument.as_str() {
                "--threads" => options.threads.push(threads(value()?)?),
                "--avx2" => options.avx2 = true,
                "--peer" => {
                    let name = value()?;
                    options.consumers.push(Consumer::of_name(name).ok_or_else(|| unknown(name))?);
                }
                "--intel" => options.intel = Some((value()?.clone(), value()?.clone())),
                "--pocl" => options.pocl = Some(value()?.clone()),
                // `cargo bench` says so.
                "--bench" => {}
                flag if flag.starts_with('-') => return Err(format!("`bench` has no option {flag}").into()),
                name if contests::known().any(|(known, _)| known.contains(name)) => {
                    options.names.push(name.to_owned())
                }
                name => return Err(format!("there is no kernel with `{name}` in its name").into()),
            }
        }
        if options.consumers.is_empty() {
            options.consumers = Consumer::ALL.to_vec();
        }
        options.consumers.retain(|consumer| match consumer {
            Consumer::Driver => false,
            Consumer::Rust => true,
            Consumer::Pocl => options.pocl.is_some(),
            _ => options.intel.is_some(),
        });
        options.consumers.insert(0, Consumer::Driver);
        if options.threads.is_empty() {
            let most = thread::available_parallelism().map_or(1, usize::from);
            options.threads = (1..=most.min(2)).collect();
        }
        Ok(options)
    }

    /// The kernels that are asked for.
    pub(super) fn contests(&self) -> Vec<(&'static str, Maker)> {
        if self.names.is_empty() {
            return contests::ALL.to_vec();
        }
        let is_asked = |name: &str| self.names.iter().any(|part| name.contains(part));
        contests::known().filter(|(name, _)| is_asked(name)).collect()
    }
}

fn threads(text: &str) -> Result<usize, Box<dyn Error>> {
    let most = thread::available_parallelism().map_or(1, usize::from);
    match text.parse() {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(format!("--threads takes a number from 1 to {most}").into()),
    }
}

fn unknown(name: &str) -> String {
    let known = Consumer::ALL.map(Consumer::name).join(", ");
    format!("there is no peer `{name}`, but {known}")
}
