//! The project's own tasks; `cargo xtask help` lists them.

mod level_zero;

use std::env;
use std::error::Error;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask TASK [OPTIONS]

  help                                 this text
  level-zero [--check] [--include DIR] generate level-zero-sys/src/generated from the C headers in
                                       DIR/level_zero (default /usr/include); with --check, compare only
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (task, rest) = arguments.split_first().ok_or("no task is named; `cargo xtask help` lists them")?;
    match task.as_str() {
        "help" | "--help" => {
            print!("{HELP}");
            Ok(())
        }
        "level-zero" => level_zero::run(rest),
        other => Err(format!("there is no task `{other}`; `cargo xtask help` lists them").into()),
    }
}
