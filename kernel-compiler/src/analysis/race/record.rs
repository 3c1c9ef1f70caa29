//! What a kernel accesses that work-items share, and what is known where it does.
//!
//! The walk calls [`Walk::record`] before each statement. Facts are kept as a tree, in which each access has a node: what was known at that point are the
//! facts from there to the root. So nothing is copied, and an access whose node is above that of another one knew less.

use super::exact::Form;
use super::phases::Step;
use crate::analysis::environment::Environment;
use crate::analysis::facts::Fact;
use crate::analysis::interval::Interval;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Point, Term, Terms};
use crate::analysis::walk::Walk;
use crate::hash::HashMap;
use crate::ir::{
    self, Aliasing, Atomic, Base, Block, Check, End, Handle, ImageBlock, ImageOp, Label, LocalVariable,
    Module, Op, Place, Query, Scope, Space, Statement, Type, Value, Variable,
};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use proc_macro2::Span;
use std::rc::Rc;

/// What is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Object {
    /// What the parameter with this position leads to.
    Parameter(u32),
    /// A variable in local memory.
    Local(Handle<LocalVariable>),
}

/// What is done with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Read,
    Write,
    Atomic,
}

impl Kind {
    /// Returns whether the order of two accesses to one element matters, and nothing gives them one.
    pub(super) fn conflicts_with(self, other: Self) -> bool {
        [self, other].iter().any(|kind| *kind != Self::Read) && (self, other) != (Self::Atomic, Self::Atomic)
    }
}

/// A step on the way to what is accessed.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// An element with this index.
    Element(Form),
    /// A member of a struct.
    Member(u32),
}

/// An access to memory that is shared.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) step: Step,
    pub(super) span: Span,
    pub(super) kind: Kind,
    /// The copy that it is part of, if the group does it together, at any time until it waits for it.
    pub(super) copy: Option<Handle<Value>>,
    /// Whether what is accessed of an image is given in bytes of a row rather than in texels.
    pub(super) in_bytes: bool,
    /// Who may access it at the same time, if it is atomic.
    pub(super) scope: Option<Scope>,
    /// What it finds there, if it is atomic.
    pub(super) atomic: Option<Handle<Value>>,
    pub(super) object: Object,
    pub(super) path: Rc<[Part]>,
    /// The facts in force.
    pub(super) node: Option<usize>,
    /// What is not negative, because the indices are in bounds.
    pub(super) bounds: Vec<Form>,
    /// The range of each term that the indices are made of.
    pub(super) ranges: Vec<(Term, Interval)>,
}

/// A fact with those before it.
#[derive(Debug)]
pub(super) struct FactNode {
    pub(super) parent: Option<usize>,
    /// The first node that is not below this one, once that is there.
    end: Option<usize>,
    /// What is not negative.
    pub(super) difference: Form,
    pub(super) ranges: Vec<(Term, Interval)>,
}

/// A variable at the head of a loop: what it is before, and what is added in the pass that has just ended.
#[derive(Debug)]
pub(super) struct Induction {
    pub(super) label: Label,
    pub(super) start: Form,
    pub(super) step: Form,
    /// The flag that holds in each pass which is gone through, if the sum is exact only because of that.
    pub(super) flag: Option<Term>,
    /// Whether it is one of two numbers in turn, `c - x` or `x ^ c` after `x`.
    pub(super) alternates: bool,
    /// What it is after the first pass, if each pass gives it what another variable has, or 1 less that, and that one what it has.
    pub(super) exchanged: Option<Form>,
    /// The facts at the end of each pass.
    pub(super) node: Option<usize>,
}

/// What has been seen so far.
#[derive(Debug, Default)]
pub(in crate::analysis) struct Recorder {
    pub(super) accesses: Vec<Access>,
    pub(super) facts: Vec<FactNode>,
    /// The node of each fact in force, oldest first.
    in_force: Vec<usize>,
    /// Of terms that each pass of a loop changes: what they start as, and what each pass adds.
    pub(super) inductions: HashMap<Term, Induction>,
    /// What variables are before the loop at whose head they are these terms.
    starts: HashMap<Term, Form>,
    /// The facts at the end of each pass of a loop.
    pub(super) ends: HashMap<Label, Option<usize>>,
    /// The loops that are gone through at least once, with the branch at their head by which they are left.
    pub(super) entered: HashMap<Label, Step>,
    /// The accesses through what cannot be told to be one object or another.
    pub(super) unknown: Vec<Span>,
    /// Whether a work-item ends at its first fault, since no others wait for it.
    faults_end: bool,
    /// How they are noted.
    reading: Reading,
    /// In which case: conditions, and whether they hold.
    cases: Vec<(Term, Interval)>,
}

/// How the accesses of a kernel are noted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::analysis) enum Reading {
    /// As they are written.
    #[default]
    Plain,
    /// Sums of numbers of the launch are not taken apart.
    WithSums,
    /// Where a condition chooses between two indices, as two accesses: one where it holds, and one where it does not.
    ByCases,
    /// As they are written, and what has nothing to do with them is passed over.
    OfSlice,
}

impl Reading {
    /// Returns the ways to note accesses by which those that are made of these terms look different from how they are written.
    pub(super) fn that_differ(terms: &Terms) -> Vec<Self> {
        let (sums, choices) = (terms.has_sums_of_launch(), terms.has_choices());
        [(Self::WithSums, sums), (Self::ByCases, choices)]
            .into_iter()
            .filter_map(|(reading, differs)| differs.then_some(reading))
            .collect()
    }
}

/// How many conditions an access is taken apart by.
const MOST_CONDITIONS: u32 = 2;

impl Recorder {
    /// Returns the facts that are known at a node with their positions, the last one first.
    pub(super) fn facts_at(&self, node: Option<usize>) -> impl Iterator<Item = (usize, &FactNode)> {
        let with_fact = |index: usize| (index, &self.facts[index]);
        std::iter::successors(node.map(with_fact), move |(_, fact)| fact.parent.map(with_fact))
    }

    /// Returns whether what is known at a node is known at another one too.
    pub(super) fn is_above(&self, node: usize, other: Option<usize>) -> bool {
        other.is_some_and(|other| node <= other && self.facts[node].end.is_none_or(|end| other < end))
    }

    /// Returns the node of the facts that are known at two nodes.
    pub(super) fn known_at_both(&self, mut one: Option<usize>, mut other: Option<usize>) -> Option<usize> {
        // A node comes after what it is below, and none is above all.
        while one != other {
            let later = if one > other { &mut one } else { &mut other };
            *later = later.and_then(|node| self.facts[node].parent);
        }
        one
    }

    /// What notes the accesses of a kernel.
    pub(in crate::analysis) fn of(module: &Module, reading: Reading) -> Self {
        Self { faults_end: !module.body.has_convergent(&module.values), reading, ..Self::default() }
    }

    /// Returns how accesses are noted.
    pub(in crate::analysis) fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns whether what has nothing to do with accesses is passed over.
    pub(in crate::analysis) fn is_of_slice(&self) -> bool {
        self.reading == Reading::OfSlice
    }

    pub(in crate::analysis) fn keeps_sums(&self) -> bool {
        self.reading == Reading::WithSums
    }

    /// Returns whether a work-item ends at its first fault.
    pub(in crate::analysis) fn faults_end(&self) -> bool {
        self.faults_end
    }
}

/// An object with the way into it: the steps to where a slice starts, and the index of its first element.
type Start = (Object, Vec<Part>, Form);

impl Walk<'_> {
    /// Notes what a statement accesses, if that is asked for; the walk is before it.
    pub(in crate::analysis) fn record(&mut self, statement: &Statement) {
        if self.recorder.is_none() || !self.is_proving() {
            return;
        }
        let step = Step::of(statement);
        match statement {
            Statement::Evaluate(value) => self.record_value(step, *value),
            Statement::Store { place, value } => {
                let span = self.span_of(place, *value);
                self.record_place(step, place, Kind::Write, span);
            }
            Statement::ImageWrite(write) => {
                let span = self.module.values[write.texel].span;
                self.record_texel(step, write.image, &write.at, Kind::Write, span);
            }
            _ => {}
        }
    }

    fn record_value(&mut self, step: Step, handle: Handle<Value>) {
        let module = self.module;
        let Value { op, span, .. } = &module.values[handle];
        match op {
            Op::Load(place) => self.record_place(step, place, Kind::Read, *span),
            Op::Atomic(Atomic { place, scope, .. }) => {
                self.record_place(step, place, Kind::Atomic, *span);
                self.name_atomics(handle, *scope);
            }
            Op::BlockAccess(access) => {
                let kind = if access.stored.is_some() { Kind::Write } else { Kind::Read };
                let stored = access.stored.map_or(handle, |stored| stored);
                self.record_block(step, &access.place, kind, self.lanes(stored), *span);
            }
            Op::GroupCopy(copy) => self.record_copy(step, handle, *copy),
            Op::Image(ImageOp::Read { image, at, .. }) => {
                self.record_texel(step, *image, at, Kind::Read, *span)
            }
            Op::Image(ImageOp::Block(block)) => {
                let kind = if block.stored.is_some() { Kind::Write } else { Kind::Read };
                self.record_image_block(step, handle, block, kind);
            }
            _ => {}
        }
    }

    fn lanes(&self, value: Handle<Value>) -> u32 {
        match self.module.types[self.module.values[value].ty] {
            Type::Vector { lanes, .. } => lanes,
            _ => 1,
        }
    }

    /// Where a store is written: that of the index if it is checked, else that of what is stored.
    fn span_of(&self, place: &Place, value: Handle<Value>) -> Span {
        let site = place.indices().find_map(|index| match index.check {
            Check::At(site) => Some(self.module.sites[site].span),
            Check::Proved => None,
        });
        site.unwrap_or(self.module.values[value].span)
    }

    fn record_place(&mut self, step: Step, place: &Place, kind: Kind, span: Span) {
        if self.is_shared(place) {
            self.in_each_case(place, MOST_CONDITIONS, &|walk: &mut Self| {
                walk.record_with(step, place, kind, span, |_, start| start);
            });
        }
    }

    /// Does something where the first conditions hold by which the indices of a place are chosen, and where they do not.
    fn in_each_case(&mut self, place: &Place, conditions: u32, note: &impl Fn(&mut Self)) {
        let by_cases =
            conditions > 0 && self.recorder.as_ref().is_some_and(|it| it.reading == Reading::ByCases);
        let Some(condition) = by_cases.then(|| self.open_condition(place)).flatten() else {
            return note(self);
        };
        // What is known without the condition is noted without it.
        self.record_facts();
        for holds in [true, false] {
            let mark = self.knowledge.facts.mark();
            let case = Interval::exactly(i128::from(holds));
            self.knowledge.assume(condition, holds);
            self.knowledge.learn_range(condition, case);
            if let Some(recorder) = &mut self.recorder {
                recorder.cases.push((condition, case));
            }
            self.in_each_case(place, conditions - 1, note);
            if let Some(recorder) = &mut self.recorder {
                recorder.cases.pop();
            }
            self.knowledge.facts.forget(mark);
        }
    }

    /// A term without what is not chosen in it, by the conditions of which is known whether they hold.
    fn chosen(&mut self, whole: Term) -> Term {
        if self.recorder.as_ref().is_none_or(|recorder| recorder.reading != Reading::ByCases) {
            return whole;
        }
        let mut made: HashMap<Term, Term> = HashMap::default();
        for part in self.knowledge.terms.parts([whole]) {
            let of = |term: Term| made.get(&term).copied().unwrap_or(term);
            let knowledge = &mut self.knowledge;
            let new = match knowledge.terms.node(part) {
                Node::Select(condition, accept, reject) => match knowledge.truth(condition) {
                    Some(true) => of(accept),
                    Some(false) => of(reject),
                    None => knowledge.terms.select(of(condition), of(accept), of(reject)),
                },
                Node::Binary(op, left, right) => knowledge.terms.binary(op, of(left), of(right)),
                Node::Cast(operand) => {
                    let scalar = knowledge.terms.scalar(part);
                    knowledge.terms.cast(of(operand), scalar)
                }
                _ => part,
            };
            made.insert(part, new);
        }
        made.get(&whole).copied().unwrap_or(whole)
    }

    /// A condition by which one of the indices of a place is chosen, or where a part of a slice starts, of which nothing is known.
    fn open_condition(&mut self, place: &Place) -> Option<Term> {
        let mut indices: Vec<Term> = place.indices().map(|index| self.term(index.index)).collect();
        let mut around = match place.base {
            Base::Slice(slice) => Some(slice),
            _ => None,
        };
        while let Some(slice) = around {
            around = match self.module.values[slice].op {
                Op::SubSlice { slice, start, len } => {
                    indices.push(self.start_of_part(start, len));
                    Some(slice)
                }
                Op::AssumeUniform(_, slice) => Some(slice),
                _ => None,
            };
        }
        let parts = self.knowledge.terms.parts(indices);
        parts.into_iter().find_map(|part| match self.knowledge.terms.node(part) {
            Node::Select(condition, ..) => self.knowledge.truth(condition).is_none().then_some(condition),
            _ => None,
        })
    }

    /// Notes that the accesses of the last statement are this atomic one.
    fn name_atomics(&mut self, handle: Handle<Value>, scope: Scope) {
        let accesses = self.recorder.iter_mut().flat_map(|recorder| recorder.accesses.iter_mut().rev());
        for access in accesses.take_while(|access| access.kind == Kind::Atomic && access.atomic.is_none()) {
            access.atomic = Some(handle);
            access.scope = Some(scope);
        }
    }

    /// A block of a subgroup: an element for each work-item, and for each lane of a vector another one a subgroup further on.
    fn record_block(&mut self, step: Step, place: &Place, kind: Kind, lanes: u32, span: Span) {
        if !self.is_shared(place) {
            return;
        }
        self.record_with(step, place, kind, span, |walk, index| {
            let terms = &mut walk.knowledge.terms;
            let own = terms.intern(Node::Query(Query::SubgroupLocalId, 0), Scalar::Usize);
            let own = index.plus(Form::of(own, 1), 1);
            if lanes == 1 {
                return own;
            }
            let size = match walk.module.attributes.subgroup_size {
                Some(size) => Polynomial::product(Vec::new(), i128::from(size)),
                None => Polynomial::product(
                    vec![walk.knowledge.terms.intern(Node::Query(Query::MaxSubgroupSize, 0), Scalar::Usize)],
                    1,
                ),
            };
            let lane = walk.knowledge.terms.intern(Node::Any(lanes), Scalar::Usize);
            own.plus(Form::certain(size.times(&Polynomial::product(vec![lane], 1))), 1)
        });
    }

    /// Returns whether other work-items may access a place, and rules are to keep them from doing so at the same time.
    pub(super) fn is_shared(&self, place: &Place) -> bool {
        match place.base {
            Base::Local(_) => true,
            Base::Slice(slice) => self.is_shared_slice(slice),
            Base::Pointer(pointer) => {
                matches!(
                    self.module.types[self.module.values[pointer].ty],
                    Type::Pointer { mutable: true, raw: false, .. }
                )
            }
            Base::Variable(_) | Base::Table(_) | Base::Parameter(_) => false,
        }
    }

    fn is_shared_slice(&self, slice: Handle<Value>) -> bool {
        match self.module.types[self.module.values[slice].ty] {
            Type::Slice { space: Space::Local, .. } => true,
            Type::Slice { space: Space::Global, .. } => !self.is_constant(slice),
            _ => false,
        }
    }

    /// Returns whether a slice is part of what nobody changes, or of what the author vouches for.
    fn is_constant(&self, slice: Handle<Value>) -> bool {
        match &self.module.values[slice].op {
            Op::Parameter(position) => {
                self.module.parameters[*position as usize].aliasing == Aliasing::ReadOnly
            }
            Op::SubSlice { slice, .. } | Op::AssumeUniform(_, slice) => self.is_constant(*slice),
            Op::Select { accept, reject, .. } => self.is_constant(*accept) && self.is_constant(*reject),
            Op::SliceFrom { .. } => true,
            Op::SliceOf(place) => !self.is_shared(place),
            _ => false,
        }
    }

    fn record_with(
        &mut self,
        step: Step,
        place: &Place,
        kind: Kind,
        span: Span,
        last: impl Fn(&mut Self, Form) -> Form,
    ) {
        let node = self.node();
        let mark = self.knowledge.facts.mark();
        let mut bounds = Vec::new();
        let starts = self.starts_of_place(place, &mut bounds);
        for (object, mut path, rest) in starts {
            let whole = last(self, rest);
            if !matches!(place.path.last(), Some(ir::Step::Member(_)) | None) {
                path.push(Part::Element(whole));
            }
            self.keep(Access {
                step,
                span,
                kind,
                copy: None,
                in_bytes: false,
                scope: None,
                atomic: None,
                object,
                path: path.into(),
                node,
                bounds: bounds.clone(),
                ranges: Vec::new(),
            });
        }
        self.knowledge.facts.forget(mark);
    }

    /// The objects that a place may be in. If its last step is one to an element, the index of that is what comes last.
    fn starts_of_place(&mut self, place: &Place, bounds: &mut Vec<Form>) -> Vec<Start> {
        let mut starts = match place.base {
            Base::Local(local) => vec![(Object::Local(local), Vec::new(), Form::default())],
            Base::Slice(slice) => self.starts_of_slice(slice, bounds, 8),
            Base::Pointer(pointer) => match self.module.values[pointer].op {
                Op::Parameter(position) => vec![(Object::Parameter(position), Vec::new(), Form::default())],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if starts.is_empty() {
            let span = self.base_span(place.base);
            self.note_unknown(span);
        }
        let mut ty = self.module.base_type(place.base);
        let count = place.path.len();
        for (position, way) in place.path.iter().enumerate() {
            let index = match way {
                ir::Step::Member(member) => {
                    starts.iter_mut().for_each(|(_, path, _)| path.push(Part::Member(*member)));
                    ty = self.module.types[ty].below(*way).unwrap_or(ty);
                    continue;
                }
                ir::Step::Index(index) => self.index(place.base, ty, index.index, bounds),
                ir::Step::Run { index, vector } => {
                    let index = self.index(place.base, ty, index.index, bounds);
                    match self.module.types[*vector] {
                        Type::Vector { lanes, .. } => {
                            let lane = self.knowledge.terms.intern(Node::Any(lanes), Scalar::Usize);
                            index.plus(Form::of(lane, 1), 1)
                        }
                        _ => index,
                    }
                }
            };
            for (_, path, start) in &mut starts {
                let whole = std::mem::take(start).plus(index.clone(), 1);
                if position + 1 == count {
                    *start = whole;
                } else {
                    path.push(Part::Element(whole));
                }
            }
            ty = self.module.types[ty].below(*way).unwrap_or(ty);
        }
        starts
    }

    fn note_unknown(&mut self, span: Span) {
        if let Some(recorder) = &mut self.recorder {
            recorder.unknown.push(span);
        }
    }

    fn base_span(&self, base: Base) -> Span {
        match base {
            Base::Slice(value) | Base::Pointer(value) => self.module.values[value].span,
            _ => Span::call_site(),
        }
    }

    /// An index, and that it is in bounds, since nothing is accessed if it is not.
    fn index(&mut self, base: Base, ty: Handle<Type>, index: Handle<Value>, bounds: &mut Vec<Form>) -> Form {
        let term = self.term(index);
        let term = self.chosen(term);
        let len = match (&self.module.types[ty], base) {
            (Type::Array { len, .. }, _) => {
                Some(self.knowledge.terms.constant(Scalar::Usize, i128::from(*len)))
            }
            (Type::Slice { .. }, Base::Slice(slice)) => {
                let slice = self.term(slice);
                Some(self.len(slice))
            }
            (Type::Vector { lanes, .. }, _) => {
                Some(self.knowledge.terms.constant(Scalar::Usize, i128::from(*lanes)))
            }
            _ => None,
        };
        let len = len.map(|len| self.len_where_some_are(len));
        if let Some(len) = len {
            self.knowledge.learn(term, len, -1);
        }
        let form = self.knowledge.form_of_index(term);
        if let Some(len) = len {
            let most = self.knowledge.form(len).plus(Form::constant(-1), 1);
            bounds.push(most.plus(form.clone(), -1));
        }
        bounds.push(form.clone());
        form
    }

    /// A length where it is not zero. One that is unless a condition holds says that it does.
    fn len_where_some_are(&mut self, len: Term) -> Term {
        match self.knowledge.terms.node(len) {
            Node::Select(condition, accept, none) if self.knowledge.terms.constant_of(none) == Some(0) => {
                self.knowledge.assume(condition, true);
                // What is less than a number of which the same is true says so too.
                if let Node::Binary(BinaryOp::Lt, less, count) = self.knowledge.terms.node(condition)
                    && self.knowledge.range(less).min >= 0
                {
                    self.len_where_some_are(count);
                }
                self.len_where_some_are(accept)
            }
            Node::Min(left, right) => {
                let [left, right] = [left, right].map(|len| self.len_where_some_are(len));
                let scalar = self.knowledge.terms.scalar(len);
                if left == right { left } else { self.knowledge.terms.intern(Node::Min(left, right), scalar) }
            }
            _ => len,
        }
    }

    /// The objects that a slice may be a part of, with where it starts in each.
    fn starts_of_slice(&mut self, slice: Handle<Value>, bounds: &mut Vec<Form>, depth: u32) -> Vec<Start> {
        let module = self.module;
        match &module.values[slice].op {
            Op::Parameter(position)
                if module.parameters[*position as usize].aliasing != Aliasing::ReadOnly =>
            {
                vec![(Object::Parameter(*position), Vec::new(), Form::default())]
            }
            Op::SubSlice { slice, start, len } if depth > 0 => {
                let mut starts = self.starts_of_slice(*slice, bounds, depth - 1);
                let start = self.start_of_part(*start, *len);
                let start = self.chosen(start);
                let form = self.knowledge.form_of_index(start);
                bounds.push(form.clone());
                for (_, _, first) in &mut starts {
                    *first = std::mem::take(first).plus(form.clone(), 1);
                }
                starts
            }
            Op::SliceOf(place) if self.is_shared(place) => {
                let starts = self.starts_of_place(place, bounds);
                let whole = |(object, mut path, rest): Start| {
                    if !matches!(place.path.last(), Some(ir::Step::Member(_)) | None) {
                        path.push(Part::Element(rest));
                    }
                    (object, path, Form::default())
                };
                starts.into_iter().map(whole).collect()
            }
            Op::Select { accept, reject, .. } if depth > 0 => {
                let mut starts = Vec::new();
                for side in [*accept, *reject] {
                    if self.is_shared_slice(side) {
                        starts.extend(self.starts_of_slice(side, bounds, depth / 2));
                    }
                }
                starts
            }
            Op::AssumeUniform(_, slice) if depth > 0 => self.starts_of_slice(*slice, bounds, depth - 1),
            _ => Vec::new(),
        }
    }

    /// Where a part of a slice starts. One that is empty unless a condition holds has elements only if it does.
    fn start_of_part(&mut self, start: Handle<Value>, len: Handle<Value>) -> Term {
        let [start, len] = [start, len].map(|value| self.term(value));
        let terms = &self.knowledge.terms;
        match (terms.node(start), terms.node(len)) {
            (Node::Select(one, accept, _), Node::Select(other, _, none))
                if one == other && terms.constant_of(none) == Some(0) =>
            {
                accept
            }
            _ => start,
        }
    }

    fn record_texel(
        &mut self,
        step: Step,
        image: Handle<Value>,
        at: &[Handle<Value>],
        kind: Kind,
        span: Span,
    ) {
        let Op::Parameter(position) = self.module.values[image].op else { return };
        if !matches!(self.module.types[self.module.values[image].ty], Type::Image(image) if image.access.writes())
        {
            return;
        }
        let node = self.node();
        let mut bounds = Vec::new();
        let mut path = Vec::new();
        for &at in at {
            let term = self.term(at);
            let form = self.knowledge.form_of_index(term);
            bounds.push(form.clone());
            path.push(Part::Element(form));
        }
        let object = Object::Parameter(position);
        let (path, ranges) = (path.into(), Vec::new());
        let in_bytes = false;
        let (copy, scope, atomic) = (None, None, None);
        self.keep(Access {
            step,
            span,
            kind,
            copy,
            in_bytes,
            scope,
            atomic,
            object,
            path,
            node,
            bounds,
            ranges,
        });
    }

    /// A block of an image: of each row, the bytes of an element for each work-item of the subgroup.
    fn record_image_block(&mut self, step: Step, handle: Handle<Value>, block: &ImageBlock, kind: Kind) {
        let module = self.module;
        let Op::Parameter(position) = module.values[block.image].op else { return };
        if !matches!(module.types[module.values[block.image].ty], Type::Image(image) if image.access.writes())
        {
            return;
        }
        let value = block.stored.unwrap_or(handle);
        let rows = self.lanes(value);
        let lane = match module.types[module.values[value].ty] {
            Type::Vector { element, .. } => element,
            _ => module.values[value].ty,
        };
        let is_short = module.scalar(lane).is_some_and(|scalar| scalar.bits() == 16);
        let size = if is_short { 2 } else { 4 };
        let node = self.node();
        let [first, row] = block.at.map(|at| {
            let at = self.term(at);
            self.knowledge.form_of_index(at)
        });
        let bounds = vec![first.clone(), row.clone()];
        let terms = &mut self.knowledge.terms;
        let own = terms.intern(Node::Query(Query::SubgroupLocalId, 0), Scalar::Usize);
        // They are two numbers, also where there are as many of each.
        let byte = terms.intern(Node::Any(size), Scalar::U32);
        let line = terms.intern(Node::Any(rows), Scalar::Usize);
        let column = first.plus(Form::of(own, i128::from(size)), 1).plus(Form::of(byte, 1), 1);
        let path = [Part::Element(column), Part::Element(row.plus(Form::of(line, 1), 1))];
        let (object, span) = (Object::Parameter(position), module.values[handle].span);
        self.keep(Access {
            step,
            span,
            kind,
            copy: None,
            in_bytes: true,
            scope: None,
            atomic: None,
            object,
            path: path.into(),
            node,
            bounds,
            ranges: Vec::new(),
        });
    }

    /// A copy by the group: any of so many elements is written, and any is read.
    fn record_copy(&mut self, step: Step, handle: Handle<Value>, copy: ir::GroupCopy) {
        let span = self.module.values[handle].span;
        for (slice, kind) in [(copy.to, Kind::Write), (copy.from, Kind::Read)] {
            if !self.is_shared_slice(slice) {
                continue;
            }
            let node = self.node();
            let mark = self.knowledge.facts.mark();
            let mut bounds = Vec::new();
            let starts = self.starts_of_slice(slice, &mut bounds, 8);
            if starts.is_empty() {
                self.note_unknown(span);
            }
            let element = self.knowledge.terms.intern(Node::Any(u32::MAX), Scalar::Usize);
            let [count, stride] = [copy.count, copy.stride].map(|value| self.term(value));
            let count = self.len_where_some_are(count);
            let count = self.knowledge.form(count);
            bounds.push(count.plus(Form::constant(-1), 1).plus(Form::of(element, 1), -1));
            let is_global = matches!(
                self.module.types[self.module.values[slice].ty],
                Type::Slice { space: Space::Global, .. }
            );
            let offset = match self.knowledge.terms.constant_of(stride) {
                _ if !is_global => Form::of(element, 1),
                Some(stride) => Form::of(element, stride),
                None => {
                    let stride = self.knowledge.form(stride).certain;
                    Form::certain(stride.times(&Polynomial::product(vec![element], 1)))
                }
            };
            for (object, mut path, start) in starts {
                path.push(Part::Element(start.plus(offset.clone(), 1)));
                let (path, ranges, bounds) = (path.into(), Vec::new(), bounds.clone());
                self.keep(Access {
                    step,
                    span,
                    kind,
                    copy: Some(handle),
                    in_bytes: false,
                    scope: None,
                    atomic: None,
                    object,
                    path,
                    node,
                    bounds,
                    ranges,
                });
            }
            self.knowledge.facts.forget(mark);
        }
    }

    /// Keeps an access with the ranges of what its indices are made of, and with its case: where two work-items agree on a condition, they are in one case.
    fn keep(&mut self, access: Access) {
        let mut ranges = self.recorder.as_ref().map_or_else(Vec::new, |recorder| recorder.cases.clone());
        for part in access.path.iter() {
            if let Part::Element(form) = part {
                self.ranges_of(form, &mut ranges);
            }
        }
        for bound in &access.bounds {
            self.ranges_of(bound, &mut ranges);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.accesses.push(Access { ranges, ..access });
        }
    }

    /// Keeps the facts in force, if that is asked for. What is noted with a fact is true with it and those before it only, so this has to be done before
    /// others are learnt that are forgotten earlier.
    pub(in crate::analysis) fn record_facts(&mut self) {
        if self.recorder.is_some() && self.is_proving() {
            self.node();
        }
    }

    /// The node of the facts in force.
    fn node(&mut self) -> Option<usize> {
        let kept = self.knowledge.facts.kept();
        let recorder = self.recorder.as_mut()?;
        let end = recorder.facts.len();
        for forgotten in recorder.in_force.drain(kept.min(recorder.in_force.len())..) {
            recorder.facts[forgotten].end = Some(end);
        }
        let mut parent = recorder.in_force.last().copied();
        let first = recorder.in_force.len();
        for Fact { left, right, offset } in self.knowledge.facts.since(first) {
            let [left, right] = [left, right].map(|term| self.knowledge.form(term));
            let difference = right.plus(Form::constant(offset), 1).plus(left, -1);
            let mut ranges = Vec::new();
            self.ranges_of(&difference, &mut ranges);
            let recorder = self.recorder.as_mut()?;
            recorder.facts.push(FactNode { parent, end: None, difference, ranges });
            parent = Some(recorder.facts.len() - 1);
            recorder.in_force.extend(parent);
        }
        parent
    }

    fn ranges_of(&mut self, form: &Form, ranges: &mut Vec<(Term, Interval)>) {
        let presumed = form.presumed.iter().flat_map(|(sum, _)| sum.products.keys());
        let terms: Vec<Term> = form.certain.products.keys().chain(presumed).flatten().copied().collect();
        for term in terms {
            if ranges.iter().all(|(known, _)| *known != term) {
                ranges.push((term, self.knowledge.range(term)));
            }
        }
    }

    /// Notes the variables that each pass of a loop changes by the same; the walk is at the end of a pass.
    pub(in crate::analysis) fn record_steps(
        &mut self,
        label: Label,
        stored: &[Handle<Variable>],
        entry: &Environment,
    ) {
        if self.recorder.is_none() || !self.is_proving() {
            return;
        }
        let node = self.node();
        if let Some(recorder) = &mut self.recorder {
            recorder.ends.insert(label, node);
        }
        for &variable in stored {
            let (start, end) = (entry[variable.index()], self.environment[variable.index()]);
            let Some(end) = end.filter(|_| start.is_some() && start != end) else { continue };
            let Some(head) = self.joined(Point::Head(label), variable) else { continue };
            if !self.knowledge.terms.scalar(head).is_integer() {
                continue;
            }
            let (mut end_form, mut flag) = (self.knowledge.form(end), None);
            if end_form.presumed.is_some() {
                (end_form, flag) = self.form_if_repeated(label, stored, end).unwrap_or((end_form, None));
            }
            let alternates = end_form.presumed.is_none() && self.knowledge.terms.alternates(head, end);
            let step = end_form.plus(Form::of(head, 1), -1);
            let exchanged = self.exchanged_with(label, stored, [head, end]);
            if let Some(recorder) = &mut self.recorder
                && let Some(start) = recorder.starts.get(&head).cloned()
            {
                let induction = Induction { label, start, step, flag, alternates, exchanged, node };
                recorder.inductions.insert(head, induction);
            }
        }
    }

    /// What a variable, which is these terms at the head of a loop and at its end, is after the first pass if each pass exchanges it with another one.
    fn exchanged_with(
        &mut self,
        label: Label,
        stored: &[Handle<Variable>],
        [head, end]: [Term; 2],
    ) -> Option<Form> {
        let flipped = self.knowledge.terms.flipped(end);
        let (source, flips) = flipped.map_or((end, false), |bit| (bit, true));
        let other = stored
            .iter()
            .copied()
            .find(|&other| source != head && self.joined(Point::Head(label), other) == Some(source))?;
        let comes = self.environment[other.index()]?;
        let is_exchanged =
            if flips { self.knowledge.terms.flipped(comes) == Some(head) } else { comes == head };
        let starts = &self.recorder.as_ref().filter(|_| is_exchanged)?.starts;
        let [own, start] = [head, source].map(|term| starts.get(&term));
        let (own, start) = (own?, start?.clone());
        let is_bit = |form: &Form| {
            form.certain.products.keys().all(Vec::is_empty) && matches!(form.certain.constant(), 0 | 1)
        };
        match flips {
            true => (is_bit(own) && is_bit(&start)).then(|| Form::constant(1).plus(start, -1)),
            false => Some(start),
        }
    }

    /// What a term is for certain at the end of a pass where another one follows, because of a flag that has to hold for that.
    fn form_if_repeated(
        &mut self,
        label: Label,
        stored: &[Handle<Variable>],
        end: Term,
    ) -> Option<(Form, Option<Term>)> {
        for &variable in stored {
            let Some(flag) = self.environment[variable.index()] else { continue };
            // The loop is left where the flag does not hold: it does wherever a pass ends.
            let head = self.joined(Point::Head(label), variable);
            if self.knowledge.terms.scalar(flag) != Scalar::Bool
                || head.is_none_or(|head| self.knowledge.range(head).min < 1)
            {
                continue;
            }
            let mark = self.knowledge.facts.mark();
            self.knowledge.assume(flag, true);
            let form = self.knowledge.form(end);
            self.knowledge.facts.forget(mark);
            if form.presumed.is_none() {
                return Some((form, head));
            }
        }
        None
    }

    /// Notes what variables are before a loop that stores to them, and whether it is gone through at least once: if it begins with a condition that is known
    /// to hold. The walk is before it.
    pub(in crate::analysis) fn record_entry(
        &mut self,
        label: Label,
        body: &Block,
        stored: &[Handle<Variable>],
    ) {
        if self.recorder.is_none() || !self.is_proving() {
            return;
        }
        for &variable in stored {
            let Some(start) = self.environment[variable.index()] else { continue };
            let Some(head) = self.joined(Point::Head(label), variable) else { continue };
            let start = self.knowledge.form(start);
            if let Some(recorder) = &mut self.recorder {
                recorder.starts.insert(head, start);
            }
        }
        let mark = self.knowledge.facts.mark();
        self.look_at_head(label, body);
        self.knowledge.facts.forget(mark);
    }

    fn look_at_head(&mut self, label: Label, body: &Block) {
        for statement in &body.statements {
            match statement {
                Statement::Evaluate(value) => self.foresee(*value),
                Statement::If { accept, reject, .. } if is_return(accept) && reject.does_nothing() => {}
                Statement::If { condition, accept, reject }
                    if accept.does_nothing()
                        && reject.statements.is_empty()
                        && reject.end == End::Break(label) =>
                {
                    let condition = self.term(*condition);
                    if self.knowledge.proves_condition(condition)
                        && let Some(recorder) = &mut self.recorder
                    {
                        recorder.entered.insert(label, Step::of(statement));
                    }
                    return;
                }
                _ => return,
            }
        }
    }
}

/// Returns whether a block only ends the kernel.
fn is_return(block: &Block) -> bool {
    block.statements.is_empty() && block.end == End::Return
}
