//! Expressions and statements.

use super::builder::variable_place;
use super::{Builder, Exit, FunctionLowering, Slot};
use crate::infer::Table;
use crate::ir::{self, End, Handle, LocalVariable, Op, Query, Statement, Type, Value};
use crate::methods::Lowering as MethodLowering;
use crate::methods::Method;
use crate::typed::{self, Binding, Block, Expr, ExprKind, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, wrap};
use std::collections::HashMap;

impl<'b, 'm, 'p, 'f> FunctionLowering<'b, 'm, 'p, 'f> {
    pub(super) fn new(
        function: &'f typed::Function,
        table: &'f Table,
        builder: &'b mut Builder<'m, 'p>,
        exit: Exit,
    ) -> Self {
        Self { function, table, builder, slots: HashMap::new(), targets: HashMap::new(), exit }
    }

    /// Lowers the whole function for these arguments; answers with the value of its last expression, and whether it returns elsewhere too.
    pub(super) fn run(mut self, arguments: Vec<Handle<Value>>) -> (Option<Handle<Value>>, bool) {
        for (binding, argument) in self.function.parameters.iter().zip(arguments) {
            self.bind(*binding, Some(argument));
        }
        let value = self.block(&self.function.body);
        match self.exit {
            Exit::Kernel => {
                self.builder.end(End::Return);
                (None, true)
            }
            Exit::Inlined { used, .. } => (value, used),
        }
    }

    /// Gives a binding its place; `value` is its first value.
    pub(super) fn bind(&mut self, binding: Handle<Binding>, value: Option<Handle<Value>>) {
        let declared = &self.function.bindings[binding];
        let ty = self.table.resolve(&declared.ty);
        let is_slice = matches!(ty, Ty::Slice { .. });
        let is_array = matches!(ty, Ty::Array(..));
        let slot = match value {
            Some(value) if is_slice || (!declared.assignable && !is_array) => Slot::Value(value),
            _ => {
                let stored = self.builder.module.stored_type(&ty);
                let variable = self.builder.variable(&declared.name, stored);
                if let Some(value) = value {
                    self.builder.store_variable(variable, value);
                }
                Slot::Variable(variable)
            }
        };
        self.slots.insert(binding, slot);
    }

    /// Ends a block whose end is never reached, so that it is complete all the same.
    pub(super) fn unreachable(&mut self) {
        if self.builder.is_reachable() {
            self.leave();
        }
    }

    /// Ends a block with a return.
    pub(super) fn leave(&mut self) {
        match &mut self.exit {
            Exit::Kernel => self.builder.end(End::Return),
            Exit::Inlined { target, used } => {
                *used = true;
                self.builder.end(End::Break(target.label));
            }
        }
    }

    /// All zero bits.
    pub(super) fn zero(&mut self, ty: Handle<Type>) -> Handle<Value> {
        match self.builder.module.types[ty] {
            Type::Scalar(_) => self.builder.leaf(ty, Op::Constant(0)),
            _ => self.builder.evaluate(ty, Op::Zero),
        }
    }

    /// Lowers a block; the value is that of its last expression.
    pub(super) fn block(&mut self, block: &Block) -> Option<Handle<Value>> {
        for statement in &block.statements {
            self.statement(statement);
        }
        block.tail.as_ref().and_then(|tail| self.expr(tail))
    }

    fn statement(&mut self, statement: &typed::Statement) {
        match statement {
            typed::Statement::Expr(expr) => {
                self.expr(expr);
            }
            typed::Statement::Let { binding, value } => self.let_statement(*binding, value.as_ref()),
        }
    }

    fn let_statement(&mut self, binding: Option<Handle<Binding>>, value: Option<&Expr>) {
        let Some(binding) = binding else {
            if let Some(value) = value {
                self.expr(value);
            }
            return;
        };
        match value {
            Some(Expr { kind: ExprKind::NewLocal, ty, .. }) => {
                let ty = self.builder.module.stored_type(&self.table.resolve(ty));
                let name = self.function.bindings[binding].name.clone();
                let local = self.builder.module.locals.push(LocalVariable { name, ty });
                self.slots.insert(binding, Slot::Local(local));
            }
            Some(value @ Expr { kind: ExprKind::Array(_) | ExprKind::Repeat(_), .. }) => {
                let variable = self.array_variable(value, &self.function.bindings[binding].name);
                self.slots.insert(binding, Slot::Variable(variable));
            }
            Some(value) => {
                let value = self.value(value);
                self.bind(binding, Some(value));
            }
            None => self.bind(binding, None),
        }
    }

    /// Lowers an expression whose value is needed.
    pub(super) fn value(&mut self, expr: &Expr) -> Handle<Value> {
        match self.expr(expr) {
            Some(value) => value,
            None => {
                // Control does not come here, or rustc has refused the program.
                let ty = self.builder.module.stored_type(&self.table.resolve(&expr.ty));
                self.zero(ty)
            }
        }
    }

    /// Lowers an expression; there is no value if its type is `()` or `!`.
    pub(super) fn expr(&mut self, expr: &Expr) -> Option<Handle<Value>> {
        let outer = std::mem::replace(&mut self.builder.span, expr.span);
        let value = self.dispatch(expr);
        self.builder.span = outer;
        value
    }

    fn dispatch(&mut self, expr: &Expr) -> Option<Handle<Value>> {
        match &expr.kind {
            ExprKind::Integer(bits) => Some(self.integer(expr, *bits)),
            ExprKind::Float(text) => Some(self.float(expr, text)),
            ExprKind::Binding(binding) => self.binding(*binding),
            ExprKind::Unary(op, operand) => {
                let operand = self.value(operand);
                Some(self.builder.unary(*op, operand))
            }
            ExprKind::Binary(op, left, right) => Some(self.binary(*op, left, right)),
            ExprKind::And(left, right) => Some(self.short_circuit(left, right, false)),
            ExprKind::Or(left, right) => Some(self.short_circuit(left, right, true)),
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignOp(op, place, value) => self.assign_op(*op, place, value),
            ExprKind::Cast(operand) => self.cast(expr, operand),
            ExprKind::If(condition, accept, reject) => {
                self.if_expr(expr, condition, accept, reject.as_deref())
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelledBlock(label, block) => self.labelled_block(expr, *label, block),
            ExprKind::Loop(label, body) => self.loop_expr(expr, *label, body),
            ExprKind::While(label, condition, body) => self.while_expr(*label, condition, body),
            ExprKind::For { label, binding, start, end, inclusive, body } => {
                self.for_expr(*label, *binding, (start, end, *inclusive), body)
            }
            ExprKind::Break(label, value) => self.break_expr(*label, value.as_deref()),
            ExprKind::Continue(label) => {
                if let Some(target) = self.targets.get(label) {
                    self.builder.end(End::Continue(target.label));
                }
                None
            }
            ExprKind::Return(value) => self.return_expr(value.as_deref()),
            ExprKind::Index(..) => self.load_place(expr),
            ExprKind::Len(slice) => Some(self.len(slice)),
            ExprKind::Array(_) | ExprKind::Repeat(_) => {
                let variable = self.array_variable(expr, "");
                Some(self.builder.load_variable(variable))
            }
            ExprKind::Borrow(place) => Some(self.borrow(expr, place)),
            ExprKind::Call(id, arguments) => self.call(expr, id, arguments),
            ExprKind::Method(method, arguments) => Some(self.method(method, arguments)),
            ExprKind::Query(query, dimension) => Some(self.query(*query, *dimension)),
            ExprKind::Barrier => {
                self.builder.push(Statement::Barrier(expr.span));
                None
            }
            ExprKind::NewLocal | ExprKind::Error => None,
        }
    }

    fn integer(&mut self, expr: &Expr, bits: u128) -> Handle<Value> {
        let scalar = self.scalar(expr);
        self.builder.constant(scalar, wrap(scalar, bits as i128))
    }

    fn float(&mut self, expr: &Expr, text: &str) -> Handle<Value> {
        let scalar = self.scalar(expr);
        // The text was a float literal to the parser, so it is one to the standard library.
        let bits = match scalar {
            Scalar::F32 => text.parse::<f32>().map_or(0, |value| value.to_bits().into()),
            _ => text.parse::<f64>().map_or(0, f64::to_bits),
        };
        self.builder.constant(scalar, bits)
    }

    /// The scalar type of an expression that has one.
    pub(super) fn scalar(&self, expr: &Expr) -> Scalar {
        self.table.resolve(&expr.ty).scalar().unwrap_or(Scalar::Usize)
    }

    fn binding(&mut self, binding: Handle<Binding>) -> Option<Handle<Value>> {
        match *self.slots.get(&binding)? {
            Slot::Value(value) => Some(value),
            Slot::Variable(variable) => Some(self.builder.load_variable(variable)),
            Slot::Local(local) => {
                let ty = self.builder.module.locals[local].ty;
                let place = ir::Place { base: ir::Base::Local(local), path: Vec::new() };
                Some(self.builder.load(place, ty))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Handle<Value> {
        let left = self.value(left);
        let right = self.value(right);
        self.builder.binary(op, left, right)
    }

    /// `&&` and `||`: `decisive` is the value of the left side that settles the result.
    fn short_circuit(&mut self, left: &Expr, right: &Expr, decisive: bool) -> Handle<Value> {
        let op = if decisive { BinaryOp::Or } else { BinaryOp::And };
        if is_speculatable(right) {
            return self.binary(op, left, right);
        }
        let left = self.value(left);
        let ty = self.builder.scalar_type(Scalar::Bool);
        let result = self.builder.variable("", ty);
        self.builder.store_variable(result, left);
        self.builder.open();
        let right = self.value(right);
        self.builder.store_variable(result, right);
        let evaluate = self.builder.close();
        let skip = ir::Block { statements: Vec::new(), end: End::Next };
        let (accept, reject) = if decisive { (skip, evaluate) } else { (evaluate, skip) };
        self.builder.push(Statement::If { condition: left, accept, reject });
        self.builder.load_variable(result)
    }

    fn cast(&mut self, expr: &Expr, operand: &Expr) -> Option<Handle<Value>> {
        let scalar = self.scalar(expr);
        let operand = self.expr(operand)?;
        Some(self.builder.cast(operand, scalar))
    }

    /// The right side is computed before the place on the left is.
    fn assign(&mut self, place: &Expr, value: &Expr) -> Option<Handle<Value>> {
        let value = self.value(value);
        let place = self.place(place);
        self.builder.store(place, value);
        None
    }

    /// As for `=`, the right side comes first: so it is in Rust for the scalars.
    fn assign_op(&mut self, op: BinaryOp, target: &Expr, value: &Expr) -> Option<Handle<Value>> {
        let ty = self.builder.module.stored_type(&self.table.resolve(&target.ty));
        let value = self.value(value);
        let place = self.place(target);
        let old = self.builder.load(place.clone(), ty);
        let new = self.builder.binary(op, old, value);
        self.builder.store(place, new);
        None
    }

    fn method(&mut self, method: &'static Method, arguments: &[Expr]) -> Handle<Value> {
        let arguments: Vec<_> = arguments.iter().map(|argument| self.value(argument)).collect();
        match method.lowering {
            MethodLowering::Math(function) => self.builder.math(function, &arguments),
            MethodLowering::Classify(class) => self.builder.classify(class, arguments[0]),
            MethodLowering::With(lower) => lower(self.builder, &arguments),
        }
    }

    fn query(&mut self, query: Query, dimension: u8) -> Handle<Value> {
        let ty = self.builder.scalar_type(Scalar::Usize);
        self.builder.evaluate(ty, Op::Query(query, dimension))
    }

    /// A variable with the elements of an array expression.
    pub(super) fn array_variable(&mut self, expr: &Expr, name: &str) -> Handle<ir::Variable> {
        let ty = self.builder.module.stored_type(&self.table.resolve(&expr.ty));
        let variable = self.builder.variable(name, ty);
        match &expr.kind {
            ExprKind::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    let element = self.value(element);
                    let index = self.builder.constant(Scalar::Usize, index as u64);
                    self.store_element(variable, index, element);
                }
            }
            ExprKind::Repeat(element) => self.fill(variable, element),
            _ => {
                let value = self.value(expr);
                self.builder.store_variable(variable, value);
            }
        }
        variable
    }

    fn fill(&mut self, variable: Handle<ir::Variable>, element: &Expr) {
        let ty = self.builder.variable_type(variable);
        let element = self.value(element);
        if self.builder.constant_of(element) == Some(0) {
            let zero = self.zero(ty);
            self.builder.store_variable(variable, zero);
            return;
        }
        let Type::Array { len, .. } = self.builder.module.types[ty] else { return };
        let last = self.builder.constant(Scalar::Usize, u64::from(len));
        self.counted_loop(last, |lowering, index| lowering.store_element(variable, index, element));
    }

    /// Stores to an element of an array whose index is in range.
    fn store_element(
        &mut self,
        variable: Handle<ir::Variable>,
        index: Handle<Value>,
        element: Handle<Value>,
    ) {
        let mut place = variable_place(variable);
        place.path.push(ir::Index { index, check: ir::Check::Proved });
        self.builder.store(place, element);
    }
}

/// Whether an expression may be computed where Rust would not: it is cheap, and nothing can go wrong in it.
fn is_speculatable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Binding(_) | ExprKind::Query(..) => true,
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => is_speculatable(operand),
        ExprKind::And(left, right) | ExprKind::Or(left, right) => {
            is_speculatable(left) && is_speculatable(right)
        }
        ExprKind::Binary(op, left, right) => {
            let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
            !divides && is_speculatable(left) && is_speculatable(right)
        }
        ExprKind::Len(slice) => matches!(slice.kind, ExprKind::Binding(_)),
        _ => false,
    }
}
