//! The process of a consumer. It is told by its standard input what to run, a line each, and answers on its standard output by an [`Answer`], one
//! JSON object a line. Consumers are processes of their own so that they do not meet, and so that each has its own settings.

use crate::consumer::{Consumer, Machine};
use crate::contests;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{self, BufRead};
use std::time::{Duration, Instant};

/// The task's name on the command line.
pub(super) const TASK: &str = "bench-worker";

/// How long a kernel is launched again and again for one answer.
const BUDGET: Duration = Duration::from_millis(60);

/// What a consumer reached.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// The shortest time of a launch, and that of the first with what had to be built for it.
    Times { best: Duration, first: Duration },
    /// Why there is none.
    Failed(String),
}

impl Answer {
    fn send(&self) {
        let value = match self {
            Self::Times { best, first } => {
                json!({ "best": best.as_secs_f64(), "first": first.as_secs_f64() })
            }
            Self::Failed(error) => json!({ "failed": error }),
        };
        println!("{value}");
    }

    /// Reads a line of the worker; other lines come from the driver.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let seconds = |name: &str| value.get(name)?.as_f64().map(Duration::from_secs_f64);
        match (seconds("best"), seconds("first"), value.get("failed")) {
            (Some(best), Some(first), _) => Some(Self::Times { best, first }),
            (_, _, Some(error)) => Some(Self::Failed(error.as_str()?.to_owned())),
            _ => None,
        }
    }
}

/// Runs the worker for a consumer. A line with the name of a contest has it built, each further line that is empty has it launched,
/// until another name comes.
pub(super) fn run(consumer: &str) -> Result<(), Box<dyn Error>> {
    let consumer = Consumer::of_name(consumer).ok_or("the worker takes a consumer")?;
    let machine = Machine::start(consumer)?;
    let mut lines = io::stdin().lock().lines();
    let mut next = lines.next().transpose()?;
    while let Some(name) = next.take() {
        if name.is_empty() {
            next = lines.next().transpose()?;
            continue;
        }
        let (_, maker) =
            contests::known().find(|(known, _)| *known == name).ok_or("there is no such contest")?;
        let outcome = machine.run(&mut maker(), &mut |first, launch| {
            let mut best = Duration::MAX;
            loop {
                let start = Instant::now();
                while start.elapsed() < BUDGET {
                    let start = Instant::now();
                    launch()?;
                    best = best.min(start.elapsed());
                }
                Answer::Times { best, first }.send();
                next = lines.next().transpose()?;
                if next.as_ref().is_none_or(|line| !line.is_empty()) {
                    return Ok(());
                }
            }
        });
        if let Err(error) = outcome {
            Answer::Failed(error.to_string()).send();
            next = lines.next().transpose()?;
        }
    }
    Ok(())
}
