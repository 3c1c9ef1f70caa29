//! The kernel itself: parameters, a body, and at the end everything that is known goes to the outputs.

use super::Generator;
use super::digest;
use super::function::MAX_INLINED;
use super::scope::{Slice, SliceKind, Variable};
use crate::random::tree::{Block, Expr, Node, Parameter, ParameterKind, Program, Statement, Type, statement};
use kernel_core::Scalar;

/// The output that takes what fits nowhere else.
const DIGEST: &str = "digest";

/// How many scalars go to the digest at most.
const MAX_DIGESTED: usize = 24;

/// The program of a seed.
pub(in crate::random) fn program(seed: u64) -> Program {
    let mut g = Generator::new(seed);
    g.choose_palette();
    for _ in 0..g.random.below(3) {
        g.device_constant();
    }
    g.generic_items();
    for _ in 0..g.random.below(4) {
        g.budget = 40;
        g.inlined = MAX_INLINED / 2;
        g.device_function();
    }
    g.inlined = MAX_INLINED;
    g.budget = g.random.within(40, 160) as i32;
    let parameters = g.parameters();
    g.has_groups = g.random.chance(30);
    g.has_subgroups = g.has_groups && g.random.chance(50);
    let body = g.body(&parameters);
    let arguments = g.attribute();
    Program { seed, items: g.items, arguments, parameters, body }
}

impl Generator {
    fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for _ in 0..self.random.below(3) {
            let (name, scalar) = (self.name("a"), self.scalar());
            self.scope.define(Variable::new(&name, Type::Scalar(scalar), false));
            parameters.push(Parameter { name, scalar, kind: ParameterKind::Value });
        }
        for _ in 0..self.random.within(1, 3) {
            let (name, element) = (self.name("x"), self.scalar());
            self.scope.add_slice(Slice::new(name.clone(), element, SliceKind::Input));
            let per_item = self.random.pick(&[1, 1, 2]);
            parameters.push(Parameter { name, scalar: element, kind: ParameterKind::Input(per_item) });
        }
        for _ in 0..self.random.within(1, 3) {
            let (name, element) = (self.name("y"), self.scalar());
            let per_item = self.random.pick(&[1, 1, 2, 3]);
            self.scope.add_slice(Slice::new(name.clone(), element, SliceKind::Output(per_item)));
            parameters.push(Parameter { name, scalar: element, kind: ParameterKind::Output(per_item) });
        }
        parameters.push(Parameter {
            name: DIGEST.to_owned(),
            scalar: Scalar::U64,
            kind: ParameterKind::Output(1),
        });
        parameters
    }

    /// The arguments of `#[kernel]`.
    fn attribute(&mut self) -> Vec<String> {
        // No two work-items access one element, but not each index is one of which the compiler can tell that.
        let mut arguments = vec!["unsafe(races)".to_owned()];
        if self.random.chance(10) {
            arguments.push(format!("group_size = [{}, 1, 1]", self.random.pick(&[1, 4, 16])));
        }
        if self.has_subgroups {
            arguments.push("subgroup_size = 16".to_owned());
        }
        arguments
    }

    fn body(&mut self, parameters: &[Parameter]) -> Block {
        let mut statements = Vec::new();
        if self.has_groups {
            self.begin_agreement();
            statements.extend((0..self.random.within(1, 2)).map(|_| self.tile()).collect::<Vec<_>>());
        }
        self.scope.define(Variable::new("i", Type::USIZE, false));
        statements.push(statement!("let i = global_id(0);"));
        statements.extend(self.first_variables());
        while self.budget > 0 {
            statements.extend(self.statement());
        }
        for parameter in parameters {
            statements.extend(self.output(parameter));
        }
        statements.extend(self.digest());
        Block { statements, tail: None }
    }

    /// A variable of each usual type, so that there is something to work with.
    fn first_variables(&mut self) -> Vec<Statement> {
        let palette = self.palette.clone();
        let declared = |ty: &Type| {
            let (value, name) = (self.composed(ty), self.name("v"));
            self.define(&name, ty, true);
            statement!(format!("let mut {name}: {ty} = $;"), value)
        };
        palette.iter().map(declared).collect()
    }

    /// A value of which every scalar comes from the inputs if it can.
    fn composed(&mut self, ty: &Type) -> Expr {
        let (open, close, parts) = match ty {
            Type::Tuple(elements) => ("(", ")", elements.clone()),
            Type::Array(element, len) => ("[", "]", vec![(**element).clone(); *len]),
            Type::Struct(_) => return self.built(ty, &mut Self::composed),
            _ => return self.leaf(ty),
        };
        let mut nodes = vec![Node::from(open)];
        for part in &parts {
            nodes.extend([self.composed(part).into(), Node::from(", ")]);
        }
        nodes.push(close.into());
        Expr { ty: ty.clone(), is_place: false, nodes }
    }

    /// Writes a variable, or part of one, to an output of its type.
    fn output(&mut self, parameter: &Parameter) -> Option<Statement> {
        let ParameterKind::Output(per_item) = parameter.kind else { return None };
        if parameter.name == DIGEST || self.random.chance(20) {
            return None;
        }
        let value = self.leaf(&Type::Scalar(parameter.scalar));
        let name = &parameter.name;
        let index = if per_item == 1 { "i".to_owned() } else { format!("i * {per_item}") };
        Some(statement!(format!("{name}[{index}] = $;"), value))
    }

    /// Mixes all that is in the variables into one number, a statement for each scalar.
    fn digest(&mut self) -> Vec<Statement> {
        let variables: Vec<(String, Type)> = self
            .scope
            .visible()
            .filter(|(_, variable)| variable.name.starts_with(['v', 'u']))
            .map(|(_, variable)| (variable.name.clone(), variable.ty.clone()))
            .collect();
        let mut parts = Vec::new();
        for (name, ty) in variables {
            digest::parts(&name, &ty, &mut parts);
        }
        parts.truncate(MAX_DIGESTED);
        let mix = |part| statement!(format!("{DIGEST}[i] = ({DIGEST}[i] * 31) ^ $;"), part);
        parts.into_iter().map(mix).collect()
    }
}
