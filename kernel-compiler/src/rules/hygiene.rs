//! The names that a macro brings along.
//!
//! A variable or a label that is bound by tokens of the macro's own is another than what the caller calls so. All names of the macro's own are marked with the
//! number of the expansion while they are tokens; once all macros have been expanded, those keep their marks that a pattern or a label binds, and
//! all others, which mean what they mean where the macro is defined, lose them.

use crate::hash::HashSet;
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};

/// How a marked name starts; the number follows, and `_`.
const MARK: &str = "__of_";

/// The name without marks.
pub(super) fn plain(name: &Ident) -> String {
    let name = name.to_string();
    unmarked(&name).map_or_else(|| name.clone(), str::to_owned)
}

fn unmarked(name: &str) -> Option<&str> {
    let mut rest = name
        .strip_prefix(MARK)?
        .trim_start_matches(|digit: char| digit.is_ascii_digit())
        .strip_prefix('_')?;
    while let Some(inner) = unmarked(rest) {
        rest = inner;
    }
    Some(rest)
}

/// A token of a macro's own, which stands where the macro is called.
pub(super) fn marked(token: &TokenTree, is_label: bool, (number, span): (u32, Span)) -> TokenTree {
    let mut token = match token {
        TokenTree::Ident(name) if is_label || may_be_variable(&name.to_string()) => {
            TokenTree::Ident(Ident::new(&format!("{MARK}{number}_{name}"), span))
        }
        TokenTree::Literal(literal) => TokenTree::Literal(marked_format(literal, number)),
        other => other.clone(),
    };
    token.set_span(span);
    token
}

/// Whether a name can be that of a variable: in lower case, and no keyword.
fn may_be_variable(name: &str) -> bool {
    let is_lower = name.starts_with(|first: char| first.is_lowercase() || first == '_');
    is_lower && name != "_" && !name.starts_with("r#") && syn::parse_str::<Ident>(name).is_ok()
}

/// A string in which the names in braces are marked, as what `format!` captures is the macro's own too.
fn marked_format(literal: &Literal, number: u32) -> Literal {
    let text = literal.to_string();
    if !text.starts_with('"') || !text.contains('{') {
        return literal.clone();
    }
    let mut result = String::new();
    let mut rest = &text[..];
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open + 1);
        result.push_str(before);
        if let Some(escaped) = after.strip_prefix('{') {
            result.push('{');
            rest = escaped;
            continue;
        }
        if after.starts_with(|first: char| first.is_alphabetic() || first == '_') {
            result.push_str(&format!("{MARK}{number}_"));
        }
        rest = after;
    }
    result.push_str(rest);
    result.parse().unwrap_or_else(|_| literal.clone())
}

/// Items in which only the names of variables and labels that macros bind are marked.
pub(super) fn resolved(tokens: TokenStream, expansions: u32) -> TokenStream {
    if expansions == 0 {
        return tokens;
    }
    let Ok(mut file) = syn::parse2::<syn::File>(tokens.clone()) else {
        // What are no items is refused by whoever parses it next.
        return without_marks(tokens, &HashSet::default());
    };
    let mut binder = Binder::default();
    binder.visit_file_mut(&mut file);
    let mut settler = Settler { bound: binder.bound };
    settler.visit_file_mut(&mut file);
    file.to_token_stream()
}

/// Finds the marked names that are bound.
#[derive(Default)]
struct Binder {
    bound: HashSet<String>,
}

impl Binder {
    fn note(&mut self, name: &Ident) {
        let name = name.to_string();
        if unmarked(&name).is_some() {
            self.bound.insert(name);
        }
    }
}

impl VisitMut for Binder {
    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        self.note(&pattern.ident);
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_label_mut(&mut self, label: &mut syn::Label) {
        self.note(&label.name.ident);
    }
}

/// Takes the marks off what is not bound.
struct Settler {
    bound: HashSet<String>,
}

impl Settler {
    /// A name that can be that of a variable.
    fn settle(&self, name: &mut Ident) {
        if !self.bound.contains(&name.to_string()) {
            Self::strip(name);
        }
    }

    fn strip(name: &mut Ident) {
        let text = name.to_string();
        if let Some(plain) = unmarked(&text) {
            let plain = syn::parse_str::<Ident>(plain).unwrap_or_else(|_| Ident::new_raw(plain, name.span()));
            *name = Ident::new(&plain.to_string(), name.span());
        }
    }
}

impl VisitMut for Settler {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        Self::strip(name);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        self.settle(&mut pattern.ident);
        if let Some((_, inner)) = &mut pattern.subpat {
            self.visit_pat_mut(inner);
        }
    }

    fn visit_expr_path_mut(&mut self, expression: &mut syn::ExprPath) {
        if expression.qself.is_none()
            && expression.path.leading_colon.is_none()
            && expression.path.segments.len() == 1
            && let Some(segment) = expression.path.segments.first_mut()
            && segment.arguments.is_none()
        {
            return self.settle(&mut segment.ident);
        }
        visit_mut::visit_expr_path_mut(self, expression);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        self.settle(&mut lifetime.ident);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        visit_mut::visit_field_value_mut(self, field);
        // `S { x }` names a field and a variable.
        if field.colon_token.is_none()
            && let (syn::Member::Named(name), syn::Expr::Path(value)) = (&field.member, &field.expr)
            && !value.path.is_ident(name)
        {
            field.colon_token = Some(syn::Token![:](name.span()));
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        let is_short = field.colon_token.is_none();
        visit_mut::visit_field_pat_mut(self, field);
        if is_short
            && let (syn::Member::Named(name), syn::Pat::Ident(pattern)) = (&field.member, &*field.pat)
            && pattern.ident != *name
        {
            field.colon_token = Some(syn::Token![:](name.span()));
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        self.visit_path_mut(&mut call.path);
        call.tokens = without_marks(std::mem::take(&mut call.tokens), &self.bound);
    }

    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        if let syn::Meta::List(list) = &mut attribute.meta {
            list.tokens = without_marks(std::mem::take(&mut list.tokens), &HashSet::default());
        }
        visit_mut::visit_attribute_mut(self, attribute);
    }
}

/// The tokens of a call of a macro that is not expanded.
fn without_marks(tokens: TokenStream, bound: &HashSet<String>) -> TokenStream {
    let mut after_dot = false;
    let each = tokens.into_iter().map(|token| {
        let was_after_dot = std::mem::replace(&mut after_dot, is_dot(&token));
        match token {
            TokenTree::Ident(mut name) => {
                if was_after_dot || !bound.contains(&name.to_string()) {
                    Settler::strip(&mut name);
                }
                TokenTree::Ident(name)
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_marks(group.stream(), bound));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            TokenTree::Literal(literal) => TokenTree::Literal(format_without_marks(&literal, bound)),
            other => other,
        }
    });
    each.collect()
}

fn is_dot(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == '.')
}

fn format_without_marks(literal: &Literal, bound: &HashSet<String>) -> Literal {
    let text = literal.to_string();
    if !text.contains(MARK) {
        return literal.clone();
    }
    let mut result = String::new();
    let mut rest = &text[..];
    while let Some(at) = rest.find(MARK) {
        let (before, name) = rest.split_at(at);
        result.push_str(before);
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        let (name, after) = name.split_at(end);
        result.push_str(if bound.contains(name) { name } else { unmarked(name).unwrap_or(name) });
        rest = after;
    }
    result.push_str(rest);
    let mut new: Literal = result.parse().unwrap_or_else(|_| literal.clone());
    new.set_span(literal.span());
    new
}
