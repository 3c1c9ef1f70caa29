//! Types and traits of the standard library that are written as device code, each parsed when it is first named.

mod characters;

use crate::chain::Id;
use crate::rules;
use proc_macro2::TokenStream;

/// An item of the standard library, by its path there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    module: &'static str,
    pub(crate) name: &'static str,
    file: File,
    /// Whether the standard library has it too: what is ours alone serves what it has.
    is_public: bool,
}

/// Where the source of an item is.
#[derive(Clone, Copy, Debug)]
enum File {
    Written(&'static str),
    /// Made when it is needed.
    Made(fn() -> String),
}

const fn known(module: &'static str, name: &'static str, file: &'static str) -> Known {
    Known { module, name, file: File::Written(file), is_public: true }
}

const fn made(module: &'static str, name: &'static str, file: fn() -> String) -> Known {
    Known { module, name, file: File::Made(file), is_public: false }
}

const fn ours(module: &'static str, name: &'static str, file: &'static str) -> Known {
    Known { is_public: false, ..known(module, name, file) }
}

/// A file that is written with the macros of another one.
macro_rules! with_operators {
    ($file:literal) => {
        concat!(include_str!("formatted.rs"), include_str!("operators.rs"), include_str!($file))
    };
}

const TEXT: &str = include_str!("text.rs");

const TEXT_CHARS: &str = include_str!("text_chars.rs");

const TEXT_PARTS: &str = include_str!("text_parts.rs");

const WIDE: &str = include_str!("wide.rs");

const DEBUG_BUILDERS: &str = include_str!("debug_builders.rs");

const DECIMAL: &str = include_str!("decimal.rs");

const PARSE_FLOAT_ERROR: &str = include_str!("parse_float_error.rs");

const DURATION: &str = include_str!("duration.rs");

const PARSE_INT_ERROR: &str = include_str!("parse_int_error.rs");

const NON_ZERO: &str = concat!(include_str!("formatted.rs"), include_str!("non_zero.rs"));

/// All of them.
pub(crate) const KNOWN: &[Known] = &[
    known("num", "Wrapping", with_operators!("wrapping.rs")),
    known("num", "Saturating", with_operators!("saturating.rs")),
    known("cmp", "Reverse", include_str!("reverse.rs")),
    known("num", "FpCategory", include_str!("category.rs")),
    known("ops", "Bound", include_str!("bound.rs")),
    known("task", "Poll", include_str!("poll.rs")),
    known("ops", "ControlFlow", include_str!("control_flow.rs")),
    known("marker", "PhantomData", include_str!("phantom_data.rs")),
    known("mem", "MaybeUninit", include_str!("maybe_uninit.rs")),
    known("cell", "Cell", include_str!("cell.rs")),
    known("cell", "OnceCell", include_str!("once_cell.rs")),
    known("hash", "Hasher", include_str!("hasher.rs")),
    known("hash", "BuildHasher", include_str!("build_hasher.rs")),
    known("hash", "BuildHasherDefault", include_str!("build_hasher_default.rs")),
    known("convert", "Infallible", include_str!("infallible.rs")),
    known("fmt", "Error", include_str!("fmt_error.rs")),
    known("fmt", "Write", include_str!("fmt_write.rs")),
    known("fmt", "Formatter", include_str!("formatter.rs")),
    ours("fmt", "PlainFormatter", include_str!("plain_formatter.rs")),
    ours("fmt", "Digits", include_str!("digits.rs")),
    ours("fmt", "WideDigits", include_str!("wide_digits.rs")),
    known("fmt", "Display", include_str!("display.rs")),
    known("fmt", "Debug", include_str!("debug.rs")),
    ours("fmt", "Escape", include_str!("escape.rs")),
    known("fmt", "DebugStruct", DEBUG_BUILDERS),
    known("fmt", "DebugTuple", DEBUG_BUILDERS),
    known("fmt", "DebugList", DEBUG_BUILDERS),
    made("char", "Alphabetic", characters::alphabetic),
    made("char", "Numeric", characters::numeric),
    made("char", "Lowercase", characters::lowercase),
    made("char", "Uppercase", characters::uppercase),
    made("char", "Escaped", characters::escaped),
    known("time", "Duration", DURATION),
    known("time", "TryFromFloatSecsError", DURATION),
    ours("time", "TryFromFloatSecsErrorKind", DURATION),
    known("fmt", "LowerHex", include_str!("lower_hex.rs")),
    known("fmt", "UpperHex", include_str!("upper_hex.rs")),
    known("fmt", "Binary", include_str!("binary.rs")),
    known("fmt", "Octal", include_str!("octal.rs")),
    known("str", "Utf8Error", include_str!("utf8_error.rs")),
    known("iter", "Peekable", include_str!("peekable.rs")),
    known("slice", "ArrayChunks", include_str!("array_chunks.rs")),
    known("slice", "ArrayChunksMut", include_str!("array_chunks_mut.rs")),
    known("slice", "GetDisjointMutError", include_str!("get_disjoint_mut_error.rs")),
    ours("fmt", "Whole", DECIMAL),
    ours("fmt", "Decimal", DECIMAL),
    ours("fmt", "Float", DECIMAL),
    known("num", "ParseFloatError", PARSE_FLOAT_ERROR),
    ours("num", "FloatErrorKind", PARSE_FLOAT_ERROR),
    ours("num", "FloatText", PARSE_FLOAT_ERROR),
    known("num", "ParseIntError", PARSE_INT_ERROR),
    known("num", "IntErrorKind", PARSE_INT_ERROR),
    known("str", "Chars", TEXT_CHARS),
    known("str", "CharIndices", TEXT_CHARS),
    known("str", "Split", TEXT_PARTS),
    known("str", "Lines", TEXT_PARTS),
    known("str", "SplitWhitespace", TEXT_PARTS),
    known("str", "SplitAsciiWhitespace", TEXT_PARTS),
    known("", "char", TEXT),
    known("", "str", TEXT),
    known("", "u128", WIDE),
    known("", "i128", WIDE),
    known("num", "NonZero", NON_ZERO),
    known("num", "NonZeroU8", NON_ZERO),
    known("num", "NonZeroU16", NON_ZERO),
    known("num", "NonZeroU32", NON_ZERO),
    known("num", "NonZeroU64", NON_ZERO),
    known("num", "NonZeroUsize", NON_ZERO),
    known("num", "NonZeroI8", NON_ZERO),
    known("num", "NonZeroI16", NON_ZERO),
    known("num", "NonZeroI32", NON_ZERO),
    known("num", "NonZeroI64", NON_ZERO),
    known("num", "NonZeroIsize", NON_ZERO),
];

impl Known {
    /// Its items: itself, by its name or another that it is an alias of, and its `impl`s.
    pub(crate) fn items(self) -> Vec<syn::Item> {
        // That the sources are Rust is tested below.
        let tokens: TokenStream = match self.file {
            File::Written(text) => text.parse(),
            File::Made(text) => text().parse(),
        }
        .unwrap_or_default();
        let tokens = super::unplaced(tokens);
        let tokens = rules::expanded(&tokens).unwrap_or(tokens);
        syn::parse2::<syn::File>(tokens).map(|file| file.items).unwrap_or_default()
    }

    /// The id of the item, which no item of a user's has.
    pub(crate) fn id(self) -> Id {
        format!("std::{}", self.name)
    }
}

/// The position of the item that a path names, as `std::num::Wrapping` or `char`.
pub(crate) fn position(path: &syn::Path) -> Option<usize> {
    if let Some(name) = path.get_ident() {
        let name = name.to_string();
        return KNOWN.iter().position(|known| known.module.is_empty() && name == known.name);
    }
    let mut names = path.segments.iter().map(|segment| &segment.ident);
    let (root, module, name, none) = (names.next()?, names.next()?, names.next()?, names.next());
    if none.is_some() || (root != "std" && root != "core") {
        return None;
    }
    KNOWN.iter().position(|known| module == known.module && name == known.name)
}

/// The names of the items in a module of the standard library.
pub(crate) fn names_in(module: &str) -> impl Iterator<Item = &'static str> {
    KNOWN.iter().filter(move |known| known.is_public && known.module == module).map(|known| known.name)
}

#[cfg(test)]
mod tests {
    use super::KNOWN;
    use crate::names::item_name;

    #[test]
    fn each_is_in_its_file() {
        for known in KNOWN {
            let items = known.items();
            let is_itself = |item: &syn::Item| item_name(item).is_some_and(|name| name == known.name);
            assert_eq!(items.iter().filter(|item| is_itself(item)).count(), 1, "{}", known.name);
        }
    }
}
