//! Short loops whose number of passes is known become straight code.

use super::{Constants, constants};
use crate::native::analyse::flow::{Flow, Loop};
use crate::native::hashing::Map;
use crate::program::{Block, BlockId, Inst, Kind, MathOp, Move, Program, Terminator, Value};

/// The most passes of a loop that is unrolled, and the most instructions that may come of it.
const MAX_PASSES: usize = 64;
const MAX_INSTRUCTIONS: usize = 768;
/// The most instructions of the whole program.
const MAX_PROGRAM: usize = 3072;
/// How many loops may be unrolled.
const MAX_LOOPS: usize = 64;

/// Unrolls loops, the inner ones first; says whether there were any.
pub(super) fn unroll(program: &mut Program) -> bool {
    let mut changed = false;
    let mut refused = Vec::new();
    for _ in 0..MAX_LOOPS {
        let Ok(flow) = Flow::new(program) else { break };
        let mut constants = Constants::new(program);
        let mut is_outer = vec![false; flow.loops.len()];
        flow.loops.iter().filter_map(|own| own.parent).for_each(|parent| is_outer[parent] = true);
        let inner = (0..flow.loops.len()).rev().filter(|&index| !is_outer[index]);
        let mut found = None;
        for index in inner {
            let own = flow.loops[index];
            // The phis of the header tell a loop from others, wherever its blocks come to be.
            let name = name(program, own);
            if refused.contains(&name) {
                continue;
            }
            match plan(program, &flow, own, &mut constants) {
                Some(plan) => {
                    found = Some(plan);
                    break;
                }
                None => refused.push(name),
            }
        }
        let Some(plan) = found else { break };
        plan.carry_out(program);
        changed = true;
    }
    changed
}

fn name(program: &Program, own: Loop) -> Option<Value> {
    let back = program.blocks[own.latch].terminator.edges().find(|edge| edge.target.0 as usize == own.header);
    back.and_then(|edge| edge.moves.first()).map(|step| step.to)
}

/// A loop that is going to be unrolled.
struct Plan {
    own: Loop,
    /// Its blocks, in their order.
    body: Vec<usize>,
    /// The block that decides whether there is another pass, and the branch that does.
    decides: usize,
    /// The number of decisions to stay.
    passes: usize,
}

/// How to unroll a loop, if that is possible and worth it.
fn plan(program: &Program, flow: &Flow, own: Loop, constants: &mut Constants) -> Option<Plan> {
    let body = body(program, flow, own)?;
    let is_inside = |block: BlockId| body.binary_search(&(block.0 as usize)).is_ok();
    let leaves = |block: usize| program.blocks[block].terminator.edges().any(|edge| !is_inside(edge.target));
    let mut exits = body.iter().copied().filter(|&block| leaves(block));
    let decides = exits.next()?;
    if exits.next().is_some() || (decides != own.header && decides != own.latch) {
        return None;
    }
    let Terminator::Branch { condition, then, otherwise } = &program.blocks[decides].terminator else {
        return None;
    };
    if is_inside(then.target) == is_inside(otherwise.target) {
        return None;
    }
    let stays = is_inside(then.target);
    let size_of = |block: usize| program.blocks[block].insts.iter().map(weight).sum::<usize>() + 1;
    let size: usize = body.iter().map(|&block| size_of(block)).sum();
    if 2 * size > MAX_INSTRUCTIONS {
        return None;
    }
    let total: usize = program.blocks.iter().map(|block| block.insts.len()).sum();
    // What the loop starts with.
    let mut known: Map<Value, u64> = Map::default();
    let mut unknown: Vec<Value> = Vec::new();
    for &from in flow.preds[own.header].iter().filter(|&&from| from != own.latch) {
        for edge in
            program.blocks[from].terminator.edges().filter(|edge| edge.target.0 as usize == own.header)
        {
            for step in &edge.moves {
                match constants.get(step.from) {
                    Some(bits) if known.get(&step.to).is_none_or(|&other| other == bits) => {
                        known.insert(step.to, bits);
                    }
                    _ => unknown.push(step.to),
                }
            }
        }
    }
    unknown.iter().for_each(|phi| {
        known.remove(phi);
    });
    let counts: Vec<(&Inst, Value)> = relevant(program, &body, *condition);
    let mut passes = 0;
    loop {
        let mut now = known.clone();
        for (inst, result) in &counts {
            let mut operands = Vec::with_capacity(3);
            let mut copy = **inst;
            copy.visit_operands(|operand| {
                operands.extend(now.get(operand).copied().or_else(|| constants.get(*operand)));
            });
            if let Some(bits) = constants::result(inst, &operands) {
                now.insert(*result, bits);
            }
        }
        if (*now.get(condition)? != 0) != stays {
            break;
        }
        passes += 1;
        let grown = (passes + 1) * size;
        if passes > MAX_PASSES || grown > MAX_INSTRUCTIONS || total + grown > MAX_PROGRAM {
            return None;
        }
        let back =
            program.blocks[own.latch].terminator.edges().find(|edge| edge.target.0 as usize == own.header)?;
        known = back
            .moves
            .iter()
            .filter_map(|step| {
                let bits = now.get(&step.from).copied().or_else(|| constants.get(step.from))?;
                Some((step.to, bits))
            })
            .collect();
    }
    Some(Plan { own, body, decides, passes })
}

/// The instructions of a loop on which a condition may depend, in their order.
fn relevant<'a>(program: &'a Program, body: &[usize], condition: Value) -> Vec<(&'a Inst, Value)> {
    let mut needed = std::collections::HashSet::from([condition]);
    let mut result = Vec::new();
    let back =
        body.iter().flat_map(|&block| program.blocks[block].terminator.edges()).flat_map(|edge| &edge.moves);
    let moves: Vec<&Move> = back.collect();
    // What one pass needs the one before has made: until there is no more of it.
    loop {
        let before = needed.len();
        for inst in body.iter().rev().flat_map(|&block| program.blocks[block].insts.iter().rev()) {
            if inst.result().is_some_and(|result| needed.contains(&result)) {
                let mut copy = *inst;
                copy.visit_operands(|operand| {
                    needed.insert(*operand);
                });
            }
        }
        for step in &moves {
            if needed.contains(&step.to) {
                needed.insert(step.from);
            }
        }
        if needed.len() == before {
            break;
        }
    }
    for inst in body.iter().flat_map(|&block| &program.blocks[block].insts) {
        if let Some(value) = inst.result().filter(|value| inst.is_pure() && needed.contains(value)) {
            result.push((inst, value));
        }
    }
    result
}

/// The blocks of a loop; none if it stops at barriers or ends the kernel.
fn body(program: &Program, flow: &Flow, own: Loop) -> Option<Vec<usize>> {
    let mut inside = vec![false; own.latch - own.header + 1];
    let mut work = vec![own.latch];
    inside[0] = true;
    while let Some(block) = work.pop() {
        let place = block.checked_sub(own.header)?;
        if !std::mem::replace(inside.get_mut(place)?, true) {
            work.extend(flow.preds[block].iter().copied());
        }
    }
    let body: Vec<usize> = (own.header..=own.latch).filter(|block| inside[block - own.header]).collect();
    let ends = |&block: &usize| {
        matches!(
            program.blocks[block].terminator,
            Terminator::Barrier { .. } | Terminator::Return | Terminator::Unreachable(_)
        )
    };
    (!body.iter().any(ends)).then_some(body)
}

impl Plan {
    fn carry_out(&self, program: &mut Program) {
        let old = std::mem::take(&mut program.blocks);
        let is_inside = |block: BlockId| self.body.binary_search(&(block.0 as usize)).is_ok();
        let (header, latch) = (self.own.header, self.own.latch);
        // Where the blocks come to be: those before, the passes, those between that are not of the loop, and those behind.
        let last = if self.decides == header { 1 } else { self.body.len() };
        let copies = self.passes * self.body.len() + last;
        let mut place = vec![0; old.len()];
        let mut between = header + copies;
        for (block, place) in place.iter_mut().enumerate() {
            *place = match block {
                _ if block < header => block,
                _ if block <= latch && is_inside(BlockId(block as u32)) => header,
                _ => {
                    between += 1;
                    between - 1
                }
            };
        }
        let moved = |target: BlockId| BlockId(place[target.0 as usize] as u32);
        let mut blocks: Vec<Block> = Vec::with_capacity(between);
        blocks.extend_from_slice(&old[..header]);
        let mut names: Map<Value, Value> = Map::default();
        for pass in 0..=self.passes {
            if pass > 0 {
                names = self.next_names(program, &old, &names);
            }
            let count = if pass == self.passes { last } else { self.body.len() };
            for &block in &self.body[..count] {
                let mut copy = old[block].clone();
                if block == self.decides {
                    self.decide(&mut copy, pass);
                }
                rename(&mut copy, &names);
                self.connect(&mut copy, pass, moved);
                blocks.push(copy);
            }
        }
        for (block, data) in old.iter().enumerate().skip(header) {
            if block <= latch && is_inside(BlockId(block as u32)) {
                continue;
            }
            let mut data = data.clone();
            rename(&mut data, &names);
            data.terminator.edges_mut().for_each(|edge| edge.target = moved(edge.target));
            blocks.push(data);
        }
        for edge in blocks[..header].iter_mut().flat_map(|block| block.terminator.edges_mut()) {
            edge.target = moved(edge.target);
        }
        program.blocks = blocks;
    }

    /// The names of the values of a pass, by those of the one before: what the phis of the header stand for, and new ones for all others.
    fn next_names(
        &self,
        program: &mut Program,
        old: &[Block],
        names: &Map<Value, Value>,
    ) -> Map<Value, Value> {
        let header = BlockId(self.own.header as u32);
        let mut result = Map::default();
        for edge in self.body.iter().flat_map(|&block| old[block].terminator.edges()) {
            for step in &edge.moves {
                if edge.target == header {
                    result.insert(step.to, names.get(&step.from).copied().unwrap_or(step.from));
                } else if self.body.binary_search(&(edge.target.0 as usize)).is_ok() {
                    result.entry(step.to).or_insert_with(|| another(program, step.to));
                }
            }
        }
        let results = self.body.iter().flat_map(|&block| &old[block].insts).filter_map(Inst::result);
        for value in results {
            result.insert(value, another(program, value));
        }
        result
    }

    /// Leaves of the branch that decides what it decides in a pass.
    fn decide(&self, block: &mut Block, pass: usize) {
        let Terminator::Branch { then, otherwise, .. } = &block.terminator else { return };
        let goes_on = self.body.binary_search(&(then.target.0 as usize)).is_ok();
        let edge = if goes_on == (pass < self.passes) { then } else { otherwise };
        block.terminator = Terminator::Jump(edge.clone());
    }

    /// Leads the edges of a block of a pass to where it goes on.
    fn connect(&self, block: &mut Block, pass: usize, moved: impl Fn(BlockId) -> BlockId) {
        for edge in block.terminator.edges_mut() {
            let start = self.own.header + pass * self.body.len();
            edge.target = match self.body.binary_search(&(edge.target.0 as usize)) {
                Ok(0) => {
                    edge.moves.clear();
                    BlockId((start + self.body.len()) as u32)
                }
                Ok(index) => BlockId((start + index) as u32),
                Err(_) => moved(edge.target),
            };
        }
    }
}

/// A new value of the kind of another one.
fn another(program: &mut Program, value: Value) -> Value {
    program.kinds.push(program.kinds[value.0 as usize]);
    Value(program.kinds.len() as u32 - 1)
}

/// Replaces what a block reads and what it defines.
fn rename(block: &mut Block, names: &Map<Value, Value>) {
    let name = |value: &mut Value| {
        if let Some(new) = names.get(value) {
            *value = *new;
        }
    };
    for inst in &mut block.insts {
        inst.visit_operands(name);
        inst.result_mut().into_iter().for_each(name);
    }
    if let Terminator::Branch { condition, .. } = &mut block.terminator {
        name(condition);
    }
    for step in block.terminator.edges_mut().flat_map(|edge| &mut edge.moves) {
        name(&mut step.from);
        name(&mut step.to);
    }
}

/// How many instructions one of the program counts for: functions become many, of which a kernel can have so many only.
fn weight(inst: &Inst) -> usize {
    use MathOp as M;
    match *inst {
        Inst::Math(
            M::Neg
            | M::Abs
            | M::Sqrt
            | M::Recip
            | M::Rint
            | M::Floor
            | M::Ceil
            | M::Trunc
            | M::Copysign
            | M::Fma
            | M::Mad
            | M::Mix
            | M::Fmin
            | M::Fmax
            | M::Clamp,
            ..,
        ) => 1,
        Inst::Math(_, Kind::F64, ..) | Inst::Pown(Kind::F64, ..) | Inst::Rootn(Kind::F64, ..) => 200,
        Inst::Math(..) | Inst::Pown(..) | Inst::Rootn(..) => 50,
        _ => 1,
    }
}
