//! The textual form of the representation, for reading.
//!
//! Values are written as `%3`, variables as `$0`, variables in local memory as `@0`, tables as `#0`, sites as `!0`, each with the position
//! in its arena; parameters and constants stand where they are used, and structs come first, with their size and alignment. A
//! check that is not proved names its site.

use super::{
    Atomic, AtomicAccess, Attributes, Base, Block, BlockAccess, Call, Check, End, Fault, Fence, FloatMode,
    Group, GroupCopy, Handle, ImageBlock, ImageOp, ImageWrite, Import, Member, Module, Numeric, Op,
    Parameter, Place, Space, Specialization, Statement, Step, Type, Value,
};
use kernel_core::semantics::{UnaryOp, extend};
use kernel_core::{Layout, Scalar, bf16, f16};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {}(", self.name)?;
        separated(f, &self.parameters, |f, Parameter { name, ty, nontemporal, .. }| {
            let hint = if *nontemporal { "nontemporal " } else { "" };
            write!(f, "{hint}{name}: {}", TypeText(self, *ty))
        })?;
        f.write_char(')')?;
        attributes(&self.attributes, f)?;
        f.write_str(" {")?;
        for (handle, ty) in self.types.iter() {
            structure(self, handle, ty, f)?;
        }
        for (_, Import { name, parameters, result, .. }) in self.imports.iter() {
            line(f, 1)?;
            write!(f, "import {name}(")?;
            separated(f, parameters, |f, ty| TypeText(self, *ty).fmt(f))?;
            f.write_char(')')?;
            if let Some(result) = result {
                write!(f, " -> {}", TypeText(self, *result))?;
            }
        }
        for Specialization { name, ty } in &self.specializations {
            line(f, 1)?;
            write!(f, "specialization {name}: {}", TypeText(self, *ty))?;
        }
        for (handle, local) in self.locals.iter() {
            line(f, 1)?;
            write!(f, "local @{} {}: {}", handle.index(), local.name, TypeText(self, local.ty))?;
        }
        for (handle, table) in self.tables.iter() {
            line(f, 1)?;
            write!(f, "table #{}: {} = [", handle.index(), TypeText(self, table.ty))?;
            let scalar = self.numeric(self.types.innermost(table.ty)).map(|ty| ty.scalar);
            separated(f, &table.bits, |f, bits| constant(f, scalar.unwrap_or(Scalar::Usize), *bits))?;
            f.write_char(']')?;
        }
        for (handle, site) in self.sites.iter() {
            line(f, 1)?;
            write!(f, "site !{} {:?}", handle.index(), site.kind)?;
        }
        for (handle, variable) in self.variables.iter() {
            line(f, 1)?;
            write!(f, "var ${} {}: {}", handle.index(), variable.name, TypeText(self, variable.ty))?;
        }
        BodyText(self).block(f, &self.body, 1)?;
        f.write_str("\n}")
    }
}

/// The line for a struct.
fn structure(module: &Module, handle: Handle<Type>, ty: &Type, f: &mut Formatter<'_>) -> fmt::Result {
    let Type::Struct { name, members } = ty else { return Ok(()) };
    line(f, 1)?;
    write!(f, "struct {name} {{ ")?;
    separated(f, members, |f, Member { name, ty }| write!(f, "{name}: {}", TypeText(module, *ty)))?;
    let Layout { size, align } = module.types.layout(handle);
    write!(f, " }} size {size} align {align}")
}

fn attributes(attributes: &Attributes, f: &mut Formatter<'_>) -> fmt::Result {
    if let Some(size) = attributes.group_size {
        write!(f, " group_size({}, {}, {})", size[0], size[1], size[2])?;
    }
    if let Some(size) = attributes.group_size_hint {
        write!(f, " group_size_hint({}, {}, {})", size[0], size[1], size[2])?;
    }
    if let Some(size) = attributes.subgroup_size {
        write!(f, " subgroup_size({size})")?;
    }
    match attributes.float_mode {
        FloatMode::Strict => Ok(()),
        FloatMode::Contract => f.write_str(" fp(contract)"),
        FloatMode::Fast => f.write_str(" fp(fast)"),
    }
}

/// A type, as Rust writes it, with the space of slices that are not in global memory.
struct TypeText<'a>(&'a Module, Handle<Type>);

impl Display for TypeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(module, ty) = *self;
        match &module.types[ty] {
            Type::Scalar(scalar) => scalar.fmt(f),
            Type::Vector { element, lanes } => write!(f, "{}x{lanes}", TypeText(module, *element)),
            Type::Array { element, len } => write!(f, "[{}; {len}]", TypeText(module, *element)),
            Type::Struct { name, .. } => f.write_str(name),
            Type::Image(image) => image.fmt(f),
            Type::Sampler(sampler) => sampler.fmt(f),
            Type::Event => f.write_str("event"),
            Type::Pointer { element, mutable, raw } => {
                let sigil = match (raw, mutable) {
                    (true, true) => "*mut ",
                    (true, false) => "*const ",
                    (false, true) => "&mut ",
                    (false, false) => "&",
                };
                write!(f, "{sigil}{}", TypeText(module, *element))
            }
            Type::Slice { element, space, mutable } => {
                let reference = if *mutable { "&mut " } else { "&" };
                let space = match space {
                    Space::Private => "private ",
                    Space::Local => "local ",
                    Space::Global => "",
                    Space::Constant => "constant ",
                };
                write!(f, "{reference}{space}[{}]", TypeText(module, *element))
            }
        }
    }
}

/// The statements of a kernel.
#[derive(Clone, Copy)]
struct BodyText<'a>(&'a Module);

impl BodyText<'_> {
    fn block(self, f: &mut Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
        for statement in &block.statements {
            line(f, depth)?;
            self.statement(f, statement, depth)?;
        }
        match block.end {
            End::Next => return Ok(()),
            _ => line(f, depth)?,
        }
        match block.end {
            End::Next => Ok(()),
            End::Break(label) => write!(f, "break 'l{}", label.0),
            End::Continue(label) => write!(f, "continue 'l{}", label.0),
            End::Return => f.write_str("return"),
        }
    }

    fn nested(self, f: &mut Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
        f.write_char('{')?;
        self.block(f, block, depth + 1)?;
        line(f, depth)?;
        f.write_char('}')
    }

    fn statement(self, f: &mut Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
        match statement {
            Statement::Evaluate(handle) => {
                let Value { ty, op, .. } = &self.0.values[*handle];
                write!(f, "%{}: {} = ", handle.index(), TypeText(self.0, *ty))?;
                self.operation(f, op)
            }
            Statement::Store { place, value } => {
                write!(f, "store {} = {}", self.place(place), self.value(*value))
            }
            Statement::ImageWrite(write) => self.image_write(f, write),
            Statement::If { condition, accept, reject } => {
                write!(f, "if {} ", self.value(*condition))?;
                self.nested(f, accept, depth)?;
                if reject.statements.is_empty() && reject.end == End::Next {
                    return Ok(());
                }
                f.write_str(" else ")?;
                self.nested(f, reject, depth)
            }
            Statement::Loop { label, body, continuing } => {
                write!(f, "loop 'l{} ", label.0)?;
                self.nested(f, body, depth)?;
                f.write_str(" continuing ")?;
                self.nested(f, continuing, depth)
            }
            Statement::Barrier(_, group, fence) => {
                f.write_str(if *group == Group::Subgroup { "subgroup barrier" } else { "barrier" })?;
                match fence {
                    Fence::Local => f.write_str(" local"),
                    Fence::LocalAndGlobal => Ok(()),
                    Fence::Given(scope, memory) => write!(f, " {scope:?} {memory:?}"),
                }
            }
            Statement::Agree(_, values) => {
                f.write_str("agree on ")?;
                self.values(f, values)
            }
            Statement::Wait(_, event) => write!(
                f,
                "wait for {}",
                self.place(&Place { base: Base::Variable(*event), path: Vec::new() })
            ),
            Statement::Order(scope, order) => write!(f, "order {order:?} {scope:?}"),
            Statement::Print { site, words } => {
                write!(f, "print {:?}(", self.0.prints[*site].format.text)?;
                self.values(f, words)?;
                f.write_char(')')
            }
        }
    }

    fn operation(self, f: &mut Formatter<'_>, op: &Op) -> fmt::Result {
        match op {
            Op::Parameter(_) | Op::Constant(_) | Op::Zero => f.write_str("constant"),
            Op::Unary(UnaryOp::Neg, operand) => write!(f, "-{}", self.value(*operand)),
            Op::Unary(UnaryOp::Not, operand) => write!(f, "!{}", self.value(*operand)),
            Op::Binary { op, left, right, nonzero, overflow } => {
                write!(f, "{} {} {}", self.value(*left), op.symbol(), self.value(*right))?;
                write!(f, "{}{}", CheckText(*nonzero), CheckText(*overflow))
            }
            Op::Cast(operand) => write!(f, "cast {}", self.value(*operand)),
            Op::Bitcast(operand) => write!(f, "bitcast {}", self.value(*operand)),
            Op::Select { condition, accept, reject } => {
                let [condition, accept, reject] =
                    [condition, accept, reject].map(|operand| self.value(*operand));
                write!(f, "select {condition}, {accept}, {reject}")
            }
            Op::Math(math, operands) => {
                write!(f, "{} ", format!("{math:?}").to_lowercase())?;
                self.values(f, operands)
            }
            Op::Classify(class, operand) => write!(f, "is {class:?} {}", self.value(*operand)),
            Op::Construct(lanes) => {
                f.write_str("vector ")?;
                self.values(f, lanes)
            }
            Op::Extract(vector, lane) => write!(f, "lane {lane} of {}", self.value(*vector)),
            Op::Shuffle([left, right], lanes) => {
                write!(f, "shuffle {}, {} by {lanes:?}", self.value(*left), self.value(*right))
            }
            Op::Agreed(group, operand) => write!(f, "agreed {group:?} {}", self.value(*operand)),
            Op::Any(vector) => write!(f, "any {}", self.value(*vector)),
            Op::All(vector) => write!(f, "all {}", self.value(*vector)),
            Op::Load(place) => write!(f, "load {}", self.place(place)),
            Op::Atomic(atomic) => self.atomic(f, atomic),
            Op::BlockAccess(BlockAccess { place, stored: None }) => {
                write!(f, "block load {}", self.place(place))
            }
            Op::BlockAccess(BlockAccess { place, stored: Some(value) }) => {
                write!(f, "block store {}, {}", self.place(place), self.value(*value))
            }
            Op::GroupCopy(GroupCopy { to, from, count, stride }) => {
                let [to, from, count, stride] = [to, from, count, stride].map(|operand| self.value(*operand));
                write!(f, "copy {count} of {from} to {to} by {stride}")
            }
            Op::Call(Call { import, arguments }) => {
                write!(f, "call {} ", self.0.imports[*import].name)?;
                self.values(f, arguments)
            }
            Op::Len(slice) => write!(f, "len {}", self.value(*slice)),
            Op::SliceOf(place) => write!(f, "slice of {}", self.place(place)),
            Op::SubSlice { slice, start, len } => {
                write!(f, "{} of {} from {}", self.value(*len), self.value(*slice), self.value(*start))
            }
            Op::Address(place) => write!(f, "address of {}", self.place(place)),
            Op::Offset { pointer, count, wraps } => {
                let how = if *wraps { "wrapping " } else { "" };
                write!(f, "{} {how}offset by {}", self.value(*pointer), self.value(*count))
            }
            Op::SliceFrom { pointer, len } => {
                write!(f, "{} elements at {}", self.value(*len), self.value(*pointer))
            }
            Op::Require { condition, faults } => {
                write!(f, "require {}", self.value(*condition))?;
                faults.iter().try_for_each(|fault| self.fault(f, fault))
            }
            Op::HasFaulted => f.write_str("has faulted"),
            Op::Image(op) => self.image(f, op),
            Op::Query(query, dimension) => write!(f, "{query:?} {dimension}"),
            Op::Collective { group, collective, operands } => {
                write!(f, "{group:?} {collective:?} of ")?;
                self.values(f, operands)
            }
            Op::Specialization(position) => match self.0.specializations.get(*position as usize) {
                Some(specialization) => f.write_str(&specialization.name),
                None => write!(f, "specialization {position}"),
            },
        }
    }

    fn atomic(self, f: &mut Formatter<'_>, atomic: &Atomic) -> fmt::Result {
        let Atomic { place, access, scope, order } = atomic;
        let place = self.place(place);
        write!(f, "atomic {order:?} {scope:?} ")?;
        match access {
            AtomicAccess::Load => write!(f, "load {place}"),
            AtomicAccess::Store(value) => write!(f, "store {place}, {}", self.value(*value)),
            AtomicAccess::Update(op, value) => write!(f, "{op:?} {place}, {}", self.value(*value)),
            AtomicAccess::CompareExchange { expected, new, failure } => {
                write!(
                    f,
                    "exchange {place}, {} if {} else {failure:?}",
                    self.value(*new),
                    self.value(*expected)
                )
            }
        }
    }

    fn image(self, f: &mut Formatter<'_>, op: &ImageOp) -> fmt::Result {
        match op {
            ImageOp::Read { image, at, inside } => {
                write!(f, "read {} at ", self.value(*image))?;
                self.values(f, at)?;
                write!(f, " if {}", self.value(*inside))
            }
            ImageOp::Sample { image, sampler, at } => {
                write!(f, "sample {} by {} at ", self.value(*image), self.value(*sampler))?;
                self.values(f, at)
            }
            ImageOp::Block(ImageBlock { image, at, stored }) => {
                let [image, x, y] = [*image, at[0], at[1]].map(|operand| self.value(operand));
                match stored {
                    Some(value) => write!(f, "block store {image} at {x}, {y}: {}", self.value(*value)),
                    None => write!(f, "block load {image} at {x}, {y}"),
                }
            }
            ImageOp::Format(query, image) => write!(f, "{query:?} of {}", self.value(*image)),
            ImageOp::Size(image, axis) => write!(f, "size {axis} of {}", self.value(*image)),
            ImageOp::Sampler(state) => write!(f, "{state:?}"),
        }
    }

    fn image_write(self, f: &mut Formatter<'_>, write: &ImageWrite) -> fmt::Result {
        write!(f, "write {} at ", self.value(write.image))?;
        self.values(f, &write.at)?;
        write!(f, " = {} if {}", self.value(write.texel), self.value(write.inside))
    }

    fn fault(self, f: &mut Formatter<'_>, fault: &Fault) -> fmt::Result {
        write!(f, " else{}(", CheckText(fault.check))?;
        self.values(f, &fault.values)?;
        f.write_char(')')?;
        if !fault.words.is_empty() {
            f.write_str(" saying ")?;
            self.values(f, &fault.words)?;
        }
        fault.unless.map_or(Ok(()), |condition| write!(f, " unless {}", self.value(condition)))
    }

    fn values(self, f: &mut Formatter<'_>, values: &[Handle<Value>]) -> fmt::Result {
        separated(f, values, |f, value| self.value(*value).fmt(f))
    }

    fn value(self, handle: Handle<Value>) -> impl Display {
        let Value { ty, op, .. } = &self.0.values[handle];
        fmt::from_fn(move |f| match (op, self.0.numeric(*ty)) {
            (Op::Parameter(position), _) => self.parameter(f, *position),
            (Op::Constant(bits), Some(Numeric { scalar, .. })) => constant(f, scalar, *bits),
            (Op::Zero, _) => f.write_str("zero"),
            _ => write!(f, "%{}", handle.index()),
        })
    }

    fn place(self, place: &Place) -> impl Display {
        fmt::from_fn(move |f| {
            match place.base {
                Base::Variable(variable) => write!(f, "${}", variable.index())?,
                Base::Local(local) => write!(f, "@{}", local.index())?,
                Base::Table(table) => write!(f, "#{}", table.index())?,
                Base::Slice(slice) => self.value(slice).fmt(f)?,
                Base::Parameter(position) => self.parameter(f, position)?,
                Base::Pointer(pointer) => write!(f, "*{}", self.value(pointer))?,
            }
            let mut ty = self.0.base_type(place.base);
            for step in &place.path {
                self.step(f, ty, *step)?;
                ty = self.0.types[ty].below(*step).unwrap_or(ty);
            }
            Ok(())
        })
    }

    /// A step from a place of a type.
    fn step(self, f: &mut Formatter<'_>, ty: Handle<Type>, step: Step) -> fmt::Result {
        match (step, &self.0.types[ty]) {
            (Step::Index(index), _) => write!(f, "[{}{}]", self.value(index.index), CheckText(index.check)),
            (Step::Run { index, vector }, _) => {
                write!(f, "[{}..] as {}", self.value(index.index), TypeText(self.0, vector))
            }
            (Step::Member(position), Type::Struct { members, .. }) => {
                write!(f, ".{}", members[position as usize].name)
            }
            (Step::Member(position), _) => write!(f, ".{position}"),
        }
    }

    fn parameter(self, f: &mut Formatter<'_>, position: u32) -> fmt::Result {
        match self.0.parameters.get(position as usize) {
            Some(parameter) => f.write_str(&parameter.name),
            None => write!(f, "parameter {position}"),
        }
    }
}

/// The site of a check that is not proved.
struct CheckText(Check);

impl Display for CheckText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Check::Proved => Ok(()),
            Check::At(site) => write!(f, " !{}", site.index()),
        }
    }
}

/// A constant, as Rust writes it.
fn constant(f: &mut Formatter<'_>, scalar: Scalar, bits: u64) -> fmt::Result {
    match scalar {
        Scalar::Bool => write!(f, "{}", bits != 0),
        Scalar::F32 => write!(f, "{:?}_f32", f32::from_bits(bits as u32)),
        Scalar::F64 => write!(f, "{:?}_f64", f64::from_bits(bits)),
        Scalar::F16 => write!(f, "{:?}_f16", f16::from_bits(bits as u16)),
        Scalar::Bf16 => write!(f, "{:?}_bf16", bf16::from_bits(bits as u16)),
        _ => write!(f, "{}_{scalar}", extend(scalar, bits)),
    }
}

fn line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "\n{:1$}", "", depth * 4)
}

fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut item: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (position, each) in items.iter().enumerate() {
        if position > 0 {
            f.write_str(", ")?;
        }
        item(f, each)?;
    }
    Ok(())
}
