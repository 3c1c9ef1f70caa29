//! What a printed value that is no number consists of. It is formatted as a derived `Debug` formats it.

use crate::print::{Printable, Text};
use crate::{Scalar, bf16, f16};
use core::fmt::{self, Debug};

/// The type of a printed value.
#[derive(Clone, Copy, Debug)]
pub enum Shown {
    /// A number or a `bool`.
    Scalar(Scalar),
    /// A character.
    Char,
    /// Text.
    Str,
    /// A vector with so many lanes.
    Vector(Scalar, u32),
    /// A tuple, or `()`.
    Tuple(&'static [Shown]),
    /// So many elements.
    Array(&'static Shown, u32),
    /// A struct.
    Struct(ShownFields),
    /// An enum: the words of its tag come first, and then those of all its variants.
    Enum {
        /// The type of the tag.
        tag: Scalar,
        /// The variants, by the number that the tag is.
        variants: &'static [(i64, ShownFields)],
    },
}

/// The fields of a struct or a variant.
#[derive(Clone, Copy, Debug)]
pub struct ShownFields {
    /// The name of the struct or the variant.
    pub name: &'static str,
    /// Whether the fields have names.
    pub is_named: bool,
    /// The fields.
    pub fields: &'static [(&'static str, Shown)],
}

/// How many words a scalar takes.
const fn words_of(scalar: Scalar) -> usize {
    scalar.size().div_ceil(size_of::<u32>())
}

impl Shown {
    /// How many words a value takes.
    #[must_use]
    pub fn words(&self) -> usize {
        match self {
            Self::Scalar(scalar) => words_of(*scalar),
            Self::Char => 1,
            Self::Str => Text::WORDS,
            Self::Vector(scalar, lanes) => words_of(*scalar) * *lanes as usize,
            Self::Tuple(elements) => elements.iter().map(Self::words).sum(),
            Self::Array(element, len) => element.words() * *len as usize,
            Self::Struct(fields) => fields.words(),
            Self::Enum { tag, variants } => {
                words_of(*tag) + variants.iter().map(|(_, fields)| fields.words()).sum::<usize>()
            }
        }
    }
}

impl ShownFields {
    fn words(&self) -> usize {
        self.fields.iter().map(|(_, shown)| shown.words()).sum()
    }

    fn debug(&self, mut words: &[u32], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.fields.iter().map(|(name, shown)| (name, ShownValue::take(shown, &mut words)));
        match self {
            Self { fields: [], .. } => f.write_str(self.name),
            Self { is_named: true, .. } => {
                let mut fields = f.debug_struct(self.name);
                values.for_each(|(name, value)| {
                    fields.field(name, &value);
                });
                fields.finish()
            }
            Self { is_named: false, .. } => {
                let mut fields = f.debug_tuple(self.name);
                values.for_each(|(_, value)| {
                    fields.field(&value);
                });
                fields.finish()
            }
        }
    }
}

/// A value of such a type, in the words of a record.
#[derive(Clone, Copy)]
pub struct ShownValue<'a> {
    shown: &'static Shown,
    words: &'a [u32],
}

impl<'a> ShownValue<'a> {
    /// Takes a value from the words of a record.
    #[must_use]
    pub fn take(shown: &'static Shown, words: &mut &'a [u32]) -> Self {
        let (own, rest) = words.split_at(shown.words().min(words.len()));
        *words = rest;
        Self { shown, words: own }
    }
}

impl Debug for ShownValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.words;
        let elements = |shown, count| (0..count).map(move |_| Self::take(shown, &mut words));
        match self.shown {
            Shown::Scalar(scalar) => Number(*scalar, self.words).fmt(f),
            Shown::Char => char::take(&mut words).fmt(f),
            Shown::Str => Text::take(&mut words).fmt(f),
            Shown::Vector(scalar, lanes) => {
                let lanes = self.words.chunks(words_of(*scalar)).take(*lanes as usize);
                f.debug_list().entries(lanes.map(|words| Number(*scalar, words))).finish()
            }
            Shown::Tuple([]) => f.pad("()"),
            Shown::Tuple(types) => {
                let mut tuple = f.debug_tuple("");
                for shown in *types {
                    tuple.field(&Self::take(shown, &mut words));
                }
                tuple.finish()
            }
            Shown::Array(element, len) => f.debug_list().entries(elements(element, *len)).finish(),
            Shown::Struct(fields) => fields.debug(words, f),
            Shown::Enum { tag, variants } => {
                let (own, mut words) = words.split_at(words_of(*tag).min(words.len()));
                for (number, fields) in *variants {
                    if is_number(own, *number) {
                        return fields.debug(words, f);
                    }
                    words = words.get(fields.words()..).unwrap_or_default();
                }
                f.write_str("(no variant)")
            }
        }
    }
}

/// Returns whether a tag is a number, of which it has the low bits.
fn is_number(tag: &[u32], number: i64) -> bool {
    match tag {
        [low] => *low == number as u32,
        [low, high] => [*low, *high] == [number as u32, (number >> 32) as u32],
        _ => false,
    }
}

/// A scalar in its words.
struct Number<'a>(Scalar, &'a [u32]);

impl Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(scalar, mut words) = *self;
        macro_rules! numbers {
            ($($variant:ident: $ty:ty,)*) => {
                match scalar {
                    $(Scalar::$variant => <$ty>::take(&mut words).fmt(f),)*
                }
            };
        }
        numbers! {
            Bool: bool, I8: i8, I16: i16, I32: i32, I64: i64, Isize: isize, U8: u8, U16: u16, U32: u32, U64: u64, Usize: usize,
            F16: f16, Bf16: bf16, F32: f32, F64: f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[derive(Debug)]
    #[allow(dead_code, reason = "the derived `Debug` reads the fields")]
    enum Event {
        Nothing,
        At(f32, (bool,)),
        Span { from: i64, to: [u8; 2] },
    }

    static EVENT: Shown = Shown::Enum {
        tag: Scalar::Isize,
        variants: &[
            (-1, ShownFields { name: "Nothing", is_named: false, fields: &[] }),
            (
                4,
                ShownFields {
                    name: "At",
                    is_named: false,
                    fields: &[
                        ("0", Shown::Scalar(Scalar::F32)),
                        ("1", Shown::Tuple(&[Shown::Scalar(Scalar::Bool)])),
                    ],
                },
            ),
            (
                7,
                ShownFields {
                    name: "Span",
                    is_named: true,
                    fields: &[
                        ("from", Shown::Scalar(Scalar::I64)),
                        ("to", Shown::Array(&Shown::Scalar(Scalar::U8), 2)),
                    ],
                },
            ),
        ],
    };

    fn text(
        tag: i64,
        words: [u32; 6],
        show: impl Fn(&dyn Debug) -> std::string::String,
    ) -> std::string::String {
        let mut all = std::vec![tag as u32, (tag >> 32) as u32];
        all.extend(words);
        show(&ShownValue::take(&EVENT, &mut &all[..]))
    }

    #[test]
    fn values_are_formatted_as_derived() {
        let words = [1.5_f32.to_bits(), 1, -2_i32 as u32, u32::MAX, 10, 255];
        let plain = |value: &dyn Debug| format!("{value:?} {value:5.1?} {value:x?}");
        let pretty = |value: &dyn Debug| format!("{value:#?}");
        for show in [&plain as &dyn Fn(&dyn Debug) -> _, &pretty] {
            assert_eq!(text(-1, words, show), show(&Event::Nothing));
            assert_eq!(text(4, words, show), show(&Event::At(1.5, (true,))));
            assert_eq!(text(7, words, show), show(&Event::Span { from: -2, to: [10, 255] }));
        }
        assert_eq!(text(3, words, plain), "(no variant) (no variant) (no variant)");
        assert_eq!(EVENT.words(), 8);
    }

    #[test]
    fn units_are_padded_as_in_rust() {
        let value = ShownValue::take(&Shown::Tuple(&[]), &mut &[][..]);
        assert_eq!(format!("{value:>4?}|"), format!("{:>4?}|", ()));
    }

    #[test]
    fn too_few_words_are_no_panic() {
        assert_eq!(format!("{:?}", ShownValue::take(&EVENT, &mut &[3_u32][..])), "(no variant)");
        let value = ShownValue::take(&Shown::Array(&Shown::Scalar(Scalar::U32), 2), &mut &[7_u32][..]);
        assert_eq!(format!("{value:?}"), "[7, 0]");
    }
}
