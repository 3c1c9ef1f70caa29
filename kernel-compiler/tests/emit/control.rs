//! Blocks, loops and jumps.

use crate::builder::{Builder, variable};
use crate::shape::{count, emitted, entry, opcodes};
use kernel_compiler::ir::{self, End, Fence, Group, Memory, Statement};
use kernel_core::Scalar;
use proc_macro2::Span;
use rspirv::spirv::{MemorySemantics, Op, Scope};

fn kernel() -> Builder {
    Builder::kernel("control")
}

#[test]
fn an_if_with_one_side_jumps_past_it() {
    let mut builder = kernel();
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    let ty = builder.scalar(Scalar::Bool);
    let x = builder.variable("x", ty);
    builder.when(condition, |builder| {
        builder.store(variable(x), condition);
        End::Next
    });
    let module = emitted(&builder.finish());
    assert_eq!(entry(&module).blocks.len(), 3);
    assert_eq!(
        opcodes(&module),
        [
            Op::Variable,
            Op::INotEqual,
            Op::SelectionMerge,
            Op::BranchConditional,
            Op::Select,
            Op::Store,
            Op::Branch,
            Op::Return
        ]
    );
}

#[test]
fn an_if_whose_sides_both_return_has_no_merge() {
    let mut builder = kernel();
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    builder.if_else(condition, |_| End::Return, |_| End::Return);
    let module = emitted(&builder.finish());
    assert_eq!(entry(&module).blocks.len(), 3);
    assert_eq!([Op::SelectionMerge, Op::Return, Op::Unreachable].map(|op| count(&module, op)), [0, 2, 0]);
}

#[test]
fn a_counting_loop() {
    let mut builder = kernel();
    let end = builder.scalar_parameter("end", Scalar::U32);
    builder.count(end, |_, _| {});
    let module = emitted(&builder.finish());
    assert_eq!([Op::LoopMerge, Op::SelectionMerge].map(|op| count(&module, op)), [1, 1]);
    assert_eq!(entry(&module).blocks.len(), 7, "entry, header, body, break, rest of body, continuing, merge");
    let header = &entry(&module).blocks[1];
    assert_eq!(header.instructions[0].class.opcode, Op::LoopMerge);
}

#[test]
fn an_endless_loop_has_nothing_after_it() {
    let mut builder = kernel();
    builder.repeat(|_, _| End::Next, |_| {});
    let module = emitted(&builder.finish());
    assert_eq!([Op::LoopMerge, Op::Return].map(|op| count(&module, op)), [0, 0]);
}

#[test]
fn a_loop_that_always_breaks_is_straight() {
    let mut builder = kernel();
    builder.repeat(|_, label| End::Break(label), |_| {});
    let module = emitted(&builder.finish());
    assert_eq!([Op::LoopMerge, Op::Return].map(|op| count(&module, op)), [0, 1]);
    assert_eq!(entry(&module).blocks.len(), 4);
}

#[test]
fn jumps_name_the_loop_that_they_leave() {
    let mut builder = kernel();
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    builder.repeat(
        |builder, outer| {
            builder.repeat(
                |builder, _| {
                    builder.if_else(condition, |_| End::Break(outer), |_| End::Continue(outer));
                    End::Next
                },
                |_| {},
            );
            End::Next
        },
        |_| {},
    );
    let module = emitted(&builder.finish());
    assert_eq!(
        [Op::LoopMerge, Op::Return].map(|op| count(&module, op)),
        [1, 1],
        "only the outer loop repeats"
    );
}

#[test]
fn a_jump_out_of_a_nested_if_is_no_dead_code() {
    let mut builder = kernel();
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    builder.repeat(
        |builder, label| {
            builder.when(condition, |builder| {
                builder.when(condition, |_| End::Return);
                End::Continue(label)
            });
            End::Break(label)
        },
        |_| {},
    );
    let module = emitted(&builder.finish());
    assert_eq!([Op::Return, Op::LoopMerge, Op::Unreachable].map(|op| count(&module, op)), [2, 1, 0]);
}

#[test]
fn statements_after_a_jump_are_dropped() {
    let mut builder = kernel();
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    builder.if_else(condition, |_| End::Return, |_| End::Return);
    builder.count_to_three();
    let module = emitted(&builder.finish());
    assert_eq!(count(&module, Op::LoopMerge), 0);
}

impl Builder {
    fn count_to_three(&mut self) {
        let three = self.constant(Scalar::U32, 3);
        self.count(three, |_, _| {});
    }
}

/// The scopes and the semantics of a barrier of a work-group.
fn barrier_of(fence: Fence) -> Vec<u32> {
    let mut builder = kernel();
    builder.push(Statement::Barrier(Span::call_site(), Group::WorkGroup, fence));
    let module = emitted(&builder.finish());
    let barrier = entry(&module).all_inst_iter().find(|line| line.class.opcode == Op::ControlBarrier);
    let constants = barrier.into_iter().flat_map(|line| &line.operands).map(|operand| {
        let id = operand.id_ref_any();
        let constant =
            module.types_global_values.iter().find(|line| line.result_id == id).expect("a constant");
        constant.operands[0].unwrap_literal_bit32()
    });
    constants.collect()
}

#[test]
fn a_barrier_orders_local_and_global_memory() {
    let semantics = MemorySemantics::SEQUENTIALLY_CONSISTENT
        | MemorySemantics::WORKGROUP_MEMORY
        | MemorySemantics::CROSS_WORKGROUP_MEMORY;
    let group = Scope::Workgroup as u32;
    assert_eq!(barrier_of(Fence::LocalAndGlobal), [group, group, semantics.bits()]);
}

#[test]
fn a_barrier_orders_what_it_is_told_to() {
    let group = Scope::Workgroup as u32;
    let ordered = MemorySemantics::SEQUENTIALLY_CONSISTENT;
    let check = |scope, memory, expected: [u32; 2]| {
        assert_eq!(barrier_of(Fence::Given(scope, memory))[..], [group, expected[0], expected[1]]);
    };
    check(ir::Scope::Subgroup, Memory::NONE, [Scope::Subgroup as u32, 0]);
    let local = ordered | MemorySemantics::WORKGROUP_MEMORY;
    check(ir::Scope::WorkGroup, Memory::LOCAL, [group, local.bits()]);
    let global = ordered | MemorySemantics::CROSS_WORKGROUP_MEMORY;
    check(ir::Scope::Device, Memory::GLOBAL, [Scope::Device as u32, global.bits()]);
    let all = local | MemorySemantics::CROSS_WORKGROUP_MEMORY | MemorySemantics::IMAGE_MEMORY;
    let memory = Memory::LOCAL | Memory::GLOBAL | Memory::IMAGE;
    check(ir::Scope::AllDevices, memory, [Scope::CrossDevice as u32, all.bits()]);
}
