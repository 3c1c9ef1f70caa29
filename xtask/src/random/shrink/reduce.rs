//! All ways to take something away from a program.

use crate::random::tree::{Block, Body, Expr, Item, Node, Program, Statement, Type};
use kernel_core::Scalar;

/// How many expressions inside of another may stand in for it.
const MAX_INNER: usize = 8;

/// A change at a place. Places are numbered in the order of the text, a block or an expression before what is in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction {
    site: usize,
    change: Change,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    /// Drops an item. (The site is its number.)
    DropItem,
    /// Drops a parameter. (The site is its number.)
    DropParameter,
    /// Drops the size of groups from the arguments of `#[kernel]`. That of subgroups decides about results.
    DropGroupSize,
    /// Drops statements of a block: how many from which on.
    DropStatements { first: usize, count: usize },
    /// Puts the statements of a block inside of a statement in its place.
    Unwrap { statement: usize, inner: usize },
    /// Puts a literal in place of an expression.
    Literal,
    /// Puts an expression inside of an expression in its place.
    Inner(usize),
}

/// Something that can be reduced.
enum Site<'a> {
    Block(&'a mut Block),
    Expr(&'a mut Expr),
}

/// All reductions of a program, in the order of their sites.
pub(super) fn reductions(program: &Program) -> Vec<Reduction> {
    let at = |site, change| Reduction { site, change };
    let mut all: Vec<Reduction> = (0..program.items.len()).map(|item| at(item, Change::DropItem)).collect();
    all.extend((0..program.parameters.len()).map(|parameter| at(parameter, Change::DropParameter)));
    all.push(at(0, Change::DropGroupSize));
    let mut program = program.clone();
    let mut number = 0;
    visit(&mut program, &mut |site| {
        match site {
            Site::Block(block) => {
                all.extend(of_block(block).into_iter().map(|change| at(number, change)));
            }
            Site::Expr(expr) => {
                all.extend(of_expr(expr).into_iter().map(|change| at(number, change)));
            }
        }
        number += 1;
    });
    all
}

fn of_block(block: &mut Block) -> Vec<Change> {
    let len = block.statements.len();
    let mut changes = Vec::new();
    let mut count = len;
    while count > 0 {
        changes.extend((0..len).step_by(count).map(|first| Change::DropStatements { first, count }));
        count /= 2;
    }
    for (statement, Statement(nodes)) in block.statements.iter_mut().enumerate() {
        let mut inner = 0;
        blocks(nodes, &mut |_| inner += 1);
        changes.extend((0..inner).map(|inner| Change::Unwrap { statement, inner }));
    }
    changes
}

fn of_expr(expr: &mut Expr) -> Vec<Change> {
    if expr.is_place {
        return Vec::new();
    }
    let ty = expr.ty.clone();
    let mut inner = 0;
    inner_exprs(&mut expr.nodes, &ty, &mut |_| inner += 1);
    let inner = (0..inner.min(MAX_INNER)).map(Change::Inner);
    [Change::Literal].into_iter().chain(inner).collect()
}

impl Reduction {
    /// The number of the place.
    pub(super) fn site(&self) -> usize {
        self.site
    }

    /// The reduced program, unless the place is not what it was any more.
    pub(super) fn apply(self, program: &Program) -> Option<Program> {
        let mut program = program.clone();
        match self.change {
            Change::DropItem => {
                drop((self.site < program.items.len()).then(|| program.items.remove(self.site))?)
            }
            Change::DropParameter => {
                let exists = self.site < program.parameters.len();
                drop(exists.then(|| program.parameters.remove(self.site))?);
            }
            Change::DropGroupSize => program.arguments.retain(|argument| !argument.starts_with("group_size")),
            change => {
                let (mut number, mut applied) = (0, false);
                visit(&mut program, &mut |site| {
                    if number == self.site {
                        applied = apply(change, site).is_some();
                    }
                    number += 1;
                });
                return applied.then_some(program);
            }
        }
        Some(program)
    }
}

fn apply(change: Change, site: Site<'_>) -> Option<()> {
    match (change, site) {
        (Change::DropStatements { first, count }, Site::Block(block)) => {
            let end = (first + count).min(block.statements.len());
            (first < end).then(|| drop(block.statements.drain(first..end)))
        }
        (Change::Unwrap { statement, inner }, Site::Block(block)) => {
            let mut found = Vec::new();
            blocks(&mut block.statements.get_mut(statement)?.0, &mut |block| found.push(block.clone()));
            let unwrapped = found.into_iter().nth(inner)?.statements;
            block.statements.splice(statement..=statement, unwrapped);
            Some(())
        }
        (Change::Literal, Site::Expr(expr)) => {
            *expr = Expr::text(expr.ty.clone(), zero(&expr.ty));
            Some(())
        }
        (Change::Inner(wanted), Site::Expr(expr)) => {
            let mut found = Vec::new();
            let ty = expr.ty.clone();
            inner_exprs(&mut expr.nodes, &ty, &mut |inner| found.push(inner.clone()));
            *expr = Expr { is_place: false, ..found.into_iter().nth(wanted)? };
            Some(())
        }
        _ => None,
    }
}

/// Calls a function with every place of a program, in order.
fn visit(program: &mut Program, at: &mut dyn FnMut(Site<'_>)) {
    for Item { nodes, .. } in &mut program.items {
        visit_nodes(nodes, at);
    }
    visit_block(&mut program.body, at);
}

fn visit_block(block: &mut Block, at: &mut dyn FnMut(Site<'_>)) {
    at(Site::Block(block));
    for Statement(nodes) in &mut block.statements {
        visit_nodes(nodes, at);
    }
    block.tail.iter_mut().for_each(|tail| visit_expr(tail, at));
}

fn visit_expr(expr: &mut Expr, at: &mut dyn FnMut(Site<'_>)) {
    at(Site::Expr(expr));
    visit_nodes(&mut expr.nodes, at);
}

fn visit_nodes(nodes: &mut [Node], at: &mut dyn FnMut(Site<'_>)) {
    for node in nodes {
        match node {
            Node::Text(_) => {}
            Node::Expr(expr) => visit_expr(expr, at),
            Node::Block(block) => visit_block(block, at),
        }
    }
}

/// The blocks in some nodes that are in no other block.
fn blocks(nodes: &mut [Node], found: &mut dyn FnMut(&Block)) {
    for node in nodes {
        match node {
            Node::Text(_) => {}
            Node::Expr(expr) => blocks(&mut expr.nodes, found),
            Node::Block(block) => found(block),
        }
    }
}

/// The expressions of a type in some nodes, outer ones first.
fn inner_exprs(nodes: &mut [Node], ty: &Type, found: &mut dyn FnMut(&Expr)) {
    visit_nodes(nodes, &mut |site| {
        if let Site::Expr(expr) = site
            && expr.ty == *ty
        {
            found(expr);
        }
    });
}

/// The plainest value of a type.
fn zero(ty: &Type) -> String {
    match ty {
        Type::Scalar(Scalar::Bool) => "false".to_owned(),
        Type::Scalar(scalar) => format!("0_{scalar}"),
        Type::Unit => "()".to_owned(),
        Type::Vector(Scalar::Bool, _) => format!("{ty}::splat(false)"),
        Type::Vector(scalar, _) => format!("{ty}::splat(0_{scalar})"),
        Type::Half => "f16::from_bits(0)".to_owned(),
        Type::Tuple(elements) => {
            let elements: String = elements.iter().map(|element| zero(element) + ", ").collect();
            format!("({elements})")
        }
        Type::Array(element, len) => format!("[{}; {len}]", zero(element)),
        Type::Struct(of) => of.path() + &zeros(&of.body),
        Type::Enum(of) => of.path(&of.variants[0]) + &zeros(&of.variants[0].body),
    }
}

fn zeros(body: &Body) -> String {
    body.written(&body.types().map(zero).collect::<Vec<_>>())
}
