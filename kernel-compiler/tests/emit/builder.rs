//! Builds small modules of the intermediate representation by hand.

use crate::round_trip;
use kernel_compiler::ir::{
    Aliasing, Base, Block, Caching, Check, End, Fence, Group, Handle, Index, Label, LocalVariable, Member,
    Module, Op, Parameter, Place, Query, Site, Space, Specialization, Statement, Table, Type, Value,
    Variable,
};
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;

/// A kernel under construction.
pub(crate) struct Builder {
    pub(crate) module: Module,
    /// The lists of statements from the body to the innermost open block.
    open: Vec<Vec<Statement>>,
    labels: u32,
}

/// A value, to be used as an operand.
pub(crate) type Operand = Handle<Value>;

impl Builder {
    pub(crate) fn kernel(name: &str) -> Self {
        let module = Module {
            body: Block { statements: Vec::new(), end: End::Return },
            ..Module::empty(name.to_owned())
        };
        Self { module, open: vec![Vec::new()], labels: 0 }
    }

    pub(crate) fn scalar(&mut self, scalar: Scalar) -> Handle<Type> {
        self.module.types.intern(Type::Scalar(scalar))
    }

    pub(crate) fn array(&mut self, element: Handle<Type>, len: u32) -> Handle<Type> {
        self.module.types.intern(Type::Array { element, len })
    }

    pub(crate) fn structure(&mut self, name: &str, members: &[(&str, Handle<Type>)]) -> Handle<Type> {
        self.aligned_structure(name, members, 1)
    }

    /// A struct with at least this alignment.
    pub(crate) fn aligned_structure(
        &mut self,
        name: &str,
        members: &[(&str, Handle<Type>)],
        align: u64,
    ) -> Handle<Type> {
        let member = |&(name, ty): &(&str, Handle<Type>)| Member { name: name.to_owned(), ty };
        let alignments = members.iter().map(|(_, ty)| self.module.types.layout(*ty).align);
        let align = alignments.fold(align, u64::max);
        let members = members.iter().map(member).collect();
        self.module.types.intern(Type::Struct { name: name.to_owned(), members, align })
    }

    pub(crate) fn slice_type(&mut self, element: Handle<Type>, space: Space, mutable: bool) -> Handle<Type> {
        self.module.types.intern(Type::Slice { element, space, mutable })
    }

    pub(crate) fn pointer_type(&mut self, element: Handle<Type>, mutable: bool, raw: bool) -> Handle<Type> {
        self.module.types.intern(Type::Pointer { element, mutable, raw })
    }

    pub(crate) fn parameter(&mut self, name: &str, ty: Handle<Type>) -> Operand {
        self.module.parameters.push(Parameter {
            name: name.to_owned(),
            ty,
            aliasing: Aliasing::Unknown,
            caching: Caching::default(),
        });
        self.value(ty, Op::Parameter(self.module.parameters.len() as u32 - 1))
    }

    /// A parameter that is an array or a struct; its place.
    pub(crate) fn aggregate(&mut self, name: &str, ty: Handle<Type>) -> Base {
        self.module.parameters.push(Parameter {
            name: name.to_owned(),
            ty,
            aliasing: Aliasing::Unknown,
            caching: Caching::default(),
        });
        Base::Parameter(self.module.parameters.len() as u32 - 1)
    }

    /// Says who may access what the last parameter leads to.
    pub(crate) fn shared(&mut self, aliasing: Aliasing) {
        self.module.parameters.last_mut().expect("there is a parameter").aliasing = aliasing;
    }

    pub(crate) fn scalar_parameter(&mut self, name: &str, scalar: Scalar) -> Operand {
        let ty = self.scalar(scalar);
        self.parameter(name, ty)
    }

    pub(crate) fn slice(&mut self, name: &str, scalar: Scalar, mutable: bool) -> Operand {
        let element = self.scalar(scalar);
        let ty = self.slice_type(element, Space::Global, mutable);
        self.parameter(name, ty)
    }

    pub(crate) fn variable(&mut self, name: &str, ty: Handle<Type>) -> Handle<Variable> {
        self.module.variables.push(Variable { name: name.to_owned(), ty })
    }

    pub(crate) fn local(&mut self, name: &str, ty: Handle<Type>) -> Handle<LocalVariable> {
        self.module.locals.push(LocalVariable { name: name.to_owned(), ty })
    }

    pub(crate) fn specialization(&mut self, name: &str, scalar: Scalar) -> Operand {
        let ty = self.scalar(scalar);
        self.module.specializations.push(Specialization { name: name.to_owned(), ty });
        self.evaluate(ty, Op::Specialization(self.module.specializations.len() as u32 - 1))
    }

    pub(crate) fn table(&mut self, ty: Handle<Type>, bits: &[u64]) -> Base {
        Base::Table(self.module.tables.push(Table { ty, bits: bits.to_vec() }))
    }

    pub(crate) fn site(&mut self, kind: FaultKind) -> Check {
        let [message, reason] = [const { String::new() }; 2];
        Check::At(self.module.sites.push(Site {
            kind,
            span: Span::call_site(),
            message,
            reason,
            format: None,
        }))
    }

    /// A value that needs no statement.
    pub(crate) fn value(&mut self, ty: Handle<Type>, op: Op) -> Operand {
        self.module.values.push(Value { ty, op, span: Span::call_site() })
    }

    pub(crate) fn constant(&mut self, scalar: Scalar, bits: u64) -> Operand {
        let ty = self.scalar(scalar);
        self.value(ty, Op::Constant(bits))
    }

    pub(crate) fn push(&mut self, statement: Statement) {
        self.open.last_mut().expect("a block is open").push(statement);
    }

    /// A value and the statement that computes it.
    /// A barrier, after which a work-item goes on even if it has had a fault, and before it too.
    pub(crate) fn barrier(&mut self) {
        self.push(Statement::Barrier(Span::call_site(), Group::WorkGroup, Fence::LocalAndGlobal));
    }

    pub(crate) fn evaluate(&mut self, ty: Handle<Type>, op: Op) -> Operand {
        let value = self.value(ty, op);
        self.push(Statement::Evaluate(value));
        value
    }

    pub(crate) fn compute(&mut self, scalar: Scalar, op: Op) -> Operand {
        let ty = self.scalar(scalar);
        self.evaluate(ty, op)
    }

    pub(crate) fn type_of(&self, value: Operand) -> Handle<Type> {
        self.module.values[value].ty
    }

    /// An operator whose checks are proved.
    pub(crate) fn binary(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Operand {
        self.checked_binary(op, left, right, Check::Proved, Check::Proved)
    }

    pub(crate) fn checked_binary(
        &mut self,
        op: BinaryOp,
        left: Operand,
        right: Operand,
        nonzero: Check,
        overflow: Check,
    ) -> Operand {
        let ty = if op.is_comparison() { self.scalar(Scalar::Bool) } else { self.type_of(left) };
        self.evaluate(ty, Op::Binary { op, left, right, nonzero, overflow })
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, operand: Operand) -> Operand {
        let ty = self.type_of(operand);
        self.evaluate(ty, Op::Unary(op, operand))
    }

    pub(crate) fn cast(&mut self, operand: Operand, to: Scalar) -> Operand {
        self.compute(to, Op::Cast(operand))
    }

    pub(crate) fn query(&mut self, query: Query, dimension: u8) -> Operand {
        self.compute(Scalar::Usize, Op::Query(query, dimension))
    }

    pub(crate) fn global_id(&mut self) -> Operand {
        self.query(Query::GlobalId, 0)
    }

    /// The element of a slice at an index.
    pub(crate) fn element(&self, slice: Operand, index: Operand, check: Check) -> Place {
        Place { base: Base::Slice(slice), path: vec![Index { index, check }.into()] }
    }

    pub(crate) fn load(&mut self, place: Place) -> Operand {
        let ty = self.module.place_type(&place);
        self.evaluate(ty, Op::Load(place))
    }

    pub(crate) fn store(&mut self, place: Place, value: Operand) {
        self.push(Statement::Store { place, value });
    }

    /// Loads an element whose index is proved.
    pub(crate) fn get(&mut self, slice: Operand, index: Operand) -> Operand {
        let place = self.element(slice, index, Check::Proved);
        self.load(place)
    }

    /// Stores an element whose index is proved.
    pub(crate) fn set(&mut self, slice: Operand, index: Operand, value: Operand) {
        let place = self.element(slice, index, Check::Proved);
        self.store(place, value);
    }

    /// The statements that `build` makes, as a block.
    pub(crate) fn block(&mut self, build: impl FnOnce(&mut Self) -> End) -> Block {
        self.begin();
        let end = build(self);
        self.end(end)
    }

    /// Starts a block by itself.
    pub(crate) fn begin(&mut self) {
        self.open.push(Vec::new());
    }

    /// Ends the block that was started last.
    pub(crate) fn end(&mut self, end: End) -> Block {
        Block { statements: self.open.pop().expect("the block is open"), end }
    }

    pub(crate) fn when(&mut self, condition: Operand, build: impl FnOnce(&mut Self) -> End) {
        self.if_else(condition, build, |_| End::Next);
    }

    pub(crate) fn if_else(
        &mut self,
        condition: Operand,
        accept: impl FnOnce(&mut Self) -> End,
        reject: impl FnOnce(&mut Self) -> End,
    ) {
        let (accept, reject) = (self.block(accept), self.block(reject));
        self.push(Statement::If { condition, accept, reject });
    }

    pub(crate) fn repeat(
        &mut self,
        body: impl FnOnce(&mut Self, Label) -> End,
        continuing: impl FnOnce(&mut Self),
    ) {
        let label = Label(self.labels);
        self.labels += 1;
        let body = self.block(|builder| body(builder, label));
        let continuing = self.block(|builder| {
            continuing(builder);
            End::Next
        });
        self.push(Statement::Loop { label, body, continuing });
    }

    /// `for variable in 0..end`.
    pub(crate) fn count(&mut self, end: Operand, body: impl FnOnce(&mut Self, Operand)) {
        let ty = self.type_of(end);
        let scalar = self.module.scalar(ty).expect("counts with integers");
        let counter = self.variable("i", ty);
        let [zero, one] = [0, 1].map(|bits| self.constant(scalar, bits));
        self.store(variable(counter), zero);
        self.repeat(
            |builder, label| {
                let i = builder.load(variable(counter));
                let done = builder.binary(BinaryOp::Ge, i, end);
                builder.when(done, |_| End::Break(label));
                body(builder, i);
                End::Next
            },
            |builder| {
                let i = builder.load(variable(counter));
                let next = builder.binary(BinaryOp::Add, i, one);
                builder.store(variable(counter), next);
            },
        );
    }

    /// Ends the kernel.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Module {
        self.module.body.statements = self.open.pop().expect("the body is open");
        round_trip::check_emitted(&self.module);
        self.module
    }
}

/// The place that is a whole variable.
pub(crate) fn variable(variable: Handle<Variable>) -> Place {
    Place { base: Base::Variable(variable), path: Vec::new() }
}

/// Builds a kernel, and checks that the verifier says this of it.
#[track_caller]
pub(crate) fn breaks(what: &str, build: impl FnOnce(&mut Builder)) {
    let mut builder = Builder::kernel("broken");
    build(&mut builder);
    let broken = builder.finish().verify().expect_err("an invariant is broken");
    assert!(broken.to_string().contains(what), "{broken}");
}
