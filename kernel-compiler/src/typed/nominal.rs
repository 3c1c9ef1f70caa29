//! What a struct or an enum consists of.

use super::{Nominal, Ty};
use kernel_core::Scalar;
use kernel_core::image::{ChannelOrder, ChannelType};
use std::rc::Rc;

/// The id of the standard library's `Option`.
pub const OPTION: &str = "Option";

/// A struct or an enum. The types of its fields are in terms of its generic parameters.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The names of its generic parameters.
    pub parameters: Vec<String>,
    /// Whether it has a lifetime parameter.
    pub borrows: bool,
    /// Its variants; a struct has one, which has the struct's name.
    pub variants: Vec<Variant>,
    /// The type of the number that tells the variants of an enum apart; none for a struct.
    pub tag: Option<Scalar>,
    /// Whether the author has chosen that type, by `#[repr]`.
    pub is_represented: bool,
    /// If its author fixed the layout as that of C, so that host and device agree on it, the alignment in bytes that it has at least.
    pub alignment: Option<u64>,
    /// The variant that is marked `#[default]`; a struct's only one.
    pub default: Option<usize>,
    /// The standard traits that it derives, by name.
    pub derives: Vec<String>,
}

/// A variant of an enum, or the fields of a struct.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// How its fields are written.
    pub style: Style,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The number that stands for it.
    pub discriminant: i128,
}

/// How fields are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `{ a: f32 }`
    Named,
    /// `(f32)`
    Tuple,
    /// None at all.
    Unit,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name, or its position.
    pub name: String,
    /// Its type.
    pub ty: Ty,
}

impl Definition {
    /// Returns whether it is an enum.
    #[must_use]
    pub fn is_enum(&self) -> bool {
        self.tag.is_some()
    }

    /// The position of the variant with a name.
    #[must_use]
    pub fn variant(&self, name: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.name == name)
    }

    /// `Option<T>`.
    #[must_use]
    pub fn option() -> Self {
        Self::two("Option", &["T"], ("None", &[]), ("Some", &[(0, "T")]))
    }

    /// `Result<T, E>`.
    #[must_use]
    pub fn result() -> Self {
        Self::two("Result", &["T", "E"], ("Ok", &[(0, "T")]), ("Err", &[(1, "E")]))
    }

    /// `core::cmp::Ordering`.
    #[must_use]
    pub fn ordering() -> Self {
        let variants = [("Less", -1), ("Equal", 0), ("Greater", 1)];
        Self::of_units(ORDERING, variants.map(|(name, discriminant)| (name.to_owned(), discriminant)))
    }

    /// `kernel_core::image::ChannelOrder`.
    #[must_use]
    pub fn channel_order() -> Self {
        let variants = ChannelOrder::ALL.map(|order| (format!("{order:?}"), order as i64));
        Self::of_units(CHANNEL_ORDER, variants)
    }

    /// `kernel_core::image::ChannelType`.
    #[must_use]
    pub fn channel_type() -> Self {
        let variants = ChannelType::ALL.map(|ty| (format!("{ty:?}"), ty as i64));
        Self::of_units(CHANNEL_TYPE, variants)
    }

    /// An enum without payload, with these variants and their numbers.
    fn of_units<const N: usize>(name: &str, variants: [(String, i64); N]) -> Self {
        let variants = variants.map(|(name, discriminant)| Variant {
            name,
            style: Style::Unit,
            fields: Vec::new(),
            discriminant: discriminant.into(),
        });
        Self {
            name: name.to_owned(),
            parameters: Vec::new(),
            borrows: false,
            variants: variants.into(),
            tag: Some(Scalar::I32),
            is_represented: false,
            alignment: None,
            default: None,
            derives: STANDARD_DERIVES.map(str::to_owned).to_vec(),
        }
    }

    /// An error of a conversion of the standard library, of which there is only one value, by its id.
    #[must_use]
    pub fn conversion_error(id: &str) -> Self {
        let name = id.to_owned();
        let only = Variant { name: name.clone(), style: Style::Unit, fields: Vec::new(), discriminant: 0 };
        Self {
            name,
            parameters: Vec::new(),
            borrows: false,
            variants: vec![only],
            tag: None,
            is_represented: false,
            alignment: None,
            default: None,
            derives: ["Clone", "Copy", "PartialEq"].map(str::to_owned).to_vec(),
        }
    }

    /// An enum of the standard library with two variants.
    fn two(name: &str, parameters: &[&str], first: Payload<'_>, second: Payload<'_>) -> Self {
        let variant = |(name, fields): Payload<'_>, discriminant| Variant {
            name: name.to_owned(),
            style: if fields.is_empty() { Style::Unit } else { Style::Tuple },
            fields: fields
                .iter()
                .enumerate()
                .map(|(index, (position, name))| Field {
                    name: index.to_string(),
                    ty: Ty::Parameter(*position, (*name).into()),
                })
                .collect(),
            discriminant,
        };
        Self {
            name: name.to_owned(),
            parameters: parameters.iter().map(|name| (*name).to_owned()).collect(),
            borrows: false,
            variants: vec![variant(first, 0), variant(second, 1)],
            tag: Some(Scalar::Bool),
            is_represented: false,
            alignment: None,
            default: None,
            derives: STANDARD_DERIVES.map(str::to_owned).to_vec(),
        }
    }
}

/// What the enums of the standard library derive, as far as their fields do.
const STANDARD_DERIVES: [&str; 6] = ["Clone", "Copy", "Debug", "PartialEq", "PartialOrd", "Ord"];

/// The id of `core::num::TryFromIntError`.
pub const TRY_FROM_INT_ERROR: &str = "TryFromIntError";

/// The id of `core::array::TryFromSliceError`.
pub const TRY_FROM_SLICE_ERROR: &str = "TryFromSliceError";

/// The id of `core::cmp::Ordering`.
pub const ORDERING: &str = "Ordering";

/// The id of `kernel_core::image::ChannelOrder`.
pub const CHANNEL_ORDER: &str = "ChannelOrder";

/// The id of `kernel_core::image::ChannelType`.
pub const CHANNEL_TYPE: &str = "ChannelType";

impl Ty {
    /// `core::cmp::Ordering`.
    #[must_use]
    pub fn ordering() -> Self {
        Self::known(ORDERING)
    }

    /// A known enum without generic parameters, by its id.
    #[must_use]
    pub fn known(id: &str) -> Self {
        let (id, name) = (id.to_owned(), id.into());
        Self::Nominal(Rc::new(Nominal { id, name, arguments: Vec::new(), borrows: false }))
    }

    /// `Option` of a type.
    #[must_use]
    pub fn option(payload: Self) -> Self {
        let (id, name) = (OPTION.to_owned(), OPTION.into());
        Self::Nominal(Rc::new(Nominal { id, name, arguments: vec![payload], borrows: false }))
    }
}

/// The name of a variant, and the generic parameters that are its fields.
type Payload<'a> = (&'a str, &'a [(u32, &'a str)]);
