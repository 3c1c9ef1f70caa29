//! The arguments of the task.

use super::consumer::Consumer;
use std::error::Error;
use std::thread;

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// The seed of the first program; each further one has the next.
    pub(super) seed: u64,
    /// How many programs to try.
    pub(super) count: u64,
    /// Who takes them.
    pub(super) consumers: Vec<Consumer>,
    /// How many batches are tried at the same time.
    pub(super) jobs: u64,
    /// Whether overflow is checked, in kernels and in their copies.
    pub(super) overflow: bool,
    /// Whether to print the programs and do nothing else.
    pub(super) print: bool,
}

impl Options {
    pub(super) fn parse(arguments: &[String]) -> Result<Self, Box<dyn Error>> {
        let jobs = thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
        let mut options =
            Self { seed: 0, count: 200, consumers: Vec::new(), jobs, overflow: false, print: false };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{name}` needs a value"));
            match name.as_str() {
                "--seed" => options.seed = value()?.parse()?,
                "--count" => options.count = value()?.parse()?,
                "--consumer" => {
                    let name = value()?;
                    let consumers = Consumer::from_name(name);
                    if consumers.is_empty() {
                        return Err(format!("there is no consumer `{name}`").into());
                    }
                    options.consumers.extend(consumers);
                }
                "--jobs" => options.jobs = value()?.parse::<u64>()?.max(1),
                "--overflow" => options.overflow = true,
                "--print" => options.print = true,
                other => return Err(format!("`random` has no option `{other}`").into()),
            }
        }
        if options.consumers.is_empty() {
            options.consumers.extend(Consumer::all());
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Options::parse(&arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn all_consumers_are_asked_unless_some_are_named() {
        let names = |arguments: &[&str]| {
            let consumers = parse(arguments).unwrap().consumers;
            consumers.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names(&[]), ["cpu", "opencl", "spirv-val"]);
        assert_eq!(names(&["--consumer", "cpu"]), ["cpu"]);
        let both = ["--consumer", "cpu:both", "--consumer", "cpu:both-avx2:fold,unroll"];
        assert_eq!(names(&both), ["cpu:both", "cpu:both-avx2:fold,unroll"]);
        let each = names(&["--consumer", "cpu:both:each"]);
        assert_eq!(each.len(), kernel_cpu::native_switches().len());
        assert!(each.iter().any(|name| name == "cpu:both:unroll") || each.is_empty(), "{each:?}");
    }

    #[test]
    fn overflow_is_checked_if_asked_for() {
        assert!(!parse(&["--count", "3"]).unwrap().overflow);
        assert!(parse(&["--overflow"]).unwrap().overflow);
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        assert_eq!(parse(&["--sed", "1"]).unwrap_err(), "`random` has no option `--sed`");
        assert_eq!(parse(&["--seed"]).unwrap_err(), "`--seed` needs a value");
        assert_eq!(parse(&["--consumer", "gpu"]).unwrap_err(), "there is no consumer `gpu`");
    }
}
