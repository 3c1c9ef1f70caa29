//! Elements that depend on their neighbours.

use kernel_runtime::Element;

/// What is beyond the ends of a line, or the edges of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Boundary<T> {
    /// This value.
    Constant(T),
    /// The nearest element.
    Clamp,
    /// The elements of the other end.
    Wrap,
    /// The elements backwards, the last one first.
    Mirror,
}

impl<T: Element + Default> Boundary<T> {
    /// What kernels are given.
    #[doc(hidden)]
    #[must_use]
    pub fn parts(self) -> (u32, T) {
        match self {
            Self::Constant(value) => (0, value),
            Self::Clamp => (1, T::default()),
            Self::Wrap => (2, T::default()),
            Self::Mirror => (3, T::default()),
        }
    }
}

/// Defines a function that computes each element of a line from the elements around it in another one.
///
/// What is written is a function of a parameter that is called with an offset, an `isize`, for the element that is so far away; parameters after a `;` are the same for all elements. The function that is
/// defined takes the queue, what is beyond the ends, the buffer to read, the buffer to write, and these parameters. The body is device code.
///
/// ```
/// use kernel_algorithms::Boundary;
/// use kernel_runtime::prelude::*;
///
/// kernel_algorithms::stencil_1d! {
///     /// The slope of the line through the neighbours.
///     fn slope(at: f32; step: f32) -> f32 {
///         (at(1) - at(-1)) / (2.0 * step)
///     }
/// }
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[0.0, 1.0, 4.0, 9.0])?;
/// let mut y = queue.uninit(4)?;
/// slope(&queue, Boundary::Clamp, &x, &mut y, 1.0)?;
/// assert_eq!(queue.download(&y)?, [0.5, 2.0, 4.0, 2.5]);
/// # Ok(())
/// # }
/// ```
///
/// The function returns a [`kernel_algorithms::Result`](crate::Result): an [`Error::Shape`](crate::Error::Shape) if the lengths differ.
#[macro_export]
macro_rules! stencil_1d {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($at:ident: $from:ty $(,)? $(; $($a:ident: $with:ty),+ $(,)?)?) -> $to:ty $body:block
    ) => {
        $(#[$meta])*
        #[allow(clippy::redundant_closure_call, reason = "the body may return early")]
        $vis fn $name(
            queue: &$crate::kernel_runtime::Queue,
            boundary: $crate::Boundary<$from>,
            x: &$crate::kernel_runtime::Buffer<$from>,
            result: &mut $crate::kernel_runtime::Buffer<$to>,
            $($($a: $with,)+)?
        ) -> $crate::Result<()> {
            use $crate::kernel_runtime::prelude::*;

            #[kernel]
            fn $name(__boundary: u32, __beyond: $from, __x: &[$from], __y: &mut [$to] $(, $($a: $with),+)?) {
                let __i = global_id(0);
                if __i < __y.len() {
                    let $at = |offset: isize| -> $from {
                        let place = $crate::device::boundary::neighbour(__i, offset, __x.len(), __boundary);
                        $crate::device::boundary::element_at(__x, place, __beyond)
                    };
                    let __function = || -> $to { $body };
                    __y[__i] = __function();
                }
            }

            $crate::ShapeError::check_length(stringify!($name), "y", x.len(), result.len())?;
            let (boundary, beyond) = boundary.parts();
            Ok($name(boundary, beyond, x, result $(, $($a),+)?).launch(queue, x.len())?)
        }
    };
}

/// Defines a function that computes each element of an image, or of another grid in rows, from the elements around it in another one.
///
/// As [`stencil_1d!`](crate::stencil_1d), but the parameter is called with two offsets, by columns and by rows, and the function that is defined takes the width and the height after the queue.
///
/// ```
/// use kernel_algorithms::Boundary;
/// use kernel_runtime::prelude::*;
///
/// kernel_algorithms::stencil_2d! {
///     /// A step of the equation of heat.
///     fn heat(at: f32; rate: f32) -> f32 {
///         at(0, 0) + rate * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - 4.0 * at(0, 0))
///     }
/// }
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0])?;
/// let mut y = queue.uninit(9)?;
/// heat(&queue, (3, 3), Boundary::Constant(0.0), &x, &mut y, 0.125)?;
/// assert_eq!(queue.download(&y)?, [0.0, 1.0, 0.0, 1.0, 4.0, 1.0, 0.0, 1.0, 0.0]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! stencil_2d {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($at:ident: $from:ty $(,)? $(; $($a:ident: $with:ty),+ $(,)?)?) -> $to:ty $body:block
    ) => {
        $(#[$meta])*
        #[allow(clippy::redundant_closure_call, reason = "the body may return early")]
        $vis fn $name(
            queue: &$crate::kernel_runtime::Queue,
            size: (usize, usize),
            boundary: $crate::Boundary<$from>,
            x: &$crate::kernel_runtime::Buffer<$from>,
            result: &mut $crate::kernel_runtime::Buffer<$to>,
            $($($a: $with,)+)?
        ) -> $crate::Result<()> {
            use $crate::kernel_runtime::prelude::*;

            #[kernel]
            fn $name(
                __width: usize,
                __height: usize,
                __boundary: u32,
                __beyond: $from,
                __x: &[$from],
                __y: &mut [$to]
                $(, $($a: $with),+)?
            ) {
                let (__column, __row) = (global_id(0), global_id(1));
                if __column < __width && __row < __height {
                    let $at = |columns: isize, rows: isize| -> $from {
                        let column = $crate::device::boundary::neighbour(__column, columns, __width, __boundary);
                        let row = $crate::device::boundary::neighbour(__row, rows, __height, __boundary);
                        $crate::device::boundary::element_at_2d(__x, __width, column, row, __beyond)
                    };
                    let __function = || -> $to { $body };
                    __y[__row * __width + __column] = __function();
                }
            }

            $crate::ShapeError::check_image(stringify!($name), size, x.len(), result.len())?;
            let (boundary, beyond) = boundary.parts();
            Ok($name(size.0, size.1, boundary, beyond, x, result $(, $($a),+)?).launch(queue, size)?)
        }
    };
}
