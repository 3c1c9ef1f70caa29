//! The modules of a source file and what they have, as their text says it.

use super::cycle::{Groups, Words};
use super::lexer::{self, Kind, Position, Token};
use crate::hash::{HashMap, HashSet};
use crate::names;
use syn::ItemImpl;
use syn::ext::IdentExt;

/// The modules of a file and their items.
#[derive(Debug, Default)]
pub struct Outline {
    /// The first is the file's own.
    pub(super) modules: Vec<Module>,
    pub(super) items: Vec<Written>,
    /// The names of the macros that are defined by `macro_rules!`.
    pub(super) macros: HashSet<String>,
    /// The names of those of them that make no items but `impl`s.
    impls: HashSet<String>,
    /// How many items are device items.
    pub(super) devices: usize,
    pub(super) groups: Groups,
}

/// A module.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) parent: Option<usize>,
    /// The items, by their names.
    pub(super) named: HashMap<String, Vec<usize>>,
    /// What is imported by name.
    pub(super) imports: HashMap<String, Vec<Import>>,
    /// The modules of which everything is imported.
    pub(super) globs: Vec<Import>,
    /// Whether it may have items that its text does not show.
    pub(super) is_open: bool,
    /// Whether it is a device item, and so are its own.
    pub(super) is_device: bool,
    /// Whether it is what it looks like, in that no other macro is given it.
    is_plain: bool,
}

/// A path that a `use` brings in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    /// Its names; it begins with an empty one if it is written with `::`.
    pub(super) path: Vec<String>,
    /// Whether it is there in every build.
    pub(super) is_certain: bool,
    /// Whether others than the module see it.
    pub(super) is_public: bool,
}

/// An item.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) module: usize,
    /// Its name; that of an `impl` is empty.
    pub(super) name: String,
    /// Where its attributes begin, and where its name stands, or the word `impl`.
    start: Position,
    pub(super) head: Position,
    pub(super) kind: Sort,
    pub(super) role: Role,
    /// Whether it is what it looks like, in that no other macro is given it, and whether it is there in every build too.
    is_plain: bool,
    pub(super) is_certain: bool,
    /// Whether others than the module see it.
    pub(super) is_public: bool,
    /// The module that it is.
    pub(super) child: Option<usize>,
    /// Its name, if it lists `impl`s: those that its attribute says, or else those beside it.
    pub(super) lists: Option<String>,
    /// The `impl`s beside it, if its attribute says none.
    pub(super) impls: Vec<usize>,
    /// Its text, if it may refer to itself by way of others; of an `impl` what stands before its braces.
    pub(super) text: Option<String>,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Module,
    Impl,
    Function,
    /// A struct, an enum or a trait, which lists `impl`s.
    Listing,
    /// What else can be a device item by itself.
    Other,
}

/// What an attribute makes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    None,
    Device,
    Kernel,
}

impl Outline {
    /// That of a file with this text; nothing if it is not understood.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let tokens = lexer::tokens(text)?;
        let mut parser = Parser { tokens: &tokens, next: 0, found: Self::default(), words: Vec::new() };
        parser.found.modules.push(Module { is_plain: true, ..Module::default() });
        parser.module(0, tokens.len())?;
        let Parser { mut found, words, .. } = parser;
        for (item, Words { span, body, .. }) in found.items.iter_mut().zip(&words) {
            if item.kind == Sort::Impl && item.role == Role::Device {
                item.text = text.get(span.start..*body).map(str::to_owned);
            }
        }
        found.list_impls();
        found.groups = Groups::of(&found, &words);
        let shared = found.groups.shared();
        for (number, item) in found.items.iter_mut().enumerate().filter(|(number, _)| shared[*number]) {
            item.text = text.get(words[number].span.clone()).map(str::to_owned);
        }
        Some(found)
    }

    /// Lets types and traits whose attributes list no `impl`s list those beside them that are there in every build.
    fn list_impls(&mut self) {
        for number in 0..self.items.len() {
            let item = &self.items[number];
            let Some(head) = item.impl_head().filter(|_| item.is_certain && self.is_plain(number)) else {
                continue;
            };
            let path = names::lister(&head).filter(|path| path.segments.len() == 1);
            let name = path.map(|path| path.segments[0].ident.unraw().to_string());
            let named = name.as_ref().and_then(|name| self.modules[item.module].named.get(name));
            let &[lister] = named.map_or(&[][..], |items| &items[..]) else { continue };
            let is_plain = self.is_plain(lister);
            let lister = &mut self.items[lister];
            let is_open = lister.lists.is_none() || !lister.impls.is_empty();
            if is_open && is_plain && (lister.kind, lister.role) == (Sort::Listing, Role::Device) {
                lister.lists = name;
                lister.impls.push(number);
            }
        }
    }

    /// Returns whether a `use` in a module gives something this name.
    pub(super) fn imports(&self, module: usize, name: &syn::Ident) -> bool {
        self.modules[module].imports.contains_key(&name.unraw().to_string())
    }

    /// The device module that is this module or the outermost one around it.
    pub(super) fn device_module(&self, module: usize) -> Option<usize> {
        let around = std::iter::successors(Some(module), |module| self.modules[*module].parent);
        let module = around.filter(|module| self.modules[*module].is_device).last()?;
        self.items.iter().position(|item| item.child == Some(module))
    }

    /// The item that begins at or before this position, and whose name does not stand before it.
    pub(super) fn item_at(&self, position: Position) -> Option<usize> {
        // In the order of the file, an item comes before those of the module that it is.
        let after = self.items.partition_point(|item| item.start <= position);
        let last = after.checked_sub(1)?;
        (position <= self.items[last].head).then_some(last)
    }

    /// The names of the device items of a module.
    pub(super) fn device_names(&self, module: usize) -> impl Iterator<Item = &str> {
        let Module { named, is_device, .. } = &self.modules[module];
        let is_device = |item: &usize| *is_device || self.items[*item].role == Role::Device;
        named.iter().filter(move |(_, items)| items.iter().all(is_device)).map(|(name, _)| name.as_str())
    }

    /// Returns whether an item and all modules around it are what they look like.
    pub(super) fn is_plain(&self, item: usize) -> bool {
        let item = &self.items[item];
        let parents = std::iter::successors(Some(item.module), |module| self.modules[*module].parent);
        item.is_plain && parents.into_iter().all(|module| self.modules[module].is_plain)
    }
}

impl Written {
    /// An `impl` that is a device item, without what is in its braces.
    pub(super) fn impl_head(&self) -> Option<ItemImpl> {
        let text = self.text.as_deref().filter(|_| self.kind == Sort::Impl)?;
        syn::parse_str(&format!("{text}{{}}")).ok()
    }
}

/// Goes through the tokens.
struct Parser<'t> {
    tokens: &'t [Token<'t>],
    next: usize,
    found: Outline,
    /// The words in each item, if it is a device item.
    words: Vec<Words<'t>>,
}

/// What the attributes of an item say.
struct Attributes {
    role: Role,
    /// Whether none is that of another macro.
    is_plain: bool,
    is_certain: bool,
    /// Whether one may expand to other items.
    is_open: bool,
    /// Whether one lists `impl`s.
    lists: bool,
    /// Whether the item after them is seen by others than its module.
    is_public: bool,
}

impl<'t> Parser<'t> {
    /// The items of a module, up to this token.
    fn module(&mut self, module: usize, end: usize) -> Option<()> {
        while self.next < end {
            let start = self.tokens[self.next].at;
            let Some(mut attributes) = self.attributes()? else { continue };
            self.found.modules[module].is_open |= attributes.is_open;
            let (item, begin) = (self.found.items.len(), self.next);
            attributes.is_public = self.visibility();
            self.item(module, start, &attributes)?;
            if attributes.role == Role::Device && item < self.words.len() {
                self.words[item] = self.words_from(begin);
            }
        }
        Some(())
    }

    /// The attributes of an item; nothing if there is none after them, or they are those of the module.
    fn attributes(&mut self) -> Option<Option<Attributes>> {
        let mut found = Attributes {
            role: Role::None,
            is_plain: true,
            is_certain: true,
            is_open: false,
            lists: false,
            is_public: false,
        };
        while self.sign('#') {
            let is_inner = self.sign('!');
            let end = self.open('[')?;
            if !is_inner {
                self.attribute(&mut found);
            }
            self.next = end + 1;
            if is_inner {
                return Some(None);
            }
        }
        Some(Some(found))
    }

    /// An attribute, after its bracket.
    fn attribute(&mut self, found: &mut Attributes) {
        let first = self.word().unwrap_or_default();
        let mut last = first;
        while self.sign(':') && self.sign(':') {
            last = self.word().unwrap_or_default();
        }
        match last {
            "device" => {
                found.role = Role::Device;
                found.lists = self.open('(').is_some() && self.kind() == Some(Kind::Word("impl"));
            }
            "kernel" => found.role = Role::Kernel,
            "kernels" => {}
            "cfg" => found.is_certain = false,
            "derive" => {
                let end = self.open('(').unwrap_or(self.next);
                while self.next < end {
                    found.is_open |= self.word().is_some_and(|name| !DERIVED.contains(&name));
                    self.next += usize::from(!matches!(self.kind(), Some(Kind::Word(_)) | None));
                }
            }
            _ if INERT.contains(&first) => {}
            _ => (found.is_plain, found.is_certain, found.is_open) = (false, false, true),
        }
    }

    /// Takes `pub` and what limits it, and returns whether it was there.
    fn visibility(&mut self) -> bool {
        let is_public = self.keyword("pub");
        if is_public {
            // The brackets of `struct S(pub (u8, u8));` are not looked at.
            if let Some(Kind::Open('(', end)) = self.kind() {
                self.next = end + 1;
            }
        }
        is_public
    }

    /// An item, after its attributes and its visibility.
    fn item(&mut self, module: usize, start: Position, attributes: &Attributes) -> Option<()> {
        loop {
            let head = self.tokens.get(self.next)?.at;
            let Some(word) = self.word() else {
                // Only a path can begin with a sign here, that of a macro.
                self.found.modules[module].is_open = true;
                return self.rest_of_call();
            };
            match word {
                "unsafe" | "async" | "default" | "safe" => {}
                "extern" => {
                    if self.keyword("crate") {
                        self.found.modules[module].is_open = true;
                        return self.until(';');
                    }
                    if matches!(self.kind(), Some(Kind::Other)) {
                        self.next += 1;
                    }
                    if let Some(Kind::Open('{', end)) = self.kind() {
                        // Other modules' functions.
                        self.found.modules[module].is_open = true;
                        self.next = end + 1;
                        return Some(());
                    }
                }
                "const" if self.is_before_function() => {}
                "use" => return self.imports(module, attributes),
                "impl" => {
                    self.add(module, None, (start, head), Sort::Impl, attributes);
                    return self.body().map(|_| ());
                }
                "mod" => {
                    let head = self.tokens.get(self.next)?.at;
                    let name = self.word()?;
                    let item = self.add(module, Some(name), (start, head), Sort::Module, attributes);
                    if let Some(end) = self.body()? {
                        let child = self.found.modules.len();
                        let Attributes { role, is_plain, .. } = *attributes;
                        let is_device = role == Role::Device || self.found.modules[module].is_device;
                        let parent = Some(module);
                        self.found.modules.push(Module { parent, is_device, is_plain, ..Module::default() });
                        self.found.items[item].child = Some(child);
                        let after = std::mem::replace(&mut self.next, end.0 + 1);
                        self.module(child, end.1)?;
                        self.next = after;
                    }
                    return Some(());
                }
                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static"
                    if !self.is_sign('!') =>
                {
                    self.keyword("mut");
                    let head = self.tokens.get(self.next)?.at;
                    let name = self.word()?;
                    let sort = match word {
                        "fn" => Sort::Function,
                        "struct" | "enum" | "trait" => Sort::Listing,
                        _ => Sort::Other,
                    };
                    self.add(module, Some(name), (start, head), sort, attributes);
                    return match word {
                        "type" | "const" | "static" => self.until(';'),
                        _ => self.body().map(|_| ()),
                    };
                }
                "macro_rules" if self.is_sign('!') => {
                    self.next += 1;
                    let name = self.word()?;
                    self.found.macros.insert(name.to_owned());
                    let begin = self.next;
                    self.rest_of_call()?;
                    if self.makes_impls_only(begin) {
                        self.found.impls.insert(name.to_owned());
                    }
                    return Some(());
                }
                name => {
                    let is_known = self.is_sign('!') && self.found.impls.contains(name);
                    self.found.modules[module].is_open |= !is_known;
                    return self.rest_of_call();
                }
            }
        }
    }

    /// The words from a token up to this one.
    fn words_from(&self, begin: usize) -> Words<'t> {
        let tokens = &self.tokens[begin..self.next];
        // The last one is a bracket or a sign, of one byte.
        let span =
            tokens.first().map_or(0, |first| first.byte)..tokens.last().map_or(0, |last| last.byte + 1);
        let mut words = Words { span, ..Words::default() };
        for token in tokens {
            match token.kind {
                Kind::Word(word) => words.all.push(word),
                Kind::Open('{', _) if words.head == 0 => {
                    (words.head, words.body) = (words.all.len(), token.byte)
                }
                _ => {}
            }
        }
        words
    }

    fn add(
        &mut self,
        module: usize,
        name: Option<&str>,
        (start, head): (Position, Position),
        kind: Sort,
        attributes: &Attributes,
    ) -> usize {
        let item = self.found.items.len();
        let Attributes { role, is_plain, is_certain, is_public, .. } = *attributes;
        let lists = name.filter(|_| attributes.lists).map(str::to_owned);
        let child = None;
        self.found.items.push(Written {
            module,
            name: name.unwrap_or_default().to_owned(),
            start,
            head,
            kind,
            role,
            is_plain,
            is_certain,
            is_public,
            child,
            lists,
            impls: Vec::new(),
            text: None,
        });
        self.words.push(Words::default());
        self.found.devices += usize::from(role == Role::Device);
        if let Some(name) = name {
            self.found.modules[module].named.entry(name.to_owned()).or_default().push(item);
        }
        item
    }

    /// `use` and what follows: the tree of names.
    fn imports(&mut self, module: usize, attributes: &Attributes) -> Option<()> {
        let mut path = Vec::new();
        self.import_tree(module, attributes, &mut path)?;
        self.sign(';').then_some(())
    }

    fn import_tree(&mut self, module: usize, attributes: &Attributes, path: &mut Vec<String>) -> Option<()> {
        let Attributes { is_certain, is_public, .. } = *attributes;
        let depth = path.len();
        if self.path_goes_on()? {
            path.push(String::new());
        }
        loop {
            match self.kind()? {
                Kind::Sign('*') => {
                    self.next += 1;
                    let import = Import { path: path.clone(), is_certain, is_public };
                    self.found.modules[module].globs.push(import);
                    break;
                }
                Kind::Open('{', end) => {
                    self.next += 1;
                    while self.next < end {
                        self.import_tree(module, attributes, path)?;
                        self.sign(',');
                    }
                    self.next = end + 1;
                    break;
                }
                Kind::Word(name) => {
                    self.next += 1;
                    if name != "self" || path.is_empty() {
                        path.push(name.to_owned());
                    }
                    if self.path_goes_on()? {
                        continue;
                    }
                    let known =
                        if self.keyword("as") { self.word()?.to_owned() } else { path.last()?.clone() };
                    let import = Import { path: path.clone(), is_certain, is_public };
                    self.found.modules[module].imports.entry(known).or_default().push(import);
                    break;
                }
                _ => return None,
            }
        }
        path.truncate(depth);
        Some(())
    }

    /// Takes `::`, if it is next.
    fn path_goes_on(&mut self) -> Option<bool> {
        Some(self.sign(':') && self.sign(':').then_some(true)?)
    }

    /// Up to and with the `{}` or the `;` at which an item ends, and the tokens between which the body stands.
    fn body(&mut self) -> Option<Option<(usize, usize)>> {
        // In generic arguments stand constants in braces.
        let (mut depth, mut is_arrow) = (0_usize, false);
        loop {
            let token = self.tokens.get(self.next)?;
            match token.kind {
                Kind::Open('{', end) if depth == 0 => {
                    let begin = std::mem::replace(&mut self.next, end + 1);
                    return Some(Some((begin, end)));
                }
                Kind::Open(_, end) => self.next = end,
                Kind::Close => return None,
                Kind::Sign(';') => {
                    self.next += 1;
                    return Some(None);
                }
                Kind::Sign('<') => depth += 1,
                Kind::Sign('>') if !is_arrow => depth = depth.checked_sub(1)?,
                _ => {}
            }
            is_arrow = matches!(token.kind, Kind::Sign('-' | '='));
            self.next += 1;
        }
    }

    /// Up to and with a sign, outside of brackets.
    fn until(&mut self, wanted: char) -> Option<()> {
        loop {
            match self.tokens.get(self.next)?.kind {
                Kind::Open(_, end) => self.next = end,
                Kind::Close => return None,
                Kind::Sign(sign) if sign == wanted => {
                    self.next += 1;
                    return Some(());
                }
                _ => {}
            }
            self.next += 1;
        }
    }

    /// The rest of a macro's call: what is handed to it, and `;` unless that is in braces.
    fn rest_of_call(&mut self) -> Option<()> {
        loop {
            match self.tokens.get(self.next)?.kind {
                Kind::Open(bracket, end) => {
                    self.next = end + 1;
                    return if bracket == '{' { Some(()) } else { self.sign(';').then_some(()) };
                }
                Kind::Close | Kind::Sign(';') => return None,
                _ => self.next += 1,
            }
        }
    }

    /// Returns whether a macro whose definition has these tokens makes no items other than `impl`s: it has no word of another item but in braces within what it makes, and calls no macro.
    fn makes_impls_only(&self, begin: usize) -> bool {
        let mut at = begin;
        // The definition itself stands in brackets, and what it makes in brackets of its own.
        let Some(Kind::Open(_, end)) = self.tokens.get(at).map(|token| token.kind) else { return false };
        at += 1;
        while at < end {
            let is_arrow = matches!(self.tokens[at - 1].kind, Kind::Sign('>'))
                && at > 1
                && matches!(self.tokens[at - 2].kind, Kind::Sign('='));
            match self.tokens[at].kind {
                Kind::Open(_, body_end) if is_arrow => {
                    if !self.has_impls_only(at + 1, body_end) {
                        return false;
                    }
                    at = body_end + 1;
                }
                Kind::Open(_, inner_end) => at = inner_end + 1,
                _ => at += 1,
            }
        }
        true
    }

    fn has_impls_only(&self, begin: usize, end: usize) -> bool {
        let mut at = begin;
        while at < end {
            let before = at.checked_sub(1).map(|before| self.tokens[before].kind);
            match self.tokens[at].kind {
                // The name of a parameter.
                Kind::Word(_) if matches!(before, Some(Kind::Sign('$'))) => {}
                Kind::Open('{', inner_end) => at = inner_end,
                Kind::Word("const") if matches!(before, Some(Kind::Sign('<' | ','))) => {}
                Kind::Word(
                    "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" | "use"
                    | "mod" | "macro_rules" | "extern",
                ) => return false,
                Kind::Sign('!') if !matches!(before, Some(Kind::Sign('#'))) => return false,
                _ => {}
            }
            at += 1;
        }
        true
    }

    /// Returns whether `const` is followed by more of a function's head.
    fn is_before_function(&self) -> bool {
        matches!(self.kind(), Some(Kind::Word("fn" | "unsafe" | "async" | "extern" | "safe")))
    }

    fn kind(&self) -> Option<Kind<'t>> {
        self.tokens.get(self.next).map(|token| token.kind)
    }

    fn is_sign(&self, sign: char) -> bool {
        self.kind() == Some(Kind::Sign(sign))
    }

    fn sign(&mut self, sign: char) -> bool {
        let is_next = self.is_sign(sign);
        self.next += usize::from(is_next);
        is_next
    }

    fn word(&mut self) -> Option<&'t str> {
        let Some(Kind::Word(word)) = self.kind() else { return None };
        self.next += 1;
        Some(word)
    }

    fn keyword(&mut self, wanted: &str) -> bool {
        let is_next = self.kind() == Some(Kind::Word(wanted));
        self.next += usize::from(is_next);
        is_next
    }

    /// The end of a bracket that opens here.
    fn open(&mut self, wanted: char) -> Option<usize> {
        match self.kind()? {
            Kind::Open(bracket, end) if bracket == wanted => {
                self.next += 1;
                Some(end)
            }
            _ => None,
        }
    }
}

/// Attributes that leave an item what it is, by the first names of their paths.
const INERT: &[&str] = &[
    "allow",
    "automatically_derived",
    "clippy",
    "cold",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "expect",
    "export_name",
    "forbid",
    "global_allocator",
    "inline",
    "link_section",
    "macro_export",
    "macro_use",
    "must_use",
    "no_mangle",
    "non_exhaustive",
    "path",
    "repr",
    "rustfmt",
    "target_feature",
    "track_caller",
    "unsafe",
    "used",
    "warn",
];

/// Derived traits that bring no other items.
const DERIVED: &[&str] = &[
    "AnyBitPattern",
    "CheckedBitPattern",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Hash",
    "NoUninit",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Pod",
    "Serialize",
    "TransparentWrapper",
    "Zeroable",
    "bytemuck",
    "serde",
];

#[cfg(test)]
mod tests {
    use super::{Outline, Role};

    /// The items that are understood, with the modules that they stand in, and `?` for what may not be there.
    fn shown(text: &str) -> Option<String> {
        let outline = Outline::of(text)?;
        let mut names: Vec<(usize, String)> = Vec::new();
        for (number, module) in outline.modules.iter().enumerate() {
            for (name, items) in &module.named {
                for &item in items {
                    let written = &outline.items[item];
                    let role = match written.role {
                        Role::None => "",
                        Role::Device => "@",
                        Role::Kernel => "!",
                    };
                    let doubt = if written.is_certain { "" } else { "?" };
                    names.push((item, format!("{number}{role}{name}{doubt}")));
                }
            }
        }
        names.sort_unstable();
        Some(names.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn items_of_modules() {
        let cases = [
            (
                "fn f() { fn g() {} } pub(crate) const unsafe fn h<const N: usize>() -> [u8; { 1 }] { [0] }",
                "0f 0h",
            ),
            (
                "mod a { #[device] pub fn f() -> Array<{ 3 }> {} mod b { struct S; } } fn g() {}",
                "0a 1@f 1b 2S 0g",
            ),
            (
                "#[kernel(fp = \"fast\")] unsafe fn k(x: &[f32]) {} #[cfg(a)] fn f() {} #[other] fn g() {}",
                "0!k 0f? 0g?",
            ),
            (
                "#[kernel_runtime::device(impl, impl Add)] #[derive(Clone)] struct V { x: f32 } impl V { fn f() {} }",
                "0@V",
            ),
            (
                "struct S(pub (u8, u8)); struct T<F>(F) where F: Fn() -> u8; enum E { A } type A = u8; union U { a: u8 }",
                "0S 0T 0E 0A 0U",
            ),
            (
                "const A: [u8; 2] = { [1; 2] }; static mut B: u8 = 1; const _: () = {}; extern \"C\" fn f() {}",
                "0A 0B 0_ 0f",
            ),
            ("mod a; mod r#mod { /// a\n #![allow(x)] fn f() {} }", "0a 0mod 1f"),
            (
                "macro_rules! m { () => { fn f() {} } } m! { fn g() {} } m!(fn h() {}); a::m![]; fn i() {}",
                "0i",
            ),
            ("use a::{b, c as d, e::*, self}; pub use ::f::g; fn h() {}", "0h"),
            ("impl<T: Fn() -> u8> A for B<T> where T: C { fn f() {} } trait D { fn f(); }", "0D"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood() {
        for text in ["fn f() {", "macro m($x) {}", "use a:b;", "fn f", "struct { }", "use"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn imports() {
        let outline = Outline::of("use a::{b, c as d, e::*, self}; pub use ::f::g; #[cfg(x)] use i as j;");
        let outline = outline.expect("it is understood");
        let module = &outline.modules[0];
        let mut found: Vec<_> = module.imports.iter().collect();
        found.sort_by_key(|(name, _)| name.to_owned());
        let found = found.into_iter().flat_map(|(name, imports)| {
            imports.iter().map(move |import| {
                format!("{name}={}{}", import.path.join("::"), if import.is_certain { "" } else { "?" })
            })
        });
        assert_eq!(found.collect::<Vec<_>>(), ["a=a", "b=a::b", "d=a::c", "g=::f::g", "j=i?"]);
        assert_eq!(module.globs[0].path, ["a", "e"]);
        assert!(!module.is_open);
    }

    #[test]
    fn modules_that_may_have_more() {
        let cases = [
            ("fn f() {}", false),
            ("m! {}", true),
            ("a::m!();", true),
            ("::a::m!{}", true),
            ("#[macro_use] extern crate a;", true),
            ("extern \"C\" { fn f(); }", true),
            ("#[derive(Clone, Copy)] struct S;", false),
            ("#[derive(Other)] struct S;", true),
            ("#[test] fn f() {}", true),
            ("mod a { m! {} }", false),
        ];
        for (text, expected) in cases {
            let outline = Outline::of(text).expect(text);
            assert_eq!(outline.modules[0].is_open, expected, "{text}");
        }
    }

    #[test]
    fn items_are_found_by_their_heads() {
        let text = "#[device]\npub fn f() {\n    fn g() {}\n}\nmod a {\n    #[device]\n    impl A {}\n}";
        let outline = Outline::of(text).expect(text);
        let cases = [
            ((2, 0), Some(0)),
            ((2, 4), Some(0)),
            ((3, 4), None),
            ((5, 0), Some(1)),
            ((7, 4), Some(2)),
            ((8, 0), None),
        ];
        for (position, expected) in cases {
            assert_eq!(outline.item_at(position), expected, "{position:?}");
        }
    }
}
