//! Structs and enums: what they consist of, and how their values are made and taken apart.

use super::{Generic, Infer, Program, Role, generics};
use crate::chain::{Id, Link, Links};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
pub(super) use crate::typed::OPTION;
use crate::typed::{
    Definition, Expr, ExprKind, Field, Nominal, Pattern, Style, Ty, VariableKind, Variant, VariantTest,
};
use kernel_core::Scalar;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::parse::ParseStream;
use syn::{Attribute, Fields, Item, Path, PathArguments, parse_quote_spanned};

/// The id of the standard library's `Result`.
pub(super) const RESULT: &str = "Result";

pub(super) const CONTROL_FLOW: &str = "std::ControlFlow";

/// What a struct or an enum consists of, or what is wrong with it; none if the item is neither.
pub(super) fn definition(
    program: &Program<'_>,
    id: &Id,
    links: &Links,
    item: &Item,
) -> Option<Result<Definition, Diagnostics>> {
    let (name, parameters, attributes) = match item {
        Item::Struct(item) => (&item.ident, &item.generics, &item.attrs),
        Item::Enum(item) => (&item.ident, &item.generics, &item.attrs),
        _ => return None,
    };
    let mut infer = Infer::new(program, links, Role::Device, Ty::Unit);
    let generics = generics::of(parameters);
    infer.generics = generics::opaque(&generics);
    program.begin_definition(
        id,
        Definition {
            name: name.to_string(),
            parameters: generics.iter().map(|generic| generic.name.clone()).collect(),
            borrows: parameters.lifetimes().next().is_some(),
            variants: Vec::new(),
            tag: None,
            is_represented: false,
            alignment: fixed_alignment(attributes),
            default: None,
            derives: Vec::new(),
        },
    );
    let arguments = infer.generics_in_order(&generics);
    if let Some(definition) = program.open_definition(id) {
        let own = infer.nominal_of(id, &definition, arguments);
        infer.generics.insert("Self".to_owned(), (own, None));
    }
    let (variants, tag) = match item {
        Item::Enum(item) => infer.enum_variants(item),
        Item::Struct(item) => (vec![infer.variant(name, &item.fields, 0)], None),
        _ => return None,
    };
    let definition = Definition {
        name: name.to_string(),
        parameters: generics.into_iter().map(|generic| generic.name).collect(),
        borrows: parameters.lifetimes().next().is_some(),
        variants,
        tag,
        is_represented: representation(attributes).is_some(),
        alignment: fixed_alignment(attributes),
        default: default_variant(item),
        derives: derives(attributes),
    };
    Some(infer.diagnostics.finish(definition))
}

/// The variant of an enum that is marked `#[default]`, or the only one of a struct.
fn default_variant(item: &Item) -> Option<usize> {
    match item {
        Item::Enum(item) => {
            let marked = |variant: &syn::Variant| {
                variant.attrs.iter().any(|attribute| attribute.path().is_ident("default"))
            };
            item.variants.iter().position(marked)
        }
        _ => Some(0),
    }
}

/// The traits in the `#[derive]` attributes of an item.
fn derives(attributes: &[Attribute]) -> Vec<String> {
    let mut names = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // What is no list of paths is rustc's to refuse.
        let _ = attribute.parse_nested_meta(|meta| {
            names.extend(meta.path.segments.last().map(|segment| segment.ident.to_string()));
            Ok(())
        });
    }
    names
}

/// If the attributes of a struct say `#[repr(C)]`, or `#[repr(transparent)]`, which is the same for a single field, and nothing else that
/// changes its layout: the alignment in bytes that it has at least, which `align(16)` and its like say.
#[must_use]
pub(crate) fn fixed_alignment(attributes: &[Attribute]) -> Option<u64> {
    let (mut fixed, mut changed, mut alignment) = (false, false, 1);
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("align") {
                alignment = alignment.max(written_alignment(meta.input)?);
                return Ok(());
            }
            let is_plain = meta.path.is_ident("C") || meta.path.is_ident("transparent");
            fixed |= is_plain;
            changed |= !is_plain;
            Ok(())
        });
        // `packed(2)` and its like have arguments, which have been left alone.
        changed |= parsed.is_err();
    }
    (fixed && !changed).then_some(alignment)
}

/// The number in `align(16)`; 1 for one that rustc refuses.
fn written_alignment(input: ParseStream<'_>) -> syn::Result<u64> {
    let argument;
    syn::parenthesized!(argument in input);
    let number = argument.parse::<syn::LitInt>()?.base10_parse::<u64>();
    Ok(number.ok().filter(|number| number.is_power_of_two() && *number <= 1 << 29).unwrap_or(1))
}

/// The scalar of a `#[repr(u8)]`.
fn representation(attributes: &[Attribute]) -> Option<Scalar> {
    let mut found = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let _ = attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            found = Scalar::from_name(&name).or(found);
            Ok(())
        });
    }
    found
}

impl Infer<'_> {
    fn enum_variants(&mut self, item: &syn::ItemEnum) -> (Vec<Variant>, Option<Scalar>) {
        let mut variants = Vec::new();
        let mut next = 0;
        for variant in &item.variants {
            if let Some((_, value)) = &variant.discriminant {
                let expr = self.constant_expr(value);
                let ty = representation(&item.attrs).unwrap_or(Scalar::Isize);
                self.coerce(value, &expr.ty, &Ty::Scalar(ty));
                next = self.constant_of(value, &expr, crate::diagnostics::Reporter::Compiler).unwrap_or(next);
            }
            variants.push(self.variant(&variant.ident, &variant.fields, next));
            next += 1;
        }
        let tag = representation(&item.attrs).unwrap_or_else(|| tag(&variants));
        (variants, Some(tag))
    }

    fn variant(&mut self, name: &syn::Ident, fields: &Fields, discriminant: i128) -> Variant {
        let style = match fields {
            Fields::Named(_) => Style::Named,
            Fields::Unnamed(_) => Style::Tuple,
            Fields::Unit => Style::Unit,
        };
        let fields = fields.iter().enumerate().map(|(index, field)| Field {
            name: field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string),
            ty: self.complete_type(&field.ty),
        });
        let fields = fields.collect();
        Variant { name: name.to_string(), style, fields, discriminant }
    }

    /// The type that a link leads to, if it is a struct or an enum.
    pub(super) fn nominal(&mut self, id: &Id, arguments: &PathArguments) -> Option<Ty> {
        let is_known_open = self.is_behind_pointer || self.program.is_measuring();
        let open = || self.program.open_definition(id).filter(|_| is_known_open);
        let definition = self.program.definition(id).or_else(open)?;
        let written = arguments;
        let arguments = self.generic_arguments(definition.parameters.len(), arguments);
        for argument in &arguments {
            if self.refuse_specialized(argument, written) {
                return Some(Ty::Error);
            }
        }
        Some(self.nominal_of(id, &definition, arguments))
    }

    /// What generic parameters stand for here, in their order.
    fn generics_in_order(&self, generics: &[Generic]) -> Vec<Ty> {
        let found = generics.iter().filter_map(|generic| self.generics.get(&generic.name));
        found.map(|(ty, _)| ty.clone()).collect()
    }

    fn nominal_of(&mut self, id: &Id, definition: &Definition, arguments: Vec<Ty>) -> Ty {
        let name = definition.name.as_str().into();
        Ty::Nominal(Rc::new(Nominal { id: id.clone(), name, arguments, borrows: definition.borrows }))
    }

    /// The struct or enum of the standard library that a path names, with these arguments.
    pub(super) fn nominal_with(&mut self, path: &Path, arguments: Vec<Ty>) -> Option<Ty> {
        let Link::Device(id) = self.link(path)? else { return None };
        let definition = self.program.definition(id)?;
        Some(self.nominal_of(id, &definition, arguments))
    }

    /// `Result<T, E>`.
    pub(super) fn type_of_result(&mut self, value: Ty, error: Ty) -> Ty {
        self.nominal_of(&RESULT.to_owned(), &Definition::result(), vec![value, error])
    }

    /// The struct or variant that a path names as a constructor or in a pattern.
    pub(super) fn constructor(&mut self, path: &Path) -> Option<Constructor> {
        let count = path.segments.len();
        let last = &path.segments[count - 1];
        if count == 1 && self.lookup(&last.ident).is_none() {
            let standard = match last.ident.to_string().as_str() {
                "Some" | "None" => Some(OPTION),
                "Ok" | "Err" => Some(RESULT),
                _ => None,
            };
            if let Some(id) = standard {
                let ty = self.nominal(&id.to_owned(), &last.arguments)?;
                return self.variant_of(ty, &last.ident);
            }
        }
        if let Some(ty @ Ty::Nominal(_)) = self.type_of_path(path, count) {
            let definition = self.definition_of(&ty)?;
            return (!definition.is_enum()).then_some(Constructor { ty, definition, position: 0 });
        }
        let ty = self.type_of_path(path, count.checked_sub(1)?)?;
        self.variant_of(ty, &last.ident)
    }

    fn variant_of(&mut self, ty: Ty, name: &syn::Ident) -> Option<Constructor> {
        let definition = self.definition_of(&ty)?;
        let position = definition.variant(&name.to_string()).filter(|_| definition.is_enum())?;
        Some(Constructor { ty, definition, position })
    }

    /// The definition of a type that is a struct or an enum.
    pub(super) fn definition_of(&self, ty: &Ty) -> Option<Rc<Definition>> {
        match self.table.shallow(ty) {
            Ty::Nominal(nominal) => self.program.definition(&nominal.id),
            _ => None,
        }
    }

    /// `Name { field: value, ..base }`.
    pub(super) fn struct_expr(&mut self, literal: &syn::ExprStruct) -> (ExprKind, Ty) {
        let constructor = if literal.qself.is_none() { self.constructor(&literal.path) } else { None };
        let Some(constructor) = constructor else {
            for field in &literal.fields {
                self.expr(&field.expr);
            }
            self.unknown_type(&literal.path);
            return (ExprKind::Error, Ty::Error);
        };
        if let Some(wanted) = self.wanted_value(literal) {
            self.presume_references(&constructor.ty, &wanted);
        }
        let mut fields = Vec::new();
        for field in &literal.fields {
            let wanted = constructor
                .position_of(&field.member)
                .map(|position| (position, self.field_type(&constructor, position)));
            let value = match &wanted {
                Some((_, wanted)) => self.argument(&field.expr, wanted),
                None => self.expr(&field.expr),
            };
            match wanted {
                Some((position, wanted)) => {
                    self.coerce(&field.expr, &value.ty, &wanted);
                    fields.push((position, value));
                }
                None => self.leave_to_rustc(&field.member, "there is no such field"),
            }
        }
        let base = literal.rest.as_ref().map(|base| {
            let value = self.expr(base);
            self.coerce(base, &value.ty, &constructor.ty);
            Box::new(value)
        });
        if base.is_none() && fields.len() < constructor.variant().fields.len() {
            self.leave_to_rustc(&literal.path, "fields are missing");
        }
        (ExprKind::Construct { variant: constructor.test(), fields, base }, constructor.ty)
    }

    /// `Name(a, b)`.
    pub(super) fn constructor_call(
        &mut self,
        call: &syn::ExprCall,
        constructor: &Constructor,
    ) -> (ExprKind, Ty) {
        if let Some(wanted) = self.wanted_value(call) {
            self.presume_references(&constructor.ty, &wanted);
        }
        let fields = constructor.variant().fields.len();
        let values = call.args.iter().enumerate().map(|(position, argument)| match position < fields {
            true => {
                let wanted = self.field_type(constructor, position);
                self.argument(argument, &wanted)
            }
            false => self.expr(argument),
        });
        let values: Vec<_> = values.collect();
        if values.len() != constructor.variant().fields.len() || constructor.variant().style != Style::Tuple {
            self.leave_to_rustc(call, "these are not the fields of this type");
            return (ExprKind::Error, constructor.ty.clone());
        }
        let mut fields = Vec::new();
        for (position, (value, tokens)) in values.into_iter().zip(&call.args).enumerate() {
            let wanted = self.field_type(constructor, position);
            self.coerce(tokens, &value.ty, &wanted);
            fields.push((position, value));
        }
        (ExprKind::Construct { variant: constructor.test(), fields, base: None }, constructor.ty.clone())
    }

    /// Notes which type is wanted of what an expression constructs, as `Some(x)` and each branch that ends so.
    pub(super) fn note_wanted(&mut self, expr: &syn::Expr, wanted: &Ty) {
        match expr {
            syn::Expr::Paren(inner) => self.note_wanted(&inner.expr, wanted),
            syn::Expr::Group(inner) => self.note_wanted(&inner.expr, wanted),
            syn::Expr::Call(call)
                if is_constructor(call) && matches!(self.table.shallow(wanted), Ty::Nominal(_)) =>
            {
                self.want(call, wanted);
            }
            syn::Expr::Struct(literal) => self.want(literal, wanted),
            syn::Expr::Array(array) => self.want(array, wanted),
            syn::Expr::Tuple(tuple) => self.want(tuple, wanted),
            syn::Expr::Closure(closure) if matches!(self.table.shallow(wanted), Ty::Function(_)) => {
                self.want(closure, wanted);
            }
            // Which type a number has is known before the closure is looked at that takes it.
            syn::Expr::MethodCall(call) if matches!(self.table.shallow(wanted), Ty::Scalar(_)) => {
                self.want(call, wanted);
            }
            syn::Expr::Reference(reference) => {
                let wanted = match self.table.shallow(wanted) {
                    Ty::Reference { to, .. } => (*to).clone(),
                    Ty::Slice { element, .. } => Ty::Elements(element),
                    _ => return,
                };
                self.note_wanted(&reference.expr, &wanted);
            }
            syn::Expr::Block(block) => self.note_wanted_of_block(&block.block, wanted),
            syn::Expr::Unsafe(block) => self.note_wanted_of_block(&block.block, wanted),
            syn::Expr::If(branch) => {
                self.note_wanted_of_block(&branch.then_branch, wanted);
                if let Some((_, otherwise)) = &branch.else_branch {
                    self.note_wanted(otherwise, wanted);
                }
            }
            syn::Expr::Match(choice) => {
                choice.arms.iter().for_each(|arm| self.note_wanted(&arm.body, wanted));
            }
            _ => {}
        }
    }

    fn want<E>(&mut self, expr: &E, wanted: &Ty) {
        self.wanted_values.insert(std::ptr::from_ref(expr).cast(), wanted.clone());
    }

    /// The type that is wanted of an expression, as far as somebody has noted it.
    pub(super) fn wanted_value<E>(&mut self, expr: &E) -> Option<Ty> {
        let wanted = self.wanted_values.remove(&std::ptr::from_ref(expr).cast())?;
        Some(self.table.shallow(&wanted))
    }

    pub(super) fn note_wanted_of_block(&mut self, block: &syn::Block, wanted: &Ty) {
        if let Some(syn::Stmt::Expr(tail, None)) = block.stmts.last() {
            self.note_wanted(tail, wanted);
        }
    }

    /// Lets the generic arguments of a value be the slices, shared references and functions that are wanted, which what it is made of may become.
    fn presume_references(&mut self, own: &Ty, wanted: &Ty) {
        let (Ty::Nominal(own), Ty::Nominal(wanted)) = (self.table.shallow(own), self.table.shallow(wanted))
        else {
            return;
        };
        if own.id != wanted.id {
            return;
        }
        for (own, wanted) in own.arguments.iter().zip(&wanted.arguments) {
            let wanted = self.table.shallow(wanted);
            if self.is_made_by_coercion(&wanted) {
                self.table.unify(own, &wanted);
            }
        }
    }

    /// Returns whether values of other types become this one: of a tuple, its elements do.
    fn is_made_by_coercion(&self, ty: &Ty) -> bool {
        match self.table.shallow(ty) {
            Ty::Slice { mutable: false, .. }
            | Ty::Reference { mutable: false, .. }
            | Ty::Function(_)
            | Ty::Nominal(_) => true,
            Ty::Tuple(elements) => elements.iter().any(|element| self.is_made_by_coercion(element)),
            _ => false,
        }
    }

    /// A struct or variant without fields, as a value.
    pub(super) fn unit_value(&mut self, tokens: &Path, constructor: Constructor) -> (ExprKind, Ty) {
        if constructor.variant().style != Style::Unit {
            let message = "device code can only call this, not use it as a value";
            self.error(Code::ItemAsValue, tokens, message, "write its fields after it");
            return (ExprKind::Error, Ty::Error);
        }
        let kind = ExprKind::Construct { variant: constructor.test(), fields: Vec::new(), base: None };
        (kind, constructor.ty)
    }

    /// The type of a field, in which associated types are what they stand for.
    fn field_type(&mut self, constructor: &Constructor, position: usize) -> Ty {
        let ty = constructor.field_type(position);
        self.normalized(&ty)
    }

    /// The position and the type of a field of a struct.
    pub(super) fn struct_field(&mut self, ty: &Ty, member: &syn::Member) -> Option<(usize, Ty)> {
        let definition = self.definition_of(ty).filter(|definition| !definition.is_enum())?;
        let constructor = Constructor { ty: self.table.shallow(ty), definition, position: 0 };
        let position = constructor.position_of(member)?;
        Some((position, self.field_type(&constructor, position)))
    }

    /// `Name { field: pattern, .. }`.
    pub(super) fn struct_pattern(
        &mut self,
        pattern: &syn::PatStruct,
        mut inner: impl FnMut(&mut Self, &syn::Pat, &Ty) -> Pattern,
        ty: &Ty,
    ) -> Pattern {
        if let Some(form) = super::types::range_type(&pattern.path, pattern.path.segments.len()) {
            let number = self.table.fresh(VariableKind::Any);
            self.coerce(&pattern.path, ty, &Ty::Range(Rc::new(number.clone()), form));
            let mut ends = vec![Pattern::Any; form.ends()];
            for field in &pattern.fields {
                let end = inner(self, &field.pat, &number);
                if let Some(position) = form.position(&field.member) {
                    ends[position] = end;
                }
            }
            return Pattern::Variant { variant: None, fields: ends };
        }
        let Some(constructor) = self.constructor(&pattern.path) else {
            self.unknown_type(&pattern.path);
            pattern.fields.iter().for_each(|field| self.bind_unknown(&field.pat));
            return Pattern::Any;
        };
        self.coerce(&pattern.path, ty, &constructor.ty);
        let mut fields = vec![Pattern::Any; constructor.variant().fields.len()];
        for field in &pattern.fields {
            match constructor.position_of(&field.member) {
                Some(position) => {
                    let ty = self.field_type(&constructor, position);
                    fields[position] = inner(self, &field.pat, &ty);
                }
                None => {
                    self.leave_to_rustc(&field.member, "there is no such field");
                    self.bind_unknown(&field.pat);
                }
            }
        }
        Pattern::Variant { variant: constructor.test(), fields }
    }

    /// `Name(a, .., b)`: the types of the fields, for the caller to match them like the elements of a tuple.
    pub(super) fn tuple_struct_types(
        &mut self,
        pattern: &syn::PatTupleStruct,
        ty: &Ty,
    ) -> Option<(Option<VariantTest>, Vec<Ty>)> {
        let Some(constructor) = self.constructor(&pattern.path) else {
            self.unknown_type(&pattern.path);
            return None;
        };
        self.coerce(&pattern.path, ty, &constructor.ty);
        let count = constructor.variant().fields.len();
        let types = (0..count).map(|position| self.field_type(&constructor, position)).collect();
        Some((constructor.test(), types))
    }

    /// A struct or variant without fields as a pattern, if that is what a path names.
    pub(super) fn unit_pattern(&mut self, path: &Path, ty: &Ty) -> Option<Pattern> {
        let constructor = self.constructor(path)?;
        self.coerce(path, ty, &constructor.ty);
        let fields = vec![Pattern::Any; constructor.variant().fields.len()];
        Some(Pattern::Variant { variant: constructor.test(), fields })
    }

    /// `value?`.
    pub(super) fn try_expr(&mut self, expr: &syn::ExprTry) -> (ExprKind, Ty) {
        let value = self.expr(&expr.expr);
        let (payload, is_option, error) = match self.table.shallow(&value.ty) {
            Ty::Nominal(nominal) if nominal.id == OPTION => (nominal.arguments[0].clone(), true, None),
            Ty::Nominal(nominal) if nominal.id == RESULT => {
                (nominal.arguments[0].clone(), false, Some(nominal.arguments[1].clone()))
            }
            Ty::Nominal(nominal) if nominal.id == CONTROL_FLOW => return self.try_flow(expr, value),
            Ty::Error => return (ExprKind::Error, Ty::Error),
            other => {
                let other = self.table.partial(&other);
                self.leave_to_rustc(expr, format!("`?` cannot be applied to `{other}`"));
                return (ExprKind::Error, Ty::Error);
            }
        };
        if self.role == Role::Kernel && self.used.is_empty() {
            self.known_to_rustc(expr, "a kernel returns nothing, so nothing can be returned by `?`");
            return (ExprKind::Error, payload);
        }
        // The function, or closure, answers with a type of the same kind, whose success may be another.
        let success = self.table.fresh(VariableKind::Any);
        let result = self.result.clone();
        let value = match error {
            None => {
                self.coerce(&expr.question_token, &Ty::option(success), &result);
                value
            }
            Some(error) => {
                let other = self.table.fresh(VariableKind::Any);
                let wanted = self.type_of_result(success, other.clone());
                self.coerce(&expr.question_token, &wanted, &result);
                self.with_error(&expr.question_token, value, &error, &other)
            }
        };
        (ExprKind::Try { value: Box::new(value), is_option }, payload)
    }

    /// `value?` of a `ControlFlow`.
    fn try_flow(&mut self, expr: &syn::ExprTry, value: Expr) -> (ExprKind, Ty) {
        let at = Span::call_site().located_at(expr.question_token.span);
        let left: syn::Expr = parse_quote_spanned!(at=> match __flow {
            std::ops::ControlFlow::Continue(__value) => __value,
            std::ops::ControlFlow::Break(__value) => return std::ops::ControlFlow::Break(__value),
        });
        let Expr { kind, ty, .. } = self.with_hidden("__flow", value, |infer| infer.expr(&left));
        (kind, ty)
    }

    /// The number that tells the variants of an enum apart, where a value is cast.
    pub(super) fn enum_tag(&mut self, operand: Expr) -> Expr {
        let tag = self.definition_of(&operand.ty).and_then(|definition| {
            let fieldless = definition.variants.iter().all(|variant| variant.fields.is_empty());
            definition.tag.filter(|_| fieldless)
        });
        let Some(tag) = tag else { return operand };
        let span = operand.span;
        Expr { kind: ExprKind::Tag(Box::new(operand)), ty: Ty::Scalar(tag), span }
    }

    /// A path that should name a type.
    pub(super) fn unknown_type(&mut self, path: &Path) {
        let prefix = path.segments.len().saturating_sub(1);
        if self.is_poisoned(path) || prefix > 0 && self.type_of_path(path, prefix) == Some(Ty::Error) {
            return;
        }
        let shown = path.to_token_stream().to_string().replace(' ', "");
        let diagnostic = Diagnostic::left_to_rustc(path, format!("device code does not have `{shown}`"))
            .code(Code::UnsupportedType)
            .help("types of your own are visible with `#[device]`; write `Enum::Variant` in full");
        self.diagnostics.push(diagnostic);
    }

    fn is_poisoned(&self, path: &Path) -> bool {
        matches!(self.link(path), Some(Link::Poisoned))
            || matches!(self.link(&prefix(path)), Some(Link::Poisoned))
    }
}

/// A path without its last segment.
pub(super) fn prefix(path: &Path) -> Path {
    let mut prefix = path.clone();
    prefix.segments.pop();
    prefix.segments.pop_punct();
    prefix
}

/// The number type that tells variants apart where the author chose none: the smallest that is cheap.
fn tag(variants: &[Variant]) -> Scalar {
    let plain = variants.iter().enumerate().all(|(index, variant)| variant.discriminant == index as i128);
    let fits = variants.iter().all(|variant| i32::try_from(variant.discriminant).is_ok());
    match (plain && variants.len() == 2, fits) {
        (true, _) => Scalar::Bool,
        (false, true) => Scalar::I32,
        (false, false) => Scalar::I64,
    }
}

/// A struct, or a variant of an enum, with the generic arguments of the place where it is used.
pub(super) struct Constructor {
    pub(super) ty: Ty,
    pub(super) definition: Rc<Definition>,
    position: usize,
}

impl Constructor {
    fn variant(&self) -> &Variant {
        &self.definition.variants[self.position]
    }

    fn test(&self) -> Option<VariantTest> {
        let discriminant = self.variant().discriminant as i64;
        self.definition.is_enum().then_some(VariantTest { position: self.position, discriminant })
    }

    fn position_of(&self, member: &syn::Member) -> Option<usize> {
        let name = match member {
            syn::Member::Named(name) => name.to_string(),
            syn::Member::Unnamed(index) => index.index.to_string(),
        };
        self.variant().fields.iter().position(|field| field.name == name)
    }

    fn field_type(&self, position: usize) -> Ty {
        let arguments = match &self.ty {
            Ty::Nominal(nominal) => &nominal.arguments[..],
            _ => &[],
        };
        self.variant().fields[position].ty.substitute(arguments)
    }
}

/// Returns whether a call looks like one of a constructor.
fn is_constructor(call: &syn::ExprCall) -> bool {
    match &*call.func {
        syn::Expr::Path(path) => {
            path.path.segments.last().is_some_and(|last| {
                last.ident.to_string().starts_with(|first: char| first.is_ascii_uppercase())
            })
        }
        _ => false,
    }
}
