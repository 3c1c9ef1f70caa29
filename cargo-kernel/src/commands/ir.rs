//! `cargo kernel ir`.

use super::{about, header};
use crate::arguments::{Build, Names, Output};
use crate::failure::Result;
use crate::kernels::Kernels;
use crate::listing::{Kernel, Place};
use crate::source::Sources;
use crate::{print, print_json};

/// Shows the intermediate representation of kernels as text.
pub(crate) fn ir(
    names: &Names,
    is_lowered: bool,
    has_lines: bool,
    build: &Build,
    output: Output,
) -> Result<()> {
    let kernels = Kernels::of(build)?;
    let chosen = kernels.named(&names.names)?;
    let member = if is_lowered { "lowered" } else { "ir" };
    if output.json {
        let document = |kernel: &&Kernel| about(kernel, &[("ir", kernel.document[member].clone())]);
        return print_json(&chosen.iter().map(document).collect());
    }
    let mut sources = Sources::new(&kernels.workspace.root);
    let mut text = String::new();
    for kernel in chosen {
        sources.start();
        text += &header(kernel, "");
        for line in kernel.text(member).lines() {
            let shown = match place(line) {
                Some(_) if !has_lines => None,
                Some(place) => sources.shown(indentation(line), "//", &place),
                None => Some(line.to_owned()),
            };
            text.extend(shown.map(|line| line + "\n"));
        }
        text.push('\n');
    }
    print(&text)
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// The place that a comment says.
fn place(line: &str) -> Option<Place> {
    let mut parts = line.trim_start().strip_prefix("// ")?.rsplitn(3, ':');
    let mut number = || parts.next()?.parse().ok();
    let (column, line) = (number()?, number()?);
    Some(Place { file: parts.next()?.to_owned(), line, column })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        let read = place("    // C:\\k\\main.rs:7:9").map(|place| (place.file, place.line, place.column));
        assert_eq!(read, Some(("C:\\k\\main.rs".to_owned(), 7, 9)));
        assert!(place("    %3: usize = len %x").is_none());
        assert!(place("// a comment").is_none());
    }
}
