use crate::native::analyse::flow::Flow;
use crate::native::ids::Ids;
use crate::native::lir::Refused;
use crate::native::switches::Switches;
use crate::program::drafts::{edge, program};
use crate::program::{
    AtomicOp, Block, BlockId, BuiltIn, CompareOp, ConvertOp, Edge, Inst, IntOp, Kind, Preset, Program, Site,
    Space, Terminator, Value,
};

/// The improved program, for groups of one subgroup.
pub(super) fn improve(program: &Program, switches: Switches) -> Result<Program, Refused> {
    super::improve(program, &Ids::new([16, 1, 1], program.subgroup_size), switches)
}

fn store(value: u32, address: u32) -> Inst {
    let (kind, space) = (Kind::I32, Space::Global);
    Inst::Store { kind, space, value: Value(value), address: Value(address), site: Site(7) }
}

/// `for i in 0..limit { sum += x }`, and `sum` is stored.
fn counting(limit: u64) -> Program {
    const I: Kind = Kind::I32;
    // 0: address, 1: x, 2: 0, 3: 1, 4: limit, 5: i, 6: sum, 7: whether to go on, 8: next sum, 9: next i.
    let kinds = [Kind::I64, I, I, I, I, I, I, Kind::Bool, I, I];
    let presets = [
        (0, Preset::Argument(0)),
        (1, Preset::Argument(8)),
        (2, Preset::Constant(0)),
        (3, Preset::Constant(1)),
        (4, Preset::Constant(limit)),
    ];
    let int = |op, result, a, b| Inst::Int(op, I, Value(result), [Value(a), Value(b)]);
    let blocks = vec![
        Block { insts: vec![], terminator: Terminator::Jump(edge(1, &[(5, 2), (6, 2)])) },
        Block {
            insts: vec![Inst::Compare(CompareOp::ULt, I, Value(7), [Value(5), Value(4)])],
            terminator: Terminator::Branch {
                condition: Value(7),
                then: edge(2, &[]),
                otherwise: edge(3, &[]),
            },
        },
        Block {
            insts: vec![int(IntOp::Add, 8, 6, 1), int(IntOp::Add, 9, 5, 3)],
            terminator: Terminator::Jump(edge(1, &[(5, 9), (6, 8)])),
        },
        Block { insts: vec![store(6, 0)], terminator: Terminator::Return },
    ];
    program(&kinds, &presets, blocks)
}

fn sums(program: &Program) -> usize {
    let insts = program.insts();
    insts.filter(|inst| matches!(inst, Inst::Int(IntOp::Add, ..))).count()
}

#[test]
fn short_loops_are_unrolled() {
    let improved = improve(&counting(5), Switches::default()).unwrap();
    assert!(Flow::new(&improved).unwrap().loops.is_empty());
    assert_eq!(improved.blocks.len(), 1);
    // The first sum is of 0 and x.
    assert_eq!(sums(&improved), 4);
    assert!(matches!(improved.blocks[0].insts.last(), Some(Inst::Store { .. })));
}

#[test]
fn a_loop_without_passes_leaves_what_it_starts_with() {
    let improved = improve(&counting(0), Switches::default()).unwrap();
    assert_eq!(sums(&improved), 0);
    let Some(&Inst::Store { value, .. }) = improved.blocks[0].insts.last() else { panic!("no store") };
    assert!(improved.presets.contains(&(value, Preset::Constant(0))));
}

#[test]
fn long_loops_stay() {
    let improved = improve(&counting(1000), Switches::default()).unwrap();
    assert_eq!(Flow::new(&improved).unwrap().loops.len(), 1);
    assert_eq!(sums(&improved), 2);
}

#[test]
fn loops_stay_where_that_is_switched_off() {
    let improved = improve(&counting(5), Switches::without("unroll").unwrap()).unwrap();
    assert_eq!(Flow::new(&improved).unwrap().loops.len(), 1);
}

#[test]
fn addresses_of_neighbours_have_their_base_in_common() {
    // 0: address, 1: id, 2: 3, 3: id + 3, 4 and 5: addresses, 6: 1, 7: id * 1.
    let kinds = [Kind::I64; 8];
    let presets = [
        (0, Preset::Argument(0)),
        (1, Preset::BuiltIn(BuiltIn::GlobalId(0))),
        (2, Preset::Constant(3)),
        (6, Preset::Constant(1)),
    ];
    let address = |result: u32, index: u32| Inst::Address {
        result: Value(result),
        base: Value(0),
        index: Value(index),
        scale: 4,
        offset: 0,
    };
    let insts = vec![
        Inst::Int(IntOp::Add, Kind::I64, Value(3), [Value(1), Value(2)]),
        Inst::Int(IntOp::Mul, Kind::I64, Value(7), [Value(1), Value(6)]),
        address(4, 7),
        address(5, 3),
        store(1, 4),
        store(1, 5),
    ];
    let blocks = vec![Block { insts, terminator: Terminator::Return }];
    let improved = improve(&program(&kinds, &presets, blocks), Switches::default()).unwrap();
    let [
        Inst::Address { result, index, scale: 4, offset: 0, .. },
        Inst::Address { base, offset: 12, .. },
        ..,
    ] = improved.blocks[0].insts[..]
    else {
        panic!("{:?}", improved.blocks[0].insts)
    };
    assert_eq!((index, base), (Value(1), result));
    assert_eq!(improved.blocks[0].insts.len(), 4);
}

fn branches(program: &Program) -> usize {
    program.blocks.iter().filter(|block| matches!(block.terminator, Terminator::Branch { .. })).count()
}

/// `if (0 < x && x < y) { store x }`, with the truth of the condition as a number of 8 bits, as it comes from memory.
fn both() -> Program {
    const I: Kind = Kind::I32;
    // 0: address, 1: x, 2: y, 3: 0, 4 and 5: 0 and 1 of 8 bits, 6: 0 < x, 7: that as a number, 8: x < y, 9: that as a number, 10: one of the two, 11: whether it
    // is true.
    let (b, n) = (Kind::Bool, Kind::I8);
    let kinds = [Kind::I64, I, I, I, n, n, b, n, b, n, n, b];
    let presets = [
        (0, Preset::Argument(0)),
        (1, Preset::BuiltIn(BuiltIn::GlobalId(0))),
        (2, Preset::Argument(8)),
        (3, Preset::Constant(0)),
        (4, Preset::Constant(0)),
        (5, Preset::Constant(1)),
    ];
    let compare = |op, kind, result, x, y| Inst::Compare(op, kind, Value(result), [Value(x), Value(y)]);
    let truth = |result, of| Inst::Select(n, Value(result), Value(of), [Value(5), Value(4)]);
    let branch =
        |condition, then, otherwise| Terminator::Branch { condition: Value(condition), then, otherwise };
    let blocks = vec![
        Block {
            insts: vec![compare(CompareOp::ULt, I, 6, 3, 1), truth(7, 6)],
            terminator: branch(6, edge(1, &[]), edge(2, &[(10, 7)])),
        },
        Block {
            insts: vec![compare(CompareOp::ULt, I, 8, 1, 2), truth(9, 8)],
            terminator: Terminator::Jump(edge(2, &[(10, 9)])),
        },
        Block {
            insts: vec![compare(CompareOp::Ne, n, 11, 10, 4)],
            terminator: branch(11, edge(3, &[]), edge(4, &[])),
        },
        Block { insts: vec![store(1, 0)], terminator: Terminator::Jump(edge(4, &[])) },
        Block { insts: vec![], terminator: Terminator::Return },
    ];
    program(&kinds, &presets, blocks)
}

#[test]
fn conditions_that_are_both_to_hold_are_one() {
    let improved = improve(&both(), Switches::default()).unwrap();
    assert_eq!(branches(&improved), 1);
    let Terminator::Branch { condition, .. } = improved.blocks[0].terminator else { panic!("no branch") };
    let last = improved.blocks[0].insts.last();
    let (first, second) = (Value(6), Value(8));
    assert_eq!(last, Some(&Inst::Int(IntOp::And, Kind::Bool, condition, [first, second])));
    assert_eq!(improved.blocks[0].insts.len(), 3);
}

#[test]
fn branches_stay_where_that_is_switched_off() {
    let improved = improve(&both(), Switches::without("flatten").unwrap()).unwrap();
    assert_eq!(branches(&improved), 2);
}

#[test]
fn what_one_way_computes_slowly_stays_there() {
    let mut program = both();
    program.kinds.push(Kind::I32);
    let slow = Inst::Int(IntOp::UDiv, Kind::I32, Value(12), [Value(2), Value(1)]);
    program.blocks[1].insts.insert(0, slow);
    program.blocks[1].insts[1] = Inst::Compare(CompareOp::ULt, Kind::I32, Value(8), [Value(1), Value(12)]);
    assert_eq!(branches(&improve(&program, Switches::default()).unwrap()), 2);
}

/// `for (i = 1; i < 8; i *= 2) for (k = 0; k < i; k += 1) sum += x`, and `sum` is stored.
#[test]
fn loops_that_decide_how_often_others_are_gone_round_are_unrolled_with_them() {
    const I: Kind = Kind::I32;
    // 0: address, 1: x, 2: 0, 3: 1, 4: 8, 5: 2, 6: i, 7: sum, 8: i < 8, 9: k, 10: sum inside, 11: k < i, 12: next sum, 13: next k, 14: next i.
    let kinds = [Kind::I64, I, I, I, I, I, I, I, Kind::Bool, I, I, Kind::Bool, I, I, I];
    let presets = [
        (0, Preset::Argument(0)),
        (1, Preset::Argument(8)),
        (2, Preset::Constant(0)),
        (3, Preset::Constant(1)),
        (4, Preset::Constant(8)),
        (5, Preset::Constant(2)),
    ];
    let int = |op, result, a, b| Inst::Int(op, I, Value(result), [Value(a), Value(b)]);
    let below = |result, a, b| Inst::Compare(CompareOp::ULt, I, Value(result), [Value(a), Value(b)]);
    let branch = |condition, then, otherwise| Terminator::Branch {
        condition: Value(condition),
        then: edge(then, &[]),
        otherwise: edge(otherwise, &[]),
    };
    let blocks = vec![
        Block { insts: vec![], terminator: Terminator::Jump(edge(1, &[(6, 3), (7, 2)])) },
        Block { insts: vec![below(8, 6, 4)], terminator: branch(8, 2, 6) },
        Block { insts: vec![], terminator: Terminator::Jump(edge(3, &[(9, 2), (10, 7)])) },
        Block { insts: vec![below(11, 9, 6)], terminator: branch(11, 4, 5) },
        Block {
            insts: vec![int(IntOp::Add, 12, 10, 1), int(IntOp::Add, 13, 9, 3)],
            terminator: Terminator::Jump(edge(3, &[(9, 13), (10, 12)])),
        },
        Block {
            insts: vec![int(IntOp::Mul, 14, 6, 5)],
            terminator: Terminator::Jump(edge(1, &[(6, 14), (7, 10)])),
        },
        Block { insts: vec![store(7, 0)], terminator: Terminator::Return },
    ];
    let improved = improve(&program(&kinds, &presets, blocks), Switches::default()).unwrap();
    assert!(Flow::new(&improved).unwrap().loops.is_empty());
    // Seven passes, of which the first adds to 0.
    assert_eq!(sums(&improved), 6);
}

#[test]
fn what_a_branch_brings_to_a_way_is_known_where_the_ways_are_chosen_from() {
    const I: Kind = Kind::I32;
    // 0: address, 1: x, 2: 0, 3: whether x is not 0, 4: what the way starts with, 5: what is stored.
    let kinds = [Kind::I64, I, I, Kind::Bool, I, I];
    let presets = [(0, Preset::Argument(0)), (1, Preset::Argument(8)), (2, Preset::Constant(0))];
    let blocks = vec![
        Block {
            insts: vec![Inst::Compare(CompareOp::Ne, I, Value(3), [Value(1), Value(2)])],
            terminator: Terminator::Branch {
                condition: Value(3),
                then: edge(1, &[(4, 1)]),
                otherwise: edge(2, &[(5, 2)]),
            },
        },
        Block { insts: vec![], terminator: Terminator::Jump(edge(2, &[(5, 4)])) },
        Block { insts: vec![store(5, 0)], terminator: Terminator::Return },
    ];
    let improved = improve(&program(&kinds, &presets, blocks), Switches::default()).unwrap();
    let [Inst::Compare(..), Inst::Select(I, chosen, Value(3), [Value(1), Value(2)]), last] =
        improved.blocks[0].insts[..]
    else {
        panic!("{:?}", improved.blocks);
    };
    assert!(matches!(last, Inst::Store { value, .. } if value == chosen), "{last:?}");
}

/// `for k in start..end { sum += x[places[k]] }`, and `sum` is stored, where each work-item has a start of its own.
fn gathering(stride: i64) -> Program {
    const I: Kind = Kind::I32;
    const L: Kind = Kind::I64;
    // 0: starts, 1: places, 2: x, 3: result, 4: work-item, 5: 0, 6: 1, 7: its start's address, 8: start, 9: address of the end, 10: end, 11: k, 12: sum,
    // 13: whether to go on, 14: k as an index, 15: address, 16: place, 17: as an index, 18: address, 19: x, 20: next sum, 21: next k, 22: address of the result.
    let kinds = [L, L, L, L, L, I, I, L, I, L, I, I, I, Kind::Bool, L, L, I, L, L, I, I, I, L];
    let presets = [
        (0, Preset::Argument(0)),
        (1, Preset::Argument(8)),
        (2, Preset::Argument(16)),
        (3, Preset::Argument(24)),
        (4, Preset::BuiltIn(BuiltIn::GlobalId(0))),
        (5, Preset::Constant(0)),
        (6, Preset::Constant(1)),
    ];
    let at = |result, base, index, scale, offset| Inst::Address {
        result: Value(result),
        base: Value(base),
        index: Value(index),
        scale,
        offset,
    };
    let load = |result, address| Inst::Load {
        kind: I,
        space: Space::Global,
        result: Value(result),
        address: Value(address),
        site: Site(8),
    };
    let add = |result, a, b| Inst::Int(IntOp::Add, I, Value(result), [Value(a), Value(b)]);
    let wide = |result, x| Inst::Convert(ConvertOp::Zext, I, L, Value(result), Value(x));
    let blocks = vec![
        Block {
            insts: vec![at(7, 0, 4, stride, 0), load(8, 7), at(9, 0, 4, stride, 4), load(10, 9)],
            terminator: Terminator::Jump(edge(1, &[(11, 8), (12, 5)])),
        },
        Block {
            insts: vec![Inst::Compare(CompareOp::ULt, I, Value(13), [Value(11), Value(10)])],
            terminator: Terminator::Branch {
                condition: Value(13),
                then: edge(2, &[]),
                otherwise: edge(3, &[]),
            },
        },
        Block {
            insts: vec![
                wide(14, 11),
                at(15, 1, 14, 4, 0),
                load(16, 15),
                wide(17, 16),
                at(18, 2, 17, 4, 0),
                load(19, 18),
                add(20, 12, 19),
                add(21, 11, 6),
            ],
            terminator: Terminator::Jump(edge(1, &[(11, 21), (12, 20)])),
        },
        Block { insts: vec![at(22, 3, 4, 4, 0), store(12, 22)], terminator: Terminator::Return },
    ];
    program(&kinds, &presets, blocks)
}

/// The same, where the sum is one of all work-items; it is known meanwhile if they go on only while it is small.
fn adding(waits: bool) -> Program {
    let mut program = gathering(4);
    let [value, all, small] = [23, 24, 25].map(Value);
    program.kinds.extend([Kind::I32, Kind::I32, Kind::Bool]);
    let atomic = |op, result| Inst::Atomic {
        op,
        kind: Kind::I32,
        space: Space::Global,
        result,
        address: Value(3),
        operands: [Value(19), Value(5)],
        site: Site(9),
    };
    let insts = &mut program.blocks[2].insts;
    insts.extend([atomic(AtomicOp::Add, value), atomic(AtomicOp::Load, all)]);
    if waits {
        insts.push(Inst::Compare(CompareOp::ULt, Kind::I32, small, [all, Value(6)]));
        let next = Edge {
            target: BlockId(1),
            moves: program.blocks[2].terminator.edges().flat_map(|edge| edge.moves.clone()).collect(),
        };
        program.blocks[2].terminator =
            Terminator::Branch { condition: small, then: next, otherwise: edge(3, &[]) };
    }
    program
}

fn picks(program: &Program) -> usize {
    program.insts().filter(|inst| matches!(inst, Inst::Pick(..))).count()
}

#[test]
fn lanes_take_turns_where_each_gathers_memory_of_its_own() {
    let improved = improve(&gathering(4), Switches::default()).unwrap();
    // Those of the start and of the end.
    assert_eq!(picks(&improved), 2);
    let flow = Flow::new(&improved).unwrap();
    assert_eq!(flow.loops.len(), 2);
    assert_eq!(flow.loops[1].parent, Some(0));
    // What is stored behind is what lanes have left the loops with.
    let Some(Inst::Store { value, .. }) = improved.blocks.last().and_then(|block| block.insts.last()) else {
        panic!("the sum is stored")
    };
    assert!(improved.blocks[1..].iter().any(|block| {
        block.terminator.edges().any(|edge| edge.moves.iter().any(|step| step.to == *value))
    }));
}

#[test]
fn lanes_stay_together_where_all_go_round_as_often_or_it_is_switched_off() {
    // The same start and end for all.
    assert_eq!(picks(&improve(&gathering(0), Switches::default()).unwrap()), 0);
    assert_eq!(picks(&improve(&gathering(4), Switches::without("serial").unwrap()).unwrap()), 0);
}

#[test]
fn lanes_take_turns_with_atomic_operations_unless_they_wait_for_each_other() {
    let picks = |waits| picks(&improve(&adding(waits), Switches::without("serial-cost").unwrap()).unwrap());
    assert!(picks(false) > 0);
    assert_eq!(picks(true), 0);
}
