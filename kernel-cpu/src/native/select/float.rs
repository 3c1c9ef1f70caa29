//! Floats: what an instruction of the processor rounds as the interpreter does, bit by bit.

use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::native::encode::Row;
use crate::native::lir::{Inst as Machine, Var};
use crate::program::inst::FloatClass;
use crate::program::{CompareOp, FloatOp, Kind, MathOp, Value};

fn pick(kind: Kind, narrow: Row, wide: Row) -> Row {
    if kind == Kind::F64 { wide } else { narrow }
}

/// The bits of a float of a kind.
fn bits(kind: Kind, value: f64) -> u64 {
    if kind == Kind::F64 { value.to_bits() } else { u64::from((value as f32).to_bits()) }
}

fn sign(kind: Kind) -> u64 {
    bits(kind, -0.0)
}

impl Selector<'_> {
    pub(super) fn float(&mut self, op: FloatOp, kind: Kind, result: Value, [a, b]: [Value; 2]) -> Option<()> {
        let row = match op {
            FloatOp::Add => pick(kind, rows::ADDPS, rows::ADDPD),
            FloatOp::Sub => pick(kind, rows::SUBPS, rows::SUBPD),
            FloatOp::Mul => pick(kind, rows::MULPS, rows::MULPD),
            FloatOp::Div => pick(kind, rows::DIVPS, rows::DIVPD),
            FloatOp::Rem | FloatOp::Mod => return self.float_remainder(op, kind, result, [a, b]),
        };
        let vector = self.two_values(row, kind, a, b);
        self.define_vector(result, vector);
        Some(())
    }

    pub(super) fn compare_floats(&mut self, op: CompareOp, kind: Kind, operands: [Value; 2]) -> Option<Var> {
        let predicate = match op {
            CompareOp::FOrdEq => 0x00,
            CompareOp::FOrdNe => 0x0c,
            CompareOp::FOrdLt => 0x11,
            CompareOp::FOrdLe => 0x12,
            CompareOp::FUnordEq => 0x08,
            CompareOp::FUnordNe => 0x04,
            CompareOp::FUnordLt => 0x19,
            CompareOp::FUnordLe => 0x1a,
            CompareOp::Ordered => 0x07,
            CompareOp::Unordered => 0x03,
            _ => return None,
        };
        if kind == Kind::F16 {
            return None;
        }
        Some(self.compare_parts(pick(kind, rows::CMPPS, rows::CMPPD), kind, operands, predicate))
    }

    pub(super) fn classify(&mut self, test: FloatClass, kind: Kind, result: Value, x: Value) -> Option<()> {
        let (classes, inverse) = match test {
            FloatClass::Infinite => (0x18, false),
            FloatClass::Nan => (0x81, false),
            FloatClass::Finite => (0x99, true),
            FloatClass::Normal => (0xbf, true),
            // The sign of a NaN counts too.
            FloatClass::Negative => {
                let (x, sign) = (self.x(x), self.vector_constant(kind, sign(kind)));
                let masks = self.test_bits(kind, x, sign);
                let mask = if parts(kind) == 2 { self.join_masks(masks) } else { masks[0] };
                self.define_mask(result, mask);
                return Some(());
            }
        };
        let x = self.x(x);
        let mut masks = [self.mask_var(), self.mask_var()];
        for (&mask, x) in masks.iter().zip(x.0).take(parts(kind)) {
            let row = pick(kind, rows::FPCLASSPS, rows::FPCLASSPD);
            self.push(Machine::row(row).def(mask).last(x).imm(classes));
        }
        if parts(kind) == 2 {
            masks[0] = self.join_masks(masks);
        }
        let mask = if inverse { self.negate_mask(masks[0]) } else { masks[0] };
        self.define_mask(result, mask);
        Some(())
    }

    pub(super) fn math(&mut self, op: MathOp, kind: Kind, result: Value, operands: [Value; 3]) -> Option<()> {
        let vector = self.vector_math(op, kind, operands)?;
        self.define_vector(result, vector);
        Some(())
    }

    fn vector_math(&mut self, op: MathOp, kind: Kind, [a, b, c]: [Value; 3]) -> Option<Vector> {
        if !matches!(kind, Kind::F32 | Kind::F64) {
            return None;
        }
        let round = pick(kind, rows::RNDSCALEPS, rows::RNDSCALEPD);
        let add = pick(kind, rows::ADDPS, rows::ADDPD);
        let multiply = pick(kind, rows::MULPS, rows::MULPD);
        Some(match op {
            MathOp::Neg => {
                let (x, sign) = (self.x(a), self.vector_constant(kind, sign(kind)));
                self.two(rows::PXORD, kind, x, sign)
            }
            MathOp::Abs => {
                let (x, sign) = (self.x(a), self.vector_constant(kind, sign(kind)));
                self.two(rows::PANDND, kind, sign, x)
            }
            MathOp::Copysign => {
                let (x, y, sign) = (self.x(a), self.x(b), self.vector_constant(kind, sign(kind)));
                let (size, sign) =
                    (self.two(rows::PANDND, kind, sign, x), self.two(rows::PANDD, kind, sign, y));
                self.two(rows::PORD, kind, size, sign)
            }
            MathOp::Sqrt => {
                let x = self.x(a);
                self.root(kind, x)
            }
            MathOp::Recip => {
                let x = self.x(a);
                self.reciprocal(kind, x)
            }
            MathOp::Rint | MathOp::Floor | MathOp::Ceil | MathOp::Trunc => {
                // Without the exception for what is not exact.
                let mode = match op {
                    MathOp::Rint => 8,
                    MathOp::Floor => 9,
                    MathOp::Ceil => 10,
                    _ => 11,
                };
                let x = self.x(a);
                self.one(round, kind, x, mode)
            }
            MathOp::Fma => {
                let adds_up = self.adds_up(c);
                let (a, b, c) = (self.x(a), self.x(b), self.x(c));
                let (row, [old, second, last]) = if adds_up {
                    (pick(kind, rows::FMADD231PS, rows::FMADD231PD), [c, a, b])
                } else {
                    (pick(kind, rows::FMADD213PS, rows::FMADD213PD), [a, b, c])
                };
                let result = self.new_vector(kind);
                for part in 0..parts(kind) {
                    let inst = Machine::row(row).update(result.0[part], old.0[part]);
                    self.push(inst.second(second.0[part]).last(last.0[part]));
                }
                result
            }
            MathOp::Mix => {
                let difference = self.two_values(pick(kind, rows::SUBPS, rows::SUBPD), kind, b, a);
                let factor = self.x(c);
                let part = self.two(multiply, kind, difference, factor);
                let start = self.x(a);
                self.two(add, kind, start, part)
            }
            MathOp::Fmin | MathOp::Fmax => {
                let (a, b) = (self.x(a), self.x(b));
                self.extreme(kind, op == MathOp::Fmax, a, b)
            }
            MathOp::Clamp => {
                let (x, low, high) = (self.x(a), self.x(b), self.x(c));
                let raised = self.extreme(kind, true, x, low);
                self.extreme(kind, false, raised, high)
            }
            _ => return None,
        })
    }

    /// Whether a value is what this instruction adds to: in each pass of a loop the last result, so that one register can be both.
    fn adds_up(&self, value: Value) -> bool {
        let result = self.program.blocks[self.block].insts[self.place].result();
        let home = self.shapes.home[value.0 as usize];
        let is_phi = self.phis[home].contains(&value);
        let edges =
            self.flow.preds[home].iter().flat_map(|&from| self.program.blocks[from].terminator.edges());
        is_phi && edges.flat_map(|edge| &edge.moves).any(|step| step.to == value && Some(step.from) == result)
    }

    fn root(&mut self, kind: Kind, x: Vector) -> Vector {
        self.one(pick(kind, rows::SQRTPS, rows::SQRTPD), kind, x, 0)
    }

    fn reciprocal(&mut self, kind: Kind, x: Vector) -> Vector {
        let one = self.vector_constant(kind, bits(kind, 1.0));
        self.two(pick(kind, rows::DIVPS, rows::DIVPD), kind, one, x)
    }

    /// The greater or the lesser of two floats; the other one where one is no number.
    pub(super) fn extreme(&mut self, kind: Kind, greater: bool, a: Vector, b: Vector) -> Vector {
        let row =
            if greater { pick(kind, rows::MAXPS, rows::MAXPD) } else { pick(kind, rows::MINPS, rows::MINPD) };
        // Where one is no number, or both are zeros, the instruction gives its second operand, which is the first one here.
        let chosen = self.two(row, kind, b, a);
        let result = self.new_vector(kind);
        for part in 0..parts(kind) {
            let mask = self.mask_var();
            let compare = pick(kind, rows::CMPPS, rows::CMPPD);
            self.push(Machine::row(compare).def(mask).second(a.0[part]).last(a.0[part]).imm(3));
            let row = if kind == Kind::F64 { rows::MOVDQA64 } else { rows::MOVDQA32 };
            self.push(
                Machine::row(row).update(result.0[part], chosen.0[part]).last(b.0[part]).merge(Some(mask)),
            );
        }
        result
    }
}
