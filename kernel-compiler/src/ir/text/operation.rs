//! Operations.

use super::place::{At, Choice};
use super::word::Word;
use super::{Printer, literal};
use crate::ir::{
    Atomic, AtomicAccess, BlockAccess, Call, Collective, Fault, GroupCopy, Handle, ImageBlock, ImageOp, Math,
    Op, Type,
};
use kernel_core::image::SamplerState;
use kernel_core::semantics::UnaryOp;
use std::fmt::{self, Formatter};

impl Printer<'_> {
    /// An operation whose result has a type.
    pub(super) fn operation(self, f: &mut Formatter<'_>, ty: Handle<Type>, op: &Op) -> fmt::Result {
        match op {
            Op::Parameter(position) => write!(f, "parameter {position}"),
            Op::Constant(bits) => match self.module.numeric(ty) {
                Some(numeric) => literal::write(f, numeric, *bits),
                None => write!(f, "bits {bits:#x}"),
            },
            Op::Zero => f.write_str("zeroed"),
            Op::Unary(UnaryOp::Neg, operand) => write!(f, "neg {}", self.value(*operand)),
            Op::Unary(UnaryOp::Not, operand) => write!(f, "not {}", self.value(*operand)),
            Op::Binary { op, left, right, nonzero, overflow } => {
                write!(f, "{} {} {}", self.value(*left), op.word(), self.value(*right))?;
                write!(f, "{}{}", At(" nonzero", *nonzero), At(" overflow", *overflow))
            }
            Op::Cast(operand) => write!(f, "cast {}", self.value(*operand)),
            Op::Bitcast(operand) => write!(f, "bitcast {}", self.value(*operand)),
            Op::Select { condition, accept, reject } => {
                f.write_str("select")?;
                self.values(f, &[*condition, *accept, *reject])
            }
            Op::Math(math, operands) => {
                match math {
                    Math::Native(fast) => write!(f, "math native {}", fast.word())?,
                    Math::Half(fast) => write!(f, "math half {}", fast.word())?,
                    math => write!(f, "math {}", math.name())?,
                }
                self.values(f, operands)
            }
            Op::Classify(class, operand) => write!(f, "is {} {}", class.word(), self.value(*operand)),
            Op::Construct(lanes) => {
                f.write_str("vector")?;
                self.values(f, lanes)
            }
            Op::Extract(vector, lane) => write!(f, "lane {lane} of {}", self.value(*vector)),
            Op::Shuffle([left, right], lanes) => {
                write!(f, "shuffle {}, {} by {lanes:?}", self.value(*left), self.value(*right))
            }
            Op::AssumeUniform(group, operand) => {
                write!(f, "assume_uniform {} {}", group.word(), self.value(*operand))
            }
            Op::Distinct(among, operand) => write!(f, "distinct {} {}", among.word(), self.value(*operand)),
            Op::Any(vector) => write!(f, "any {}", self.value(*vector)),
            Op::All(vector) => write!(f, "all {}", self.value(*vector)),
            Op::Load(place) => write!(f, "load {}", self.place(place)),
            Op::Atomic(atomic) => self.atomic(f, atomic),
            Op::BlockAccess(BlockAccess { place, stored: None }) => {
                write!(f, "block load {}", self.place(place))
            }
            Op::BlockAccess(BlockAccess { place, stored: Some(value) }) => {
                write!(f, "block store {} = {}", self.place(place), self.value(*value))
            }
            Op::GroupCopy(GroupCopy { to, from, count, stride }) => {
                let [to, from, count, stride] = [to, from, count, stride].map(|operand| self.value(*operand));
                write!(f, "copy {count} of {from} to {to} by {stride}")
            }
            Op::Call(Call { import, arguments }) => {
                let names: Vec<_> = self.module.imports.iter().map(|(_, import)| &*import.name).collect();
                write!(f, "call {}", Choice(import.index() as u32, &names))?;
                self.values(f, arguments)
            }
            Op::Len(slice) => write!(f, "len {}", self.value(*slice)),
            Op::InBounds(place) => write!(f, "bounds of {}", self.place(place)),
            Op::SliceOf(place) => write!(f, "slice of {}", self.place(place)),
            Op::SubSlice { slice, start, len } => {
                let [slice, start, len] = [slice, start, len].map(|operand| self.value(*operand));
                write!(f, "{len} of {slice} from {start}")
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
            Op::Query(query, dimension) => write!(f, "query {} {dimension}", query.word()),
            Op::Collective { group, collective, operands } => {
                write!(f, "collective {} ", group.word())?;
                match collective {
                    Collective::All => f.write_str("all")?,
                    Collective::Any => f.write_str("any")?,
                    Collective::Broadcast => f.write_str("broadcast")?,
                    Collective::Shuffle => f.write_str("shuffle")?,
                    Collective::Fold(combine, extent) => {
                        write!(f, "fold {} {}", combine.word(), extent.word())?;
                    }
                }
                self.values(f, operands)
            }
            Op::Specialization(position) => {
                let names = self.module.specializations.iter().map(|specialization| &*specialization.name);
                write!(f, "specialization {}", Choice(*position, &names.collect::<Vec<_>>()))
            }
        }
    }

    fn atomic(self, f: &mut Formatter<'_>, atomic: &Atomic) -> fmt::Result {
        let Atomic { place, access, scope, order } = atomic;
        let place = self.place(place);
        write!(f, "atomic {} {} ", order.word(), scope.word())?;
        match access {
            AtomicAccess::Load => write!(f, "load {place}"),
            AtomicAccess::Store(value) => write!(f, "store {place} = {}", self.value(*value)),
            AtomicAccess::Update(op, value) => write!(f, "{} {place}, {}", op.word(), self.value(*value)),
            AtomicAccess::CompareExchange { expected, new, failure } => {
                let [new, expected] = [new, expected].map(|operand| self.value(*operand));
                write!(f, "compare {place} = {new} if {expected} else {}", failure.word())
            }
        }
    }

    fn image(self, f: &mut Formatter<'_>, op: &ImageOp) -> fmt::Result {
        match op {
            ImageOp::Read { image, at, inside } => {
                write!(f, "read {} at", self.value(*image))?;
                self.values(f, at)?;
                write!(f, " if {}", self.value(*inside))
            }
            ImageOp::Sample { image, sampler, at } => {
                write!(f, "sample {} by {} at", self.value(*image), self.value(*sampler))?;
                self.values(f, at)
            }
            ImageOp::Block(ImageBlock { image, at, stored }) => {
                write!(f, "image block {} at", self.value(*image))?;
                self.values(f, at)?;
                stored.map_or(Ok(()), |value| write!(f, " = {}", self.value(value)))
            }
            ImageOp::Format(query, image) => write!(f, "format {} of {}", query.word(), self.value(*image)),
            ImageOp::Size(image, axis) => write!(f, "size {axis} of {}", self.value(*image)),
            ImageOp::Sampler(SamplerState { address, filter, normalized }) => {
                let coordinates = if *normalized { " normalized" } else { "" };
                write!(f, "sampler {} {}{coordinates}", address.word(), filter.word())
            }
        }
    }

    fn fault(self, f: &mut Formatter<'_>, fault: &Fault) -> fmt::Result {
        let Fault { unless, check, values, words } = fault;
        write!(f, " else{}", At("", *check))?;
        self.values(f, values)?;
        if !words.is_empty() {
            f.write_str(" saying")?;
            self.values(f, words)?;
        }
        unless.map_or(Ok(()), |condition| write!(f, " unless {}", self.value(condition)))
    }
}
