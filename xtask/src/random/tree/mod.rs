//! A random program as a tree.
//!
//! The tree knows no constructs of the language. An expression is the text that it is made of, with holes that other
//! expressions and blocks fill; a construct is a function that makes one. Beside that, only what the [shrinker](super::shrink) must
//! know is kept: the type of each expression, and which text is a statement.

mod nominal;
mod print;
mod ty;

pub(super) use nominal::{Body, Enum, Struct, Variant};
pub(super) use print::Style;
pub(super) use ty::Type;

use kernel_core::Scalar;

/// A kernel with all that it needs.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// What it was made from; it also decides the inputs.
    pub(super) seed: u64,
    /// Functions, constants and types for devices, in front of the kernel.
    pub(super) items: Vec<Item>,
    /// The arguments of `#[kernel]`.
    pub(super) arguments: Vec<String>,
    /// The parameters of the kernel.
    pub(super) parameters: Vec<Parameter>,
    /// The body of the kernel.
    pub(super) body: Block,
}

/// An item for devices.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// `#[device]`, perhaps with arguments.
    pub(super) attribute: String,
    pub(super) nodes: Vec<Node>,
}

/// A parameter of a kernel.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) scalar: Scalar,
    pub(super) kind: ParameterKind,
}

/// What is passed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterKind {
    /// A scalar.
    Value,
    /// A slice of which every work-item may read everything; it has so many elements for each.
    Input(usize),
    /// A slice of which every work-item has so many elements to itself.
    Output(usize),
}

/// A block in braces.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) statements: Vec<Statement>,
    /// The expression whose value the block has.
    pub(super) tail: Option<Box<Expr>>,
}

/// A statement, its semicolon included.
#[derive(Clone, Debug)]
pub(super) struct Statement(pub(super) Vec<Node>);

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) ty: Type,
    /// Whether it is a place, so that only what is inside of it can be replaced.
    pub(super) is_place: bool,
    pub(super) nodes: Vec<Node>,
}

/// A piece of a statement, an expression or an item.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Text(String),
    Expr(Expr),
    Block(Block),
}

impl From<Expr> for Node {
    fn from(expr: Expr) -> Self {
        Self::Expr(expr)
    }
}

impl From<Block> for Node {
    fn from(block: Block) -> Self {
        Self::Block(block)
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Fills the holes of a template, which are written `$`.
pub(super) fn fill(template: &str, parts: Vec<Node>) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut parts = parts.into_iter();
    for (index, text) in template.split('$').enumerate() {
        if index > 0 {
            nodes.push(parts.next().expect("a template has as many holes as there are parts"));
        }
        if !text.is_empty() {
            nodes.push(Node::from(text));
        }
    }
    assert!(parts.next().is_none(), "`{template}` has fewer holes than there are parts");
    nodes
}

impl Program {
    /// Returns whether work-items of a group may wait for each other.
    pub(super) fn has_convergent(&self) -> bool {
        let text = self.print(Style::Host);
        ["barrier()", "work_group::", "subgroup::"].iter().any(|function| text.contains(function))
    }
}

impl Item {
    pub(super) fn new(nodes: Vec<Node>) -> Self {
        Self { attribute: "#[device]".to_owned(), nodes }
    }
}

impl Expr {
    /// Returns whether it is a variable or a field of one, without an expression inside.
    pub(super) fn is_name(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node, Node::Text(_)))
    }

    /// An expression of only text.
    pub(super) fn text(ty: Type, text: impl Into<String>) -> Self {
        Self { ty, is_place: false, nodes: vec![Node::Text(text.into())] }
    }
}

/// `expr!(type, template, parts…)`: an expression.
macro_rules! expr {
    ($ty:expr, $template:expr $(, $part:expr)* $(,)?) => {
        crate::random::tree::Expr {
            ty: $ty,
            is_place: false,
            nodes: crate::random::tree::fill($template.as_ref(), vec![$(crate::random::tree::Node::from($part)),*]),
        }
    };
}

/// `statement!(template, parts…)`: a statement.
macro_rules! statement {
    ($template:expr $(, $part:expr)* $(,)?) => {
        crate::random::tree::Statement(
            crate::random::tree::fill($template.as_ref(), vec![$(crate::random::tree::Node::from($part)),*]),
        )
    };
}

pub(super) use {expr, statement};
