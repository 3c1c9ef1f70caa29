//! Images and samplers: their types, methods and functions.
//!
//! What is illegal has no such method in Rust, so rustc refuses it; what is refused here besides is refused in the same way there.

use super::Infer;
use super::deferred::Requirement;
use crate::chain::Link;
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::FormatQuery;
use crate::methods::Receiver;
use crate::typed::{
    CHANNEL_ORDER, CHANNEL_TYPE, Expr, ExprKind, ImageOp, Marker, Ty, VariableKind, image_shape,
};
use kernel_core::image::CONSTRUCTORS;
use kernel_core::{ChannelClass, ImageAccess, ImageShape, Scalar};
use std::rc::Rc;
use syn::{ExprCall, ExprMethodCall, GenericArgument, Path, PathArguments};

const METHODS: &str =
    "an image has `read` and `write`, `sample` if it is read only, and `width`, `channel_type` and the like";

/// An image type.
struct Image {
    shape: ImageShape,
    channel: Rc<Ty>,
    access: ImageAccess,
}

impl Image {
    /// What a texel is.
    fn texel(&self) -> Ty {
        if self.shape.is_depth() { (*self.channel).clone() } else { Ty::vector((*self.channel).clone(), 4) }
    }

    /// Coordinates of a type.
    fn coordinates(&self, number: &Ty) -> Ty {
        match self.shape.coordinates() {
            1 => number.clone(),
            count => Ty::tuple(vec![number.clone(); count]),
        }
    }
}

impl Infer<'_> {
    /// The image or sampler type that a path names, or one of the types that say something of these.
    pub(super) fn image_type(&mut self, path: &Path, arguments: &PathArguments) -> Option<Ty> {
        let name = match self.link(path) {
            Some(Link::Builtin(name)) => name.clone(),
            None if !self.program.names_are_known => path.segments.last()?.ident.to_string(),
            _ => return None,
        };
        if let Some(known) = [CHANNEL_ORDER, CHANNEL_TYPE].into_iter().find(|known| *known == name) {
            return Some(Ty::known(known));
        }
        if let Some(marker) = Marker::named(&name) {
            return Some(Ty::Marker(marker));
        }
        if name == "Sampler" {
            let [filter, coordinates] = self.generic_arguments(2, arguments).try_into().ok()?;
            return Some(Ty::Sampler(Rc::new(filter), Rc::new(coordinates)));
        }
        let shape = image_shape(&name)?;
        let written = match arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.len(),
            _ => 0,
        };
        let mut arguments = self.generic_arguments(written, arguments).into_iter();
        let channel = if shape.is_depth() { Some(Ty::Scalar(Scalar::F32)) } else { arguments.next() };
        let Some(channel) = channel else {
            self.incomplete_type(path);
            return Some(Ty::Error);
        };
        let access = arguments.next().unwrap_or(Ty::Marker(Marker::Access(ImageAccess::ReadOnly)));
        Some(Ty::Image { shape, channel: Rc::new(channel), access: Rc::new(access) })
    }

    /// `Sampler::repeat()` and its kin.
    pub(super) fn sampler_call(&mut self, call: &ExprCall, path: &Path) -> Option<(ExprKind, Ty)> {
        let count = path.segments.len().checked_sub(1)?;
        let own = path.segments.get(count.checked_sub(1)?)?;
        let ty @ Ty::Sampler(..) = self.image_type(&super::nominal::prefix(path), &own.arguments)? else {
            return None;
        };
        let name = path.segments[count].ident.to_string();
        let found = CONSTRUCTORS.into_iter().find(|(known, ..)| *known == name);
        let (Some((_, address, needs_normalized)), true) = (found, call.args.is_empty()) else {
            self.leave_to_rustc(&call.func, format!("there is no function `{name}` of `Sampler`"));
            return Some((ExprKind::Error, Ty::Error));
        };
        if let (true, Ty::Sampler(_, coordinates)) = (needs_normalized, &ty)
            && !self.table.unify(coordinates, &Ty::Marker(Marker::Normalized(true)))
        {
            self.leave_to_rustc(&call.func, format!("`{name}` is for normalized coordinates"));
            return Some((ExprKind::Error, Ty::Error));
        }
        Some((ExprKind::Image(ImageOp::Sampler(address), Vec::new()), ty))
    }

    pub(super) fn image_method(&mut self, call: &ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let Some(image) = self.known_image(&receiver.ty) else {
            self.arguments_of_unknown(&call.args);
            self.leave_to_rustc(&call.method, "what image this is, is not known");
            return (ExprKind::Error, Ty::Error);
        };
        let name = call.method.to_string();
        let arguments: Vec<_> = call.args.iter().collect();
        if let (Some(axis), []) = (image.shape.sizes().iter().position(|size| *size == name), &arguments[..])
        {
            return (ExprKind::Image(ImageOp::Size(axis), vec![receiver]), Ty::USIZE);
        }
        let format = match (name.as_str(), &arguments[..]) {
            ("channel_type", []) => Some((FormatQuery::Type, CHANNEL_TYPE)),
            ("channel_order", []) if !image.shape.is_depth() => Some((FormatQuery::Order, CHANNEL_ORDER)),
            _ => None,
        };
        if let Some((query, id)) = format {
            return (ExprKind::Image(ImageOp::Format(query), vec![receiver]), Ty::known(id));
        }
        if let Some((is_write, count)) = block(&name)
            && image.shape == ImageShape::D2
            && arguments.len() == 1 + usize::from(is_write)
            && (if is_write { image.access.writes() } else { image.access.reads() })
        {
            return self.image_block(call, receiver, &image, (is_write, count));
        }
        let checked = !name.ends_with("_unchecked");
        match (name.as_str(), &arguments[..]) {
            ("read" | "read_unchecked", [at]) if image.access.reads() => {
                let at = self.typed_argument(at, &image.coordinates(&Ty::USIZE));
                (ExprKind::Image(ImageOp::Read { checked }, vec![receiver, at]), image.texel())
            }
            ("write" | "write_unchecked", [at, texel]) if image.access.writes() => {
                let at = self.typed_argument(at, &image.coordinates(&Ty::USIZE));
                let texel = self.typed_argument(texel, &image.texel());
                (ExprKind::Image(ImageOp::Write { checked }, vec![receiver, at, texel]), Ty::Unit)
            }
            ("sample", [sampler, position])
                if image.access == ImageAccess::ReadOnly && image.shape.is_sampled() =>
            {
                let operands = self.sample_operands(&image, sampler, position);
                let operands = [receiver].into_iter().chain(operands).collect();
                (ExprKind::Image(ImageOp::Sample, operands), image.texel())
            }
            _ => {
                self.arguments_of_unknown(&call.args);
                let ty = self.table.partial(&receiver.ty);
                let message = format!("`{ty}` does not have the method `{name}`");
                let diagnostic = Diagnostic::left_to_rustc(&call.method, message);
                self.diagnostics.push(diagnostic.code(Code::UnknownMethod).help(METHODS));
                (ExprKind::Error, Ty::Error)
            }
        }
    }

    /// A block read or write of so many rows.
    fn image_block(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        image: &Image,
        (is_write, count): (bool, u32),
    ) -> (ExprKind, Ty) {
        let written = call.turbofish.as_ref().and_then(|written| written.args.first());
        let element = match written {
            Some(GenericArgument::Type(ty)) => self.ty(ty),
            _ => self.table.fresh(VariableKind::Any),
        };
        let value = match count {
            1 => element.clone(),
            _ => Ty::Vector(Rc::new(element.clone()), Rc::new(Ty::Constant(count.into()))),
        };
        let parameters = [image.coordinates(&Ty::USIZE), value.clone()];
        let given = call.args.iter().zip(&parameters);
        let given: Vec<_> = given.map(|(argument, wanted)| self.typed_argument(argument, wanted)).collect();
        self.defer(Requirement::In(Receiver::Block), &element, &call.method);
        let operands = [receiver].into_iter().chain(given).collect();
        (ExprKind::Image(ImageOp::Block, operands), if is_write { Ty::Unit } else { value })
    }

    fn known_image(&self, ty: &Ty) -> Option<Image> {
        let Ty::Image { shape, channel, access } = self.table.shallow(ty) else { return None };
        match self.table.shallow(&access) {
            Ty::Marker(Marker::Access(access)) => Some(Image { shape, channel, access }),
            _ => None,
        }
    }

    /// A sampler, and a position that it takes.
    fn sample_operands(&mut self, image: &Image, sampler: &syn::Expr, position: &syn::Expr) -> [Expr; 2] {
        let (filter, coordinates) =
            (self.table.fresh(VariableKind::Any), self.table.fresh(VariableKind::Any));
        let kind = Ty::Sampler(Rc::new(filter.clone()), Rc::new(coordinates.clone()));
        let sampler = self.typed_argument(sampler, &kind);
        let at = self.expr(position);
        let number = match self.table.shallow(&at.ty) {
            Ty::Tuple(parts) => self.table.shallow(&parts[0]),
            other => other,
        };
        let is_integer = matches!(number, Ty::Scalar(Scalar::I32) | Ty::Variable(_, VariableKind::Integer));
        let number = Ty::Scalar(if is_integer { Scalar::I32 } else { Scalar::F32 });
        self.coerce(position, &at.ty, &image.coordinates(&number));
        let is = |this: &Self, ty: &Ty, marker| this.table.shallow(ty) == Ty::Marker(marker);
        let filters = !is(self, &filter, Marker::Filter(kernel_core::image::FilterMode::Nearest));
        if is_integer && (filters || !is(self, &coordinates, Marker::Normalized(false))) {
            self.leave_to_rustc(position, "integer positions are for `Sampler<Nearest, Unnormalized>`");
        }
        if filters && !matches!(self.table.shallow(&image.channel), Ty::Scalar(Scalar::F32 | Scalar::F16)) {
            self.leave_to_rustc(position, "only images with channels of `f32` or `f16` are filtered");
        }
        [sampler, at]
    }

    /// Checks the type of an image that a kernel takes.
    pub(super) fn image_parameter(&mut self, written: &syn::Type, image: &Ty) {
        let Ty::Image { channel, access, .. } = image else { return };
        if !matches!(written, syn::Type::Reference(reference) if is_image(&reference.elem)) {
            return self.unnamed(written, image);
        }
        if !matches!(**channel, Ty::Scalar(scalar) if ChannelClass::of(scalar).is_some())
            && **channel != Ty::Error
        {
            let message = format!("the channels of a texel cannot be of type `{channel}`");
            self.error(Code::ParameterType, written, message, "they are `f32`, `f16`, `i32` or `u32`");
        }
        if !matches!(**access, Ty::Marker(Marker::Access(_)) | Ty::Error) {
            let message = format!("`{access}` does not say what may be done with an image");
            self.error(Code::ParameterType, written, message, "write `ReadOnly`, `WriteOnly` or `ReadWrite`");
        }
    }

    /// Checks the type of a sampler that a kernel takes.
    pub(super) fn sampler_parameter(&mut self, written: &syn::Type, sampler: &Ty) {
        if !is_sampler(written) {
            self.unnamed(written, sampler);
        }
    }

    fn unnamed(&mut self, written: &syn::Type, ty: &Ty) {
        let message = format!("a kernel takes `{ty}` by this name only");
        let help = "the function that launches it has to see in the signature what it is";
        self.error(Code::ParameterType, written, message, help);
    }
}

/// Returns whether a method with a name writes a block, and of how many rows it is.
fn block(name: &str) -> Option<(bool, u32)> {
    let (is_write, count) = match name.strip_prefix("block_read") {
        Some(count) => (false, count),
        None => (true, name.strip_prefix("block_write")?),
    };
    match count {
        "" => Some((is_write, 1)),
        "2" => Some((is_write, 2)),
        "4" => Some((is_write, 4)),
        "8" => Some((is_write, 8)),
        _ => None,
    }
}

/// Returns whether a type is written by the name of an image. The function that launches a kernel knows the types of its parameters by such names alone.
#[must_use]
pub fn is_image(written: &syn::Type) -> bool {
    shape_of(written).is_some()
}

/// The shape of an image whose type is written so.
pub(crate) fn shape_of(written: &syn::Type) -> Option<ImageShape> {
    image_shape(&last_name(written)?)
}

/// Returns whether a type is written by the name of samplers.
#[must_use]
pub fn is_sampler(written: &syn::Type) -> bool {
    last_name(written).is_some_and(|name| name == "Sampler")
}

fn last_name(written: &syn::Type) -> Option<String> {
    match written {
        syn::Type::Paren(inner) => last_name(&inner.elem),
        syn::Type::Group(inner) => last_name(&inner.elem),
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}
