//! Kernels that import functions, with libraries that do not fit: refused with the reason, before anything is launched.

use crate::kernels::imported_functions::{IMPORTED, LIBRARY, imported};
use crate::kernels::one_module::linked::{EVEN, ODD, ZERO};
use device_library::exported;
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
    let text = "a module of the library has something by the name of the kernel `imported`";
    refused(Some(&[&same]), LinkProblem::KernelName { name: "imported".to_owned() }, text);
}

/// The kernels of `#[kernels(one_module)]` are linked together, whichever of them is launched.
#[test]
fn a_library_has_nothing_by_the_names_of_kernels_that_share_the_module() {
    // It has a kernel `xyz`.
    let mut other = include_bytes!("../../kernel-cpu/tests/modules/link_constant.spv").to_vec();
    let at = (0..other.len()).find(|at| other[*at..].starts_with(b"xyz")).expect("it has the name");
    other[at..at + 3].copy_from_slice(b"odd");
    let queue = Device::best().and_then(|device| device.queue()).expect("there is always the CPU device");
    let library = library(&[MODULE, &other]).expect("it is a library");
    for kernel in [&EVEN, &ODD] {
        let Err(Error::Link(error)) = queue.prepare_linked(kernel, &library) else { panic!("it is refused") };
        assert_eq!(error.problem, LinkProblem::KernelName { name: "odd".to_owned() });
    }
    // It imports nothing, but the module that it is in does.
    assert!(matches!(queue.prepare_linked(&ZERO, &library), Err(Error::Link(_))));
}

#[test]
fn a_kernel_is_prepared_with_its_library() {
    let (queue, table, mut y) = queue();
    let whole = library(LIBRARY).unwrap();
    let Err(Error::Link(error)) = queue.prepare(&IMPORTED) else { panic!("it names no library") };
    assert_eq!(error.problem, LinkProblem::NoLibrary);
    let Err(Error::Link(error)) = queue.prepare_linked(&IMPORTED, &library(&[OTHER]).unwrap()) else {
        panic!("the library does not have it")
    };
    assert_eq!(error.problem, LinkProblem::NotExported);
    queue.prepare_linked(&IMPORTED, &whole).unwrap();
    imported(&table, &mut y).linked(&whole).launch(&queue, 2).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [-0.5, 24.5]);
    // One that imports nothing takes any library.
    queue.prepare_linked(&crate::kernels::names::SQRT, &whole).unwrap();
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

/// The execution modes of a module that keep products and sums from being fused, and all else that it says of kernels.
fn strict_kernels(module: &[u8]) -> (usize, usize) {
    let module = rspirv::dr::load_bytes(module).expect("it is a module");
    let off = rspirv::dr::Operand::ExecutionMode(rspirv::spirv::ExecutionMode::ContractionOff);
    let modes = module.execution_modes.iter();
    (modes.filter(|mode| mode.operands.contains(&off)).count(), module.entry_points.len())
}

/// Intel's compiler fuses products and sums in all of a program if one module has no kernel that forbids it.
#[test]
fn no_module_of_a_library_has_kernels_round_otherwise() {
    let given = [exported::MODULES, LIBRARY, &[OTHER]].concat();
    assert!(given.iter().all(|module| strict_kernels(module) == (0, 0)));
    let library = library(&given).unwrap();
    let modules: Vec<_> = library.spirv().collect();
    assert_eq!(modules.len(), given.len());
    let mut names = Vec::new();
    for (module, given) in modules.iter().zip(&given) {
        assert_eq!(strict_kernels(module), (1, 1));
        let [module, given] =
            [*module, *given].map(|bytes| rspirv::dr::load_bytes(bytes).expect("it is a module"));
        names.push(module.entry_points[0].operands[2].unwrap_literal_string().to_owned());
        // All else is as it was, and no type is declared twice.
        let (last, others) = module.functions.split_last().expect("there is the kernel");
        assert_eq!(last.all_inst_iter().count(), 4);
        let same = others.iter().flat_map(|function| function.all_inst_iter());
        assert!(same.eq(given.functions.iter().flat_map(|function| function.all_inst_iter())));
        assert_eq!(module.annotations, given.annotations);
        let types = &module.types_global_values;
        assert!(given.types_global_values.iter().all(|ty| types.contains(ty)));
        let voids = types.iter().filter(|ty| ty.class.opcode == rspirv::spirv::Op::TypeVoid);
        assert_eq!(voids.count(), 1);
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), given.len());
}

/// A module with such a kernel is handed on as it is.
#[test]
fn a_module_that_says_how_its_kernels_round_stays_as_it_is() {
    let module: &[u8] = include_bytes!("../kernels/modules/exports.spv");
    assert_eq!(strict_kernels(module), (2, 2));
    let whole = library(&[&[module], exported::MODULES].concat()).unwrap();
    assert_eq!(whole.spirv().next(), Some(module));
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
