//! Where the accesses to memory of an entry point are written, for who reports one of them.

use core::fmt;

/// Where the instructions of an entry point that [access memory](is_access) are written, in the order of its function.
///
/// Instructions that follow each other and are of one place are a run. What is nowhere written is of the place before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccessPlaces(&'static str);

/// So many instructions that access memory, one after the other, with where they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceRun<'a> {
    /// How many they are.
    pub count: u32,
    /// The source file.
    pub file: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

impl AccessPlaces {
    /// Of which nothing is known.
    pub const NONE: Self = Self("");

    /// The places of which a text has the [encoding](Self::encode).
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self(text)
    }

    /// Writes runs as the text has them: the count, the line and the column in decimal digits, and the file where it is another one than that of the run before.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn encode<'a>(runs: impl IntoIterator<Item = PlaceRun<'a>>, f: &mut impl fmt::Write) -> fmt::Result {
        let mut last = "";
        for PlaceRun { count, file, line, column } in runs {
            write!(f, "{count} {line} {column}")?;
            if file != last {
                write!(f, " {} {file}", file.len())?;
                last = file;
            }
            f.write_char(';')?;
        }
        Ok(())
    }

    /// The runs in their order. A text that is no encoding ends them.
    pub fn iter(&self) -> impl Iterator<Item = PlaceRun<'static>> + use<> {
        let (mut text, mut last) = (self.0, "");
        core::iter::from_fn(move || {
            let run;
            (run, text) = decode(text, last)?;
            last = run.file;
            Some(run)
        })
    }
}

/// The first run of a text, where the one before is of a file, and what follows it.
fn decode<'a>(text: &'a str, last: &'a str) -> Option<(PlaceRun<'a>, &'a str)> {
    let (count, rest) = number(text)?;
    let (line, rest) = number(rest.strip_prefix(' ')?)?;
    let (column, rest) = number(rest.strip_prefix(' ')?)?;
    let (file, rest) = match rest.strip_prefix(' ') {
        Some(rest) => {
            let (length, rest) = number(rest)?;
            rest.strip_prefix(' ')?.split_at_checked(usize::try_from(length).ok()?)?
        }
        None => (last, rest),
    };
    Some((PlaceRun { count, file, line, column }, rest.strip_prefix(';')?))
}

/// The number that a text starts with, and what follows it.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Returns whether an instruction of SPIR-V with this opcode may access memory that other work-items can see.
#[must_use]
pub const fn is_access(opcode: u16) -> bool {
    matches!(
        opcode,
        // OpLoad, OpStore, OpCopyMemory and OpCopyMemorySized.
        61..=64
        // Reads, writes and samples of images.
        | 88 | 98 | 99
        // Atomics: integers, flags, floats.
        | 227..=242 | 318..=319 | 5614 | 5615 | 6035
        // OpGroupAsyncCopy, and blocks of subgroups and images.
        | 259 | 5575..=5578
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let run = |count, file, line, column| PlaceRun { count, file, line, column };
        let runs = [
            run(3, "src/a file;1 2.rs", 10, 5),
            run(1, "src/a file;1 2.rs", 11, 9),
            run(2, "ä.rs", 1, 1),
            run(70, "", 4_000_000_000, 0),
            run(1, "", 7, 2),
        ];
        let mut text = std::string::String::new();
        AccessPlaces::encode(runs, &mut text).unwrap();
        assert!(text.starts_with("3 10 5 17 src/a file;1 2.rs;1 11 9;2 1 1 5 ä.rs;"), "{text}");
        assert!(AccessPlaces::new(text.leak()).iter().eq(runs));
        assert!(AccessPlaces::NONE.iter().next().is_none());
    }

    #[test]
    fn what_is_no_encoding_ends_them() {
        for (text, count) in [
            ("3 1 1;x", 1),
            ("3 1", 0),
            ("3 1 1", 0),
            ("-1 1 1;", 0),
            ("1 1 1 9 a.rs;", 0),
            ("1 1 1 1 ä;", 0),
        ] {
            assert_eq!(AccessPlaces::new(text).iter().count(), count, "{text}");
        }
    }
}
