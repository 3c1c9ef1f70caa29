//! Runs the programs of the chapters after which their output is shown, each in a process of its own, and compares.

#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::unit_arg,
    clippy::wildcard_imports,
    reason = "the programs are those of the chapters, and written to be read there"
)]

use std::env;
use std::fmt::Debug;
use std::process::{Command, ExitCode};

/// The name of a program, what it prints according to its chapter, and its `main`.
type Row = (&'static str, &'static str, fn());

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// What the `main` of a program may return.
trait Outcome {
    fn error(self) -> Option<String>;
}

impl Outcome for () {
    fn error(self) -> Option<String> {
        None
    }
}

impl<E: Debug> Outcome for Result<(), E> {
    fn error(self) -> Option<String> {
        self.err().map(|error| format!("{error:?}"))
    }
}

/// Prints the error of a program as Rust does when it is returned from `main`.
fn report(outcome: impl Outcome) {
    if let Some(error) = outcome.error() {
        println!("Error: {error}");
    }
}

fn main() -> ExitCode {
    if let Ok(wanted) = env::var("GUIDE_PROGRAM") {
        let (_, _, program) =
            PROGRAMS.iter().find(|(name, ..)| *name == wanted).expect("a program of the guide");
        program();
        return ExitCode::SUCCESS;
    }
    let failed = PROGRAMS.iter().filter(|(name, printed, _)| !prints(name, printed)).count();
    println!(
        "\ntest result: {}. {} passed; {failed} failed",
        if failed == 0 { "ok" } else { "FAILED" },
        PROGRAMS.len() - failed
    );
    if failed == 0 && !PROGRAMS.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether a program prints this, on a machine without a GPU.
fn prints(name: &str, expected: &str) -> bool {
    let this = env::current_exe().expect("the path of this test");
    let output = Command::new(this)
        .env("GUIDE_PROGRAM", name)
        .env("KERNEL_DEVICE", "cpu")
        .output()
        .expect("a process");
    let printed = with_short_paths(&String::from_utf8_lossy(&output.stdout));
    let is_right = output.status.success() && printed == expected;
    if is_right {
        println!("program {name} ... ok");
    } else {
        println!(
            "program {name} ... FAILED ({})\n--- shown\n{expected}--- printed\n{printed}{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    is_right
}

/// The text with `src/main.rs` for each file in which this test has a program.
fn with_short_paths(text: &str) -> String {
    let mut parts = text.split(env!("OUT_DIR"));
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| {
        let (_, rest) = part.split_once(".rs").unwrap_or_default();
        shown + "src/main.rs" + rest
    })
}
