//! What the standard library gives `Option`, `Result`, `Ordering`, slices, raw pointers and iterators, as device code.
//!
//! A kernel needs few of these methods, so each is parsed only when it is asked for. Nothing can be kept between kernels: what a proc macro has parsed
//! is valid while it expands one of them.

pub(crate) mod types;

use crate::hash::HashMap;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use std::sync::OnceLock;

/// The methods of the types of the standard library.
const SOURCES: &[&str] = &[include_str!("option.rs"), include_str!("result.rs"), include_str!("ordering.rs")];

/// The files with functions, by what the first parameter of each is: the receiver of a method.
const FUNCTIONS: &[(&str, &str)] = &[
    ("any", include_str!("any.rs")),
    ("pointer", include_str!("pointer.rs")),
    ("slice", include_str!("slice.rs")),
    ("iterator", include_str!("iterator.rs")),
    ("cursor", include_str!("cursor.rs")),
    ("range", include_str!("range.rs")),
    ("integer", include_str!("integer.rs")),
    ("float", include_str!("float.rs")),
    ("bool", include_str!("bool.rs")),
    ("conversion", include_str!("conversion.rs")),
    ("predicate", include_str!("predicate.rs")),
    ("hashing", include_str!("hashing.rs")),
    ("formatting", include_str!("formatting.rs")),
];

/// Returns whether a file has a function with this name.
pub(crate) fn has_function(file: &str, name: &str) -> bool {
    text(file, name).is_some()
}

/// Returns whether a method of slices takes a `&mut [T]`.
pub(crate) fn changes_slice(name: &str) -> bool {
    text("slice", name).is_some_and(|text| text.contains("(this: &mut "))
}

/// The function of a file with this name. Its tokens stand where it is called, for its faults and for what is wrong with a call.
pub(crate) fn function(file: &str, name: &str, span: Span) -> Option<syn::ItemFn> {
    // That the sources are Rust is tested below.
    let tokens = text(file, name)?.parse().ok()?;
    syn::parse2(located(tokens, span)).ok()
}

fn text(file: &str, name: &str) -> Option<&'static str> {
    /// The functions by their files and names. It is asked for them at each call of a method.
    static INDEX: OnceLock<HashMap<(&str, &str), &str>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let of_file = |(file, source): &(&'static str, &'static str)| {
            let file = *file;
            functions(source).map(move |(name, text)| ((file, name), text))
        };
        FUNCTIONS.iter().flat_map(of_file).collect()
    });
    index.get(&(file, name)).copied()
}

/// The same tokens at a place in the source.
pub(crate) fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let at = |token| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), located(group.stream(), span));
            moved.set_span(span);
            TokenTree::Group(moved)
        }
        mut token => {
            token.set_span(span);
            token
        }
    };
    tokens.into_iter().map(at).collect()
}

/// The same tokens without a place, since no user has written them. In a macro what is parsed has none; elsewhere it stands in a text of its own.
fn unplaced(tokens: TokenStream) -> TokenStream {
    let call_site = Span::call_site();
    match tokens.clone().into_iter().next() {
        Some(first) if first.span().file() != call_site.file() => located(tokens, call_site),
        _ => tokens,
    }
}

/// The functions of a file, with their names; they start at the beginning of a line and end with a brace there.
fn functions(source: &str) -> impl Iterator<Item = (&str, &str)> {
    source.split_inclusive("\n}\n").filter_map(|text| {
        let text = &text[text.find("fn ")?..];
        let name = text.strip_prefix("fn ")?;
        let end = name.find(['<', '('])?;
        Some((&name[..end], text))
    })
}

/// The `impl`s with a method of this name, each with that method alone.
pub(crate) fn impls_with(method: &str) -> Vec<syn::Item> {
    let found = SOURCES.iter().flat_map(|source| blocks(source)).filter_map(|block| {
        let method = methods(block.body).find(|(name, _)| *name == method)?;
        // That the sources are Rust is tested below. No user has written what they say.
        let tokens = format!("{} {{ {} }}", block.head, method.1).parse().ok()?;
        syn::parse2(located(tokens, Span::call_site())).ok()
    });
    found.collect()
}

/// An `impl` in a source: what stands before its brace, and what is in it.
struct Block<'s> {
    head: &'s str,
    body: &'s str,
}

/// The `impl`s of a source, which start at the beginning of a line and end with a brace there.
fn blocks(source: &str) -> impl Iterator<Item = Block<'_>> {
    source.split("\n}\n").filter_map(|text| {
        let text = &text[text.find("\nimpl")? + 1..];
        let (head, body) = text.split_once(" {\n")?;
        Some(Block { head, body })
    })
}

/// The methods of an `impl`, with their names; they are indented by four spaces, and there is an empty line between two of them.
fn methods(body: &str) -> impl Iterator<Item = (&str, &str)> {
    body.split("\n\n").filter_map(|text| {
        let text = text.trim();
        let name = text.strip_prefix("fn ")?;
        let end = name.find(['<', '('])?;
        Some((&name[..end], text))
    })
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, SOURCES, Span, blocks, function, functions, impls_with, methods};

    #[test]
    fn each_function_of_the_sources_is_found() {
        for (name, source) in FUNCTIONS {
            let file: syn::File = syn::parse_str(source).expect("it is Rust");
            let written = file.items.iter().map(|item| match item {
                syn::Item::Fn(item) => item.sig.ident.to_string(),
                _ => panic!("it has functions only"),
            });
            let written: Vec<_> = written.collect();
            let found: Vec<_> = functions(source).map(|(name, _)| name.to_owned()).collect();
            assert_eq!(found, written);
            assert!(found.iter().all(|found| function(name, found, Span::call_site()).is_some()));
        }
    }

    #[test]
    fn each_method_of_the_sources_is_found() {
        for source in SOURCES {
            let file: syn::File = syn::parse_str(source).expect("it is Rust");
            let (mut written, mut found) = (Vec::new(), Vec::new());
            for item in &file.items {
                let syn::Item::Impl(item) = item else { panic!("it has impls only") };
                written.extend(item.items.iter().map(|member| match member {
                    syn::ImplItem::Fn(member) => member.sig.ident.to_string(),
                    _ => panic!("they have methods only"),
                }));
            }
            for block in blocks(source) {
                found.extend(methods(block.body).map(|(name, _)| name.to_owned()));
            }
            assert_eq!(found, written);
            assert!(found.iter().all(|name| !impls_with(name).is_empty()));
        }
    }
}
