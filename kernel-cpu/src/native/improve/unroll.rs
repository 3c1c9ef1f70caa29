//! Short loops whose number of passes is known become straight code.

use super::Constants;
use super::loops::{another, body, needed, rename, weight};
use crate::native::analyse::flow::{Flow, Loop};
use crate::native::hashing::Map;
use crate::program::constants;
use crate::program::{Block, BlockId, Edge, Inst, Program, Space, Terminator, Value};
use std::collections::HashSet;

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
        let mut found = None;
        for index in (0..flow.loops.len()).rev() {
            let own = flow.loops[index];
            // The phis of the header tell a loop from others, wherever its blocks come to be.
            let name = name(program, own);
            if refused.contains(&name) {
                continue;
            }
            let plan = plan(program, &flow, own, &mut constants);
            match plan.filter(|_| !is_outer[index] || bounds_others(program, &flow, own)) {
                Some(plan) => {
                    found = Some((plan, is_outer[index]));
                    break;
                }
                None => refused.push(name),
            }
        }
        let Some((plan, is_outer)) = found else { break };
        plan.carry_out(program);
        changed = true;
        if is_outer {
            // How often those inside are gone round is a constant only when it has been computed.
            break;
        }
    }
    changed
}

/// Whether what a loop counts decides how often another one inside of it is gone round.
fn bounds_others(program: &Program, flow: &Flow, own: Loop) -> bool {
    let inner = flow.loops.iter().filter(|inner| **inner != own && own.contains(inner.header));
    let counted = counted(program, own);
    inner.copied().any(|inner| {
        let Some(body) = body(program, flow, inner) else { return false };
        let leaves = |edge: &Edge| body.binary_search(&(edge.target.0 as usize)).is_err();
        body.iter().any(|&block| match &program.blocks[block].terminator {
            Terminator::Branch { condition, then, otherwise } if leaves(then) || leaves(otherwise) => {
                needed(program, &body, *condition).iter().any(|value| counted.contains(value))
            }
            _ => false,
        })
    })
}

/// What the phis of the header of a loop are, and what is made of them by its instructions.
fn counted(program: &Program, own: Loop) -> HashSet<Value> {
    let header = BlockId(own.header as u32);
    let edges = program.blocks[own.latch].terminator.edges().filter(|edge| edge.target == header);
    let mut result: HashSet<Value> = edges.flat_map(|edge| &edge.moves).map(|step| step.to).collect();
    for block in &program.blocks[own.header..=own.latch] {
        for inst in block.insts.iter().filter(|inst| inst.is_pure()) {
            if inst.any_operand(|operand| result.contains(&operand)) {
                result.extend(inst.result());
            }
        }
        for step in block.terminator.edges().filter(|edge| edge.target != header).flat_map(|edge| &edge.moves)
        {
            if result.contains(&step.from) {
                result.insert(step.to);
            }
        }
    }
    result
}

fn name(program: &Program, own: Loop) -> Option<Value> {
    let back = program.blocks[own.latch].terminator.edges().find(|edge| edge.target.0 as usize == own.header);
    back.and_then(|edge| edge.moves.first()).map(|step| step.to)
}

/// A loop that is going to be unrolled.
struct Plan {
    own: Loop,
    /// Its blocks, and those to which it is left otherwise than in the end, in their order.
    body: Vec<usize>,
    /// The block that decides whether there is another pass, and the branch that does.
    decides: usize,
    /// The number of decisions to stay.
    passes: usize,
}

/// How to unroll a loop, if that is possible and worth it.
fn plan(program: &Program, flow: &Flow, own: Loop, constants: &mut Constants) -> Option<Plan> {
    let mut body = body(program, flow, own)?;
    let is_inside = |block: BlockId| body.binary_search(&(block.0 as usize)).is_ok();
    let leaves = |block: usize| program.blocks[block].terminator.edges().any(|edge| !is_inside(edge.target));
    let decides = if leaves(own.header) { own.header } else { own.latch };
    let others = body.iter().copied().filter(|&block| block != decides && leaves(block)).collect::<Vec<_>>();
    let aside = aside(program, flow, &body, &others)?;
    // Checks may stay, as many as there are passes, so that this is for arrays of the work-item's own alone: their places are known then.
    if !others.is_empty() {
        let counted = counted(program, own);
        if !body.iter().any(|&block| accesses_own(&program.blocks[block], &counted)) {
            return None;
        }
    }
    let Terminator::Branch { condition, then, otherwise } = &program.blocks[decides].terminator else {
        return None;
    };
    if is_inside(then.target) == is_inside(otherwise.target) {
        return None;
    }
    let stays = is_inside(then.target);
    let counts: Vec<(&Inst, Value)> = relevant(program, &body, *condition);
    body.extend(aside);
    body.sort_unstable();
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
    let mut passes = 0;
    loop {
        let mut now = known.clone();
        for (inst, result) in &counts {
            let mut operands = Vec::with_capacity(3);
            let mut copy = **inst;
            copy.visit_operands(&mut |operand| {
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

/// Whether a block accesses memory of the work-item's own at some of these addresses.
fn accesses_own(block: &Block, addresses: &HashSet<Value>) -> bool {
    block.insts.iter().any(|inst| match inst {
        Inst::Load { space: Space::Private, address, .. }
        | Inst::Store { space: Space::Private, address, .. } => addresses.contains(address),
        _ => false,
    })
}

/// The blocks to which a loop is left otherwise than in the end, as for a fault: each pass has them for itself, so that what follows them
/// must not read what the loop has made.
fn aside(program: &Program, flow: &Flow, body: &[usize], from: &[usize]) -> Option<Vec<usize>> {
    let is_inside = |block: usize| body.binary_search(&block).is_ok();
    let mut result: Vec<usize> = Vec::new();
    for &block in from {
        for to in program.blocks[block].terminator.edges().map(|edge| edge.target.0 as usize) {
            if !is_inside(to) {
                let is_jump = matches!(program.blocks[to].terminator, Terminator::Jump(_));
                if flow.preds[to] != [block] || !is_jump || to < body[0] {
                    return None;
                }
                result.push(to);
            }
        }
    }
    let copied = || body.iter().chain(&result).map(|&block| &program.blocks[block]);
    let results = copied().flat_map(|block| block.insts.iter().filter_map(Inst::result));
    let edges = copied().flat_map(|block| block.terminator.edges());
    let is_copied = |block: usize| is_inside(block) || result.contains(&block);
    let phis = edges.filter(|edge| is_copied(edge.target.0 as usize)).flat_map(|edge| &edge.moves);
    let made: HashSet<Value> = results.chain(phis.map(|step| step.to)).collect();
    let mut seen = vec![false; flow.blocks];
    let mut work: Vec<usize> = result.iter().flat_map(|&block| flow.succs[block].iter().copied()).collect();
    while let Some(block) = work.pop() {
        if is_copied(block) {
            return None;
        }
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        let data = &program.blocks[block];
        let mut reads = data.insts.iter().any(|inst| inst.any_operand(|operand| made.contains(&operand)));
        if let Terminator::Branch { condition, .. } = &data.terminator {
            reads |= made.contains(condition);
        }
        reads |= data.terminator.edges().flat_map(|edge| &edge.moves).any(|step| made.contains(&step.from));
        if reads {
            return None;
        }
        work.extend(data.terminator.edges().map(|edge| edge.target.0 as usize));
    }
    Some(result)
}

/// The instructions of a loop on which a condition may depend, in their order.
fn relevant<'a>(program: &'a Program, body: &[usize], condition: Value) -> Vec<(&'a Inst, Value)> {
    let needed = needed(program, body, condition);
    let mut result = Vec::new();
    for inst in body.iter().flat_map(|&block| &program.blocks[block].insts) {
        if let Some(value) = inst.result().filter(|value| inst.is_pure() && needed.contains(value)) {
            result.push((inst, value));
        }
    }
    result
}

impl Plan {
    fn carry_out(&self, program: &mut Program) {
        let old = std::mem::take(&mut program.blocks);
        let is_inside = |block: BlockId| self.body.binary_search(&(block.0 as usize)).is_ok();
        let header = self.own.header;
        // Where the blocks come to be: those before, the passes, those between that are not of the loop, and those behind.
        let last = if self.decides == header { 1 } else { self.body.len() };
        let copies = self.passes * self.body.len() + last;
        let mut place = vec![0; old.len()];
        let mut between = header + copies;
        for (block, place) in place.iter_mut().enumerate() {
            *place = match block {
                _ if block < header => block,
                _ if is_inside(BlockId(block as u32)) => header,
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
            if is_inside(BlockId(block as u32)) {
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
