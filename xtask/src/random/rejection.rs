//! Why programs are not compiled, from what rustc prints.

use serde_json::Value;
use std::collections::BTreeMap;

/// Why a program is not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rejection {
    /// rustc refuses its copy: a mistake of the generator, or of the shrinker.
    NotRust(String),
    /// Our compiler refuses the kernel.
    Refused(String),
}

/// The programs in which rustc found errors, with the first error of each; of an error in both, that in the copy.
pub(super) fn rejections(printed: &[u8]) -> BTreeMap<usize, Rejection> {
    let mut found = BTreeMap::new();
    for message in String::from_utf8_lossy(printed).lines().filter_map(|line| serde_json::from_str(line).ok())
    {
        let message: Value = message;
        if message["level"] != "error" {
            continue;
        }
        for (in_copy, index) in message["spans"].as_array().into_iter().flatten().filter_map(program) {
            let text = message["rendered"].as_str().unwrap_or_default().to_owned();
            let rejection = if in_copy { Rejection::NotRust(text) } else { Rejection::Refused(text) };
            match found.get(&index) {
                None => drop(found.insert(index, rejection)),
                Some(Rejection::Refused(_)) if in_copy => drop(found.insert(index, rejection)),
                Some(_) => {}
            }
        }
    }
    found
}

/// The number of the program that a span is in, and whether it is in its copy.
fn program(span: &Value) -> Option<(bool, usize)> {
    // A span in a macro of ours says where the macro was called.
    if let Some((in_copy, index)) = of_file(span["file_name"].as_str()?) {
        return Some((in_copy, index));
    }
    program(span["expansion"].get("span")?)
}

fn of_file(file: &str) -> Option<(bool, usize)> {
    let name = file.strip_prefix("src/")?.strip_suffix(".rs")?;
    let in_copy = name.starts_with('h');
    Some((in_copy, name[1..].parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(file: &str, text: &str) -> String {
        serde_json::json!({ "level": "error", "rendered": text, "spans": [{ "file_name": file }] })
            .to_string()
    }

    #[test]
    fn errors_are_of_the_program_in_whose_file_they_are() {
        let printed = [error("src/d3.rs", "no"), error("src/h12.rs", "not so"), error("src/main.rs", "?")];
        let found = rejections(printed.join("\n").as_bytes());
        assert_eq!(found.len(), 2);
        assert_eq!(found[&3], Rejection::Refused("no".to_owned()));
        assert_eq!(found[&12], Rejection::NotRust("not so".to_owned()));
    }

    #[test]
    fn an_error_in_the_copy_counts_more() {
        let printed = [error("src/d3.rs", "no"), error("src/h3.rs", "type"), error("src/d3.rs", "neither")];
        let found = rejections(printed.join("\n").as_bytes());
        assert_eq!(found[&3], Rejection::NotRust("type".to_owned()));
    }
}
