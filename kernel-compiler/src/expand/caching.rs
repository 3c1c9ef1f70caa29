//! What `#[kernel(…)]` says of caches, as it is parsed.

use super::attributes::{listed, malformed};
use crate::infer::CacheHints;
use crate::ir::{LoadControl, StoreControl, Word};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Token, bracketed};

/// A parameter with what each level of cache is told: `x = [streaming, uncached]`.
struct Told {
    parameter: Ident,
    levels: Vec<Ident>,
}

impl Parse for Told {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let parameter: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let content;
        bracketed!(content in input);
        let levels = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
        if levels.is_empty() {
            let message = "expected a control for each level of cache, the nearest to the processor first";
            return Err(syn::Error::new(parameter.span(), message));
        }
        Ok(Self { parameter, levels: levels.into_iter().collect() })
    }
}

/// An argument that says something of caches.
pub(super) enum CacheArgument {
    Nontemporal(Ident, Vec<Ident>),
    Loads(Vec<(Ident, Vec<LoadControl>)>),
    Stores(Vec<(Ident, Vec<StoreControl>)>),
}

impl CacheArgument {
    /// The argument of a name, if that says something of caches; what follows the name is next in the input.
    pub(super) fn parse(name: &Ident, input: ParseStream<'_>) -> Option<syn::Result<Self>> {
        Some(match name.to_string().as_str() {
            "nontemporal" => {
                listed(name, "parameter", input).map(|names| Self::Nontemporal(name.clone(), names))
            }
            "load_cache" => loads(name, false, input).map(Self::Loads),
            "store_cache" => told(name, "stores", input).map(Self::Stores),
            _ => return None,
        })
    }

    /// `load_cache(…)` for which the author vouches.
    pub(super) fn vouched(name: &Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        loads(name, true, input).map(Self::Loads)
    }

    /// Adds it to what was said before.
    pub(super) fn add_to(self, hints: &mut CacheHints) -> syn::Result<()> {
        match self {
            Self::Nontemporal(name, _) if !hints.nontemporal.is_empty() => {
                return Err(malformed(name.span(), "`nontemporal` is given twice"));
            }
            Self::Nontemporal(_, names) => hints.nontemporal = names,
            Self::Loads(loads) => hints.loads.extend(loads),
            Self::Stores(stores) => hints.stores.extend(stores),
        }
        Ok(())
    }
}

fn loads(
    name: &Ident,
    is_vouched: bool,
    input: ParseStream<'_>,
) -> syn::Result<Vec<(Ident, Vec<LoadControl>)>> {
    let assert = |control: LoadControl, span: Span| {
        if is_vouched || !control.is_assertion() {
            return Ok(control);
        }
        let word = control.word();
        let message = format!(
            "what `{word}` says of a line of cache is for the author to vouch for: `unsafe(load_cache(x = [{word}]))` (SPV_INTEL_cache_controls, \"Load Cache Controls\")"
        );
        Err(malformed(span, &message))
    };
    told_as(name, "loads", input, assert)
}

fn told<T: Word>(name: &Ident, accesses: &str, input: ParseStream<'_>) -> syn::Result<Vec<(Ident, Vec<T>)>> {
    told_as(name, accesses, input, |control, _| Ok(control))
}

/// The parameters with their controls, each of which is judged.
fn told_as<T: Word>(
    name: &Ident,
    accesses: &str,
    input: ParseStream<'_>,
    judge: impl Fn(T, Span) -> syn::Result<T>,
) -> syn::Result<Vec<(Ident, Vec<T>)>> {
    let control = |word: &Ident| match T::from_word(&word.to_string()) {
        Some(control) => judge(control, word.span()),
        None => {
            let words: Vec<_> = T::ALL.iter().map(|one| format!("`{}`", one.word())).collect();
            let message = format!("of {accesses} caches can be told {}", words.join(", "));
            Err(malformed(word.span(), &message))
        }
    };
    let told = listed::<Told>(name, "cache control", input)?.into_iter().map(|Told { parameter, levels }| {
        let controls: syn::Result<Vec<T>> = levels.iter().map(control).collect();
        Ok((parameter, controls?))
    });
    told.collect()
}
