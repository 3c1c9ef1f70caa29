//! Which work-items agree on a value, and which come to a statement together.
//!
//! The lattice is a chain: what all work-items of the launch agree on, all of a work-group, all of a subgroup, or nobody in particular
//! ([`Uniformity`]). Values and control depend on each other:
//!
//! - A value is as uniform as its operands; ids and sizes are what they are. An element of a slice that cannot be written to is as
//!   uniform as the index; all other memory may differ between work-items.
//! - A variable is as uniform as what is stored to it, wherever that is, and as control is there: if only some work-items come to a
//!   store, the variable differs between them and the others. In an array the indices count too, and one of which there is a slice
//!   may differ.
//! - A block of an `if` is reached as uniformly as the condition and the `if`. Where only some work-items jump away, the rest go on
//!   alone, to the end of the loop that the jump leaves or starts over, or for good after a `return`. A loop that some leave before
//!   others is gone through by such a rest in every later pass, so this includes its statements before the jump.
//!
//! Everything starts out as uniform as possible and only ever gets less so, until nothing changes.

use crate::hash::HashMap;
use crate::ir::{
    Base, Block, BlockAccess, Collective, End, Extent, Group, Handle, ImageBlock, ImageOp, Label, Module, Op,
    Place, Query, Space, Statement, Type, Value,
};
use proc_macro2::Span;

/// Which work-items have the same value, or come to a statement together; a greater one is less uniform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uniformity {
    /// All work-items of the launch.
    #[default]
    Launch,
    /// All work-items of a work-group.
    WorkGroup,
    /// All work-items of a subgroup.
    Subgroup,
    /// No two work-items need agree.
    Varying,
}

/// How uniformly control gets somewhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Control {
    pub(super) uniformity: Uniformity,
    /// The condition that makes it less uniform than the start of the kernel.
    pub(super) cause: Option<Handle<Value>>,
}

impl Control {
    /// The less uniform of two.
    fn max(self, other: Self) -> Self {
        if other.uniformity > self.uniformity { other } else { self }
    }
}

/// A place to which the work-items of a group have to come together.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConvergentOperation {
    pub(super) span: Span,
    pub(super) group: Group,
    /// What they do there.
    pub(super) kind: ConvergentKind,
    /// How uniformly they come.
    pub(super) control: Control,
    /// How uniform the id is of the work-item that a broadcast is from, the place where a block starts, or what is copied where.
    pub(super) id: Uniformity,
}

/// What the work-items of a group do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConvergentKind {
    Barrier,
    Collective(Collective),
    BlockAccess,
    /// They copy something, by operands on which they agree.
    Copy,
    /// They find out whether any of them has faulted, at the head of a loop that they go through together for something else.
    Vote,
}

/// The uniformity of everything in a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Uniformities {
    /// Of each value, by its position.
    pub(super) values: Vec<Uniformity>,
    /// Of what each variable ever holds, by its position.
    pub(super) variables: Vec<Uniformity>,
    /// Of control in the passes of each loop that repeats, because of those that have left it.
    passes: HashMap<Label, Control>,
    /// Of control after each loop, because of those that have left it for somewhere further out.
    beyond: HashMap<Label, Control>,
    /// The loops around the current block, with whether they repeat.
    loops: Vec<(Label, bool)>,
    /// Of control at each barrier and each collective, in the order of the text.
    pub(super) convergents: Vec<ConvergentOperation>,
    /// Of whether a work-item has faulted.
    faulted: Uniformity,
    changed: bool,
}

impl Uniformities {
    pub(super) fn of(module: &Module) -> Self {
        Self::with(module, Uniformity::Varying)
    }

    /// The same, as if no work-item left a loop because of a fault.
    pub(super) fn without_fault_exits(module: &Module) -> Self {
        Self::with(module, Uniformity::Launch)
    }

    /// Of control in the passes of a loop, because of those that leave it.
    pub(super) fn of_passes(&self, label: Label) -> Uniformity {
        self.passes.get(&label).copied().unwrap_or_default().uniformity
    }

    /// Returns whether all come to everything that they have to come to together.
    pub(super) fn all_meet(&self) -> bool {
        self.convergents
            .iter()
            .all(|convergent| convergent.control.uniformity.max(convergent.id) <= of_group(convergent.group))
    }

    fn with(module: &Module, faulted: Uniformity) -> Self {
        let mut found = Self {
            faulted,
            values: vec![Uniformity::Launch; module.values.len()],
            variables: variables(module),
            changed: true,
            ..Self::default()
        };
        let start = match module.export {
            Some(_) => Control { uniformity: Uniformity::Varying, cause: None },
            None => Control::default(),
        };
        // Each round but the last makes something less uniform, so there are few.
        while std::mem::take(&mut found.changed) {
            found.convergents.clear();
            found.block(module, &module.body, start);
        }
        found
    }

    /// Goes through a block that control reaches so uniformly.
    fn block(&mut self, module: &Module, block: &Block, mut control: Control) {
        for statement in &block.statements {
            control = self.statement(module, statement, control);
        }
        match block.end {
            End::Next => {}
            End::Break(label) | End::Continue(label) => self.jump(Some(label), control),
            End::Return => self.jump(None, control),
        }
    }

    /// Goes through a statement; how uniformly control gets to the next one.
    fn statement(&mut self, module: &Module, statement: &Statement, control: Control) -> Control {
        match statement {
            Statement::Evaluate(value) => {
                self.collective(module, *value, control);
                let uniformity = self.operation(module, *value);
                Self::lower(&mut self.values[value.index()], uniformity, &mut self.changed);
                control
            }
            Statement::Store { place, value } => {
                if let Base::Variable(variable) = place.base {
                    let indices = place.indices().map(|step| self.value(module, step.index));
                    let uniformity =
                        indices.fold(control.uniformity, Uniformity::max).max(self.value(module, *value));
                    Self::lower(&mut self.variables[variable.index()], uniformity, &mut self.changed);
                }
                control
            }
            Statement::ImageWrite(_) => control,
            Statement::If { condition, accept, reject } => {
                let of_condition =
                    Control { uniformity: self.value(module, *condition), cause: Some(*condition) };
                let inner = control.max(of_condition);
                let jumps = [accept, reject].map(|block| {
                    self.block(module, block, inner);
                    leaves(block)
                });
                // Where some jump away, those that do not are alone, until the target of the jump.
                if jumps.contains(&true) { inner } else { control }
            }
            Statement::Loop { label, body, continuing } => {
                let inner = control.max(self.passes.get(label).copied().unwrap_or_default());
                self.loops.push((*label, body.reaches_end_of(*label)));
                self.block(module, body, inner);
                self.loops.pop();
                self.block(module, continuing, inner);
                control.max(self.beyond.get(label).copied().unwrap_or_default())
            }
            Statement::Order(..) | Statement::Print { .. } => control,
            Statement::AssertUniform(span, values) => {
                let values = values.iter().map(|value| self.value(module, *value));
                let id = values.fold(Uniformity::Launch, Uniformity::max);
                self.note(*span, Group::WorkGroup, ConvergentKind::Copy, control, id);
                control
            }
            Statement::Wait(span, _) => {
                self.note(*span, Group::WorkGroup, ConvergentKind::Copy, control, Uniformity::Launch);
                control
            }
            Statement::Barrier(span, group, _) => {
                self.note(*span, *group, ConvergentKind::Barrier, control, Uniformity::Launch);
                control
            }
        }
    }

    /// Those that come here go to a loop around, or to the end of the kernel.
    fn jump(&mut self, target: Option<Label>, control: Control) {
        for &(label, repeats) in self.loops.iter().rev() {
            if repeats {
                Self::part(self.passes.entry(label).or_default(), control, &mut self.changed);
            }
            if target == Some(label) {
                return;
            }
            Self::part(self.beyond.entry(label).or_default(), control, &mut self.changed);
        }
    }

    /// What the work-items of a group do together, if a value is that.
    fn collective(&mut self, module: &Module, value: Handle<Value>, control: Control) {
        let Value { op, span, .. } = &module.values[value];
        let (group, kind, id) = match op {
            Op::Collective { group, collective, operands } => {
                let id = match (collective, operands.get(1)) {
                    (Collective::Broadcast, Some(id)) => self.value(module, *id),
                    _ => Uniformity::Launch,
                };
                let is_vote = op.vote(&module.values).is_some();
                (
                    *group,
                    if is_vote { ConvergentKind::Vote } else { ConvergentKind::Collective(*collective) },
                    id,
                )
            }
            Op::BlockAccess(BlockAccess { place, .. }) => {
                let mut start = Uniformity::Launch;
                place.for_each_operand(&mut |operand| start = start.max(self.value(module, operand)));
                (Group::Subgroup, ConvergentKind::BlockAccess, start)
            }
            Op::Image(ImageOp::Block(ImageBlock { at, .. })) => {
                let start = at.map(|at| self.value(module, at));
                (Group::Subgroup, ConvergentKind::BlockAccess, start[0].max(start[1]))
            }
            _ => return,
        };
        self.note(*span, group, kind, control, id);
    }

    fn note(&mut self, span: Span, group: Group, kind: ConvergentKind, control: Control, id: Uniformity) {
        self.convergents.push(ConvergentOperation { span, group, kind, control, id });
    }

    fn part(known: &mut Control, found: Control, changed: &mut bool) {
        if found.uniformity > known.uniformity {
            *known = found;
            *changed = true;
        }
    }

    fn lower(known: &mut Uniformity, found: Uniformity, changed: &mut bool) {
        if found > *known {
            *known = found;
            *changed = true;
        }
    }

    fn value(&self, module: &Module, value: Handle<Value>) -> Uniformity {
        match module.values[value].op {
            // Each work-item calls a function with arguments of its own.
            Op::Parameter(_) if module.export.is_some() => Uniformity::Varying,
            Op::Parameter(_) | Op::Constant(_) | Op::Zero => Uniformity::Launch,
            _ => self.values[value.index()],
        }
    }

    fn operation(&self, module: &Module, handle: Handle<Value>) -> Uniformity {
        let op = &module.values[handle].op;
        let mut operands = Uniformity::Launch;
        op.for_each_operand(&mut |operand| operands = operands.max(self.value(module, operand)));
        match op {
            Op::Query(query, dimension) => query_uniformity(module, *query, *dimension),
            Op::Collective { group, .. } if op.vote(&module.values).is_some() => {
                self.faulted.min(of_group(*group))
            }
            Op::Collective { group, collective, .. } => match collective {
                Collective::Shuffle | Collective::Fold(_, Extent::Inclusive | Extent::Exclusive) => {
                    Uniformity::Varying
                }
                _ => of_group(*group),
            },
            Op::HasFaulted => self.faulted,
            Op::AssumeUniform(group, _) => operands.min(of_group(*group)),
            // Another work-item may come between; what another module does with the ids nobody knows.
            Op::Atomic(_) | Op::Call(_) => Uniformity::Varying,
            // Each work-item gets an element of its own.
            Op::BlockAccess(_) | Op::Image(ImageOp::Block(_)) => Uniformity::Varying,
            Op::Load(place) => operands.max(self.memory(module, place)),
            // Where an array is, not what it holds; each work-item has its own variables.
            Op::SliceOf(Place { base: Base::Variable(_), .. }) => Uniformity::Varying,
            // Others may write to an image that is also written.
            Op::Image(ImageOp::Read { image, .. }) if is_written(module, *image) => Uniformity::Varying,
            _ => operands,
        }
    }

    fn memory(&self, module: &Module, place: &Place) -> Uniformity {
        match place.base {
            Base::Variable(variable) => self.variables[variable.index()],
            Base::Slice(slice) => match module.types[module.values[slice].ty] {
                Type::Slice { space: Space::Global, mutable: false, .. }
                | Type::Slice { space: Space::Constant, .. } => Uniformity::Launch,
                _ => Uniformity::Varying,
            },
            // Where none race, nobody writes it while others read it.
            Base::Local(_) if !module.attributes.may_race => Uniformity::WorkGroup,
            Base::Local(_) => Uniformity::Varying,
            Base::Parameter(_) | Base::Table(_) => Uniformity::Launch,
            Base::Pointer(pointer) => match module.types[module.values[pointer].ty] {
                Type::Pointer { mutable: false, raw: false, .. } => Uniformity::Launch,
                _ => Uniformity::Varying,
            },
        }
    }
}

/// How uniform each variable is before anything is stored to it. What is stored through a slice of an array is not followed.
fn variables(module: &Module) -> Vec<Uniformity> {
    let mut found = vec![Uniformity::Launch; module.variables.len()];
    for (_, value) in module.values.iter() {
        if let Op::SliceOf(Place { base: Base::Variable(variable), .. }) = value.op {
            found[variable.index()] = Uniformity::Varying;
        }
    }
    found
}

/// Which work-items a group are.
pub(super) fn of_group(group: Group) -> Uniformity {
    match group {
        Group::WorkGroup => Uniformity::WorkGroup,
        Group::Subgroup => Uniformity::Subgroup,
    }
}

/// Returns whether an image may be written to.
fn is_written(module: &Module, image: Handle<Value>) -> bool {
    matches!(module.types[module.values[image].ty], Type::Image(image) if image.access.writes())
}

/// Returns whether a block, or one nested in it, jumps out of where it stands.
fn leaves(block: &Block) -> bool {
    let mut loops = Vec::new();
    let mut targets = Vec::new();
    let mut returns = false;
    block.for_each_block(&mut |block| {
        match block.end {
            End::Next => {}
            End::Return => returns = true,
            End::Break(label) | End::Continue(label) => targets.push(label),
        }
        loops.extend(block.statements.iter().filter_map(|statement| match statement {
            Statement::Loop { label, .. } => Some(*label),
            _ => None,
        }));
    });
    returns || targets.iter().any(|target| !loops.contains(target))
}

fn query_uniformity(module: &Module, query: Query, dimension: u8) -> Uniformity {
    let is_one = module.attributes.group_size.is_some_and(|size| size[usize::from(dimension)] == 1);
    match query {
        Query::GlobalSize | Query::LocalSize | Query::NumGroups => Uniformity::Launch,
        Query::WorkGroupSize | Query::NumSubgroups | Query::MaxSubgroupSize => Uniformity::Launch,
        Query::SubgroupId | Query::SubgroupSize => Uniformity::Subgroup,
        Query::LocalLinearId | Query::SubgroupLocalId => Uniformity::Varying,
        Query::LocalId if is_one => Uniformity::Launch,
        Query::GroupId => Uniformity::WorkGroup,
        Query::GlobalId if is_one => Uniformity::WorkGroup,
        Query::GlobalId | Query::LocalId => Uniformity::Varying,
    }
}
