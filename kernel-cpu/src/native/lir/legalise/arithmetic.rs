//! Arithmetic on halves, and what AVX2 has no instruction for.

use super::super::{How, Inst, Op, Role, Var};
use super::{HALF, Legaliser, Source, with};
use crate::native::encode::{self as rows, Row};

/// Whether the operands of a row may be exchanged: so they may if one is no NaN.
fn is_commutative(row: Row) -> bool {
    const ROWS: [Row; 16] = [
        rows::VADDPS,
        rows::VMULPS,
        rows::VADDPD,
        rows::VMULPD,
        rows::VPADDD,
        rows::VPADDQ,
        rows::VPMULLD,
        rows::VPMULUDQ,
        rows::VPAND,
        rows::VPOR,
        rows::VPXOR,
        rows::VPMINUD,
        rows::VPMAXUD,
        rows::VPMINSD,
        rows::VPMAXSD,
        rows::VPCMPEQD,
    ];
    ROWS.contains(&row)
}

/// Whether bits are those of a NaN in any width.
fn may_be_nan(bits: u64) -> bool {
    f64::from_bits(bits).is_nan() || f32::from_bits(bits as u32).is_nan()
}

impl Legaliser<'_> {
    /// The same instruction, by another row, on each half.
    pub(super) fn by_halves(&mut self, inst: &Inst, row: Row, wide: bool) -> Option<()> {
        let has_last = inst.place.is_some() || Self::read(inst, Role::Last).is_some();
        let mut last = if has_last { self.last(inst, HALF)?.map(Some) } else { [None; 2] };
        let mut exchanged = None;
        if let (true, Some([Source::Var(low), Source::Var(high)]), Some(second)) =
            (is_commutative(row), last[0].zip(last[1]).map(<[_; 2]>::from), Self::read(inst, Role::Second))
            && let Some(splat) = self.splats.get(&second).filter(|splat| !may_be_nan(splat.bits))
        {
            exchanged = Some([low, high]);
            last = [Some(super::constant(splat.place)); 2];
        }
        let is_shift = row.extension.is_some();
        if is_shift {
            // Only registers can be shifted by a number.
            last = self.last_vars(inst, HALF)?.map(|var| Some(var.into()));
        }
        let value = std::array::from_fn(|half| {
            let result = self.vector();
            let mut new = Inst::row(row).imm(inst.immediate);
            if let (Some(_), Some(op)) = (self.replaced(inst), inst.operands().first()) {
                let Op { how: How::Reuse(place), .. } = *op else { return result };
                let old = inst.operands()[usize::from(place)].var;
                new = new.update(result, self.half(old, half));
            } else {
                let role = if is_shift { Role::Second } else { Role::Register };
                new = new.op(result, How::Def, role);
            }
            if let Some(second) = Self::read(inst, Role::Second) {
                let second = exchanged.map_or_else(|| self.half(second, half), |vars| vars[half]);
                new = new.second(second);
            }
            if let Some(last) = last[half] {
                new = with(new, last);
            }
            self.push(new);
            result
        });
        self.finish(inst, value, wide)
    }

    fn sources(&mut self, inst: &Inst) -> Option<([Var; 2], [Var; 2])> {
        Some((self.pair(inst, Role::Second)?, self.last_vars(inst, HALF)?))
    }

    /// The low 64 bits of the product of two times 64: three products of 32 bits.
    pub(super) fn multiply_wide(&mut self, inst: &Inst) -> Option<()> {
        let a = self.pair(inst, Role::Second)?;
        let last = self.last(inst, HALF)?;
        let small = match inst.place {
            None => {
                Self::read(inst, Role::Last).and_then(|var| self.splats.get(&var)).map(|splat| splat.bits)
            }
            Some(place) => {
                self.constants.broadcast(&Inst::row(rows::BROADCASTSD).at(place)).filter(|_| place.broadcast)
            }
        };
        let is_small = small.is_some_and(|bits| bits >> 32 == 0);
        let b = if is_small { None } else { Some(self.last_vars(inst, HALF)?) };
        let value = std::array::from_fn(|half| {
            let high = self.shift(rows::VPSRLQ, a[half], 32);
            let mut cross = self.two(rows::VPMULUDQ, high, last[half]);
            if let Some(b) = b {
                let high = self.shift(rows::VPSRLQ, b[half], 32);
                let other = self.two(rows::VPMULUDQ, high, a[half]);
                cross = self.two(rows::VPADDQ, cross, other);
            }
            let cross = self.shift(rows::VPSLLQ, cross, 32);
            let low = self.two(rows::VPMULUDQ, a[half], last[half]);
            self.two(rows::VPADDQ, low, cross)
        });
        self.finish(inst, value, true)
    }

    /// The lesser or the greater of two integers of 64 bits.
    pub(super) fn extreme_wide(&mut self, inst: &Inst, signed: bool, greater: bool) -> Option<()> {
        let (a, b) = self.sources(inst)?;
        let value = std::array::from_fn(|half| {
            let above = self.greater_wide(signed, a[half], b[half]);
            let (inside, outside) = if greater { (a[half], b[half]) } else { (b[half], a[half]) };
            self.blend(above, inside, outside)
        });
        self.finish(inst, value, true)
    }

    /// Whether integers of 64 bits are negative, in all bits.
    fn negative(&mut self, x: Var) -> Var {
        let zero = self.empty();
        self.two(rows::VPCMPGTQ, zero, x)
    }

    pub(super) fn magnitude_wide(&mut self, inst: &Inst) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let value = x.map(|x| {
            let negative = self.negative(x);
            let flipped = self.two(rows::VPXOR, x, negative);
            self.two(rows::VPSUBQ, flipped, negative)
        });
        self.finish(inst, value, true)
    }

    /// Shifts with the sign: what comes in from the left is flipped, and flipped back.
    pub(super) fn shift_signed_wide(&mut self, inst: &Inst) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let value = x.map(|x| {
            let negative = self.negative(x);
            if inst.immediate & 0xff >= 63 {
                return negative;
            }
            let flipped = self.two(rows::VPXOR, x, negative);
            let shifted = self.shift(rows::VPSRLQ, flipped, inst.immediate);
            self.two(rows::VPXOR, shifted, negative)
        });
        self.finish(inst, value, true)
    }

    pub(super) fn shift_signed_wide_by_lanes(&mut self, inst: &Inst) -> Option<()> {
        let (x, count) = self.sources(inst)?;
        let value = std::array::from_fn(|half| {
            let negative = self.negative(x[half]);
            let flipped = self.two(rows::VPXOR, x[half], negative);
            let shifted = self.two(rows::VPSRLVQ, flipped, count[half]);
            self.two(rows::VPXOR, shifted, negative)
        });
        self.finish(inst, value, true)
    }

    /// Rotates to the left by the lanes of another vector.
    pub(super) fn rotate(&mut self, inst: &Inst, wide: bool) -> Option<()> {
        let (x, count) = self.sources(inst)?;
        let (bits, left, right, minus) = if wide {
            (self.constant64(63), rows::VPSLLVQ, rows::VPSRLVQ, rows::VPSUBQ)
        } else {
            (self.constant32(31), rows::VPSLLVD, rows::VPSRLVD, rows::VPSUBD)
        };
        let all = if wide { self.constant64(64) } else { self.constant32(32) };
        let value = std::array::from_fn(|half| {
            let count = self.two(rows::VPAND, count[half], bits);
            let all = self.one(rows::VMOVDQU, all);
            // A shift by all bits leaves none.
            let rest = self.two(minus, all, count);
            let (high, low) = (self.two(left, x[half], count), self.two(right, x[half], rest));
            self.two(rows::VPOR, high, low)
        });
        self.finish(inst, value, wide)
    }

    pub(super) fn leading_zeros(&mut self, inst: &Inst) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let value = x.map(|x| self.leading_zeros_of(x));
        self.finish(inst, value, false)
    }

    /// The number of zeros above the highest one in each 32 bits, from the exponent of the number as a float.
    fn leading_zeros_of(&mut self, x: Var) -> Var {
        // Without every one below another, so that nothing is rounded up.
        let next = self.shift(rows::VPSRLD, x, 1);
        let top = self.two(rows::VPANDN, next, x);
        let float = self.one(rows::VCVTDQ2PS, top);
        let exponent = self.shift(rows::VPSRLD, float, 23);
        // What is negative gives an exponent above this, and 0 here; zero gives all of it.
        let most = self.constant32(127 + 31);
        let most = self.one(rows::VMOVDQU, most);
        let count = self.two(rows::VPSUBUSW, most, exponent);
        let bits = self.constant32(32);
        self.two(rows::VPMINSD, count, bits)
    }

    pub(super) fn leading_zeros_wide(&mut self, inst: &Inst) -> Option<()> {
        let x = self.last_vars(inst, HALF)?;
        let (bits, low) = (self.constant64(32), self.constant64(0xffff_ffff));
        let value = x.map(|x| {
            let both = self.leading_zeros_of(x);
            let high = self.shift(rows::VPSRLQ, both, 32);
            let is_zero = self.two(rows::VPCMPEQQ, high, bits);
            let low = self.two(rows::VPAND, both, low);
            let low = self.two(rows::VPAND, low, is_zero);
            self.two(rows::VPADDQ, high, low)
        });
        self.finish(inst, value, true)
    }
}
