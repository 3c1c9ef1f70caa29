//! What a name leads to, as far as the text of a file says it.
//!
//! What a macro defines is not seen, nor what another file has; of such names, and of all that may be there or not, nothing is said.

use super::outline::{Import, Module, Outline, Role, Sort};
use crate::names;
use syn::Path;
use syn::ext::IdentExt;

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A device item, by its number.
    Device(usize),
    /// An item of another kind.
    Unmarked,
    /// An item of the standard library, by its whole path.
    Standard(Vec<String>),
    /// Nothing.
    Absent,
    /// That cannot be told.
    Unknown,
}

/// How many imports are followed.
const LONGEST: usize = 16;

impl Outline {
    /// What a path in the code of a module means.
    pub(super) fn meaning_of(&self, module: usize, path: &Path) -> Meaning {
        if path.leading_colon.is_some() {
            return Meaning::Unknown;
        }
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
        self.meaning(module, &names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The names that a module gives to those who import everything that it has, where the text says them all; the path of the module starts in this one.
    pub(super) fn names_of(&self, module: usize, path: &Path) -> Option<Vec<&str>> {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let found = self.module_at(module, &names, LONGEST).filter(|_| path.leading_colon.is_none())?;
        let is_around = std::iter::successors(Some(module), |module| self.modules[*module].parent)
            .any(|around| around == found);
        let Module { named, imports, is_open, .. } = &self.modules[found];
        if *is_open {
            return None;
        }
        let items = named
            .iter()
            .filter(|(_, items)| is_around || items.iter().any(|item| self.items[*item].is_public));
        let imports =
            imports.iter().filter(|(_, imports)| is_around || imports.iter().any(|import| import.is_public));
        let names = items.map(|(name, _)| name).chain(imports.map(|(name, _)| name));
        Some(names.map(String::as_str).filter(|name| *name != "_").collect())
    }

    /// The module that a path from another one leads to.
    fn module_at(&self, module: usize, path: &[&str], most: usize) -> Option<usize> {
        let most = most.checked_sub(1)?;
        match path {
            [] => Some(module),
            ["self", rest @ ..] => self.module_at(module, rest, most),
            ["super", rest @ ..] => self.module_at(self.modules[module].parent?, rest, most),
            [first, rest @ ..] => match self.named(module, first) {
                ([item], []) => {
                    let item = &self.items[*item];
                    self.module_at(item.child.filter(|_| item.is_certain)?, rest, most)
                }
                ([], [import]) if import.is_certain => {
                    let whole: Vec<&str> =
                        import.path.iter().map(String::as_str).chain(rest.iter().copied()).collect();
                    // What begins with its own name, and with `::` or `crate`, leads out of the file.
                    let leads_out = whole
                        .first()
                        .is_none_or(|start| start == first || start.is_empty() || *start == "crate");
                    if leads_out { None } else { self.module_at(module, &whole, most) }
                }
                _ => None,
            },
        }
    }

    /// What a path means in a module.
    pub(super) fn meaning(&self, module: usize, path: &[&str]) -> Meaning {
        self.path(module, path, LONGEST)
    }

    fn path(&self, module: usize, path: &[&str], most: usize) -> Meaning {
        let Some(most) = most.checked_sub(1) else { return Meaning::Unknown };
        match path {
            ["self", rest @ ..] => self.path(module, rest, most),
            ["super", rest @ ..] => match self.modules[module].parent {
                Some(parent) => self.path(parent, rest, most),
                None => Meaning::Unknown,
            },
            [name] => self.name(module, name, most),
            [first, rest @ ..] => {
                let (items, imports) = self.named(module, first);
                match (items, imports) {
                    ([item], []) => {
                        let item = &self.items[*item];
                        match item.child.filter(|_| item.is_certain) {
                            Some(child) => self.path(child, rest, most),
                            None => Meaning::Unknown,
                        }
                    }
                    ([], [import]) if import.is_certain => {
                        let whole: Vec<&str> =
                            import.path.iter().map(String::as_str).chain(rest.iter().copied()).collect();
                        self.imported(module, &whole, most)
                    }
                    // A module of the prelude's.
                    ([], []) if ["math", "subgroup", "work_group"].contains(first) => {
                        match self.brought(module, first, most) {
                            Meaning::Absent => Meaning::Absent,
                            _ => Meaning::Unknown,
                        }
                    }
                    _ => Meaning::Unknown,
                }
            }
            [] => Meaning::Unknown,
        }
    }

    fn named(&self, module: usize, name: &str) -> (&[usize], &[Import]) {
        let module = &self.modules[module];
        (
            module.named.get(name).map_or(&[], Vec::as_slice),
            module.imports.get(name).map_or(&[], Vec::as_slice),
        )
    }

    /// What the path of a `use` leads to.
    fn imported(&self, module: usize, path: &[&str], most: usize) -> Meaning {
        let (is_global, names) = match path {
            ["", rest @ ..] => (true, rest),
            _ => (false, path),
        };
        match names {
            [first @ ("std" | "core"), _, ..] if is_global || self.named(module, first) == (&[], &[]) => {
                Meaning::Standard(names.iter().map(|name| (*name).to_owned()).collect())
            }
            ["crate", ..] | [_] => Meaning::Unknown,
            _ if is_global => Meaning::Unknown,
            _ => self.path(module, names, most),
        }
    }

    fn name(&self, module: usize, name: &str, most: usize) -> Meaning {
        match self.named(module, name) {
            ([number], []) => {
                let item = &self.items[*number];
                match item.role {
                    _ if !item.is_certain || item.kind == Sort::Module || self.modules[module].is_device => {
                        Meaning::Unknown
                    }
                    Role::Device => Meaning::Device(*number),
                    // An item of the runtime's that has the same name gives it a macro.
                    Role::None if !self.macros.contains(name) && !names::may_be_of_prelude(name) => {
                        Meaning::Unmarked
                    }
                    _ => Meaning::Unknown,
                }
            }
            ([], [import]) if import.is_certain => {
                let path: Vec<&str> = import.path.iter().map(String::as_str).collect();
                match self.imported(module, &path, most) {
                    // What does not exist cannot be imported, which rustc says.
                    Meaning::Absent => Meaning::Unknown,
                    meaning => meaning,
                }
            }
            ([], []) => self.brought(module, name, most),
            _ => Meaning::Unknown,
        }
    }

    /// Returns whether a module has no items but those that are seen, and imports none but those of the runtime's prelude.
    pub(super) fn is_closed(&self, module: usize) -> bool {
        let Module { globs, is_open, .. } = &self.modules[module];
        let is_prelude =
            |glob: &Import| glob.path.ends_with(&["kernel_runtime".to_owned(), "prelude".to_owned()]);
        !is_open && globs.iter().all(is_prelude)
    }

    /// Returns whether the text of a module is all of it. A file may be included in another one; one that is a module by itself imports the attribute of its device items.
    fn is_whole(&self, module: usize) -> bool {
        let Module { parent, imports, globs, .. } = &self.modules[module];
        let is_of_runtime = |import: &Import| {
            let mut path = import.path.iter().filter(|name| !name.is_empty());
            import.is_certain && path.next().is_some_and(|first| first == "kernel_runtime")
        };
        parent.is_some()
            || globs.iter().any(is_of_runtime)
            || imports.get("device").is_some_and(|imports| imports.iter().any(is_of_runtime))
    }

    /// What a name means that a module neither defines nor imports by itself.
    fn brought(&self, module: usize, name: &str, most: usize) -> Meaning {
        let Module { globs, is_open, .. } = &self.modules[module];
        if *is_open || self.macros.contains(name) || EVERYWHERE.contains(&name) || !self.is_whole(module) {
            return Meaning::Unknown;
        }
        for glob in globs {
            let path: Vec<&str> = glob.path.iter().map(String::as_str).collect();
            match &path[..] {
                ["kernel_runtime", "prelude"] | ["", "kernel_runtime", "prelude"] => {
                    if names::may_be_of_prelude(name) {
                        return Meaning::Unknown;
                    }
                }
                // What stands around is visible, private or not.
                ["super", rest @ ..] if glob.is_certain && rest.iter().all(|name| *name == "super") => {
                    match self.path(module, &[&path[..], &[name]].concat(), most) {
                        Meaning::Absent => {}
                        meaning => return meaning,
                    }
                }
                _ => return Meaning::Unknown,
            }
        }
        let of_prelude = || ["core", "mem", name].map(str::to_owned).to_vec();
        if FUNCTIONS.contains(&name) { Meaning::Standard(of_prelude()) } else { Meaning::Absent }
    }
}

/// The functions of the standard prelude, which are those of `core::mem`.
const FUNCTIONS: &[&str] = &["align_of", "align_of_val", "drop", "size_of", "size_of_val"];

/// What else the standard prelude has, other than what device code knows without a look-up.
const EVERYWHERE: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "DoubleEndedIterator",
    "Drop",
    "ExactSizeIterator",
    "Extend",
    "FromIterator",
    "Future",
    "IntoFuture",
    "Send",
    "Sync",
    "ToOwned",
    "ToString",
    "Unpin",
    "char",
    "i128",
    "str",
    "u128",
];

#[cfg(test)]
mod tests {
    use super::{Meaning, Outline};

    /// What paths in the last item of a text mean.
    fn check(text: &str, cases: &[(&str, &str)]) {
        let outline = Outline::of(text).expect(text);
        let module = outline.items.last().expect(text).module;
        for (path, expected) in cases {
            let found = match outline.meaning(module, &path.split("::").collect::<Vec<_>>()) {
                Meaning::Device(_) => "device".to_owned(),
                Meaning::Unmarked => "unmarked".to_owned(),
                Meaning::Standard(path) => path.join("::"),
                Meaning::Absent => "absent".to_owned(),
                Meaning::Unknown => "?".to_owned(),
            };
            assert_eq!(found, *expected, "{path} in {text}");
        }
    }

    #[test]
    fn names_of_a_module() {
        let text = "use kernel_runtime::prelude::*; use std::f32::consts::PI; use core::mem; use a::b::c; use maths::half as h;
            #[device] fn f() {} fn g() {} struct S; mod maths { pub fn half() {} #[device] pub fn twice() {} }
            #[cfg(x)] fn m() {} #[other::attribute] fn n() {} #[kernel] fn k() {} fn global_id() {} #[device] mod d { fn x() {} }";
        let text = text.replace("#[other::attribute]", "#[cfg_attr(x, device)]");
        check(
            &format!("{text} fn last() {{}}"),
            &[
                ("f", "device"),
                ("self::f", "device"),
                ("g", "unmarked"),
                ("S", "unmarked"),
                ("PI", "std::f32::consts::PI"),
                ("mem::swap", "core::mem::swap"),
                ("c", "?"),
                ("h", "unmarked"),
                ("maths::half", "unmarked"),
                ("maths::twice", "device"),
                ("maths::thrice", "absent"),
                ("other::half", "?"),
                ("m", "?"),
                ("n", "?"),
                ("k", "?"),
                ("global_id", "?"),
                ("local_id", "?"),
                ("f32x4", "?"),
                ("d::x", "?"),
                ("nothing", "?"),
                ("math::rsqrt", "?"),
                ("drop", "?"),
            ],
        );
        check(
            "use kernel_runtime::device; fn last() {}",
            &[
                ("math::rsqrt", "absent"),
                ("other::rsqrt", "?"),
                ("Send", "?"),
                ("global_id", "absent"),
                ("drop", "core::mem::drop"),
            ],
        );
        check(
            "use kernel_runtime::device; #[device] fn drop() {} mod a { use super::*; #[device] fn size_of() {} fn last() {} }",
            &[("drop", "device"), ("size_of", "device"), ("align_of", "core::mem::align_of")],
        );
        let closed = text.replace("#[cfg_attr(x, device)]", "");
        check(
            &format!("{closed} fn last() {{}}"),
            &[("nothing", "absent"), ("n", "unmarked"), ("get_global_id", "absent")],
        );
    }

    #[test]
    fn what_is_not_written_is_not_known() {
        for text in [
            "m! {}",
            "use a::*;",
            "#[derive(A)] struct S;",
            "macro_rules! nothing { () => {} }",
            "use super::*;",
            "use a::nothing;",
            "#[cfg(a)] use kernel_runtime::prelude::*; use b::*;",
            "fn nothing() {} use a::nothing;",
            "mod nothing {}",
            "mod nothing;",
            "extern crate a;",
            "use nothing::nothing;",
            "#[device] fn f() {}",
        ] {
            let import = if text.starts_with("#[device]") { "" } else { "use kernel_runtime::device;" };
            check(&format!("{import} {text} fn last() {{}}"), &[("nothing", "?")]);
        }
    }

    #[test]
    fn modules_within() {
        check(
            "use kernel_runtime::device; fn f() {} use std::f32::consts::E; mod a { use super::*; fn g() {} mod b { use super::super::f; fn last() {} } }",
            &[
                ("f", "unmarked"),
                ("super::g", "unmarked"),
                ("super::f", "unmarked"),
                ("super::E", "std::f32::consts::E"),
                ("E", "absent"),
                ("super::h", "absent"),
                ("super::super::super::f", "?"),
                ("crate::f", "?"),
            ],
        );
        check("#[device] mod a { fn f() {} mod b { fn last() {} } }", &[("super::f", "?")]);
        check(
            "mod std { pub mod f32 {} } use std::f32; use ::core::f32::consts::PI; fn last() {}",
            &[("f32::PI", "absent"), ("PI", "core::f32::consts::PI")],
        );
    }
}
