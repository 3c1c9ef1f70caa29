//! `cargo kernel`: what becomes of the kernels in a crate.
//!
//! The files beside this one read the arguments, have cargo build the crate and read what the compiler says of its kernels; `commands/` shows it, a file for each command.

mod arguments;
mod cargo;
mod commands;
mod estimate;
mod failure;
mod kernels;
mod listing;
mod ocloc;
mod source;
mod style;
mod table;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Result;
use std::env;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Cargo passes the name of the command on.
    let mut given: Vec<_> = env::args_os().collect();
    if given.get(1).is_some_and(|first| first == "kernel") {
        given.remove(1);
    }
    match run(Arguments::parse_from(given).command) {
        Ok(code) => code,
        Err(failure) => {
            anstream::eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::List { build, output } => commands::list(&build, output)?,
        Command::Spirv { names, no_lines, output_file, build, output } => match output_file {
            Some(file) => commands::spirv_to(&file, &names, &build)?,
            None => commands::spirv(&names, !no_lines, &build, output)?,
        },
        Command::Ir { names, lowered, no_lines, build, output } => {
            commands::ir(&names, lowered, !no_lines, &build, output)?;
        }
        Command::Isa { names, device, build, output } => {
            commands::isa(&names, &device.device, &build, output)?;
        }
        Command::Checks { names, build, output } => commands::checks(&names, &build, output)?,
        Command::Races { names, build, output } => commands::races(&names, &build, output)?,
        Command::Stats { names, device, module, options, build, output } => match &module[..] {
            [] => commands::stats(&names, &device.device, &build, output)?,
            files => commands::stats_of_files(files, &options, &device.device, &build, output)?,
        },
        Command::Run { check, build, output, rest } => {
            return commands::run(&check, &build, output, &rest);
        }
        Command::Doctor { output } => return commands::doctor(output),
        Command::New { path, runtime, output } => commands::new(&path, runtime.as_deref(), output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints text with colours, which only terminals get.
fn print(text: &str) -> Result<()> {
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads has had enough, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Prints a document.
fn print_json(document: &serde_json::Value) -> Result<()> {
    print(&(serde_json::to_string_pretty(document)? + "\n"))
}
