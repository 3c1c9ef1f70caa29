//! Holds that docs/level-zero.md lists each capability and extension that the driver has, that those it says "no" to are refused by name, and that the tests it names exist.

use crate::driver::Gpu;
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Instruction, Operand};
use rspirv::spirv::{AddressingModel, Capability, MemoryModel, Op};
use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A module that declares something and has no kernels.
fn module(declare: impl FnOnce(&mut Builder)) -> Vec<u8> {
    let mut builder = Builder::new();
    builder.set_version(1, 0);
    builder.capability(Capability::Addresses);
    builder.capability(Capability::Kernel);
    declare(&mut builder);
    builder.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
    builder.module().assemble().iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// The capabilities that the page lists, and whether it says that they are there.
fn listed() -> BTreeMap<String, bool> {
    let page = read("docs/level-zero.md");
    let (_, section) = page.split_once("| capability | is there | test |").expect("the page has the list");
    let rows = section.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut listed = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [name, state, test] = cells[..] else { panic!("a row has three cells: {row}") };
        let name = name.trim_start_matches("| ").trim_matches('`');
        let is_there = state.starts_with("yes");
        assert!(is_there || state.starts_with("no: "), "{name} is neither there nor not, with a reason");
        let (test, file) = test.trim_start_matches('[').split_once("](../").expect("a test is a link");
        let file = file.trim_end_matches(" |").trim_end_matches(')');
        assert!(read(file).contains(&format!("fn {test}(")), "{file} has no test {test}");
        assert_eq!(listed.insert(name.to_owned(), is_there), None, "{name} is listed twice");
    }
    listed
}

/// The capabilities of SPV_INTEL_joint_matrix, which the library does not know yet.
const PREVIEW: [(u32, &str); 6] = [
    (6192, "CooperativeMatrixCheckedInstructionsINTEL"),
    (6411, "CooperativeMatrixPrefetchINTEL"),
    (6434, "PackedCooperativeMatrixINTEL"),
    (6435, "CooperativeMatrixInvocationInstructionsINTEL"),
    (6436, "CooperativeMatrixTF32ComponentTypeINTEL"),
    (6437, "CooperativeMatrixBFloat16ComponentTypeINTEL"),
];

/// All capabilities that there are, with their names.
fn all() -> impl Iterator<Item = (u32, String)> {
    (0..=0xffff).filter_map(|number| {
        let preview = PREVIEW.iter().find(|(preview, _)| *preview == number);
        let name = preview.map(|(_, name)| (*name).to_owned());
        Some((number, name.or_else(|| Some(format!("{:?}", Capability::from_u32(number)?)))?))
    })
}

/// A module that needs a capability.
fn needing(capability: u32) -> Vec<u8> {
    module(|builder| {
        let operands = vec![Operand::LiteralBit32(capability)];
        builder.module_mut().capabilities.push(Instruction::new(Op::Capability, None, None, operands));
    })
}

#[test]
fn the_page_lists_the_capabilities_that_there_are() {
    let (gpu, listed) = (Gpu::new(), listed());
    for (capability, name) in all() {
        let is_there = gpu.module(&needing(capability)).is_ok();
        match listed.get(&name) {
            Some(said) => assert_eq!(*said, is_there, "docs/level-zero.md is wrong about {name}"),
            None => assert!(!is_there, "docs/level-zero.md does not list {name}"),
        }
    }
    let names: Vec<String> = all().map(|(_, name)| name).collect();
    let unknown: Vec<_> = listed.keys().filter(|name| !names.contains(name)).collect();
    assert_eq!(unknown, [] as [&String; 0], "there are no such capabilities");
}

#[test]
fn what_is_not_there_is_refused_with_its_name() {
    let gpu = Gpu::new();
    let refused = listed().into_iter().filter(|(_, is_there)| !is_there);
    for (name, _) in refused {
        let (capability, _) = all().find(|(_, known)| *known == name).unwrap();
        let log = gpu.module(&needing(capability)).unwrap_err();
        assert!(log.contains(&format!("the capability {name} is not supported")), "{log}");
    }
    let log = gpu.module(&module(|builder| builder.extension("SPV_INTEL_inline_assembly"))).unwrap_err();
    assert!(log.contains("the extension SPV_INTEL_inline_assembly is not supported"), "{log}");
}

#[test]
fn the_page_lists_the_extensions_that_there_are() {
    let page = read("docs/level-zero.md");
    let (_, line) = page.split_once("These extensions may be declared: ").expect("the page has the list");
    let line = line.lines().next().unwrap();
    let listed: Vec<&str> = line.split('`').filter(|name| name.starts_with("SPV_")).collect();
    let gpu = Gpu::new();
    for name in &listed {
        assert!(gpu.module(&module(|builder| builder.extension(*name))).is_ok(), "{name} is listed");
    }
    let source = read("kernel-cpu/src/load/capabilities.rs");
    let known: Vec<&str> = source.split('"').filter(|text| text.starts_with("SPV_")).collect();
    assert_eq!(listed, known);
}

/// The extensions that the page lists behind a text, on one line.
fn extensions_behind(text: &str) -> Vec<String> {
    let page = read("docs/level-zero.md");
    let (_, line) = page.split_once(text).expect("the page has the list");
    let line = line.lines().next().unwrap_or_default();
    line.split('`').filter(|name| name.starts_with("SPV_")).map(str::to_owned).collect()
}

#[test]
fn what_else_translators_declare_is_refused_with_its_name() {
    let gpu = Gpu::new();
    let refused = extensions_behind("Of the others that DPC++ lets its translator declare, ");
    assert!(refused.len() > 15, "only {refused:?}");
    for name in refused {
        let log = gpu.module(&module(|builder| builder.extension(&*name))).unwrap_err();
        assert!(log.contains(&format!("the extension {name} is not supported")), "{log}");
    }
}
