//! What is the same in each pass of a loop is computed before it, and what is computed twice is computed once.
//!
//! It is done to the code rather than to the program, since most of what there is to gain comes to be when code is selected: the forms of values, what the
//! context says, and the limits of conditions that are the same for a whole work-group.

use super::again::again;
use super::exits::exits;
use super::fold::fold;
use super::layout::behind_loops;
use super::sink::sink;
use super::ssa::{Form, remove_dead, reverse_post_order};
use super::{Anchor, Class, Code, End, Inst, MAX_OPERANDS, Place, Var};
use crate::native::context::Context;
use crate::native::hashing::Map;
use std::mem::offset_of;

/// Functions with more blocks are left as they are.
const MAX_BLOCKS: usize = 1 << 12;
/// So many blocks of loops are looked at, those of a loop within another one twice.
const MAX_WORK: usize = 1 << 15;
/// So many values of each class may be kept in registers, or in memory, for one loop.
const MAX_GENERAL: usize = 12;
const MAX_VECTORS: usize = 16;
/// One of so many vector registers is kept for a load of local memory.
const LOADS: usize = 2;

/// What is done to the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::native) struct Passes {
    /// What is the same in each pass of a loop is computed before it, and what is computed twice once.
    pub(in crate::native) hoist: bool,
    /// What one way of a branch needs is computed there.
    pub(in crate::native) sink: bool,
    /// Sums that are addresses are added up by what accesses memory there.
    pub(in crate::native) fold: bool,
    /// What is in memory of the stack already is not written there again.
    pub(in crate::native) slots: bool,
    /// What loops are left for stands behind them, and who goes round one asks at its end whether to.
    pub(in crate::native) layout: bool,
}

impl Passes {
    /// Makes code shorter where it is executed often.
    pub(super) fn improve(self, form: &mut Form) {
        if self == Self::default() || form.blocks.len() > MAX_BLOCKS {
            return;
        }
        let graph = Graph::new(form);
        if self.hoist {
            graph.share(form);
            graph.hoist(form);
        }
        remove_dead(form);
        if self.sink {
            sink(form, &graph);
            exits(form, &graph);
        }
        if self.fold {
            again(form, &graph);
            fold(form, &graph);
            remove_dead(form);
        }
        if self.layout {
            behind_loops(form, &graph);
            form.asks_again = true;
        }
    }
}

/// The order of blocks, who dominates whom, and the loops.
pub(super) struct Graph {
    /// Reverse post-order.
    pub(super) order: Vec<usize>,
    /// The place of each block in it.
    number: Vec<usize>,
    idom: Vec<usize>,
    /// The header and the blocks of each loop, the inner ones first.
    loops: Vec<(usize, Vec<usize>)>,
    /// The innermost loop of each block.
    innermost: Vec<Option<usize>>,
}

impl Graph {
    pub(super) fn new(form: &Form) -> Self {
        let count = form.blocks.len();
        let order = reverse_post_order(count, |block| form.blocks[block].end.targets().collect());
        let mut number = vec![usize::MAX; count];
        for (place, &block) in order.iter().enumerate() {
            number[block] = place;
        }
        let mut idom = vec![usize::MAX; count];
        idom[0] = 0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in &order[1..] {
                let preds = form.blocks[block].preds.iter().map(|&from| from as usize);
                let mut known = preds.filter(|&from| idom[from] != usize::MAX);
                let Some(first) = known.next() else { continue };
                let common = known.fold(first, |mut a, mut b| {
                    while a != b {
                        if number[a] > number[b] {
                            a = idom[a];
                        } else {
                            b = idom[b];
                        }
                    }
                    a
                });
                changed |= std::mem::replace(&mut idom[block], common) != common;
            }
        }
        let mut this = Self { order, number, idom, loops: Vec::new(), innermost: vec![None; count] };
        this.find_loops(form);
        this
    }

    fn dominates(&self, by: usize, block: usize) -> bool {
        let mut at = block;
        while self.number[at] > self.number[by] {
            at = self.idom[at];
        }
        at == by
    }

    /// The same, if so many steps suffice to tell; takes those that it needs.
    pub(super) fn dominates_within(&self, by: usize, block: usize, steps: &mut usize) -> bool {
        let mut at = block;
        while self.number[at] > self.number[by] {
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            at = self.idom[at];
        }
        at == by
    }

    /// The number of the innermost loop that a block is in.
    pub(super) fn innermost(&self, block: usize) -> Option<usize> {
        self.innermost[block]
    }

    /// How many loops there are, the inner ones first.
    pub(super) fn loops(&self) -> usize {
        self.loops.len()
    }

    /// The blocks of the loop with a number.
    pub(super) fn body(&self, own: usize) -> &[usize] {
        &self.loops[own].1
    }

    /// Whether a block is in the loop with a number.
    pub(super) fn is_within(&self, own: usize, block: usize) -> bool {
        let number = self.number[block];
        self.loops[own].1.binary_search_by_key(&number, |&block| self.number[block]).is_ok()
    }

    /// The block through which each way to another one leads last.
    pub(super) fn idom(&self, block: usize) -> usize {
        self.idom[block]
    }

    fn find_loops(&mut self, form: &Form) {
        let mut work_left = MAX_WORK;
        for &header in &self.order {
            let preds = form.blocks[header].preds.iter().map(|&from| from as usize);
            let mut work: Vec<usize> = preds
                .filter(|&from| self.number[from] != usize::MAX && self.dominates(header, from))
                .collect();
            if work.is_empty() {
                continue;
            }
            let mut inside = vec![false; form.blocks.len()];
            inside[header] = true;
            let mut body = vec![header];
            while let Some(block) = work.pop() {
                if self.number[block] != usize::MAX && !std::mem::replace(&mut inside[block], true) {
                    body.push(block);
                    work.extend(form.blocks[block].preds.iter().map(|&from| from as usize));
                }
            }
            let Some(left) = work_left.checked_sub(body.len()) else { break };
            work_left = left;
            body.sort_unstable_by_key(|&block| self.number[block]);
            self.loops.push((header, body));
        }
        self.loops.sort_unstable_by_key(|(header, body)| (body.len(), *header));
        for (index, (_, body)) in self.loops.iter().enumerate() {
            for &block in body {
                self.innermost[block].get_or_insert(index);
            }
        }
    }

    /// Replaces what has been computed already.
    fn share(&self, form: &mut Form) {
        let mut stands_for: Vec<Var> = (0..form.classes.len() as u32).map(Var).collect();
        let mut seen: Map<Key, (usize, Var)> = Map::default();
        for &block in &self.order {
            let cold = form.blocks[block].cold;
            // What the context says may change when something is done.
            let mut fields: Map<(i32, u16), Var> = Map::default();
            for inst in &mut form.blocks[block].insts {
                for op in inst.operands_mut().iter_mut().filter(|op| op.how.is_use()) {
                    op.var = stands_for[op.var.0 as usize];
                }
                if inst.may_write() {
                    fields.clear();
                }
                if inst.effect {
                    continue;
                }
                if cold {
                    continue;
                }
                let Some(result) = result(inst).filter(|var| form.classes[var.0 as usize] != Class::Mask)
                else {
                    continue;
                };
                if let (Code::Row(row), Some(place @ Place { anchor: Anchor::Context, .. })) =
                    (inst.code, inst.place)
                    && inst.operands().len() == 1
                    && !is_fixed(place)
                    && !place.broadcast
                {
                    let known = *fields.entry((place.displacement, row.number)).or_insert(result);
                    stands_for[result.0 as usize] = known;
                    continue;
                }
                let Some(key) = key(inst).filter(|_| is_free(inst)) else { continue };
                match seen.get(&key) {
                    Some(&(from, var))
                        if self.innermost[from] == self.innermost[block] && self.dominates(from, block) =>
                    {
                        stands_for[result.0 as usize] = var;
                    }
                    _ => {
                        seen.insert(key, (block, result));
                    }
                }
            }
        }
        for block in &mut form.blocks {
            let test = if let End::Branch { test, .. } = &mut block.end { Some(test) } else { None };
            for op in block.insts.iter_mut().chain(test).flat_map(Inst::operands_mut) {
                if op.how.is_use() {
                    op.var = stands_for[op.var.0 as usize];
                }
            }
            for arg in block.args.iter_mut().flatten() {
                *arg = stands_for[arg.0 as usize];
            }
        }
    }

    fn hoist(&self, form: &mut Form) {
        let mut home = vec![usize::MAX; form.classes.len()];
        for (index, block) in form.blocks.iter().enumerate() {
            block.params.iter().for_each(|param| home[param.0 as usize] = index);
            for op in block.insts.iter().flat_map(Inst::operands).filter(|op| !op.how.is_use()) {
                home[op.var.0 as usize] = index;
            }
        }
        let mut inside = vec![false; form.blocks.len()];
        for (own, (header, body)) in self.loops.iter().enumerate() {
            let outside = |block: usize| !self.is_within(own, block);
            let mut before =
                form.blocks[*header].preds.iter().map(|&from| from as usize).filter(|&from| outside(from));
            let (Some(before), None) = (before.next(), before.next()) else { continue };
            if !matches!(form.blocks[before].end, End::Jump(_)) {
                continue;
            }
            body.iter().for_each(|&block| inside[block] = true);
            let (mut general, mut vectors) = (MAX_GENERAL, MAX_VECTORS);
            let mut loads = usize::from(form.target.vectors()) / LOADS;
            let steady = steady(form, *header, body);
            let mut moved = Vec::new();
            for &block in body {
                if form.blocks[block].cold {
                    continue;
                }
                let insts = std::mem::take(&mut form.blocks[block].insts);
                let mut kept = Vec::with_capacity(insts.len());
                for inst in insts {
                    let class = result(&inst).map(|var| form.classes[var.0 as usize]);
                    let is_load = inst.steady && steady.contains(&block);
                    let room = match class {
                        Some(Class::Vector) if is_load => &mut loads,
                        Some(Class::General) => &mut general,
                        Some(Class::Vector) => &mut vectors,
                        _ => {
                            kept.push(inst);
                            continue;
                        }
                    };
                    let is_same = inst.operands().iter().filter(|op| op.how.is_use()).all(|op| {
                        home.get(op.var.0 as usize).is_some_and(|&at| at == usize::MAX || !inside[at])
                    });
                    if !(is_free(&inst) || is_load) || !is_same || *room == 0 {
                        kept.push(inst);
                        continue;
                    }
                    *room -= 1;
                    if let Some(var) = result(&inst) {
                        home[var.0 as usize] = before;
                    }
                    moved.push(inst);
                }
                form.blocks[block].insts = kept;
            }
            form.blocks[before].insts.extend(moved);
            body.iter().for_each(|&block| inside[block] = false);
        }
    }
}

/// The blocks of a loop from whose start on local memory is as it was before the loop, and to which control comes at once: none if the loop
/// may write it.
fn steady(form: &Form, header: usize, body: &[usize]) -> Vec<usize> {
    let may_write = |inst: &Inst| match inst.code {
        Code::Call(_) => true,
        _ => inst.may_write() && inst.place.is_some_and(|place| place.anchor == Anchor::Var),
    };
    if body.iter().any(|&block| form.blocks[block].insts.iter().any(may_write)) {
        return Vec::new();
    }
    let mut blocks = vec![header];
    while let Some(&at) = blocks.last()
        && let End::Jump(to) = form.blocks[at].end
        && !blocks.contains(&(to.0 as usize))
        && blocks.len() < body.len()
    {
        blocks.push(to.0 as usize);
    }
    blocks
}

/// The only register that an instruction sets.
pub(super) fn result(inst: &Inst) -> Option<Var> {
    let mut results = inst.operands().iter().filter(|op| !op.how.is_use());
    let first = results.next()?;
    results.next().is_none().then_some(first.var)
}

/// Whether an instruction gives the same whenever it is executed with the same operands, and may be when nobody needs it.
pub(super) fn is_free(inst: &Inst) -> bool {
    let fixed =
        inst.operands().iter().all(|op| !matches!(op.how, super::How::UseFixed(_) | super::How::DefFixed(_)));
    let code =
        matches!(inst.code, Code::Row(_) | Code::Immediate(_) | Code::Compare { .. } | Code::Choose { .. });
    let address = matches!(inst.code, Code::Row(row) if row.name == "lea");
    !inst.effect && fixed && code && (address || inst.place.is_none_or(is_fixed))
}

/// Whether what is at a place never changes while the code runs.
fn is_fixed(place: Place) -> bool {
    const FIXED: std::ops::Range<usize> = offset_of!(Context, thunk)..offset_of!(Context, callee);
    match place.anchor {
        Anchor::Constant(_) => true,
        Anchor::Context => FIXED.contains(&(place.displacement as usize)),
        Anchor::Var | Anchor::Registers | Anchor::Scratch => false,
    }
}

/// An instruction without its result, by which equal ones are found.
type Key = ([u64; 3], [(u32, u8); MAX_OPERANDS], Option<([u32; 2], u8, i32, bool)>, i32);

fn key(inst: &Inst) -> Option<Key> {
    let code = match inst.code {
        Code::Row(row) => [0, row.number.into(), 0],
        Code::Immediate(bits) => [1, bits, 0],
        Code::Compare { row, condition } => [2, row.number.into(), condition as u64],
        Code::Choose { compare, choose } => [3, compare.number.into(), choose.number.into()],
        _ => return None,
    };
    let var = |op: &super::Op| if op.how.is_use() { op.var.0 } else { u32::MAX };
    // No operand has this role.
    let mut operands = [(u32::MAX, u8::MAX); MAX_OPERANDS];
    for (operand, op) in operands.iter_mut().zip(inst.operands()) {
        *operand = (var(op), op.role as u8);
    }
    let place = inst.place.map(|place| {
        let anchor = match place.anchor {
            Anchor::Var => [0, 0],
            Anchor::Context => [1, 0],
            Anchor::Registers => [2, 0],
            Anchor::Constant(at) => [3, at],
            Anchor::Scratch => [4, 0],
        };
        (anchor, place.scale, place.displacement, place.broadcast)
    });
    Some((code, operands, place, inst.immediate))
}
