//! Methods and functions of the standard library that device code does not have, with what to write instead.
//!
//! rustc accepts them, so we have to refuse them; a name that is not here and not in the language either is rustc's to refuse.

use kernel_core::Scalar;

/// What to write instead of a method of a scalar.
#[must_use]
pub fn of_scalar(scalar: Scalar, name: &str) -> Option<&'static str> {
    let of_numbers = match name {
        "clamp" if scalar == Scalar::Bool => "write `x.max(low).min(high)`",
        "clone" | "to_owned" | "borrow" | "as_ref" => "scalars are copied by themselves: use the value",
        "try_into" | "from" | "try_from" => "use `as`, or a literal of the right type",
        "to_string" | "parse" | "from_str" | "from_str_radix" => "a device has no text: convert on the host",
        "add" | "sub" | "mul" | "div" | "rem" | "neg" | "not" | "bitand" | "bitor" | "bitxor" | "shl"
        | "shr" => "use the operator",
        "to_le_bytes" | "to_be_bytes" | "to_ne_bytes" | "from_le_bytes" | "from_be_bytes"
        | "from_ne_bytes" => "take the bytes apart with shifts, `&` and `as u8`",
        _ => "",
    };
    if !of_numbers.is_empty() {
        return Some(of_numbers);
    }
    if scalar.is_float() {
        of_float(name)
    } else if scalar.is_integer() {
        of_integer(name)
    } else {
        None
    }
}

fn of_float(name: &str) -> Option<&'static str> {
    Some(match name {
        "classify" => "use `is_nan`, `is_infinite`, `is_normal` and `is_subnormal`",
        "abs_sub" => "write `(a - b).max(0.0)`",
        "maximum" | "minimum" => "use `max` or `min`, which prefer a number to a NaN",
        _ => return None,
    })
}

fn of_integer(name: &str) -> Option<&'static str> {
    Some(match name {
        "min_value" => "write `T::MIN`",
        "max_value" => "write `T::MAX`",
        "eq_ignore_ascii_case" => "compare what `to_ascii_lowercase` gives",
        "make_ascii_lowercase" => "write `c = c.to_ascii_lowercase()`",
        "make_ascii_uppercase" => "write `c = c.to_ascii_uppercase()`",
        "escape_ascii" => "a device has no text: convert on the host",
        _ => return None,
    })
}

/// What to write instead of a method of `Option`, `Result` or `Ordering`.
#[must_use]
pub fn of_option(name: &str) -> &'static str {
    match name {
        "as_slice" | "as_mut_slice" => "use `if let Some(value) = …`",
        _ => "use `match`",
    }
}

/// What to write instead of a method of a slice or an array.
#[must_use]
pub fn of_slice(name: &str) -> Option<&'static str> {
    Some(match name {
        "as_array" | "as_mut_array" => "use `try_into`, or a pattern, as in `if let [a, b] = x`",
        "get_disjoint_unchecked_mut" => "use `split_at_mut`",
        "to_vec" | "into_vec" | "concat" | "join" | "repeat" => {
            "a device has no heap: use an array or another slice"
        }
        "sort_by_cached_key" => "the keys would need memory: use `sort_by_key`",
        "as_ptr_range" => "use `as_ptr()` and `len()`",
        "clone" | "to_owned" => "copy elements in a loop; arrays are copied by themselves",
        _ => return None,
    })
}

/// What to write instead of a method of an iterator.
#[must_use]
pub fn of_iterator(name: &str) -> Option<&'static str> {
    Some(match name {
        "advance_by" => "use `next` and `next_back`, or indices",
        "peek_mut" => "call `map` before `peekable`, as in `x.iter().map(|x| *x).peekable()`",
        "unzip" | "partition" => {
            "a device has no heap: write the items to an array or a `&mut [T]` in a `for`"
        }
        "size_hint" => "use `len` or `count`",
        _ => return None,
    })
}
