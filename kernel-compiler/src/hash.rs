//! Maps and sets for what one item has: small keys, looked up often, from nobody who could choose them to collide.

pub(crate) use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
