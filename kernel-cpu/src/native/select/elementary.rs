//! Functions that consist of several instructions: those of `elementary`, and others that are written down here in the same way.

use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::elementary::real::{Number, Real, Truth};
use crate::elementary::trace::{Operand, Operation, Step, Trace, Traced, TracedTruth};
use crate::elementary::{double, single, widened, with_functions};
use crate::native::encode::Row;
use crate::native::lir::{Inst as Machine, Var};
use crate::native::target::Target;
use crate::program::{FloatOp, Kind, MathOp, Value};

/// How many instructions the functions of a kernel may become; those beyond are the interpreter's.
const MAX_STEPS: usize = 12_000;

/// A function of a float and an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WithInteger {
    Power,
    Root,
    /// The float times a power of 2.
    Scale,
}

/// A function of up to three arguments; the truth says where the interpreter has to compute it instead.
type Function<'a, N> = (Traced<'a, N>, TracedTruth<'a>);

macro_rules! elementary {
    (
        one { $($one:ident $file:ident::$name:ident $single:ident $double:ident;)* }
        angle { $($angle:ident $angle_file:ident::$angle_name:ident $great:ident;)* }
        two { $($two:ident $two_file:ident::$two_name:ident $two_single:ident $two_double:ident;)* }
    ) => {
        elementary! { of_single f32 single $($one $file::$name)* @ $($angle $angle_file::$angle_name)* @ $($two $two_file::$two_name)* }
        elementary! { of_double f64 double $($one $file::$name)* @ $($angle $angle_file::$angle_name)* @ $($two $two_file::$two_name)* }
    };
    (
        $function:ident $float:ident $module:ident
        $($one:ident $file:ident::$name:ident)* @
        $($angle:ident $angle_file:ident::$angle_name:ident)* @
        $($two:ident $two_file:ident::$two_name:ident)*
    ) => {
        /// The functions of `elementary` of a type.
        fn $function<'a>(op: MathOp, [x, y, _]: [Traced<'a, $float>; 3]) -> Option<Function<'a, $float>> {
            let never = TracedTruth::Constant(false);
            Some(match op {
                $(MathOp::$one => (apart(|| $module::$file::$name(x)), never),)*
                $(MathOp::$angle => {
                    (apart(|| $module::$angle_file::$angle_name(x)), $module::angle::is_great(x))
                })*
                $(MathOp::$two => (apart(|| $module::$two_file::$two_name(x, y)), never),)*
                _ => return None,
            })
        }
    };
}

with_functions! { elementary! }

/// The result of a function that is compiled by itself: all of them in one would take the compiler of this crate longer than they do apart.
#[inline(never)]
fn apart<T>(function: impl FnOnce() -> T) -> T {
    function()
}

/// Functions of `f32` and `f64`, as the interpreter has them.
fn simple<'a, N: Number>(op: MathOp, [x, y, z]: [Traced<'a, N>; 3]) -> Option<Traced<'a, N>> {
    let of = |narrow: f32, wide: f64| N::of(if lanes::<N>() == Kind::F64 { wide } else { narrow.into() });
    let (zero, one) = (N::of(0.0), N::of(1.0));
    let greater = |a: Traced<'a, N>, b: Traced<'a, N>| a.is_nan().choose(b, b.is_greater(a).choose(b, a));
    let lesser = |a: Traced<'a, N>, b: Traced<'a, N>| a.is_nan().choose(b, b.is_less(a).choose(b, a));
    Some(match op {
        MathOp::Degrees => x * of(1.0_f32.to_degrees(), 1.0_f64.to_degrees()),
        MathOp::Radians => x * of(1.0_f32.to_radians(), 1.0_f64.to_radians()),
        MathOp::Fdim => x.is_at_most(y).choose(zero, x - y),
        MathOp::Maxmag => {
            let (own, other) = (x.abs(), y.abs());
            own.is_greater(other).choose(x, own.is_less(other).choose(y, greater(x, y)))
        }
        MathOp::Minmag => {
            let (own, other) = (x.abs(), y.abs());
            own.is_less(other).choose(x, own.is_greater(other).choose(y, lesser(x, y)))
        }
        MathOp::Sign => {
            let rest: Traced<'a, N> = x.is_equal(zero).choose(x, zero);
            x.is_greater(zero).choose(one, x.is_less(zero).choose(-one, rest))
        }
        MathOp::Step => y.is_less(x).choose(zero, one),
        MathOp::Smoothstep => {
            let t = (z - x) / (y - x);
            let t = t.is_less(zero).choose(zero, t);
            let t = t.is_greater(one).choose(one, t);
            t * t * (Traced::from(N::of(3.0)) - t * N::of(2.0))
        }
        MathOp::Round => {
            let whole = x.trunc();
            let more: Traced<'a, N> = (x - whole).abs().is_at_least(N::of(0.5)).choose(one, zero);
            (whole + more.copysign(x)).copysign(x)
        }
        _ => return None,
    })
}

/// The remainder of numbers of single precision.
fn remainder<'a>(of_divisor: bool, x: Traced<'a, f64>, y: Traced<'a, f64>) -> Function<'a, f64> {
    /// So small quotients are not rounded up to an integer.
    const GREATEST: f64 = (1_u32 << 28) as f64;
    let ratio = x / y;
    let rest = (-ratio.trunc()).mul_add(y, x).copysign(x);
    let is_usual = ratio.abs().is_less(GREATEST) & y.abs().is_less(f64::INFINITY);
    if !of_divisor {
        return (rest, !is_usual);
    }
    let (below, is_negative) = (rest.is_less(0.0), y.is_less(0.0));
    let differ = (below & !is_negative) | (is_negative & !below);
    ((differ & !rest.is_equal(0.0)).choose(rest + y, rest), !is_usual)
}

/// The kind of a number.
fn lanes<N: Number>() -> Kind {
    if size_of::<N>() == 4 { Kind::F32 } else { Kind::F64 }
}

/// What stands for the arguments of a function.
fn arguments<N: Number>(trace: &Trace) -> [Traced<'_, N>; 3] {
    std::array::from_fn(|place| trace.argument(place as u8))
}

/// A function that is computed here for all arguments.
fn always<N>(value: Traced<'_, N>) -> Function<'_, N> {
    (value, TracedTruth::Constant(false))
}

/// The reciprocal of a square root, rounded twice as it is defined.
fn twice_rounded_root<'a>(op: MathOp, x: Traced<'a, f64>) -> Option<Traced<'a, f64>> {
    (op == MathOp::Rsqrt).then(|| Traced::from(1.0) / x.sqrt())
}

impl Selector<'_> {
    /// The reciprocals of square roots of `f32`: an estimate, and two steps of Newton's method in double precision.
    ///
    /// An estimate is wrong by 2⁻¹⁴ at most, so that the second step leaves less than 2⁻⁵³ to be rounded. Of all arguments, only six have a result that is
    /// about as near to where rounding changes, and those are rounded the same way from any estimate.
    fn reciprocal_root(&mut self, result: Value, x: Value) {
        /// Whatever is no positive number: for these the estimate is exact.
        const SPECIAL: i32 = 0xdf;
        let trace = self.trace();
        let (own, mut root): (Traced<'_, f64>, Traced<'_, f64>) = (trace.argument(0), trace.argument(1));
        for _ in 0..2 {
            let error = (-(own * root)).mul_add(root, 1.0);
            root = (root * 0.5).mul_add(error, root);
        }
        let steps = trace.steps();
        let x = self.x(x);
        let estimate = self.one(rows::RSQRT14PS, Kind::F32, x, 0);
        let own = self.halves_to_parts(rows::CVTPS2PD, x, Kind::F64);
        let first = self.halves_to_parts(rows::CVTPS2PD, estimate, Kind::F64);
        let roots = std::array::from_fn(|part| {
            let mut lowering = Lowering::new(&steps, [root.operand(), Operand::None], Kind::F64);
            lowering.run(self, &steps, &[own.0[part], first.0[part]]);
            lowering.register(self, root.operand())
        });
        let rounded = self.parts_to_halves(rows::CVTPD2PS, Vector(roots));
        let special = self.mask_var();
        self.push(Machine::row(rows::FPCLASSPS).def(special).last(x.0[0]).imm(SPECIAL));
        let value = self.blend(Kind::F32, special, estimate, rounded);
        self.define_vector(result, value);
    }

    fn trace(&self) -> Trace {
        Trace::new(self.lacking.target == Target::Avx512)
    }

    /// A function that consists of several instructions.
    pub(super) fn function(
        &mut self,
        op: MathOp,
        kind: Kind,
        result: Value,
        operands: [Value; 3],
    ) -> Option<()> {
        if !matches!(kind, Kind::F32 | Kind::F64) {
            return None;
        }
        if (op, kind, self.lacking.target) == (MathOp::Rsqrt, Kind::F32, Target::Avx512) {
            self.reciprocal_root(result, operands[0]);
            return Some(());
        }
        let trace = self.trace();
        let operands = operands.map(|x| (x, kind));
        if kind == Kind::F64 {
            let own = arguments(&trace);
            let value = simple(op, own).or_else(|| twice_rounded_root(op, own[0])).map(always);
            let function = value.or_else(|| of_double(op, own))?;
            return self.compute(&trace, function, kind, result, &operands);
        }
        if let Some(root) = twice_rounded_root(op, trace.argument(0)).map(always) {
            return self.compute(&trace, root, kind, result, &operands);
        }
        let own = arguments(&trace);
        let function = simple(op, own).map(always).or_else(|| of_single(op, own))?;
        self.compute(&trace, function, kind, result, &operands)
    }

    /// A function of a float and an integer.
    pub(super) fn with_integer(
        &mut self,
        function: WithInteger,
        kind: Kind,
        result: Value,
        operands: [Value; 2],
    ) -> Option<()> {
        let trace = self.trace();
        let (x, n) = (trace.argument(0), trace.argument(1));
        let value = match (function, kind == Kind::F64) {
            (WithInteger::Power, false) => widened::power::powf(x, n),
            (WithInteger::Power, true) => double::power::powf(x, n),
            (WithInteger::Root, false) => widened::power::rootn(x, n),
            (WithInteger::Root, true) => double::power::rootn(x, n),
            (WithInteger::Scale, false) => widened::power::ldexp(x, n),
            (WithInteger::Scale, true) => return None,
        };
        let function = (value, TracedTruth::Constant(false));
        let [x, n] = operands;
        self.compute(&trace, function, kind, result, &[(x, kind), (n, Kind::I32)])
    }

    /// The remainder of two floats with the sign of the one or the other.
    pub(super) fn float_remainder(
        &mut self,
        op: FloatOp,
        kind: Kind,
        result: Value,
        operands: [Value; 2],
    ) -> Option<()> {
        if kind != Kind::F32 {
            return None;
        }
        let trace = self.trace();
        let function = remainder(op == FloatOp::Mod, trace.argument(0), trace.argument(1));
        self.compute(&trace, function, kind, result, &operands.map(|x| (x, kind)))
    }

    fn compute<N: Number>(
        &mut self,
        trace: &Trace,
        (value, is_unusual): Function<'_, N>,
        kind: Kind,
        result: Value,
        operands: &[(Value, Kind)],
    ) -> Option<()> {
        let steps = trace.steps();
        let lanes = lanes::<N>();
        let is_same = operands.iter().all(|&(operand, _)| self.stride_or_uniform(operand));
        let count = if is_same { 1 } else { parts(lanes) };
        self.function_steps += steps.len() * count;
        if self.function_steps > MAX_STEPS {
            return None;
        }
        let arguments: Vec<Vector> =
            operands.iter().map(|&(x, kind)| self.argument(x, kind, lanes)).collect();
        let (mut vector, mut unusual) = ([None; 2], [None; 2]);
        for part in 0..count {
            let mut lowering = Lowering::new(&steps, [value.operand(), is_unusual.operand()], lanes);
            let arguments: Vec<Var> = arguments.iter().map(|argument| argument.0[part]).collect();
            lowering.run(self, &steps, &arguments);
            vector[part] = Some(lowering.register(self, value.operand()));
            unusual[part] = match is_unusual.operand() {
                Operand::Step(place) => lowering.results[place as usize],
                _ => None,
            };
        }
        let first = vector[0]?;
        let vector = Vector([first, vector[1].unwrap_or(first)]);
        let ways = match unusual {
            [Some(low), high] => {
                let mask = if lanes == Kind::F64 { self.join_masks([low, high.unwrap_or(low)]) } else { low };
                Some(self.unless(mask))
            }
            _ => None,
        };
        let vector = if lanes == kind { vector } else { self.parts_to_halves(rows::CVTPD2PS, vector) };
        let own = self.vector_of(result);
        self.copy_vector(own, vector);
        match ways {
            Some(ways) => {
                let inst = self.program.blocks[self.block].insts[self.place];
                self.otherwise(&inst, result, ways);
            }
            None => self.complete(result),
        }
        Some(())
    }

    /// Whether a value is the same in all lanes.
    fn stride_or_uniform(&self, value: Value) -> bool {
        self.shape(value) == crate::native::analyse::shape::Shape::UNIFORM
    }

    /// An argument in lanes of a kind. The instruction says of which kind it is, since the value may be bits that come from a number of another one.
    fn argument(&mut self, value: Value, kind: Kind, lanes: Kind) -> Vector {
        if let (Some(bits), true) = (self.shapes.constant(value), kind != lanes) {
            let number = match kind {
                Kind::F32 => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from(bits as u32 as i32),
            };
            return self.vector_constant(Kind::F64, number.to_bits());
        }
        let x = self.x(value);
        match (kind, lanes) {
            (Kind::F32, Kind::F64) => self.halves_to_parts(rows::CVTPS2PD, x, lanes),
            (Kind::I32, Kind::F64) => self.halves_to_parts(rows::CVTDQ2PD, x, lanes),
            _ => x,
        }
    }
}

/// A function on its way to instructions, for one register of lanes.
struct Lowering {
    lanes: Kind,
    /// The register of each step that has one.
    results: Vec<Option<Var>>,
    /// How often each is still to be read.
    uses: Vec<u32>,
}

impl Lowering {
    fn new(steps: &[Step], results: [Operand; 2], lanes: Kind) -> Self {
        let mut uses = vec![0; steps.len()];
        // Those steps first that are read later, so that what nobody needs counts for nothing.
        for operand in results {
            if let Operand::Step(place) = operand {
                uses[place as usize] += 1;
            }
        }
        for (place, step) in steps.iter().enumerate().rev() {
            if uses[place] != 0 {
                for operand in step.operands {
                    if let Operand::Step(place) = operand {
                        uses[place as usize] += 1;
                    }
                }
            }
        }
        Self { lanes, results: vec![None; steps.len()], uses }
    }

    fn run(&mut self, selector: &mut Selector<'_>, steps: &[Step], arguments: &[Var]) {
        for (place, step) in steps.iter().enumerate() {
            if self.uses[place] == 0 {
                continue;
            }
            let result = match step.operation {
                Operation::Argument(number) => arguments[usize::from(number)],
                _ => self.step(selector, *step),
            };
            self.results[place] = Some(result);
            for operand in step.operands {
                if let Operand::Step(place) = operand {
                    self.uses[place as usize] -= 1;
                }
            }
        }
    }

    fn pick(&self, narrow: Row, wide: Row) -> Row {
        if self.lanes == Kind::F64 { wide } else { narrow }
    }

    /// A register with an operand.
    fn register(&self, selector: &mut Selector<'_>, operand: Operand) -> Var {
        match operand {
            Operand::Step(place) => match self.results[place as usize] {
                Some(var) => var,
                None => selector.vector(),
            },
            Operand::Constant(bits) => selector.vector_constant(self.lanes, bits).0[0],
            Operand::None => selector.vector(),
        }
    }

    /// Adds the last operand of an instruction, from memory if it is a constant.
    fn last(&self, selector: &mut Selector<'_>, inst: Machine, operand: Operand) -> Machine {
        match operand {
            Operand::Constant(bits) => {
                let place = match self.lanes {
                    Kind::F64 => selector.constant64(bits),
                    _ => selector.constant32(bits as u32),
                };
                inst.at(place.broadcast())
            }
            _ => {
                let var = self.register(selector, operand);
                inst.last(var)
            }
        }
    }

    fn step(&self, selector: &mut Selector<'_>, Step { operation, operands }: Step) -> Var {
        let [first, second, third] = operands;
        // What is the same either way has its constant last.
        let (left, right) =
            if matches!(first, Operand::Constant(_)) { (second, first) } else { (first, second) };
        match operation {
            Operation::Argument(_) => selector.vector(),
            Operation::Add => self.two(selector, self.pick(rows::ADDPS, rows::ADDPD), left, right),
            Operation::Mul => self.two(selector, self.pick(rows::MULPS, rows::MULPD), left, right),
            Operation::Sub => self.two(selector, self.pick(rows::SUBPS, rows::SUBPD), first, second),
            Operation::Div => self.two(selector, self.pick(rows::DIVPS, rows::DIVPD), first, second),
            Operation::Min => self.two(selector, self.pick(rows::MINPS, rows::MINPD), first, second),
            Operation::Max => self.two(selector, self.pick(rows::MAXPS, rows::MAXPD), first, second),
            Operation::PlusBits => self.two(selector, self.pick(rows::PADDD, rows::PADDQ), left, right),
            Operation::And => self.two(selector, self.pick(rows::PANDD, rows::PANDQ), left, right),
            Operation::Or => self.two(selector, self.pick(rows::PORD, rows::PORQ), left, right),
            Operation::Xor => self.two(selector, self.pick(rows::PXORD, rows::PXORQ), left, right),
            Operation::ShiftUp(count) => {
                self.shift(selector, self.pick(rows::PSLLD, rows::PSLLQ), first, count)
            }
            Operation::ShiftDown(count) => {
                self.shift(selector, self.pick(rows::PSRLD, rows::PSRLQ), first, count)
            }
            Operation::Scale => self.two(selector, self.pick(rows::SCALEFPS, rows::SCALEFPD), first, second),
            Operation::Sqrt => self.one(selector, self.pick(rows::SQRTPS, rows::SQRTPD), first, 0),
            Operation::RoundTiesEven => {
                self.one(selector, self.pick(rows::RNDSCALEPS, rows::RNDSCALEPD), first, 8)
            }
            Operation::Trunc => self.one(selector, self.pick(rows::RNDSCALEPS, rows::RNDSCALEPD), first, 11),
            Operation::MulAdd | Operation::NegMulAdd | Operation::MulSub => {
                self.fused(selector, operation, left, right, third)
            }
            Operation::Less => self.compare(selector, first, second, 0x11),
            Operation::AtMost => self.compare(selector, first, second, 0x12),
            Operation::Equal => self.compare(selector, left, right, 0x00),
            Operation::Nan => self.compare(selector, first, second, 0x03),
            Operation::HasBits => {
                let (x, mask) = (self.register(selector, first), selector.mask_var());
                let inst = Machine::row(self.pick(rows::PTESTMD, rows::PTESTMQ)).def(mask).second(x);
                let inst = self.last(selector, inst, second);
                selector.push(inst);
                mask
            }
            Operation::Both | Operation::Either => {
                let row = if operation == Operation::Both { rows::KAND } else { rows::KOR };
                let (a, b) = (self.register(selector, first), self.register(selector, second));
                selector.masks(row, a, b)
            }
            Operation::Not => {
                let x = self.register(selector, first);
                selector.negate_mask(x)
            }
            Operation::Choose => self.choose(selector, first, second, third),
        }
    }

    fn two(&self, selector: &mut Selector<'_>, row: Row, first: Operand, second: Operand) -> Var {
        let (x, result) = (self.register(selector, first), selector.vector());
        let inst = self.last(selector, Machine::row(row).def(result).second(x), second);
        selector.push(inst);
        result
    }

    fn one(&self, selector: &mut Selector<'_>, row: Row, operand: Operand, immediate: i32) -> Var {
        let result = selector.vector();
        let inst = self.last(selector, Machine::row(row).def(result).imm(immediate), operand);
        selector.push(inst);
        result
    }

    fn shift(&self, selector: &mut Selector<'_>, row: Row, operand: Operand, count: u8) -> Var {
        let x = self.register(selector, operand);
        selector.shift(row, Kind::F32, Vector([x; 2]), count.into()).0[0]
    }

    fn compare(&self, selector: &mut Selector<'_>, first: Operand, second: Operand, predicate: i32) -> Var {
        let (x, mask) = (self.register(selector, first), selector.mask_var());
        let row = self.pick(rows::CMPPS, rows::CMPPD);
        let inst = Machine::row(row).def(mask).second(x).imm(predicate);
        let inst = self.last(selector, inst, second);
        selector.push(inst);
        mask
    }

    fn choose(&self, selector: &mut Selector<'_>, truth: Operand, yes: Operand, no: Operand) -> Var {
        let (mask, result) = (self.register(selector, truth), selector.vector());
        if no == Operand::Constant(0) && matches!(yes, Operand::Step(_)) {
            let yes = self.register(selector, yes);
            let row = self.pick(rows::MOVDQA32, rows::MOVDQA64);
            selector.push(Machine::row(row).def(result).last(yes).zero(Some(mask)));
            return result;
        }
        let no = self.register(selector, no);
        let inst = Machine::row(self.pick(rows::BLENDMD, rows::BLENDMQ)).def(result).second(no);
        let inst = self.last(selector, inst, yes).merge(Some(mask));
        selector.push(inst);
        result
    }

    /// Whether an operand is not read again.
    fn dies(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Step(place) if self.uses[place as usize] == 1)
    }

    /// A product and a sum, in the form that overwrites what is not read again and has a constant last.
    fn fused(
        &self,
        selector: &mut Selector<'_>,
        operation: Operation,
        x: Operand,
        y: Operand,
        addend: Operand,
    ) -> Var {
        let forms = match operation {
            Operation::NegMulAdd => [
                self.pick(rows::FNMADD132PS, rows::FNMADD132PD),
                self.pick(rows::FNMADD213PS, rows::FNMADD213PD),
                self.pick(rows::FNMADD231PS, rows::FNMADD231PD),
            ],
            Operation::MulSub => [
                self.pick(rows::FMSUB132PS, rows::FMSUB132PD),
                self.pick(rows::FMSUB213PS, rows::FMSUB213PD),
                self.pick(rows::FMSUB231PS, rows::FMSUB231PD),
            ],
            _ => [
                self.pick(rows::FMADD132PS, rows::FMADD132PD),
                self.pick(rows::FMADD213PS, rows::FMADD213PD),
                self.pick(rows::FMADD231PS, rows::FMADD231PD),
            ],
        };
        let is_constant = |operand| matches!(operand, Operand::Constant(_));
        // Which form, and its operands: the one that is replaced, the second and the last.
        let (form, replaced, second, last) = if is_constant(y) {
            if self.dies(x) && !self.dies(addend) {
                (forms[0], x, addend, y)
            } else {
                (forms[2], addend, x, y)
            }
        } else if is_constant(addend) {
            if self.dies(y) && !self.dies(x) { (forms[1], y, x, addend) } else { (forms[1], x, y, addend) }
        } else if self.dies(addend) {
            (forms[2], addend, x, y)
        } else if self.dies(y) && !self.dies(x) {
            (forms[1], y, x, addend)
        } else {
            (forms[1], x, y, addend)
        };
        let (old, second) = (self.register(selector, replaced), self.register(selector, second));
        let result = selector.vector();
        let inst = Machine::row(form).update(result, old).second(second);
        let inst = self.last(selector, inst, last);
        selector.push(inst);
        result
    }
}
