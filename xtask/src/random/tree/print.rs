//! A program as text, for the device and for the host.
//!
//! Both texts have every token at the same place, so that the place of a panic on the host is that of the fault on the device.

use super::{Block, Expr, Item, Node, Parameter, ParameterKind, Program, Statement};
use std::fmt;

/// For whom a program is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::random) enum Style {
    /// With our attributes.
    Device,
    /// As ordinary Rust.
    Host,
}

impl Program {
    /// The program in full.
    pub(in crate::random) fn print(&self, style: Style) -> String {
        let mut printer = Printer::default();
        let (prelude, kernel) = match style {
            Style::Device => ("use kernel_runtime::prelude::*;", self.attribute()),
            Style::Host => ("use trial::host::*;", String::new()),
        };
        printer.line(prelude);
        for Item { attribute, nodes } in &self.items {
            printer.line(if style == Style::Device { attribute } else { "" });
            printer.nodes(nodes);
            printer.line("");
        }
        printer.line(&kernel);
        let parameters: Vec<String> = self.parameters.iter().map(Parameter::to_string).collect();
        printer.text(&format!("pub fn kernel({}) ", parameters.join(", ")));
        printer.block(&self.body);
        printer.line("");
        printer.text
    }
}

impl Program {
    /// `#[kernel(…)]`
    fn attribute(&self) -> String {
        if self.arguments.is_empty() {
            "#[kernel]".to_owned()
        } else {
            format!("#[kernel({})]", self.arguments.join(", "))
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, scalar, kind } = self;
        match kind {
            ParameterKind::Value => write!(f, "{name}: {scalar}"),
            ParameterKind::Input(_) => write!(f, "{name}: &[{scalar}]"),
            ParameterKind::Output(_) => write!(f, "{name}: &mut [{scalar}]"),
        }
    }
}

/// Text with the indentation of the next line.
#[derive(Default)]
struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn line(&mut self, text: &str) {
        self.text(text);
        self.break_line();
    }

    fn break_line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("    ", self.indent));
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Text(text) => self.text(text),
                Node::Expr(Expr { nodes, .. }) => self.nodes(nodes),
                Node::Block(block) => self.block(block),
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.text("{");
        self.indent += 1;
        for Statement(nodes) in &block.statements {
            self.break_line();
            self.nodes(nodes);
        }
        if let Some(tail) = &block.tail {
            self.break_line();
            self.nodes(&tail.nodes);
        }
        self.indent -= 1;
        self.break_line();
        self.text("}");
    }
}
