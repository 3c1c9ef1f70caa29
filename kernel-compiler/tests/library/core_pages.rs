//! The stable methods of a type, as the documentation of the standard library has them that comes with rustc.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the documentation, if it is installed.
pub(crate) fn installed() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let root = String::from_utf8(output.stdout).ok()?;
    let folder = Path::new(root.trim()).join("share/doc/rust/html");
    folder.join("core/primitive.slice.html").exists().then_some(folder)
}

/// The methods on a page that are neither unstable nor deprecated, without those of traits that the type implements.
pub(crate) fn stable_methods(folder: &Path, page: &str) -> BTreeSet<String> {
    let path = folder.join(page);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let is_trait = page.contains("/trait.");
    let own = match text.find("id=\"trait-implementations\"") {
        Some(end) if !is_trait => &text[..end],
        _ => &text,
    };
    own.split("<section id=\"").skip(1).filter_map(stable_method).collect()
}

/// The name of the method that a section is about, if it is a stable one.
fn stable_method(section: &str) -> Option<String> {
    let (id, rest) = section.split_once('"')?;
    let name = id.strip_prefix("method.").or_else(|| id.strip_prefix("tymethod."))?;
    let is_method = rest.starts_with(" class=\"method\"");
    let is_unstable = rest.contains("stab unstable") || rest.contains("stab deprecated");
    // Where there are several of one name, the others have a number.
    let name = name.split('-').next().unwrap_or(name);
    (is_method && !is_unstable).then(|| name.to_owned())
}
