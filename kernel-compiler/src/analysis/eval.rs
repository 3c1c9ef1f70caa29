//! What a statement says: the term of a value, and whether the checks of an operation are needed.

use super::interval::Interval;
use super::launch::Conditions;
use super::race::Recorder;
use super::reason::Missing;
use super::term::{Node, Term};
use super::walk::Walk;
use crate::ir::{
    Atomic, Base, Check, Collective, Combine, Extent, Fault, Group, Handle, ImageOp, Index, Math, Op, Place,
    Query, Step, Type, Value, Variable,
};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, extend};

impl Walk<'_> {
    /// The type whose values the analysis follows: integers and `bool`.
    pub(super) fn followed(&self, ty: Handle<Type>) -> Option<Scalar> {
        self.module.scalar(ty).filter(|scalar| !scalar.is_float())
    }

    /// The term of a value that has been evaluated, or needs no evaluation.
    pub(super) fn term(&mut self, handle: Handle<Value>) -> Term {
        let value = &self.module.values[handle];
        let scalar = self.followed(value.ty).unwrap_or(Scalar::Usize);
        match (self.values[handle.index()], &value.op) {
            (_, Op::Parameter(position)) => self.knowledge.terms.intern(Node::Parameter(*position), scalar),
            (_, Op::Constant(bits)) if self.followed(value.ty).is_some() => {
                self.knowledge.terms.constant(scalar, extend(scalar, *bits))
            }
            (Some(term), _) => term,
            _ => self.opaque(handle),
        }
    }

    /// A term about which nothing is known but its type.
    fn opaque(&mut self, handle: Handle<Value>) -> Term {
        let scalar = self.followed(self.module.values[handle].ty).unwrap_or(Scalar::Usize);
        self.knowledge.terms.intern(Node::Opaque(handle), scalar)
    }

    pub(super) fn evaluate(&mut self, handle: Handle<Value>) {
        let value = &self.module.values[handle];
        match &value.op {
            Op::Load(place) | Op::InBounds(place) | Op::SliceOf(place) | Op::Address(place) => {
                self.check_place(place);
            }
            Op::Atomic(Atomic { place, .. }) => {
                self.check_place(place);
                self.learn_in_bounds(place);
            }
            Op::Binary { op: BinaryOp::Div | BinaryOp::Rem, left, right, nonzero, overflow } => {
                self.check_division([*left, *right], *nonzero, *overflow);
            }
            Op::Binary { op, left, right, overflow, .. } => {
                self.check_exact(*op, [*left, *right], *overflow);
            }
            _ => {}
        }
        if let Op::Binary { op: BinaryOp::Div | BinaryOp::Rem, right, .. } = &value.op {
            self.learn_divisor(*right);
        }
        let is_slice = matches!(self.module.types[value.ty], Type::Slice { .. });
        let term = match self.followed(value.ty) {
            Some(scalar) => self.operation(handle, &value.op, scalar),
            None if is_slice => self.slice(handle, &value.op),
            None => return,
        };
        self.values[handle.index()] = Some(term);
        if let Op::Binary { op, left, right, .. } = &value.op {
            self.note_float_comparison(term, *op, [*left, *right]);
        }
        if self.is_proving() && !is_slice {
            self.have_fit(handle, term);
            self.seen.ranges[handle.index()] = Some(self.knowledge.range(term));
        }
    }

    /// A number that is promised to differ between work-items: the operand, but where races are looked for a term by itself that is equal to it.
    fn distinct(&mut self, handle: Handle<Value>, operand: Handle<Value>) -> Term {
        let operand = self.term(operand);
        if self.recorder.is_none() {
            return operand;
        }
        let own = self.opaque(handle);
        self.knowledge.learn(own, operand, 0);
        self.knowledge.learn(operand, own, 0);
        own
    }

    fn slice(&mut self, handle: Handle<Value>, op: &Op) -> Term {
        match op {
            Op::AssumeUniform(_, operand) => self.term(*operand),
            Op::Select { condition, accept, reject } => {
                let [condition, accept, reject] =
                    [condition, accept, reject].map(|&operand| self.term(operand));
                self.knowledge.terms.intern(Node::Select(condition, accept, reject), Scalar::Usize)
            }
            _ => self.opaque(handle),
        }
    }

    fn operation(&mut self, handle: Handle<Value>, op: &Op, scalar: Scalar) -> Term {
        let is_followed = |walk: &Self, operand| walk.followed(walk.module.values[operand].ty).is_some();
        match op {
            Op::Unary(op, operand) => {
                let operand = self.term(*operand);
                self.knowledge.terms.unary(*op, operand)
            }
            Op::Binary { op, left, right, .. } if is_followed(self, *left) => {
                let [left, right] = [left, right].map(|&operand| self.term(operand));
                let rest = self.knowledge.rest_of_division(*op, left, right);
                let is_natural = *op == BinaryOp::Sub
                    && !scalar.is_signed()
                    && self.knowledge.learn_natural_difference(left, right);
                if is_natural {
                    self.note_difference(handle);
                }
                rest.unwrap_or_else(|| self.knowledge.terms.binary(*op, left, right))
            }
            Op::Cast(operand) | Op::Bitcast(operand) if is_followed(self, *operand) => {
                let operand = self.term(*operand);
                self.knowledge.terms.cast(operand, scalar)
            }
            Op::Cast(operand)
                if !scalar.is_signed()
                    && scalar != Scalar::Bool
                    && self.is_float(*operand)
                    && self.follows_floats() =>
            {
                self.truncated(*operand, scalar)
            }
            Op::Select { condition, accept, reject } => {
                let [condition, accept, reject] =
                    [condition, accept, reject].map(|&operand| self.term(operand));
                self.knowledge.terms.select(condition, accept, reject)
            }
            Op::Math(math, operands) => self.math(handle, *math, operands, scalar),
            Op::Load(Place { base: Base::Variable(variable), path }) if path.is_empty() => {
                self.environment[variable.index()].unwrap_or_else(|| self.opaque(handle))
            }
            Op::Load(Place { base: base @ (Base::Variable(_) | Base::Table(_)), .. }) => {
                let element = self.opaque(handle);
                let range = match base {
                    Base::Variable(variable) => self.elements.range(*variable),
                    Base::Table(table) => self.tables.get(table).copied(),
                    _ => None,
                };
                if let Some(range) = range {
                    self.knowledge.learn_range(element, range);
                }
                element
            }
            Op::Load(place) if matches!(place.base, Base::Parameter(_)) => {
                self.part_of_argument(handle, place)
            }
            Op::Len(slice) => {
                let slice = self.term(*slice);
                self.len(slice)
            }
            // Who launches a kernel that calls the function is not known.
            Op::Query(..) if self.module.export.is_some() => self.opaque(handle),
            Op::Query(query, dimension) => self.query(*query, *dimension),
            Op::Image(ImageOp::Size(..)) => {
                let size = self.first_of(handle);
                let size = self.opaque(size);
                // There is no image without texels.
                self.knowledge.learn_range(size, Interval { min: 1, max: i32::MAX.into() });
                size
            }
            Op::Distinct(_, operand) => self.distinct(handle, *operand),
            Op::Collective { group, collective: Collective::Fold(Combine::Add, extent), operands } => {
                let sum = self.opaque(handle);
                if let Some(range) = self.range_over_group(*group, *extent, operands[0], scalar) {
                    self.knowledge.learn_range(sum, range);
                }
                self.learn_count_before(sum, (*group, *extent), operands[0]);
                sum
            }
            Op::Require { condition, faults } => self.require(*condition, faults),
            _ => self.opaque(handle),
        }
    }

    /// A required condition, which is known to hold or as good as any other.
    fn require(&mut self, condition: Handle<Value>, faults: &[Fault]) -> Term {
        let condition = self.term(condition);
        let proved = self.knowledge.proves_condition(condition);
        if self.is_proving() {
            self.report_each(faults, (!proved).then_some(Missing::Holds(condition)));
        }
        if proved { self.knowledge.terms.constant(Scalar::Bool, 1) } else { condition }
    }

    fn math(
        &mut self,
        handle: Handle<Value>,
        math: Math,
        operands: &[Handle<Value>],
        scalar: Scalar,
    ) -> Term {
        match (math, operands) {
            (Math::Min | Math::Max, [left, right]) => {
                let (left, right) = (self.term(*left), self.term(*right));
                let node = if math == Math::Min { Node::Min(left, right) } else { Node::Max(left, right) };
                self.knowledge.terms.intern(node, scalar)
            }
            (Math::Clz | Math::Ctz | Math::Popcount, _) => {
                // Whatever type it comes in, it is a number of few bits.
                let count = self.knowledge.terms.intern(Node::Opaque(handle), Scalar::U8);
                self.knowledge.learn_range(count, Interval::up_to(i128::from(scalar.bits())));
                self.knowledge.terms.cast(count, scalar)
            }
            _ => self.opaque(handle),
        }
    }

    /// The range of a sum over work-items of a group, each of which comes to it with what is known here, if there is a number that it is at most in its type.
    fn range_over_group(
        &mut self,
        group: Group,
        extent: Extent,
        operand: Handle<Value>,
        scalar: Scalar,
    ) -> Option<Interval> {
        let attributes = &self.module.attributes;
        let size: i128 = match group {
            Group::WorkGroup => attributes.group_size?.into_iter().map(i128::from).product(),
            Group::Subgroup => i128::from(attributes.subgroup_size?),
        };
        let operand = self.term(operand);
        let Interval { min, max } = self.knowledge.range(operand);
        let most = max.checked_mul(if extent == Extent::Exclusive { size - 1 } else { size })?;
        let range = Interval { min: 0, max: most };
        (min >= 0 && range.is_within(Interval::of(scalar))).then_some(range)
    }

    /// Learns of a sum of flags over the work-items before that it is at most their number.
    fn learn_count_before(&mut self, sum: Term, over: (Group, Extent), operand: Handle<Value>) {
        let flag = self.term(operand);
        let is_flag = self.knowledge.range(flag).is_within(Interval { min: 0, max: 1 });
        let is_wide = self.knowledge.terms.scalar(sum).bits() >= 32;
        let is_launched = self.module.export.is_none();
        if over == (Group::WorkGroup, Extent::Exclusive) && is_flag && is_wide && is_launched {
            let number = self.query(self.module.number_in_group(), 0);
            self.knowledge.learn(sum, number, 0);
        }
    }

    /// A part of an argument, which is the same wherever it is loaded.
    fn part_of_argument(&mut self, handle: Handle<Value>, place: &Place) -> Term {
        if self.module.part_of_argument(place).is_none() {
            return self.opaque(handle);
        }
        let same = self.first_of(handle);
        self.opaque(same)
    }

    /// The first of the values that ask the arguments for the same.
    fn first_of(&mut self, handle: Handle<Value>) -> Handle<Value> {
        let module = self.module;
        let part = |value: Handle<Value>| match &module.values[value].op {
            Op::Load(place) => module.part_of_argument(place),
            _ => None,
        };
        let own = part(handle);
        let is_same = |known: Handle<Value>| match own {
            Some(_) => part(known) == own && module.values[known].ty == module.values[handle].ty,
            None => module.values[known].op == module.values[handle].op,
        };
        let known = self.members.iter().copied().find(|known| is_same(*known));
        known.unwrap_or_else(|| {
            self.members.push(handle);
            handle
        })
    }

    /// The length of a slice.
    pub(super) fn len(&mut self, slice: Term) -> Term {
        match self.knowledge.terms.node(slice) {
            Node::Select(condition, accept, reject) => {
                let (accept, reject) = (self.len(accept), self.len(reject));
                self.knowledge.terms.select(condition, accept, reject)
            }
            Node::Opaque(handle) => match &self.module.values[handle].op {
                Op::SliceOf(place) => self.array_len(slice, place),
                Op::SubSlice { len, .. } => self.term(*len),
                _ => self.knowledge.terms.intern(Node::Len(slice), Scalar::Usize),
            },
            _ => self.knowledge.terms.intern(Node::Len(slice), Scalar::Usize),
        }
    }

    /// The length of a slice of an array, which is that of the array, or 0 if an index on the way was out of bounds.
    fn array_len(&mut self, slice: Term, place: &Place) -> Term {
        let Type::Array { len, .. } = self.module.types[self.module.place_type(place)] else {
            return self.knowledge.terms.intern(Node::Len(slice), Scalar::Usize);
        };
        if self.is_in_bounds(place) {
            return self.knowledge.terms.constant(Scalar::Usize, i128::from(len));
        }
        let term = self.knowledge.terms.intern(Node::Len(slice), Scalar::Usize);
        self.knowledge.learn_range(term, Interval::up_to(i128::from(len)));
        term
    }

    fn query(&mut self, query: Query, dimension: u8) -> Term {
        let size = self.module.attributes.group_size.map(|size| size[usize::from(dimension)]);
        match (query, size) {
            (Query::MaxSubgroupSize, _) => match self.module.attributes.subgroup_size {
                Some(size) => self.knowledge.terms.constant(Scalar::Usize, i128::from(size)),
                None => self.knowledge.terms.intern(Node::Query(query, 0), Scalar::Usize),
            },
            (Query::WorkGroupSize, Some(_)) => {
                let sizes = self.module.attributes.group_size.unwrap_or([1; 3]);
                let size = sizes.into_iter().map(i128::from).product();
                self.knowledge.terms.constant(Scalar::Usize, size)
            }
            (Query::LocalSize, Some(size)) => self.knowledge.terms.constant(Scalar::Usize, i128::from(size)),
            (Query::LocalId, Some(1)) => self.knowledge.terms.constant(Scalar::Usize, 0),
            _ => self.knowledge.terms.intern(Node::Query(query, dimension), Scalar::Usize),
        }
    }

    /// Learns what a required work-group size says about the ids.
    pub(super) fn learn_sizes(&mut self) {
        let Some(size) = self.module.attributes.group_size else { return };
        for (dimension, size) in (0..).zip(size) {
            let id = self.knowledge.terms.intern(Node::Query(Query::LocalId, dimension), Scalar::Usize);
            self.knowledge.learn_range(id, Interval::up_to(i128::from(size) - 1));
            let groups = super::MAX_SIZE / i128::from(size.max(1));
            let id = self.knowledge.terms.intern(Node::Query(Query::GroupId, dimension), Scalar::Usize);
            self.knowledge.learn_range(id, Interval::up_to(groups - 1));
            let count = self.knowledge.terms.intern(Node::Query(Query::NumGroups, dimension), Scalar::Usize);
            self.knowledge.learn_range(count, Interval { min: 1, max: groups });
        }
        let whole: i128 = size.into_iter().map(i128::from).product();
        let mut learn = |query, range| {
            let term = self.knowledge.terms.intern(Node::Query(query, 0), Scalar::Usize);
            self.knowledge.learn_range(term, range);
        };
        learn(Query::LocalLinearId, Interval::up_to(whole - 1));
        let subgroups = i128::from(self.module.most_subgroups());
        learn(Query::NumSubgroups, Interval { min: 1, max: subgroups });
        learn(Query::SubgroupId, Interval::up_to(subgroups - 1));
        learn(Query::SubgroupSize, Interval { min: 1, max: whole.min(super::MAX_SUBGROUP_SIZE) });
    }

    pub(super) fn store(&mut self, place: &Place, value: Handle<Value>) {
        self.check_place(place);
        if let (Base::Variable(variable), true) = (place.base, place.path.is_empty()) {
            let term = self.followed(self.module.variables[variable].ty).map(|_| self.term(value));
            self.environment.set(variable.index(), term);
        }
        if let (Base::Variable(variable), false) = (place.base, place.path.is_empty())
            && self.is_proving()
        {
            self.note_element(variable, value);
        }
    }

    /// Takes note of what is stored to an element of an array of the work-item's own.
    fn note_element(&mut self, variable: Handle<Variable>, value: Handle<Value>) {
        let mut elements = std::mem::take(&mut self.elements);
        elements.note_store(self.module, variable, value, || {
            self.followed(self.module.values[value].ty)?;
            let term = self.term(value);
            Some(self.knowledge.range(term))
        });
        self.elements = elements;
    }

    fn check_place(&mut self, place: &Place) {
        if !self.is_proving() {
            return;
        }
        self.note_extents(place);
        let mut ty = self.module.base_type(place.base);
        for step in &place.path {
            if let Step::Index(Index { index, check: check @ Check::At(_) }) = *step {
                let missing = self.missing_bound(place.base, ty, index);
                self.report(check, missing);
            }
            ty = self.module.types[ty].below(*step).unwrap_or(ty);
        }
    }

    /// Notes as far as what an access to local memory is known to go.
    fn note_extents(&mut self, place: &Place) {
        let Some(Step::Index(Index { index, .. })) = place.path.first() else { return };
        if self.extents.is_empty() || !self.module.is_local(place) {
            return;
        }
        let term = self.term(*index);
        for (extent, sizes) in std::mem::take(&mut self.extents) {
            let is_below = sizes.iter().any(|&size| {
                let size = self.query(size, 0);
                self.knowledge.proves(term, size, -1) || self.is_in_halves(term, size)
            });
            let known = if is_below { &mut self.seen.inside } else { &mut self.seen.beyond };
            known.insert((*index, extent));
            self.extents.push((extent, sizes));
        }
    }

    /// Returns whether a number is `a + b` with `a < b` and `b <= size / 2`, as in a tree of sums. Then nothing wraps.
    fn is_in_halves(&mut self, term: Term, size: Term) -> bool {
        let Node::Binary(BinaryOp::Add, left, right) = self.knowledge.terms.node(term) else { return false };
        let two = self.knowledge.terms.constant(Scalar::Usize, 2);
        let half = self.knowledge.terms.binary(BinaryOp::Div, size, two);
        [(left, right), (right, left)]
            .into_iter()
            .any(|(less, more)| self.knowledge.proves(less, more, -1) && self.knowledge.proves(more, half, 0))
    }

    /// Returns whether no index of a place can be out of bounds.
    fn is_in_bounds(&mut self, place: &Place) -> bool {
        let (mut ty, mut all) = (self.module.base_type(place.base), true);
        for step in &place.path {
            if let Step::Index(Index { index, check: Check::At(_) }) = *step {
                all = all && self.missing_bound(place.base, ty, index).is_none();
            }
            ty = self.module.types[ty].below(*step).unwrap_or(ty);
        }
        all
    }

    /// What is not known of an index into what has a type on the way from a base; none if it is in bounds.
    fn missing_bound(&mut self, base: Base, ty: Handle<Type>, index: Handle<Value>) -> Option<Missing> {
        let len = match (&self.module.types[ty], base) {
            (Type::Array { len, .. } | Type::Vector { lanes: len, .. }, _) => {
                self.knowledge.terms.constant(Scalar::Usize, i128::from(*len))
            }
            (Type::Slice { .. }, Base::Slice(slice)) => {
                let slice = self.term(slice);
                self.len(slice)
            }
            _ => return Some(Missing::Lanes),
        };
        let index = self.term(index);
        (!self.knowledge.proves_index(index, len)).then_some(Missing::Below(index, len))
    }

    /// Learns that the indices of an atomic access are in bounds, since who is out of bounds ends there, but where others would wait for it. Only races are about what
    /// is after that.
    fn learn_in_bounds(&mut self, place: &Place) {
        if !self.recorder.as_ref().is_some_and(Recorder::faults_end) {
            return;
        }
        let mut ty = self.module.base_type(place.base);
        for step in &place.path {
            if let Step::Index(Index { index, check: Check::At(_) }) = *step
                && let Some(Missing::Below(index, len)) = self.missing_bound(place.base, ty, index)
            {
                self.knowledge.learn(index, len, -1);
            }
            ty = self.module.types[ty].below(*step).unwrap_or(ty);
        }
    }

    /// Learns that a divisor is not zero, since who divides by zero ends there, but where others would wait for it. Only races are about what is after that.
    fn learn_divisor(&mut self, divisor: Handle<Value>) {
        if !self.recorder.as_ref().is_some_and(Recorder::faults_end) {
            return;
        }
        // Where a product is not zero, none of its factors is.
        let divisor = self.term(divisor);
        let factors = self.knowledge.terms.factors(divisor).unwrap_or_default();
        for divisor in factors.into_iter().chain([divisor]) {
            let scalar = self.knowledge.terms.scalar(divisor);
            if scalar.is_integer() && !scalar.is_signed() && self.knowledge.range(divisor).min < 1 {
                self.knowledge.learn_range(divisor, Interval { min: 1, ..Interval::of(scalar) });
            }
        }
    }

    fn check_division(&mut self, [left, right]: [Handle<Value>; 2], nonzero: Check, overflow: Check) {
        if !self.is_proving() || [nonzero, overflow] == [Check::Proved; 2] {
            return;
        }
        if self.followed(self.module.values[left].ty).is_none() {
            // Nothing is known of the lanes of vectors.
            return [nonzero, overflow]
                .into_iter()
                .for_each(|check| self.report(check, Some(Missing::Lanes)));
        }
        let [left, right] = [left, right].map(|operand| self.term(operand));
        let scalar = self.knowledge.terms.scalar(left);
        let is_zero = !self.knowledge.differs(right, 0);
        self.report(nonzero, is_zero.then_some(Missing::NotZero(right)));
        let least = Interval::of(scalar).min;
        let overflows = !self.knowledge.differs(left, least) && !self.knowledge.differs(right, -1);
        self.report(overflow, overflows.then_some(Missing::NotOverflow(left, right)));
    }

    /// A sum, difference, product or shift whose exact result has to fit.
    fn check_exact(&mut self, op: BinaryOp, operands: [Handle<Value>; 2], overflow: Check) {
        if !self.is_proving() || overflow == Check::Proved {
            return;
        }
        let [left, right] = operands.map(|operand| &self.module.values[operand]);
        if [left, right].iter().any(|operand| self.followed(operand.ty).is_none()) {
            return self.report(overflow, Some(Missing::Lanes));
        }
        let [left, right] = operands.map(|operand| self.term(operand));
        let fits = self.knowledge.fits(op, left, right);
        self.report(overflow, (!fits).then_some(Missing::Fits(op, left, right)));
    }

    /// Notes a difference that does not wrap, if it is what is left from a variable to an end, as of a loop with steps.
    fn note_difference(&mut self, handle: Handle<Value>) {
        let Value { ty, op: Op::Binary { right, .. }, .. } = &self.module.values[handle] else { return };
        let is_variable = matches!(&self.module.values[*right].op, Op::Load(place) if place.path.is_empty());
        if self.is_proving() && is_variable && self.followed(*ty) == Some(Scalar::Usize) {
            self.seen.natural.insert(handle);
        }
    }

    /// Notes a check, and what is not known if it has to stay.
    pub(super) fn report(&mut self, check: Check, missing: Option<Missing>) {
        let missing = missing.filter(|_| check != Check::Proved);
        let missing = missing.filter(|missing| !self.passed.note(*missing));
        self.report_here(check, missing);
    }

    /// Notes the checks of what fails in different ways because of one condition.
    pub(super) fn report_each(&mut self, faults: &[Fault], missing: Option<Missing>) {
        let missing = missing.filter(|_| faults.iter().any(|fault| fault.check != Check::Proved));
        let missing = missing.filter(|missing| !self.passed.note(*missing));
        faults.iter().for_each(|fault| self.report_here(fault.check, missing));
    }

    fn report_here(&mut self, check: Check, missing: Option<Missing>) {
        if let Check::At(site) = check {
            self.seen.sites.insert(site.index());
            let Some(missing) = missing else { return };
            let conditions = self.conditions_of(missing);
            if conditions.as_ref().is_some_and(Vec::is_empty) {
                // Its bound in the launch shows that it cannot fail in any.
                return;
            }
            if !self.seen.needed.contains_key(&site.index()) {
                let reason = self.reason(missing);
                self.seen.needed.insert(site.index(), reason);
            }
            self.note_conditions(site.index(), conditions);
        }
    }

    /// Notes what the host would have to find so that a check is not needed; of a site all of whose checks it can make.
    fn note_conditions(&mut self, site: usize, found: Conditions) {
        let known = match self.seen.conditions.remove(&site) {
            Some(None) => None,
            Some(known) => known,
            None => Some(Vec::new()),
        };
        let all = known.zip(found).map(|(known, found)| [known, found].concat());
        self.seen.conditions.insert(site, all);
    }
}
