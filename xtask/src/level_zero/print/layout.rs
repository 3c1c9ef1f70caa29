//! Assertions that Rust lays the structures out as the C compiler did.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::bindings::Bindings;
use super::super::layout::Layout;
use super::super::names;

pub(super) fn assertions(bindings: &Bindings, layouts: &[Layout]) -> String {
    let mut out = String::from(
        "//! The layouts that a C compiler gave to the structures on a 64-bit target, asserted at\n\
         //! compile time; 32-bit targets have no Level Zero drivers.\n\n\
         #![cfg(target_pointer_width = \"64\")]\n\nuse super::*;\nuse crate::abi::assert_layout;\n\n",
    );
    let container = format!("{}_dditable_t", bindings.family);
    let titles: BTreeMap<&str, String> =
        bindings.tables.iter().map(|table| (table.title.as_str(), names::snake_case(&table.title))).collect();
    for layout in layouts {
        let is_container = layout.name == container;
        let name = if is_container { "Api" } else { &layout.name };
        let mut fields = Vec::new();
        for (field, bytes) in &layout.fields {
            let field = match titles.get(field.as_str()) {
                Some(field) if is_container => field.clone(),
                _ => names::identifier(field),
            };
            fields.push(format!("{field}: {}..{}", bytes.start, bytes.end));
        }
        let (size, align, fields) = (layout.size, layout.align, fields.join(", "));
        let _ = writeln!(out, "assert_layout!({name}, size {size}, align {align}, {{ {fields} }});");
    }
    out
}
