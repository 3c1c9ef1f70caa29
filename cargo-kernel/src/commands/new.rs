//! `cargo kernel new`.

use crate::arguments::Output;
use crate::cargo;
use crate::failure::{Failure, Result};
use crate::style::{GOOD, HELP};
use crate::{print, print_json};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{env, fs};

/// The files of the crate, by their paths; `@crate@` stands for the name of its library, and `@runtime@` for the dependency on kernel-runtime.
const FILES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("../../template/Cargo.toml.template")),
    ("src/lib.rs", include_str!("../../template/lib.rs.template")),
    ("src/main.rs", include_str!("../../template/main.rs.template")),
    ("README.md", include_str!("../../template/README.md.template")),
    (".github/workflows/test.yml", include_str!("../../template/test.yml.template")),
];

/// Makes a crate.
pub(crate) fn new(path: &Path, runtime: Option<&Path>, output: Output) -> Result<()> {
    let runtime = match runtime {
        Some(folder) => Some(checked(folder)?),
        None => own(),
    };
    let mut command = cargo::command();
    command.args(["new", "--quiet", "--lib"]).arg(path).stdin(Stdio::null());
    let made = command.output().map_err(|error| cargo::cannot_run(&command, &error))?;
    if !made.status.success() {
        let said = String::from_utf8_lossy(&made.stderr);
        return Err(Failure::new(said.trim().trim_start_matches("error: ")));
    }
    let folder = path.canonicalize()?;
    let package = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let dependency = match &runtime {
        Some(folder) => format!("{{ path = {:?} }}", folder.display().to_string()),
        None => format!("{:?}", env!("CARGO_PKG_VERSION")),
    };
    for (file, template) in FILES {
        let text = template.replace("@package@", &package).replace("@crate@", &package.replace('-', "_"));
        let file = folder.join(file);
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(file, text.replace("@runtime@", &dependency))?;
    }
    if output.json {
        return print_json(&json!({ "package": package, "path": folder, "runtime": runtime }));
    }
    let next = ["cargo run --release", "cargo test", "cargo kernel list"]
        .map(|command| format!("    {HELP}{command}{HELP:#}\n"));
    print(&format!("{GOOD}made{GOOD:#} {}. In it:\n{}", folder.display(), next.concat()))
}

/// The folder of kernel-runtime, as it is given.
fn checked(folder: &Path) -> Result<PathBuf> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    if manifest.contains("name = \"kernel-runtime\"") {
        return Ok(folder.canonicalize()?);
    }
    Err(Failure::new(format!("{} is not the folder of the crate `kernel-runtime`", folder.display())))
}

/// The folder of kernel-runtime beside that from which this program was built, if that is still there.
fn own() -> Option<PathBuf> {
    checked(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel-runtime")).ok()
}
