//! Sets of characters beyond ASCII, as this compiler's own standard library has them: the tables are of the same version of Unicode as what the host computes.

use std::fmt::Write as _;

/// The source of a type with the function `has`, which says whether a code is in a set.
fn set(name: &str, contains: impl Fn(char) -> bool) -> String {
    let mut edges = String::new();
    let (mut count, mut is_in) = (0, false);
    for character in '\u{80}'..=char::MAX {
        if contains(character) != is_in {
            is_in = !is_in;
            count += 1;
            // Writing to a `String` does not fail.
            let _ = write!(edges, "{},", u32::from(character));
        }
    }
    format!(
        "struct {name};
        impl {name} {{
            const EDGES: [u32; {count}] = [{edges}];
            fn has(code: u32) -> bool {{ {name}::EDGES.partition_point(|edge| *edge <= code) & 1 == 1 }}
        }}"
    )
}

pub(super) fn alphabetic() -> String {
    set("Alphabetic", char::is_alphabetic)
}

pub(super) fn numeric() -> String {
    set("Numeric", char::is_numeric)
}

pub(super) fn lowercase() -> String {
    set("Lowercase", char::is_lowercase)
}

pub(super) fn uppercase() -> String {
    set("Uppercase", char::is_uppercase)
}

/// Those that `{:?}` does not write as they are.
pub(super) fn escaped() -> String {
    set("Escaped", |character| character.escape_debug().len() > 1)
}
