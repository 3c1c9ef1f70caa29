//! What can go wrong.

use core::fmt;

/// The result of an algorithm.
pub type Result<T> = core::result::Result<T, Error>;

/// Why an algorithm was not run, or has failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The buffers do not fit together; nothing was enqueued.
    Shape(ShapeError),
    /// The runtime, the driver or a kernel of the queue has failed.
    Runtime(kernel_runtime::Error),
}

/// Buffers that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError {
    /// The function that was called.
    pub algorithm: &'static str,
    /// What does not fit.
    pub problem: ShapeProblem,
}

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeProblem {
    /// A buffer has another length than the others ask for.
    Length {
        /// The argument.
        argument: &'static str,
        /// How many elements it has to have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A number or a length is greater than the algorithm can count.
    TooLarge {
        /// The argument.
        argument: &'static str,
        /// The greatest that is possible.
        limit: usize,
        /// What was given.
        found: usize,
    },
    /// A range of values is empty, or its ends are no numbers.
    EmptyRange {
        /// The argument.
        argument: &'static str,
    },
}

impl ShapeError {
    /// Checks that a buffer has a length.
    #[doc(hidden)]
    pub fn check_length(
        algorithm: &'static str,
        argument: &'static str,
        expected: usize,
        found: usize,
    ) -> core::result::Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self { algorithm, problem: ShapeProblem::Length { argument, expected, found } })
    }

    /// Checks that a number is not too great.
    pub(crate) fn check_limit(
        algorithm: &'static str,
        argument: &'static str,
        limit: usize,
        found: usize,
    ) -> core::result::Result<(), Self> {
        if found <= limit {
            return Ok(());
        }
        Err(Self { algorithm, problem: ShapeProblem::TooLarge { argument, limit, found } })
    }

    /// Checks that two images have as many elements as their size says.
    #[doc(hidden)]
    pub fn check_image(
        algorithm: &'static str,
        (width, height): (usize, usize),
        x: usize,
        y: usize,
    ) -> core::result::Result<(), Self> {
        let elements = Self::product(algorithm, "size", &[width, height])?;
        Self::check_length(algorithm, "x", elements, x)?;
        Self::check_length(algorithm, "y", elements, y)
    }

    /// The product of sizes, which has to be the length of something.
    pub(crate) fn product(
        algorithm: &'static str,
        argument: &'static str,
        sizes: &[usize],
    ) -> core::result::Result<usize, Self> {
        let product = sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
        // With a zero among them the product is that, whatever the others are.
        let product = if sizes.contains(&0) { Some(0) } else { product };
        let too_large = ShapeProblem::TooLarge { argument, limit: usize::MAX, found: usize::MAX };
        product.ok_or(Self { algorithm, problem: too_large })
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { algorithm, problem } = self;
        match problem {
            ShapeProblem::Length { argument, expected, found } => {
                write!(f, "`{algorithm}`: `{argument}` has {found} elements, but {expected} are expected")
            }
            ShapeProblem::TooLarge { argument, limit, found } => {
                write!(
                    f,
                    "`{algorithm}`: `{argument}` is {found}, but {limit} is the greatest that is possible"
                )
            }
            ShapeProblem::EmptyRange { argument } => {
                write!(f, "`{algorithm}`: `{argument}` is no range of numbers with a start before its end")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::Runtime(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Shape(_) => None,
            Self::Runtime(error) => error.source(),
        }
    }
}

impl From<ShapeError> for Error {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<kernel_runtime::Error> for Error {
    fn from(error: kernel_runtime::Error) -> Self {
        Self::Runtime(error)
    }
}
