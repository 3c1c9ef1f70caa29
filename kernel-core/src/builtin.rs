//! The macros through which kernels see the items of this crate that are no functions.

/// Lets kernels name types and traits: hands the compiler the name of the built-in item.
macro_rules! builtin_names {
    ($($name:ident $macro:ident)*) => { builtin_names! { @with ($) $($name $macro)* } };
    (@with ($d:tt) $($name:ident $macro:ident)*) => {$(
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $macro {
            (@probe $d ($d error:tt)*) => {};
            (@k $d ($d rest:tt)*) => { $crate::__builtin_item! { $name $d ($d rest)* } };
        }
        #[doc(hidden)]
        pub use $macro as $name;
    )*};
}
