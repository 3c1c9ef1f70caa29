//! Loops that lanes leave at different times, and in which each reads memory of its own, are gone through by one lane after the other.
//!
//! `for k in starts[row]..starts[row + 1] { sum += value[k] * x[column[k]]; }` has three gathers each time for all lanes together, as often as the lane
//! with the most passes wants. For one lane each of them is a load, and all that is computed is the same for the lanes that are here: a scalar.
//!
//! ```text
//! before                        after
//!
//! for each pass                 for each lane
//!     a part of the loop            if this is the lane
//!                                       its values to scalars
//!                                       for each pass
//!                                           a part of the loop
//!                                       its results
//!                               on to where each lane has left the loop
//! ```
//!
//! No lane waits for another in such a loop, and what they leave it for, a fault for instance, comes when all have left it, as before.

mod cost;

use super::loops::{another, body, rename};
use super::{Constants, new_value};
use crate::native::analyse::flow::{Flow, Loop};
use crate::native::analyse::liveness::Live;
use crate::native::analyse::shape::Shapes;
use crate::native::hashing::Map;
use crate::native::ids::Ids;
use crate::native::lir::Refused;
use crate::native::switches::{Switch, Switches};
use crate::program::{
    Block, BlockId, BuiltIn, CompareOp, Edge, Inst, IntOp, Kind, Move, Preset, Program, Terminator, Value,
};
use cost::Cost;

/// How many loops may be changed.
const MAX_LOOPS: usize = 8;

/// Changes the loops for which that is worth it.
pub(super) fn serialise(program: &mut Program, ids: &Ids, switches: Switches) -> Result<(), Refused> {
    // Without scalars there is nothing to be gained.
    if ![Switch::Serial, Switch::Uniform].into_iter().all(|switch| switches.has(switch)) {
        return Ok(());
    }
    for _ in 0..MAX_LOOPS {
        let flow = Flow::new(program)?;
        let candidates = candidates(program, &flow, switches);
        if candidates.is_empty() {
            break;
        }
        let live = Live::new(program, &flow)?;
        let shapes = Shapes::new(program, &flow, &live, ids, switches)?;
        let Some(plan) = Plan::find(program, &flow, &shapes, &candidates, switches) else { break };
        plan.carry_out(program, &flow, &shapes);
    }
    Ok(())
}

/// The numbers of the loops without others in them that lanes can go through one after the other, if that may be worth it.
fn candidates(program: &Program, flow: &Flow, switches: Switches) -> Vec<usize> {
    let is_innermost =
        |own: &Loop| !flow.loops.iter().any(|inner| inner != own && own.contains(inner.header));
    let may_gain = |own: Loop| cost::has_accesses(program, own) || !switches.has(Switch::SerialCost);
    let loops = flow.loops.iter().enumerate();
    let found =
        loops.filter(|&(_, own)| is_innermost(own) && may_gain(*own) && cost::can_take_turns(program, *own));
    found.map(|(index, _)| index).collect()
}

/// A loop that is going to be changed.
struct Plan {
    own: Loop,
    /// Where it is left: the block, and which of its edges.
    exits: Vec<(usize, usize)>,
    /// What it reads that is defined before and may differ between lanes, but for what its phis start with.
    given: Vec<Value>,
    /// What it defines and is read behind it, with the block that defines it.
    results: Vec<(Value, usize)>,
}

impl Plan {
    /// The first loop of these that lanes leave at different times and for which it is worth it.
    fn find(
        program: &Program,
        flow: &Flow,
        shapes: &Shapes,
        candidates: &[usize],
        switches: Switches,
    ) -> Option<Self> {
        let parting = candidates.iter().filter(|&&index| shapes.parting[index]);
        parting.map(|&index| flow.loops[index]).find_map(|own| {
            let cost = Cost::new(program, flow, shapes, own);
            let plan = Self::new(program, flow, shapes, own)?;
            let taken = plan.given.len() + phis(&program.blocks, own.header).len();
            (cost.is_less_alone(taken) || !switches.has(Switch::SerialCost)).then_some(plan)
        })
    }

    fn new(program: &Program, flow: &Flow, shapes: &Shapes, own: Loop) -> Option<Self> {
        // What stands between is of the loop, so that what it is left for stands behind it.
        let body = body(program, flow, own)?;
        if body.len() != own.latch - own.header + 1 {
            return None;
        }
        let mut home: Vec<Option<usize>> = vec![None; program.kinds.len()];
        for place in 0..program.blocks.len() {
            let block = &program.blocks[place];
            for result in block.insts.iter().filter_map(Inst::result).filter(|_| own.contains(place)) {
                home[result.0 as usize] = Some(place);
            }
            for edge in block.terminator.edges().filter(|edge| own.contains(edge.target.0 as usize)) {
                edge.moves.iter().for_each(|step| home[step.to.0 as usize] = Some(edge.target.0 as usize));
            }
        }
        let mut this = Self { own, exits: Vec::new(), given: Vec::new(), results: Vec::new() };
        for (place, block) in program.blocks.iter().enumerate() {
            let is_inside = own.contains(place);
            read_by(block, &mut |value, target| {
                let inside = home[value.0 as usize];
                match (inside, is_inside && target.is_none_or(|target| own.contains(target))) {
                    (Some(inside), false) if !this.results.contains(&(value, inside)) => {
                        this.results.push((value, inside))
                    }
                    (None, true)
                        if !this.given.contains(&value) && !shapes.is_same_in(flow, value, own.header) =>
                    {
                        this.given.push(value);
                    }
                    _ => {}
                }
            });
            if is_inside {
                let leaves = block
                    .terminator
                    .edges()
                    .enumerate()
                    .filter(|(_, edge)| !own.contains(edge.target.0 as usize));
                this.exits.extend(leaves.map(|(number, _)| (place, number)));
            }
        }
        (!this.exits.is_empty()).then_some(this)
    }

    fn carry_out(&self, program: &mut Program, flow: &Flow, shapes: &Shapes) {
        let mut maker = Maker { constants: Constants::new(program), program };
        let old = std::mem::take(&mut maker.program.blocks);
        let Self { own, exits, .. } = self;
        let (header, count) = (own.header, own.latch + 1 - own.header);
        // Where the new blocks are: what each lane starts with comes together, lanes take turns, the lane whose turn it is starts, its passes, the next lane.
        let [together, turn, start, passes] = [0, 1, 2, 3].map(|place| header + place);
        let next = passes + count;
        let ways = exits.len() - 1;
        let moved = |target: BlockId| match target.0 as usize {
            target if target < header => BlockId(target as u32),
            target if own.contains(target) => BlockId((target - header + passes) as u32),
            target => BlockId((target + 4 + ways) as u32),
        };
        let to = |place: usize, moves: Vec<Move>| Edge { target: BlockId(place as u32), moves };

        // What a lane carries: which lane it is, by which exit each has left, and the results.
        let lane = maker.value(Kind::I32);
        let [zero, one, lanes] =
            [0, 1, u64::from(maker.program.subgroup_size)].map(|number| maker.number(number));
        let own_lane = maker.lane();
        let left = [maker.value(Kind::I32), maker.value(Kind::I32)];
        let results: Vec<[Value; 2]> = self
            .results
            .iter()
            .map(|&(value, _)| [another(maker.program, value), another(maker.program, value)])
            .collect();
        let mut carried = vec![left];
        carried.extend(&results);

        // The phis of the header, of which each lane takes what it starts with.
        let phis = phis(&old, header);
        let starts: Vec<Value> = phis.iter().map(|&phi| another(maker.program, phi)).collect();
        let mut names: Map<Value, Value> = Map::default();
        let mut picked = Vec::new();
        for &value in &self.given {
            let own = maker.picked(value, lane, &mut picked);
            names.insert(value, own);
        }
        let taken: Vec<Move> = phis
            .iter()
            .zip(&starts)
            .map(|(&to, &from)| {
                let same = only_start(&old, *own, to).filter(|&from| shapes.is_same_in(flow, from, header));
                Move { to, from: same.unwrap_or_else(|| maker.picked(from, lane, &mut picked)) }
            })
            .collect();

        let mut blocks: Vec<Block> = old[..header].to_vec();
        for edge in blocks.iter_mut().flat_map(|block| block.terminator.edges_mut()) {
            if edge.target.0 as usize == header {
                edge.target = BlockId(together as u32);
                for step in &mut edge.moves {
                    let place =
                        phis.iter().position(|&phi| phi == step.to).expect("the header has these phis");
                    step.to = starts[place];
                }
            } else {
                edge.target = moved(edge.target);
            }
        }
        let mut first = vec![Move { to: lane, from: zero }];
        for &[before, _] in &carried {
            let kind = maker.program.kinds[before.0 as usize];
            first.push(Move { to: before, from: maker.constants.value(maker.program, kind, 0) });
        }
        blocks.push(Block { insts: Vec::new(), terminator: Terminator::Jump(to(turn, first)) });
        let mine = maker.value(Kind::Bool);
        blocks.push(Block {
            insts: vec![Inst::Compare(CompareOp::Eq, Kind::I32, mine, [own_lane, lane])],
            terminator: Terminator::Branch {
                condition: mine,
                then: to(start, Vec::new()),
                otherwise: to(
                    next,
                    carried.iter().map(|&[before, after]| Move { to: after, from: before }).collect(),
                ),
            },
        });
        blocks.push(Block { insts: picked, terminator: Terminator::Jump(to(passes, taken)) });
        for (place, block) in old.iter().enumerate().skip(header).take(count) {
            let mut block = block.clone();
            for (number, edge) in block.terminator.edges_mut().enumerate() {
                match exits.iter().position(|&exit| exit == (place, number)) {
                    Some(exit) => {
                        let exit = maker.number(exit as u64);
                        let mut moves = vec![Move { to: left[1], from: exit }];
                        for (&(value, home), &[before, after]) in self.results.iter().zip(&results) {
                            let from = if flow.dominates(home, place) { value } else { before };
                            moves.push(Move { to: after, from });
                        }
                        *edge = to(next, moves);
                    }
                    None => edge.target = moved(edge.target),
                }
            }
            rename(&mut block, &names);
            blocks.push(block);
        }
        // The next lane, or on to where each has left for.
        let mut leave = exits.iter().enumerate().map(|(number, &(place, edge))| {
            let edge = old[place].terminator.edges().nth(edge).expect("this is one of its edges");
            (number, Edge { target: moved(edge.target), moves: edge.moves.clone() })
        });
        let (_, last) = leave.next().expect("a loop is left somewhere");
        let others: Vec<(usize, Edge)> = leave.collect();
        let (following, goes_on) = (maker.value(Kind::I32), maker.value(Kind::Bool));
        let mut again = vec![Move { to: lane, from: following }];
        again.extend(carried.iter().map(|&[before, after]| Move { to: before, from: after }));
        let behind = next + 1;
        blocks.push(Block {
            insts: vec![
                Inst::Int(IntOp::Add, Kind::I32, following, [lane, one]),
                Inst::Compare(CompareOp::ULt, Kind::I32, goes_on, [following, lanes]),
            ],
            terminator: Terminator::Branch {
                condition: goes_on,
                then: to(turn, again),
                otherwise: if others.is_empty() { last.clone() } else { to(behind, Vec::new()) },
            },
        });
        for (place, (exit, edge)) in others.iter().enumerate() {
            let (exit, is_it) = (maker.number(*exit as u64), maker.value(Kind::Bool));
            blocks.push(Block {
                insts: vec![Inst::Compare(CompareOp::Eq, Kind::I32, is_it, [left[1], exit])],
                terminator: Terminator::Branch {
                    condition: is_it,
                    then: edge.clone(),
                    otherwise: if place + 1 < others.len() {
                        to(behind + place + 1, Vec::new())
                    } else {
                        last.clone()
                    },
                },
            });
        }
        for block in &old[own.latch + 1..] {
            let mut block = block.clone();
            block.terminator.edges_mut().for_each(|edge| edge.target = moved(edge.target));
            blocks.push(block);
        }
        // What is read outside is what the lanes have left with.
        let after: Map<Value, Value> =
            self.results.iter().zip(&results).map(|(&(value, _), &[_, after])| (value, after)).collect();
        for (place, block) in blocks.iter_mut().enumerate() {
            if !(start..next).contains(&place) {
                rename(block, &after);
            }
        }
        maker.program.blocks = blocks;
    }
}

/// Calls `visit` with each value that a block reads, and where it is the edge's the block to which that leads.
fn read_by(block: &Block, visit: &mut dyn FnMut(Value, Option<usize>)) {
    for inst in &block.insts {
        let mut inst = *inst;
        inst.visit_operands(&mut |operand| visit(*operand, None));
    }
    if let Terminator::Branch { condition, .. } = block.terminator {
        visit(condition, None);
    }
    for edge in block.terminator.edges() {
        edge.moves.iter().for_each(|step| visit(step.from, Some(edge.target.0 as usize)));
    }
}

/// The phis of the header of a loop.
fn phis(blocks: &[Block], header: usize) -> Vec<Value> {
    let mut result = Vec::new();
    for step in edges_to(blocks, header).flat_map(|(_, edge)| &edge.moves) {
        if !result.contains(&step.to) {
            result.push(step.to);
        }
    }
    result
}

/// What a phi of the header of a loop starts with, if the loop is entered on one way.
fn only_start(blocks: &[Block], own: Loop, phi: Value) -> Option<Value> {
    let mut ways = edges_to(blocks, own.header).filter(|&(from, _)| !own.contains(from));
    let (_, edge) = ways.next().filter(|_| ways.next().is_none())?;
    edge.moves.iter().find(|step| step.to == phi).map(|step| step.from)
}

fn edges_to(blocks: &[Block], target: usize) -> impl Iterator<Item = (usize, &Edge)> {
    let edges = blocks
        .iter()
        .enumerate()
        .flat_map(|(from, block)| block.terminator.edges().map(move |edge| (from, edge)));
    edges.filter(move |(_, edge)| edge.target.0 as usize == target)
}

/// Makes values.
struct Maker<'a> {
    program: &'a mut Program,
    constants: Constants,
}

impl Maker<'_> {
    fn value(&mut self, kind: Kind) -> Value {
        new_value(self.program, kind)
    }

    /// A number of 32 bits.
    fn number(&mut self, number: u64) -> Value {
        self.constants.value(self.program, Kind::I32, number)
    }

    /// The number of the lane.
    fn lane(&mut self) -> Value {
        let lane = Preset::BuiltIn(BuiltIn::SubgroupLane);
        if let Some(&(value, _)) = self.program.presets.iter().find(|(_, preset)| *preset == lane) {
            return value;
        }
        let value = self.value(Kind::I32);
        self.program.presets.push((value, lane));
        value
    }

    /// What a value is in a lane, by instructions that are added.
    fn picked(&mut self, value: Value, lane: Value, insts: &mut Vec<Inst>) -> Value {
        let kind = self.program.kinds[value.0 as usize];
        if kind != Kind::Bool {
            let result = self.value(kind);
            insts.push(Inst::Pick(kind, result, [value, lane]));
            return result;
        }
        let [number, picked] = [0; 2].map(|_| self.value(Kind::I32));
        let (result, choices) = (self.value(kind), [1, 0].map(|number| self.number(number)));
        insts.push(Inst::Select(Kind::I32, number, value, choices));
        insts.push(Inst::Pick(Kind::I32, picked, [number, lane]));
        insts.push(Inst::Compare(CompareOp::Ne, Kind::I32, result, [picked, choices[1]]));
        result
    }
}
