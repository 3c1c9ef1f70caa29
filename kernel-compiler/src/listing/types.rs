//! The types of arguments as Rust spells them.

use crate::argument::{ArgumentKind, ElementType};
use kernel_core::Access;
use std::fmt::{self, Display, Formatter};

/// Something that is shown as its type.
pub(super) struct Shown<T>(pub(super) T);

impl Display for Shown<&ArgumentKind> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let reference = |access: &Access| if *access == Access::Read { "&" } else { "&mut " };
        match self.0 {
            ArgumentKind::Value(ty) => Shown(ty).fmt(f),
            ArgumentKind::Slice { element, access } => {
                write!(f, "{}[{}]", reference(access), Shown(element))
            }
            ArgumentKind::Local { element } => write!(f, "&mut Local<[{}]>", Shown(element)),
            ArgumentKind::Reference { element, access } => {
                write!(f, "{}{}", reference(access), Shown(element))
            }
            ArgumentKind::Pointer { element, access: Access::Read } => write!(f, "*const {}", Shown(element)),
            ArgumentKind::Pointer { element, access: Access::ReadWrite } => {
                write!(f, "*mut {}", Shown(element))
            }
            ArgumentKind::Image(image) => {
                write!(f, "{}{image}", if image.access.writes() { "&mut " } else { "&" })
            }
            ArgumentKind::Sampler(sampler) => sampler.fmt(f),
        }
    }
}

impl Display for Shown<&ElementType> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ElementType::Scalar(scalar) => scalar.fmt(f),
            ElementType::Vector(scalar, lanes) => write!(f, "{scalar}x{lanes}"),
            ElementType::Array(element, len) => write!(f, "[{}; {len}]", Shown(&**element)),
            ElementType::Struct { name, .. } => f.write_str(name),
            ElementType::Pointer => f.write_str("a raw pointer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_core::Scalar;

    #[test]
    fn types_are_those_of_the_signature() {
        let row = ElementType::Array(Box::new(ElementType::Vector(Scalar::F32, 4)), 8);
        let slice = ArgumentKind::Slice { element: row, access: Access::ReadWrite };
        assert_eq!(Shown(&slice).to_string(), "&mut [[f32x4; 8]]");
        let pointer =
            ArgumentKind::Pointer { element: ElementType::Scalar(Scalar::U8), access: Access::Read };
        assert_eq!(Shown(&pointer).to_string(), "*const u8");
    }
}
