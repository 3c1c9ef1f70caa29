//! The documentation of the attributes names every argument that their parsers take.

const PARSER: &str = include_str!("../../kernel-compiler/src/expand/attributes.rs");
const KERNEL: &str = include_str!("../../kernel-macros/src/kernel.md");
const DEVICE: &str = include_str!("../../kernel-macros/src/device.md");

/// What stands in backquotes in a constant of the parser's that lists the arguments.
fn listed(constant: &str) -> Vec<&'static str> {
    let start = PARSER.find(&format!("const {constant}: &str")).expect("the parser has the constant");
    let line = PARSER[start..].lines().next().expect("a line");
    line.split('`').skip(1).step_by(2).collect()
}

/// The words of the parser's `match` over the names of arguments.
fn matched() -> Vec<&'static str> {
    let arms = PARSER.lines().filter(|line| line.trim_start().starts_with('"') && line.contains("\" =>"));
    arms.filter_map(|line| line.split('"').nth(1)).collect()
}

/// The name of an argument, and what stands before its parentheses otherwise.
fn name(argument: &str) -> String {
    let argument = argument.replace('\\', "");
    match argument.strip_prefix("unsafe(") {
        Some(vouched) => format!("unsafe({}", vouched.split(['(', ')']).next().unwrap_or_default()),
        None => argument.split([' ', '(']).next().unwrap_or_default().to_owned(),
    }
}

fn check(documentation: &str, arguments: impl IntoIterator<Item = &'static str>) {
    let mut count = 0;
    for argument in arguments {
        let name = name(argument);
        assert!(documentation.contains(&name), "`{name}` is not documented");
        count += 1;
    }
    assert!(count > 3, "the parser has more arguments");
}

#[test]
fn of_kernels() {
    check(KERNEL, listed("KNOWN"));
    check(KERNEL, matched());
}

#[test]
fn of_exported_functions() {
    check(DEVICE, listed("KNOWN_OF_EXPORTS"));
}
