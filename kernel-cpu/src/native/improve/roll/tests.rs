use super::roll;
use crate::native::analyse::flow::Flow;
use crate::program::drafts::program;
use crate::program::{Block, Inst, IntOp, Kind, Preset, Program, Site, Space, Terminator, Value};

const COUNT: u32 = 20;
const FROM: Preset = Preset::Private { start: 0, size: COUNT };
const TO: Preset = Preset::Private { start: COUNT, size: COUNT };

/// `to = from`, for arrays of bytes: all loads, what is between, and all stores, which store this in the end.
fn copies(from: (Preset, Space), to: Preset, between: &[Inst], last: Option<u32>) -> Program {
    // 0: to, 1: from, 2: an argument, then the distances, and three values an element: its two addresses, and itself.
    let mut kinds = vec![Kind::I64; 3 + COUNT as usize];
    let mut presets = vec![(0, to), (1, from.0), (2, Preset::Argument(8))];
    presets.extend((0..COUNT).map(|distance| (3 + distance, Preset::Constant(distance.into()))));
    let own = |number: u32, which: u32| Value(3 + COUNT + 3 * number + which);
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    for number in 0..COUNT {
        kinds.extend([Kind::I64, Kind::I64, Kind::I8]);
        let (distance, kind) = (Value(3 + number), Kind::I8);
        let add = |which, base| Inst::Int(IntOp::Add, Kind::I64, own(number, which), [Value(base), distance]);
        let (result, address) = (own(number, 2), own(number, 1));
        loads.extend([add(1, 1), Inst::Load { kind, space: from.1, result, address, site: Site(1) }]);
        let value = if number + 1 == COUNT { last.map_or(result, |last| own(last, 2)) } else { result };
        let (space, address) = (Space::Private, own(number, 0));
        stores.extend([add(0, 0), Inst::Store { kind, space, value, address, site: Site(2) }]);
    }
    let insts = [&loads[..], between, &stores[..]].concat();
    let blocks = vec![Block { insts, terminator: Terminator::Return }];
    Program { private_bytes: 2 * COUNT, ..program(&kinds, &presets, blocks) }
}

/// How many loops come of a program, and how many stores are left.
fn rolled(mut program: Program) -> (usize, usize) {
    roll(&mut program, 0);
    let flow = Flow::new(&program).unwrap();
    let insts = program.insts();
    (flow.loops.len(), insts.filter(|inst| matches!(inst, Inst::Store { .. })).count())
}

fn store(space: Space, address: u32) -> Inst {
    Inst::Store { kind: Kind::I8, space, value: Value(2), address: Value(address), site: Site(3) }
}

#[test]
fn copies_of_arrays_become_loops() {
    assert_eq!(rolled(copies((FROM, Space::Private), TO, &[], None)), (1, 1));
    // What cannot change or fail is loaded as well later.
    let between = [store(Space::Global, 2)];
    assert_eq!(rolled(copies((FROM, Space::Private), TO, &between, None)), (1, 2));
    assert_eq!(rolled(copies((Preset::Argument(0), Space::Global), TO, &[], None)), (1, 1));
}

#[test]
fn what_is_stored_otherwise_than_the_rest_is_not_of_the_run() {
    assert_eq!(rolled(copies((FROM, Space::Private), TO, &[], Some(3))), (1, 2));
}

#[test]
fn small_programs_stay() {
    let mut program = copies((FROM, Space::Private), TO, &[], None);
    let count = program.blocks[0].insts.len();
    roll(&mut program, count);
    assert_eq!(program.blocks.len(), 1);
}

#[test]
fn what_may_be_stored_meanwhile_is_loaded_before() {
    let overlapping = Preset::Private { start: COUNT - 1, size: COUNT };
    assert_eq!(rolled(copies((FROM, Space::Private), overlapping, &[], None)), (0, 20));
    let between = [store(Space::Private, 1)];
    assert_eq!(rolled(copies((FROM, Space::Private), TO, &between, None)), (0, 21));
}

#[test]
fn faults_come_in_their_order() {
    // A store between may fault, and so may the loads.
    let between = [store(Space::Global, 2)];
    assert_eq!(rolled(copies((Preset::Argument(0), Space::Constant), TO, &between, None)), (0, 21));
    // So do the stores where their memory is shorter.
    let short = Preset::Private { start: COUNT, size: COUNT - 1 };
    assert_eq!(rolled(copies((Preset::Argument(0), Space::Global), short, &[], None)), (0, 20));
}
