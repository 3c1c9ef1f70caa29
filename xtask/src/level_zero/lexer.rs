//! Splits preprocessed lines into C tokens.

use super::error::HeaderError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Number(u32),
    Symbol(char),
    /// The text of a `///<` comment. Only the links of enumerators are ever read from it.
    Note(&'a str),
}

/// The tokens of a header, each with its line. Comments other than `///<` are dropped.
pub(super) fn tokens<'a>(lines: &[(usize, &'a str)]) -> Result<Vec<(usize, Token<'a>)>, HeaderError> {
    let mut out = Vec::new();
    let mut in_block_comment = false;
    for &(number, line) in lines {
        let mut rest = line;
        while let Some(token) = next_token(&mut rest, &mut in_block_comment, number)? {
            out.push((number, token));
        }
    }
    Ok(out)
}

fn next_token<'a>(
    rest: &mut &'a str,
    in_block_comment: &mut bool,
    line: usize,
) -> Result<Option<Token<'a>>, HeaderError> {
    loop {
        *rest = rest.trim_start();
        if *in_block_comment {
            let Some(end) = rest.find("*/") else { return Ok(None) };
            *rest = &rest[end + 2..];
            *in_block_comment = false;
        } else if let Some(comment) = rest.strip_prefix("/*") {
            *rest = comment;
            *in_block_comment = true;
        } else if let Some(note) = rest.strip_prefix("///<") {
            *rest = "";
            return Ok(Some(Token::Note(note.trim())));
        } else if rest.starts_with("//") {
            return Ok(None);
        } else {
            break;
        }
    }
    let Some(first) = rest.chars().next() else { return Ok(None) };
    if is_word(first) {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        *rest = tail;
        return word_or_number(word, line).map(Some);
    }
    if "{}()[]*,;=".contains(first) {
        *rest = &rest[1..];
        return Ok(Some(Token::Symbol(first)));
    }
    Err(HeaderError::new(line, format!("character `{first}` is not understood")))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn word_or_number(word: &str, line: usize) -> Result<Token<'_>, HeaderError> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(Token::Word(word));
    }
    let parsed = match word.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => word.parse(),
    };
    parsed
        .map(Token::Number)
        .map_err(|_| HeaderError::new(line, format!("`{word}` is not a number of 32 bits")))
}

#[cfg(test)]
mod tests {
    use super::{Token, tokens};

    #[test]
    fn drops_comments_but_notes() {
        let lines = [(1, "a /* x"), (2, "y */ = 0x1F, // no"), (3, "b; ///< ::c_t")];
        let found: Vec<_> = tokens(&lines).unwrap().into_iter().map(|(_, token)| token).collect();
        use Token::{Note, Number, Symbol, Word};
        let want = [Word("a"), Symbol('='), Number(31), Symbol(','), Word("b"), Symbol(';'), Note("::c_t")];
        assert_eq!(found, want);
    }

    #[test]
    fn names_the_line_of_an_error() {
        assert_eq!(tokens(&[(7, "int a : 3;")]).unwrap_err().line(), 7);
        assert_eq!(tokens(&[(9, "0x1ffffffff")]).unwrap_err().line(), 9);
    }
}
