//! The macros that the generated files consist of.
//!
//! What each kind of C declaration is in Rust is written here once; the generated files only list names,
//! types and values.

mod enums;
mod functions;
mod handles;
mod structs;
mod zero;

pub(crate) use self::enums::{c_enum, c_flags, fmt_flags};
pub(crate) use self::functions::{c_api, c_function_pointers, c_name, c_table, set_slot};
pub(crate) use self::handles::c_handles;
pub(crate) use self::structs::{assert_layout, c_struct, size_of_field};
pub(crate) use self::zero::Zero;

/// A link to a name in the specification.
macro_rules! specification {
    ($name:ident) => {
        concat!(
            "[`",
            stringify!($name),
            "`](https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=",
            stringify!($name),
            ")"
        )
    };
}

pub(crate) use specification;
