//! Items of the standard library that have no macro, and are recognised by their names.
//!
//! Where a path of a kernel leads to no macro, and its last name is that of a constant or a function which device code has by its whole
//! path, the kernel is compiled as if that were imported. The expansion then holds that the path leads there (`expand/unknown.rs`).

use proc_macro2::Ident;
use syn::{Path, parse_quote_spanned};

/// The functions by their modules, each with the generic arguments of an example.
const FUNCTIONS: &[(&str, &str, &[&str])] = &[
    ("cmp", "u8", &["min", "max"]),
    ("mem", "u8", &["swap", "replace", "take", "drop", "size_of", "size_of_val", "align_of", "align_of_val"]),
    ("array", "u8, 1, fn(usize) -> u8", &["from_fn"]),
];

/// The names of the functions of a module.
pub(super) fn functions_of(module: &str) -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().filter(move |(own, ..)| *own == module).flat_map(|(.., names)| *names).copied()
}

/// What a path that leads to no macro may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standard {
    /// A constant of `f32` and of `f64`; whether it stands in `consts`.
    Constant { mathematical: bool },
    /// A function of this module, with the generic arguments of an example of it.
    Function { module: &'static str, example: &'static str },
}

impl Standard {
    /// What the path names, judged by its form.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (module, name) = match names[..] {
            [name] => (None, name),
            [module, name] => (Some(module), name),
            _ => return None,
        };
        let found = Self::named(name)?;
        let fits = match (module, found) {
            (None, _) => true,
            (Some(module), Self::Constant { mathematical }) => mathematical && module == "consts",
            (Some(module), Self::Function { module: own, .. }) => module == own,
        };
        fits.then_some(found)
    }

    fn named(name: &str) -> Option<Self> {
        if let Some((module, example, _)) = FUNCTIONS.iter().find(|(.., names)| names.contains(&name)) {
            return Some(Self::Function { module, example });
        }
        match name {
            "EPSILON" | "INFINITY" | "NEG_INFINITY" | "NAN" | "MIN_POSITIVE" => {
                Some(Self::Constant { mathematical: false })
            }
            _ if crate::infer::is_mathematical_constant(name) => Some(Self::Constant { mathematical: true }),
            _ => None,
        }
    }

    /// The whole path of what the path names, for constants of this scalar.
    pub(crate) fn whole(self, path: &Path, scalar: &str) -> Path {
        let Some(last) = path.segments.last() else { return path.clone() };
        let (name, span) = (&last.ident, last.ident.span());
        let scalar = Ident::new(scalar, span);
        match self {
            Self::Constant { mathematical: true } => {
                parse_quote_spanned!(span=> core::#scalar::consts::#name)
            }
            Self::Constant { mathematical: false } => parse_quote_spanned!(span=> core::#scalar::#name),
            Self::Function { module, .. } => {
                let module = Ident::new(module, span);
                parse_quote_spanned!(span=> core::#module::#name)
            }
        }
    }

    /// The import that gives the path this meaning: the name that it starts with, and what that stands for.
    pub(crate) fn import(self, path: &Path, scalar: &str) -> (Ident, Path) {
        let mut whole = self.whole(path, scalar);
        if path.segments.len() > 1 {
            whole.segments.pop();
            whole.segments.pop_punct();
        }
        (path.segments[0].ident.clone(), whole)
    }
}
