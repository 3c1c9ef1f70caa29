//! From variables that are assigned anywhere to registers that are assigned once.
//!
//! A variable that is assigned once, on every way to its uses, is a register as it is. Any other gets a parameter at each block where several ways meet and
//! it is still needed. What no way has assigned is undefined, which costs nothing.

use super::live::{backwards, crossing, liveness, operands};
use super::{Block, BlockData, Class, Code, Effort, End, Function, How, Inst, Refused, Role, Var};
use super::{homes, share};
use crate::native::analyse::sets::Sets;
use crate::native::encode as rows;
use crate::native::hashing::Map;
use crate::native::target::Target;

/// How many bits the sets of live variables may have together, so that hostile kernels cannot take all memory.
pub(super) const MAX_BITS: usize = 1 << 29;

/// A block whose variables are registers.
#[derive(Debug)]
pub(super) struct FormBlock {
    pub(super) insts: Vec<Inst>,
    pub(super) end: End,
    pub(super) params: Vec<Var>,
    /// What each target gets for its parameters.
    pub(super) args: Vec<Vec<Var>>,
    pub(super) preds: Vec<u32>,
    /// Whether it is seldom executed.
    pub(super) cold: bool,
}

/// A function in static single assignment form; blocks stand in memory as they stand here.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) blocks: Vec<FormBlock>,
    pub(super) classes: Vec<Class>,
    pub(super) target: Target,
    /// The bytes of variables that are kept in memory.
    pub(super) homes: usize,
    /// Whether who goes round a loop asks at its end whether to.
    pub(super) asks_again: bool,
}

impl Form {
    /// What an instruction does, with a new value for a result of the class that its own one has.
    pub(super) fn again(&mut self, inst: &Inst, result: Var) -> (Inst, Var) {
        self.classes.push(self.classes[result.0 as usize]);
        let own = Var(self.classes.len() as u32 - 1);
        (inst.with_result(own), own)
    }
}

/// Refuses functions for which finding registers takes more than this effort. What is kept in memory is at an offset from the context.
pub(super) fn convert(mut function: Function, effort: Effort, start: i32) -> Result<Form, Refused> {
    let mut layout = order(&function)?;
    split_critical_edges(&mut function, &mut layout);
    renumber(&mut function, &layout);
    let Function { mut blocks, classes, target, .. } = function;
    let preds = predecessors(&blocks);
    let order = reverse_post_order(blocks.len(), |block| blocks[block].end.targets().collect());
    // Who lives where is not asked in vain.
    if operands(&blocks) > effort.work {
        return Err(Refused::TOO_LARGE);
    }
    let homes = match effort.most {
        Some(most) => homes::settle(&mut blocks, &classes, &order, target, most, start)?,
        None => 0,
    };
    let facts = Facts::new(&blocks, &classes, &order, &preds, effort.work)?;
    let (mut form, empty) = Renaming::new(blocks, classes, target, preds, facts).run(&order);
    form.homes = homes;
    remove_trivial(&mut form);
    share::share(&mut form);
    make_empty(&mut form, empty);
    remove_dead(&mut form);
    Ok(form)
}

/// The blocks that control can reach, the cold ones last; all of them must stand somewhere.
fn order(function: &Function) -> Result<Vec<Block>, Refused> {
    let mut seen = vec![false; function.blocks.len()];
    let mut work = vec![function.layout[0]];
    let mut count = 0;
    while let Some(block) = work.pop() {
        let seen = seen.get_mut(block.0 as usize).ok_or(Refused("a way to nowhere"))?;
        if !std::mem::replace(seen, true) {
            count += 1;
            work.extend(function.blocks[block.0 as usize].end.targets());
        }
    }
    let reached = function.layout.iter().copied().filter(|block| seen[block.0 as usize]);
    let (cold, mut all): (Vec<Block>, Vec<Block>) =
        reached.partition(|block| function.blocks[block.0 as usize].cold);
    all.extend(cold);
    if all.len() == count { Ok(all) } else { Err(Refused("a way to nowhere")) }
}

fn split_critical_edges(function: &mut Function, layout: &mut Vec<Block>) {
    let mut counts = vec![0_u32; function.blocks.len()];
    for block in layout.iter() {
        for to in function.blocks[block.0 as usize].end.targets() {
            counts[to.0 as usize] += 1;
        }
    }
    let mut result = Vec::with_capacity(layout.len() * 2);
    for &block in layout.iter() {
        result.push(block);
        let End::Branch { test, condition, then, otherwise } = function.blocks[block.0 as usize].end else {
            continue;
        };
        let cold = function.blocks[block.0 as usize].cold;
        let mut part = |to: Block| {
            if counts[to.0 as usize] < 2 {
                return to;
            }
            let between = function.block(cold);
            function.end(between, End::Jump(to));
            result.push(between);
            between
        };
        let (otherwise, then) = (part(otherwise), part(then));
        function.end(block, End::Branch { test, condition, then, otherwise });
    }
    *layout = result;
}

/// Makes the numbers of blocks their places in the layout.
fn renumber(function: &mut Function, layout: &[Block]) {
    let mut place = vec![0; function.blocks.len()];
    for (index, block) in layout.iter().enumerate() {
        place[block.0 as usize] = index as u32;
    }
    let mut old: Vec<Option<BlockData>> =
        std::mem::take(&mut function.blocks).into_iter().map(Some).collect();
    let to = |block: Block| Block(place[block.0 as usize]);
    for block in layout {
        let Some(mut data) = old[block.0 as usize].take() else { continue };
        data.end = match data.end {
            End::Jump(target) => End::Jump(to(target)),
            End::Branch { test, condition, then, otherwise } => {
                End::Branch { test, condition, then: to(then), otherwise: to(otherwise) }
            }
            end => end,
        };
        function.blocks.push(data);
    }
}

fn predecessors(blocks: &[BlockData]) -> Vec<Vec<u32>> {
    let mut result = vec![Vec::new(); blocks.len()];
    for (from, block) in blocks.iter().enumerate() {
        for to in block.end.targets() {
            result[to.0 as usize].push(from as u32);
        }
    }
    result
}

/// The blocks that control can reach from the first of so many, by where each leads.
pub(super) fn reverse_post_order(count: usize, targets: impl Fn(usize) -> Vec<Block>) -> Vec<usize> {
    let mut seen = vec![false; count];
    let mut result = Vec::with_capacity(count);
    let mut stack = vec![(0, targets(0))];
    seen[0] = true;
    while let Some((block, left)) = stack.last_mut() {
        match left.pop() {
            Some(to) if !std::mem::replace(&mut seen[to.0 as usize], true) => {
                stack.push((to.0 as usize, targets(to.0 as usize)));
            }
            Some(_) => {}
            None => {
                result.push(*block);
                stack.pop();
            }
        }
    }
    result.reverse();
    result
}

/// Which variables need parameters, and where.
struct Facts {
    /// The number of each variable that may need parameters.
    number: Vec<Option<u32>>,
    vars: Vec<Var>,
    /// For each block, the numbers of those that are needed there.
    live: Sets,
    /// For each block, the numbers of those that some way to it has assigned.
    assigned: Sets,
}

impl Facts {
    fn new(
        blocks: &[BlockData],
        classes: &[Class],
        order: &[usize],
        preds: &[Vec<u32>],
        most: usize,
    ) -> Result<Self, Refused> {
        let (number, vars) = crossing(blocks, classes.len());
        if vars.len() * blocks.len() > MAX_BITS {
            return Err(Refused::TOO_LARGE);
        }
        let live = liveness(blocks, order, &number, vars.len());
        // Of these, one that is assigned once on all ways needs no parameters.
        let mut times = vec![0_u32; classes.len()];
        for op in blocks.iter().flat_map(backwards).flatten().filter(|op| !op.how.is_use()) {
            times[op.var.0 as usize] += 1;
        }
        for early in live.from(0, 0) {
            times[vars[early].0 as usize] += 2;
        }
        let mut kept = Vec::new();
        let mut new_number = vec![None; classes.len()];
        for &var in vars.iter().filter(|var| times[var.0 as usize] > 1) {
            new_number[var.0 as usize] = Some(kept.len() as u32);
            kept.push(var);
        }
        let mut needed = Sets::new(blocks.len(), kept.len());
        for block in 0..blocks.len() {
            for old in live.from(block, 0) {
                if let Some(new) = new_number[vars[old].0 as usize] {
                    needed.insert(block, new as usize);
                }
            }
        }
        let assignments =
            |forgets: fn(Code) -> bool| assignments(blocks, order, preds, &new_number, kept.len(), forgets);
        // An empty mask is made anew where it is needed, as is what is not defined.
        let set = assignments(|code| matches!(code, Code::Undefined | Code::EmptyMask));
        if live.count() - needed.count_outside(&set) + operands(blocks) > most {
            return Err(Refused::TOO_LARGE);
        }
        let assigned = assignments(|code| code == Code::Undefined);
        Ok(Self { number: new_number, vars: kept, live: needed, assigned })
    }

    fn number(&self, var: Var) -> Option<usize> {
        self.number[var.0 as usize].map(|number| number as usize)
    }
}

/// For each block, what some way to its start has assigned, and no instruction has forgotten since.
fn assignments(
    blocks: &[BlockData],
    order: &[usize],
    preds: &[Vec<u32>],
    number: &[Option<u32>],
    count: usize,
    forgets: fn(Code) -> bool,
) -> Sets {
    let mut own = Sets::new(blocks.len(), count);
    // What is forgotten since.
    let mut kept = Sets::new(blocks.len(), count);
    for (index, block) in blocks.iter().enumerate() {
        kept.get_mut(index).fill(u64::MAX);
        for inst in &block.insts {
            for op in inst.operands().iter().filter(|op| !op.how.is_use()) {
                let Some(number) = number[op.var.0 as usize] else { continue };
                if forgets(inst.code) {
                    own.remove(index, number as usize);
                    kept.remove(index, number as usize);
                } else {
                    own.insert(index, number as usize);
                }
            }
        }
    }
    let mut before = Sets::new(blocks.len(), count);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &block in order {
            for &from in &preds[block] {
                for word in 0..before.words() {
                    let from = from as usize;
                    let more = before.get(from)[word] & kept.get(from)[word] | own.get(from)[word];
                    let new = before.get(block)[word] | more;
                    changed |= new != before.get(block)[word];
                    before.get_mut(block)[word] = new;
                }
            }
        }
    }
    before
}

struct Renaming {
    blocks: Vec<BlockData>,
    old_classes: Vec<Class>,
    target: Target,
    facts: Facts,
    classes: Vec<Class>,
    /// Whether a register is anything, where it was made to be read.
    undefined: Vec<bool>,
    /// The register of each variable that needs no parameters.
    single: Vec<Option<Var>>,
    /// What stands for every empty mask, which is made anew where it is needed.
    empty: Var,
    /// The registers at the end of each block of those that do, by their numbers.
    ends: Vec<Map<usize, Var>>,
    /// The numbers of the variables of the parameters of each block.
    param_numbers: Vec<Vec<usize>>,
    result: Vec<FormBlock>,
}

impl Renaming {
    fn new(
        blocks: Vec<BlockData>,
        old_classes: Vec<Class>,
        target: Target,
        preds: Vec<Vec<u32>>,
        facts: Facts,
    ) -> Self {
        let result = preds
            .into_iter()
            .zip(&blocks)
            .map(|(preds, block)| FormBlock {
                insts: vec![],
                end: End::Open,
                params: vec![],
                args: vec![],
                preds,
                cold: block.cold,
            })
            .collect();
        Self {
            single: vec![None; old_classes.len()],
            ends: vec![Map::default(); blocks.len()],
            param_numbers: vec![Vec::new(); blocks.len()],
            blocks,
            old_classes,
            target,
            facts,
            empty: Var(0),
            classes: vec![target.mask_class()],
            undefined: vec![false],
            result,
        }
    }

    fn fresh(&mut self, class: Class) -> Var {
        self.classes.push(class);
        self.undefined.push(false);
        Var(self.classes.len() as u32 - 1)
    }

    fn run(mut self, order: &[usize]) -> (Form, Var) {
        for &block in order {
            if self.result[block].preds.len() > 1 {
                let numbers: Vec<usize> =
                    self.facts.live.from(block, 0).filter(|&n| self.facts.assigned.has(block, n)).collect();
                for &number in &numbers {
                    let class = self.old_classes[self.facts.vars[number].0 as usize];
                    let var = self.fresh(class);
                    self.result[block].params.push(var);
                }
                self.param_numbers[block] = numbers;
            }
        }
        for &block in order {
            self.block(block);
        }
        for &block in order {
            self.arguments(block);
        }
        let blocks = self.result;
        (Form { blocks, classes: self.classes, target: self.target, homes: 0, asks_again: false }, self.empty)
    }

    fn block(&mut self, block: usize) {
        let mut current = match *self.result[block].preds {
            [only] => {
                // What is not needed any more is left behind, so that all these take no more room than what is needed does.
                let end = self.ends[only as usize].iter().map(|(&number, &var)| (number, var));
                end.filter(|&(number, _)| self.facts.live.has(block, number)).collect()
            }
            _ => Map::default(),
        };
        current
            .extend(self.param_numbers[block].iter().copied().zip(self.result[block].params.iter().copied()));
        let mut done = Vec::with_capacity(self.blocks[block].insts.len());
        for mut inst in std::mem::take(&mut self.blocks[block].insts) {
            self.read(&mut inst, &mut current, &mut done);
            if inst.code == Code::EmptyMask {
                self.assign(inst.operands()[0].var, self.empty, &mut current);
                continue;
            }
            if inst.code == Code::Undefined {
                self.forget(inst.operands()[0].var, &mut current);
                continue;
            }
            if let Some((to, from)) = self.copied(&inst) {
                self.assign(to, from, &mut current);
                continue;
            }
            for op in inst.operands_mut().iter_mut().filter(|op| !op.how.is_use()) {
                let var = self.fresh(self.old_classes[op.var.0 as usize]);
                self.assign(op.var, var, &mut current);
                op.var = var;
            }
            done.push(inst);
        }
        let mut end = self.blocks[block].end;
        if let End::Branch { test, .. } = &mut end {
            self.read(test, &mut current, &mut done);
        }
        self.result[block].insts = done;
        self.result[block].end = end;
        self.ends[block] = current;
    }

    /// Replaces the variables that an instruction reads.
    fn read(&mut self, inst: &mut Inst, current: &mut Map<usize, Var>, done: &mut Vec<Inst>) {
        for op in inst.operands_mut().iter_mut().filter(|op| op.how.is_use()) {
            let known = match self.facts.number(op.var) {
                Some(number) => current.get(&number).copied(),
                None => self.single[op.var.0 as usize],
            };
            op.var = match known {
                Some(var) => var,
                None => {
                    let var = self.fresh(self.old_classes[op.var.0 as usize]);
                    self.undefined[var.0 as usize] = true;
                    self.assign(op.var, var, current);
                    done.push(undefined(var));
                    var
                }
            };
        }
    }

    /// The variable that an instruction sets, and the register that it is set to, where that is all that it does: what is merged with something that is not
    /// defined is a copy.
    fn copied(&self, inst: &Inst) -> Option<(Var, Var)> {
        let of = |role: Role| {
            inst.operands().iter().find(|op| op.role == role && op.how.is_use()).map(|op| op.var)
        };
        let to = inst.operands().first()?.var;
        match inst.code {
            Code::Copy => Some((to, inst.operands()[1].var)),
            Code::Row(rows::MOVDQA32 | rows::MOVDQA64) if of(Role::Merge).is_some() => {
                let old = of(Role::Hidden)?;
                self.undefined[old.0 as usize].then_some((to, of(Role::Last)?))
            }
            Code::Row(rows::KANDN) => {
                let last = of(Role::Last)?;
                (last == self.empty || self.undefined[last.0 as usize]).then_some((to, self.empty))
            }
            Code::Row(rows::KOR) => match (of(Role::Second)?, of(Role::Last)?) {
                (empty, other) | (other, empty) if empty == self.empty => Some((to, other)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Forgets what a variable is.
    fn forget(&mut self, var: Var, current: &mut Map<usize, Var>) {
        match self.facts.number(var) {
            Some(number) => drop(current.remove(&number)),
            None => self.single[var.0 as usize] = None,
        }
    }

    fn assign(&mut self, var: Var, register: Var, current: &mut Map<usize, Var>) {
        match self.facts.number(var) {
            Some(number) => {
                current.insert(number, register);
            }
            None => self.single[var.0 as usize] = Some(register),
        }
    }

    /// What a block hands to the parameters of its targets.
    fn arguments(&mut self, block: usize) {
        let targets: Vec<Block> = self.result[block].end.targets().collect();
        for to in targets {
            let mut args = Vec::new();
            for number in self.param_numbers[to.0 as usize].clone() {
                let var = match self.ends[block].get(&number) {
                    Some(&var) => var,
                    None => {
                        let var = self.fresh(self.old_classes[self.facts.vars[number].0 as usize]);
                        self.ends[block].insert(number, var);
                        self.result[block].insts.push(undefined(var));
                        var
                    }
                };
                args.push(var);
            }
            self.result[block].args.push(args);
        }
    }
}

fn undefined(var: Var) -> Inst {
    Inst::new(Code::Undefined).op(var, How::Def, Role::Hidden)
}

/// Makes the empty mask wherever it is needed.
fn make_empty(form: &mut Form, empty: Var) {
    for block in &mut form.blocks {
        let mut made = |insts: &mut Vec<Inst>| {
            form.classes.push(form.target.mask_class());
            let var = Var(form.classes.len() as u32 - 1);
            insts.push(Inst::new(Code::EmptyMask).op(var, How::Def, Role::Register));
            var
        };
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in std::mem::take(&mut block.insts) {
            for op in inst.operands_mut().iter_mut().filter(|op| op.var == empty) {
                op.var = made(&mut insts);
            }
            insts.push(inst);
        }
        if let End::Branch { test, .. } = &mut block.end {
            let mut own = None;
            for op in test.operands_mut().iter_mut().filter(|op| op.var == empty) {
                op.var = *own.get_or_insert_with(|| made(&mut insts));
            }
        }
        for arg in block.args.iter_mut().flatten().filter(|arg| **arg == empty) {
            *arg = made(&mut insts);
        }
        block.insts = insts;
    }
}

/// Removes parameters that are always the same register.
fn remove_trivial(form: &mut Form) {
    // What the last round leaves is correct, only slower.
    const MAX_ROUNDS: usize = 16;
    let mut stands_for: Vec<Var> = (0..form.classes.len() as u32).map(Var).collect();
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for block in 0..form.blocks.len() {
            let mut place = 0;
            while place < form.blocks[block].params.len() {
                let Some(only) = single_argument(form, block, place, &mut stands_for) else {
                    place += 1;
                    continue;
                };
                let param = form.blocks[block].params.remove(place);
                stands_for[param.0 as usize] = only;
                for (from, which) in edges_to(form, block) {
                    form.blocks[from].args[which].remove(place);
                }
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for block in &mut form.blocks {
        let test = if let End::Branch { test, .. } = &mut block.end { Some(test) } else { None };
        for op in block.insts.iter_mut().chain(test).flat_map(Inst::operands_mut) {
            op.var = root(&mut stands_for, op.var);
        }
        for arg in block.args.iter_mut().flatten() {
            *arg = root(&mut stands_for, *arg);
        }
    }
}

/// The edges that lead to a block: where they start, and which of the ways from there they are.
fn edges_to(form: &Form, block: usize) -> Vec<(usize, usize)> {
    let mut result: Vec<(usize, usize)> = Vec::new();
    for &from in &form.blocks[block].preds {
        for (which, to) in form.blocks[from as usize].end.targets().enumerate() {
            let edge = (from as usize, which);
            if to.0 as usize == block && !result.contains(&edge) {
                result.push(edge);
            }
        }
    }
    result
}

fn single_argument(form: &Form, block: usize, place: usize, stands_for: &mut [Var]) -> Option<Var> {
    let own = form.blocks[block].params[place];
    let mut single = None;
    for (from, which) in edges_to(form, block) {
        let arg = root(stands_for, form.blocks[from].args[which][place]);
        if arg != own && *single.get_or_insert(arg) != arg {
            return None;
        }
    }
    single
}

fn root(stands_for: &mut [Var], var: Var) -> Var {
    let mut root = var;
    while stands_for[root.0 as usize] != root {
        root = stands_for[root.0 as usize];
    }
    let mut at = var;
    while at != root {
        at = std::mem::replace(&mut stands_for[at.0 as usize], root);
    }
    root
}

/// Drops instructions and parameters that nothing needs.
pub(super) fn remove_dead(form: &mut Form) {
    #[derive(Clone, Copy)]
    enum Source {
        Inst(u32, u32),
        Param(u32, u32),
    }
    let mut sources = vec![None; form.classes.len()];
    let mut live = vec![false; form.classes.len()];
    let mut work: Vec<Var> = Vec::new();
    for (index, block) in form.blocks.iter().enumerate() {
        for (place, param) in block.params.iter().enumerate() {
            sources[param.0 as usize] = Some(Source::Param(index as u32, place as u32));
        }
        for (place, inst) in block.insts.iter().enumerate() {
            for op in inst.operands() {
                if !op.how.is_use() {
                    sources[op.var.0 as usize] = Some(Source::Inst(index as u32, place as u32));
                } else if inst.effect {
                    work.push(op.var);
                }
            }
        }
        if let End::Branch { test, .. } = &block.end {
            work.extend(test.operands().iter().map(|op| op.var));
        }
    }
    while let Some(var) = work.pop() {
        if std::mem::replace(&mut live[var.0 as usize], true) {
            continue;
        }
        match sources[var.0 as usize] {
            Some(Source::Inst(block, place)) => {
                let inst = &form.blocks[block as usize].insts[place as usize];
                work.extend(inst.operands().iter().filter(|op| op.how.is_use()).map(|op| op.var));
            }
            Some(Source::Param(block, place)) => {
                for (from, which) in edges_to(form, block as usize) {
                    work.push(form.blocks[from].args[which][place as usize]);
                }
            }
            None => {}
        }
    }
    for index in 0..form.blocks.len() {
        let keep: Vec<bool> = form.blocks[index].params.iter().map(|param| live[param.0 as usize]).collect();
        if keep.contains(&false) {
            for (from, which) in edges_to(form, index) {
                let mut kept = keep.iter();
                form.blocks[from].args[which].retain(|_| *kept.next().unwrap_or(&true));
            }
            let mut kept = keep.iter();
            form.blocks[index].params.retain(|_| *kept.next().unwrap_or(&true));
        }
        form.blocks[index].insts.retain(|inst| {
            inst.effect || inst.operands().iter().any(|op| !op.how.is_use() && live[op.var.0 as usize])
        });
    }
}
