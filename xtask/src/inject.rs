//! `cargo xtask inject`: each call of the CPU driver fails in turn, in every test of the runtime by itself.
//!
//! Of tests that make many calls the first [`MOST_CALLS`] fail, since later ones are those of later rounds. A test may fail then, since it does not expect that. But it has to end: without a crash, and in time.

use crate::jobs;
use crate::workspace;
use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// How long a test may take in which a call fails.
const LIMIT: Duration = Duration::from_secs(60);

/// How many calls of a test are tried at most.
const MOST_CALLS: u64 = 200;

/// What a program of tests returns if all succeed, or if some fail.
const ENDED: [i32; 2] = [0, 101];

/// A test of a program.
#[derive(Clone, Debug)]
struct Test {
    program: PathBuf,
    name: String,
}

/// Runs the task: of the tests whose names contain one of the arguments, or of all.
pub(crate) fn run(names: &[String]) -> Result<(), Box<dyn Error>> {
    let is_chosen = |test: &Test| names.is_empty() || names.iter().any(|name| test.name.contains(name));
    let mut tests = Vec::new();
    for program in programs()? {
        tests.extend(of_program(&program)?.into_iter().filter(is_chosen));
    }
    let runs = AtomicU64::new(0);
    let problems = jobs::run(&tests, |test| ["", ":lost"].iter().find_map(|how| each_call(test, how, &runs)));
    let problems: Vec<String> = problems.into_iter().flatten().collect();
    if !problems.is_empty() {
        return Err(problems.join("\n").into());
    }
    println!("{} runs of {} tests, of each of which another call has failed", runs.into_inner(), tests.len());
    println!("{} passed, 0 failed", tests.len());
    Ok(())
}

/// The programs of the runtime's own tests by the CPU driver. The others are those of tests with a driver that fails by itself.
fn programs() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--package", "kernel-runtime", "--features", "ndarray,tracing", "--tests"]);
    cargo.args(["--no-run", "--message-format", "json"]).stderr(Stdio::inherit());
    let output = workspace::capture(&mut cargo)?;
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        let is_test =
            message["target"]["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "test"));
        if let Some(program) = message["executable"].as_str().filter(|_| is_test) {
            programs.push(PathBuf::from(program));
        }
    }
    Ok(programs)
}

fn of_program(program: &PathBuf) -> Result<Vec<Test>, Box<dyn Error>> {
    let listed = workspace::capture(Command::new(program).args(["--list", "--format", "terse"]))?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let tests = names.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(tests.map(|name| Test { program: program.clone(), name: name.to_owned() }).collect())
}

/// Has each call of a test fail in turn; what is wrong, if anything is.
fn each_call(test: &Test, how: &str, runs: &AtomicU64) -> Option<String> {
    for call in 0..MOST_CALLS {
        runs.fetch_add(1, Ordering::Relaxed);
        match fails(test, &format!("{call}{how}")) {
            Ok(true) => {}
            Ok(false) => break,
            Err(problem) => {
                return Some(format!("{} with KERNEL_CPU_FAIL={call}{how}: {problem}", test.name));
            }
        }
    }
    None
}

/// Runs a test in which a call fails; whether there was such a call.
fn fails(test: &Test, fail: &str) -> Result<bool, Box<dyn Error>> {
    let printed = crate::temporary::TemporaryFolder::new()?;
    let file = printed.path().join("stderr");
    let mut command = Command::new(&test.program);
    command
        .args(["--exact", &test.name, "--test-threads", "1"])
        .env("KERNEL_CPU_FAIL", fail)
        .env("KERNEL_DEVICE", "cpu");
    command.current_dir(workspace::root().join("kernel-runtime"));
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&file)?).spawn()?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Err(format!("it does not end in {} s", LIMIT.as_secs()).into());
        }
        thread::sleep(Duration::from_millis(2));
    };
    let text = fs::read_to_string(&file)?;
    match status.code() {
        Some(code) if ENDED.contains(&code) => Ok(text.contains("as KERNEL_CPU_FAIL says")),
        _ => Err(format!("{status}\n{text}").into()),
    }
}
