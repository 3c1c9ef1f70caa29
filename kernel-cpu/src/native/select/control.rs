//! Masks, edges and the ends of blocks.

use super::values::{Vector, parts};
use super::{Event, Masks, Selector, rows};
use crate::native::analyse::flow::Flow;
use crate::native::analyse::shape::{Shape, Shapes};
use crate::native::encode::Condition;
use crate::native::lir::{Block, Class, Code, End, Function, How, Inst as Machine, Role, Var};
use crate::native::switches::{Switch, Switches};
use crate::program::{Edge, Inst, Kind, MAX_STRIPS, Move, Terminator, Value};

/// A mask of each strip; those that there are not are as the first.
type Vars = [Var; MAX_STRIPS];

/// Where the mask of a block comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// All lanes that exist are here.
    Root,
    /// The lanes are those of this block before it.
    Same(usize),
    /// The only way to it, or one of those from outside and from inside of a loop, sets the lanes that wait for it.
    Set(Vars),
    /// Each way to it adds lanes to those that wait for it.
    Added(Vars),
}

impl Source {
    /// The lanes that wait for the block.
    fn waiting(self) -> Option<Vars> {
        match self {
            Self::Root | Self::Same(_) => None,
            Self::Set(vars) | Self::Added(vars) => Some(vars),
        }
    }
}

/// The blocks of the function for those of the program, and their masks.
pub(super) struct Control {
    /// The mask of all lanes that exist.
    pub(super) root: Masks,
    sources: Vec<Source>,
    /// The masks of the blocks; of those without one of their own, when they have been selected.
    masks: Vec<Masks>,
    bodies: Vec<Block>,
    /// The same for when all lanes are there: those of blocks at which lanes may be missing have code for either case.
    wholes: Vec<Block>,
    /// Whether there is such code.
    pub(super) has_wholes: bool,
    /// Where it is asked whether a block has lanes.
    scans: Vec<Option<Block>>,
    /// For each block at which all lanes are, the blocks after it for which nobody waits yet.
    starts: Vec<Vec<Vars>>,
    /// For each block, those to which lanes come only from it, and for which nobody waits yet.
    forgotten: Vec<Vec<usize>>,
    splits: Vec<Split>,
}

/// A block at which lanes part.
struct Split {
    block: usize,
    /// The first and the last block that some of them come to before they meet.
    first: usize,
    last: usize,
}

impl Split {
    fn new(block: usize, shapes: &Shapes) -> Self {
        let ways = || [2 * block, 2 * block + 1].into_iter();
        let first = ways().filter_map(|way| shapes.arms.from(way, 0).next()).min();
        let last = ways().filter_map(|way| shapes.arms.from(way, 0).last()).max();
        Self { block, first: first.unwrap_or(usize::MAX), last: last.unwrap_or(0) }
    }
}

/// A block that there is not.
const NOWHERE: Block = Block(u32::MAX);

impl Control {
    pub(super) fn new(
        function: &mut Function,
        flow: &Flow,
        shapes: &Shapes,
        switches: Switches,
        has_wholes: bool,
        strips: usize,
    ) -> Self {
        let mut wide = || vars(function, strips);
        let sources: Vec<Source> =
            (0..flow.blocks).map(|block| source(&mut wide, flow, shapes, switches, block)).collect();
        let masks = sources.iter().map(|source| match source.waiting() {
            Some(_) => wide().map(Some),
            None => [None; MAX_STRIPS],
        });
        let masks = masks.collect();
        let mut starts = vec![Vec::new(); flow.blocks];
        for (block, source) in sources.iter().enumerate() {
            if let Some(vars) = source.waiting() {
                let mut start = block;
                while shapes.masked[start] {
                    start = flow.idom(start);
                }
                starts[start].push(vars);
            }
        }
        let (bodies, wholes, scans) = (Vec::new(), Vec::new(), Vec::new());
        let forgotten = forgotten(flow, shapes, switches);
        let splits = (0..flow.blocks).filter(|&block| shapes.divergent[block]);
        let splits = splits.map(|block| Split::new(block, shapes)).collect();
        Self {
            root: [None; MAX_STRIPS],
            sources,
            masks,
            bodies,
            wholes,
            has_wholes,
            scans,
            starts,
            forgotten,
            splits,
        }
    }

    /// Makes new blocks of the function for some of those of the program. The others are nowhere: `lir` refuses what leads there.
    pub(super) fn start_copy(
        &mut self,
        function: &mut Function,
        shapes: &Shapes,
        has: impl Fn(usize) -> bool,
    ) {
        let mut block = |wanted: bool| if wanted { function.block(false) } else { NOWHERE };
        let count = self.sources.len();
        self.bodies = (0..count).map(|own| block(has(own))).collect();
        let mut whole = |own: usize| {
            let has_own = shapes.masked[own] && self.has_wholes;
            if has_own { block(has(own)) } else { self.bodies[own] }
        };
        self.wholes = (0..count).map(&mut whole).collect();
        let waits = |own: usize| self.sources[own].waiting().is_some();
        self.scans = (0..count).map(|own| waits(own).then(|| block(has(own)))).collect();
    }

    /// The code of a block to which all lanes come.
    pub(super) fn whole(&self, block: usize) -> Block {
        self.wholes[block]
    }
}

/// A new mask of each strip.
fn vars(function: &mut Function, strips: usize) -> Vars {
    let first = function.var(Class::Mask);
    std::array::from_fn(|strip| if (1..strips).contains(&strip) { function.var(Class::Mask) } else { first })
}

/// For each block, those of the same loop to which lanes come only from it, so that none wait there when it is executed: it is so before all of them, once in each
/// pass of the loop.
fn forgotten(flow: &Flow, shapes: &Shapes, switches: Switches) -> Vec<Vec<usize>> {
    let mut result = vec![Vec::new(); flow.blocks];
    if !switches.has(Switch::Forget) {
        return result;
    }
    // What lanes bring along that wait at a barrier stays until all have come there.
    let is_behind_barrier = |to: usize| flow.preds[to].iter().any(|&from| !flow.succs[from].contains(&to));
    let may_merge = |to: usize| shapes.masked[to] || shapes.merging[to];
    for to in (1..flow.blocks).filter(|&to| may_merge(to) && !is_behind_barrier(to)) {
        let own = flow.innermost[to];
        let around =
            own.filter(|&own| flow.loops[own].header == to).map_or(own, |own| flow.loops[own].parent);
        let mut start = flow.idom(to);
        while start != 0 && flow.innermost[start] != around {
            start = flow.idom(start);
        }
        if flow.innermost[start] == around {
            result[start].push(to);
        }
    }
    result
}

fn source(
    wide: &mut impl FnMut() -> Vars,
    flow: &Flow,
    shapes: &Shapes,
    switches: Switches,
    block: usize,
) -> Source {
    if !shapes.masked[block] {
        return Source::Root;
    }
    let header = flow.loops.iter().position(|own| own.header == block);
    let before = flow.idom(block);
    let may_be_same = switches.has(Switch::SameMask) && header.is_none() && block != 0;
    if may_be_same && is_same(flow, before, block) {
        return Source::Same(before);
    }
    let forward: Vec<usize> = flow.preds[block].iter().copied().filter(|&from| from < block).collect();
    let vars = wide();
    match forward[..] {
        [from] if flow.within(from, block) => Source::Set(vars),
        _ => Source::Added(vars),
    }
}

/// Whether all lanes of one block come to another together, before anything else happens to them.
fn is_same(flow: &Flow, from: usize, to: usize) -> bool {
    if flow.ipdom[from] != to || !flow.within(from, to) || !flow.within(to, from) {
        return false;
    }
    // Nobody passes by in between, who would go on to a block that cannot tell whether it has lanes.
    if (from..to).any(|block| !flow.dominates(from, block)) {
        return false;
    }
    // Nobody goes round a loop in between, but within it.
    let mut work = flow.succs[from].clone();
    let mut seen = vec![to];
    while let Some(block) = work.pop() {
        if block <= from || block > to {
            return false;
        }
        if !seen.contains(&block) {
            seen.push(block);
            work.extend(flow.succs[block].iter().copied());
        }
    }
    true
}

impl Selector<'_> {
    /// Starts a block of the program when all lanes are there.
    pub(super) fn start_whole(&mut self, block: usize) {
        self.block = block;
        self.go(self.control.wholes[block]);
        self.set_here(self.control.root);
        self.start_phis(block);
    }

    /// Starts a block of the program: asks whether it has lanes, and sets its mask.
    pub(super) fn start_block(&mut self, block: usize) {
        self.block = block;
        let body = self.control.bodies[block];
        let source = self.control.sources[block];
        if let (Some(scan), Some(vars)) = (self.control.scans[block], source.waiting()) {
            self.go(scan);
            let otherwise = self.waiting_after(block, true);
            let test = self.any_of(vars);
            self.branch(test, Condition::Equal, otherwise, body);
        }
        self.go(body);
        let here = match source {
            Source::Root => self.control.root,
            Source::Same(before) => self.control.masks[before],
            Source::Set(vars) | Source::Added(vars) => {
                let masks = self.control.masks[block];
                for strip in 0..self.strips {
                    let mask = masks[strip].unwrap_or(vars[strip]);
                    self.copy(mask, vars[strip]);
                    self.empty_mask(vars[strip]);
                }
                masks
            }
        };
        self.control.masks[block] = here;
        self.set_here(here);
        for vars in self.control.starts[block].clone() {
            self.empty_masks(vars);
        }
        self.start_phis(block);
    }

    /// The test whether any of the masks of all strips has lanes: `NotEqual` if so.
    fn any_of(&mut self, vars: Vars) -> Machine {
        let mut all = vars[0];
        for &more in &vars[1..self.strips.max(2) - 1] {
            all = self.masks(rows::KOR, all, more);
        }
        Machine::row(rows::KORTEST).register(all).last(vars[self.strips - 1])
    }

    fn empty_masks(&mut self, vars: Vars) {
        for &var in &vars[..self.strips] {
            self.empty_mask(var);
        }
    }

    /// Makes the other forms of the phis of a block, and forgets what those were that lanes will only come to from here.
    fn start_phis(&mut self, block: usize) {
        for phi in
            self.control.forgotten[block].iter().flat_map(|&to| &self.phis[to]).copied().collect::<Vec<_>>()
        {
            self.in_strips_of(phi, |this| this.forget(phi));
        }
        for phi in self.phis[block].clone() {
            self.in_strips_of(phi, |this| {
                if this.is_scalar(phi) && !this.shapes.fragile[phi.0 as usize] {
                    this.widen(phi);
                }
                this.keep(phi);
            });
        }
    }

    /// Has the lanes of a phi be anything.
    fn forget(&mut self, phi: Value) {
        let vars = match self.kind(phi) {
            _ if self.is_scalar(phi) => return,
            Kind::Bool => [self.mask_of(phi); 2],
            _ => self.vector_of(phi).0,
        };
        for &var in &vars[..parts(self.kind(phi))] {
            self.push(Machine::new(Code::Undefined).op(var, How::Def, Role::Hidden));
        }
    }

    /// The first block behind this one for which lanes may wait when this one has been executed or, if it `was_empty`, passed over; where its own lanes
    /// went is not among them.
    fn next_waiting(&self, block: usize, was_empty: bool) -> Option<usize> {
        let mut next: Option<usize> = None;
        let arms = &self.shapes.arms;
        for &Split { block: split, first, last } in &self.control.splits {
            if !(first..=last).contains(&block) {
                continue;
            }
            let ways = [2 * split, 2 * split + 1];
            let inside = ways.map(|way| arms.has(way, block));
            let stop = self.shapes.meet[split];
            if inside == [false; 2] {
                continue;
            }
            // Those wait that have gone the other way. If nobody is here, it is not known whose way that is.
            let first = |way: usize| {
                let others = arms.from(ways[way], block + 1);
                // Those behind what has been found already need not be looked at.
                let mut others = others.take_while(|&other| next.is_none_or(|next| other < next));
                others.find(|&other| self.is_in_region(other) && !self.is_led_to(block, other))
            };
            let candidates = [
                first(0).filter(|_| inside[1] || was_empty),
                first(1).filter(|_| inside[0] || was_empty),
                Some(stop).filter(|&stop| {
                    stop < self.flow.blocks && self.is_in_region(stop) && !self.is_led_to(block, stop)
                }),
            ];
            for candidate in candidates.into_iter().flatten() {
                next = Some(next.map_or(candidate, |next| next.min(candidate)));
            }
        }
        next
    }

    /// Whether lanes come to a block only by another one, as long as they go round no loop around that.
    fn is_led_to(&self, by: usize, block: usize) -> bool {
        self.flow.dominates(by, block) && self.flow.within(by, block)
    }

    /// Where to ask who is next after a block.
    fn waiting_after(&self, block: usize, was_empty: bool) -> Block {
        if self.all_here {
            return self.finish;
        }
        self.next_waiting(block, was_empty).map_or(self.finish, |next| self.scan(next))
    }

    /// Where to ask whether a block has lanes; the block itself if it has.
    fn scan(&self, block: usize) -> Block {
        self.control.scans[block].unwrap_or(self.control.bodies[block])
    }

    /// Ends the block of the program.
    pub(super) fn end_block(&mut self) {
        let block = self.block;
        let program = self.program;
        match &program.blocks[block].terminator {
            Terminator::Jump(edge) => self.follow(edge),
            Terminator::Branch { condition, then, otherwise } => {
                if then.target == otherwise.target && then.moves == otherwise.moves {
                    self.follow(then);
                } else if self.shapes.divergent[block] {
                    self.part(*condition, then, otherwise);
                } else {
                    self.uniform_branch(*condition, then, otherwise);
                }
            }
            Terminator::Barrier { next, .. } => self.barrier(next),
            Terminator::Return => {
                let to = self.waiting_after(block, false);
                self.jump(to);
            }
            Terminator::Unreachable(site) => {
                self.event(Event::Unreachable(*site));
                let to = self.leave;
                self.jump(to);
            }
        }
    }

    /// Takes all lanes along an edge.
    fn follow(&mut self, edge: &Edge) {
        if self.goes_round(edge) {
            self.poll();
        }
        let moves = self.sources_of(edge);
        self.moves(edge, moves, self.here);
        let to = edge.target.0 as usize;
        if self.all_here {
            return self.jump(self.control.wholes[to]);
        }
        self.arrive(to, self.here);
        let next = self.next_waiting(self.block, false);
        let next = match next {
            Some(next) if next < to => self.scan(next),
            _ => self.control.bodies[to],
        };
        self.jump(next);
    }

    /// Whether an edge leads back to the head of a loop, and a subgroup might go round that for ever without coming to a place where the group goes on.
    fn goes_round(&self, edge: &Edge) -> bool {
        let to = edge.target.0 as usize;
        let asks_elsewhere = self.switches.has(Switch::Polls) && self.facts.regions.is_some();
        let own = self.flow.loops.iter().position(|own| own.header == to);
        let is_over_barriers = own.is_some_and(|own| self.facts.over_barriers[own]);
        to <= self.block && !(asks_elsewhere && is_over_barriers)
    }

    fn uniform_branch(&mut self, condition: Value, then: &Edge, otherwise: &Edge) {
        let (yes, no) = (self.function.block(false), self.function.block(false));
        let (test, flag) = self.scalar_condition(condition);
        self.branch(test, flag, yes, no);
        self.go(yes);
        self.follow(then);
        self.go(no);
        self.follow(otherwise);
    }

    /// The test whether a condition holds that is the same for all lanes.
    pub(super) fn scalar_condition(&mut self, condition: Value) -> (Machine, Condition) {
        self.fused(condition).unwrap_or_else(|| {
            let scalar = self.s(condition);
            (Machine::row(rows::TEST32).register(scalar).last(scalar), Condition::NotEqual)
        })
    }

    /// The comparison that a condition is, if it is one of this block.
    fn fused(&mut self, condition: Value) -> Option<(Machine, Condition)> {
        let is_here = self.shapes.home[condition.0 as usize] == self.block;
        if !self.switches.has(Switch::Fuse) || !is_here || !self.is_scalar(condition) {
            return None;
        }
        let Some(Inst::Compare(op, kind, _, operands)) = self.defined[condition.0 as usize] else {
            return None;
        };
        let ints = kind != Kind::Bool && !kind.is_float();
        if !ints
            || !operands.iter().all(|&operand| {
                self.is_scalar(operand) && self.shapes.is_same_in(self.flow, operand, self.block)
            })
        {
            return None;
        }
        self.scalar_test(op, kind, operands)
    }

    /// Sends lanes two ways.
    fn part(&mut self, condition: Value, then: &Edge, otherwise: &Edge) {
        let ways = [self.function.block(false), self.function.block(false)];
        // The ends of several strips are not asked.
        let asked = if self.all_here && self.strips == 1 { self.ask_ends(condition, ways) } else { None };
        let (mut yes, mut no): (Vec<Var>, Vec<Var>) = (Vec::new(), Vec::new());
        for strip in 0..self.strips {
            self.enter(strip);
            let condition = match asked {
                Some(condition) => condition,
                None => self.k(condition),
            };
            yes.push(match self.mask {
                Some(mask) => self.masks(rows::KAND, mask, condition),
                None => condition,
            });
            no.push(match self.mask {
                Some(mask) => self.masks(rows::KANDN, condition, mask),
                None => self.negate_mask(condition),
            });
        }
        self.enter(0);
        let of_strips = |masks: Vec<Var>| std::array::from_fn(|strip| *masks.get(strip).unwrap_or(&masks[0]));
        let (yes, no): (Vars, Vars) = (of_strips(yes), of_strips(no));
        if self.all_here {
            for (whole, others) in ways.into_iter().zip([no, yes]) {
                let next = self.function.block(false);
                let test = self.any_of(others);
                self.branch(test, Condition::Equal, whole, next);
                self.go(next);
            }
            let parted = self.at;
            for (whole, edge) in ways.into_iter().zip([then, otherwise]) {
                self.go(whole);
                self.follow(edge);
            }
            self.go_on(parted);
            self.leave_whole();
        }
        self.send([(then, yes), (otherwise, no)]);
        self.all_here = self.is_whole;
    }

    /// Goes on with code for lanes that part.
    fn leave_whole(&mut self) {
        self.all_here = false;
        let all = self.full_masks(self.control.root);
        let flow = self.flow;
        let own = self.block;
        for block in (0..=own).filter(|&block| flow.dominates(block, own)) {
            self.set_masks(block, all);
        }
    }

    /// Sets the masks of a block that has some of its own.
    fn set_masks(&mut self, block: usize, to: Vars) {
        if self.control.sources[block].waiting().is_none() {
            return;
        }
        let masks = self.control.masks[block];
        for (mask, &to) in masks.into_iter().flatten().zip(&to).take(self.strips) {
            self.copy(mask, to);
        }
    }

    /// Sends the lanes of two masks two ways.
    fn send(&mut self, [(then, yes), (otherwise, no)]: [(&Edge, Vars); 2]) {
        let block = self.block;
        let moves = [self.sources_of(then), self.sources_of(otherwise)];
        let ways = [(then, yes), (otherwise, no)];
        for ((edge, mask), moves) in ways.into_iter().zip(moves) {
            self.moves(edge, moves, mask.map(Some));
        }
        let mut first = self.next_waiting(block, false);
        for (edge, mask) in ways {
            let to = edge.target.0 as usize;
            self.arrive(to, mask.map(Some));
            if to > block {
                first = Some(first.map_or(to, |first| first.min(to)));
            }
        }
        for (edge, mask) in ways {
            let to = edge.target.0 as usize;
            if to <= block {
                if self.goes_round(edge) {
                    self.poll();
                }
                let next = self.function.block(false);
                let test = self.any_of(mask);
                let header = self.control.bodies[to];
                self.branch(test, Condition::NotEqual, header, next);
                self.go(next);
            }
        }
        let to = first.map_or(self.finish, |first| self.scan(first));
        self.jump(to);
    }

    /// Notes that no lanes wait anywhere.
    pub(super) fn nobody_waits(&mut self) {
        for block in (0..self.flow.blocks).filter(|&block| self.is_in_region(block)).collect::<Vec<_>>() {
            if let Some(vars) = self.control.sources[block].waiting() {
                self.empty_masks(vars);
            }
        }
    }

    /// Notes that all lanes are to go on in a block, and none anywhere else.
    pub(super) fn resume(&mut self, to: usize) {
        self.nobody_waits();
        if self.switches.has(Switch::Forget) {
            let blocks = (0..self.flow.blocks).filter(|&block| self.is_in_region(block));
            let phis = blocks.flat_map(|block| &self.phis[block]).copied();
            let dead: Vec<Value> = phis.filter(|phi| !self.live.has(to, *phi)).collect();
            dead.into_iter().for_each(|phi| self.in_strips_of(phi, |this| this.forget(phi)));
        }
        if self.control.has_wholes {
            return;
        }
        let all = self.full_masks(self.control.root);
        for block in (0..self.flow.blocks).filter(|&block| self.is_in_region(block)).collect::<Vec<_>>() {
            if let Some(vars) = self.control.sources[block].waiting() {
                self.empty_masks(vars);
                // Who is in a loop around the barrier is here.
                self.set_masks(block, all);
            }
        }
        if let Some(vars) = self.control.sources[to].waiting() {
            for strip in 0..self.strips {
                self.copy(vars[strip], all[strip]);
            }
        }
    }

    /// Notes that lanes are to go on in a block.
    fn arrive(&mut self, to: usize, masks: Masks) {
        let back = to <= self.block;
        match self.control.sources[to] {
            Source::Root | Source::Same(_) => {}
            Source::Set(vars) => {
                // Of a loop that all leave together, the lanes are always those that have come to it.
                let all = back
                    && self
                        .flow
                        .loops
                        .iter()
                        .enumerate()
                        .any(|(index, own)| own.header == to && !self.shapes.parting[index]);
                let masks = self.full_masks(if all { self.control.masks[to] } else { masks });
                for strip in 0..self.strips {
                    self.copy(vars[strip], masks[strip]);
                }
            }
            Source::Added(vars) => {
                let masks = self.full_masks(masks);
                for strip in 0..self.strips {
                    let sum = self.masks(rows::KOR, vars[strip], masks[strip]);
                    self.copy(vars[strip], sum);
                }
            }
        }
    }

    /// Masks of all lanes where there are none.
    fn full_masks(&mut self, masks: Masks) -> Vars {
        masks.map(|mask| {
            mask.unwrap_or_else(|| {
                let var = self.mask_var();
                self.push(Machine::new(Code::FullMask).def(var));
                var
            })
        })
    }

    /// What the phis of an edge become in each strip, or once for all, read before any of them is set.
    fn sources_of(&mut self, edge: &Edge) -> Vec<Form> {
        let mut forms = Vec::with_capacity(edge.moves.len());
        for step in &edge.moves {
            self.in_strips_of(step.to, |this| forms.push(this.source_of(step)));
        }
        forms
    }

    fn source_of(&mut self, step: &Move) -> Form {
        if self.is_scalar(step.to) {
            let (from, own) = (self.s(step.from), self.general());
            self.copy(own, from);
            Form::Scalar(own)
        } else if self.kind(step.to) == Kind::Bool {
            let (from, own) = (self.k(step.from), self.mask_var());
            self.copy(own, from);
            Form::Mask(own)
        } else {
            let from = self.x(step.from);
            let own = self.new_vector_for(step.to);
            self.copy_vector(own, from);
            Form::Vector(own)
        }
    }

    /// Sets the phis of an edge for the lanes that take it.
    fn moves(&mut self, edge: &Edge, sources: Vec<Form>, masks: Masks) {
        let to = edge.target.0 as usize;
        let merges = !self.switches.has(Switch::Overwrite)
            || self.shapes.merging[to]
            || self.shapes.leaves_parting(self.flow, self.block, to);
        self.set_phis(edge, sources, if merges { masks } else { [None; MAX_STRIPS] });
    }

    /// Sets the phis of an edge in the lanes of masks.
    fn set_phis(&mut self, edge: &Edge, sources: Vec<Form>, masks: Masks) {
        let here = self.here;
        self.set_here(masks);
        let mut sources = sources.into_iter();
        for step in &edge.moves {
            self.in_strips_of(step.to, |this| {
                sources.next().into_iter().for_each(|form| this.set_phi(step.to, form));
            });
        }
        self.set_here(here);
    }

    /// Sets a phi in the lanes of the strip, or of all strips, that are taken for those that are here. One that is the same in all lanes is set in all of
    /// them, as any such value is: the first lane is asked for it, whoever is here.
    fn set_phi(&mut self, to: Value, form: Form) {
        let mask = self.mask.filter(|_| self.shapes.shape(to) != Shape::UNIFORM);
        match form {
            Form::Scalar(from) => {
                let own = self.scalar_var(to);
                self.copy(own, from);
            }
            Form::Mask(from) => {
                let own = self.mask_of(to);
                self.merge_mask(own, from, mask);
            }
            Form::Vector(from) => {
                let own = self.vector_of(to);
                self.merge_vector(self.kind(to), own, from, mask);
            }
        }
    }

    /// Stops at a barrier.
    fn barrier(&mut self, next: &Edge) {
        let number = self
            .program
            .blocks
            .iter()
            .take(self.block)
            .filter(|block| matches!(block.terminator, Terminator::Barrier { .. }))
            .count() as u32;
        let moves = self.sources_of(next);
        let masked = self.control.sources[self.block] != Source::Root;
        // Lanes may come here one after the other.
        self.set_phis(next, moves, if masked { self.here } else { [None; MAX_STRIPS] });
        self.save(next, masked);
        if !masked {
            return self.stop(number as usize + 1);
        }
        self.event(Event::Park(number));
        let next = self.waiting_after(self.block, false);
        self.function.end(self.at, End::Jump(next));
    }
}

/// What a phi becomes, or another value waits in.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Scalar(Var),
    Mask(Var),
    Vector(Vector),
}
