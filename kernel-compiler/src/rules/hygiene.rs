//! The names that a macro brings along.
//!
//! A variable or a label that is bound by tokens of the macro's own is another than what the caller calls so. All names of the macro's own are marked with the
//! number of the expansion while they are tokens; once all macros have been expanded, those keep their marks that a pattern or a label binds, and
//! all others, which mean what they mean where the macro is defined, lose them.

use crate::hash::{HashMap, HashSet};
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

/// Returns whether a name can be that of a variable: in lower case, and no keyword.
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

/// Items in which only the names of variables and labels that macros bind are marked; none if a name of a macro's own could be that of a
/// variable around the call, and might not be.
pub(super) fn resolved(tokens: TokenStream, expansions: u32) -> Option<TokenStream> {
    if expansions == 0 {
        return Some(tokens);
    }
    let Ok(mut file) = syn::parse2::<syn::File>(tokens.clone()) else {
        // What are no items is refused by whoever parses it next.
        return Some(Settler::default().without_marks(tokens));
    };
    let mut binder = Binder::default();
    binder.visit_file_mut(&mut file);
    let mut settler = Settler { bound: binder.bound, functions: binder.functions, ..Settler::default() };
    settler.visit_file_mut(&mut file);
    (!settler.is_ambiguous).then(|| file.to_token_stream())
}

/// Finds the marked names that are bound, and the names of functions.
#[derive(Default)]
struct Binder {
    bound: HashSet<String>,
    functions: HashSet<String>,
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

    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        self.functions.insert(plain(&function.sig.ident));
        visit_mut::visit_item_fn_mut(self, function);
    }

    fn visit_use_name_mut(&mut self, name: &mut syn::UseName) {
        self.functions.insert(plain(&name.ident));
    }

    fn visit_use_rename_mut(&mut self, name: &mut syn::UseRename) {
        self.functions.insert(plain(&name.rename));
    }
}

/// Counts how often each name is bound in a function by code that is no macro's own.
#[derive(Default)]
struct Counter {
    variables: HashMap<String, u32>,
    labels: HashMap<String, u32>,
}

impl VisitMut for Counter {
    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        *self.variables.entry(pattern.ident.to_string()).or_default() += 1;
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_label_mut(&mut self, label: &mut syn::Label) {
        *self.labels.entry(label.name.ident.to_string()).or_default() += 1;
    }
}

/// Takes the marks off what is not bound.
///
/// Such a name means what it means where the macro is defined: an item, or a variable of the function around that. If a function binds a variable of that name once,
/// and there is no function of the name, it can only be that variable; if there are several, which of them is not known here.
#[derive(Default)]
struct Settler {
    bound: HashSet<String>,
    functions: HashSet<String>,
    /// What the function around binds.
    around: Counter,
    is_ambiguous: bool,
}

impl Settler {
    /// A name that can be that of a variable.
    fn settle(&mut self, name: &mut Ident, is_called: bool) {
        if self.bound.contains(&name.to_string()) || unmarked(&name.to_string()).is_none() {
            return;
        }
        Self::strip(name);
        self.judge(&name.to_string(), is_called);
    }

    /// Notes if a name of a macro's own, that it does not bind, may be another than it seems.
    fn judge(&mut self, name: &str, is_called: bool) {
        self.is_ambiguous |= match self.around.variables.get(name) {
            None => false,
            Some(1) => is_called || self.functions.contains(name),
            Some(_) => true,
        };
    }

    /// Counts what a function binds while it is looked at.
    fn within(&mut self, mut counter: Counter, look: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.around, &mut counter);
        look(self);
        self.around = counter;
    }

    fn strip(name: &mut Ident) {
        let text = name.to_string();
        if let Some(plain) = unmarked(&text) {
            // The name of a lifetime may be a word of the language, as in `'static`.
            *name = Ident::new(plain, name.span());
        }
    }
}

impl VisitMut for Settler {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        Self::strip(name);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        // A pattern binds its name, so it stays as it is.
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
            return self.settle(&mut segment.ident, false);
        }
        visit_mut::visit_expr_path_mut(self, expression);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        if let syn::Expr::Path(callee) = &mut *call.func
            && callee.qself.is_none()
            && let Some(name) = callee.path.get_ident().cloned()
        {
            let mut name = name;
            self.settle(&mut name, true);
            callee.path.segments[0].ident = name;
            call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
            return;
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        let name = lifetime.ident.to_string();
        if !self.bound.contains(&name) && unmarked(&name).is_some() {
            Self::strip(&mut lifetime.ident);
            let count = self.around.labels.get(&lifetime.ident.to_string());
            self.is_ambiguous |= count.is_some_and(|count| *count > 1);
        }
    }

    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        let mut counter = Counter::default();
        counter.visit_item_fn_mut(function);
        self.within(counter, |settler| visit_mut::visit_item_fn_mut(settler, function));
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        let mut counter = Counter::default();
        counter.visit_impl_item_fn_mut(function);
        self.within(counter, |settler| visit_mut::visit_impl_item_fn_mut(settler, function));
    }

    fn visit_trait_item_fn_mut(&mut self, function: &mut syn::TraitItemFn) {
        let mut counter = Counter::default();
        counter.visit_trait_item_fn_mut(function);
        self.within(counter, |settler| visit_mut::visit_trait_item_fn_mut(settler, function));
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
        let tokens = std::mem::take(&mut call.tokens);
        call.tokens = self.without_marks(tokens);
    }

    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        if let syn::Meta::List(list) = &mut attribute.meta {
            let tokens = std::mem::take(&mut list.tokens);
            list.tokens = Self::default().without_marks(tokens);
        }
        visit_mut::visit_attribute_mut(self, attribute);
    }
}

impl Settler {
    /// The tokens of a call of a macro that is not expanded.
    fn without_marks(&mut self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut result = TokenStream::new();
        for (position, token) in tokens.iter().enumerate() {
            let after_dot = position.checked_sub(1).is_some_and(|before| is_dot(&tokens[before]));
            let is_called = matches!(tokens.get(position + 1), Some(TokenTree::Group(group)) if group.delimiter() == proc_macro2::Delimiter::Parenthesis);
            result.extend([match token.clone() {
                TokenTree::Ident(mut name) => {
                    if after_dot {
                        Self::strip(&mut name);
                    } else {
                        self.settle(&mut name, is_called);
                    }
                    TokenTree::Ident(name)
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.without_marks(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                TokenTree::Literal(literal) => TokenTree::Literal(self.format_without_marks(&literal)),
                other => other,
            }]);
        }
        result
    }

    fn format_without_marks(&mut self, literal: &Literal) -> Literal {
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
            if self.bound.contains(name) {
                result.push_str(name);
            } else {
                let plain = unmarked(name).unwrap_or(name);
                self.judge(plain, false);
                result.push_str(plain);
            }
            rest = after;
        }
        result.push_str(rest);
        let mut new: Literal = result.parse().unwrap_or_else(|_| literal.clone());
        new.set_span(literal.span());
        new
    }
}

fn is_dot(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == '.')
}
