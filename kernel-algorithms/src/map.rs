//! What is done with each element by itself.

use crate::device::number::FromIndex;
use crate::{Result, ShapeError};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// Makes all elements the same value.
///
/// # Errors
///
/// [`Error::Runtime`](crate::Error::Runtime).
pub fn fill<T: Element>(queue: &Queue, y: &mut Buffer<T>, value: T) -> Result<()> {
    Ok(queue.fill(y, value)?)
}

/// Copies all elements.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if the lengths differ, [`Error::Runtime`](crate::Error::Runtime).
pub fn copy<T: Element>(queue: &Queue, x: &Buffer<T>, y: &mut Buffer<T>) -> Result<()> {
    ShapeError::check_length("copy", "y", x.len(), y.len())?;
    Ok(queue.copy(x, y)?)
}

/// A number that [`sequence`] counts in: `i32`, `u32`, `i64`, `u64`, `usize`, `f32` and `f64`.
pub trait Counter: Element {
    #[doc(hidden)]
    fn sequence(queue: &Queue, y: &mut Buffer<Self>, first: Self, step: Self) -> Result<()>;
}

/// Makes element `i` the number `first + i * step`, as `sequence` of Thrust and `iota` of C++. Integers wrap; of floats product and sum are rounded.
///
/// # Errors
///
/// [`Error::Runtime`](crate::Error::Runtime).
pub fn sequence<T: Counter>(queue: &Queue, y: &mut Buffer<T>, first: T, step: T) -> Result<()> {
    T::sequence(queue, y, first, step)
}

#[kernel(T = [i32, u32, i64, u64, usize, f32, f64], overflow = "wrap")]
fn count<T: Number + FromIndex>(y: &mut [T], first: T, step: T) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = first + T::from_index(i) * step;
    }
}

/// Implements [`Counter`].
macro_rules! counters {
    ($($ty:ty)*) => {$(
        impl Counter for $ty {
            fn sequence(queue: &Queue, y: &mut Buffer<Self>, first: Self, step: Self) -> Result<()> {
                let len = y.len();
                Ok(count(y, first, step).launch(queue, len)?)
            }
        }
    )*};
}

counters! { i32 u32 i64 u64 usize f32 f64 }

/// Defines a function that computes each element of a buffer from those of others at the same place.
///
/// What is written is a function of one element of each buffer; parameters after a `;` are the same for all elements. The function that is defined takes the queue, the
/// buffers to read, the buffer to write, and these parameters. It is `map` of one buffer, and `zip` with `map` of several: what Thrust and C++ call `transform`. The body is
/// device code, in the language of kernels.
///
/// ```
/// use kernel_runtime::prelude::*;
///
/// kernel_algorithms::map! {
///     /// `a * x + y`.
///     pub fn axpy(x: f32, y: f32; a: f32) -> f32 {
///         a.mul_add(x, y)
///     }
/// }
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let (x, y) = (queue.upload(&[1.0, 2.0])?, queue.upload(&[0.5, 0.25])?);
/// let mut z = queue.uninit(2)?;
/// axpy(&queue, &x, &y, &mut z, 10.0)?;
/// assert_eq!(queue.download(&z)?, [10.5, 20.25]);
/// # Ok(())
/// # }
/// ```
///
/// The function returns a [`kernel_algorithms::Result`](crate::Result): an [`Error::Shape`](crate::Error::Shape) if the lengths differ.
#[macro_export]
macro_rules! map {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($($x:ident: $from:ty),+ $(,)? $(; $($a:ident: $with:ty),+ $(,)?)?) -> $to:ty $body:block
    ) => {
        $(#[$meta])*
        $vis fn $name(
            queue: &$crate::kernel_runtime::Queue,
            $($x: &$crate::kernel_runtime::Buffer<$from>,)+
            result: &mut $crate::kernel_runtime::Buffer<$to>,
            $($($a: $with,)+)?
        ) -> $crate::Result<()> {
            use $crate::kernel_runtime::prelude::*;

            #[kernel]
            fn $name($($x: &[$from],)+ __result: &mut [$to] $(, $($a: $with),+)?) {
                let __function = |$($x: $from),+ $(, $($a: $with),+)?| -> $to { $body };
                let __i = global_id(0);
                if __i < __result.len() $(&& __i < $x.len())+ {
                    __result[__i] = __function($($x[__i]),+ $(, $($a),+)?);
                }
            }

            let len = result.len();
            $($crate::ShapeError::check_length(stringify!($name), stringify!($x), len, $x.len())?;)+
            Ok($name($($x,)+ result $(, $($a),+)?).launch(queue, len)?)
        }
    };
}

/// Defines a function that changes each element of a buffer, by those of others at the same place.
///
/// As [`map!`], but the first parameter is an element of the buffer that is written, and what the function returns takes its place.
///
/// ```
/// use kernel_runtime::prelude::*;
///
/// kernel_algorithms::map_in_place! {
///     /// Adds `a` times `x` to `y`.
///     pub fn add(y: f32, x: f32; a: f32) -> f32 {
///         y + a * x
///     }
/// }
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let (mut y, x) = (queue.upload(&[1.0, 2.0])?, queue.upload(&[0.5, 0.25])?);
/// add(&queue, &mut y, &x, 4.0)?;
/// assert_eq!(queue.download(&y)?, [3.0, 3.0]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! map_in_place {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($y:ident: $to:ty $(, $x:ident: $from:ty)* $(,)? $(; $($a:ident: $with:ty),+ $(,)?)?) -> $result:ty $body:block
    ) => {
        $(#[$meta])*
        $vis fn $name(
            queue: &$crate::kernel_runtime::Queue,
            $y: &mut $crate::kernel_runtime::Buffer<$to>,
            $($x: &$crate::kernel_runtime::Buffer<$from>,)*
            $($($a: $with,)+)?
        ) -> $crate::Result<()> {
            use $crate::kernel_runtime::prelude::*;

            #[kernel]
            fn $name($y: &mut [$to] $(, $x: &[$from])* $(, $($a: $with),+)?) {
                let __function = |$y: $to $(, $x: $from)* $(, $($a: $with),+)?| -> $result { $body };
                let __i = global_id(0);
                if __i < $y.len() $(&& __i < $x.len())* {
                    $y[__i] = __function($y[__i] $(, $x[__i])* $(, $($a),+)?);
                }
            }

            let len = $y.len();
            $($crate::ShapeError::check_length(stringify!($name), stringify!($x), len, $x.len())?;)*
            Ok($name($y $(, $x)* $(, $($a),+)?).launch(queue, len)?)
        }
    };
}

/// Defines a function that computes each element of a buffer from its index.
///
/// As [`map!`], but what is written is a function of the index, a `usize`: what Thrust calls `tabulate`.
///
/// ```
/// use kernel_runtime::prelude::*;
///
/// kernel_algorithms::tabulate! {
///     /// The points at which a function is sampled.
///     fn samples(i: usize; step: f32) -> f32 {
///         i as f32 * step
///     }
/// }
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut x = queue.uninit(4)?;
/// samples(&queue, &mut x, 0.25)?;
/// assert_eq!(queue.download(&x)?, [0.0, 0.25, 0.5, 0.75]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! tabulate {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($i:ident: usize $(,)? $(; $($a:ident: $with:ty),+ $(,)?)?) -> $to:ty $body:block
    ) => {
        $(#[$meta])*
        $vis fn $name(
            queue: &$crate::kernel_runtime::Queue,
            result: &mut $crate::kernel_runtime::Buffer<$to>,
            $($($a: $with,)+)?
        ) -> $crate::Result<()> {
            use $crate::kernel_runtime::prelude::*;

            #[kernel]
            fn $name(__result: &mut [$to] $(, $($a: $with),+)?) {
                let __function = |$i: usize $(, $($a: $with),+)?| -> $to { $body };
                let __i = global_id(0);
                if __i < __result.len() {
                    __result[__i] = __function(__i $(, $($a),+)?);
                }
            }

            let len = result.len();
            Ok($name(result $(, $($a),+)?).launch(queue, len)?)
        }
    };
}
