use crate::native::improve::tests::improve;
use crate::native::switches::Switches;
use crate::program::drafts::{edge, program};
use crate::program::{Block, CompareOp, Inst, IntOp, Kind, Preset, Program, Site, Space, Terminator, Value};

// What the programs below have in common: 0 is the address of results, 1 a number, 2 and 3 variables of 16 bytes, 4 and 5 the constants 0 and 1, 6 a
// number of 64 bits.
const KINDS: [Kind; 7] = [Kind::I64, Kind::I32, Kind::I64, Kind::I64, Kind::I32, Kind::I32, Kind::I64];
const PRESETS: [(u32, Preset); 7] = [
    (0, Preset::Argument(0)),
    (1, Preset::Argument(8)),
    (2, Preset::Private { start: 0, size: 16 }),
    (3, Preset::Private { start: 16, size: 16 }),
    (4, Preset::Constant(0)),
    (5, Preset::Constant(1)),
    (6, Preset::Argument(16)),
];

fn improved(kinds: &[Kind], blocks: Vec<Block>) -> Program {
    let kinds: Vec<Kind> = KINDS.iter().chain(kinds).copied().collect();
    let program = Program { private_bytes: 32, ..program(&kinds, &PRESETS, blocks) };
    improve(&program, Switches::default()).unwrap()
}

fn straight(kinds: &[Kind], insts: &[Inst]) -> Program {
    improved(kinds, vec![Block { insts: insts.to_vec(), terminator: Terminator::Return }])
}

fn at(result: u32, base: u32, offset: i64) -> Inst {
    let (result, base, index) = (Value(result), Value(base), Value(4));
    Inst::Address { result, base, index, scale: 0, offset }
}

fn load(kind: Kind, result: u32, address: u32) -> Inst {
    let (result, address) = (Value(result), Value(address));
    Inst::Load { kind, space: Space::Private, result, address, site: Site(1) }
}

fn store(kind: Kind, value: u32, address: u32) -> Inst {
    let (value, address) = (Value(value), Value(address));
    Inst::Store { kind, space: Space::Private, value, address, site: Site(2) }
}

fn give(kind: Kind, value: u32) -> Inst {
    let (value, address) = (Value(value), Value(0));
    Inst::Store { kind, space: Space::Global, value, address, site: Site(3) }
}

/// The value that is stored to the address of results.
fn given(program: &Program) -> Value {
    let mut insts = program.insts();
    let value = insts.find_map(|inst| match *inst {
        Inst::Store { space: Space::Global, value, .. } => Some(value),
        _ => None,
    });
    value.unwrap()
}

/// The accesses that are left of private memory.
fn accesses(program: &Program) -> usize {
    let is_access = |inst: &&Inst| {
        matches!(inst, Inst::Load { space: Space::Private, .. } | Inst::Store { space: Space::Private, .. })
    };
    program.insts().filter(is_access).count()
}

#[test]
fn what_was_stored_is_the_value_of_a_load() {
    let insts = [at(7, 2, 4), store(Kind::I32, 1, 7), at(8, 2, 4), load(Kind::I32, 9, 8), give(Kind::I32, 9)];
    let program = straight(&[Kind::I64, Kind::I64, Kind::I32], &insts);
    assert_eq!((accesses(&program), given(&program)), (0, Value(1)));
}

#[test]
fn what_was_never_stored_is_zero() {
    let program = straight(&[Kind::I32], &[load(Kind::I32, 7, 2), give(Kind::I32, 7)]);
    assert!(program.presets.contains(&(given(&program), Preset::Constant(0))));
}

#[test]
fn a_boolean_is_read_as_a_byte() {
    let insts = [
        Inst::Compare(CompareOp::Eq, Kind::I32, Value(7), [Value(1), Value(5)]),
        store(Kind::Bool, 7, 2),
        load(Kind::I8, 8, 2),
        give(Kind::I8, 8),
    ];
    let program = straight(&[Kind::Bool, Kind::I8], &insts);
    assert_eq!(accesses(&program), 0);
    let is_choice = |inst: &Inst| matches!(*inst, Inst::Select(Kind::I8, result, Value(7), _) if result == given(&program));
    assert!(program.blocks[0].insts.iter().any(is_choice));
}

#[test]
fn a_variable_at_unknown_places_stays_and_no_other() {
    let unknown = Inst::Address { result: Value(7), base: Value(2), index: Value(6), scale: 4, offset: 0 };
    let insts = [
        unknown,
        store(Kind::I32, 1, 2),
        store(Kind::I32, 1, 3),
        load(Kind::I32, 8, 7),
        load(Kind::I32, 9, 3),
        Inst::Int(IntOp::Add, Kind::I32, Value(10), [Value(8), Value(9)]),
        give(Kind::I32, 10),
    ];
    let program = straight(&[Kind::I64, Kind::I32, Kind::I32, Kind::I32], &insts);
    assert_eq!(accesses(&program), 2);
}

#[test]
fn bytes_that_are_read_in_two_ways_stay() {
    let insts = [
        store(Kind::I64, 6, 2),
        at(7, 2, 4),
        load(Kind::I32, 8, 7),
        at(9, 2, 8),
        store(Kind::I32, 8, 9),
        load(Kind::I32, 10, 9),
        give(Kind::I32, 10),
    ];
    let program = straight(&[Kind::I64, Kind::I32, Kind::I64, Kind::I32], &insts);
    // The word behind them is a cell.
    assert_eq!((accesses(&program), given(&program)), (2, Value(8)));
}

#[test]
fn an_address_that_is_kept_keeps_its_variable() {
    let insts = [store(Kind::I32, 1, 2), give(Kind::I64, 2), load(Kind::I32, 7, 2), give(Kind::I32, 7)];
    assert_eq!(accesses(&straight(&[Kind::I32], &insts)), 2);
}

#[test]
fn what_is_outside_of_its_variable_stays() {
    let insts = [at(7, 2, 16), store(Kind::I32, 1, 3), load(Kind::I32, 8, 7), give(Kind::I32, 8)];
    let program = straight(&[Kind::I64, Kind::I32], &insts);
    assert!(matches!(program.blocks[0].insts[..], [_, Inst::Load { space: Space::Private, .. }, _]));
}

#[test]
fn loops_carry_what_they_add_up() {
    // `while sum < x { sum += x }`, with the sum in memory.
    let int = |result: u32, a, b| Inst::Int(IntOp::Add, Kind::I32, Value(result), [Value(a), Value(b)]);
    let block = |insts: &[Inst], terminator| Block { insts: insts.to_vec(), terminator };
    let below = Inst::Compare(CompareOp::ULt, Kind::I32, Value(8), [Value(7), Value(1)]);
    let branch =
        Terminator::Branch { condition: Value(8), then: edge(2, &[]), otherwise: edge(3, &[(11, 7)]) };
    let blocks = vec![
        block(&[store(Kind::I32, 5, 3)], Terminator::Jump(edge(1, &[]))),
        block(&[load(Kind::I32, 7, 3), below], branch),
        block(
            &[load(Kind::I32, 9, 3), int(10, 9, 1), store(Kind::I32, 10, 3)],
            Terminator::Jump(edge(1, &[])),
        ),
        block(&[give(Kind::I32, 11)], Terminator::Return),
    ];
    let program = improved(&[Kind::I32, Kind::Bool, Kind::I32, Kind::I32, Kind::I32], blocks);
    assert_eq!(accesses(&program), 0);
    let phis: Vec<_> = program.blocks.iter().flat_map(|block| block.terminator.edges()).collect();
    let into_loop = phis.iter().filter(|edge| edge.target.0 == 1 && edge.moves.len() == 1).count();
    assert_eq!((into_loop, given(&program)), (2, phis[0].moves[0].to));
}
