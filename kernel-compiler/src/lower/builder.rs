//! Appends values and statements to a function, and folds integer constants on the way.

use super::Lowering;
use super::half::float_bits;
use super::identity::{Identity, Node};
use super::overflow::Author;
use super::reference::Varying;
use crate::evaluate;
use crate::hash::HashMap;
use crate::ir::{
    self, Arena, Base, Block, Check, Class, End, Format, Handle, Label, Math, Numeric, Op, Place, Shape,
    Site, Space, Statement, Type, Value, Variable,
};
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;
use std::rc::Rc;

/// Builds the body of a function.
pub struct Builder<'m, 'p> {
    pub(super) module: &'m mut Lowering<'p>,
    pub(super) variables: Arena<Variable>,
    /// The variables by what they are called however often the kernel is lowered, and the other way round; some have been referred to, and are made later.
    pub(super) identified: HashMap<Identity, Handle<Variable>>,
    pub(super) identities: HashMap<Handle<Variable>, Identity>,
    /// The arrays that `&[]` is made of.
    pub(super) empty_arrays: Vec<Handle<Variable>>,
    /// The variables for references.
    pub(super) varying: HashMap<Identity, Rc<Varying>>,
    pub(super) values: Arena<Value>,
    blocks: Vec<Open>,
    labels: u32,
    /// The numbers that the host sets, computed once at the start of the kernel.
    specialized: Vec<Handle<Value>>,
    /// The sizes of images along their axes.
    pub(super) image_sizes: HashMap<(Handle<Value>, u32), Handle<Value>>,
    /// What is computed at the start of the kernel.
    pub(super) preamble: Vec<Statement>,
    /// The place in the source that is being lowered.
    pub(super) span: Span,
    /// Whose code that is.
    pub(super) author: Author,
}

/// What is not known of the operands of an integer division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DivisionChecks {
    /// Nothing: each check that the types and a constant divisor do not make needless.
    All,
    /// Whether the divisor is zero; they are not `MIN` and `-1`.
    Zero,
    /// Neither can be.
    None,
}

/// A block that is being filled.
#[derive(Default)]
struct Open {
    statements: Vec<Statement>,
    /// Once this is known, what follows is never reached and is dropped.
    end: Option<End>,
}

impl<'m, 'p> Builder<'m, 'p> {
    pub(super) fn new(module: &'m mut Lowering<'p>, author: Author) -> Self {
        Self {
            module,
            variables: Arena::default(),
            identified: HashMap::default(),
            identities: HashMap::default(),
            empty_arrays: Vec::new(),
            varying: HashMap::default(),
            values: Arena::default(),
            blocks: vec![Open::default()],
            labels: 0,
            specialized: Vec::new(),
            image_sizes: HashMap::default(),
            preamble: Vec::new(),
            span: Span::call_site(),
            author,
        }
    }

    pub(super) fn finish(mut self) -> (Arena<Variable>, Arena<Value>, Block) {
        let mut body = self.close();
        body.statements.splice(0..0, self.preamble.drain(..));
        if self.module.origins.is_any_found() {
            self.find_constant_variables(&body);
        }
        self.settle_panics(&mut body);
        self.settle_fault_exits(&mut body);
        (self.variables, self.values, body)
    }

    // Blocks.

    /// Builds a block by itself.
    pub(super) fn open(&mut self) {
        self.blocks.push(Open::default());
    }

    /// Ends the innermost block.
    pub(super) fn close(&mut self) -> Block {
        let open = self.blocks.pop().unwrap_or_default();
        Block { statements: open.statements, end: open.end.unwrap_or(End::Next) }
    }

    fn current(&mut self) -> &mut Open {
        if self.blocks.is_empty() {
            self.blocks.push(Open::default());
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    /// Returns whether what is appended now can be reached.
    pub(super) fn is_reachable(&mut self) -> bool {
        self.current().end.is_none()
    }

    /// Appends a statement, unless it would never be reached; of one that chooses by a constant, what that chooses.
    pub(super) fn push(&mut self, statement: Statement) {
        let statement = match statement {
            Statement::If { condition, accept, reject } => match self.constant_of(condition) {
                Some(holds) => return self.splice(if holds == 0 { reject } else { accept }),
                None => {
                    let stores = self.choose(condition, [accept, reject]);
                    return stores.into_iter().for_each(|store| self.push(store.into()));
                }
            },
            other => other,
        };
        self.append(statement);
    }

    /// Appends a statement as it is, unless it would never be reached.
    pub(super) fn append(&mut self, statement: Statement) {
        let block = self.current();
        if block.end.is_none() {
            block.statements.push(statement);
        }
    }

    /// Appends a block whose end is the next statement, or ends the current block as it ends.
    pub(super) fn splice(&mut self, block: Block) {
        for statement in block.statements {
            self.push(statement);
        }
        if block.end != End::Next {
            self.end(block.end);
        }
    }

    /// How many values there are so far.
    pub(super) fn size(&self) -> usize {
        self.values.len()
    }

    /// Ends the current block, unless it has ended.
    pub(super) fn end(&mut self, end: End) {
        self.current().end.get_or_insert(end);
    }

    pub(super) fn fresh_label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    /// A loop that goes on while a condition holds.
    pub(crate) fn repeat_while(
        &mut self,
        condition: impl FnOnce(&mut Self) -> Handle<Value>,
        body: impl FnOnce(&mut Self),
    ) {
        let label = self.fresh_label();
        self.open();
        let condition = condition(self);
        let [accept, continuing] = [(); 2].map(|()| Block { statements: Vec::new(), end: End::Next });
        let reject = Block { statements: Vec::new(), end: End::Break(label) };
        self.push(Statement::If { condition, accept, reject });
        body(self);
        let body = self.close();
        self.push(Statement::Loop { label, body, continuing });
    }

    // Types, variables and sites.

    /// The handle of a scalar type.
    pub(super) fn scalar_type(&mut self, scalar: Scalar) -> Handle<Type> {
        self.module.types.intern(Type::Scalar(scalar))
    }

    /// The type of a value.
    pub(super) fn type_of(&self, value: Handle<Value>) -> Handle<Type> {
        self.values[value].ty
    }

    /// The scalar type of a value, or of the lanes of a vector.
    ///
    /// Code that is never reached may ask for that of something else; then any answer will do.
    pub(crate) fn scalar_of(&self, value: Handle<Value>) -> Scalar {
        self.numeric_of(value).scalar
    }

    /// The scalar or vector type of a value.
    pub(super) fn numeric_of(&self, value: Handle<Value>) -> Numeric {
        self.module.types.numeric(self.values[value].ty).unwrap_or(Scalar::Usize.into())
    }

    /// Returns whether a value is of a scalar or vector type.
    pub(super) fn has_type(&self, value: Handle<Value>, ty: Numeric) -> bool {
        self.module.types.numeric(self.values[value].ty) == Some(ty)
    }

    /// The handle of a scalar or vector type.
    pub(super) fn numeric_type(&mut self, ty: Numeric) -> Handle<Type> {
        self.module.types.intern_numeric(ty)
    }

    /// Returns whether a value is a scalar.
    pub(super) fn is_scalar(&self, value: Handle<Value>) -> bool {
        matches!(self.module.types[self.values[value].ty], Type::Scalar(_))
    }

    /// A new variable.
    pub(super) fn variable(&mut self, name: &str, ty: Handle<Type>) -> Handle<Variable> {
        let identity = self.module.identities.of(Node::Variable(ty));
        self.module.origins.made(identity, ty);
        let early = self.identified.get(&identity).copied();
        let variable = early.unwrap_or_else(|| self.identify(identity, ty));
        name.clone_into(&mut self.variables[variable].name);
        variable
    }

    /// A new variable of this identity.
    pub(super) fn identify(&mut self, identity: Identity, ty: Handle<Type>) -> Handle<Variable> {
        let variable = self.variables.push(Variable { name: String::new(), ty });
        self.identified.insert(identity, variable);
        self.identities.insert(variable, identity);
        variable
    }

    /// A new variable that holds a value.
    pub(crate) fn variable_of(&mut self, initial: Handle<Value>) -> Handle<Variable> {
        let variable = self.variable("", self.type_of(initial));
        self.store_variable(variable, initial);
        variable
    }

    /// Names the variable that a value has been loaded from, if it has no name.
    pub(super) fn name_variable_of(&mut self, value: Handle<Value>, name: String) {
        if let Op::Load(Place { base: Base::Variable(variable), path }) = &self.values[value].op
            && path.is_empty()
            && self.variables[*variable].name.is_empty()
        {
            self.variables[*variable].name = name;
        }
    }

    pub(super) fn all_variables(&self) -> Vec<Handle<Variable>> {
        self.variables.iter().map(|(variable, _)| variable).collect()
    }

    pub(super) fn variable_type(&self, variable: Handle<Variable>) -> Handle<Type> {
        self.variables[variable].ty
    }

    /// A check that can fail at the current place in the source.
    pub(super) fn check(&mut self, kind: FaultKind) -> Check {
        self.check_saying(kind, String::new(), None)
    }

    /// The same, with the message of a panic of the author's own.
    pub(super) fn check_saying(&mut self, kind: FaultKind, message: String, format: Option<Format>) -> Check {
        let span = self.span;
        let reason = String::new();
        Check::At(self.module.sites.push(Site { kind, span, message, reason, format }))
    }

    /// The type of the array that all elements of a slice make, if their number is known.
    pub(super) fn array_of_slice(&mut self, slice: Handle<Value>) -> Option<Handle<Type>> {
        let Type::Slice { element, .. } = self.module.types[self.type_of(slice)] else { return None };
        let Op::SubSlice { len, .. } = self.values[slice].op else { return None };
        let len = u32::try_from(self.constant_of(len)?).ok()?;
        Some(self.module.types.intern(Type::Array { element, len }))
    }

    /// The type of what is at a place.
    pub(super) fn place_type(&self, place: &Place) -> Handle<Type> {
        let base = match place.base {
            Base::Variable(variable) => self.variables[variable].ty,
            Base::Local(local) => self.module.locals[local].ty,
            Base::Table(table) => self.module.tables[table].ty,
            Base::Slice(slice) => self.values[slice].ty,
            Base::Parameter(position) => self.module.parameters[position as usize].ty,
            Base::Pointer(pointer) => ir::pointee(&self.module.types, self.values[pointer].ty),
        };
        place.type_below(base, &self.module.types)
    }

    // Values.

    /// A value that needs no statement.
    pub(super) fn leaf(&mut self, ty: Handle<Type>, op: Op) -> Handle<Value> {
        let span = self.span;
        self.values.push(Value { ty, op, span })
    }

    /// A value that is computed here.
    pub(super) fn evaluate(&mut self, ty: Handle<Type>, op: Op) -> Handle<Value> {
        let value = self.leaf(ty, op);
        self.push(Statement::Evaluate(value));
        value
    }

    /// Computes the numbers that the host sets, so that all uses of one are the same value.
    pub(super) fn specialize(&mut self) {
        for position in 0..self.module.specializations.len() {
            let value = self.specialization(position as u32);
            self.specialized.push(value);
        }
    }

    /// A number that the host sets.
    pub(super) fn specialization(&mut self, position: u32) -> Handle<Value> {
        match self.specialized.get(position as usize) {
            Some(value) => *value,
            None => {
                let ty = self.module.specializations[position as usize].ty;
                self.evaluate(ty, Op::Specialization(position))
            }
        }
    }

    /// A constant by its bit pattern.
    pub(crate) fn constant(&mut self, scalar: Scalar, bits: u64) -> Handle<Value> {
        let ty = self.scalar_type(scalar);
        self.leaf(ty, Op::Constant(bits))
    }

    /// The bit pattern of a value, if it is a constant.
    pub(crate) fn constant_of(&self, value: Handle<Value>) -> Option<u64> {
        match self.values[value].op {
            Op::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// A number of the type of another value, by its bit pattern.
    pub(crate) fn integer_like(&mut self, like: Handle<Value>, bits: u64) -> Handle<Value> {
        let ty = self.type_of(like);
        self.leaf(ty, Op::Constant(bits))
    }

    /// `false`, for each lane of another value.
    pub(crate) fn none_like(&mut self, like: Handle<Value>) -> Handle<Value> {
        let ty = self.lanes_of(like, Scalar::Bool);
        self.leaf(ty, Op::Constant(0))
    }

    /// A float of the type of another value.
    pub(crate) fn float_like(&mut self, like: Handle<Value>, value: f64) -> Handle<Value> {
        let bits = float_bits(self.scalar_of(like), value);
        self.integer_like(like, bits)
    }

    /// A product with a factor that is known in both precisions.
    pub(crate) fn scale(&mut self, value: Handle<Value>, single: f32, double: f64) -> Handle<Value> {
        let scalar = self.scalar_of(value);
        let bits = if scalar == Scalar::F32 { u64::from(single.to_bits()) } else { double.to_bits() };
        let factor = self.constant(scalar, bits);
        self.binary(BinaryOp::Mul, value, factor)
    }

    /// A unary operator.
    pub(crate) fn unary(&mut self, op: UnaryOp, operand: Handle<Value>) -> Handle<Value> {
        let scalar = self.scalar_of(operand);
        if scalar == Scalar::Bf16 {
            return self.unary_bf16(op, operand);
        }
        if let Some(bits) = self.constant_of(operand) {
            return self.integer_like(operand, evaluate::scalar::unary(op, scalar, bits));
        }
        let ty = self.type_of(operand);
        self.evaluate(ty, Op::Unary(op, operand))
    }

    /// A binary operator, with the checks that it needs.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        left: Handle<Value>,
        right: Handle<Value>,
    ) -> Handle<Value> {
        let scalar = self.scalar_of(left);
        if scalar == Scalar::Bf16 {
            return self.binary_bf16(op, left, right);
        }
        let [left, right] = self.as_wide([left, right]);
        let result = self.numeric_of(left).of(if op.is_comparison() { Scalar::Bool } else { scalar });
        let ty = self.numeric_type(result);
        if let Some(bits) = self.fold(op, scalar, left, right) {
            return self.leaf(ty, Op::Constant(bits));
        }
        if let Some(same) = self.neutral(op, scalar, left, right) {
            return same;
        }
        let (nonzero, overflow) = self.division_checks(op, scalar, right, DivisionChecks::All);
        self.evaluate(ty, Op::Binary { op, left, right, nonzero, overflow })
    }

    /// A quotient of unsigned operands whose divisor is known not to be zero.
    pub(crate) fn defined_quotient(&mut self, left: Handle<Value>, right: Handle<Value>) -> Handle<Value> {
        self.divide(BinaryOp::Div, left, right, DivisionChecks::None)
    }

    /// A division of integers of which more may be known than the operands tell.
    pub(crate) fn divide(
        &mut self,
        op: BinaryOp,
        left: Handle<Value>,
        right: Handle<Value>,
        checks: DivisionChecks,
    ) -> Handle<Value> {
        let scalar = self.scalar_of(left);
        let [left, right] = self.as_wide([left, right]);
        if let Some(bits) = self.fold(op, scalar, left, right) {
            return self.integer_like(left, bits);
        }
        let (nonzero, overflow) = self.division_checks(op, scalar, right, checks);
        let ty = self.type_of(left);
        self.evaluate(ty, Op::Binary { op, left, right, nonzero, overflow })
    }

    pub(super) fn fold(
        &self,
        op: BinaryOp,
        scalar: Scalar,
        left: Handle<Value>,
        right: Handle<Value>,
    ) -> Option<u64> {
        let (left, right) = (self.constant_of(left)?, self.constant_of(right)?);
        // What a device computes with floats it also rounds; a comparison has one result everywhere.
        if scalar.is_float() && !op.is_comparison() {
            None
        } else {
            evaluate::scalar::binary(op, scalar, left, right)
        }
    }

    /// The operand of an operator on integers or `bool` that is the result too, because the other one changes nothing.
    pub(super) fn neutral(
        &self,
        op: BinaryOp,
        scalar: Scalar,
        left: Handle<Value>,
        right: Handle<Value>,
    ) -> Option<Handle<Value>> {
        let (neutral, is_either) = match (op, scalar) {
            (BinaryOp::And, Scalar::Bool) => (1, true),
            (BinaryOp::Or, Scalar::Bool) => (0, true),
            (BinaryOp::Add, scalar) if scalar.is_integer() => (0, true),
            (BinaryOp::Sub, scalar) if scalar.is_integer() => (0, false),
            (BinaryOp::Mul, scalar) if scalar.is_integer() => (1, true),
            _ => return None,
        };
        match (self.constant_of(left), self.constant_of(right)) {
            (Some(known), _) if is_either && known == neutral => Some(right),
            (_, Some(known)) if known == neutral => Some(left),
            _ => None,
        }
    }

    /// The checks of an integer division, but for those that a constant divisor makes needless.
    fn division_checks(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        divisor: Handle<Value>,
        checks: DivisionChecks,
    ) -> (Check, Check) {
        let (zero, overflow) = match op {
            BinaryOp::Div if scalar.is_integer() => (FaultKind::DivisionByZero, FaultKind::DivisionOverflow),
            BinaryOp::Rem if scalar.is_integer() => {
                (FaultKind::RemainderByZero, FaultKind::RemainderOverflow)
            }
            _ => return (Check::Proved, Check::Proved),
        };
        let constant = self.constant_of(divisor);
        let minus_one = u64::MAX >> (64 - scalar.bits());
        let nonzero = match constant {
            Some(bits) if bits != 0 => Check::Proved,
            _ if checks == DivisionChecks::None => Check::Proved,
            _ => self.check(zero),
        };
        let overflow = match constant {
            Some(bits) if bits != minus_one => Check::Proved,
            _ if checks != DivisionChecks::All || !scalar.is_signed() => Check::Proved,
            _ => self.check(overflow),
        };
        (nonzero, overflow)
    }

    /// Rust's `as`.
    pub(crate) fn cast(&mut self, operand: Handle<Value>, to: Scalar) -> Handle<Value> {
        let from = self.scalar_of(operand);
        if from == to {
            return operand;
        }
        let ty = self.lanes_of(operand, to);
        if let (Some(bits), Scalar::F32, true) = (self.constant_of(operand), from, to.is_half()) {
            return self.leaf(ty, Op::Constant(float_bits(to, f32::from_bits(bits as u32).into())));
        }
        if from == Scalar::Bf16 || to == Scalar::Bf16 {
            return self.cast_bf16(operand, to);
        }
        if let (Some(bits), false, false) = (self.constant_of(operand), from.is_float(), to.is_float()) {
            use kernel_core::semantics::{extend, wrap};
            return self.leaf(ty, Op::Constant(wrap(to, extend(from, bits))));
        }
        self.evaluate(ty, Op::Cast(operand))
    }

    /// The same bits as another type.
    pub(crate) fn bitcast(&mut self, operand: Handle<Value>, to: Scalar) -> Handle<Value> {
        let ty = self.lanes_of(operand, to);
        self.evaluate(ty, Op::Bitcast(operand))
    }

    /// One of two values; of vectors, lane by lane if the condition is a mask.
    pub(crate) fn select(
        &mut self,
        condition: Handle<Value>,
        accept: Handle<Value>,
        reject: Handle<Value>,
    ) -> Handle<Value> {
        let [accept, reject, _] = self.as_wide([accept, reject, condition]);
        if let Some(holds) = self.constant_of(condition) {
            return if holds == 0 { reject } else { accept };
        }
        let ty = self.type_of(accept);
        self.evaluate(ty, Op::Select { condition, accept, reject })
    }

    /// A mathematical function.
    pub(crate) fn math(&mut self, function: Math, arguments: &[Handle<Value>]) -> Handle<Value> {
        if let Some(power) = self.known_power(function, arguments) {
            return power;
        }
        let ty = match arguments.first() {
            Some(first) if function.shape() == Shape::FloatToInteger => self.lanes_of(*first, Scalar::I32),
            Some(first) => self.type_of(*first),
            None => self.scalar_type(Scalar::Usize),
        };
        let lanes = self.module.types.numeric(ty).map_or(1, |ty| ty.lanes);
        let arguments = arguments.iter().map(|&argument| self.splat(argument, lanes)).collect();
        self.evaluate(ty, Op::Math(function, arguments))
    }

    /// A test of the class of a float.
    pub(crate) fn classify(&mut self, class: Class, operand: Handle<Value>) -> Handle<Value> {
        let ty = self.lanes_of(operand, Scalar::Bool);
        self.evaluate(ty, Op::Classify(class, operand))
    }

    // Memory.

    /// What is at a place.
    pub(super) fn load(&mut self, place: Place, ty: Handle<Type>) -> Handle<Value> {
        match self.constant_at(&place) {
            Some(constant) => self.leaf(ty, Op::Constant(constant)),
            None => self.evaluate(ty, Op::Load(place)),
        }
    }

    /// What a variable holds.
    pub(crate) fn load_variable(&mut self, variable: Handle<Variable>) -> Handle<Value> {
        let ty = self.variable_type(variable);
        self.load(variable_place(variable), ty)
    }

    /// Returns whether a place can be stored to. rustc refuses a store to one that cannot.
    pub(super) fn is_mutable(&self, place: &Place) -> bool {
        match place.base {
            Base::Parameter(_) | Base::Table(_) => false,
            Base::Pointer(pointer) => {
                matches!(self.module.types[self.type_of(pointer)], Type::Pointer { mutable: true, .. })
            }
            Base::Slice(slice) => {
                !matches!(self.module.types[self.type_of(slice)], Type::Slice { space: Space::Constant, .. })
            }
            Base::Variable(_) | Base::Local(_) => true,
        }
    }

    /// Stores to a place.
    pub(super) fn store(&mut self, place: Place, value: Handle<Value>) {
        self.push(Statement::Store { place, value });
    }

    /// Stores to a variable.
    pub(crate) fn store_variable(&mut self, variable: Handle<Variable>, value: Handle<Value>) {
        self.store(variable_place(variable), value);
    }
}

/// The whole of a variable.
pub(super) fn variable_place(variable: Handle<Variable>) -> Place {
    Place { base: Base::Variable(variable), path: Vec::new() }
}
