//! Constants, handles, enumerations, sets of flags and structures.

use std::fmt::Write as _;

use super::super::bindings::Bindings;
use super::super::model::{Enumerator, Value};
use super::super::names;

pub(super) fn constants(bindings: &Bindings) -> String {
    let mut out = String::from("//! Array lengths and the names of extensions.\n\nuse std::ffi::CStr;\n\n");
    for (name, value) in &bindings.constants {
        let (ty, value) = names::constant(value);
        let _ = writeln!(out, "pub const {name}: {ty} = {value};");
    }
    for (name, ty) in &bindings.aliases {
        let _ = writeln!(out, "\npub type {name} = {};", names::rust_type(ty));
    }
    out
}

pub(super) fn handles(bindings: &Bindings) -> String {
    let mut out = String::from(
        "//! Opaque handles of the driver's objects.\n\nuse crate::abi::c_handles;\n\nc_handles! {\n",
    );
    for name in &bindings.handles {
        let _ = writeln!(out, "    {name}");
    }
    out + "}\n"
}

pub(super) fn enums(bindings: &Bindings) -> String {
    let mut out = String::from("//! Enumerations.\n\nuse crate::abi::c_enum;\n");
    for e in &bindings.enums {
        let _ = write!(out, "\nc_enum! {{\n    {} {{\n{}    }}\n}}\n", e.name, enumerators(&e.enumerators));
    }
    out
}

pub(super) fn flags(bindings: &Bindings) -> String {
    let mut out = String::from("//! Sets of flags.\n\nuse crate::abi::c_flags;\n");
    for flags in &bindings.flags {
        let (name, bit_name, bits) = (&flags.name, &flags.bit_name, enumerators(&flags.bits));
        let _ = write!(out, "\nc_flags! {{\n    {name}, {bit_name} {{\n{bits}    }}\n}}\n");
    }
    out
}

/// The members of an enumeration but the one that only makes C choose a width of 32 bits.
fn enumerators(list: &[Enumerator]) -> String {
    let mut out = String::new();
    for Enumerator { name, value, .. } in list.iter().filter(|e| !e.name.ends_with("_FORCE_UINT32")) {
        let _ = writeln!(out, "        {name} = {},", value_text(*value));
    }
    out
}

fn value_text(value: Value) -> String {
    match value {
        Value::Number(number) if number < 0x1000 => number.to_string(),
        Value::Number(number) => format!("{number:#x}"),
        Value::Bit(bit) => format!("1 << {bit}"),
        Value::Version { major, minor } => format!("{major:#x}_{minor:04x}"),
    }
}

pub(super) fn structs(bindings: &Bindings) -> String {
    let mut out = String::from(
        "//! Structures: descriptors, properties and plain data.\n\nuse std::ffi::{c_char, c_int, c_void};\n\n\
         use super::*;\nuse crate::abi::c_struct;\nuse crate::text::FixedCStr;\n",
    );
    for structure in &bindings.structures {
        let tag = structure.tag.as_ref().map(|tag| format!(" [{tag}]")).unwrap_or_default();
        let _ = writeln!(out, "\nc_struct! {{\n    {}{tag} {{", structure.name);
        for field in &structure.fields {
            let ty = names::field_type(&structure.name, field);
            let _ = writeln!(out, "        {}: {ty},", names::identifier(&field.name));
        }
        out.push_str("    }\n}\n");
    }
    out
}
