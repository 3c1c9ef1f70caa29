//! Checks and the fault record.

use crate::builder::Builder;
use crate::shape::{count, emitted, entry, opcodes};
use kernel_compiler::analysis::Analysis;
use kernel_compiler::emit::emit_analysed;
use kernel_compiler::ir::{Base, End, Fault, Index, Module, Op as IrOp, Place, Space, Step};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use rspirv::dr;
use rspirv::spirv::Op;

/// A kernel whose work-items end at a fault, or one with a barrier, where they go on.
fn kernel(goes_on: bool) -> Builder {
    let mut builder = Builder::kernel("checks");
    if goes_on {
        builder.barrier();
    }
    builder
}

/// `x[i] = x[i]`, both checked.
fn copy(goes_on: bool) -> Module {
    let mut builder = kernel(goes_on);
    let x = builder.slice("x", Scalar::F32, true);
    let [load, store] = [(); 2].map(|()| builder.site(FaultKind::IndexOutOfBounds));
    let i = builder.global_id();
    let place = builder.element(x, i, load);
    let value = builder.load(place);
    let place = builder.element(x, i, store);
    builder.store(place, value);
    builder.finish()
}

/// `x[0] = x[0] op x[1]` with the checks of a division.
fn divide(goes_on: bool, scalar: Scalar, op: BinaryOp) -> dr::Module {
    let mut builder = kernel(goes_on);
    let x = builder.slice("x", scalar, true);
    let nonzero = builder.site(FaultKind::DivisionByZero);
    let overflow = match scalar.is_signed() {
        true => builder.site(FaultKind::DivisionOverflow),
        false => kernel_compiler::ir::Check::Proved,
    };
    let [zero, one] = [0, 1].map(|bits| builder.constant(Scalar::Usize, bits));
    let (left, right) = (builder.get(x, zero), builder.get(x, one));
    let quotient = builder.checked_binary(op, left, right, nonzero, overflow);
    builder.set(x, zero, quotient);
    emitted(&builder.finish())
}

#[test]
fn proved_accesses_have_no_branch() {
    let mut builder = Builder::kernel("checks");
    let x = builder.slice("x", Scalar::F32, true);
    let i = builder.global_id();
    let value = builder.get(x, i);
    builder.set(x, i, value);
    let module = emitted(&builder.finish());
    assert_eq!([Op::BranchConditional, Op::AtomicIAdd].map(|op| count(&module, op)), [0, 0]);
}

#[test]
fn beside_a_barrier_a_failing_load_yields_zero_and_a_failing_store_does_nothing() {
    let counts = |goes_on| {
        let module = emitted(&copy(goes_on));
        [Op::ULessThan, Op::Phi, Op::InBoundsPtrAccessChain, Op::FunctionCall].map(|op| count(&module, op))
    };
    assert_eq!(counts(true), [2, 1, 2, 2]);
    // Else it ends, and nothing is needed for what it would go on with; no earlier fault has to be looked for either.
    assert_eq!(counts(false), [2, 0, 2, 0]);
}

#[test]
fn the_fault_is_reported_once_at_the_end() {
    for goes_on in [false, true] {
        let opcodes = opcodes(&emitted(&copy(goes_on)));
        assert_eq!(opcodes.iter().filter(|&&op| op == Op::AtomicIAdd).count(), 1);
        let last_check = opcodes.iter().rposition(|&op| op == Op::ULessThan);
        assert!(opcodes.iter().position(|&op| op == Op::AtomicIAdd) > last_check);
    }
}

/// The kernel that may return between two accesses: how often it reports, and how often it returns.
fn reports_and_returns(goes_on: bool) -> [usize; 2] {
    let mut builder = kernel(goes_on);
    let x = builder.slice("x", Scalar::F32, true);
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let i = builder.global_id();
    let place = builder.element(x, i, check);
    let value = builder.load(place.clone());
    builder.when(condition, |_| End::Return);
    builder.store(place, value);
    let opcodes = opcodes(&emitted(&builder.finish()));
    let times = |op| opcodes.iter().filter(|&&other| other == op).count();
    [Op::AtomicIAdd, Op::Return].map(times)
}

#[test]
fn work_items_that_go_on_all_come_to_the_report() {
    // The second return is that of the function that keeps a fault.
    assert_eq!(reports_and_returns(true), [1, 1]);
    assert_eq!(reports_and_returns(false), [1, 3]);
}

#[test]
fn divisions_are_checked_for_zero_and_for_overflow() {
    for (goes_on, phis) in [(false, 0), (true, 1)] {
        let unsigned = divide(goes_on, Scalar::U32, BinaryOp::Div);
        assert_eq!([Op::UDiv, Op::Phi, Op::LogicalOr].map(|op| count(&unsigned, op)), [1, phis, 0]);
        let signed = divide(goes_on, Scalar::I64, BinaryOp::Rem);
        let counts = [Op::SRem, Op::Phi, Op::LogicalOr, Op::LogicalAnd].map(|op| count(&signed, op));
        assert_eq!(counts, [1, phis, 1, 1]);
    }
}

#[test]
fn an_update_takes_one_check() {
    let mut builder = Builder::kernel("checks");
    let x = builder.slice("x", Scalar::F32, true);
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let i = builder.global_id();
    let place = builder.element(x, i, check);
    let value = builder.load(place.clone());
    let one = builder.constant(Scalar::F32, 1.0_f32.to_bits().into());
    let value = builder.binary(BinaryOp::Add, value, one);
    builder.store(place, value);
    let module = emitted(&builder.finish());
    let counts = [Op::ULessThan, Op::Phi, Op::InBoundsPtrAccessChain].map(|op| count(&module, op));
    assert_eq!(counts, [1, 0, 1]);
}

#[test]
fn several_indices_take_one_branch_and_name_the_first_that_fails() {
    let mut builder = Builder::kernel("checks");
    let out = builder.slice("out", Scalar::F32, true);
    let float = builder.scalar(Scalar::F32);
    let row = builder.array(float, 3);
    let grid = builder.array(row, 5);
    let grid = builder.variable("grid", grid);
    let [i, j] = [0, 1].map(|dimension| builder.query(kernel_compiler::ir::Query::GlobalId, dimension));
    let path =
        [i, j].map(|index| Step::Index(Index { index, check: builder.site(FaultKind::IndexOutOfBounds) }));
    let element = builder.load(Place { base: Base::Variable(grid), path: path.to_vec() });
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, element);
    let module = emitted(&builder.finish());
    assert_eq!([Op::ULessThan, Op::LogicalAnd].map(|op| count(&module, op)), [2, 1]);
    // The site and the halves of the first value are chosen; of the second ones, which are constants, it is at the end.
    assert_eq!(count(&module, Op::Select), 3 + 2);
}

/// `for k in 0..n { x[x[k]] }`, or twice the latter.
fn chain(of_two: bool) -> dr::Module {
    let mut builder = kernel(false);
    let x = builder.slice("x", Scalar::Usize, false);
    let [first, second] = [(); 2].map(|()| builder.site(FaultKind::IndexOutOfBounds));
    let n = builder.scalar_parameter("n", Scalar::Usize);
    builder.count(n, |builder, k| {
        let place = builder.element(x, k, first);
        let next = builder.load(place);
        if of_two {
            let place = builder.element(x, next, second);
            builder.load(place);
        }
    });
    emitted(&builder.finish())
}

#[test]
fn a_later_check_in_a_loop_keeps_its_first_value_apart() {
    let counts = |of_two| [Op::BitwiseXor, Op::BitwiseAnd].map(|op| count(&chain(of_two), op));
    // Once where it is kept and once where it is reported, and the number of the site is told from its mark there.
    assert_eq!([false, true].map(counts), [[0, 0], [2, 1]]);
}

#[test]
fn beside_a_barrier_a_slice_of_no_array_is_empty() {
    let mut builder = kernel(true);
    let out = builder.slice("out", Scalar::Usize, true);
    let float = builder.scalar(Scalar::F32);
    let row = builder.array(float, 3);
    let grid = builder.array(row, 5);
    let grid = builder.variable("grid", grid);
    let index = builder.global_id();
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let ty = builder.slice_type(float, Space::Private, true);
    let place = Place { base: Base::Variable(grid), path: vec![Index { index, check }.into()] };
    let slice = builder.evaluate(ty, IrOp::SliceOf(place));
    let length = builder.compute(Scalar::Usize, IrOp::Len(slice));
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, length);
    let module = emitted(&builder.finish());
    assert_eq!([Op::ConstantNull, Op::Phi, Op::Select].map(|op| count(&module, op)), [1, 1, 1]);
    assert!(opcodes(&module).contains(&Op::InBoundsAccessChain));
}

/// `require i < len`, with one fault or two.
fn required(goes_on: bool, two: bool) -> Builder {
    let mut builder = kernel(goes_on);
    let x = builder.slice("x", Scalar::F32, true);
    let i = builder.global_id();
    let len = builder.compute(Scalar::Usize, IrOp::Len(x));
    let condition = builder.binary(BinaryOp::Lt, i, len);
    let other = builder.binary(BinaryOp::Eq, i, len);
    let [first, last] = [FaultKind::RangeStart, FaultKind::RangeEnd].map(|kind| builder.site(kind));
    let mut faults = vec![Fault { unless: None, check: last, values: [i, len], words: Vec::new() }];
    if two {
        faults.insert(0, Fault { unless: Some(other), check: first, values: [len, i], words: Vec::new() });
    }
    builder.compute(Scalar::Bool, IrOp::Require { condition, faults });
    builder
}

#[test]
fn a_requirement_is_one_branch() {
    for (goes_on, calls) in [(false, 0), (true, 1)] {
        let counts = |two| {
            let module = emitted(&required(goes_on, two).finish());
            [Op::ULessThan, Op::FunctionCall, Op::Select].map(|op| count(&module, op))
        };
        // The length is that of all faults.
        assert_eq!(counts(false), [1, calls, 0]);
        // The site, the halves of the first value and the second one are those of the fault that applies.
        assert_eq!(counts(true), [1, calls, 4]);
    }
}

#[test]
fn a_requirement_reads_like_one() {
    let text = required(false, true).finish().to_string();
    assert!(text.contains("require %3 else !0(%2, %1) unless %4 else !1(%1, %2)"), "{text}");
}

#[test]
fn a_guard_of_bounds_that_work_items_agree_on_is_one_comparison() {
    let mut builder = Builder::kernel("guard");
    let [x, y] = ["x", "y"].map(|name| builder.slice(name, Scalar::Usize, true));
    let [n, m] = ["n", "m"].map(|name| builder.scalar_parameter(name, Scalar::Usize));
    let i = builder.global_id();
    let [x_len, y_len] = [x, y].map(|slice| builder.compute(Scalar::Usize, IrOp::Len(slice)));
    let uniform = builder.binary(BinaryOp::Le, n, m);
    let terms = [x_len, y_len, n].map(|bound| builder.binary(BinaryOp::Lt, i, bound));
    let all = terms.into_iter().fold(uniform, |all, term| builder.binary(BinaryOp::And, all, term));
    builder.when(all, |builder| {
        builder.set(y, i, i);
        End::Next
    });
    let module = builder.finish();
    let words = kernel_compiler::emit::emit_analysed(&module, &Analysis::of(&module)).words;
    let module = dr::load_words(words).expect("what is emitted is read back");
    // The least of three bounds, and that or nothing; the comparisons that this is made of are there too, and unused.
    assert_eq!([Op::ExtInst, Op::LogicalAnd].map(|op| count(&module, op)), [2, 2]);
    let condition = entry(&module).blocks.iter().find_map(|block| {
        let last = block.instructions.last().filter(|last| last.class.opcode == Op::BranchConditional)?;
        Some(last.operands[0].unwrap_id_ref())
    });
    let is_condition = |instruction: &&dr::Instruction| instruction.result_id == condition;
    let condition = module.all_inst_iter().find(is_condition).map(|found| found.class.opcode);
    assert_eq!(condition, Some(Op::ULessThan));
}

/// Numbers that are not negative, as those of 16 bits without a sign, are divided without one, which GPUs do in fewer instructions.
#[test]
fn what_is_not_negative_is_divided_without_a_sign() {
    for (from, signed, unsigned) in [(Scalar::U16, 0, 1), (Scalar::I16, 1, 0)] {
        for (op, of_signed, of_unsigned) in
            [(BinaryOp::Div, Op::SDiv, Op::UDiv), (BinaryOp::Rem, Op::SRem, Op::UMod)]
        {
            let mut builder = Builder::kernel("divide");
            let x = builder.slice("x", Scalar::I32, true);
            let number = builder.scalar_parameter("number", from);
            let number = builder.cast(number, Scalar::I32);
            let seven = builder.constant(Scalar::I32, 7);
            let quotient = builder.binary(op, number, seven);
            let first = builder.constant(Scalar::Usize, 0);
            builder.set(x, first, quotient);
            let module = builder.finish();
            let words = emit_analysed(&module, &Analysis::of(&module)).words;
            let module = dr::load_words(&words).expect("the words are SPIR-V");
            assert_eq!([of_signed, of_unsigned].map(|op| count(&module, op)), [signed, unsigned]);
        }
    }
}
