//! Kernels that import functions, with libraries that do not fit: refused with the reason, before anything is launched.

use crate::kernels::imported_functions::{LIBRARY, imported};
use kernel_runtime::{
    Buffer, Device, Error, Library, LibraryError, LibraryProblem, LinkError, LinkProblem, Queue, Result,
};

const MODULE: &[u8] = LIBRARY[0];
const OTHER: &[u8] = include_bytes!("../kernels/modules/library_fp64.spv");
/// Imports `noise` and `count`.
const NEEDY: &[u8] = include_bytes!("../../kernel-cpu/tests/modules/link_main.spv");

fn library(modules: &[&[u8]]) -> Result<Library, LibraryError> {
    // SAFETY: nothing but `gamma_of` is called by its name, and only where it is what its author says.
    unsafe { Library::new(modules) }
}

/// The module with names replaced by others that are as long.
fn renamed(names: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = MODULE.to_vec();
    for (from, to) in names {
        assert_eq!(from.len(), to.len());
        let places: Vec<usize> =
            (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from.as_bytes())).collect();
        assert!(!places.is_empty(), "{from} is in the module");
        for at in places {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

fn queue() -> (Queue, Buffer<f32>, Buffer<f32>) {
    let queue = Device::best().and_then(|device| device.queue()).expect("there is always the CPU device");
    let table = queue.upload(&[2.0_f32, -1.0, 0.25, 8.0]).expect("there is memory");
    let y = queue.upload(&[1.0_f32, 3.0]).expect("there is memory");
    (queue, table, y)
}

/// Launches the kernel with a library that does not fit, and checks that nothing is lost: with one that does, it runs.
#[track_caller]
fn refused(modules: Option<&[&[u8]]>, problem: LinkProblem, text: &str) {
    let (queue, table, mut y) = queue();
    let launch = imported(&table, &mut y);
    let launch = match modules {
        Some(modules) => launch.linked(&library(modules).expect("it is a library")),
        None => launch,
    };
    let error = match launch.launch(&queue, 2) {
        Err(Error::Link(error)) => error,
        other => panic!("{other:?}"),
    };
    let source = include_str!("../kernels/imported_functions.rs");
    let line =
        source.lines().position(|line| line.contains("gamma(x, table.as_ptr())")).expect("it is there");
    let LinkError { kernel, function, at, problem: found } = error.clone();
    assert_eq!((kernel, function, found), ("imported", "gamma_of", problem));
    assert_eq!((at.file, at.line), ("tests/kernels/imported_functions.rs", line as u32 + 1));
    let start = format!("the kernel `imported` calls `gamma_of` of another module at {at}, but ");
    assert_eq!(error.to_string(), start + text);
    assert_eq!(queue.download(&y).expect("the queue goes on"), [1.0, 3.0]);
    imported(&table, &mut y).linked(&library(LIBRARY).unwrap()).launch(&queue, 2).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [-0.5, 24.5]);
}

#[test]
fn a_launch_names_the_library() {
    let text = "the launch names no library; help: write `.linked(&library)` before `.launch(..)`, with a `Library` that has it";
    refused(None, LinkProblem::NoLibrary, text);
}

#[test]
fn an_import_is_exported_by_the_library() {
    refused(Some(&[]), LinkProblem::NotExported, "no module of the library exports it");
    refused(Some(&[OTHER]), LinkProblem::NotExported, "no module of the library exports it");
}

#[test]
fn an_import_has_the_type_that_it_is_exported_with() {
    let swapped = renamed(&[("gamma_of", "gamma_fo"), ("reversed", "gamma_of")]);
    let [imported, exported] =
        ["(float32, global float32*) -> float32", "(int8x16) -> int8x16"].map(str::to_owned);
    let text = format!("it is imported as {imported} and exported as {exported}");
    refused(Some(&[OTHER, &swapped]), LinkProblem::OtherType { imported, exported }, &text);
}

#[test]
fn a_library_has_nothing_by_the_name_of_the_kernel() {
    let same = renamed(&[("reversed", "imported")]);
    let text = "a module of the library has something by the name of the kernel";
    refused(Some(&[&same]), LinkProblem::KernelName, text);
}

#[test]
fn a_library_is_of_spirv_modules() {
    for bytes in [&b""[..], b"no SPIR-V, but text.", &MODULE[..19], &MODULE[..MODULE.len() - 1], &MODULE[4..]]
    {
        let error = library(&[MODULE, bytes]).unwrap_err();
        assert_eq!(error, LibraryError { module: 1, problem: LibraryProblem::NotSpirv });
        assert_eq!(error.to_string(), "module 1 of the library is no SPIR-V");
    }
    // Without the last instruction, and the second word of the one before.
    let error = library(&[&MODULE[..MODULE.len() - 8], OTHER]).unwrap_err();
    let word = MODULE.len() / 4 - 3;
    assert_eq!(error, LibraryError { module: 0, problem: LibraryProblem::Malformed { word } });
    let text = format!("module 0 of the library is malformed: there is no whole instruction at word {word}");
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_library_exports_each_name_once() {
    let error = library(&[MODULE, OTHER, MODULE]).unwrap_err();
    let problem = LibraryProblem::Duplicate { function: "gamma_of".to_owned() };
    assert_eq!(error, LibraryError { module: 2, problem });
    let text = "module 2 of the library exports `gamma_of`, which a module before it exports too";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_library_has_what_its_modules_import() {
    let error = library(&[MODULE, NEEDY]).unwrap_err();
    let problem =
        LibraryProblem::Unresolved { function: "noise".to_owned(), problem: LinkProblem::NotExported };
    assert_eq!(error, LibraryError { module: 1, problem });
    let text = "module 1 of the library imports `noise`, but no module of the library exports it";
    assert_eq!(error.to_string(), text);
}

#[test]
fn the_same_modules_are_the_same_library() {
    let copy = MODULE.to_vec();
    assert_eq!(library(&[MODULE]), library(&[&copy]));
    assert_ne!(library(&[MODULE]), library(&[MODULE, OTHER]));
    let shown = format!("{:?}", library(&[OTHER]).unwrap());
    assert_eq!(shown, r#"Library(["halved"])"#);
}

#[test]
fn a_module_may_be_in_the_other_order_of_bytes() {
    let swapped: Vec<u8> = MODULE.chunks_exact(4).flat_map(|word| word.iter().rev().copied()).collect();
    assert_eq!(library(&[&swapped]), library(&[MODULE]));
}

/// Whatever is in the words, there is an answer.
#[test]
fn no_words_are_too_bad() {
    let words = MODULE.len() / 4;
    for word in 0..words {
        let _ = library(&[&MODULE[..word * 4]]);
        for bits in [0, 1, u32::MAX, 0x0001_0000] {
            let mut changed = MODULE.to_vec();
            changed[word * 4..word * 4 + 4].copy_from_slice(&bits.to_le_bytes());
            let _ = library(&[&changed]);
        }
    }
}
