//! Rust spellings of C names and types.

use super::model::{Constant, Field, Type};

/// A field or parameter name; the one that is a Rust keyword gets an underscore.
pub(super) fn identifier(name: &str) -> String {
    match name {
        "type" => "type_".to_owned(),
        _ => name.to_owned(),
    }
}

/// `command_list` from `CommandList`.
pub(super) fn snake_case(title: &str) -> String {
    let mut out = String::new();
    for (index, c) in title.chars().enumerate() {
        if c.is_ascii_uppercase() && index > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

pub(super) fn rust_type(ty: &Type) -> String {
    let mut out = base_type(&ty.base, !ty.pointers.is_empty()).to_owned();
    for &to_const in &ty.pointers {
        out.insert_str(0, if to_const { "*const " } else { "*mut " });
    }
    out
}

fn base_type(name: &str, is_pointee: bool) -> &str {
    match name {
        "void" if is_pointee => "c_void",
        "void" => "()",
        "char" => "c_char",
        "int" => "c_int",
        "float" => "f32",
        "double" => "f64",
        "size_t" => "usize",
        "uint8_t" => "u8",
        "uint16_t" => "u16",
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        "int32_t" => "i32",
        "int64_t" => "i64",
        other => other,
    }
}

/// A field's type. Arrays of characters hold text, save those that carry the bytes of an IPC handle.
pub(super) fn field_type(structure: &str, field: &Field) -> String {
    let element = rust_type(&field.ty);
    match &field.length {
        None => element,
        Some(length) if element == "c_char" && !structure.ends_with("_handle_t") => {
            format!("FixedCStr<{length}>")
        }
        Some(length) => format!("[{element}; {length}]"),
    }
}

pub(super) fn constant(value: &Constant) -> (&'static str, String) {
    match value {
        Constant::Number(number) => ("usize", number.to_string()),
        Constant::Text(text) => ("&CStr", format!("c{text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Type, rust_type, snake_case};

    #[test]
    fn const_binds_to_the_innermost_pointee() {
        let cases: [(&str, &[bool], &str); 4] = [
            ("char", &[true, false], "*mut *const c_char"),
            ("void", &[false, false], "*mut *mut c_void"),
            ("void", &[], "()"),
            ("ze_result_t", &[], "ze_result_t"),
        ];
        for (base, pointers, want) in cases {
            assert_eq!(rust_type(&Type { base: base.to_owned(), pointers: pointers.to_vec() }), want);
        }
    }

    #[test]
    fn titles_become_fields() {
        assert_eq!(snake_case("ModuleBuildLog"), "module_build_log");
    }
}
