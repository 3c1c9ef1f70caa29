//! What is formatted.

use super::{Kind, Parser, Result};
use crate::ir::{Format, Shown, ShownFields};

impl Parser<'_> {
    /// A format string with what it formats.
    pub(super) fn format(&mut self) -> Result<Format> {
        let text = self.string()?;
        let arguments = self.parenthesised(|parser| {
            let name = match parser.second().kind {
                Kind::Symbol(":") => {
                    let name = parser.name()?;
                    parser.expect(":")?;
                    Some(name)
                }
                _ => None,
            };
            Ok((name, parser.shown()?))
        })?;
        Ok(Format { text, arguments })
    }

    fn shown(&mut self) -> Result<Shown> {
        self.nested(|parser| {
            if let Kind::Text(_) = parser.next().kind {
                return parser.string().map(Shown::Text);
            }
            if parser.takes("(") {
                return parser.until(")", Self::shown).map(Shown::Tuple);
            }
            if parser.takes("[") {
                let element = parser.shown()?;
                parser.expect(";")?;
                let len = parser.number()?;
                parser.expect("]")?;
                return Ok(Shown::Array(Box::new(element), len));
            }
            if parser.takes_word("char") {
                return Ok(Shown::Char);
            }
            if parser.takes_word("str") {
                return Ok(Shown::Str);
            }
            if parser.takes_word("struct") {
                return parser.shown_fields().map(Shown::Struct);
            }
            if parser.takes_word("enum") {
                let tag = parser.scalar()?;
                parser.expect("{")?;
                let variants = parser.until("}", |parser| {
                    let number = parser.number()?;
                    parser.expect("=")?;
                    Ok((number, parser.shown_fields()?))
                })?;
                return Ok(Shown::Enum(tag, variants));
            }
            parser.numeric().map(Shown::Number)
        })
    }

    /// The name of a struct or a variant with its fields.
    fn shown_fields(&mut self) -> Result<ShownFields> {
        let name = self.name()?;
        let is_named = self.takes("{");
        if !is_named {
            self.expect("(")?;
        }
        let fields = self.until(if is_named { "}" } else { ")" }, |parser| {
            let name = parser.name()?;
            parser.expect(":")?;
            Ok((name, parser.shown()?))
        })?;
        Ok(ShownFields { name, is_named, fields })
    }
}
