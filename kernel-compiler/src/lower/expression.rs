//! Expressions and statements.

use super::half::parsed_bits;
use super::identity::Node;
use super::memory::{Memory, Operand};
use super::overflow::Author;
use super::requirement::Failure;
use super::{Builder, Exit, FunctionLowering};
use crate::diagnostics::Diagnostic;
use crate::hash::HashMap;
use crate::infer::{Inferred, Table};
use crate::ir::{self, End, Handle, LocalVariable, Op, Query, Statement, Value};
use crate::methods::Method;
use crate::typed::{self, Binding, Block, Expr, ExprKind, GroupFunction, Pattern, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp, overflow_fault, wrap};

impl<'b, 'm, 'p, 'f> FunctionLowering<'b, 'm, 'p, 'f> {
    pub(super) fn new(whole: &'f Inferred, builder: &'b mut Builder<'m, 'p>, exit: Exit) -> Self {
        let (function, table) = &**whole;
        let result = function.result.clone();
        Self {
            whole,
            function,
            table,
            builder,
            slots: HashMap::default(),
            targets: HashMap::default(),
            result,
            exit,
            is_doubtful: false,
        }
    }

    /// Lowers the whole function for these arguments; answers with the value of its last expression, and whether it returns elsewhere too.
    pub(super) fn run(mut self, arguments: Vec<Memory>) -> (Operand, bool) {
        if !self.function.conditions.is_empty() {
            self.conditions(&arguments);
        }
        for (binding, argument) in self.function.parameters.iter().zip(arguments) {
            self.bind_argument(*binding, argument);
        }
        let value = self.block(&self.function.body);
        self.leaves_with(value)
    }

    /// The value with which the code ends, and whether it is left elsewhere too.
    pub(super) fn leaves_with(self, value: Operand) -> (Operand, bool) {
        match self.exit {
            Exit::Kernel => {
                self.builder.end(End::Return);
                (Operand::UNIT, true)
            }
            Exit::Inlined { used, .. } => (value, used),
        }
    }

    /// Gives a parameter its argument, which is not copied where it is memory that is only read.
    fn bind_argument(&mut self, binding: Handle<Binding>, argument: Memory) {
        match argument {
            Memory::Value(operand) => self.bind(binding, operand),
            memory if self.may_change(binding) => {
                let operand = self.load(&memory);
                self.bind(binding, operand);
            }
            memory => {
                self.slots.insert(binding, memory);
            }
        }
    }

    /// Gives a variable its first value. One that never changes is that value; one that does, or has elements, is kept in memory.
    pub(super) fn bind(&mut self, binding: Handle<Binding>, operand: Operand) {
        let around = self.builder.module.identities.enter(Node::Binding(binding));
        let declared = &self.function.bindings[binding];
        let memory = match self.may_change(binding) {
            true => self.variable_for(declared, self.table, operand),
            false => self.spill(operand),
        };
        self.builder.module.identities.leave(around);
        self.slots.insert(binding, memory);
    }

    /// The memory of a variable that changes, with its first value.
    pub(super) fn variable_for(&mut self, declared: &Binding, table: &Table, operand: Operand) -> Memory {
        match self.shape(&table.resolve(&declared.ty)) {
            Some(shape) => self.own_as(&shape, operand, &declared.name),
            None => self.make_own(operand),
        }
    }

    /// Memory for a variable, unless it holds a reference.
    pub(super) fn declare(&mut self, binding: Handle<Binding>) -> Option<Memory> {
        let declared = &self.function.bindings[binding];
        let ty = self.table.resolve(&declared.ty);
        self.allocate(&ty, &declared.name)
    }

    /// Ends a block whose end is never reached, so that it is complete all the same.
    pub(super) fn unreachable(&mut self) {
        if self.builder.is_reachable() {
            self.end_by_panic();
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

    /// Lowers a block; the result is that of its last expression.
    pub(super) fn block(&mut self, block: &Block) -> Operand {
        for statement in &block.statements {
            if self.builder.author == Author::Library && !self.builder.is_reachable() {
                return Operand::Undefined;
            }
            self.statement(statement);
        }
        block.tail.as_ref().map_or(Operand::UNIT, |tail| self.expr(tail))
    }

    fn statement(&mut self, statement: &typed::Statement) {
        let around = self.builder.module.identities.enter(statement.into());
        match statement {
            typed::Statement::Expr(expr) => {
                self.expr(expr);
            }
            typed::Statement::Let(pattern, value) => self.let_statement(pattern, value),
            typed::Statement::LetElse(pattern, value, otherwise) => self.let_else(pattern, value, otherwise),
            typed::Statement::Declare(binding) => {
                if let Some(memory) = self.declare(*binding) {
                    self.slots.insert(*binding, memory);
                }
            }
        }
        self.builder.module.identities.leave(around);
    }

    fn let_statement(&mut self, pattern: &Pattern, value: &Expr) {
        match (pattern, &value.kind) {
            (Pattern::Binding { binding, .. }, ExprKind::NewLocal) => {
                let ty = self.builder.module.local_type(&self.table.resolve(&value.ty));
                let name = self.function.bindings[*binding].name.clone();
                let local = self.builder.module.locals.push(LocalVariable { name, ty });
                let place = ir::Place { base: ir::Base::Local(local), path: Vec::new() };
                self.slots.insert(*binding, Memory::Place(place));
            }
            (
                Pattern::Binding { binding, by_reference: false, inner: None },
                ExprKind::Array(_) | ExprKind::Repeat(_),
            ) => {
                let name = &self.function.bindings[*binding].name;
                let memory = self.new_array(value, name);
                self.slots.insert(*binding, memory);
            }
            // What never changes needs no copy.
            (
                Pattern::Binding { binding, by_reference: false, inner: None },
                ExprKind::Constant(constant),
            ) if !self.may_change(*binding) => {
                let memory = self.constant(constant);
                self.slots.insert(*binding, memory);
            }
            (Pattern::Binding { by_reference: false, .. }, _) => {
                let operand = self.expr(value);
                self.bind_pattern(pattern, &Memory::Value(operand));
            }
            // A pattern that takes a place apart does not copy what it does not name.
            _ => {
                let memory = self.scrutinee(value);
                self.bind_pattern(pattern, &memory);
            }
        }
    }

    /// Lowers an expression whose value is a scalar.
    pub(super) fn value(&mut self, expr: &Expr) -> Handle<Value> {
        match self.expr(expr) {
            Operand::Value(value) => value,
            // Control does not come here, or that has been reported.
            _ => self.builder.constant(self.scalar(expr), 0),
        }
    }

    /// The number that an operand is: an index, an end of a range, a condition.
    pub(super) fn scalar_operand(&mut self, operand: Operand) -> Handle<Value> {
        self.scalar_of(operand, Scalar::Usize)
    }

    /// The scalar that an operand is, or a zero of the type where nothing looks at it. What is no scalar is an error.
    pub(super) fn scalar_of(&mut self, operand: Operand, scalar: Scalar) -> Handle<Value> {
        match operand {
            Operand::Value(value) => return value,
            Operand::Undefined => {}
            _ => self.lost_value(self.builder.span),
        }
        self.builder.constant(scalar, 0)
    }

    /// Lowers an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Operand {
        let outer = std::mem::replace(&mut self.builder.span, expr.span);
        if !self.is_known(expr) {
            self.lost(expr.span);
        }
        let around = self.builder.module.identities.enter(expr.into());
        let operand = self.dispatch(expr);
        self.builder.module.identities.leave(around);
        self.check_form(expr, &operand);
        self.builder.span = outer;
        operand
    }

    /// Makes sure that a number has become a number: where lowering meets what it does not expect it has no error to return, and
    /// goes on with nothing.
    #[inline(never)]
    fn check_form(&mut self, expr: &Expr, operand: &Operand) {
        let Some(expected) = self.table.resolve(&expr.ty).numeric() else { return };
        let fits = match operand {
            Operand::Value(value) => self.builder.has_type(*value, expected),
            Operand::Undefined => true,
            _ => false,
        };
        if !fits {
            self.lost_value(expr.span);
        }
    }

    /// Says that what has to be a number is none, unless control does not come here.
    fn lost_value(&mut self, span: proc_macro2::Span) {
        if self.builder.is_reachable() {
            let at = crate::diagnostics::marker(span);
            let error = Diagnostic::left_to_rustc(&at, "the compiler lost track of this value");
            self.builder.module.diagnostics.push(error);
        }
    }

    /// Returns whether inference has found out what an expression is. It has, or there was an error and no lowering; this is the second
    /// lock on that door, since what is not known must not become code.
    fn is_known(&self, expr: &Expr) -> bool {
        let ty_is_known = match &expr.ty {
            Ty::Variable(..) | Ty::Projection(_) | Ty::Parameter(..) => !matches!(
                self.table.resolve(&expr.ty),
                Ty::Variable(..) | Ty::Projection(_) | Ty::Parameter(..)
            ),
            ty => *ty != Ty::Error,
        };
        ty_is_known && !matches!(expr.kind, ExprKind::Error)
    }

    pub(super) fn lost(&mut self, span: proc_macro2::Span) {
        let at = crate::diagnostics::marker(span);
        let message = "the compiler lost track of what this is";
        let help = "give the value a type with `let`";
        self.builder.module.diagnostics.push(Diagnostic::left_to_rustc(&at, message).help(help));
    }

    fn dispatch(&mut self, expr: &Expr) -> Operand {
        match &expr.kind {
            ExprKind::If(condition, accept, reject) => {
                self.if_expr(expr, condition, accept, reject.as_deref())
            }
            ExprKind::IfLet(tests, accept, reject) => self.if_let(expr, tests, accept, reject.as_deref()),
            ExprKind::Match(scrutinee, arms) => self.match_expr(expr, scrutinee, arms),
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelledBlock(label, block) => self.labelled_block(expr, *label, block),
            ExprKind::Loop(label, body) => self.loop_expr(expr, *label, body),
            ExprKind::Call(callee, arguments) => self.call(expr, callee, arguments),
            ExprKind::Tuple(elements) => {
                Operand::Tuple(elements.iter().map(|element| self.expr(element)).collect())
            }
            ExprKind::Vector(op, operands) => self.vector(expr, op, operands),
            ExprKind::Atomic(call, operands) => self.atomic(expr, *call, operands),
            ExprKind::Scoped(cell, _) => self.scope_without_access(cell),
            ExprKind::Pointer(op, operands) => self.pointer(expr, *op, operands),
            ExprKind::Image(op, operands) => self.image(expr, *op, operands),
            ExprKind::Range(ends) => Operand::Tuple(ends.iter().map(|end| self.expr(end)).collect()),
            ExprKind::SliceMethod(method, operands) => self.slice_method(expr, *method, operands),
            ExprKind::ArrayFromFn(by) => self.array_from_fn(expr, by),
            ExprKind::Replace(place, value) => self.replace(place, value),
            ExprKind::Iterator(iter) => self.iterator(iter),
            ExprKind::Consume(consumer, operands) => self.consume(expr, *consumer, operands),
            ExprKind::SubSlice(base, range) => {
                Operand::Reference(Box::new(self.sub_slice(expr, base, range)))
            }
            ExprKind::EmptySlice => self.empty_slice(expr),
            ExprKind::Method(method, arguments) => self.method(expr, method, arguments),
            ExprKind::Reference(place) => {
                let ty = self.table.resolve(&expr.ty);
                self.reference(place, &ty)
            }
            ExprKind::Construct { variant, fields, base } => {
                self.construct(expr, *variant, fields, base.as_deref())
            }
            ExprKind::Deferred(value) => match &*value.borrow() {
                Some(value) => self.expr(value),
                None => Operand::UNIT,
            },
            ExprKind::Advance(advance, iterator) => self.advance(expr, *advance, iterator),
            ExprKind::Compare(comparison, sides) => self.ask_order(*comparison, sides),
            ExprKind::Closure(closure) => self.closure(closure, &expr.ty),
            ExprKind::Group(_, GroupFunction::Copy(copy), arguments) => {
                self.group_copy(*copy, arguments, expr.span)
            }
            ExprKind::CallClosure(callee, arguments) => self.call_value(expr, callee, arguments),
            ExprKind::Unwrap { value, variant, shown, fault, message } => {
                let failure = Failure::new(*fault, &[]).saying(message);
                self.unwrap(value, *variant, *shown, failure)
            }
            ExprKind::Initialized(slice) => self.initialized(slice),
            ExprKind::PayloadReferences(value) => {
                self.payload_references(value, &self.table.resolve(&expr.ty))
            }
            ExprKind::Try { value, is_option } => self.try_expr(value, *is_option),
            ExprKind::Binding(_)
            | ExprKind::Index(..)
            | ExprKind::Field(..)
            | ExprKind::Payload(..)
            | ExprKind::Dereference(_)
            | ExprKind::Array(_)
            | ExprKind::Repeat(_)
            | ExprKind::Constant(_) => {
                let memory = self.place(expr);
                self.load(&memory)
            }
            ExprKind::Integer(_) | ExprKind::Cast(_) | ExprKind::Unary(..) | ExprKind::Binary(..)
                if self.is_wide(expr) =>
            {
                self.wide(expr)
            }
            _ => match self.scalar_expr(expr) {
                Some(value) => Operand::Value(value),
                None => {
                    self.effect(expr);
                    Operand::UNIT
                }
            },
        }
    }

    /// The expressions whose result is a scalar.
    fn scalar_expr(&mut self, expr: &Expr) -> Option<Handle<Value>> {
        Some(match &expr.kind {
            ExprKind::Integer(bits) => self.integer(expr, *bits),
            ExprKind::ChecksOverflow => {
                let checks = self.builder.inherits_overflow_checks();
                self.builder.constant(Scalar::Bool, checks.into())
            }
            ExprKind::Float(text) => self.float(expr, text),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::And(left, right) => self.short_circuit(left, right, false),
            ExprKind::Or(left, right) => self.short_circuit(left, right, true),
            ExprKind::Cast(operand) if self.is_wide(operand) => self.narrowed(expr, operand),
            ExprKind::Cast(operand) => {
                let operand = self.value(operand);
                self.builder.cast(operand, self.scalar(expr))
            }
            ExprKind::Equal { left, right, negated } => self.equal(left, right, *negated),
            ExprKind::Tag(value) => {
                let memory = self.place(value);
                self.tag(&memory)
            }
            ExprKind::Len(slice) => self.len(slice),
            ExprKind::Matches(pattern, value) => {
                let memory = self.place(value);
                let matches = self.matches(pattern, &memory);
                matches.unwrap_or_else(|| self.builder.constant(Scalar::Bool, 1))
            }
            ExprKind::Contains(range, number) => self.contains(range, number),
            ExprKind::IsEmpty(range) => self.is_empty(range),
            ExprKind::Query(query, dimension) => self.query(*query, *dimension),
            ExprKind::Specialization(position) => self.builder.specialization(*position),
            ExprKind::Group(group, function, arguments) => {
                return self.group_function(*group, *function, arguments, expr.span);
            }
            _ => return None,
        })
    }

    /// The expressions that have no result.
    fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                // The right side is computed before the place on the left is.
                let operand = self.expr(value);
                let memory = self.place(place);
                self.store(&memory, &operand);
            }
            ExprKind::Swap(one, other) => self.swap_places(one, other),
            ExprKind::AssignOp { op, place, value, is_referred } => {
                self.assign_op(*op, place, value, *is_referred);
            }
            ExprKind::While(label, condition, body) => self.while_expr(*label, condition, body),
            ExprKind::WhileLet(label, tests, body) => self.while_let(*label, tests, body),
            ExprKind::Destructure { pattern, value, assignments } => {
                self.destructure(pattern, value, assignments);
            }
            ExprKind::For { label, pattern, iterator, body } => {
                self.for_expr(*label, pattern, iterator, body);
            }
            ExprKind::Break(label, value) => self.break_expr(*label, value.as_deref()),
            ExprKind::Continue(label) => {
                if let Some(target) = self.targets.get(label) {
                    self.builder.end(target.next);
                }
            }
            ExprKind::Return(value) => self.return_expr(value.as_deref()),
            ExprKind::Panic(panic) => self.panic(panic),
            ExprKind::Print(print) => self.print(print),
            ExprKind::Assert(condition, panic) => self.assertion(condition, panic),
            ExprKind::Fence(scope, order) => self.builder.push(Statement::Order(*scope, *order)),
            _ => {}
        }
    }

    fn integer(&mut self, expr: &Expr, bits: u128) -> Handle<Value> {
        let scalar = self.scalar(expr);
        self.builder.constant(scalar, wrap(scalar, bits as i128))
    }

    fn float(&mut self, expr: &Expr, text: &str) -> Handle<Value> {
        let scalar = self.scalar(expr);
        self.builder.constant(scalar, parsed_bits(scalar, text))
    }

    /// The scalar type of an expression that has one; of a vector that of its lanes.
    pub(super) fn scalar(&self, expr: &Expr) -> Scalar {
        self.table.resolve(&expr.ty).numeric().map_or(Scalar::Usize, |ty| ty.scalar)
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Handle<Value> {
        let value = self.value(operand);
        // The digits of the least number do not fit without the sign.
        let is_literal = matches!(operand.kind, ExprKind::Integer(_));
        if op == UnaryOp::Neg && !is_literal {
            self.builder.negation(value)
        } else {
            self.builder.unary(op, value)
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Handle<Value> {
        if op.is_comparison() && self.is_wide(left) {
            return self.wide_comparison(op, [left, right]);
        }
        let left = self.value(left);
        let right = self.value(right);
        self.builder.operator(op, left, right)
    }

    /// `&&` and `||`: `decisive` is the value of the left side that settles the result.
    fn short_circuit(&mut self, left: &Expr, right: &Expr, decisive: bool) -> Handle<Value> {
        let op = if decisive { BinaryOp::Or } else { BinaryOp::And };
        if self.is_speculatable(right) {
            return self.binary(op, left, right);
        }
        let left = self.value(left);
        let ty = self.builder.scalar_type(Scalar::Bool);
        let result = self.builder.variable("", ty);
        match self.decided(left) {
            Some(known) if known == decisive => return left,
            Some(_) => return self.value(right),
            None => {}
        }
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

    /// `=` to several places, after the whole value has been computed.
    fn destructure(&mut self, pattern: &Pattern, value: &Expr, assignments: &[(Expr, Handle<Binding>)]) {
        let value = self.scrutinee(value);
        self.bind_pattern(pattern, &value);
        for (place, binding) in assignments {
            let Some(bound) = self.slots.get(binding).cloned() else { continue };
            let operand = self.load(&bound);
            let memory = self.place(place);
            self.store(&memory, &operand);
        }
    }

    /// As for `=`, the right side comes first: so it is in Rust for the primitive types. For all others, and for references, the operator
    /// is the call of a method, whose receiver comes first.
    fn assign_op(&mut self, op: BinaryOp, target: &Expr, value: &Expr, is_referred: bool) {
        if self.is_wide(target) {
            return self.assign_wide(op, target, value);
        }
        let is_call = is_referred
            || match self.table.resolve(&target.ty) {
                Ty::Scalar(scalar) => scalar.is_half(),
                _ => true,
            };
        let (memory, value) = if is_call {
            let memory = self.place(target);
            if !self.is_speculatable(value) {
                self.check_now(&memory);
            }
            (memory, self.value(value))
        } else {
            let value = self.value(value);
            (self.place(target), value)
        };
        let old = self.load(&memory);
        let old = self.scalar_operand(old);
        let new = self.builder.operator(op, old, value);
        self.store(&memory, &Operand::Value(new));
    }

    fn method(&mut self, expr: &Expr, method: &'static Method, arguments: &[Expr]) -> Operand {
        let values: Vec<_> = arguments.iter().map(|argument| self.value(argument)).collect();
        self.builder.method(method, &values, self.scalar(expr))
    }

    fn query(&mut self, query: Query, dimension: u8) -> Handle<Value> {
        let ty = self.builder.scalar_type(Scalar::Usize);
        self.builder.evaluate(ty, Op::Query(query, dimension))
    }

    /// Memory with the elements of an array expression.
    pub(super) fn new_array(&mut self, expr: &Expr, name: &str) -> Memory {
        let ty = self.table.resolve(&expr.ty);
        let Some(memory) = self.allocate(&ty, name) else { return Memory::Value(Operand::UNIT) };
        match &expr.kind {
            ExprKind::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    let element = self.expr(element);
                    let index = self.builder.constant(Scalar::Usize, index as u64);
                    self.store_element(&memory, index, &element);
                }
            }
            ExprKind::Repeat(element) => {
                let element = self.expr(element);
                self.fill(&memory, &element, ty.array_len().unwrap_or(0));
            }
            _ => {}
        }
        memory
    }

    /// Stores one operand to all elements of an array.
    fn fill(&mut self, memory: &Memory, element: &Operand, len: u32) {
        if let (Memory::Place(place), Operand::Value(value)) = (memory, element)
            && self.builder.constant_of(*value) == Some(0)
        {
            let ty = self.builder.place_type(place);
            let zero = self.builder.evaluate(ty, Op::Zero);
            self.builder.store(place.clone(), zero);
            return;
        }
        let count = self.builder.constant(Scalar::Usize, len.into());
        self.counted_loop(count, |lowering, index| lowering.store_element(memory, index, element));
    }

    /// Stores to an element of an array whose index is in range.
    fn store_element(&mut self, memory: &Memory, index: Handle<Value>, element: &Operand) {
        let place = self.at(memory, ir::Index { index, check: ir::Check::Proved });
        self.store(&place, element);
    }

    /// Returns whether an expression may be computed where Rust would not: it is cheap, and nothing can go wrong in it.
    pub(super) fn is_speculatable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Binding(_)
            | ExprKind::Query(..)
            | ExprKind::Specialization(_) => true,
            ExprKind::Unary(UnaryOp::Neg, operand) if self.is_checked(operand) => {
                matches!(operand.kind, ExprKind::Integer(_))
            }
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.is_speculatable(operand),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.is_speculatable(left) && self.is_speculatable(right)
            }
            ExprKind::Binary(op, left, right) => {
                let fails = match op {
                    BinaryOp::Div | BinaryOp::Rem => true,
                    op => overflow_fault(*op).is_some() && self.is_checked(left),
                };
                !fails && self.is_speculatable(left) && self.is_speculatable(right)
            }
            ExprKind::Len(slice) => matches!(slice.kind, ExprKind::Binding(_)),
            _ => false,
        }
    }

    /// Returns whether operators on an operand are checked for results that do not fit.
    fn is_checked(&self, operand: &Expr) -> bool {
        self.builder.checks_overflow() && self.scalar(operand).is_integer()
    }
}
