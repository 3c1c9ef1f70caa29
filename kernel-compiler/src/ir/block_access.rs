//! What the work-items of a subgroup read or write together, as one block.
//!
//! From the place on, an element of a slice in global memory, the first work-item accesses one element, the next one the one after
//! it, and so on; a work-item with a vector accesses as many elements as that has lanes, each so far from the one before as a whole subgroup
//! has work-items. The slice has all of them, the place is aligned to 4 bytes for a read and to 16 for a write, and the subgroup is whole. What is
//! accessed are the bits of the elements, as unsigned integers of 16 or 32 bits.

use super::{Handle, Place, Value};

/// One access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockAccess {
    /// The first element of the block, the same for all work-items. Its check is proved.
    pub place: Place,
    /// What is written; none for a read. The value of a write nobody uses.
    pub stored: Option<Handle<Value>>,
}
