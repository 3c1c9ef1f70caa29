//! Elements that can be moved.

use crate::Result;
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// An element that algorithms move: the integers of 8 to 64 bits, `usize`, `f32`, `f64`, and types for which [`data!`](crate::data) has been called.
pub trait Data: Element {
    #[doc(hidden)]
    fn collect_bins(queue: &Queue, x: &Buffer<Self>, bins: Bins<'_>, y: &mut Buffer<Self>) -> Result<()>;

    #[doc(hidden)]
    fn gather(queue: &Queue, x: &Buffer<Self>, indices: &Buffer<u32>, y: &mut Buffer<Self>) -> Result<()>;

    #[doc(hidden)]
    fn transpose(queue: &Queue, size: (usize, usize), x: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<()>;
}

/// What `order_blocks` has found.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Bins<'a> {
    pub order: &'a Buffer<u16>,
    pub starts: &'a Buffer<u32>,
    pub offsets: &'a Buffer<u32>,
    pub blocks: usize,
}

/// Implements [`Data`] for types of the caller's, structs or arrays for instance, so that they can be values of [`sort_by_key`](crate::sort_by_key) and elements of
/// [`compact`](crate::compact), [`partition`](crate::partition), [`gather`](crate::gather) and [`transpose`](crate::transpose).
///
/// ```
/// use kernel_runtime::prelude::*;
///
/// #[device]
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Particle {
///     position: [f32; 3],
///     mass: f32,
/// }
///
/// kernel_algorithms::data!(Particle);
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let particle = |mass| Particle { position: [mass; 3], mass };
/// let mut cells = queue.upload(&[2_u32, 0, 1])?;
/// let mut particles = queue.upload(&[particle(1.0), particle(2.0), particle(3.0)])?;
/// kernel_algorithms::sort_by_key(&queue, &mut cells, &mut particles)?;
/// assert_eq!(queue.download(&particles)?, [particle(2.0), particle(3.0), particle(1.0)]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! data {
    ($($ty:ty),+ $(,)?) => {$(
        const _: () = {
            use $crate::kernel_runtime::prelude::*;

            #[kernel(group_size = 256, overflow = "wrap")]
            fn collect_bins(
                x: &[$ty],
                order: &[u16],
                starts: &[u32],
                offsets: &[u32],
                blocks: usize,
                y: &mut [$ty],
            ) {
                $crate::device::split::collect_bins(x, order, starts, offsets, blocks, y);
            }

            #[kernel]
            fn gather(x: &[$ty], indices: &[u32], y: &mut [$ty]) {
                let i = global_id(0);
                if i < y.len() && i < indices.len() {
                    y[i] = x[indices[i] as usize];
                }
            }

            #[kernel(group_size = [16, 16], overflow = "wrap")]
            fn transpose(rows: usize, columns: usize, x: &[$ty], y: &mut [$ty]) {
                let mut tile = Local::<[[$ty; 17]; 16]>::new();
                $crate::device::transpose::transpose_tile(rows, columns, x, y, &mut tile);
            }

            impl $crate::Data for $ty {
                fn collect_bins(
                    queue: &Queue,
                    x: &Buffer<Self>,
                    bins: $crate::Bins<'_>,
                    y: &mut Buffer<Self>,
                ) -> $crate::Result<()> {
                    let groups = y.len().div_ceil(4096);
                    let launch = collect_bins(x, bins.order, bins.starts, bins.offsets, bins.blocks, y);
                    Ok(launch.launch_groups(queue, groups, 256)?)
                }

                fn gather(
                    queue: &Queue,
                    x: &Buffer<Self>,
                    indices: &Buffer<u32>,
                    y: &mut Buffer<Self>,
                ) -> $crate::Result<()> {
                    let len = y.len();
                    Ok(gather(x, indices, y).launch(queue, len)?)
                }

                fn transpose(
                    queue: &Queue,
                    (rows, columns): (usize, usize),
                    x: &Buffer<Self>,
                    y: &mut Buffer<Self>,
                ) -> $crate::Result<()> {
                    let groups = (columns.div_ceil(16), rows.div_ceil(16));
                    Ok(transpose(rows, columns, x, y).launch_groups(queue, groups, (16, 16))?)
                }
            }
        };
    )+};
}

data!(i8, u8, i16, u16, i32, u32, i64, u64, usize, f32, f64);
