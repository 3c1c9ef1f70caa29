//! Lines in modules, and what tools show of kernels.

use kernel_compiler::chain::{Link, Resolved};
use kernel_compiler::emit;
use kernel_compiler::infer::{Program, Source};
use kernel_compiler::ir::{Attributes, Module as Ir};
use kernel_compiler::names::{self, Dependencies};
use kernel_compiler::{Asked, Compiled, compile, join};
use rspirv::dr::{Instruction, Module, Operand, load_words};
use rspirv::spirv::{Op, Word};
use std::rc::Rc;
use syn::ItemFn;

/// A kernel with all kinds of control flow, two entry points and a function that keeps faults.
const KERNEL: &str = "fn k(n: usize, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i < n {
        let mut sum = 0;
        for at in 0..n {
            let one = x[at];
            sum += if one > 3 {
                one * 2
            } else {
                one / x[at + 1]
            };
        }
        y[i] = sum;
    }
}";

/// Parsed once: each text that is parsed is another file.
fn parsed() -> ItemFn {
    syn::parse_str(KERNEL).unwrap_or_else(|error| panic!("{KERNEL}: {error}"))
}

fn compiled(name: &str, item: &ItemFn, asked: Asked) -> Compiled {
    let mut resolved = Resolved::default();
    for path in Dependencies::of_function(item, [], [], &[]).paths() {
        let name = path.segments.last().expect("a path has a segment").ident.to_string();
        resolved.links.insert(names::key(path), Link::Builtin(name));
    }
    let program = Program::new(&resolved);
    let kernel = Source::kernel(Rc::new(item.clone()), Rc::new(resolved.links.clone()));
    compile(&program, kernel, (name.to_owned(), &[]), Attributes::default(), asked)
        .unwrap_or_else(|errors| panic!("{KERNEL}\nis refused: {errors:?}"))
}

const LINES: Asked = Asked { ir: false, lines: true, shown: false };

fn load(words: &[Word]) -> Module {
    load_words(words).expect("the words are SPIR-V")
}

/// A module without its lines; an id fewer for each file.
fn without_lines(words: &[Word]) -> Module {
    let mut module = load(words);
    let files = std::mem::take(&mut module.debug_string_source);
    module.header.as_mut().expect("a module has a header").bound -= files.len() as Word;
    for function in &mut module.functions {
        for block in &mut function.blocks {
            block.instructions.retain(|instruction| instruction.class.opcode != Op::Line);
        }
    }
    module
}

/// The line before each instruction with this opcode in a function.
fn lines_of(module: &Module, function: usize, opcode: Op) -> Vec<u32> {
    let mut found = Vec::new();
    for block in &module.functions[function].blocks {
        let mut line = 0;
        for Instruction { class, operands, .. } in &block.instructions {
            match operands[..] {
                [Operand::IdRef(_), Operand::LiteralBit32(at), _] if class.opcode == Op::Line => line = at,
                _ if class.opcode == opcode => found.push(line),
                _ => {}
            }
        }
    }
    found
}

#[test]
fn nothing_else_differs() {
    let item = parsed();
    let (plain, lined) = (compiled("k", &item, Asked::default()), compiled("k", &item, LINES));
    assert!(plain.hoisted.is_some(), "there are two entry points");
    let module = load(&plain.words);
    assert!(
        module.all_inst_iter().all(|instruction| ![Op::Line, Op::String].contains(&instruction.class.opcode))
    );
    let stripped = without_lines(&lined.words);
    assert_eq!(stripped.header, module.header);
    assert!(stripped.all_inst_iter().eq(module.all_inst_iter()));
    assert_eq!(lined.requirements, plain.requirements);
}

#[test]
fn instructions_have_the_lines_that_they_come_from() {
    let module = load(&compiled("k", &parsed(), LINES).words);
    assert_eq!(module.debug_string_source.len(), 1, "one file");
    let kernels: Vec<usize> =
        (0..module.functions.len()).filter(|at| !lines_of(&module, *at, Op::UDiv).is_empty()).collect();
    assert_eq!(kernels.len(), 2, "one of them is the kernel without checks that the host can make");
    for kernel in kernels {
        assert_eq!(lines_of(&module, kernel, Op::UDiv), [10]);
        assert_eq!(lines_of(&module, kernel, Op::UGreaterThan).last(), Some(&7));
        assert!(lines_of(&module, kernel, Op::IMul).contains(&8));
    }
}

#[test]
fn kernels_that_share_a_module_share_the_names_of_files() {
    let item = parsed();
    let mut kernels = ["a", "b"].map(|name| compiled(name, &item, LINES));
    join(&mut kernels).expect("nothing is declared with two types");
    let joined = load(&kernels[0].words);
    assert_eq!(joined.debug_string_source.len(), 1);
    let mut plain = ["a", "b"].map(|name| compiled(name, &item, Asked::default()));
    join(&mut plain).expect("nothing is declared with two types");
    assert!(without_lines(&kernels[0].words).all_inst_iter().eq(load(&plain[0].words).all_inst_iter()));
    let file = joined.debug_string_source[0].result_id.expect("a string has an id");
    assert!(
        joined
            .all_inst_iter()
            .filter(|instruction| instruction.class.opcode == Op::Line)
            .all(|line| line.operands[0] == Operand::IdRef(file))
    );
}

#[test]
fn what_tools_show_is_what_is_embedded() {
    let item = parsed();
    let kernel = compiled("k", &item, Asked { shown: true, ..Asked::default() });
    let shown = kernel.shown.as_ref().expect("it is asked for");
    assert!(shown.with_lines == compiled("k", &item, LINES).words);
    for text in [&shown.lowered, &shown.ir] {
        let mut places = text.lines().filter(|line| line.trim_start().starts_with("// "));
        assert!(places.any(|place| place.contains(":10:")), "{text}");
        let module = Ir::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(module.verify(), Ok(()));
    }
    let read = Ir::parse(&shown.ir).expect("it has been read before");
    let entry_point = load(&emit::emit(&read).words);
    assert_eq!(entry_point.entry_points.len(), 1);
}

#[test]
fn debug_info_is_added_to_modules_with_lines_alone() {
    let item = parsed();
    let plain = compiled("k", &item, Asked::default());
    assert!(*emit::with_debug_info(&plain.words) == *plain.words);
    let lined = compiled("k", &item, LINES);
    let words = emit::with_debug_info(&lined.words);
    let instructions = instructions(&words);
    let imports = instructions.iter().filter(|words| words[0] & 0xffff == Op::ExtInstImport as u32);
    let set = imports.map(|words| words[1]).next_back().expect("the set is imported");
    let of_set = |number: u32| {
        let is_it =
            |words: &&[u32]| words[0] & 0xffff == Op::ExtInst as u32 && words[3] == set && words[4] == number;
        instructions.iter().copied().filter(is_it).count()
    };
    let [source, function, scope] = [35, 20, 23];
    assert_eq!((of_set(source), of_set(function)), (1, 2), "a file and two entry points");
    assert!(of_set(scope) > 2);
    // All else is as it was.
    let is_old = |words: &&[u32]| match words[0] & 0xffff {
        opcode if opcode == Op::ExtInst as u32 => words[3] != set,
        opcode if opcode == Op::ExtInstImport as u32 => words[1] != set,
        opcode => opcode != Op::String as u32,
    };
    let old = |words: &[u32]| -> Vec<u32> {
        self::instructions(words).into_iter().filter(is_old).flatten().copied().collect()
    };
    assert!(old(&words) == old(&lined.words));
}

/// The instructions of a module.
fn instructions(words: &[u32]) -> Vec<&[u32]> {
    let mut at = 5;
    let mut found = Vec::new();
    while at < words.len() {
        let len = (words[at] >> 16) as usize;
        found.push(&words[at..at + len]);
        at += len;
    }
    assert_eq!(at, words.len());
    found
}
