//! Calls that are inside of each other, and whether they come to an end.

use super::{Callee, Ty};
use crate::chain::Id;

/// How many calls of one generic function, each for other types, may be inside of each other.
const MAX_INSTANCES: usize = 32;

/// The calls that are inside of each other.
#[derive(Debug, Default)]
pub struct Calls {
    open: Vec<Callee>,
    /// The functions that have been found to lead back to themselves.
    recursive: Vec<Id>,
}

impl Calls {
    /// Enters a call. Returns false, without having entered it, if it leads back to a function that it is in: for the same types, or, where each call is for
    /// other types, suspiciously often.
    pub fn enter(&mut self, callee: &Callee) -> bool {
        let most = if self.recursive.contains(&callee.id) { 1 } else { MAX_INSTANCES };
        let same = self.open.iter().filter(|open| open.id == callee.id);
        let is_cycle = is_one(callee) && self.open.contains(callee);
        if is_cycle || same.count() >= most {
            self.recursive.push(callee.id.clone());
            return false;
        }
        self.open.push(callee.clone());
        true
    }

    /// Leaves the call that was entered last.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    /// Returns the functions by which one that was entered leads back to itself.
    pub fn cycle<'c>(&'c self, id: &'c Id) -> impl Iterator<Item = &'c Id> {
        let last = self.open.iter().rposition(|open| open.id == *id);
        self.open.iter().skip(last.unwrap_or(0)).map(|open| &open.id).chain([id])
    }
}

/// Returns whether the types that a function is called for are those of a single instance in Rust. Here, iterators with the same items have one type, and a closure has one for
/// all instances of the function around it that differ in such types.
fn is_one(callee: &Callee) -> bool {
    fn is_exact(ty: &Ty) -> bool {
        !matches!(ty, Ty::Iterator { .. } | Ty::Closure(_)) && ty.parts().all(is_exact)
    }
    callee.arguments.iter().all(is_exact)
}
