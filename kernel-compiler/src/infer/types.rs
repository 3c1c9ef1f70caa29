//! Types as the user writes them.

use super::{Infer, Role, generics, nominal};
use crate::chain::{Link, Links};
use crate::diagnostics::{Code, Diagnostic};
use crate::names;
use crate::typed::{Access, ORDERING, RangeForm, TRY_FROM_INT_ERROR, TRY_FROM_SLICE_ERROR, Ty, VariableKind};
use std::rc::Rc;
use syn::{GenericArgument, PathArguments, Type, TypePath};

/// The largest array in bytes; work-items have little memory of their own, so more is a mistake.
const MAX_ARRAY_BYTES: u64 = 1 << 24;

const TYPES: &str = "use `bool`, an integer of 8 to 64 bits, `f16`, `f32`, `f64`, vectors such as `f32x4`, arrays, tuples, structs and enums of these, and slices";

/// The error for a type that depends on a number which the host sets.
#[must_use]
pub fn specialized_type(name: &str, tokens: &impl quote::ToTokens) -> Diagnostic {
    let message = format!(
        "a type has to be known when the kernel is compiled, and `{name}` is set when it is launched"
    );
    let help = format!("list what it can be, as in `#[kernel({name} = [16, 32])]`");
    Diagnostic::new(Code::NotConstant, tokens, message).help(help)
}

/// The `T` of `Name<T>`.
pub(super) fn type_argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(ty)) => Some(ty),
        _ => None,
    }
}

impl Infer<'_> {
    /// The type that the user wrote.
    pub(super) fn ty(&mut self, ty: &Type) -> Ty {
        match ty {
            Type::Paren(ty) => self.ty(&ty.elem),
            Type::Group(ty) => self.ty(&ty.elem),
            Type::Infer(_) => self.table.fresh(VariableKind::Any),
            Type::Never(_) => Ty::Never,
            Type::Tuple(tuple) => Ty::tuple(tuple.elems.iter().map(|element| self.ty(element)).collect()),
            Type::Array(array) => {
                let element = self.ty(&array.elem);
                let len = self.length(&array.len);
                self.array_type(element, len, ty)
            }
            Type::Reference(reference) => self.reference_type(reference, ty),
            Type::Ptr(pointer) => self.pointer_type(pointer),
            Type::FnPtr(function) => self.function_type(function),
            // As the argument of a generic type that is open to types without a size; elsewhere it is rustc's to refuse.
            Type::Slice(slice) => Ty::Elements(Rc::new(self.ty(&slice.elem))),
            Type::ImplTrait(_) if self.opens_impl_traits => self.table.fresh(VariableKind::Any),
            Type::Path(path) if path.qself.is_none() => self.path_type(path),
            Type::Path(path) => match self.associated_type(path) {
                Some(ty) => ty,
                None => self.unsupported(ty, "device code does not have this type", TYPES),
            },
            other => {
                let (message, help) = match other {
                    Type::ImplTrait(_) | Type::TraitObject(_) => (
                        "device code cannot take functions and traits as values",
                        "call a `#[device] fn` by its name",
                    ),
                    _ => ("device code does not have this type", TYPES),
                };
                self.unsupported(other, message, help)
            }
        }
    }

    /// A type that others see, such as that of a parameter or a field. rustc refuses `_` and missing generic arguments there, and here they
    /// would be variables of a table that is gone when it is looked at.
    pub(super) fn complete_type(&mut self, written: &Type) -> Ty {
        let ty = self.ty(written);
        let complete = self.table.closed(&ty);
        if complete.has_error() && !ty.has_error() {
            self.incomplete_type(written);
        }
        complete
    }

    /// rustc reports it in the host's copy, which a kernel has only if nothing is certain to be wrong with it.
    pub(super) fn incomplete_type(&mut self, written: &impl quote::ToTokens) {
        let message = "this type leaves something out";
        match self.role {
            Role::Kernel => self.leave_to_rustc(written, message),
            Role::Device => self.known_to_rustc(written, message),
        }
    }

    fn unsupported(&mut self, ty: &Type, message: &str, help: &str) -> Ty {
        self.error(Code::UnsupportedType, ty, message, help);
        Ty::Error
    }

    fn reference_type(&mut self, reference: &syn::TypeReference, whole: &Type) -> Ty {
        let written = match self.role {
            // A reference to local or constant memory leads to what is there, as in Rust where that is wanted.
            Role::Device => self.held_in_space(&reference.elem).unwrap_or(&reference.elem),
            Role::Kernel => &reference.elem,
        };
        match written {
            Type::Slice(slice) => {
                let element = self.ty(&slice.elem);
                Ty::Slice { element: Rc::new(element), mutable: reference.mutability.is_some() }
            }
            Type::TraitObject(_) | Type::ImplTrait(_) if !self.opens_impl_traits => {
                let help = "call a `#[device] fn` by its name";
                self.unsupported(whole, "device code cannot take functions and traits as values", help)
            }
            other => {
                let to = self.ty(other);
                if self.is_str(&to) && reference.mutability.is_none() {
                    return to;
                }
                Ty::reference(to, reference.mutability.is_some())
            }
        }
    }

    /// `fn(A) -> R`.
    fn function_type(&mut self, function: &syn::TypeFnPtr) -> Ty {
        if function.unsafety.is_some() || function.abi.is_some() || function.variadic.is_some() {
            let help = "write `fn(A) -> R`";
            return self.unsupported(
                &Type::FnPtr(function.clone()),
                "device code takes Rust's safe functions as values",
                help,
            );
        }
        let mut signature: Vec<_> = function.inputs.iter().map(|input| self.ty(&input.ty)).collect();
        signature.push(match &function.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.ty(ty),
        });
        Ty::Function(signature.into())
    }

    /// The `T` of `Local<T>` and `Constant<T>`.
    fn held_in_space<'t>(&mut self, written: &'t Type) -> Option<&'t Type> {
        let path = match written {
            Type::Paren(inner) => return self.held_in_space(&inner.elem),
            Type::Group(inner) => return self.held_in_space(&inner.elem),
            Type::Path(path) if path.qself.is_none() => &path.path,
            _ => return None,
        };
        let is_space =
            matches!(self.link(path), Some(Link::Builtin(name)) if name == "Local" || name == "Constant");
        if is_space { type_argument(&path.segments.last()?.arguments) } else { None }
    }

    fn path_type(&mut self, path: &TypePath) -> Ty {
        let last = &path.path.segments[path.path.segments.len() - 1];
        let outer = std::mem::replace(&mut self.takes_defaults, true);
        let named = self.type_of_path(&path.path, path.path.segments.len());
        self.takes_defaults = outer;
        if let Some(ty) = named {
            self.fill_in_defaults(&ty, &last.arguments);
            return ty;
        }
        match self.link(&path.path) {
            Some(Link::Builtin(name)) if name == "Local" => {
                let inner = self.local_argument(&last.arguments);
                Ty::Local(Rc::new(inner))
            }
            _ => {
                if let Some(ty) = self.associated_type(path) {
                    return ty;
                }
                let name = &last.ident;
                if !self.program.names_are_known && type_advice(name).is_none() {
                    return Ty::Error;
                }
                let message = format!("device code does not have the type `{name}`");
                let mut diagnostic = Diagnostic::new(Code::UnsupportedType, path, message)
                    .help(type_advice(name).unwrap_or(OWN_TYPES));
                if name == "f128" {
                    let demand = "integers have 8, 16, 32 or 64 bits, and floats 16, 32 or 64";
                    diagnostic = diagnostic.environment("Basic Scalar and Vector Types", demand);
                }
                self.diagnostics.push(diagnostic);
                Ty::Error
            }
        }
    }

    /// Makes the generic arguments that are left out in the name of a type its defaults.
    pub(super) fn fill_in_defaults(&mut self, ty: &Ty, written: &PathArguments) {
        let Ty::Nominal(nominal) = ty else { return };
        let is_argument = |argument: &&GenericArgument| !matches!(argument, GenericArgument::Lifetime(_));
        let count = match written {
            PathArguments::AngleBracketed(written) => written.args.iter().filter(is_argument).count(),
            _ => 0,
        };
        let program = self.program;
        let Some((_, item)) = program.item(&nominal.id).filter(|_| count < nominal.arguments.len()) else {
            return;
        };
        let (syn::Item::Struct(syn::ItemStruct { generics, .. })
        | syn::Item::Enum(syn::ItemEnum { generics, .. })) = &**item.item()
        else {
            return;
        };
        let parameters =
            generics.params.iter().filter(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_)));
        let mut there = Infer::new(program, item.links(), self.role, Ty::Unit);
        there.generics = generics::opaque(&generics::of(generics));
        for (parameter, argument) in parameters.zip(&nominal.arguments).skip(count) {
            if let Some(default) = there.default_argument(parameter) {
                self.table.unify(argument, &default.substitute(&nominal.arguments));
            }
        }
    }

    /// The default of a generic parameter, if it has one.
    fn default_argument(&mut self, parameter: &syn::GenericParam) -> Option<Ty> {
        match parameter {
            syn::GenericParam::Type(syn::TypeParam { default: Some((_, default)), .. }) => {
                Some(self.complete_type(default))
            }
            syn::GenericParam::Const(syn::ConstParam { default: Some((_, default)), .. }) => {
                Some(self.length(default))
            }
            _ => None,
        }
    }

    /// The type that the first segments of a path name, if they do.
    pub(super) fn type_of_path(&mut self, path: &syn::Path, count: usize) -> Option<Ty> {
        let last = path.segments.get(count.checked_sub(1)?)?;
        if count == 1 && path.leading_colon.is_none() {
            let name = last.ident.to_string();
            if let Some((ty, None)) = self.generics.get(&name) {
                return Some(ty.clone());
            }
        }
        let mut prefix = path.clone();
        prefix.segments = prefix.segments.into_iter().take(count).collect();
        prefix.segments.pop_punct();
        if let Some((scalar, None)) = self.scalar_path(&prefix) {
            return Some(Ty::Scalar(scalar));
        }
        if let Some(scalar) = names::atomic(&last.ident) {
            return Some(Ty::Atomic(scalar));
        }
        if let Some(ty) = self.vector_type(&prefix, &last.arguments) {
            return Some(ty);
        }
        if let Some(ty) = self.image_type(&prefix, &last.arguments) {
            return Some(ty);
        }
        if let Some(form) = range_type(path, count) {
            let number = self.generic_arguments(1, &last.arguments).pop()?;
            return Some(Ty::Range(Rc::new(number), form));
        }
        // `use std::str;` does not change what `&str` means.
        if count == 2
            && ["str", "char", "u128", "i128"].iter().any(|name| last.ident == name)
            && (path.segments[0].ident == "std" || path.segments[0].ident == "core")
        {
            return self.type_of_path(&syn::Path::from(last.ident.clone()), 1);
        }
        if count == 3
            && let [root, module, name] =
                &path.segments.iter().take(3).map(|one| one.ident.to_string()).collect::<Vec<_>>()[..]
            && matches!(&**root, "std" | "core")
            && (&**module, &**name) == ("fmt", "Result")
        {
            let error = self.type_of_path(&syn::parse_quote!(core::fmt::Error), 3)?;
            return Some(self.type_of_result(Ty::Unit, error));
        }
        if let Some(ty) = self.iterator_type(path, count) {
            return Some(ty);
        }
        if let Some(id) = standard_type(path, count).filter(|_| self.link(&prefix).is_none()) {
            return self.nominal(&id.to_owned(), &last.arguments);
        }
        match self.link(&prefix)? {
            Link::Device(id) => {
                match self.program.item(id).map(|(_, item)| item).map(|item| (&**item.item(), item.links())) {
                    Some((syn::Item::Type(alias), links)) => {
                        Some(self.aliased(alias, links, &last.arguments))
                    }
                    Some((syn::Item::Struct(_) | syn::Item::Enum(_), _)) => {
                        // What a `PhantomData` is of, it does not hold, so that may be any type.
                        let written = match id == "std::PhantomData" {
                            true => &PathArguments::None,
                            false => &last.arguments,
                        };
                        Some(self.nominal(id, written).unwrap_or(Ty::Error))
                    }
                    _ => None,
                }
            }
            Link::Poisoned => Some(Ty::Error),
            _ => None,
        }
    }

    /// The type of an iterator of the standard library that has a name: a `Peekable` of elements is what it is made of here.
    fn iterator_type(&mut self, path: &syn::Path, count: usize) -> Option<Ty> {
        let names: Vec<_> =
            path.segments.iter().take(count).map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let ["std" | "core", module, name] = names[..] else { return None };
        let arguments = &path.segments[count - 1].arguments;
        let item_of: fn(Ty) -> Ty = match (module, name) {
            (
                "iter",
                "Peekable" | "Enumerate" | "Copied" | "Cloned" | "Fuse" | "Rev" | "Take" | "Skip" | "StepBy"
                | "Cycle",
            ) => {
                let of = self.generic_arguments(1, arguments).pop()?;
                return Some(self.adapted_type(name, of));
            }
            ("iter", "Zip" | "Chain") => {
                let of = <[Ty; 2]>::try_from(self.generic_arguments(2, arguments)).ok()?;
                return self.joined_type(name, of);
            }
            ("str", "Bytes") => return Some(items(Ty::Scalar(kernel_core::Scalar::U8), Access::Elements)),
            ("slice", "Iter") => |element| Ty::Reference { to: Rc::new(element), mutable: false },
            ("slice", "IterMut") => |element| Ty::Reference { to: Rc::new(element), mutable: true },
            ("slice", "Chunks" | "ChunksExact" | "Windows") => {
                |element| Ty::Slice { element: Rc::new(element), mutable: false }
            }
            ("slice", "ChunksMut" | "ChunksExactMut") => {
                |element| Ty::Slice { element: Rc::new(element), mutable: true }
            }
            ("array", "IntoIter") => |element| element,
            _ => return None,
        };
        let item = item_of(self.generic_arguments(1, arguments).pop()?);
        Some(items(item, Access::Elements))
    }

    /// What a type alias stands for.
    fn aliased(&mut self, alias: &syn::ItemType, links: &Links, arguments: &PathArguments) -> Ty {
        let parameters = generics::of(&alias.generics);
        let count = super::member::count_of(arguments);
        let takes_defaults = std::mem::take(&mut self.takes_defaults);
        let arguments = self.generic_arguments(parameters.len(), arguments);
        self.takes_defaults = takes_defaults;
        let mut there = Infer::new(self.program, links, self.role, Ty::Unit);
        there.generics = generics::opaque(&parameters);
        if takes_defaults {
            let written = alias.generics.params.iter();
            let written = written.filter(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_)));
            for (parameter, argument) in written.zip(&arguments).skip(count) {
                if let Some(default) = there.default_argument(parameter) {
                    self.table.unify(argument, &default.substitute(&arguments));
                }
            }
        }
        // What is wrong with it is reported where it is defined.
        there.complete_type(&alias.ty).substitute(&arguments)
    }

    /// The `T` of `Local<T>`.
    pub(super) fn local_argument(&mut self, arguments: &PathArguments) -> Ty {
        match type_argument(arguments) {
            Some(inner) => self.ty(inner),
            None => self.table.fresh(VariableKind::Any),
        }
    }

    /// `[element; len]`, if that is a type.
    pub(super) fn array_type(&mut self, element: Ty, len: Ty, tokens: &impl quote::ToTokens) -> Ty {
        if len == Ty::Error {
            return Ty::Error;
        }
        let allowed = match self.table.shallow(&element) {
            Ty::Error => return Ty::Error,
            Ty::Slice { .. } | Ty::Reference { .. } if !self.table.partial(&element).can_vary() => {
                Some("the elements of an array are values, slices of values, or references to values")
            }
            Ty::Local(_) | Ty::Never => {
                Some("the elements of an array are scalars, arrays, tuples, structs and enums")
            }
            _ => None,
        };
        if let Some(allowed) = allowed {
            let message = format!("an array of `{}` is not in the language", self.table.partial(&element));
            self.error(Code::UnsupportedType, tokens, message, allowed);
            return Ty::Error;
        }
        if self.refuse_specialized(&len, tokens) || self.refuse_specialized(&element, tokens) {
            return Ty::Error;
        }
        // A length that is not known yet is one that has been checked where it comes from.
        let Ty::Constant(count) = self.table.shallow(&len) else {
            return Ty::Array(Rc::new(element), Rc::new(len));
        };
        let bytes = u64::try_from(count).ok().and_then(|count| self.size_bound(&element).checked_mul(count));
        match (bytes, count) {
            (_, 0) => {
                self.error(
                    Code::ArrayLength,
                    tokens,
                    "an array cannot be empty",
                    "SPIR-V has no arrays without elements",
                );
                Ty::Error
            }
            (Some(bytes), _) if bytes <= MAX_ARRAY_BYTES && u32::try_from(count).is_ok() => {
                Ty::Array(Rc::new(element), Rc::new(len))
            }
            _ => {
                let help = "a work-item has little memory of its own: use a slice that the host allocates";
                self.error(
                    Code::ArrayLength,
                    tokens,
                    format!("an array cannot have {count} elements of this type"),
                    help,
                );
                Ty::Error
            }
        }
    }

    /// Refuses a type that depends on a number which the host sets; whether it did.
    pub(super) fn refuse_specialized(&mut self, ty: &Ty, tokens: &impl quote::ToTokens) -> bool {
        let ty = self.table.partial(ty);
        let Some(name) = ty.specialized() else { return false };
        let diagnostic = specialized_type(name, tokens);
        self.diagnostics.push(diagnostic);
        true
    }

    /// The size of a type in bytes, at most; where the type is not known yet, that of the largest scalar.
    fn size_bound(&self, ty: &Ty) -> u64 {
        match self.table.shallow(ty) {
            Ty::Scalar(scalar) => scalar.size() as u64,
            Ty::Vector(element, lanes) => {
                let lanes = self.table.shallow(&lanes).length().unwrap_or(16);
                self.size_bound(&element).saturating_mul(lanes.next_power_of_two().into())
            }
            Ty::Array(element, len) => {
                let len = self.table.shallow(&len).length().unwrap_or(1);
                self.size_bound(&element).saturating_mul(u64::from(len))
            }
            Ty::Tuple(elements) => self.size_of_all(elements.iter()),
            Ty::Nominal(nominal) => {
                let Some(definition) = self.program.definition(&nominal.id) else { return 8 };
                let fields = definition.variants.iter().flat_map(|variant| &variant.fields);
                let types: Vec<_> = fields.map(|field| field.ty.substitute(&nominal.arguments)).collect();
                self.size_of_all(types.iter()).saturating_add(8)
            }
            _ => 8,
        }
    }

    fn size_of_all<'t>(&self, types: impl Iterator<Item = &'t Ty>) -> u64 {
        types.fold(0, |sum, ty| self.size_bound(ty).saturating_add(sum))
    }
}

/// The id of a type of the standard library that the first segments of a path name.
fn standard_type(path: &syn::Path, count: usize) -> Option<&'static str> {
    let names: Vec<String> =
        path.segments.iter().take(count).map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names[..] {
        ["Option"] | ["std" | "core", "option", "Option"] => Some(nominal::OPTION),
        ["Result"] | ["std" | "core", "result", "Result"] => Some(nominal::RESULT),
        ["Ordering"] | ["std" | "core", "cmp", "Ordering"] => Some(ORDERING),
        ["TryFromIntError"] | ["std" | "core", "num", "TryFromIntError"] => Some(TRY_FROM_INT_ERROR),
        ["TryFromSliceError"] | ["std" | "core", "array", "TryFromSliceError"] => Some(TRY_FROM_SLICE_ERROR),
        _ => None,
    }
}

/// The type of an iterator.
fn items(item: Ty, access: Access) -> Ty {
    Ty::Iterator { item: Rc::new(item), access }
}

/// The form of a range whose type the first segments of a path name.
pub(super) fn range_type(path: &syn::Path, count: usize) -> Option<RangeForm> {
    let names: Vec<String> =
        path.segments.iter().take(count).map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names[..] {
        ["std" | "core", "ops", "Range"] => Some(RangeForm::HalfOpen),
        ["std" | "core", "ops", "RangeInclusive"] => Some(RangeForm::Closed),
        ["std" | "core", "ops", "RangeFrom"] => Some(RangeForm::From),
        _ => None,
    }
}

const OWN_TYPES: &str = "types of your own are visible with `#[device]`";

/// What to write instead of a type that is for the host.
fn type_advice(name: &syn::Ident) -> Option<&'static str> {
    names::host_only(name).or_else(|| match name.to_string().as_str() {
        "Local" => Some(
            "local memory is declared in the body of the kernel: `let mut tile = Local::<[f32; 256]>::new();`; if the launch chooses \
             the length, the kernel takes `&mut Local<[f32]>`",
        ),
        "Constant" => Some(
            "a kernel takes `&Constant<[T]>`, of any length; in its body, and for device functions, that is a `&[T]`",
        ),
        "Buffer" => {
            Some("write `&[T]` or `&mut [T]`; the host then passes a `&Buffer<T>` or a `&mut Buffer<T>`")
        }
        _ => None,
    })
}
