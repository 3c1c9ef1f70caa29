//! `cargo xtask level-zero [--check] [--include DIR]`: generates level-zero-sys/src/generated from the C
//! headers of Level Zero, or checks that what is committed is what would be generated.
//!
//! The stages are [`preprocess`], [`lexer`] and [`parser`], which read C; [`bindings`], which relates the
//! declarations to each other and checks them; [`layout`], which asks a C compiler for the layouts; and
//! [`mod@print`], which writes Rust.

mod bindings;
pub(crate) mod diff;
mod error;
mod layout;
mod lexer;
mod model;
mod names;
mod parser;
mod preprocess;
mod print;

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use self::bindings::Bindings;
use self::model::Declarations;
use self::print::File;

/// Where Debian's libze-dev puts the folder `level_zero`.
const DEFAULT_INCLUDE: &str = "/usr/include";

struct Options {
    check: bool,
    include: PathBuf,
}

/// Runs the subcommand with the arguments that follow its name.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let options = parse_arguments(arguments)?;
    let files = generate(&options.include)?;
    match options.check {
        true => check(&files),
        false => write(&files),
    }
}

fn parse_arguments(arguments: &[String]) -> Result<Options, Box<dyn Error>> {
    let mut options = Options { check: false, include: DEFAULT_INCLUDE.into() };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => options.check = true,
            "--include" => options.include = arguments.next().ok_or("--include needs a directory")?.into(),
            other => return Err(format!("`{other}` is no option of level-zero").into()),
        }
    }
    Ok(options)
}

/// Generates all files in memory, formatted.
fn generate(include: &Path) -> Result<Vec<File>, Box<dyn Error>> {
    let family = "ze";
    let mut declarations = Declarations::default();
    let mut version = None;
    for header in ["api", "ddi"] {
        let path = include.join("level_zero").join(format!("{family}_{header}.h"));
        let source = fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error} (Debian's package libze-dev has it)", path.display()))?;
        parser::parse(&source, &mut declarations).map_err(|error| format!("{}: {error}", path.display()))?;
        version = version.or_else(|| header_version(&source));
    }
    let bindings = Bindings::new(family, declarations)?;
    let layouts = layout::measure(&bindings, include)?;
    let mut files = print::files(&bindings, &layouts, &version.ok_or("the headers state no version")?);
    for file in &mut files {
        file.text = rustfmt(&file.text).map_err(|error| format!("{}: {error}", file.name))?;
    }
    Ok(files)
}

fn header_version(source: &str) -> Option<String> {
    let (_, rest) = source.split_once("@version ")?;
    rest.lines().next().map(|version| version.trim().to_owned())
}

/// The crate's generated sources, in the checkout that this program was built from.
fn generated_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../level-zero-sys/src/generated")
}

/// The text as rustfmt writes it by the rules of the workspace.
pub(crate) fn rustfmt(text: &str) -> Result<String, Box<dyn Error>> {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rustfmt.toml");
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(config)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("rustfmt: {error}"))?;
    // rustfmt reads all of its input before it writes, so this cannot deadlock on full pipes.
    child.stdin.take().ok_or("rustfmt has no input")?.write_all(text.as_bytes())?;
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err("rustfmt does not take it".into()),
    }
}

fn write(files: &[File]) -> Result<(), Box<dyn Error>> {
    let dir = generated_dir();
    fs::create_dir_all(&dir)?;
    for file in files {
        fs::write(dir.join(file.name), &file.text)?;
    }
    println!("wrote {} files to {}", files.len(), dir.display());
    Ok(())
}

fn check(files: &[File]) -> Result<(), Box<dyn Error>> {
    let dir = generated_dir();
    let mut differences = String::new();
    for file in files {
        let committed = fs::read_to_string(dir.join(file.name)).unwrap_or_default();
        differences += &diff::lines(file.name, &committed, &file.text);
    }
    for entry in fs::read_dir(&dir)? {
        let name = entry?.file_name();
        if !files.iter().any(|file| name == file.name) {
            differences += &format!("{} is no generated file\n", name.display());
        }
    }
    match differences.is_empty() {
        true => Ok(()),
        false => {
            Err(format!("level-zero-sys/src/generated is not what the headers give:\n{differences}").into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_INCLUDE, check, generate, parse_arguments};
    use std::io::{self, Write as _};
    use std::path::Path;

    /// Needs the C headers. Where they are missing, the test says so even though its output is captured.
    #[test]
    fn the_committed_files_are_what_the_headers_give() {
        let include = Path::new(DEFAULT_INCLUDE);
        if !include.join("level_zero/ze_api.h").exists() {
            let _ = writeln!(io::stderr(), "NOT TESTED: no level_zero/ze_api.h in {DEFAULT_INCLUDE}");
            return;
        }
        check(&generate(include).unwrap()).unwrap();
    }

    #[test]
    fn missing_headers_are_named_with_their_package() {
        let error = generate(Path::new("/nonexistent")).err().unwrap().to_string();
        assert!(error.contains("/nonexistent/level_zero/ze_api.h"), "{error}");
        assert!(error.contains("libze-dev"), "{error}");
    }

    #[test]
    fn unknown_options_are_refused() {
        assert!(parse_arguments(&["--chekc".to_owned()]).is_err());
        assert!(parse_arguments(&["--include".to_owned()]).is_err());
    }
}
