//! Writes a construct's kernels once for several scalar types.

/// Repeats items for several types, each time in a module of its own with the type in place of `$T`, and gathers
/// the cases of those modules.
///
/// ```text
/// for_types! { |$T| in [on_i32: i32, on_u8: u8]
///     #[kernel]
///     pub fn double(x: &mut [$T]) { … }
///
///     pub fn cases() -> Vec<Case> { … }
/// }
/// ```
///
/// `xtask/catalogue/build.rs` knows this macro, since it lists the kernels without expanding any.
macro_rules! for_types {
    (|$dollar:tt $T:ident| in [$($module:ident: $ty:ident),* $(,)?] $($items:tt)*) => {
        macro_rules! items_for {
            ($dollar $T:ident) => { $($items)* };
        }

        $(
            pub mod $module {
                #[allow(unused_imports, reason = "not every type needs all that its parent imports")]
                use super::*;

                items_for! { $ty }
            }
        )*

        /// The cases of every type.
        pub fn cases() -> Vec<Case> {
            [$($module::cases()),*].into_iter().flatten().collect()
        }
    };
}

pub(crate) use for_types;
