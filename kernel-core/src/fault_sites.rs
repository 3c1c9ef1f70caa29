//! Where a kernel can fault.

use crate::fault::{FaultKind, FaultSite};
use core::fmt;

/// The places in the source of a kernel that can fault, each with its number.
///
/// They are one text and no slice of [`FaultSite`]s: rustc would compute each field of each of them whenever the crate of the kernel is built.
#[derive(Clone, Copy, Debug)]
pub struct FaultSites {
    text: &'static str,
    formats: &'static [(u32, FaultFormat)],
}

/// How the message of a panic is made of the words that follow a fault record.
#[derive(Clone, Copy, Debug)]
pub struct FaultFormat {
    /// How many words it takes; at most [`MAX_FAULT_WORDS`](crate::MAX_FAULT_WORDS).
    pub words: u32,
    /// Formats them as the program says.
    pub write: fn(&[u32], &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl FaultSites {
    /// Those of a kernel that cannot fault.
    pub const NONE: Self = Self::new("", &[]);

    /// The sites of which `text` has the [encoding](Self::encode), one after the other, and the messages of those that format one, by their
    /// numbers.
    #[must_use]
    pub const fn new(text: &'static str, formats: &'static [(u32, FaultFormat)]) -> Self {
        Self { text, formats }
    }

    /// Writes a site as the text has it: its numbers and the lengths of its texts, in decimal digits, and the texts.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn encode(site: &FaultSite<'_>, f: &mut impl fmt::Write) -> fmt::Result {
        let FaultSite { kind, file, line, column, message, reason, format: _ } = site;
        let lengths = [file, message, reason].map(|text| text.len());
        write!(f, "{} {line} {column} {} {} {};", *kind as u32, lengths[0], lengths[1], lengths[2])?;
        write!(f, "{file}{message}{reason}")
    }

    /// Returns whether the kernel cannot fault.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How many places there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// The site with this number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<FaultSite<'static>> {
        self.iter().nth(usize::try_from(number).ok()?)
    }

    /// All sites in order. A text that is no encoding ends them.
    pub fn iter(&self) -> impl Iterator<Item = FaultSite<'static>> + use<> {
        let Self { mut text, formats } = *self;
        (0..).map_while(move |number| {
            let (site, rest) = decode(text)?;
            text = rest;
            let format = formats.iter().find(|(of, _)| *of == number).map(|(_, format)| *format);
            Some(FaultSite { format, ..site })
        })
    }

    /// How many words follow the fault record: those of the longest message.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.formats.iter().map(|(_, format)| format.words).max().unwrap_or(0)
    }
}

/// The first site of a text, and what follows it.
fn decode(text: &'static str) -> Option<(FaultSite<'static>, &'static str)> {
    let (numbers, mut rest) = text.split_once(';')?;
    let mut numbers = numbers.split(' ').map(|number| number.parse::<u32>().ok());
    let mut number = || numbers.next().flatten();
    let kind = *FaultKind::ALL.get(usize::try_from(number()?).ok()?)?;
    let (line, column) = (number()?, number()?);
    let mut part = || {
        let (part, others) = rest.split_at_checked(usize::try_from(number()?).ok()?)?;
        rest = others;
        Some(part)
    };
    let (file, message, reason) = (part()?, part()?, part()?);
    Some((FaultSite { kind, file, line, column, message, reason, format: None }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::{String, ToString};

    #[test]
    fn sites_are_read_as_they_are_written() {
        const SITES: FaultSites = FaultSites::new(
            "0 12 5 4 0 3;a.rswhy29 3 1 7 6 0;a ;2.rsÜ 1;\n",
            &[(1, FaultFormat { words: 2, write: |words, f| write!(f, "{words:?}") })],
        );
        let sites: [FaultSite<'_>; 2] = [SITES.get(0), SITES.get(1)].map(Option::unwrap);
        assert_eq!(SITES.len(), 2);
        assert_eq!(SITES.words(), 2);
        assert_eq!((sites[0].kind, sites[0].line, sites[0].column), (FaultKind::IndexOutOfBounds, 12, 5));
        assert_eq!((sites[0].file, sites[0].message, sites[0].reason), ("a.rs", "", "why"));
        assert_eq!((sites[1].kind, sites[1].file, sites[1].message), (FaultKind::Panic, "a ;2.rs", "Ü 1;\n"));
        assert_eq!(sites[1].message(&[4, 5]).to_string(), "[4, 5]");
        let mut text = String::new();
        sites.iter().for_each(|site| FaultSites::encode(site, &mut text).unwrap());
        assert_eq!(text, SITES.text);
    }

    #[test]
    fn every_kind_is_found_by_its_number() {
        for (number, kind) in FaultKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }

    #[test]
    fn other_texts_have_no_sites() {
        for text in [
            "",
            "0",
            "0 1 2 3 4 5",
            "99 1 1 0 0 0;",
            "0 1 1 9 0 0;abc",
            "0 1 1 1 0 0;Ü",
            "-1 1 1 0 0 0;",
            "0 1 1;",
        ] {
            assert_eq!(FaultSites::new(text, &[]).len(), 0, "{text}");
        }
        assert!(FaultSites::NONE.is_empty());
    }
}
