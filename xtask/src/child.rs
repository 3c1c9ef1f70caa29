//! A child process that reports line by line, and that may die or hang.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A child process and the lines that it prints.
#[derive(Debug)]
pub(crate) struct Reporter {
    child: Child,
    lines: Receiver<String>,
    patience: Duration,
}

impl Reporter {
    /// Starts a process of which each line takes so long at most.
    pub(crate) fn start(mut command: Command, patience: Duration) -> Result<Self, Box<dyn Error>> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().ok_or("the output of the child is piped")?;
        Ok(Self { child, lines: lines(output), patience })
    }

    /// The same with a pipe to its standard input.
    #[allow(dead_code, reason = "`benches/cpu` uses it")]
    pub(crate) fn start_with_input(
        mut command: Command,
        patience: Duration,
    ) -> Result<(Self, ChildStdin), Box<dyn Error>> {
        command.stdin(Stdio::piped());
        let mut reporter = Self::start(command, patience)?;
        let input = reporter.child.stdin.take().ok_or("the input of the child is piped")?;
        Ok((reporter, input))
    }

    /// The next line, unless the process has ended or hangs.
    pub(crate) fn line(&self) -> Option<String> {
        self.lines.recv_timeout(self.patience).ok()
    }

    /// Waits for the end of a process that closed its output, or ends one that did not, and says which it was.
    pub(crate) fn end(&mut self) -> String {
        let hangs = matches!(self.child.try_wait(), Ok(None)) && self.lines.try_recv().is_err_and(is_empty);
        if hangs {
            // A process that has just ended by itself cannot be killed, which is as well.
            let _ = self.child.kill();
        }
        match self.child.wait() {
            Ok(_) if hangs => format!("no result after {} seconds", self.patience.as_secs()),
            Ok(status) => format!("the process died ({status})"),
            Err(error) => format!("the process is lost: {error}"),
        }
    }
}

/// Returns whether the other end is still there and has nothing to say.
fn is_empty(error: mpsc::TryRecvError) -> bool {
    error == mpsc::TryRecvError::Empty
}

/// Reads lines on a thread, so that one can wait for them with a limit.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
