//! The instructions of the SPMD program.

use super::{Kind, Value};
use kernel_core::ImageShape;

/// Where an instruction stands in the SPIR-V module: the offset of its first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Site(pub(crate) u32);

/// The memory that a pointer can point into; it decides what an address is checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// USM allocations.
    Global,
    /// USM allocations and the module's constant data, read only.
    Constant,
    /// The work-group's arena.
    Local,
    /// The work-item's own memory.
    Private,
    /// Any of them.
    Generic,
}

/// Two integers (or `Bool`s, for the bitwise ones) to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    SMod,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UMulHigh,
    SMulHigh,
    UAverage,
    SAverage,
    URoundedAverage,
    SRoundedAverage,
    UAbsDiff,
    SAbsDiff,
    Rotate,
    /// 1 if the addition carries, else 0.
    UCarry,
    /// 1 if the subtraction borrows, else 0.
    UBorrow,
}

/// One integer to one of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntUnary {
    Neg,
    Not,
    /// The negation of a `Bool`.
    BoolNot,
    SAbs,
    LeadingZeros,
    TrailingZeros,
    CountOnes,
    ReverseBits,
}

/// Two floats to one of the same kind, by arithmetic that processors have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// The remainder with the sign of the dividend.
    Rem,
    /// The remainder with the sign of the divisor.
    Mod,
}

/// Two numbers to a `Bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareOp {
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
    FOrdEq,
    FOrdNe,
    FOrdLt,
    FOrdLe,
    FUnordEq,
    FUnordNe,
    FUnordLt,
    FUnordLe,
    Ordered,
    Unordered,
}

/// One number to one of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConvertOp {
    /// Integer to integer, zero-extending.
    Zext,
    /// Integer to integer, sign-extending.
    Sext,
    /// Float to integer, saturating, NaN to 0.
    FToU,
    FToS,
    UToF,
    SToF,
    FToF,
}

/// The functions over one to three operands of one float kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MathOp {
    Neg,
    Abs,
    Acos,
    Acosh,
    Acospi,
    Asin,
    Asinh,
    Asinpi,
    Atan,
    Atanh,
    Atanpi,
    Cbrt,
    Ceil,
    Cos,
    Cosh,
    Cospi,
    Degrees,
    Erf,
    Erfc,
    Exp,
    Exp2,
    Exp10,
    Expm1,
    Floor,
    Lgamma,
    Log,
    Log2,
    Log10,
    Log1p,
    Logb,
    Radians,
    Recip,
    Rint,
    Round,
    Rsqrt,
    Sign,
    Sin,
    Sinh,
    Sinpi,
    Sqrt,
    Tan,
    Tanh,
    Tanpi,
    Tgamma,
    Trunc,
    Atan2,
    Atan2pi,
    Copysign,
    Fdim,
    Fmax,
    Fmin,
    Maxmag,
    Minmag,
    Hypot,
    Nextafter,
    Pow,
    Powr,
    Remainder,
    Step,
    Fma,
    Mix,
    Clamp,
    Smoothstep,
}

/// A read-modify-write of memory that no other work-item can see half of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    Load,
    Store,
    Exchange,
    CompareExchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
    FAdd,
    FMin,
    FMax,
}

/// How two values of work-items become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combine {
    Add,
    UMin,
    UMax,
    SMin,
    SMax,
    And,
    Or,
    Xor,
    Mul,
    FAdd,
    FMul,
    FMin,
    FMax,
}

/// Whose values are combined for a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Those of all lanes.
    All,
    /// Those of the lanes up to this one.
    UpTo,
    /// Those of the lanes before this one.
    Before,
}

/// What is done with an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImageAction {
    Read,
    Write,
    /// The coordinates are integers or floats.
    Sample {
        integer: bool,
    },
    /// So many bytes of a row, as the first number of the texel; the coordinates are that of the first byte, and the row.
    ReadBytes(u32),
    /// The same to be written.
    WriteBytes(u32),
    /// The sizes, as the first numbers of the texel.
    Size,
    /// The numbers of the channel type and of the channel order, as the first numbers of the texel.
    Channels,
}

/// What the numbers of a texel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TexelKind {
    Float,
    /// As floats, but converted from and to halves.
    Half,
    /// With a sign or without.
    Integer,
}

/// An operation on an image of some dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ImageOp {
    pub(crate) action: ImageAction,
    pub(crate) shape: ImageShape,
    pub(crate) texel: TexelKind,
}

impl ImageOp {
    pub(crate) const NONE: Self =
        Self { action: ImageAction::Size, shape: ImageShape::D1, texel: TexelKind::Integer };
}

/// The numbers that image instructions work on: three coordinates, one that means nothing, and the channels of a texel.
pub(crate) const IMAGE_PARTS: usize = 8;

/// The first of those that are channels.
pub(crate) const TEXEL: u8 = 4;

/// One instruction. The first value is the one that it defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inst {
    Int(IntOp, Kind, Value, [Value; 2]),
    IntUnary(IntUnary, Kind, Value, Value),
    Float(FloatOp, Kind, Value, [Value; 2]),
    /// The kind is that of the operands.
    Compare(CompareOp, Kind, Value, [Value; 2]),
    /// From the first kind to the second.
    Convert(ConvertOp, Kind, Kind, Value, Value),
    /// The operand repeats where the function takes fewer.
    Math(MathOp, Kind, Value, [Value; 3]),
    /// `condition ? first : second`, where the condition is a `Bool`.
    Select(Kind, Value, Value, [Value; 2]),
    /// `x * 2^n`, where n is an `I32`.
    Ldexp(Kind, Value, [Value; 2]),
    /// `x` to an integer power, an `I32`.
    Pown(Kind, Value, [Value; 2]),
    /// The integer root, an `I32`.
    Rootn(Kind, Value, [Value; 2]),
    /// The exponent of a float, as an `I32`; as `ilogb` if the flag is set, else as `frexp` gives it.
    Exponent {
        kind: Kind,
        result: Value,
        x: Value,
        ilogb: bool,
    },
    /// The mantissa that `frexp` gives.
    Mantissa(Kind, Value, Value),
    /// Whether the float is in a class; a `Bool`.
    Classify {
        test: FloatClass,
        kind: Kind,
        result: Value,
        x: Value,
    },
    /// `base + index * scale + offset`, all of 64 bits.
    Address {
        result: Value,
        base: Value,
        index: Value,
        scale: i64,
        offset: i64,
    },
    Load {
        kind: Kind,
        space: Space,
        result: Value,
        address: Value,
        site: Site,
    },
    Store {
        kind: Kind,
        space: Space,
        value: Value,
        address: Value,
        site: Site,
    },
    /// Copies `size` bytes, an `I64`.
    Copy {
        to: (Value, Space),
        from: (Value, Space),
        size: Value,
        site: Site,
    },
    /// Sets one of the [`IMAGE_PARTS`] that an image instruction, which follows in the same block, works on: numbers of 32 bits, to which
    /// smaller ones are extended by zeros.
    ImageOperand {
        kind: Kind,
        part: u8,
        value: Value,
    },
    /// Makes a texel of the coordinates, and of the texel that is there.
    Image {
        op: ImageOp,
        image: Value,
        sampler: Value,
        site: Site,
    },
    /// One of the [`IMAGE_PARTS`], as the image instruction before it in the same block has left it.
    ImageResult {
        kind: Kind,
        part: u8,
        result: Value,
    },
    /// The operands are the value and, for a compare-exchange, what must be there.
    Atomic {
        op: AtomicOp,
        kind: Kind,
        space: Space,
        result: Value,
        address: Value,
        operands: [Value; 2],
        site: Site,
    },
    /// Faults unless all lanes of the subgroup are here.
    Converge(Site),
    /// The values of lanes, combined in their order.
    Fold {
        combine: Combine,
        extent: Extent,
        kind: Kind,
        result: Value,
        x: Value,
    },
    /// The value of the lane with an index, an `I32`; that of the lane itself where the index is no lane that is here.
    Shuffle(Kind, Value, [Value; 2]),
    /// The value of the lane with an index, an `I32`, which is the only one that is here.
    Pick(Kind, Value, [Value; 2]),
    /// Hands the other subgroups of the work-group a value that is the same in all lanes. A barrier follows, and then a
    /// [`Inst::Gather`].
    Contribute(Kind, Value),
    /// What the subgroups have contributed, combined in their order: of all, or of those before this one.
    Gather {
        combine: Combine,
        extent: Extent,
        kind: Kind,
        result: Value,
    },
    /// The device's clock in nanoseconds, an `I64`.
    Clock(Value),
}

/// What [`Inst::Classify`] asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatClass {
    Infinite,
    Nan,
    Finite,
    Normal,
    Negative,
}

impl Inst {
    /// The value that this defines, if it does.
    pub(crate) fn result(&self) -> Option<Value> {
        let mut copy = *self;
        copy.result_mut().copied()
    }

    /// The place of that value.
    pub(crate) fn result_mut(&mut self) -> Option<&mut Value> {
        match self {
            Self::Int(_, _, result, _)
            | Self::IntUnary(_, _, result, _)
            | Self::Float(_, _, result, _)
            | Self::Compare(_, _, result, _)
            | Self::Convert(_, _, _, result, _)
            | Self::Math(_, _, result, _)
            | Self::Select(_, result, _, _)
            | Self::Ldexp(_, result, _)
            | Self::Pown(_, result, _)
            | Self::Rootn(_, result, _)
            | Self::Exponent { result, .. }
            | Self::Mantissa(_, result, _)
            | Self::Classify { result, .. }
            | Self::Address { result, .. }
            | Self::Load { result, .. }
            | Self::ImageResult { result, .. }
            | Self::Atomic { result, .. }
            | Self::Fold { result, .. }
            | Self::Shuffle(_, result, _)
            | Self::Pick(_, result, _)
            | Self::Gather { result, .. }
            | Self::Clock(result) => Some(result),
            Self::Store { .. }
            | Self::Copy { .. }
            | Self::ImageOperand { .. }
            | Self::Image { .. }
            | Self::Converge(_)
            | Self::Contribute(..) => None,
        }
    }

    /// Whether its result is a float that it has computed, rather than taken as it is.
    pub(crate) fn computes_float(&self) -> bool {
        match self {
            Self::Math(op, ..) => !matches!(op, MathOp::Neg | MathOp::Abs | MathOp::Copysign),
            Self::Float(..)
            | Self::Convert(..)
            | Self::Ldexp(..)
            | Self::Pown(..)
            | Self::Rootn(..)
            | Self::Mantissa(..)
            | Self::Fold { .. }
            | Self::Gather { .. } => true,
            _ => false,
        }
    }

    /// What it does, without its values.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(crate) fn form(&self) -> String {
        match *self {
            Self::Int(op, kind, ..) => format!("{op:?} {kind:?}"),
            Self::IntUnary(op, kind, ..) => format!("{op:?} {kind:?}"),
            Self::Float(op, kind, ..) => format!("{op:?} {kind:?}"),
            Self::Compare(op, kind, ..) => format!("{op:?} {kind:?}"),
            Self::Convert(op, from, to, ..) => format!("{op:?} {from:?} {to:?}"),
            Self::Math(op, kind, ..) => format!("{op:?} {kind:?}"),
            Self::Select(kind, ..) => format!("Select {kind:?}"),
            Self::Ldexp(kind, ..) => format!("Ldexp {kind:?}"),
            Self::Pown(kind, ..) => format!("Pown {kind:?}"),
            Self::Rootn(kind, ..) => format!("Rootn {kind:?}"),
            Self::Exponent { kind, .. } => format!("Exponent {kind:?}"),
            Self::Mantissa(kind, ..) => format!("Mantissa {kind:?}"),
            Self::Classify { test, kind, .. } => format!("Classify {test:?} {kind:?}"),
            Self::Address { .. } => "Address".into(),
            Self::Load { kind, space, .. } => format!("Load {kind:?} {space:?}"),
            Self::Store { kind, space, .. } => format!("Store {kind:?} {space:?}"),
            Self::Copy { to, from, .. } => format!("Copy {:?} {:?}", to.1, from.1),
            Self::ImageOperand { .. } => "ImageOperand".into(),
            Self::Image { op, .. } => format!("Image {:?}", op.action),
            Self::ImageResult { .. } => "ImageResult".into(),
            Self::Atomic { op, kind, space, .. } => format!("Atomic {op:?} {kind:?} {space:?}"),
            Self::Converge(_) => "Converge".into(),
            Self::Fold { combine, extent, kind, .. } => format!("Fold {combine:?} {extent:?} {kind:?}"),
            Self::Shuffle(kind, ..) => format!("Shuffle {kind:?}"),
            Self::Pick(kind, ..) => format!("Pick {kind:?}"),
            Self::Contribute(kind, _) => format!("Contribute {kind:?}"),
            Self::Gather { combine, extent, kind, .. } => format!("Gather {combine:?} {extent:?} {kind:?}"),
            Self::Clock(_) => "Clock".into(),
        }
    }

    /// Whether it may be dropped when nothing uses its result, and computed for all lanes.
    ///
    /// A load may be dropped too, but it is not pure: it acts under the mask. So may what is left by an image instruction, and the time.
    pub(crate) fn is_pure(&self) -> bool {
        !matches!(
            self,
            Self::Load { .. }
                | Self::Store { .. }
                | Self::Copy { .. }
                | Self::ImageOperand { .. }
                | Self::Image { .. }
                | Self::ImageResult { .. }
                | Self::Atomic { .. }
                | Self::Converge(_)
                | Self::Fold { .. }
                | Self::Shuffle(..)
                | Self::Pick(..)
                | Self::Contribute(..)
                | Self::Gather { .. }
                | Self::Clock(_)
        )
    }

    /// Whether the lanes of a subgroup do it together, so that each may depend on all others.
    pub(crate) fn is_together(&self) -> bool {
        matches!(
            self,
            Self::Converge(_)
                | Self::Fold { .. }
                | Self::Shuffle(..)
                | Self::Pick(..)
                | Self::Contribute(..)
                | Self::Gather { .. }
        )
    }

    /// Whether it does something besides defining its result.
    pub(crate) fn has_effect(&self) -> bool {
        matches!(
            self,
            Self::Store { .. }
                | Self::Copy { .. }
                | Self::ImageOperand { .. }
                | Self::Image { .. }
                | Self::Atomic { .. }
                | Self::Converge(_)
                | Self::Contribute(..)
                | Self::Gather { .. }
        )
    }

    /// Returns whether something holds for an operand.
    pub(crate) fn any_operand(mut self, holds: impl Fn(Value) -> bool) -> bool {
        let mut found = false;
        self.visit_operands(&mut |operand| found |= holds(*operand));
        found
    }

    /// Calls `visit` with every operand, to read or to replace it.
    pub(crate) fn visit_operands(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        match self {
            Self::Int(_, _, _, ab)
            | Self::Float(_, _, _, ab)
            | Self::Compare(_, _, _, ab)
            | Self::Ldexp(_, _, ab)
            | Self::Pown(_, _, ab)
            | Self::Rootn(_, _, ab)
            | Self::Shuffle(_, _, ab)
            | Self::Pick(_, _, ab) => ab.iter_mut().for_each(visit),
            Self::IntUnary(_, _, _, x)
            | Self::Convert(_, _, _, _, x)
            | Self::Exponent { x, .. }
            | Self::Mantissa(_, _, x)
            | Self::Classify { x, .. }
            | Self::Fold { x, .. }
            | Self::Contribute(_, x) => visit(x),
            Self::Converge(_) | Self::Gather { .. } | Self::ImageResult { .. } | Self::Clock(_) => {}
            Self::Math(_, _, _, abc) => abc.iter_mut().for_each(visit),
            Self::Select(_, _, condition, ab) => {
                visit(condition);
                ab.iter_mut().for_each(visit);
            }
            Self::Address { base, index, .. } => {
                visit(base);
                visit(index);
            }
            Self::Load { address, .. } => visit(address),
            Self::Store { value, address, .. } => {
                visit(value);
                visit(address);
            }
            Self::Copy { to, from, size, .. } => {
                visit(&mut to.0);
                visit(&mut from.0);
                visit(size);
            }
            Self::ImageOperand { value, .. } => visit(value),
            Self::Image { image, sampler, .. } => {
                visit(image);
                visit(sampler);
            }
            Self::Atomic { address, operands, .. } => {
                visit(address);
                operands.iter_mut().for_each(visit);
            }
        }
    }
}
