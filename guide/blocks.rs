//! The blocks of code of a chapter.

/// A block of code.
#[derive(Debug, PartialEq)]
pub(crate) struct Block<'c> {
    /// The line of the chapter on which its first line of code is, counted from 1.
    pub(crate) line: usize,
    /// What stands behind the three backquotes: the language, and more.
    pub(crate) info: &'c str,
    pub(crate) code: Vec<&'c str>,
    /// Whether nothing but empty lines stands between the block before it and this one.
    pub(crate) follows: bool,
}

/// The blocks of a chapter, in their order.
pub(crate) fn blocks(chapter: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut follows = false;
    let mut lines = chapter.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            follows &= line.is_empty();
            continue;
        };
        let code = lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").collect();
        found.push(Block { line: number + 1, info, code, follows });
        follows = true;
    }
    found
}

/// The code of a program, with the lines that are hidden from readers: those that start with `#` and a space.
pub(crate) fn program(block: &Block<'_>) -> String {
    block.code.iter().map(|line| shown_or_hidden(line).to_owned() + "\n").collect()
}

fn shown_or_hidden(line: &str) -> &str {
    match line.strip_prefix('#') {
        Some("") => "",
        Some(hidden) => hidden.strip_prefix(' ').unwrap_or(line),
        None => line,
    }
}
