//! Kernels as the compiler describes them in files.

use crate::failure::{Failure, Result};
use serde_json::Value;
use std::fmt::{self, Display, Formatter};

/// The form of these files that is understood here.
const FORMAT: u64 = 1;

/// What a kernel was compiled in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unit {
    /// The package.
    pub(crate) package: String,
    /// The kind of its target: `lib`, `bin`, `example`, `test` or `bench`.
    pub(crate) kind: String,
    /// The name of its target.
    pub(crate) target: String,
}

impl Display for Unit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            "lib" => write!(f, "{} (library)", self.package),
            kind => write!(f, "{} ({kind} {})", self.package, self.target),
        }
    }
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The file, from the root of the workspace.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1.
    pub(crate) column: usize,
}

impl Place {
    /// The place that a member of a document is.
    pub(crate) fn of(value: &Value) -> Self {
        let number = |name: &str| usize::try_from(value[name].as_u64().unwrap_or(0)).unwrap_or(0);
        let file = straight(value["file"].as_str().unwrap_or_default());
        Self { file, line: number("line"), column: number("column") }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A path without the steps up that modules elsewhere bring into it.
fn straight(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("..", Some(&last)) if last != ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// A kernel, or an instance of a generic one.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) unit: Unit,
    /// The name of the entry point.
    pub(crate) name: String,
    /// Where its function is.
    pub(crate) place: Place,
    /// All that the compiler says of it.
    pub(crate) document: Value,
}

impl Kernel {
    /// The kernel that a file describes.
    pub(crate) fn read(unit: Unit, text: &str) -> Result<Self> {
        let document: Value = serde_json::from_str(text)?;
        if document["format"].as_u64() != Some(FORMAT) {
            let version = document["version"].as_str().unwrap_or("another version");
            let own = env!("CARGO_PKG_VERSION");
            let message = format!(
                "this is cargo-kernel {own}, but {} is built with kernel-runtime {version}",
                unit.package
            );
            return Err(Failure::new(message).help(format!("install cargo-kernel {version}")));
        }
        let name = document["name"].as_str().unwrap_or_default().to_owned();
        Ok(Self { unit, name, place: Place::of(&document["at"]), document })
    }

    /// A member of the document that is text.
    pub(crate) fn text(&self, member: &str) -> &str {
        self.document[member].as_str().unwrap_or_default()
    }

    /// A member that is a list.
    pub(crate) fn list(&self, member: &str) -> &[Value] {
        items(&self.document[member])
    }

    /// Returns whether a member is true.
    pub(crate) fn is(&self, member: &str) -> bool {
        self.document[member] == true
    }

    /// A module, which the document has in hexadecimal digits.
    pub(crate) fn module(&self, member: &str) -> Vec<u8> {
        let digits = self.text(member).as_bytes().as_chunks::<2>().0;
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
        digits.iter().map(|[high, low]| digit(*high) << 4 | digit(*low)).collect()
    }
}

/// The items of a list.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The texts in a list.
pub(crate) fn texts(value: &Value) -> impl Iterator<Item = &str> {
    items(value).iter().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Unit {
        Unit { package: "p".to_owned(), kind: "lib".to_owned(), target: "p".to_owned() }
    }

    #[test]
    fn a_module_is_read_from_its_digits() {
        let kernel = Kernel::read(unit(), r#"{"format":1,"name":"k","spirv":"03022307"}"#);
        let kernel = kernel.unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(kernel.module("spirv"), [3, 2, 0x23, 7]);
    }

    #[test]
    fn another_form_names_both_versions() {
        let failure = Kernel::read(unit(), r#"{"format":2,"version":"9.1.0"}"#).unwrap_err().to_string();
        assert!(failure.contains("kernel-runtime 9.1.0"), "{failure}");
        assert!(failure.contains("install cargo-kernel 9.1.0"), "{failure}");
    }
}
