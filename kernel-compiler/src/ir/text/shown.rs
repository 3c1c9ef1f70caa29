//! The types of what is formatted.

use super::name::Name;
use super::separated;
use crate::ir::{Shown, ShownFields};
use std::fmt::{self, Display, Formatter, Write};

pub(super) fn write(f: &mut Formatter<'_>, shown: &Shown) -> fmt::Result {
    match shown {
        Shown::Number(ty) => ty.fmt(f),
        Shown::Char => f.write_str("char"),
        Shown::Str => f.write_str("str"),
        Shown::Text(text) => write!(f, "{text:?}"),
        Shown::Tuple(elements) => {
            f.write_char('(')?;
            separated(f, elements, write)?;
            f.write_char(')')
        }
        Shown::Array(element, len) => {
            f.write_char('[')?;
            write(f, element)?;
            write!(f, "; {len}]")
        }
        Shown::Struct(made) => {
            f.write_str("struct ")?;
            fields(f, made)
        }
        Shown::Enum(tag, variants) => {
            write!(f, "enum {tag} {{ ")?;
            separated(f, variants, |f, (number, made)| {
                write!(f, "{number} = ")?;
                fields(f, made)
            })?;
            f.write_str(" }")
        }
    }
}

fn fields(f: &mut Formatter<'_>, ShownFields { name, is_named, fields }: &ShownFields) -> fmt::Result {
    write!(f, "{}{}", Name(name), if *is_named { " { " } else { "(" })?;
    separated(f, fields, |f, (name, shown)| {
        write!(f, "{}: ", Name(name))?;
        write(f, shown)
    })?;
    f.write_str(if *is_named { " }" } else { ")" })
}
