//! What a kernel takes: types that host and device can share.
//!
//! These are scalars, arrays, and structs whose layout their author has fixed, by value, in slices and behind references (Level Zero
//! SPIR-V environment, "Kernel Arguments"). What the environment does not take as an argument, `bool` and `f64`, is passed as an
//! integer.

use super::Infer;
use crate::diagnostics::{Code, Diagnostic};
use crate::names;
use crate::typed::{Nominal, Ty};
use kernel_core::{Layout, MAX_ALIGNMENT, Scalar};
use syn::Type;

/// The most bytes that an argument by value may have; no device takes more, and some take less.
const MAX_VALUE_BYTES: u64 = 4096;

/// Why a type cannot be shared, and what to do instead.
pub(super) struct Obstacle {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) help: String,
    /// Whether it is the environment that does not have such arguments.
    pub(super) is_of_environment: bool,
}

/// What the environment has as arguments ("Kernel Arguments").
const ARGUMENTS: &str =
    "arguments are integers, floats, structs of these, vectors, pointers, samplers and images";

impl Obstacle {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            code: Code::ParameterType,
            message: message.into(),
            help: help.into(),
            is_of_environment: false,
        }
    }

    fn of_environment(self) -> Self {
        Self { is_of_environment: true, ..self }
    }

    fn of_nominal(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code: Code::NotShared, ..Self::new(message, help) }
    }
}

impl Infer<'_> {
    /// Checks the type of a kernel's parameter.
    pub(super) fn kernel_parameter(&mut self, written: &Type, ty: &Ty) {
        if ty.has_error() {
            return;
        }
        let (shared, by_value) = match ty {
            Ty::Sampler(..) => return self.sampler_parameter(written, ty),
            Ty::Reference { to, .. } if matches!(**to, Ty::Image { .. }) => {
                return self.image_parameter(written, to);
            }
            Ty::Slice { element, .. } => (&**element, false),
            Ty::Reference { to, .. } | Ty::Pointer { to, .. } => (&**to, false),
            other => (other, true),
        };
        if self.is_wide(shared) {
            let message = format!("host and device do not share the type `{shared}`");
            let demand = "integers have 8, 16, 32 or 64 bits, and floats 16, 32 or 64";
            let help = "pass two words of 64 bits each, and make the number of them";
            return self.diagnostics.push(
                Diagnostic::new(Code::UnsupportedType, written, message)
                    .environment("Basic Scalar and Vector Types", demand)
                    .help(help),
            );
        }
        if shared.is_atomic() {
            return self.atomic_parameter(written, ty, by_value);
        }
        self.pointers_in_parameter(written, shared);
        let obstacle = self.obstacle(shared).or_else(|| self.obstacle_behind(shared)).or_else(|| {
            let size = self.layout(shared).size;
            let help = "pass it in a buffer, as `&T` or `&[T]`";
            let message =
                format!("an argument by value has {MAX_VALUE_BYTES} bytes at most, and this {size}");
            (by_value && size > MAX_VALUE_BYTES).then(|| Obstacle::new(message, help))
        });
        if let Some(obstacle) = obstacle {
            self.refuse_parameter(written, &ty.to_string(), obstacle);
        }
    }

    /// Reports why a kernel cannot take a parameter of a type.
    pub(super) fn refuse_parameter(&mut self, written: &Type, ty: &str, obstacle: Obstacle) {
        let Obstacle { code, message, help, is_of_environment } = obstacle;
        let message = format!("a kernel cannot take `{ty}`: {message}");
        let mut diagnostic = Diagnostic::new(code, written, message).help(help);
        if is_of_environment {
            diagnostic = diagnostic.environment("Kernel Arguments", ARGUMENTS);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Checks a parameter that is or refers to atomics.
    fn atomic_parameter(&mut self, written: &Type, ty: &Ty, by_value: bool) {
        let (why, help) = match ty {
            Ty::Slice { mutable: true, .. } | Ty::Reference { mutable: true, .. } => (
                "atomics change behind shared references, and all work-items have the same one",
                "leave out the `mut`",
            ),
            Ty::Slice { .. } | Ty::Reference { .. } if names::is_atomic(written) => return,
            Ty::Slice { .. } | Ty::Reference { .. } => (
                "the function that launches it takes a buffer of numbers for atomics, and does not know this name",
                "write the name of the atomic type itself",
            ),
            _ if by_value => ("a copy would be the work-item's own", "write `&[AtomicU32]` or `&AtomicU32`"),
            _ => ("a raw pointer leads to numbers", "write `&[AtomicU32]` or `&AtomicU32`"),
        };
        self.error(Code::ParameterType, written, format!("a kernel cannot take `{ty}`: {why}"), help);
    }

    /// The layout of a type that can be shared.
    fn layout(&self, ty: &Ty) -> Layout {
        match ty {
            Ty::Scalar(scalar) => Layout::of_scalar(*scalar),
            Ty::Pointer { .. } => Layout::of_scalar(Scalar::Usize),
            Ty::Vector(..) => match ty.numeric() {
                Some(ty) => Layout::of_vector(ty.scalar, ty.lanes),
                None => Layout::EMPTY,
            },
            Ty::Array(element, len) => self.layout(element).repeated(len.length().unwrap_or(1).into()),
            Ty::Nominal(nominal) => {
                let definition = self.program.definition(&nominal.id);
                let variants = definition.iter().flat_map(|definition| &definition.variants);
                let fields = variants.flat_map(|variant| &variant.fields);
                let layouts =
                    fields.map(|field| self.layout(&self.program.field_type(field, &nominal.arguments)));
                let extent = layouts.fold(Layout::EMPTY, |layout, field| layout.with_field(field).0);
                let align = definition.as_ref().and_then(|definition| definition.alignment);
                extent.aligned(align.unwrap_or(1)).padded()
            }
            _ => Layout::EMPTY,
        }
    }

    /// Why values of a type cannot be in memory that host and device share.
    pub(super) fn obstacle(&self, ty: &Ty) -> Option<Obstacle> {
        match ty {
            // What a pointer leads to has been looked at where its type is written.
            Ty::Scalar(_) | Ty::Vector(..) | Ty::Pointer { .. } | Ty::Error => None,
            Ty::Array(element, _) => self.obstacle(element),
            Ty::Nominal(nominal) => self.nominal_obstacle(nominal),
            Ty::Tuple(_) | Ty::Unit => Some(
                Obstacle::new(
                    "the layout of a tuple is not fixed",
                    "write a `#[device]` struct that is `#[repr(C)]`",
                )
                .of_environment(),
            ),
            Ty::Slice { .. } | Ty::Reference { .. } => Some(Obstacle::new(
                "a reference of the host means nothing on the device",
                "pass each slice as a parameter of its own, or a raw pointer, `*const T` or `*mut T`",
            )),
            Ty::Atomic(_) => Some(Obstacle::new(
                "atomics are shared, and what is here is copied",
                "pass atomics in a slice of their own, as `&[AtomicU32]`",
            )),
            Ty::Image { .. } => Some(
                Obstacle::new(
                    "a kernel has an image by reference",
                    format!("write `&{ty}`, or `&mut {ty}` to write to it"),
                )
                .of_environment(),
            ),
            Ty::Sampler(..) => Some(
                Obstacle::new("a sampler is not in memory", "pass it as a parameter of its own, by value")
                    .of_environment(),
            ),
            Ty::Local(_) => Some(Obstacle::new(
                "local memory is the device's own",
                "declare it in the body: `let mut tile = Local::<[f32; 256]>::new();`",
            )),
            _ => Some(Obstacle::new(
                "host and device cannot share it",
                "a kernel takes scalars, vectors, arrays, `#[repr(C)]` structs, `&[T]`, `&mut [T]`, `&T` and `&mut T` of these",
            )),
        }
    }

    fn nominal_obstacle(&self, nominal: &Nominal) -> Option<Obstacle> {
        let definition = self.program.definition(&nominal.id)?;
        let name = &definition.name;
        if self.program.is_cell(nominal) {
            return Some(Obstacle::of_nominal(
                format!("`{name}` can change behind shared references, which only one work-item may have"),
                "make cells of the values in the kernel; what work-items share and change are atomics, as in `&[AtomicU32]`",
            ));
        }
        if definition.is_enum() {
            return Some(
                Obstacle::of_nominal(
                    format!("`{name}` is an enum, whose layout host and device do not share"),
                    "pass a number that says which variant it is, and what the variants hold",
                )
                .of_environment(),
            );
        }
        match definition.alignment {
            Some(..=MAX_ALIGNMENT) => {}
            Some(alignment) => {
                return Some(Obstacle::of_nominal(
                    format!("memory of devices need not be aligned to {alignment} bytes, as `{name}` is"),
                    format!("write `#[repr(C, align({MAX_ALIGNMENT}))]` on `{name}`, or less"),
                ));
            }
            None => {
                return Some(Obstacle::of_nominal(
                    format!("host and device would not agree on the layout of `{name}`"),
                    match nominal.id.as_str() {
                        "std::char" => "use a `u32`, and `char::from_u32` of it".to_owned(),
                        "std::u128" | "std::i128" => "use two words of 64 bits each".to_owned(),
                        "std::str" => "use bytes, as a `&[u8]`".to_owned(),
                        _ => format!("write `#[repr(C)]` on `{name}`, without `packed`"),
                    },
                ));
            }
        }
        let mut fields = definition.variants.iter().flat_map(|variant| &variant.fields).peekable();
        if fields.peek().is_none() {
            return Some(Obstacle::of_nominal(format!("`{name}` has no fields"), "leave it out"));
        }
        fields.find_map(|field| {
            let inner = self.obstacle(&self.program.field_type(field, &nominal.arguments))?;
            let message = format!("in the field `{}` of `{name}`, {}", field.name, inner.message);
            let obstacle = Obstacle::of_nominal(message, inner.help);
            Some(Obstacle { is_of_environment: inner.is_of_environment, ..obstacle })
        })
    }
}
