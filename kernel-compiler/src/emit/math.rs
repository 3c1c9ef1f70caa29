//! Functions of OpenCL.std, and tests of floats.

use super::ModuleEmitter;
use super::code::Code;
use super::contract::Contraction;
use super::kernel::KernelEmitter;
use crate::ir::{Class, Fast, Handle, Math, Numeric, Type, Value};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, OpenclStd100Op as Cl, Word};

/// The instruction for a function of operands of this type.
fn instruction(math: Math, scalar: Scalar) -> Cl {
    let signed = |signed, unsigned| if scalar.is_signed() { signed } else { unsigned };
    match math {
        Math::Acos => Cl::acos,
        Math::Acosh => Cl::acosh,
        Math::Asin => Cl::asin,
        Math::Asinh => Cl::asinh,
        Math::Atan => Cl::atan,
        Math::Atanh => Cl::atanh,
        Math::Cbrt => Cl::cbrt,
        Math::Ceil => Cl::ceil,
        Math::Cos => Cl::cos,
        Math::Cosh => Cl::cosh,
        Math::Exp => Cl::exp,
        Math::Exp2 => Cl::exp2,
        Math::Expm1 => Cl::expm1,
        Math::Fabs => Cl::fabs,
        Math::Floor => Cl::floor,
        Math::Log => Cl::log,
        Math::Log10 => Cl::log10,
        Math::Log1p => Cl::log1p,
        Math::Log2 => Cl::log2,
        Math::Rint => Cl::rint,
        Math::Round => Cl::round,
        Math::Sin => Cl::sin,
        Math::Sinh => Cl::sinh,
        Math::Sqrt => Cl::sqrt,
        Math::Tan => Cl::tan,
        Math::Tanh => Cl::tanh,
        Math::Trunc => Cl::trunc,
        Math::Atan2 => Cl::atan2,
        Math::Copysign => Cl::copysign,
        Math::Fmax => Cl::fmax,
        Math::Fmin => Cl::fmin,
        Math::Fmod => Cl::fmod,
        Math::Hypot => Cl::hypot,
        Math::Pow => Cl::pow,
        Math::Pown => Cl::pown,
        Math::Fma => Cl::fma,
        Math::Abs => signed(Cl::s_abs, Cl::u_abs),
        Math::Clz => Cl::clz,
        Math::Ctz => Cl::ctz,
        Math::Popcount => Cl::popcount,
        Math::Max => signed(Cl::s_max, Cl::u_max),
        Math::Min => signed(Cl::s_min, Cl::u_min),
        Math::MulHi => signed(Cl::s_mul_hi, Cl::u_mul_hi),
        Math::Acospi => Cl::acospi,
        Math::Asinpi => Cl::asinpi,
        Math::Atanpi => Cl::atanpi,
        Math::Cospi => Cl::cospi,
        Math::Erf => Cl::erf,
        Math::Erfc => Cl::erfc,
        Math::Exp10 => Cl::exp10,
        Math::Lgamma => Cl::lgamma,
        Math::Logb => Cl::logb,
        Math::Rsqrt => Cl::rsqrt,
        Math::Sinpi => Cl::sinpi,
        Math::Tanpi => Cl::tanpi,
        Math::Tgamma => Cl::tgamma,
        Math::Atan2pi => Cl::atan2pi,
        Math::Fdim => Cl::fdim,
        Math::Maxmag => Cl::maxmag,
        Math::Minmag => Cl::minmag,
        Math::Nextafter => Cl::nextafter,
        Math::Powr => Cl::powr,
        Math::Remainder => Cl::remainder,
        Math::Mad => Cl::mad,
        Math::Ldexp => Cl::ldexp,
        Math::Rootn => Cl::rootn,
        Math::Ilogb => Cl::ilogb,
        Math::Bitselect => Cl::bitselect,
        Math::Hadd => signed(Cl::s_hadd, Cl::u_hadd),
        Math::Rhadd => signed(Cl::s_rhadd, Cl::u_rhadd),
        Math::Mul24 => signed(Cl::s_mul24, Cl::u_mul24),
        Math::Mad24 => signed(Cl::s_mad24, Cl::u_mad24),
        Math::Native(function) => native(function),
        Math::Half(function) => half(function),
    }
}

/// The instruction for a function as the device has it.
fn native(function: Fast) -> Cl {
    match function {
        Fast::Cos => Cl::native_cos,
        Fast::Divide => Cl::native_divide,
        Fast::Exp => Cl::native_exp,
        Fast::Exp2 => Cl::native_exp2,
        Fast::Exp10 => Cl::native_exp10,
        Fast::Log => Cl::native_log,
        Fast::Log2 => Cl::native_log2,
        Fast::Log10 => Cl::native_log10,
        Fast::Powr => Cl::native_powr,
        Fast::Recip => Cl::native_recip,
        Fast::Rsqrt => Cl::native_rsqrt,
        Fast::Sin => Cl::native_sin,
        Fast::Sqrt => Cl::native_sqrt,
        Fast::Tan => Cl::native_tan,
    }
}

/// The instruction for a function of little precision.
fn half(function: Fast) -> Cl {
    match function {
        Fast::Cos => Cl::half_cos,
        Fast::Divide => Cl::half_divide,
        Fast::Exp => Cl::half_exp,
        Fast::Exp2 => Cl::half_exp2,
        Fast::Exp10 => Cl::half_exp10,
        Fast::Log => Cl::half_log,
        Fast::Log2 => Cl::half_log2,
        Fast::Log10 => Cl::half_log10,
        Fast::Powr => Cl::half_powr,
        Fast::Recip => Cl::half_recip,
        Fast::Rsqrt => Cl::half_rsqrt,
        Fast::Sin => Cl::half_sin,
        Fast::Sqrt => Cl::half_sqrt,
        Fast::Tan => Cl::half_tan,
    }
}

impl ModuleEmitter<'_> {
    /// The OpenCL.std instruction set, imported on first use.
    fn opencl(&mut self) -> Word {
        if let Some(set) = self.opencl {
            return set;
        }
        let set = self.sections.fresh();
        let name = vec![Operand::LiteralString("OpenCL.std".to_owned())];
        self.sections.module.ext_inst_imports.push(Instruction::new(
            Op::ExtInstImport,
            None,
            Some(set),
            name,
        ));
        self.opencl = Some(set);
        set
    }
}

impl Code<'_, '_> {
    /// A function whose result has the type of its first operand.
    pub(super) fn math(&mut self, math: Math, ty: Numeric, operands: &[Word]) -> Word {
        match (math, ty.scalar, operands) {
            (Math::Sqrt, Scalar::F16, &[operand]) => {
                self.in_single(ty, [operand], |code, ty, operands| code.math(math, ty, &operands))
            }
            (Math::MulHi, Scalar::U8 | Scalar::U16 | Scalar::U32, &[left, right]) if ty.lanes == 1 => {
                self.upper_half(ty, [left, right])
            }
            _ => self.extended(instruction(math, ty.scalar), ty, operands),
        }
    }

    /// The upper half of the product of two unsigned integers of at most 32 bits, as a part of a product of 64 bits.
    ///
    /// Where the instruction for it, or a shift, is compared with zero, LLVM makes of that a multiplication which tells whether it overflows; and where
    /// that is asked for in another block, Intel's compiler crashes. It does not see through a vector of 32-bit integers.
    fn upper_half(&mut self, ty: Numeric, operands: [Word; 2]) -> Word {
        let [int, long] = [Scalar::U32, Scalar::U64].map(|scalar| ty.of(scalar));
        let [mut left, right] = operands.map(|operand| self.cast(operand, ty, int.scalar));
        if ty.scalar != int.scalar {
            let distance = self.module.int_constant(32, (int.scalar.bits() - ty.scalar.bits()).into());
            left = self.binary(BinaryOp::Shl, int, left, distance);
        }
        let [left, right] = [left, right].map(|operand| self.cast(operand, int, long.scalar));
        let product = self.binary(BinaryOp::Mul, long, left, right);
        let halves = Numeric { lanes: 2, ..int };
        let vector = self.module.numeric(halves);
        let vector = self.compute(Op::Bitcast, vector, &[product]);
        let upper = self.lane(halves, vector, 1);
        self.cast(upper, int, ty.scalar)
    }

    /// Computes with halves in single precision.
    ///
    /// Quotients and square roots come out correctly rounded so, which OpenCL does not promise for half precision.
    pub(super) fn in_single<const N: usize>(
        &mut self,
        ty: Numeric,
        operands: [Word; N],
        compute: impl FnOnce(&mut Self, Numeric, [Word; N]) -> Word,
    ) -> Word {
        let wide = operands.map(|operand| self.cast(operand, ty, Scalar::F32));
        let single = ty.of(Scalar::F32);
        let result = compute(self, single, wide);
        self.cast(result, single, ty.scalar)
    }

    fn extended(&mut self, instruction: Cl, ty: Numeric, operands: &[Word]) -> Word {
        let (set, ty) = (self.module.opencl(), self.module.numeric(ty));
        let mut all = vec![Operand::IdRef(set), Operand::LiteralExtInstInteger(instruction as u32)];
        all.extend(operands.iter().copied().map(Operand::IdRef));
        self.compute_with(Op::ExtInst, ty, all)
    }

    pub(super) fn classify(&mut self, class: Class, ty: Numeric, operand: Word) -> Word {
        let op = match class {
            Class::Nan => Op::IsNan,
            Class::Infinite => Op::IsInf,
            Class::Finite => Op::IsFinite,
            Class::Normal => Op::IsNormal,
            Class::SignNegative => Op::SignBitSet,
        };
        let bool = self.module.numeric(ty.of(Scalar::Bool));
        self.compute(op, bool, &[operand])
    }
}

impl KernelEmitter<'_, '_> {
    pub(super) fn math(&mut self, math: Math, operands: &[Handle<Value>], ty: Handle<Type>) -> Word {
        let ty = self.numeric_of(ty);
        let operands: Vec<_> = operands.iter().map(|&operand| self.id(operand)).collect();
        self.code.math(math, ty, &operands)
    }

    /// A sum with a product in it, rounded once or twice as the device likes best.
    pub(super) fn multiply_add(&mut self, contraction: Contraction, ty: Handle<Type>) -> Word {
        let ty = self.numeric_of(ty);
        let [mut left, right] = contraction.factors.map(|factor| self.id(factor));
        let mut addend = self.id(contraction.addend);
        if contraction.negate_product {
            left = self.code.unary(UnaryOp::Neg, ty, left);
        }
        if contraction.negate_addend {
            addend = self.code.unary(UnaryOp::Neg, ty, addend);
        }
        self.code.extended(Cl::mad, ty, &[left, right, addend])
    }
}
