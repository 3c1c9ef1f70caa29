//! What is measured: functions of floats, each with kernels that compute it.

use super::sample::Inputs;
use kernel_core::KernelDescriptor;
use kernel_core::half::f16;

/// A function of floats.
pub(super) struct Function {
    /// How it is called.
    pub(super) name: &'static str,
    /// Its arguments: `x`, `y` and `z` are floats, `n` is an `i32`.
    pub(super) arguments: &'static [Argument],
    /// Where most of its arguments are in practice.
    pub(super) range: (f64, f64),
    /// What its exact result is.
    pub(super) exact: Exact,
    /// How wrong a device may be.
    pub(super) bound: Bound,
    /// The function for each type that has it.
    pub(super) variants: Variants,
}

/// A function of each type that has it.
#[derive(Clone, Copy, Default)]
pub(super) struct Variants {
    pub(super) half: Option<Variant<f16>>,
    pub(super) single: Option<Variant<f32>>,
    pub(super) double: Option<Variant<f64>>,
}

/// A function for one type.
#[derive(Clone, Copy)]
pub(super) struct Variant<T> {
    /// The kernel, with a slice for each argument and one for the results.
    pub(super) kernel: &'static KernelDescriptor,
    /// The same on the host.
    pub(super) host: fn(&Inputs<T>, usize) -> T,
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    X,
    Y,
    Z,
    N,
}

/// Where the exact result comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exact {
    /// From the host: the function is made of operations that IEEE 754 or the language determine to the last bit.
    Host,
    /// From this expression of mpmath.
    Formula(&'static str),
}

/// What the specification promises, in units in the last place: the OpenCL SPIR-V Environment Specification, "ULP Values for Math
/// Instructions - Full Profile".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The result is the only one that is right, with its rounding.
    Exact,
    /// This many units, for `f32` and `f64` and for `f16`.
    Ulps(u32, u32),
    /// So many where the operations that it is made of are as wrong as they may be.
    Composed(u32, u32),
    /// The device decides.
    Open,
}

impl Bound {
    /// The greatest error that is allowed of a type of so many bits.
    pub(super) fn ulps(self, bits: u32) -> f64 {
        match self {
            Self::Exact => 0.5,
            Self::Ulps(ulps, of_half) | Self::Composed(ulps, of_half) => {
                (if bits == 16 { of_half } else { ulps }).into()
            }
            Self::Open => f64::INFINITY,
        }
    }
}

impl Function {
    /// Returns whether it takes an argument.
    pub(super) fn takes(&self, argument: Argument) -> bool {
        self.arguments.contains(&argument)
    }
}

/// Defines the functions, their kernels and the table.
macro_rules! functions {
    ($($module:ident $name:literal $args:tt [$($ty:ident)+] $low:literal .. $high:literal, $exact:expr, $bound:expr,
       $body:tt;)*) => {
        /// All functions.
        #[allow(clippy::needless_update, reason = "some functions have all variants, and most do not")]
        pub(super) fn all() -> Vec<Function> {
            vec![$(Function {
                name: $name,
                arguments: functions!(@arguments $args),
                range: ($low as f64, $high as f64),
                exact: $exact,
                bound: $bound,
                variants: Variants {
                    $($ty: Some(Variant {
                        kernel: &kernels::$module::$ty::RUN,
                        host: kernels::$module::$ty::host,
                    }),)+
                    ..Variants::default()
                },
            }),*]
        }

        #[allow(dead_code, reason = "the kernels are launched by their descriptors")]
        mod kernels {
            $(pub(super) mod $module {
                $(functions! { @kernel $ty $args $body })+
            })*
        }
    };
    (@arguments ($x:ident)) => { &[Argument::X] };
    (@arguments ($x:ident; $n:ident)) => { &[Argument::X, Argument::N] };
    (@arguments ($x:ident $y:ident)) => { &[Argument::X, Argument::Y] };
    (@arguments ($x:ident $y:ident $z:ident)) => { &[Argument::X, Argument::Y, Argument::Z] };
    (@kernel half $args:tt $body:tt) => { functions! { @typed half f16 $args $body } };
    (@kernel single $args:tt $body:tt) => { functions! { @typed single f32 $args $body } };
    (@kernel double $args:tt $body:tt) => { functions! { @typed double f64 $args $body } };
    (@typed $module:ident $T:ident ($x:ident) $body:tt) => { functions! { @items $module $T ($x: $T) $body } };
    (@typed $module:ident $T:ident ($x:ident; $n:ident) $body:tt) => {
        functions! { @items $module $T ($x: $T, $n: i32) $body }
    };
    (@typed $module:ident $T:ident ($x:ident $y:ident) $body:tt) => {
        functions! { @items $module $T ($x: $T, $y: $T) $body }
    };
    (@typed $module:ident $T:ident ($x:ident $y:ident $z:ident) $body:tt) => {
        functions! { @items $module $T ($x: $T, $y: $T, $z: $T) $body }
    };
    (@items $module:ident $T:ident ($($arg:ident: $ty:ty),+) { $($body:tt)+ }) => {
        pub(in crate::precision) mod $module {
            use crate::precision::sample::Inputs;
            #[allow(unused_imports, reason = "most of these are functions of the primitive types")]
            use kernel_runtime::prelude::*;

            /// The type, by a name that the functions share.
            #[device]
            type T = $T;

            #[kernel]
            pub(in crate::precision) fn run($($arg: &[$ty],)+ result: &mut [$T]) {
                let i = global_id(0);
                $(let $arg = $arg[i];)+
                result[i] = { $($body)+ };
            }

            pub(in crate::precision) fn host(inputs: &Inputs<$T>, i: usize) -> $T {
                $(let $arg = inputs.$arg[i];)+
                $($body)+
            }
        }
    };
}
