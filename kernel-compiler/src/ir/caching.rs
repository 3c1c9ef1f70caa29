//! What caches do with the memory that a parameter leads to.

/// How the memory that a parameter leads to is cached. But for [`LoadControl::is_assertion`], these are hints: they change no result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caching {
    /// Whether caches need not keep it, since it is used once.
    pub nontemporal: bool,
    /// What each level of cache does when it is loaded, the level nearest to the processor first.
    pub loads: Vec<LoadControl>,
    /// What each level of cache does when it is stored to, also by an atomic access, the level nearest to the processor first.
    pub stores: Vec<StoreControl>,
}

/// What a level of cache does with what is loaded (`SPV_INTEL_cache_controls`, "Load Cache Controls").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadControl {
    /// It does not keep it.
    Uncached,
    /// It keeps it.
    Cached,
    /// It keeps it, to be replaced first.
    Streaming,
    /// Its line is not read again until it is overwritten, so that it can be dropped even if it is dirty.
    InvalidateAfterRead,
    /// Its line is not written until the kernel is done.
    ConstCached,
}

/// What a level of cache does with what is stored (`SPV_INTEL_cache_controls`, "Store Cache Controls").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreControl {
    /// It does not keep it.
    Uncached,
    /// It passes it on to the next level at once.
    WriteThrough,
    /// It keeps it, and passes it on when it is replaced.
    WriteBack,
    /// It passes it on at once, and replaces it first.
    Streaming,
}

impl LoadControl {
    /// Returns whether it is undefined behaviour if what it says does not hold.
    #[must_use]
    pub fn is_assertion(self) -> bool {
        matches!(self, Self::InvalidateAfterRead | Self::ConstCached)
    }
}
