//! Which local memory may be read before it has been written.
//!
//! What nobody has written reads as zero, so emission has the work-group fill such memory with zeros before anything else. Where this analysis shows
//! that each read comes after a write, nothing is filled.
//!
//! # How it works
//!
//! The kernel is run for a whole work-group at once ([`walk`]), with integers that are known for each work-item or not ([`lanes`]): ids in the group are, what
//! comes from memory or from the launch is not. The [`memory`] of the group keeps for each scalar of a variable who has written it since the last barrier,
//! or that a barrier has come since, from which on all may read it. Where the work-group size is for the launch to say, there are two
//! work-items: the first one, and one that stands for all others, of whose id nothing is known.
//!
//! Besides scalars one by one, an array may be known to be written as far as there are work-items, or subgroups: where each has written the element with its own
//! number ([`memory::Extent`]). Whether an index is below that, the walk through the facts of the kernel has found out.
//!
//! # Why it is sound
//!
//! - *Nothing is ever unwritten.* What holds at one point holds at all later ones, so what is known before a loop is known in each pass. Variables that the loop
//!   stores to are unknown there, unless each pass is gone through by itself, which is done while it is known who leaves the loop when.
//! - *Branches.* What a work-item does in a branch of which it is not known whether it takes it counts in that branch, and after it if the other branch does it too.
//!   A barrier in such a branch is one to which all come or none ([`super::divergence`]).
//! - *Faults.* A store is left out where an index is out of bounds, but then the element is not there. What else ends a work-item early, or has it leave a loop, is
//!   control flow here as it is in the representation. So this is asked after `fault_exit`.
//! - *Only barriers of the whole work-group* that order local memory make what others have written known.
//!
//! The cost is bounded. When it takes more steps than it is worth, all that is read is filled.

mod complete;
mod lanes;
mod memory;
mod place;
mod values;
mod walk;

pub use complete::complete_stores;
pub(super) use memory::Extent;

use super::Analysis;
use crate::hash::HashSet;
use crate::ir::{Base, Handle, LocalVariable, Module, Op, Space, Type, Value};

/// How many steps the walk may take, each for one work-item or one scalar in local memory.
const STEPS: u64 = 1_500_000;

/// A variable in local memory, or a parameter that leads to local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// A variable.
    Variable(Handle<LocalVariable>),
    /// The parameter with this position, a slice.
    Parameter(u32),
}

impl Object {
    /// All of a kernel.
    fn all(module: &Module) -> Vec<Self> {
        let variables = module.locals.iter().map(|(local, _)| Self::Variable(local));
        let parameters = (0..).zip(&module.parameters).filter(|(_, parameter)| {
            matches!(module.types[parameter.ty], Type::Slice { space: Space::Local, .. })
        });
        variables.chain(parameters.map(|(position, _)| Self::Parameter(position))).collect()
    }
}

/// The local memory that may be read before it has been written, in the order of the declarations.
#[must_use]
pub fn unwritten(module: &Module, analysis: &Analysis) -> Vec<Object> {
    let objects = Object::all(module);
    if objects.is_empty() {
        return objects;
    }
    let unwritten = walk::Walk::through(module, analysis, &objects).unwrap_or_else(|| read(module));
    objects.into_iter().filter(|object| unwritten.contains(object)).collect()
}

/// All that is read at all.
fn read(module: &Module) -> HashSet<Object> {
    let mut found = HashSet::default();
    let mut read = |object: Option<Object>| match object {
        Some(object) => found.extend([object]),
        None => found.extend(Object::all(module)),
    };
    for (_, value) in module.values.iter() {
        match &value.op {
            Op::Load(place) if module.is_local(place) => read(object_of(module, place.base)),
            Op::Atomic(atomic) if module.is_local(&atomic.place) => {
                read(object_of(module, atomic.place.base))
            }
            Op::BlockAccess(access) if module.is_local(&access.place) => {
                read(object_of(module, access.place.base));
            }
            Op::GroupCopy(copy) if is_local_slice(module, copy.from) => {
                read(object_of(module, Base::Slice(copy.from)));
            }
            _ => {}
        }
    }
    found
}

/// The memory that a path starts in, if it can be only one.
fn object_of(module: &Module, base: Base) -> Option<Object> {
    match base {
        Base::Local(local) => Some(Object::Variable(local)),
        Base::Slice(slice) => match &module.values[slice].op {
            Op::Parameter(position) => Some(Object::Parameter(*position)),
            Op::SliceOf(place) => object_of(module, place.base),
            Op::SubSlice { slice, .. } => object_of(module, Base::Slice(*slice)),
            _ => None,
        },
        _ => None,
    }
}

fn is_local_slice(module: &Module, slice: Handle<Value>) -> bool {
    matches!(module.types[module.values[slice].ty], Type::Slice { space: Space::Local, .. })
}
