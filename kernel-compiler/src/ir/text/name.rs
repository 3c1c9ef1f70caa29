//! Names of the source in the text: as they are if they are words, else as strings.

use crate::ir::Numeric;
use crate::ir::text::word::Word;
use kernel_core::ImageShape;
use std::fmt::{self, Display, Formatter};

/// A name where only a name can stand.
pub(super) struct Name<'a>(pub(super) &'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_bare(self.0) { f.write_str(self.0) } else { write!(f, "{:?}", self.0) }
    }
}

/// Returns whether a name can stand without quotation marks: a letter of ASCII or `_`, then such or digits.
pub(in crate::ir) fn is_bare(name: &str) -> bool {
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Returns whether a word stands for something else where a type may stand, so that a struct of that name needs quotation marks.
pub(in crate::ir) fn is_type_word(name: &str) -> bool {
    matches!(name, "event" | "Sampler" | "mut" | "const" | "private" | "local" | "constant")
        || ImageShape::from_word(name).is_some()
        || Numeric::from_name(name).is_some()
}
