//! Local memory whose length a launch chooses.

/// How many elements of local memory a launch gives each of its work-groups, for a kernel that takes `&mut Local<[T]>`.
///
/// None is a length too. What all such arguments and the kernel's own variables in local memory take together must be there on the
/// device, or the launch is an error.
///
/// ```
/// use kernel_runtime::{LocalLen, prelude::*};
///
/// #[kernel]
/// fn reverse(x: &mut [u32], tile: &mut Local<[u32]>) {
///     let l = local_id(0);
///     tile[l] = x[global_id(0)];
///     barrier();
///     x[global_id(0)] = tile[tile.len() - 1 - l];
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut x = queue.upload(&[1, 2, 3, 4])?;
/// reverse(&mut x, LocalLen(2)).launch_groups(&queue, 2, 2)?;
/// assert_eq!(queue.download::<u32>(&x)?, [2, 1, 4, 3]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalLen(pub usize);

impl LocalLen {
    /// The number of elements.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}
