//! What counters in local memory give out: less than all that a group adds to them.
//!
//! Local memory starts as zeros. Where numbers that are not negative are added to a counter, each work-item comes to each addition once, and nothing but zero is stored, the counter is never more than the sum of
//! what all may add. So `out[256 * group_id(0) + place]` is in the group's own row where a group of 256 counts to `place`.

use super::Checker;
use super::counter::SMALL;
use super::record::Object;
use crate::analysis::interval::Interval;
use crate::analysis::term::Term;
use crate::hash::HashSet;
use crate::ir::{Atomic, AtomicAccess, Handle, LocalVariable, Op, Value};

impl Checker<'_> {
    /// Notes what is found in counters of groups whose size is known.
    pub(super) fn bound_counters_of_groups(&mut self) {
        let Some(size) = self.module.attributes.group_size else { return };
        let size = size.into_iter().map(i128::from).product();
        let counters: Vec<_> = self.module.locals.iter().map(|(counter, _)| counter).collect();
        for counter in counters {
            let Some((additions, sum)) = self.added_by_group(counter, size) else { continue };
            for found in additions {
                let whole = self.module.scalar(self.module.values[found].ty).map(Interval::of);
                if whole.is_some_and(|whole| sum <= whole.max) {
                    let term = self.term_of(found);
                    self.handed.insert(term, Interval { min: 0, max: sum - 1 });
                }
            }
        }
    }

    /// The range of a number, which is known to be in one, if a counter has given it out.
    pub(super) fn range_if_handed(&self, term: Term, range: Interval) -> Interval {
        let handed = || self.handed.get(&self.knowledge.uncast(term));
        if self.handed.is_empty() { range } else { handed().map_or(range, |handed| handed.meet(range)) }
    }

    /// The additions to what is in local memory, of which each adds at least 1, and what they come to at most; none if something else may be done to it.
    fn added_by_group(
        &mut self,
        counter: Handle<LocalVariable>,
        size: i128,
    ) -> Option<(Vec<Handle<Value>>, i128)> {
        let object = Object::Local(counter);
        if self.is_written(object) {
            return None;
        }
        let to_it = self.updates.iter().filter(|update| update.object == object);
        let values: HashSet<Handle<Value>> = to_it.map(|update| update.value).collect::<Option<_>>()?;
        let (mut additions, mut sum) = (Vec::new(), 0);
        for value in values {
            let Op::Atomic(Atomic { access, .. }) = &self.module.values[value].op else { return None };
            match *access {
                AtomicAccess::Load => {}
                AtomicAccess::Store(stored) => {
                    matches!(self.module.values[stored].op, Op::Constant(0)).then_some(())?;
                }
                _ => {
                    let addition = self.natural_addition(value)?;
                    let range = self.range_at(addition.by, addition.node);
                    let is_once = self.counter(value) == Some(object)
                        && self.loops.around_value(value).next().is_none();
                    (is_once && range.min >= 1 && range.max <= SMALL).then_some(())?;
                    additions.push(value);
                    sum += size * range.max;
                }
            }
        }
        Some((additions, sum))
    }
}
