//! Images: which operations take which, and the types of coordinates and texels.

use super::{Verdict, Verifier, require};
use crate::ir::{FormatQuery, Handle, ImageBlock, ImageOp, ImageWrite, Numeric, Op, Type, Value};
use kernel_core::{ImageAccess, ImageShape, ImageType, Scalar};

/// What a texel of an image is.
fn texel(image: ImageType) -> Numeric {
    Numeric { scalar: image.class.scalar(), lanes: if image.shape.is_depth() { 1 } else { 4 } }
}

impl Verifier<'_> {
    pub(super) fn image_op(&self, op: &ImageOp, value: &Value) -> Verdict {
        let result = self.module.numeric(value.ty);
        match op {
            ImageOp::Read { image, at, inside } => {
                let image = self.image(*image)?;
                self.coordinates(image, at, &[Scalar::Usize])?;
                self.require_bool(*inside)?;
                require(image.access.reads() && result == Some(texel(image)), || {
                    format!("a read of {image} gives {result:?}")
                })
            }
            ImageOp::Sample { image, sampler, at } => {
                let image = self.image(*image)?;
                self.coordinates(image, at, &[Scalar::F32, Scalar::I32])?;
                let sampler = &self.module.types[self.module.values[*sampler].ty];
                let fits = image.access == ImageAccess::ReadOnly
                    && image.shape.is_sampled()
                    && matches!(sampler, Type::Sampler(_));
                require(fits && result == Some(texel(image)), || {
                    format!("a sample of {image} by {sampler:?} gives {result:?}")
                })
            }
            ImageOp::Block(block) => self.image_block(block, value.ty),
            ImageOp::Size(image, axis) => {
                let image = self.image(*image)?;
                let exists = (*axis as usize) < image.shape.coordinates();
                require(exists && result == Some(Scalar::Usize.into()), || format!("axis {axis} of {image}"))
            }
            ImageOp::Format(query, image) => {
                let image = self.image(*image)?;
                let exists = *query == FormatQuery::Type || !image.shape.is_depth();
                require(exists && result == Some(Scalar::I32.into()), || format!("{query:?} of {image}"))
            }
            ImageOp::Sampler(state) => {
                let ty = &self.module.types[value.ty];
                let fits = matches!(ty, Type::Sampler(ty) if ty.filter == state.filter && ty.normalized == state.normalized);
                require(fits, || format!("{state:?} is a {ty:?}"))
            }
        }
    }

    fn image_block(&self, block: &ImageBlock, ty: Handle<Type>) -> Verdict {
        let ImageBlock { image, at, stored } = block;
        let image = self.image(*image)?;
        self.coordinates(image, at, &[Scalar::Usize])?;
        let may = if stored.is_some() { image.access.writes() } else { image.access.reads() };
        let fits = self.module.numeric(ty).is_some_and(|number| {
            matches!(number.scalar, Scalar::U16 | Scalar::U32) && matches!(number.lanes, 1 | 2 | 4 | 8)
        });
        let is_stored = stored.is_none_or(|value| self.module.values[value].ty == ty);
        require(may && fits && is_stored && image.shape == ImageShape::D2, || format!("{block:?} of {image}"))
    }

    pub(super) fn image_write(&self, write: &ImageWrite) -> Verdict {
        let image = self.image(write.image)?;
        self.coordinates(image, &write.at, &[Scalar::Usize])?;
        self.require_bool(write.inside)?;
        let written = self.module.numeric(self.module.values[write.texel].ty);
        require(image.access.writes() && written == Some(texel(image)), || {
            format!("{written:?} is written to {image}")
        })
    }

    fn image(&self, value: Handle<Value>) -> Result<ImageType, String> {
        let Value { ty, op, .. } = &self.module.values[value];
        match (&self.module.types[*ty], op) {
            (Type::Image(image), Op::Parameter(_)) => Ok(*image),
            _ => Err(format!("{value:?} is no image")),
        }
    }

    fn coordinates(&self, image: ImageType, at: &[Handle<Value>], allowed: &[Scalar]) -> Verdict {
        let types: Vec<_> = at.iter().map(|at| self.module.scalar(self.module.values[*at].ty)).collect();
        let first = types.first().copied().flatten();
        let same = types.iter().all(|ty| *ty == first) && first.is_some_and(|ty| allowed.contains(&ty));
        require(same && types.len() == image.shape.coordinates(), || {
            format!("coordinates {types:?} in {image}")
        })
    }
}
