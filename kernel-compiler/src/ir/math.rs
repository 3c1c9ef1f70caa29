//! The functions of OpenCL.std, and the operands that they take.

/// The types of the operands and of the result of a function.
///
/// Where it is a number, all operands and the result have one type, of which there are as many operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Of any float type.
    Floats(usize),
    /// Of `f32`.
    Singles(usize),
    /// Of any integer type; the function is that of the signed or of the unsigned, as the type is.
    Integers(usize),
    /// Of `i32` or `u32`.
    Words(usize),
    /// A float and an `i32`, to a float.
    FloatAndInteger,
    /// A float to an `i32`.
    FloatToInteger,
}

/// A function that only `f32` has, in variants that trade precision for speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of OpenCL.std, whose specification defines them")]
pub enum Fast {
    Cos,
    Divide,
    Exp,
    Exp2,
    Exp10,
    Log,
    Log2,
    Log10,
    Powr,
    Recip,
    Rsqrt,
    Sin,
    Sqrt,
    Tan,
}

impl Fast {
    /// How many operands the function takes.
    const fn operands(self) -> usize {
        match self {
            Self::Divide | Self::Powr => 2,
            _ => 1,
        }
    }
}

/// Defines the functions by their shapes.
macro_rules! functions {
    ($($shape:expr => $($name:ident)*;)*) => {
        /// A mathematical function, by its name in OpenCL.std.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of OpenCL.std, whose specification defines them")]
        pub enum Math {
            $($($name,)*)*
            /// `native_` and the name.
            Native(Fast),
            /// `half_` and the name.
            Half(Fast),
        }

        impl Math {
            /// Those that are not variants for `f32`, each with its name.
            const NAMED: &[(Self, &str)] = &[$($((Self::$name, stringify!($name)),)*)*];

            /// The types of its operands and of its result.
            #[must_use]
            pub const fn shape(self) -> Shape {
                match self {
                    $($(Self::$name)|* => $shape,)*
                    Self::Native(function) | Self::Half(function) => Shape::Singles(function.operands()),
                }
            }
        }
    };
}

impl Math {
    /// The name in OpenCL.std; of a variant for `f32`, that of no function.
    pub(super) fn name(self) -> String {
        let name = Self::NAMED.iter().find(|(function, _)| *function == self).map_or("", |(_, name)| name);
        snake(name)
    }

    /// The function with this name, if there is one.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(_, known)| snake(known) == name).map(|(function, _)| *function)
    }
}

/// A name in lower case, with `_` between words.
fn snake(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

functions! {
    Shape::Floats(1) =>
        Acos Acosh Acospi Asin Asinh Asinpi Atan Atanh Atanpi Cbrt Ceil Cos Cosh Cospi Erf Erfc Exp Exp2 Exp10 Expm1 Fabs
        Floor Lgamma Log Log10 Log1p Log2 Logb Rint Round Rsqrt Sin Sinh Sinpi Sqrt Tan Tanh Tanpi Tgamma Trunc;
    Shape::Floats(2) =>
        Atan2 Atan2pi Copysign Fdim Fmax Fmin Fmod Hypot Maxmag Minmag Nextafter Pow Powr Remainder;
    Shape::Floats(3) => Fma Mad;
    Shape::FloatAndInteger => Ldexp Pown Rootn;
    Shape::FloatToInteger => Ilogb;
    Shape::Integers(1) => Abs Clz Ctz Popcount;
    Shape::Integers(2) => Hadd Max Min MulHi Rhadd;
    Shape::Integers(3) => Bitselect;
    Shape::Words(2) => Mul24;
    Shape::Words(3) => Mad24;
}
