//! The arguments of `#[kernel(…)]`.

use super::caching::CacheArgument;
use super::instances;
use crate::chain::Links;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::emit::SourcePlace;
use crate::infer::{CacheHints, Program, Racing, constant_value};
use crate::ir::{Attributes, FloatMode};
use crate::names::Dependencies;
use kernel_core::RequiredFeature;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::rc::Rc;
use syn::parse::Parser;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprArray, ExprPath, Ident, ItemFn, Lit, PathArguments, Token, Type, TypePath};

const KNOWN: &str = "the arguments are `group_size = [x, y, z]`, `group_size_hint = [x, y, z]`, `subgroup_size = n`, `fp = \"contract\"`, `\"opencl\"` or `\"fast\"`, `float_atomics = \"exchange\"`, `overflow = \"check\"` or `\"wrap\"`, `nontemporal(x)`, `load_cache(x = [streaming])`, `store_cache(x = [write_back])`, `unsafe(unchecked)`, `unsafe(races(y))`, and `requires(x.len() >= n)`";

/// The arguments as they are written.
#[derive(Debug, Default)]
pub struct KernelAttributes {
    arguments: Vec<(Ident, Expr)>,
    /// What every launch must meet, `requires(…)`.
    conditions: Rc<[Expr]>,
    /// What is said of caches.
    caching: Rc<CacheHints>,
    /// The first word of `unsafe(unchecked)`.
    unchecked: Option<Token![unsafe]>,
    /// Of what the author vouches that no race in it does harm.
    racing: Rc<Racing>,
    /// The first words of `unsafe(races)`.
    racing_words: Vec<Token![unsafe]>,
}

impl Parse for KernelAttributes {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let parsed = Punctuated::<Argument, Token![,]>::parse_terminated(input)?;
        let mut attributes = Self::default();
        let mut conditions: Option<Vec<Expr>> = None;
        let mut caching = CacheHints::default();
        let mut racing = Racing::default();
        for argument in parsed {
            match argument {
                Argument::Value(name, value) => attributes.arguments.push((name, *value)),
                Argument::Conditions(name, _) if conditions.is_some() => {
                    return Err(malformed(name.span(), "`requires` is given twice"));
                }
                Argument::Conditions(_, more) => conditions = Some(more),
                Argument::Caching(argument) => argument.add_to(&mut caching)?,
                Argument::Unchecked(word) if attributes.unchecked.is_some() => {
                    return Err(malformed(word.span, "`unsafe(unchecked)` is given twice"));
                }
                Argument::Unchecked(word) => attributes.unchecked = Some(word),
                Argument::Races(word, names) => {
                    attributes.racing_words.push(word);
                    racing.everything |= names.is_none();
                    racing.names.extend(names.into_iter().flatten());
                }
            }
        }
        attributes.conditions = conditions.unwrap_or_default().into();
        attributes.caching = Rc::new(caching);
        attributes.racing = Rc::new(racing);
        Ok(attributes)
    }
}

enum Argument {
    Value(Ident, Box<Expr>),
    Conditions(Ident, Vec<Expr>),
    Caching(CacheArgument),
    Unchecked(Token![unsafe]),
    /// With the arguments and local variables that it names, if it names some.
    Races(Token![unsafe], Option<Vec<Ident>>),
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if let Some(word) = input.parse::<Option<Token![unsafe]>>()? {
            return Self::vouched(word, input);
        }
        let Ok(name) = input.parse::<Ident>() else {
            return Err(malformed(input.span(), "an argument of `#[kernel]` starts with its name"));
        };
        if name == "requires" {
            return Self::conditions(name, input);
        }
        if let Some(argument) = CacheArgument::parse(&name, input) {
            return argument.map(Self::Caching);
        }
        if name == "unchecked" {
            let message = "that no check is needed is for the author to vouch for: `unsafe(unchecked)`";
            return Err(malformed(name.span(), message));
        }
        if name == "races" {
            let message = "that races do no harm is for the author to vouch for: `unsafe(races(y))`, or `unsafe(races)` for all that the kernel accesses";
            return Err(malformed(name.span(), message));
        }
        if name == "one_module" {
            let message = "which kernels share a module is said for all of them: `#[kernels(one_module)]` on a `mod`, without a value";
            return Err(malformed(name.span(), message));
        }
        // At the name, since there may be no token at the place where something is missing.
        let needs_value = |_| malformed(name.span(), &format!("`{name}` needs `=` and a value"));
        input.parse::<Token![=]>().map_err(needs_value)?;
        let value = match types(input) {
            Some(types) => types,
            None => input.parse().map_err(needs_value)?,
        };
        Ok(Self::Value(name, Box::new(value)))
    }
}

impl Argument {
    /// What the author vouches for.
    fn vouched(word: Token![unsafe], input: ParseStream<'_>) -> syn::Result<Self> {
        let message = "all that can be vouched for is `unsafe(unchecked)`, `unsafe(races)` or `unsafe(races(y))`, and what `unsafe(load_cache(…))` says of lines of cache";
        let other = |_| malformed(word.span, message);
        let content;
        if !input.peek(syn::token::Paren) {
            return Err(malformed(word.span, message));
        }
        syn::parenthesized!(content in input);
        let name: Ident = content.parse().map_err(other)?;
        let argument = match name.to_string().as_str() {
            "unchecked" => Self::Unchecked(word),
            "races" if content.is_empty() => Self::Races(word, None),
            "races" => Self::Races(word, Some(listed(&name, "name", &content)?)),
            "load_cache" => Self::Caching(CacheArgument::vouched(&name, &content)?),
            _ => return Err(malformed(word.span, message)),
        };
        if content.is_empty() { Ok(argument) } else { Err(malformed(word.span, message)) }
    }

    fn conditions(name: Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        let conditions = listed(&name, "condition", input)?;
        Ok(Self::Conditions(name, conditions))
    }
}

/// What stands in the parentheses after a name, of which there is at least one.
pub(super) fn listed<T: Parse>(name: &Ident, what: &str, input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    if !input.peek(syn::token::Paren) {
        return Err(malformed(name.span(), &format!("`{name}` needs {what}s in parentheses")));
    }
    let content;
    syn::parenthesized!(content in input);
    let list = Punctuated::<T, Token![,]>::parse_terminated(&content)
        .map_err(|error| malformed(error.span(), &format!("this is no {what}: {error}")))?;
    if list.is_empty() {
        return Err(malformed(name.span(), &format!("`{name}` needs at least one {what}")));
    }
    Ok(list.into_iter().collect())
}

/// A list of types some of which are no expressions, such as `[f32, Complex<f32>]`, as a list of paths.
fn types(input: ParseStream<'_>) -> Option<Expr> {
    let ahead = input.fork();
    if ahead.parse::<Expr>().is_ok() {
        return None;
    }
    let list: proc_macro2::Group = input.fork().parse().ok()?;
    let types = Punctuated::<Type, Token![,]>::parse_terminated.parse2(list.stream()).ok()?;
    input.parse::<proc_macro2::Group>().ok()?;
    let path = |ty: Type| match ty {
        Type::Path(TypePath { qself, path, attrs }) => {
            let mut path = path;
            for segment in &mut path.segments {
                if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                    arguments.colon2_token.get_or_insert_with(Default::default);
                }
            }
            Expr::Path(ExprPath { attrs, qself, path })
        }
        other => Expr::Verbatim(other.into_token_stream()),
    };
    let elems = types.into_iter().map(path).collect();
    let bracket_token = syn::token::Bracket(list.span());
    Some(Expr::Array(ExprArray { attrs: Vec::new(), bracket_token, elems }))
}

pub(super) fn malformed(span: Span, message: &str) -> syn::Error {
    let diagnostic = Diagnostic::new(Code::Attribute, &TokenStream::new(), message).help(KNOWN);
    syn::Error::new(span, diagnostic.text())
}

impl KernelAttributes {
    /// What every launch must meet.
    pub fn conditions(&self) -> &Rc<[Expr]> {
        &self.conditions
    }

    /// What is said of caches.
    pub(super) fn caching(&self) -> &Rc<CacheHints> {
        &self.caching
    }

    /// Of what the author vouches that no race in it does harm.
    pub(super) fn racing(&self) -> &Rc<Racing> {
        &self.racing
    }

    /// The words by which the author vouches for something that the compiler does not check then.
    pub(super) fn vouching(&self) -> impl Iterator<Item = Token![unsafe]> {
        self.unchecked.into_iter().chain(self.racing_words.iter().copied())
    }

    /// What the arguments and a function that they are those of name.
    pub(super) fn dependencies(&self, function: &ItemFn) -> Dependencies {
        let types = instances::types(function);
        let (values, lists) = (self.expressions_but_for(&types), self.lists_for(&types));
        Dependencies::of_function(function, values, lists, &self.conditions)
    }

    /// The expressions, without those that list types for these parameters.
    pub(super) fn expressions_but_for(&self, types: &[Ident]) -> impl Iterator<Item = &Expr> {
        let values = self.arguments.iter().filter(|(name, value)| {
            // `_` is no expression.
            !types.contains(name) && !matches!(value, Expr::Infer(_))
        });
        values.map(|(_, value)| value)
    }

    /// The lists of types for these parameters.
    pub(super) fn lists_for(&self, types: &[Ident]) -> impl Iterator<Item = &Expr> {
        self.arguments.iter().filter(|(name, _)| types.contains(name)).map(|(_, value)| value)
    }

    /// The value of an argument.
    pub(super) fn argument(&self, name: &Ident) -> Option<&Expr> {
        self.arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns whether they say what is done about overflow.
    pub(super) fn say_overflow(&self) -> bool {
        self.arguments.iter().any(|(name, _)| name == "overflow")
    }

    /// What the arguments ask of a device, with where they do.
    pub(super) fn required_features(&self) -> impl Iterator<Item = (RequiredFeature, SourcePlace)> {
        let sizes = self.arguments.iter().filter(|(name, _)| name == "subgroup_size");
        sizes.map(|(name, _)| (RequiredFeature::SubgroupSize, SourcePlace::of(name.span())))
    }

    /// What the arguments mean, those for generic parameters apart.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn evaluate(
        &self,
        program: &Program<'_>,
        links: &Links,
        generics: &[(Ident, bool)],
    ) -> Result<Attributes, Diagnostics> {
        let (unchecked, may_race) = (self.unchecked.is_some(), !self.racing.excludes_all());
        let mut attributes = Attributes { unchecked, may_race, ..Attributes::default() };
        let mut diagnostics = Diagnostics::default();
        for (index, (name, value)) in self.arguments.iter().enumerate() {
            if self.arguments[..index].iter().any(|(earlier, _)| earlier == name) {
                let message = format!("`{name}` is given twice");
                diagnostics
                    .push(Diagnostic::new(Code::Attribute, name, message).help("remove one of the two"));
                continue;
            }
            if generics.iter().any(|(generic, _)| generic == name) {
                continue;
            }
            let evaluated = match name.to_string().as_str() {
                "group_size" => {
                    group_size(program, links, value).map(|size| attributes.group_size = Some(size))
                }
                "group_size_hint" => {
                    group_size(program, links, value).map(|size| attributes.group_size_hint = Some(size))
                }
                "subgroup_size" => {
                    subgroup_size(program, links, value).map(|size| attributes.subgroup_size = Some(size))
                }
                "float_atomics" => {
                    float_atomics(value).map(|exchanges| attributes.exchanges_floats = exchanges)
                }
                "overflow" => overflow(value).map(|checks| attributes.checks_overflow = checks),
                "fp" => float_mode(value).map(|mode| attributes.float_mode = mode),
                _ => {
                    Err(Diagnostic::new(Code::Attribute, name, format!("a kernel has no argument `{name}`"))
                        .help(KNOWN)
                        .into())
                }
            };
            if let Err(errors) = evaluated {
                diagnostics.append(errors);
            }
        }
        if attributes.group_size.is_some()
            && let Some((name, _)) = self.arguments.iter().find(|(name, _)| name == "group_size_hint")
        {
            let message = "a kernel whose work-group size is fixed needs no hint";
            diagnostics.push(Diagnostic::new(Code::Attribute, name, message).help("remove one of the two"));
        }
        diagnostics.finish(attributes)
    }
}

/// What functions for other modules can say as kernels do.
const OF_EXPORTS: [&str; 3] = ["fp", "float_atomics", "overflow"];

const KNOWN_OF_EXPORTS: &str = "after the name, the arguments are `fp = \"contract\"`, `\"opencl\"` or `\"fast\"`, `float_atomics = \"exchange\"`, `overflow = \"wrap\"`, and `unsafe(unchecked)`";

impl KernelAttributes {
    /// What the arguments mean for a function for other modules. Nothing is said there of launches, and overflow, which it cannot
    /// report, may not occur unless they say that it wraps.
    pub(super) fn of_export(&self, program: &Program<'_>) -> Result<Attributes, Diagnostics> {
        let mut errors = Diagnostics::default();
        let names = self.arguments.iter().map(|(name, _)| name);
        let others = names.filter(|name| OF_EXPORTS.iter().all(|known| name != known));
        for name in others {
            let message = format!("a function for other modules has no argument `{name}`");
            errors.push(Diagnostic::new(Code::Attribute, name, message).help(KNOWN_OF_EXPORTS));
        }
        for condition in &*self.conditions {
            let message = "nobody would see to it that calls from other modules meet a condition";
            let help = "make it a condition of the body, or write it down in the `# Safety` section of an `unsafe fn`";
            errors.push(Diagnostic::new(Code::Attribute, condition, message).help(help));
        }
        for name in self.caching.names() {
            let message = "what caches do with memory is for kernels to say";
            errors.push(Diagnostic::new(Code::Attribute, name, message).help(KNOWN_OF_EXPORTS));
        }
        for word in &self.racing_words {
            let message = "whether work-items race is not looked for in a function for other modules";
            errors.push(Diagnostic::new(Code::Attribute, word, message).help(KNOWN_OF_EXPORTS));
        }
        errors.finish(())?;
        let mut attributes = self.evaluate(program, &Links::default(), &[])?;
        attributes.checks_overflow |= !self.say_overflow();
        Ok(attributes)
    }
}

/// One to three sizes; those that are not given are 1.
fn group_size(program: &Program<'_>, links: &Links, value: &Expr) -> Result<[u32; 3], Diagnostics> {
    let sizes: Vec<&Expr> = match value {
        Expr::Array(array) => array.elems.iter().collect(),
        Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        other => vec![other],
    };
    if sizes.is_empty() || sizes.len() > 3 {
        let message = "a work-group has one to three dimensions";
        return Err(Diagnostic::new(Code::Attribute, value, message)
            .help("write `group_size = [16, 16]`")
            .into());
    }
    let mut result = [1; 3];
    for (slot, size) in result.iter_mut().zip(sizes) {
        *slot = positive(program, links, size)?;
    }
    if result.iter().try_fold(1_u32, |product, size| product.checked_mul(*size)).is_none() {
        return Err(Diagnostic::new(Code::Attribute, value, "no device has work-groups of this size")
            .help("most devices have up to 1024 work-items in a work-group; the runtime checks it for each")
            .into());
    }
    Ok(result)
}

fn subgroup_size(program: &Program<'_>, links: &Links, value: &Expr) -> Result<u32, Diagnostics> {
    let size = positive(program, links, value)?;
    if matches!(size, 8 | 16 | 32) {
        return Ok(size);
    }
    Err(Diagnostic::new(Code::Attribute, value, format!("no device has subgroups of {size} work-items"))
        .help("the sizes are 8, 16 and 32")
        .into())
}

fn positive(program: &Program<'_>, links: &Links, value: &Expr) -> Result<u32, Diagnostics> {
    let size = constant_value(program, links, value)?;
    match u32::try_from(size) {
        Ok(size @ 1..) => Ok(size),
        _ => Err(Diagnostic::new(Code::Attribute, value, format!("{size} is no size"))
            .help("a size is at least 1 and fits into a `u32`")
            .into()),
    }
}

/// Returns whether atomic updates of floats are loops that exchange integers.
fn float_atomics(value: &Expr) -> Result<bool, Diagnostics> {
    let help = "`\"native\"` needs a device that has atomic updates of floats, `\"exchange\"` is a loop that runs on every device";
    choice(value, &[("native", false), ("exchange", true)], "there is no such way to update floats", help)
}

/// Returns whether it is a fault where the exact result of an operator on integers does not fit.
fn overflow(value: &Expr) -> Result<bool, Diagnostics> {
    let help = "`\"check\"` makes a result that does not fit a fault, `\"wrap\"` takes its low bits, as Rust does in release builds";
    choice(value, &[("wrap", false), ("check", true)], "there is no such way to deal with overflow", help)
}

/// What a string literal stands for.
fn choice<T: Copy>(value: &Expr, choices: &[(&str, T)], message: &str, help: &str) -> Result<T, Diagnostics> {
    let text = text(value);
    let chosen = choices.iter().find(|(name, _)| *name == text);
    chosen
        .map(|(_, chosen)| *chosen)
        .ok_or_else(|| Diagnostic::new(Code::Attribute, value, message).help(help).into())
}

/// What a string literal says; nothing for any other expression.
fn text(value: &Expr) -> String {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => text.value(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

fn float_mode(value: &Expr) -> Result<FloatMode, Diagnostics> {
    let help = "`\"strict\"` rounds each operation as Rust does, `\"contract\"` may fuse `a * b + c`, `\"opencl\"` may also be as inexact in `/` and `sqrt` of `f32` as OpenCL C, `\"fast\"` may do algebra";
    let choices = [
        ("strict", FloatMode::Strict),
        ("contract", FloatMode::Contract),
        ("opencl", FloatMode::OpenCl),
        ("fast", FloatMode::Fast),
    ];
    choice(value, &choices, "there is no such floating-point mode", help)
}
