//! A program as text, for people: what [`dump`](crate::dump) writes.

use super::{Edge, Program, Terminator};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel `{}`", self.name)?;
        writeln!(f, "  subgroups of {} work-items", self.subgroup_size)?;
        if let Some([x, y, z]) = self.group_size {
            writeln!(f, "  work-groups of {x} x {y} x {z} work-items")?;
        }
        writeln!(
            f,
            "  {} bytes of private memory, {} of local memory",
            self.private_bytes, self.local_bytes
        )?;
        for (index, parameter) in self.parameters.iter().enumerate() {
            writeln!(f, "  argument {index}: {parameter:?}")?;
        }
        for (value, preset) in &self.presets {
            writeln!(f, "  {value}: {} = {preset:?}", self.described(value.0))?;
        }
        for (number, block) in self.blocks.iter().enumerate() {
            writeln!(f, "block {number}:")?;
            for inst in &block.insts {
                writeln!(f, "  {}", short(&format!("{inst:?}")))?;
            }
            writeln!(f, "  {}", end(&block.terminator)?)?;
        }
        Ok(())
    }
}

impl Program {
    /// The kind of a value, and whether it is the same for all lanes.
    fn described(&self, value: u32) -> String {
        let kind = self.kinds.get(value as usize).map_or_else(String::new, |kind| format!("{kind:?}"));
        let is_uniform = self.uniform.get(value as usize).copied().unwrap_or(false);
        if is_uniform { format!("uniform {kind}") } else { kind }
    }
}

/// The end of a block.
fn end(terminator: &Terminator) -> Result<String, fmt::Error> {
    let mut text = match terminator {
        Terminator::Jump(_) => "jump".to_owned(),
        Terminator::Branch { condition, .. } => format!("branch on {condition}"),
        Terminator::Barrier { site, .. } => format!("barrier at word {}", site.0),
        Terminator::Return => "return".to_owned(),
        Terminator::Unreachable(site) => format!("unreachable at word {}", site.0),
    };
    for Edge { target, moves } in terminator.edges() {
        write!(text, " to block {}", target.0)?;
        let moves: Vec<String> = moves.iter().map(|one| format!("{} = {}", one.to, one.from)).collect();
        if !moves.is_empty() {
            write!(text, " ({})", moves.join(", "))?;
        }
    }
    Ok(text)
}

/// The text that a derived `Debug` makes, with values and sites as they are written elsewhere: `%3` for `Value(3)`, `word 5` for `Site(5)`.
fn short(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, name, after)) = first_of(rest, ["Value(", "Site("]) {
        let Some((number, behind)) = after.split_once(')') else { break };
        short += before;
        short += if name == "Value(" { "%" } else { "word " };
        short += number;
        rest = behind;
    }
    short + rest
}

/// What stands before and behind the name that comes first.
fn first_of<'t>(text: &'t str, names: [&'static str; 2]) -> Option<(&'t str, &'static str, &'t str)> {
    let found = names.iter().filter_map(|&name| Some((text.find(name)?, name)));
    let (at, name) = found.min()?;
    Some((&text[..at], name, &text[at + name.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_sites_are_short() {
        assert_eq!(short("Add { a: Value(3), at: Site(14) }"), "Add { a: %3, at: word 14 }");
        assert_eq!(short("nothing Value("), "nothing Value(");
    }
}
