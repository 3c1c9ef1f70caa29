//! Copies of arrays, scalar by scalar, become loops: what comes of modules has a load and a store for each element of an array that is assigned as a whole, of
//! which programs that hand large values around can have thousands.
//!
//! A *run* is stores of one block to equal steps of memory, of what was loaded from equal steps, or of one value. Loads are executed later than before, so what is
//! stored meanwhile must be elsewhere, and nothing may fault that has not.

#[cfg(test)]
mod tests;

use super::{Constants, new_value};
use crate::native::hashing::Map;
use crate::program::{
    Block, BlockId, CompareOp, Edge, Inst, IntOp, Kind, Move, Preset, Program, Site, Space, Terminator, Value,
};

/// Programs with fewer instructions stay as they are: what is known of arrays is then found element by element.
pub(super) const LARGE: usize = 2048;
/// Shorter runs stay.
const LEAST: usize = 16;

/// An access at a known distance from a value.
#[derive(Clone, Copy)]
struct Access {
    kind: Kind,
    space: Space,
    site: Site,
    base: Value,
    distance: i64,
}

impl Access {
    /// How far the next access of a run is from this one, if it can be of one.
    fn step(self, next: Self) -> Option<i64> {
        let is_alike =
            (self.kind, self.space, self.site, self.base) == (next.kind, next.space, next.site, next.base);
        next.distance.checked_sub(self.distance).filter(|&step| is_alike && step != 0)
    }
}

/// What the stores of a run store.
#[derive(Clone, Copy)]
enum Source {
    Same(Value),
    /// What is loaded from there on, in these steps.
    Loaded(Access, i64),
}

/// A run of stores.
struct Run {
    /// The places in the block of its loads and of its stores.
    loads: Vec<usize>,
    stores: Vec<usize>,
    to: Access,
    step: i64,
    from: Source,
}

/// Makes loops of the runs of a program with more instructions than so many.
pub(super) fn roll(program: &mut Program, large: usize) {
    if program.blocks.iter().map(|block| block.insts.len()).sum::<usize>() <= large {
        return;
    }
    let mut constants = Constants::new(program);
    let finder = Finder::new(program, &constants);
    let runs: Vec<Vec<Run>> = program.blocks.iter().map(|block| finder.runs(block)).collect();
    let uses = finder.uses;
    let mut starts = Vec::with_capacity(runs.len());
    let mut count = 0;
    for runs in &runs {
        starts.push(count);
        count += 1 + 2 * runs.len() as u32;
    }
    let mut blocks = Vec::with_capacity(count as usize);
    for (mut block, runs) in std::mem::take(&mut program.blocks).into_iter().zip(&runs) {
        for edge in block.terminator.edges_mut() {
            edge.target = BlockId(starts[edge.target.0 as usize]);
        }
        take_apart(program, &mut constants, &uses, block, runs, &mut blocks);
    }
    program.blocks = blocks;
}

/// Puts a block with loops instead of its runs behind others.
fn take_apart(
    program: &mut Program,
    constants: &mut Constants,
    uses: &[u32],
    block: Block,
    runs: &[Run],
    blocks: &mut Vec<Block>,
) {
    let mut is_left_out = vec![false; block.insts.len()];
    for run in runs {
        run.stores.iter().for_each(|&place| is_left_out[place] = true);
        for &place in &run.loads {
            is_left_out[place] = block.insts[place].result().is_some_and(|load| uses[load.0 as usize] == 1);
        }
    }
    let mut done = 0;
    let mut rest = |end: usize| {
        let part = (done..end).filter(|&place| !is_left_out[place]).map(|place| block.insts[place]).collect();
        done = end;
        part
    };
    for run in runs {
        let insts = rest(run.stores[run.stores.len() - 1]);
        let number = new_value(program, Kind::I64);
        let start = constants.value(program, Kind::I64, 0);
        let body = BlockId(blocks.len() as u32 + 1);
        let enter = Edge { target: body, moves: vec![Move { to: number, from: start }] };
        blocks.push(Block { insts, terminator: Terminator::Jump(enter) });
        blocks.push(run.body(program, constants, number, body));
    }
    let insts = rest(block.insts.len());
    blocks.push(Block { insts, terminator: block.terminator });
}

impl Run {
    /// The loop, whose phi is the number of the element.
    fn body(&self, program: &mut Program, constants: &mut Constants, number: Value, own: BlockId) -> Block {
        let mut insts = Vec::with_capacity(6);
        let stored = match self.from {
            Source::Same(value) => value,
            Source::Loaded(from, step) => {
                let address = element(program, &mut insts, from, step, number);
                let result = new_value(program, from.kind);
                let Access { kind, space, site, .. } = from;
                insts.push(Inst::Load { kind, space, result, address, site });
                result
            }
        };
        let address = element(program, &mut insts, self.to, self.step, number);
        let Access { kind, space, site, .. } = self.to;
        insts.push(Inst::Store { kind, space, value: stored, address, site });
        let [one, count] =
            [1, self.stores.len() as u64].map(|bits| constants.value(program, Kind::I64, bits));
        let [next, condition] = [Kind::I64, Kind::Bool].map(|kind| new_value(program, kind));
        insts.push(Inst::Int(IntOp::Add, Kind::I64, next, [number, one]));
        insts.push(Inst::Compare(CompareOp::ULt, Kind::I64, condition, [next, count]));
        let then = Edge { target: own, moves: vec![Move { to: number, from: next }] };
        let otherwise = Edge { target: BlockId(own.0 + 1), moves: Vec::new() };
        Block { insts, terminator: Terminator::Branch { condition, then, otherwise } }
    }
}

/// The address of an element.
fn element(program: &mut Program, insts: &mut Vec<Inst>, first: Access, step: i64, number: Value) -> Value {
    let result = new_value(program, Kind::I64);
    insts.push(Inst::Address {
        result,
        base: first.base,
        index: number,
        scale: step,
        offset: first.distance,
    });
    result
}

/// Where an access leads that is not known to fail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    /// To these bytes of the work-item's own memory, which are a variable's.
    Own(i64, i64),
    Global,
    Constant,
}

impl Region {
    fn is_apart(self, other: Self) -> bool {
        match (self, other) {
            (Self::Own(start, end), Self::Own(other_start, other_end)) => {
                end <= other_start || other_end <= start
            }
            _ => self != other,
        }
    }
}

struct Finder<'a> {
    constants: &'a Constants,
    /// The variable that each preset is the address of, as the bytes of private memory.
    variables: Map<Value, (i64, i64)>,
    /// What each value is counted from, and how far it is from that.
    places: Vec<(Value, i64)>,
    /// The base of each address that is counted from another by an index.
    bases: Vec<Option<Value>>,
    uses: Vec<u32>,
}

impl<'a> Finder<'a> {
    fn new(program: &Program, constants: &'a Constants) -> Self {
        let count = program.kinds.len();
        let mut this = Self {
            constants,
            variables: Map::default(),
            places: (0..count as u32).map(|number| (Value(number), 0)).collect(),
            bases: vec![None; count],
            uses: vec![0; count],
        };
        for &(value, preset) in &program.presets {
            if let Preset::Private { start, size } = preset {
                this.variables.insert(value, (start.into(), i64::from(start) + i64::from(size)));
            }
        }
        for block in &program.blocks {
            block.insts.iter().for_each(|inst| this.note(inst));
            if let Terminator::Branch { condition, .. } = block.terminator {
                this.uses[condition.0 as usize] += 1;
            }
            for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
                this.uses[step.from.0 as usize] += 1;
            }
        }
        this
    }

    fn note(&mut self, inst: &Inst) {
        let mut copy = *inst;
        copy.visit_operands(&mut |operand| self.uses[operand.0 as usize] += 1);
        let (result, base, distance) = match *inst {
            Inst::Int(IntOp::Add, Kind::I64, result, [base, distance]) => {
                (result, base, self.constants.get(distance).map(|bits| bits as i64))
            }
            Inst::Address { result, base, index, scale, offset } => {
                let index = self.constants.get(index);
                self.bases[result.0 as usize] = Some(base);
                (result, base, index.and_then(|index| (index as i64).checked_mul(scale)?.checked_add(offset)))
            }
            _ => return,
        };
        let (base, before) = self.places[base.0 as usize];
        if let Some(distance) = distance.and_then(|distance| distance.checked_add(before)) {
            self.places[result.0 as usize] = (base, distance);
        }
    }

    /// The access of an instruction, and what it stores.
    fn access(&self, inst: &Inst) -> Option<(Access, Option<Value>)> {
        let (kind, space, address, site, value) = match *inst {
            Inst::Load { kind, space, address, site, .. } => (kind, space, address, site, None),
            Inst::Store { kind, space, address, site, value } => (kind, space, address, site, Some(value)),
            _ => return None,
        };
        let (base, distance) = self.places[address.0 as usize];
        Some((Access { kind, space, site, base, distance }, value))
    }

    /// Whether an access is to memory of a variable that it is counted from, and cannot fail.
    fn is_within(&self, access: Access) -> bool {
        let end = access.distance.checked_add(access.kind.size().into());
        self.variables.get(&access.base).is_some_and(|&(start, variable_end)| {
            access.space == Space::Private
                && access.distance >= 0
                && end.is_some_and(|end| end <= variable_end - start)
        })
    }

    /// Where an access leads; none if that is not known.
    fn region(&self, access: Access) -> Option<Region> {
        match access.space {
            Space::Global => Some(Region::Global),
            Space::Constant => Some(Region::Constant),
            Space::Private => {
                // What is counted from a variable stays in it.
                let mut at = access.base;
                loop {
                    if let Some(&(start, end)) = self.variables.get(&at) {
                        return Some(Region::Own(start, end));
                    }
                    let base = self.bases[at.0 as usize]?;
                    at = self.places[base.0 as usize].0;
                }
            }
            _ => None,
        }
    }

    /// The runs of a block, in their order.
    fn runs(&self, block: &Block) -> Vec<Run> {
        let mut loads: Map<Value, usize> = Map::default();
        for (place, inst) in block.insts.iter().enumerate() {
            if let Inst::Load { result, .. } = *inst {
                loads.insert(result, place);
            }
        }
        let mut result = Vec::new();
        let mut place = 0;
        while place < block.insts.len() {
            match self.run(block, &loads, place).filter(|run| self.may_roll(block, run)) {
                Some(run) => {
                    place = run.stores[run.stores.len() - 1] + 1;
                    result.push(run);
                }
                None => place += 1,
            }
        }
        result
    }

    /// The longest run that starts with the store at a place.
    fn run(&self, block: &Block, loads: &Map<Value, usize>, start: usize) -> Option<Run> {
        let store = |place: usize| match self.access(&block.insts[place])? {
            (to, Some(value)) => Some((to, value)),
            _ => None,
        };
        let load = |value: &Value| {
            let place = *loads.get(value)?;
            Some((place, self.access(&block.insts[place])?.0))
        };
        let (to, value) = store(start)?;
        let mut later = (start + 1..block.insts.len()).filter(|&place| !block.insts[place].is_pure());
        let mut run = Run { loads: vec![], stores: vec![start], to, step: 0, from: Source::Same(value) };
        let mut last = (to, load(&value));
        loop {
            let next = later.next().and_then(|place| Some((place, store(place)?)));
            let Some((place, (to, value))) = next else { break };
            let Some(step) = last.0.step(to).filter(|&step| run.step == 0 || step == run.step) else { break };
            let loaded = load(&value);
            let from_step = match (last.1, loaded) {
                (Some((before, from)), Some((own, next))) if before < own => from.step(next),
                _ => None,
            };
            match run.from {
                Source::Same(same) if same == value => {}
                Source::Same(_) if run.step == 0 => {
                    let (Some((first, from)), Some(step)) = (last.1, from_step) else { break };
                    run.from = Source::Loaded(from, step);
                    run.loads.push(first);
                }
                Source::Loaded(_, step) if from_step == Some(step) => {}
                _ => break,
            }
            if let (Source::Loaded(..), Some((own, _))) = (run.from, loaded) {
                run.loads.push(own);
            }
            run.step = step;
            run.stores.push(place);
            last = (to, loaded);
        }
        (run.stores.len() >= LEAST).then_some(run)
    }

    /// Whether loads may be executed later, between the stores.
    fn may_roll(&self, block: &Block, run: &Run) -> bool {
        let Source::Loaded(from, _) = run.from else { return true };
        let Some(region) = self.region(from) else { return false };
        let (first, last) = (run.loads[0], run.stores[run.stores.len() - 1]);
        let accesses = |places: &[usize]| {
            places.iter().all(|&place| {
                self.access(&block.insts[place]).is_some_and(|(access, _)| self.is_within(access))
            })
        };
        let (loads_stay, stores_stay) = (accesses(&run.loads), accesses(&run.stores));
        block.insts[first..=last].iter().enumerate().all(|(place, inst)| {
            let place = first + place;
            if inst.is_pure() || run.loads.binary_search(&place).is_ok() {
                return true;
            }
            let is_own = run.stores.binary_search(&place).is_ok();
            let Some((access, value)) = self.access(inst) else { return false };
            let is_apart = value.is_none() || self.region(access).is_some_and(|other| other.is_apart(region));
            is_apart && (loads_stay || (is_own && stores_stay) || self.is_within(access))
        })
    }
}
