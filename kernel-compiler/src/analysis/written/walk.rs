//! The walk through a kernel with all work-items of a group.

use super::lanes::{Lanes, Mask};
use super::memory::{Extent, Known, Memory};
use super::place::scalars;
use super::{Object, STEPS, object_of};
use crate::analysis::Analysis;
use crate::hash::{HashMap, HashSet};
use crate::ir::{
    AtomicAccess, Base, Block, End, Fence, Group, Handle, Index, Label, Module, Op, Place, Query, Scope,
    Statement, Step, Type, Value, Variable,
};
use kernel_core::group::MAX_WORK_GROUP_SIZE;
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;

/// The most scalars of a variable that are followed.
const MOST_SCALARS: usize = 1 << 17;
/// How many elements of a slice are followed; of how many there are more, nobody knows.
const SLICE_ELEMENTS: usize = MAX_WORK_GROUP_SIZE as usize;
/// How many passes of a loop are gone through one by one.
const PASSES: usize = 2 * MAX_WORK_GROUP_SIZE as usize;

/// What is known where control is.
#[derive(Clone)]
struct State {
    /// What the variables hold, by their positions.
    environment: Vec<Lanes>,
    /// The memory, in the order of the objects.
    memory: Vec<Memory>,
    /// Who may come here.
    mask: Mask,
}

/// A loop around the current block.
struct Frame {
    label: Label,
    /// How many branches are around it of which it is not known who takes them.
    doubts: usize,
    /// Whether its passes are gone through one by one, so that it must be known who leaves it.
    is_counted: bool,
    breaks: Vec<State>,
    continues: Vec<State>,
}

/// The state of the walk.
pub(super) struct Walk<'a> {
    pub(super) module: &'a Module,
    pub(super) analysis: &'a Analysis,
    objects: &'a [Object],
    /// How many work-items there are.
    pub(super) lanes: usize,
    /// How many of these there are in every group.
    sure: usize,
    /// What values are, by their positions.
    pub(super) values: Vec<Lanes>,
    state: State,
    frames: Vec<Frame>,
    /// How many branches are around the current block of which it is not known who takes them.
    doubts: usize,
    /// A loop that cannot be gone through pass by pass.
    abandoned: Option<Label>,
    /// Whether there is an access to local memory in a loop.
    touches: HashMap<Label, bool>,
    unwritten: HashSet<Object>,
    steps: u64,
}

impl<'a> Walk<'a> {
    /// What may be read before it is written; no answer if that takes too long.
    pub(super) fn through(
        module: &'a Module,
        analysis: &'a Analysis,
        objects: &'a [Object],
    ) -> Option<HashSet<Object>> {
        let group: Option<usize> =
            module.attributes.group_size.map(|size| size.into_iter().map(|size| size as usize).product());
        let lanes = group.unwrap_or(2);
        let mut memory = Vec::new();
        for object in objects {
            let scalars = match *object {
                Object::Variable(local) => scalars(module, module.locals[local].ty),
                // The last one stands for all others, and is never written.
                Object::Parameter(position) => match module.types[module.parameters[position as usize].ty] {
                    Type::Slice { element, .. } => {
                        scalars(module, element).saturating_mul(SLICE_ELEMENTS) + 1
                    }
                    _ => 1,
                },
            };
            memory.push(Memory::new(Some(scalars).filter(|scalars| *scalars <= MOST_SCALARS)?));
        }
        let mask = vec![true; lanes].into();
        let mut walk = Self {
            module,
            analysis,
            objects,
            lanes,
            sure: group.unwrap_or(1),
            values: vec![Lanes::Unknown; module.values.len()],
            state: State { environment: vec![Lanes::Unknown; module.variables.len()], memory, mask },
            frames: Vec::new(),
            doubts: 0,
            abandoned: None,
            touches: HashMap::default(),
            unwritten: HashSet::default(),
            steps: STEPS,
        };
        walk.block(&module.body);
        (walk.steps > 0).then_some(walk.unwritten)
    }

    pub(super) fn spend(&mut self, steps: u64) {
        self.steps = self.steps.saturating_sub(steps);
    }

    pub(super) fn variable(&self, variable: Handle<Variable>) -> Lanes {
        self.state.environment[variable.index()].clone()
    }

    pub(super) fn memory_of(&self, object: Object) -> &Memory {
        let position = self.objects.iter().position(|known| *known == object).unwrap_or(0);
        &self.state.memory[position]
    }

    fn memory_of_mut(&mut self, object: Object) -> &mut Memory {
        let position = self.objects.iter().position(|known| *known == object).unwrap_or(0);
        &mut self.state.memory[position]
    }

    /// Goes through a block; whether control gets to its end and on to what follows.
    fn block(&mut self, block: &'a Block) -> bool {
        for statement in &block.statements {
            self.spend(1);
            if self.steps == 0 || !self.statement(statement) || self.abandoned.is_some() {
                return false;
            }
        }
        match block.end {
            End::Next => return true,
            End::Break(label) => self.jump(label, |frame| &mut frame.breaks),
            End::Continue(label) => self.jump(label, |frame| &mut frame.continues),
            End::Return => {}
        }
        false
    }

    fn jump(&mut self, label: Label, target: impl FnOnce(&mut Frame) -> &mut Vec<State>) {
        let Some(frame) = self.frames.iter_mut().rfind(|frame| frame.label == label) else { return };
        if frame.is_counted && self.doubts > frame.doubts {
            self.abandoned = Some(label);
        } else {
            target(frame).push(self.state.clone());
        }
    }

    /// Goes through a statement; whether control gets to the next one.
    fn statement(&mut self, statement: &'a Statement) -> bool {
        match statement {
            Statement::Evaluate(value) => self.evaluate(*value),
            Statement::Store { place, value } => self.store(place, *value),
            Statement::If { condition, accept, reject } => return self.choose(*condition, accept, reject),
            Statement::Loop { label, body, continuing } => return self.repeat(*label, body, continuing),
            Statement::Barrier(_, Group::WorkGroup, fence) if orders_local(*fence) => {
                let (sure, steps) = (self.sure, self.state.memory.iter().map(Memory::len).sum::<usize>());
                self.spend(steps as u64 / 8);
                self.state.memory.iter_mut().for_each(|memory| memory.share(sure));
            }
            Statement::Barrier(..)
            | Statement::ImageWrite(_)
            | Statement::Order(..)
            | Statement::AssertUniform(..)
            | Statement::Wait(..)
            | Statement::Print { .. } => {}
        }
        true
    }

    fn evaluate(&mut self, handle: Handle<Value>) {
        let module = self.module;
        match &module.values[handle].op {
            Op::Load(place) if module.is_local(place) => self.read(place),
            Op::Atomic(atomic) if module.is_local(&atomic.place) => match atomic.access {
                AtomicAccess::Store(_) => self.write(&atomic.place),
                _ => self.read(&atomic.place),
            },
            Op::BlockAccess(access) if module.is_local(&access.place) => {
                self.not_written(object_of(module, access.place.base));
            }
            Op::GroupCopy(copy) if super::is_local_slice(module, copy.from) => {
                let is_there = self.slice_span(copy.from, 0).is_some_and(|span| {
                    let memory = self.memory_of(span.object);
                    memory.is_whole || span.is_exact && memory.is_shared(span.range)
                });
                if !is_there {
                    self.not_written(object_of(module, Base::Slice(copy.from)));
                }
            }
            _ => {}
        }
        self.values[handle.index()] = self.operation(handle);
    }

    fn store(&mut self, place: &Place, value: Handle<Value>) {
        match place.base {
            Base::Variable(variable) => {
                let new = if place.path.is_empty() { self.value(value) } else { Lanes::Unknown };
                let mut cost = 0;
                let held = &mut self.state.environment[variable.index()];
                *held = held.stored(&new, &self.state.mask, &mut cost);
                self.spend(cost);
            }
            _ if self.module.is_local(place) => self.write(place),
            _ => {}
        }
    }

    fn write(&mut self, place: &Place) {
        let Some(object) = object_of(self.module, place.base) else { return };
        if self.memory_of(object).is_whole {
            return;
        }
        let mask = Rc::clone(&self.state.mask);
        self.spend(self.lanes as u64);
        for lane in (0..self.lanes).filter(|&lane| mask[lane]) {
            if let Some(span) = self.span(place, lane)
                && span.is_exact
            {
                self.memory_of_mut(object).write(span.range, lane);
            }
        }
        if let Some(Index { index, .. }) = whole_element(place)
            && is_whole(self.module, place.base)
            && mask.iter().all(|comes| *comes)
        {
            let own = Extent::ALL.map(|extent| self.is_own(index, extent));
            for (extent, _) in Extent::ALL.into_iter().zip(own).filter(|(_, is_own)| *is_own) {
                let known = self.memory_of_mut(object).extent(extent);
                *known = (*known).max(Known::Written);
            }
        }
    }

    fn read(&mut self, place: &Place) {
        let object = object_of(self.module, place.base);
        if object.is_some_and(|object| self.memory_of(object).is_whole || self.unwritten.contains(&object)) {
            return;
        }
        self.spend(self.lanes as u64);
        let by_extent = object.is_some_and(|object| self.is_within_extent(object, place));
        let mut lanes = (0..self.lanes).filter(|&lane| self.state.mask[lane]);
        let is_written = by_extent
            || lanes.all(|lane| {
                self.span(place, lane).is_some_and(|span| match span.is_exact {
                    true => self.memory_of(span.object).is_written(span.range, lane),
                    false => self.memory_of(span.object).is_shared(span.range),
                })
            });
        if !is_written {
            self.not_written(object);
        }
    }

    /// Returns whether a place is in an element below an extent that everybody may read.
    fn is_within_extent(&mut self, object: Object, place: &Place) -> bool {
        let (Some(Step::Index(index)), true) = (place.path.first(), is_whole(self.module, place.base)) else {
            return false;
        };
        let index = index.index;
        Extent::ALL.into_iter().any(|extent| {
            *self.memory_of_mut(object).extent(extent) == Known::Shared
                && self.analysis.is_below(index, extent)
        })
    }

    /// Something is read that may not have been written; without an object it may be anything.
    fn not_written(&mut self, object: Option<Object>) {
        match object {
            Some(object) => self.unwritten.extend([object]),
            None => self.unwritten.extend(self.objects.iter().copied()),
        }
    }

    fn choose(&mut self, condition: Handle<Value>, accept: &'a Block, reject: &'a Block) -> bool {
        let known = self.value(condition);
        if let Lanes::Same(bits) = known {
            return self.block(if bits == 0 { reject } else { accept });
        }
        self.spend(self.lanes as u64);
        let before = self.state.clone();
        let taken_by = |truth: u64| -> Mask {
            (0..self.lanes)
                .map(|lane| before.mask[lane] && known.of(lane).is_none_or(|bits| bits == truth))
                .collect()
        };
        let masks = [taken_by(1), taken_by(0)];
        let in_doubt = (0..self.lanes).any(|lane| masks[0][lane] && masks[1][lane]);
        self.doubts += usize::from(in_doubt);
        let [mut accepted, mut rejected] = [None, None];
        for ((mask, block), end) in
            masks.into_iter().zip([accept, reject]).zip([&mut accepted, &mut rejected])
        {
            if mask.contains(&true) && self.abandoned.is_none() {
                self.state = State { mask, ..before.clone() };
                *end = self.block(block).then(|| self.state.clone());
            }
        }
        self.doubts -= usize::from(in_doubt);
        // In each subgroup there is one that takes this branch.
        let of_subgroups = match &accepted {
            Some(accepted) if self.is_first_of_subgroup(condition) => accepted.memory.clone(),
            _ => Vec::new(),
        };
        let falls_through = self.arrive(accepted.into_iter().chain(rejected));
        for (memory, mut accepted) in self.state.memory.iter_mut().zip(of_subgroups) {
            let known = memory.extent(Extent::Subgroups);
            *known = (*known).max(*accepted.extent(Extent::Subgroups));
        }
        falls_through
    }

    /// Goes on where paths meet; whether there is any.
    fn arrive(&mut self, paths: impl IntoIterator<Item = State>) -> bool {
        let mut paths = paths.into_iter();
        let Some(mut joined) = paths.next() else { return false };
        let mut cost = 0;
        for path in paths {
            let masks = [&joined.mask, &path.mask];
            for (held, other) in joined.environment.iter_mut().zip(&path.environment) {
                *held = held.joined(other, masks, &mut cost);
            }
            for (memory, other) in joined.memory.iter_mut().zip(&path.memory) {
                memory.join(other, masks, &mut cost);
            }
            joined.mask = masks[0].iter().zip(masks[1].iter()).map(|(one, other)| *one || *other).collect();
            cost += joined.environment.len() as u64 / 8;
        }
        self.spend(cost);
        self.state = joined;
        true
    }

    fn repeat(&mut self, label: Label, body: &'a Block, continuing: &'a Block) -> bool {
        if !body.reaches_end_of(label) {
            self.enter(label, false);
            self.block(body);
            let exits = self.exits();
            return self.abandoned.is_none() && self.arrive(exits);
        }
        if self.touches_memory(label, [body, continuing]) {
            let (entry, unwritten) = (self.state.clone(), self.unwritten.clone());
            let lengths: Vec<_> =
                self.frames.iter().map(|frame| (frame.breaks.len(), frame.continues.len())).collect();
            match self.pass_by_pass(label, body, continuing) {
                Some(falls_through) => return falls_through,
                None => (self.state, self.unwritten) = (entry, unwritten),
            }
            for (frame, (breaks, continues)) in self.frames.iter_mut().zip(lengths) {
                frame.breaks.truncate(breaks);
                frame.continues.truncate(continues);
            }
        }
        self.all_passes(label, body, continuing)
    }

    fn enter(&mut self, label: Label, is_counted: bool) {
        let (breaks, continues) = (Vec::new(), Vec::new());
        self.frames.push(Frame { label, doubts: self.doubts, is_counted, breaks, continues });
    }

    fn exits(&mut self) -> Vec<State> {
        self.frames.pop().map_or(Vec::new(), |frame| frame.breaks)
    }

    /// Goes through the passes of a loop one by one, and says whether control gets on to what follows; no answer if it is not known who leaves
    /// the loop when.
    fn pass_by_pass(&mut self, label: Label, body: &'a Block, continuing: &'a Block) -> Option<bool> {
        self.enter(label, true);
        for _ in 0..PASSES {
            let falls_through = self.block(body);
            let goes_on =
                self.abandoned.is_none() && self.join_continues(falls_through) && self.block(continuing);
            if goes_on {
                continue;
            }
            let exits = self.exits();
            return match self.abandoned {
                Some(abandoned) if abandoned == label => {
                    self.abandoned = None;
                    None
                }
                Some(_) => Some(false),
                None => Some(self.arrive(exits)),
            };
        }
        self.exits();
        None
    }

    /// Brings the end of the body and the jumps to the `continuing` block together.
    fn join_continues(&mut self, falls_through: bool) -> bool {
        let continues =
            self.frames.last_mut().map_or(Vec::new(), |frame| std::mem::take(&mut frame.continues));
        let end = falls_through.then(|| self.state.clone());
        self.arrive(end.into_iter().chain(continues))
    }

    /// Goes once through what any pass of a loop does. Branches that leave it are ones of which it is not known who takes them in which pass.
    fn all_passes(&mut self, label: Label, body: &'a Block, continuing: &'a Block) -> bool {
        for block in [body, continuing] {
            block.for_each_statement(&mut |statement| {
                if let Statement::Store { place: Place { base: Base::Variable(variable), .. }, .. } =
                    statement
                {
                    self.state.environment[variable.index()] = Lanes::Unknown;
                }
            });
        }
        self.doubts += 1;
        self.enter(label, false);
        let falls_through = self.block(body);
        if self.abandoned.is_none() && self.join_continues(falls_through) {
            self.block(continuing);
        }
        let exits = self.exits();
        self.doubts -= 1;
        self.abandoned.is_none() && self.arrive(exits)
    }

    /// Returns whether an index is the number of the work-item in its group, or of its subgroup.
    fn is_own(&self, index: Handle<Value>, extent: Extent) -> bool {
        match (self.analysis.query(index), extent) {
            (Some((Query::LocalLinearId, _)), Extent::Group)
            | (Some((Query::SubgroupId, _)), Extent::Subgroups) => true,
            (Some((Query::LocalId, dimension)), Extent::Group) => dimension == 0 && self.module.rank() == 1,
            _ => false,
        }
    }

    /// Returns whether a condition holds for one work-item of each subgroup.
    fn is_first_of_subgroup(&self, condition: Handle<Value>) -> bool {
        match self.module.values[condition].op {
            Op::Binary { op: BinaryOp::Eq, left, right, .. } => {
                [(left, right), (right, left)].into_iter().any(|(id, zero)| {
                    self.value(zero) == Lanes::Same(0)
                        && self.analysis.query(id).is_some_and(|(query, _)| query == Query::SubgroupLocalId)
                })
            }
            _ => false,
        }
    }

    fn touches_memory(&mut self, label: Label, blocks: [&Block; 2]) -> bool {
        let module = self.module;
        *self.touches.entry(label).or_insert_with(|| {
            let mut found = false;
            for block in blocks {
                block.for_each_statement(&mut |statement| {
                    found |= match statement {
                        Statement::Evaluate(value) => {
                            module.values[*value].op.place().is_some_and(|place| module.is_local(place))
                        }
                        Statement::Store { place, .. } => module.is_local(place),
                        _ => false,
                    };
                });
            }
            found
        })
    }
}

/// Returns whether a fence orders what work-items of a group do to local memory.
pub(super) fn orders_local(fence: Fence) -> bool {
    match fence {
        Fence::Local | Fence::LocalAndGlobal => true,
        Fence::Given(scope, memory) => scope != Scope::Subgroup && memory.contains(crate::ir::Memory::LOCAL),
    }
}

/// The index, if a path leads to an element of a whole array or slice in local memory.
fn whole_element(place: &Place) -> Option<Index> {
    match place.path[..] {
        [Step::Index(index)] => Some(index),
        _ => None,
    }
}

/// Returns whether a path starts at the first element of an array or slice in local memory.
fn is_whole(module: &Module, base: Base) -> bool {
    match base {
        Base::Local(local) => matches!(module.types[module.locals[local].ty], Type::Array { .. }),
        Base::Slice(slice) => match &module.values[slice].op {
            Op::Parameter(_) => true,
            Op::SliceOf(place) => place.path.is_empty() && is_whole(module, place.base),
            _ => false,
        },
        _ => false,
    }
}
