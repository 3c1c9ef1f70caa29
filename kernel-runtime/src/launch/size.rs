//! Sizes in up to three dimensions: of a launch, of its work-groups, and the number of those.

use core::fmt;

/// Defines one of the three kinds of size, so that they cannot be mistaken for each other.
macro_rules! size {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            extents: [usize; 3],
            dimensions: u8,
        }

        impl $name {
            /// The size in each dimension; 1 in those that were not given.
            #[must_use]
            pub const fn extents(self) -> [usize; 3] {
                self.extents
            }

            /// How many dimensions were given, 1 to 3.
            #[must_use]
            pub const fn dimensions(self) -> u8 {
                self.dimensions
            }

            /// Whether two are the same. They are numbers of which each is in a register mostly, so that they are not compared as bytes.
            #[inline]
            pub(crate) fn is(&self, other: &Self) -> bool {
                let [x, y, z] = self.extents;
                let [other_x, other_y, other_z] = other.extents;
                x == other_x && y == other_y && z == other_z && self.dimensions == other.dimensions
            }
        }

        impl From<usize> for $name {
            #[inline]
            fn from(x: usize) -> Self {
                Self { extents: [x, 1, 1], dimensions: 1 }
            }
        }

        impl From<(usize, usize)> for $name {
            fn from((x, y): (usize, usize)) -> Self {
                Self { extents: [x, y, 1], dimensions: 2 }
            }
        }

        impl From<(usize, usize, usize)> for $name {
            fn from((x, y, z): (usize, usize, usize)) -> Self {
                Self { extents: [x, y, z], dimensions: 3 }
            }
        }

        impl From<[usize; 1]> for $name {
            fn from([x]: [usize; 1]) -> Self {
                Self::from(x)
            }
        }

        impl From<[usize; 2]> for $name {
            fn from([x, y]: [usize; 2]) -> Self {
                Self::from((x, y))
            }
        }

        impl From<[usize; 3]> for $name {
            fn from([x, y, z]: [usize; 3]) -> Self {
                Self::from((x, y, z))
            }
        }

        /// Shows the given dimensions, such as `640 × 480`.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_extents(&self.extents[..usize::from(self.dimensions)], f)
            }
        }
    };
}

size! {
    /// The number of work-items of a launch in each dimension.
    ///
    /// Made from `n`, `(x, y)`, `(x, y, z)` or an array of one to three.
    GlobalSize
}

size! {
    /// The number of work-groups of a launch in each dimension.
    ///
    /// Made from `n`, `(x, y)`, `(x, y, z)` or an array of one to three.
    GroupCount
}

size! {
    /// The number of work-items of one work-group in each dimension.
    ///
    /// Made from `n`, `(x, y)`, `(x, y, z)` or an array of one to three.
    GroupSize
}

/// Writes extents with a multiplication sign between them.
pub(crate) fn write_extents<T: fmt::Display>(extents: &[T], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (dimension, extent) in extents.iter().enumerate() {
        if dimension > 0 {
            f.write_str(" × ")?;
        }
        extent.fmt(f)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_dimensions_have_size_one() {
        assert_eq!(GlobalSize::from(7).extents(), [7, 1, 1]);
        assert_eq!(GlobalSize::from((7, 8)).extents(), [7, 8, 1]);
        assert_eq!(GlobalSize::from((7, 8, 9)).extents(), [7, 8, 9]);
    }

    #[test]
    fn tuples_and_arrays_are_the_same() {
        assert_eq!(GroupSize::from([7]), GroupSize::from(7));
        assert_eq!(GroupSize::from([7, 8]), GroupSize::from((7, 8)));
        assert_eq!(GroupSize::from([7, 8, 9]), GroupSize::from((7, 8, 9)));
    }

    #[test]
    fn dimensions_are_those_given() {
        assert_eq!(GroupCount::from(1).dimensions(), 1);
        assert_eq!(GroupCount::from((1, 1)).dimensions(), 2);
        assert_eq!(GroupCount::from([1, 1, 1]).dimensions(), 3);
    }

    #[test]
    fn display_shows_the_given_dimensions() {
        assert_eq!(GlobalSize::from(5).to_string(), "5");
        assert_eq!(GlobalSize::from((640, 480)).to_string(), "640 × 480");
        assert_eq!(GlobalSize::from((1, 2, 3)).to_string(), "1 × 2 × 3");
    }
}
