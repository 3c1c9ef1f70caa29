//! Programs with mistakes in them, which are made by chance: the compiler does not panic, what it says has a code and is said of the user's own tokens, and is never that it has lost track.
//!
//! The programs are those of the tests of the whole. `KERNEL_MUTANTS` is how many mutants there are, and `KERNEL_MUTANTS_SEED` the first of them.

use kernel_compiler::diagnostics::{Code, Diagnostic, Reporter};
use kernel_compiler::expand::{Refused, alone};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use syn::Item;

/// How many mutants there are if nothing else is asked for.
const MUTANTS: u64 = 300;

/// The stack that rustc gives macros.
const STACK: usize = 8 << 20;

#[test]
fn mutated_programs_are_refused_at_their_tokens() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(judge_all).expect("there is a thread");
    let failures = thread.join().expect("what panics is caught");
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

fn judge_all() -> Vec<String> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("it is a number"));
    let first = number("KERNEL_MUTANTS_SEED").unwrap_or(0);
    let count = number("KERNEL_MUTANTS").unwrap_or(MUTANTS);
    let programs = programs();
    assert!(programs.len() > 40, "only {} programs are read", programs.len());
    std::panic::set_hook(Box::new(|_| {}));
    let mut failures = Vec::new();
    for seed in first..first + count {
        let mut random = Random(seed);
        let (name, program) = &programs[random.below(programs.len())];
        let mutant = mutated(program, &mut random);
        if let Err(failure) = judge(&mutant) {
            failures.push(format!("seed {seed}, a mutant of {name}: {failure}"));
        }
    }
    drop(std::panic::take_hook());
    failures
}

/// The programs that stand by themselves, each as the text of one kernel with its items in its body.
fn programs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/kernels/programs");
    let entries = std::fs::read_dir(&folder).expect("the programs are there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it is read").path()).collect();
    paths.sort();
    let program = |path: &std::path::PathBuf| {
        let name = path.file_stem()?.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("the program is read");
        let file = syn::parse_file(&text).expect("it is Rust");
        Some((name, kernel_of(file.items)?.to_string()))
    };
    paths.iter().filter_map(program).collect()
}

/// The first kernel of a file, with the device items in its body; what stands in a `#[device] mod` is beside the others there.
fn kernel_of(items: Vec<Item>) -> Option<TokenStream> {
    let (mut inside, mut modules, mut kernel) = (TokenStream::new(), Vec::new(), None);
    for mut item in items {
        let attributes = match &mut item {
            Item::Fn(item) => &mut item.attrs,
            Item::Mod(item) => &mut item.attrs,
            Item::Struct(item) => &mut item.attrs,
            Item::Enum(item) => &mut item.attrs,
            Item::Const(item) => &mut item.attrs,
            _ => continue,
        };
        let is = |name: &str| attributes.iter().any(|attribute| attribute.path().is_ident(name));
        let (is_kernel, is_device) = (is("kernel"), is("device"));
        attributes
            .retain(|attribute| !attribute.path().is_ident("kernel") && !attribute.path().is_ident("device"));
        match item {
            Item::Fn(item) if is_kernel && kernel.is_none() => kernel = Some(item),
            Item::Mod(item) if is_device => {
                modules.push(item.ident.to_string());
                inside.extend(item.content?.1.iter().map(ToTokens::to_token_stream));
            }
            item if is_device => item.to_tokens(&mut inside),
            _ => {}
        }
    }
    let mut kernel = kernel?;
    kernel.attrs.clear();
    let (visibility, signature, statements) = (&kernel.vis, &kernel.sig, &kernel.block.stmts);
    let whole = quote!(#visibility #signature { #inside #(#statements)* });
    Some(without_modules(whole, &modules))
}

/// Paths through these modules, which are gone, without their names.
fn without_modules(tokens: TokenStream, modules: &[String]) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut result = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let inner = without_modules(group.stream(), modules);
                Group::new(group.delimiter(), inner).to_tokens(&mut result);
            }
            TokenTree::Ident(name) if modules.contains(&name.to_string()) && is_colon(tokens.peek()) => {
                _ = (tokens.next(), tokens.next());
            }
            other => other.to_tokens(&mut result),
        }
    }
    result
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

/// Numbers that look random, by SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

/// A program with one to three changes of its tokens. Brackets are pairs, so that what is changed is still made of tokens.
fn mutated(program: &str, random: &mut Random) -> String {
    let mut tokens: TokenStream = program.parse().expect("it is made of tokens");
    for _ in 0..=random.below(3) {
        let count = count(&tokens);
        let at = random.below(count);
        let change = Change::any(&tokens, count, random);
        let mut position = 0;
        tokens = changed(tokens, &mut position, at, &change);
    }
    tokens.to_string()
}

enum Change {
    Drop,
    Double,
    /// It changes places with the next one beside it.
    Swap,
    /// This stands in its place.
    Replace(TokenTree),
}

impl Change {
    fn any(tokens: &TokenStream, count: usize, random: &mut Random) -> Self {
        const LITERALS: [&str; 12] = [
            "0",
            "1",
            "255",
            "4294967296",
            "18446744073709551616",
            "1.5",
            "1e400",
            "true",
            "b'a'",
            "\"text\"",
            "'x'",
            "7_u8",
        ];
        const PUNCTUATION: [&str; 12] = ["+", "-", "*", "&", "!", "?", ".", ",", ";", ":", "<", "="];
        let of = |texts: &[&str], random: &mut Random| {
            let text = texts[random.below(texts.len())];
            text.parse::<TokenStream>().ok().and_then(|tokens| tokens.into_iter().next())
        };
        match random.below(8) {
            0 => Self::Drop,
            1 => Self::Double,
            2 => Self::Swap,
            3 => of(&LITERALS, random).map_or(Self::Drop, Self::Replace),
            4 => of(&PUNCTUATION, random).map_or(Self::Drop, Self::Replace),
            // Names are the most interesting ones.
            _ => {
                let mut names = Vec::with_capacity(count);
                collect_names(tokens, &mut names);
                match names.is_empty() {
                    true => Self::Double,
                    false => Self::Replace(names.swap_remove(random.below(names.len()))),
                }
            }
        }
    }
}

fn count(tokens: &TokenStream) -> usize {
    let inner = |token| match token {
        TokenTree::Group(group) => count(&group.stream()) + 1,
        _ => 1,
    };
    tokens.clone().into_iter().map(inner).sum()
}

fn collect_names(tokens: &TokenStream, names: &mut Vec<TokenTree>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => collect_names(&group.stream(), names),
            TokenTree::Ident(_) | TokenTree::Literal(_) => names.push(token),
            TokenTree::Punct(_) => {}
        }
    }
}

fn changed(tokens: TokenStream, position: &mut usize, at: usize, change: &Change) -> TokenStream {
    let mut result = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let is_it = *position == at;
        *position += 1;
        let token = match token {
            TokenTree::Group(group) if !is_it => {
                Group::new(group.delimiter(), changed(group.stream(), position, at, change)).into()
            }
            other => other,
        };
        match change {
            _ if !is_it => result.push(token),
            Change::Drop => {}
            Change::Double => result.extend([token.clone(), token]),
            Change::Swap => {
                result.extend(tokens.next());
                result.push(token);
            }
            Change::Replace(other) => result.push(other.clone()),
        }
    }
    result.into_iter().collect()
}

/// Compiles a program, and says what is wrong with how that is refused.
fn judge(source: &str) -> Result<(), String> {
    let Ok(tokens) = source.parse::<TokenStream>() else { return Ok(()) };
    let outcome = catch_unwind(AssertUnwindSafe(|| alone(tokens)));
    let refused = match outcome {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            return Err(format!("panics: {}\n{source}", text.unwrap_or_default()));
        }
        Ok(Ok(_)) => return Ok(()),
        Ok(Err(refused)) => refused,
    };
    let Refused::Errors(errors) = refused else { return Ok(()) };
    match errors.iter().find_map(|error| Some((error, wrong_with(error, source)?))) {
        Some((error, wrong)) => Err(format!("{wrong}: {}\n{source}", error.text())),
        None if errors.is_empty() => Err(format!("is refused without an error\n{source}")),
        None => Ok(()),
    }
}

fn wrong_with(error: &Diagnostic, source: &str) -> Option<String> {
    if error.code == Code::Disagreement && error.reporter == Reporter::Compiler {
        return Some("has lost track".to_owned());
    }
    if error.message.is_empty() {
        return Some("says nothing".to_owned());
    }
    for span in [error.span.0, error.span.1] {
        let range = span.byte_range();
        let stands_there = range.start < range.end && source.get(range) == span.source_text().as_deref();
        if !stands_there {
            return Some(format!("is said at `{}`", span.source_text().unwrap_or_default()));
        }
    }
    None
}
