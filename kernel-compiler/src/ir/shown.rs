//! What is formatted: the host's side of it is `kernel_core::shown`.

use super::Numeric;
use kernel_core::Scalar;

/// The type of what is formatted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shown {
    /// A number, a `bool` or a vector of numbers.
    Number(Numeric),
    /// A character, by its code.
    Char,
    /// Text that is known at run time: its length and so many of its bytes as there is room for.
    Str,
    /// Literal text, which takes no words.
    Text(String),
    /// A tuple, or `()`.
    Tuple(Vec<Self>),
    /// So many elements.
    Array(Box<Self>, u32),
    /// A struct.
    Struct(ShownFields),
    /// An enum: the words of its tag, and then those of all its variants, which have these numbers.
    Enum(Scalar, Vec<(i64, ShownFields)>),
}

/// The fields of a struct or a variant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShownFields {
    /// The name of the struct or the variant.
    pub name: String,
    /// Whether the fields have names.
    pub is_named: bool,
    /// The fields.
    pub fields: Vec<(String, Shown)>,
}

impl Shown {
    /// How many words a value takes.
    #[must_use]
    pub fn words(&self) -> u32 {
        match self {
            Self::Number(ty) => ty.lanes * words_of(ty.scalar),
            Self::Char => 1,
            Self::Str => kernel_core::print::Text::WORDS as u32,
            Self::Text(_) => 0,
            Self::Tuple(elements) => elements.iter().map(Self::words).sum(),
            Self::Array(element, len) => element.words().saturating_mul(*len),
            Self::Struct(fields) => fields.words(),
            Self::Enum(tag, variants) => {
                words_of(*tag) + variants.iter().map(|(_, fields)| fields.words()).sum::<u32>()
            }
        }
    }
}

impl ShownFields {
    fn words(&self) -> u32 {
        self.fields.iter().map(|(_, shown)| shown.words()).fold(0, u32::saturating_add)
    }
}

fn words_of(scalar: Scalar) -> u32 {
    scalar.size().div_ceil(size_of::<u32>()) as u32
}
