//! What a package needs to be published: metadata, a README of its own, the licences, and dependencies on packages of exactly its version.

use crate::workspace;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The members of the metadata that must not be empty. Where the project lives (`repository`) is for its owner to say.
const STATED: [&str; 7] =
    ["description", "license", "readme", "rust_version", "keywords", "categories", "edition"];

const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The most keywords and categories that a registry takes.
const MOST: usize = 5;

/// Returns whether a package is to be published; a list of registries says which, and an empty one that there is none.
pub(super) fn is_published(package: &Value) -> bool {
    package["publish"].is_null()
}

/// What a package lacks, if it is to be published.
pub(super) fn complaints(package: &Value) -> Vec<String> {
    if !is_published(package) {
        return Vec::new();
    }
    let name = package["name"].as_str().unwrap_or_default();
    let folder = Path::new(package["manifest_path"].as_str().unwrap_or_default()).parent();
    let mut complaints = in_metadata(package);
    complaints.extend(folder.into_iter().flat_map(in_folder));
    complaints.into_iter().map(|complaint| format!("{name} {complaint}")).collect()
}

fn in_metadata(package: &Value) -> Vec<String> {
    let is_empty = |value: &Value| match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    };
    let missing = STATED.into_iter().filter(|member| is_empty(&package[*member]));
    let mut complaints: Vec<String> = missing.map(|member| format!("has no {member}")).collect();
    for list in ["keywords", "categories"] {
        let count = package[list].as_array().map_or(0, Vec::len);
        complaints.extend((count > MOST).then(|| format!("has {count} {list}, which are {MOST} at most")));
    }
    if !package["metadata"]["docs"]["rs"].is_object() {
        complaints
            .push("does not say how its documentation is built, `[package.metadata.docs.rs]`".to_owned());
    }
    let version = format!("={}", package["version"].as_str().unwrap_or_default());
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let ours = dependencies.filter(|one| !one["path"].is_null() && one["kind"] != "dev");
    complaints.extend(ours.filter(|one| one["req"] != *version).map(|one| {
        let (name, found) =
            (one["name"].as_str().unwrap_or_default(), one["req"].as_str().unwrap_or_default());
        format!("depends on {name} {found}, and not on {version}")
    }));
    complaints
}

/// What is missing in the folder of a package, or is not as it is at the root.
fn in_folder(folder: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    if fs::read_to_string(folder.join("README.md")).is_ok_and(|text| text.is_empty()) {
        complaints.push("has an empty README.md".to_owned());
    }
    for licence in LICENCES {
        let own = fs::read(folder.join(licence)).ok();
        if own.is_none() || own != fs::read(workspace::root().join(licence)).ok() {
            complaints.push(format!("has no {licence} as it is at the root"));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package() -> Value {
        json!({
            "name": "k",
            "version": "0.1.0",
            "publish": null,
            "description": "d",
            "license": "MIT",
            "readme": "README.md",
            "rust_version": "1.95",
            "keywords": ["gpu"],
            "categories": ["concurrency"],
            "edition": "2024",
            "metadata": { "docs": { "rs": { "all-features": true } } },
            "dependencies": [
                { "name": "other", "req": "^1.0", "kind": null },
                { "name": "ours", "req": "=0.1.0", "kind": null, "path": "/ours" },
                { "name": "tested-with", "req": "*", "kind": "dev", "path": "/tested" },
            ],
        })
    }

    #[test]
    fn what_has_everything_is_accepted() {
        assert_eq!(in_metadata(&package()), Vec::<String>::new());
    }

    #[test]
    fn what_is_missing_is_named() {
        for (member, value, complaint) in [
            ("description", Value::Null, "has no description"),
            ("keywords", json!([]), "has no keywords"),
            ("keywords", json!(["a", "b", "c", "d", "e", "f"]), "has 6 keywords, which are 5 at most"),
            (
                "metadata",
                Value::Null,
                "does not say how its documentation is built, `[package.metadata.docs.rs]`",
            ),
            (
                "dependencies",
                json!([{ "name": "ours", "req": "^0.1.0", "kind": null, "path": "/ours" }]),
                "depends on ours ^0.1.0, and not on =0.1.0",
            ),
        ] {
            let mut package = package();
            package[member] = value;
            assert_eq!(in_metadata(&package), [complaint]);
        }
    }

    #[test]
    fn what_is_not_published_needs_nothing() {
        assert!(complaints(&json!({ "name": "k", "publish": [] })).is_empty());
    }

    #[test]
    fn a_folder_without_licences_is_refused() {
        assert_eq!(in_folder(Path::new("/nowhere")).len(), LICENCES.len());
    }
}
