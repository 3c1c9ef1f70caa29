//! Compiles many programs at once to one executable.
//!
//! It has two modules for each program: the kernel with our attributes, and its copy in ordinary Rust. rustc is called
//! directly: the libraries are those of the workspace, which are built already, and the copies are not optimised. Kernels and copies are checked for overflow
//! together, or not at all.

use super::rejection::{Rejection, rejections};
use super::tree::{Parameter, ParameterKind, Program, Style};
use crate::workspace;
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The libraries of the workspace that programs are linked with.
#[derive(Debug)]
pub(super) struct Libraries {
    /// `--extern` and its kin.
    arguments: Vec<String>,
    /// Whether overflow is checked in programs.
    overflow: bool,
}

/// A program while its batch is compiled.
#[derive(Clone, Debug)]
enum State {
    /// Kernel and copy are compiled.
    Whole,
    /// The kernel was refused; whether its copy is too remains to be seen.
    CopyOnly(Rejection),
    /// Nothing is.
    Out(Rejection),
}

/// An executable.
#[derive(Debug)]
pub(super) struct Executable {
    pub(super) path: PathBuf,
    /// The position in the batch of each program that it has.
    pub(super) programs: Vec<usize>,
    /// Why it does not have the others.
    pub(super) rejected: BTreeMap<usize, Rejection>,
}

impl Libraries {
    pub(super) fn build(overflow: bool) -> Result<Self, Box<dyn Error>> {
        let mut cargo = workspace::cargo();
        cargo.args(["build", "--release", "--quiet", "--package", "trial", "--message-format", "json"]);
        let output = String::from_utf8(workspace::capture(&mut cargo)?.stdout)?;
        let mut arguments = Vec::new();
        for message in output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let library = message["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let library = library.into_iter().find(|file| file.ends_with(".rlib"));
            if let (Some(name @ ("trial" | "kernel_runtime")), Some(file)) =
                (message["target"]["name"].as_str(), library)
            {
                arguments.extend(["--extern".to_owned(), format!("{name}={file}")]);
                let folder = Path::new(file).parent().ok_or("a library is in a folder")?.join("deps");
                arguments.extend(["-L".to_owned(), format!("dependency={}", folder.display())]);
            }
        }
        if arguments.len() == 8 {
            Ok(Self { arguments, overflow })
        } else {
            Err("cargo built no libraries".into())
        }
    }
}

/// Compiles programs in a folder of their own, as many as can be compiled.
pub(super) fn compile(
    libraries: &Libraries,
    programs: &[&Program],
    folder: &Path,
) -> Result<Executable, Box<dyn Error>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder.join("src"))?;
    for (index, program) in programs.iter().enumerate() {
        fs::write(folder.join(format!("src/d{index}.rs")), program.print(Style::Device))?;
        fs::write(folder.join(format!("src/h{index}.rs")), program.print(Style::Host))?;
    }
    let mut states = vec![State::Whole; programs.len()];
    loop {
        fs::write(folder.join("src/main.rs"), main_file(programs, &states))?;
        let output = rustc(libraries, folder)?;
        if output.status.success() {
            return Ok(Executable::new(folder, states));
        }
        let errors = rejections(&output.stderr);
        if errors.is_empty() {
            return Err(format!("rustc failed\n{}", workspace::printed(&output)).into());
        }
        for (index, error) in errors {
            states[index] = match (&states[index], error) {
                (_, error @ Rejection::NotRust(_)) => State::Out(error),
                (State::Whole, error) => State::CopyOnly(error),
                (_, error) => State::Out(error),
            };
        }
    }
}

fn rustc(libraries: &Libraries, folder: &Path) -> Result<Output, String> {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(folder).args(["src/main.rs", "--crate-name", "programs", "--edition", "2024"]);
    rustc.args(["--error-format", "json", "-C", "opt-level=0", "-o", "programs"]);
    // The copies follow the first of these, the kernels the second.
    for setting in ["overflow-checks", "debug-assertions"] {
        rustc.args(["-C", &format!("{setting}={}", if libraries.overflow { "on" } else { "off" })]);
    }
    rustc.args(&libraries.arguments);
    rustc.output().map_err(|error| format!("rustc cannot be run: {error}"))
}

impl Executable {
    fn new(folder: &Path, states: Vec<State>) -> Self {
        let (mut programs, mut rejected) = (Vec::new(), BTreeMap::new());
        for (index, state) in states.into_iter().enumerate() {
            match state {
                State::Whole => programs.push(index),
                State::CopyOnly(error) | State::Out(error) => drop(rejected.insert(index, error)),
            }
        }
        Self { path: folder.join("programs"), programs, rejected }
    }
}

/// The root of the crate: the modules, and what joins each kernel to its copy.
fn main_file(programs: &[&Program], states: &[State]) -> String {
    let mut file =
        String::from("#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic)]\n");
    let mut list = String::new();
    for (index, (program, state)) in programs.iter().zip(states).enumerate() {
        match state {
            State::Whole => {
                write!(file, "mod d{index};\nmod h{index};\n{}", trial(index, program))
                    .expect("writing to a string does not fail");
                let seed = program.seed;
                writeln!(
                    list,
                    "    trial::Program {{ seed: {seed}, kernel: &d{index}::KERNEL, trial: t{index} }},"
                )
                .expect("writing to a string does not fail");
            }
            State::CopyOnly(_) => file += &format!("mod h{index};\n"),
            State::Out(_) => {}
        }
    }
    file + "fn main() -> std::process::ExitCode {\n    trial::run(&[\n" + &list + "    ])\n}\n"
}

/// The function that makes inputs, runs the copy and says what the kernel is to do.
fn trial(index: usize, program: &Program) -> String {
    let (mut inputs, mut call, mut trial) = (String::new(), Vec::new(), String::new());
    let (mut copies, mut outputs, mut keep) = (String::new(), String::new(), String::new());
    for Parameter { name, scalar, kind } in &program.parameters {
        match kind {
            ParameterKind::Value => {
                inputs += &format!("    let {name}: {scalar} = launch.value({name:?});\n");
                call.push(name.clone());
                trial += &format!(".value({name})");
            }
            ParameterKind::Input(per_item) => {
                inputs += &format!("    let {name}: Vec<{scalar}> = launch.slice({name:?}, {per_item});\n");
                call.push(format!("&{name}"));
                trial += &format!(".input(&{name})");
            }
            ParameterKind::Output(per_item) => {
                inputs +=
                    &format!("    let before_{name}: Vec<{scalar}> = launch.slice({name:?}, {per_item});\n");
                inputs += &format!("    let mut {name} = before_{name}.clone();\n");
                copies += &format!("let mut {name} = before_{name}.clone(); ");
                outputs += &format!("own_{name}, ");
                let own = format!("item * {per_item}..(item + 1) * {per_item}");
                keep += &format!("{name}[{own}].copy_from_slice(&own_{name}[{own}]); ");
                call.push(format!("&mut {name}"));
                trial += &format!(".update(&before_{name}, &{name})");
            }
        }
    }
    let (call, they_wait) = (call.join(", "), program.has_convergent());
    let results = outputs.replace("own_", "");
    format!(
        "fn t{index}(launch: &mut trial::Launch) -> trial::Trial {{\n{inputs}    \
         launch.run({they_wait}, || {{ {copies}h{index}::kernel({call}); ({results}) }}, \
         |item, ({outputs})| {{ {keep} }});\n    \
         trial::Trial::of(&d{index}::KERNEL, launch){trial}\n}}\n"
    )
}
