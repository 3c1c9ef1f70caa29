use super::improve;
use crate::native::analyse::flow::Flow;
use crate::native::drafts::{edge, program};
use crate::native::switches::Switches;
use crate::program::{
    Block, BuiltIn, CompareOp, Inst, IntOp, Kind, Preset, Program, Site, Space, Terminator, Value,
};

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
    let insts = program.blocks.iter().flat_map(|block| &block.insts);
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
