//! The document of the textual form.

use crate::source::discharged;
use kernel_compiler::ir::Module;

const DOCUMENT: &str = include_str!("../../../docs/ir.md");

/// What the document has in a block of some language.
fn example(language: &str) -> &'static str {
    let start = DOCUMENT.split_once(language).expect("there is an example").1;
    start.split_once("```").expect("it ends").0
}

#[test]
fn the_example_is_what_the_compiler_makes_of_it() {
    let module = discharged(example("```rust\n"), None);
    let text = example("```ir\n");
    assert_eq!(format!("{module}\n"), text);
    assert!(Module::parse(text) == Ok(module));
}
