//! Pointers to functions, the tables of them, and the calls through the tables.

use std::fmt::Write as _;

use super::super::bindings::Bindings;
use super::super::model::Function;
use super::super::names;

pub(super) fn pointer_types(bindings: &Bindings) -> String {
    let mut out = String::from(
        "//! Pointers to functions: the slots of the tables, and the functions that fill a table.\n\n\
         use std::ffi::{c_char, c_void};\n\nuse super::*;\nuse crate::abi::c_function_pointers;\n\n\
         c_function_pointers! {\n",
    );
    for (pointer_type, function) in &bindings.functions {
        let (name, parameters) = (&function.name, parameters(function));
        let result = names::rust_type(&function.result);
        let _ = writeln!(out, "    {pointer_type} = {name}({parameters}) -> {result};");
    }
    out + "}\n"
}

pub(super) fn tables(bindings: &Bindings) -> String {
    let mut out = String::from(
        "//! The tables of function pointers, as a driver fills them.\n\nuse super::*;\n\
         use crate::abi::c_table;\n",
    );
    for table in &bindings.tables {
        let _ = writeln!(out, "\nc_table! {{\n    {} {{", table.name);
        for slot in &table.slots {
            let _ = writeln!(out, "        {}: {},", slot.field, slot.pointer_type);
        }
        out.push_str("    }\n}\n");
    }
    out
}

pub(super) fn api(bindings: &Bindings) -> String {
    let mut out = String::from(
        "//! All tables together, and a method for each function.\n\n\
         use std::ffi::{c_char, c_void};\n\nuse super::*;\nuse crate::abi::c_api;\n\n\
         c_api! {\n    tables {\n",
    );
    for table in &bindings.tables {
        let _ = writeln!(out, "        {}: {},", names::snake_case(&table.title), table.name);
    }
    out.push_str("    }\n    functions {\n");
    for table in &bindings.tables {
        let field = names::snake_case(&table.title);
        for slot in &table.slots {
            if let Some(function) = bindings.function(&slot.pointer_type) {
                let parameters = parameters(function);
                let name = format!("{}{}", bindings.family, slot.function);
                let _ = writeln!(out, "        {field}.{} = {name}({parameters});", slot.field);
            }
        }
    }
    out + "    }\n}\n"
}

fn parameters(function: &Function) -> String {
    let mut out = Vec::new();
    for parameter in &function.parameters {
        let name = names::identifier(parameter.name.as_deref().unwrap_or("_"));
        out.push(format!("{name}: {}", names::rust_type(&parameter.ty)));
    }
    out.join(", ")
}
