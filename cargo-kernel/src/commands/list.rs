//! `cargo kernel list`.

use super::about;
use crate::arguments::{Build, Output};
use crate::failure::Result;
use crate::kernels::Kernels;
use crate::listing::{Kernel, Unit, items, texts};
use crate::style::ASIDE;
use crate::table::table;
use crate::{print, print_json};
use serde_json::Value;

/// Lists all kernels.
pub(crate) fn list(build: &Build, output: Output) -> Result<()> {
    let kernels = Kernels::of(build)?;
    if output.json {
        return print_json(&kernels.all.iter().map(document).collect());
    }
    let mut units: Vec<&Unit> = kernels.all.iter().map(|kernel| &kernel.unit).collect();
    units.dedup();
    let mut text = String::new();
    for unit in units {
        let of_unit = kernels.all.iter().filter(|kernel| kernel.unit == *unit);
        let rows = of_unit.map(row).collect();
        text += &format!("{ASIDE}{unit}, profile {}{ASIDE:#}\n", build.profile("release"));
        text += &table(&["KERNEL", "CHECKS", "NEEDS", "SPIR-V", "PLACE", "ARGUMENTS"], &[3], rows);
        text.push('\n');
    }
    print(&text)
}

/// What programs are told of a kernel: all but what other commands show.
fn document(kernel: &Kernel) -> Value {
    let sites = kernel.list("sites");
    let hoisted = sites.iter().filter(|site| !site["hoisted_where"].is_null()).count();
    let mut members: Vec<(&str, Value)> = [
        "arguments",
        "specializations",
        "imports",
        "rank",
        "group_size",
        "subgroup_size",
        "local_memory",
        "requirements",
        "conditions",
        "presumptions",
        "unchecked",
        "vouched_races",
        "prints",
    ]
    .map(|member| (member, kernel.document[member].clone()))
    .to_vec();
    members.push(("checks", sites.len().into()));
    members.push(("hoisted_checks", hoisted.into()));
    members.push(("spirv_bytes", kernel.module("spirv").len().into()));
    about(kernel, &members)
}

fn row(kernel: &Kernel) -> Vec<String> {
    let place = format!("{}:{}", kernel.place.file, kernel.place.line);
    vec![kernel.name.clone(), checks(kernel), needs(kernel), size(kernel), place, arguments(kernel)]
}

fn arguments(kernel: &Kernel) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let named = |member: &str| {
        let all = kernel.list(member).iter();
        all.map(|one| format!("{}: {}", text(&one["name"]), text(&one["type"])))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match named("specializations") {
        none if none.is_empty() => format!("({})", named("arguments")),
        constants => format!("<const {}>({})", constants.replace(", ", ", const "), named("arguments")),
    }
}

/// The checks that are left, and how many of them launches can make.
pub(super) fn checks(kernel: &Kernel) -> String {
    let sites = kernel.list("sites");
    let hoisted = sites.iter().filter(|site| !site["hoisted_where"].is_null()).count();
    let vouched = if kernel.is("unchecked") { " (unchecked)" } else { "" };
    match (sites.len(), hoisted) {
        (0, _) => format!("none{vouched}"),
        (all, 0) => format!("{all}{vouched}"),
        (all, hoisted) => format!("{all}, {hoisted} hoisted{vouched}"),
    }
}

/// What not every device has, and not every launch meets.
fn needs(kernel: &Kernel) -> String {
    let requirements = &kernel.document["requirements"];
    let mut needs: Vec<String> = Vec::new();
    for (member, name) in [("fp64", "f64"), ("fp16", "f16"), ("int64_atomics", "64-bit atomics")] {
        needs.extend((requirements[member] == true).then(|| name.to_owned()));
    }
    let mut capabilities = texts(&requirements["capabilities"]);
    needs.extend(capabilities.any(|name| name == "ImageBasic").then(|| "images".to_owned()));
    let floats = items(&requirements["features"]).iter().filter_map(|feature| feature["text"].as_str());
    needs.extend(
        floats.filter(|text| text.starts_with("FloatAtomics")).map(|_| "float atomics".to_owned()).take(1),
    );
    let sizes: Vec<String> = kernel.list("group_size").iter().map(Value::to_string).collect();
    needs.extend((!sizes.is_empty()).then(|| format!("groups of {}", sizes.join("×"))));
    needs.extend(kernel.document["subgroup_size"].as_u64().map(|size| format!("subgroups of {size}")));
    let local = kernel.document["local_memory"].as_u64().filter(|bytes| *bytes > 0);
    needs.extend(local.map(|bytes| format!("{bytes} B local")));
    needs.extend(
        kernel
            .list("conditions")
            .iter()
            .filter_map(|condition| condition["text"].as_str())
            .map(str::to_owned),
    );
    needs.extend(
        kernel.list("imports").iter().filter_map(Value::as_str).map(|name| format!("library with {name}")),
    );
    if needs.is_empty() { "-".to_owned() } else { needs.join(", ") }
}

fn size(kernel: &Kernel) -> String {
    format!("{} B", kernel.text("spirv").len() / 2)
}
