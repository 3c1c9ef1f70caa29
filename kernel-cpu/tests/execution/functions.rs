//! Holds that docs/level-zero.md lists each function of the API, and says of each whether the driver has it.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

/// Whether there is a function, by its name.
type Functions = BTreeMap<String, bool>;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The functions that the page lists.
fn listed() -> Functions {
    let page = read("docs/level-zero.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `ze")?.split_once("` | "));
    let rows = rows.map(|(name, state)| {
        let is_there = state.starts_with("yes");
        assert!(
            is_there || state.starts_with("no: "),
            "ze{name} is neither there nor not, with a reason: {state}"
        );
        (format!("ze{name}"), is_there)
    });
    let (names, count) = rows.fold((Functions::new(), 0), |(mut names, count), (name, is_there)| {
        names.insert(name, is_there);
        (names, count + 1)
    });
    assert_eq!(names.len(), count, "a function is listed twice");
    names
}

/// The slots of the driver's tables by table and name, and whether there is something in them, from the source that fills them: a slot that is not implemented
/// holds a function like others.
fn filled() -> BTreeMap<(String, String), bool> {
    let source = read("kernel-cpu/src/api/table.rs");
    let mut table = "";
    let mut slots = BTreeMap::new();
    let words: Vec<&str> = source.split([' ', '\n', ',', '{', '}']).filter(|word| !word.is_empty()).collect();
    for pair in words.windows(2) {
        if let Some(name) = pair[0].strip_suffix("_dditable_t") {
            table = name.strip_prefix("ze_").expect("tables are of the core API");
        }
        if let Some(slot) = pair[0].strip_suffix(':').filter(|slot| slot.starts_with("pfn")) {
            slots.insert((table.to_owned(), slot.to_owned()), pair[1] != "stub()");
        }
    }
    slots
}

/// The functions of the tables, and those of newer versions that the driver has.
fn known() -> Functions {
    let filled = filled();
    let generated = read("level-zero-sys/src/generated/api.rs");
    let mut known = Functions::new();
    for line in generated.lines() {
        // A line such as `driver.pfnGet = zeDriverGet(…);`.
        let Some((slot, function)) = line.trim().split_once(" = ze") else { continue };
        let (table, slot) = slot.split_once('.').expect("a slot is one of a table");
        let (name, _) = function.split_once('(').expect("a function has parameters");
        let is_there = filled.get(&(table.to_owned(), slot.to_owned()));
        let is_there = *is_there.unwrap_or_else(|| panic!("table.rs has {table}.{slot}"));
        known.insert(format!("ze{name}"), is_there);
    }
    assert_eq!(known.len(), filled.len(), "the tables have other functions than the API");
    known.extend(kernel_cpu::later_functions().iter().map(|name| ((*name).to_owned(), true)));
    known.extend(kernel_cpu::absent_functions().iter().map(|name| ((*name).to_owned(), false)));
    known
}

#[test]
fn the_page_lists_all_functions_as_they_are() {
    let (listed, known) = (listed(), known());
    for (name, is_there) in &known {
        assert_eq!(
            listed.get(name),
            Some(is_there),
            "docs/level-zero.md does not say what is true of {name}"
        );
    }
    let unknown: Vec<_> = listed.keys().filter(|name| !known.contains_key(*name)).collect();
    assert_eq!(unknown, [] as [&String; 0], "there are no such functions");
    assert!(known.len() > 140, "the API has more than {} functions", known.len());
}

#[test]
fn later_functions_have_addresses_of_their_own() {
    let mut addresses: Vec<_> = kernel_cpu::later_functions()
        .iter()
        .map(|name| kernel_cpu::later_function(name).expect(name))
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), kernel_cpu::later_functions().len());
    assert_eq!(kernel_cpu::later_function("zeNoSuchFunction"), None);
}
