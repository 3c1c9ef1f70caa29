//! Graphs as text, in the language of Graphviz.

use super::node::{Body, Node, Recorded};
use crate::exec::Launch;
use crate::image::Object;
use crate::program::Parameter;
use crate::queue::Action;
use std::fmt::Write;

/// A graph with a node for each command and an edge to each from what comes before it. A detailed one has the arguments of kernels.
pub(super) fn text(recorded: &Recorded, is_detailed: bool) -> String {
    let mut text = "digraph graph_of_commands {\n    node [shape=box];\n".to_owned();
    let mut last_on: Vec<Option<usize>> = Vec::new();
    for (index, node) in recorded.nodes.iter().enumerate() {
        let label = label(node, is_detailed);
        let list = node.branch;
        // To write to a text does not fail.
        let _ = writeln!(text, "    n{index} [label=\"{}\", comment=\"list {list}\"];", escaped(&label));
        last_on.resize(last_on.len().max(list + 1), None);
        if let Some(before) = last_on[list].replace(index) {
            let _ = writeln!(text, "    n{before} -> n{index};");
        }
        for before in &node.after {
            let _ = writeln!(text, "    n{before} -> n{index} [style=dashed];");
        }
    }
    text.push_str("}\n");
    text
}

/// What a node does, a line for each thing.
fn label(node: &Node, is_detailed: bool) -> String {
    let mut label = match &node.body {
        Body::Action(Action::Launch(launch)) => launched(launch, is_detailed),
        Body::Action(Action::LaunchIndirect(indirect)) => {
            format!(
                "{}\nits number of work-groups is at {:#x}",
                launched(&indirect.launch, is_detailed),
                indirect.groups
            )
        }
        Body::Action(action) => named(action),
        Body::List(list) => format!("command list: {} commands", list.commands.len()),
    };
    match node.waits.len() {
        0 => {}
        1 => label.push_str("\nwaits for an event"),
        count => drop(write!(label, "\nwaits for {count} events")),
    }
    if node.signal.as_ref().is_some_and(|event| !event.is_occurrence()) {
        label.push_str("\nsignals an event");
    }
    label
}

fn named(action: &Action) -> String {
    match action {
        // What a launch does is said elsewhere.
        Action::Launch(_) | Action::LaunchIndirect(_) => "launch".to_owned(),
        Action::Copy { to, from, size, .. } => format!("copy: {size} bytes from {from:#x} to {to:#x}"),
        Action::CopyRegion { to, from, region, .. } => {
            let [width, rows, slices] = [region.width, region.rows, region.slices];
            format!("copy: {width} x {rows} x {slices} bytes from {from:#x} to {to:#x}")
        }
        Action::CopyImage(_) => "copy of texels".to_owned(),
        Action::Fill { to, size, .. } | Action::FillByte { to, size, .. } => {
            format!("fill: {size} bytes at {to:#x}")
        }
        Action::HostFunction(_) => "host function".to_owned(),
        Action::Wait(_) | Action::Nothing => "barrier".to_owned(),
        Action::Reset(_) => "reset of an event".to_owned(),
        Action::WriteTimestamp { to, .. } => format!("time to {to:#x}"),
        Action::QueryTimestamps { to, .. } => format!("times of an event to {to:#x}"),
    }
}

/// The name of a kernel with the size of its launch and, if it is to be detailed, its arguments.
fn launched(launch: &Launch, is_detailed: bool) -> String {
    let Some((program, geometry, arguments)) = launch.parts() else { return "launch".to_owned() };
    let mut label = format!("kernel {}", program.name);
    if !is_detailed {
        return label;
    }
    let ([x, y, z], [width, height, depth]) = (geometry.groups, geometry.group_size);
    let _ = write!(label, "\n{x} x {y} x {z} work-groups of {width} x {height} x {depth}");
    for (index, parameter) in program.parameters.iter().enumerate() {
        let shown = match *parameter {
            Parameter::Bytes { size, offset, is_pointer, .. } => {
                let bytes =
                    arguments.bytes.get(offset as usize..(offset + size) as usize).unwrap_or_default();
                format!(
                    "{}: {}",
                    if is_pointer { "pointer".into() } else { format!("{size} bytes") },
                    number(bytes)
                )
            }
            Parameter::Local { .. } => "local memory".to_owned(),
            Parameter::Image { .. } => match arguments.objects.get(index) {
                Some(Object::Image(_)) => "image".to_owned(),
                _ => "no image".to_owned(),
            },
            Parameter::Sampler => "sampler".to_owned(),
        };
        let _ = write!(label, "\nargument {index}: {shown}");
    }
    label
}

/// The number that bytes are, the least first.
fn number(bytes: &[u8]) -> String {
    let digits = bytes.iter().rev().fold("0x".to_owned(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    });
    if bytes.is_empty() { "nothing".to_owned() } else { digits }
}

/// A text as it stands between quotes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_between_their_quotes() {
        assert_eq!(escaped("a \"b\"\\\nc"), r#"a \"b\"\\\nc"#);
        assert_eq!(number(&[1, 0, 0xff]), "0xff0001");
        assert_eq!(number(&[]), "nothing");
    }
}
