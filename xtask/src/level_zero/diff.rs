//! Shows where a committed file differs from the generated one.

use std::fmt::Write as _;

/// How many lines of either side are shown for a file; enough to see what kind of change it is.
const SHOWN: usize = 8;

/// The first place at which two texts differ, or nothing if they are equal.
pub(crate) fn lines(name: &str, committed: &str, generated: &str) -> String {
    if committed == generated {
        return String::new();
    }
    let old: Vec<&str> = committed.lines().collect();
    let new: Vec<&str> = generated.lines().collect();
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut out = format!("--- {name}, line {}\n", start + 1);
    for (sign, side) in [('-', &old), ('+', &new)] {
        let changed = &side[start..side.len() - same_end];
        for line in changed.iter().take(SHOWN) {
            let _ = writeln!(out, "{sign} {line}");
        }
        if changed.len() > SHOWN {
            let _ = writeln!(out, "{sign} … {} more lines", changed.len() - SHOWN);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(lines("f", "a\nb\n", "a\nb\n"), "");
    }

    #[test]
    fn shows_the_changed_lines_alone() {
        assert_eq!(lines("f", "a\nb\nc\n", "a\nx\ny\nc\n"), "--- f, line 2\n- b\n+ x\n+ y\n");
        assert_eq!(lines("f", "", "a\n"), "--- f, line 1\n+ a\n");
        assert_eq!(lines("f", "a\na\n", "a\n"), "--- f, line 2\n- a\n");
    }
}
