//! Modules that are not what they should be: they are refused or they run, but they never do harm.

mod assemble;
mod driver;

use assemble::Assembly;
use driver::{Gpu, KERNELS, api, create_kernel, set, set_group_size, set_local};
use level_zero_sys::*;
use rspirv::spirv::{ExecutionMode, ExecutionModel, FunctionControl};
use std::process::Command;
use std::time::{Duration, Instant};

/// A generator of random numbers with a fixed seed (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Changes a module in one to three of many ways.
fn mutate(module: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = module.to_vec();
    for _ in 0..=random.below(3) {
        // What is left of a module that was cut off may be as short as its header.
        if bytes.len() < 24 {
            break;
        }
        let word = random.below(bytes.len() / 4) * 4;
        match random.below(6) {
            // A flipped bit, anywhere.
            0 => bytes[word + random.below(4)] ^= 1 << random.below(8),
            // Another small number, which is mostly another id.
            1 => bytes[word..word + 4].copy_from_slice(&(random.below(400) as u32).to_le_bytes()),
            // An extreme number.
            2 => bytes[word..word + 4].copy_from_slice(&[0xff, 0xff, 0xff, [0xff, 0x7f][random.below(2)]]),
            // A word that is there twice, or not at all.
            3 => {
                let copy: [u8; 4] = bytes[word..word + 4].try_into().unwrap();
                bytes.splice(word..word, copy);
            }
            4 => {
                bytes.drain(word..word + 4);
            }
            // The end missing.
            _ => bytes.truncate(word.max(4)),
        }
    }
    bytes
}

const SEEDS: [&[u8]; 10] = [
    KERNELS[0],
    KERNELS[1],
    include_bytes!("modules/irreducible.spv"),
    include_bytes!("modules/swap.spv"),
    include_bytes!("modules/arguments.spv"),
    TABLES,
    include_bytes!("modules/groups.spv"),
    IMAGES,
    FUNCTION_POINTERS,
    MATRICES,
];

const FUNCTION_POINTERS: &[u8] = include_bytes!("modules/function_pointers.spv");

const MATRICES: &[u8] = include_bytes!("modules/matrices.spv");

const IMAGES: &[u8] = include_bytes!("modules/images.spv");

const TABLES: &[u8] = include_bytes!("modules/tables.spv");

#[test]
fn mutated_modules_are_refused_or_built_in_bounded_time() {
    let gpu = Gpu::new();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut built, mut refused) = (0, 0);
    for round in 0..6000 {
        let module = mutate(SEEDS[round % SEEDS.len()], &mut random);
        let start = Instant::now();
        match gpu.module(&module) {
            Ok(module) => {
                built += 1;
                // SAFETY: the handle is live and nothing uses it.
                unsafe { driver::api().zeModuleDestroy(module).into_result().unwrap() };
            }
            Err(error) => {
                refused += 1;
                assert!(!error.contains("ERROR_UNKNOWN"), "the driver panicked in round {round}: {error}");
                assert!(error.contains("error: "), "no build log in round {round}: {error}");
            }
        }
        assert!(start.elapsed() < Duration::from_secs(10), "round {round} took {:?}", start.elapsed());
    }
    assert!(built > 100 && refused > 1000, "{built} built, {refused} refused");
}

/// Changes an operand of an instruction that is no jump and no label, so that a kernel without loops still
/// has none.
fn mutate_operand(module: &[u8], random: &mut Random) -> Vec<u8> {
    const FLOW: std::ops::RangeInclusive<u32> = 248..=251;
    let mut bytes = module.to_vec();
    let word = |at: usize| u32::from_ne_bytes(module[at..at + 4].try_into().unwrap());
    let mut operands = Vec::new();
    // Function bodies, which start with OpFunction, are hit most often.
    let body = find(module, 54);
    let mut at = 20;
    while at < module.len() {
        let length = 4 * (word(at) >> 16) as usize;
        if !FLOW.contains(&(word(at) & 0xffff)) && (at >= body || random.below(8) == 0) {
            operands.extend((at + 4..at + length).step_by(4));
        }
        at += length;
    }
    let at = operands[random.below(operands.len())];
    let other = operands[random.below(operands.len())];
    let value = if random.below(2) == 0 { word(other) } else { word(at) ^ 1 << random.below(8) };
    bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
    bytes
}

#[test]
fn mutated_kernels_run_without_harm() {
    let gpu = Gpu::new();
    let mut random = Random(0x0123_4567_89ab_cdef);
    let guard = gpu.buffer(&[0x5a_u8; 4096]);
    let mut ran = 0;
    for _ in 0..4000 {
        let bytes = mutate_operand(STRAIGHT, &mut random);
        let Ok(module) = gpu.module(&bytes) else { continue };
        let Ok(kernel) = create_kernel(module, "straight") else { continue };
        let data = gpu.buffer(&[1.5_f32; 256]);
        // Arguments may have changed their sizes.
        if set(kernel, 0, data.pointer).is_err() || set(kernel, 1, 3_u32).is_err() {
            continue;
        }
        if set_group_size(kernel, [40, 1, 1]).is_err() {
            continue;
        }
        ran += 1;
        let result = gpu.launch(kernel, [3, 1, 1]);
        assert!(ENDS.contains(&result), "{result:?}");
        check_alike(&gpu, result, &bytes, "straight");
    }
    assert!(ran > 400, "{ran} ran");
    check_native(ran);
    assert_eq!(guard.read(), [0x5a; 4096]);
}

/// An image of 8 by 4 texels of one float, or of a row of as many in a buffer.
fn image(gpu: &Gpu, type_: ze_image_type_t) -> ze_image_handle_t {
    let height = if type_ == ze_image_type_t::ZE_IMAGE_TYPE_2D { 4 } else { 1 };
    let format = (
        ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32,
        ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_FLOAT,
    );
    gpu.image(type_, format, [8, height])
}

fn sampler(gpu: &Gpu) -> ze_sampler_handle_t {
    let descriptor = ze_sampler_desc_t {
        addressMode: ze_sampler_address_mode_t::ZE_SAMPLER_ADDRESS_MODE_CLAMP,
        filterMode: ze_sampler_filter_mode_t::ZE_SAMPLER_FILTER_MODE_LINEAR,
        isNormalized: 1,
        ..Default::default()
    };
    let mut handle = ze_sampler_handle_t::NULL;
    // SAFETY: as for an image.
    unsafe {
        driver::api()
            .zeSamplerCreate(gpu.context, gpu.device, &descriptor, &mut handle)
            .into_result()
            .unwrap();
    }
    handle
}

#[test]
fn mutated_kernels_with_images_run_without_harm() {
    let gpu = Gpu::new();
    let [src, dst] = [(); 2].map(|()| image(&gpu, ze_image_type_t::ZE_IMAGE_TYPE_2D));
    let (row, sampler) = (image(&gpu, ze_image_type_t::ZE_IMAGE_TYPE_BUFFER), sampler(&gpu));
    let guard = gpu.buffer(&[0x5a_u8; 4096]);
    let run = |module: &[u8]| -> Option<(Result<(), ze_result_t>, Vec<u32>)> {
        let kernel = create_kernel(gpu.module(module).ok()?, "images").ok()?;
        let result = gpu.buffer(&[7_u32; 64]);
        // Arguments may have changed their kinds.
        for (index, image) in [src, dst, row].into_iter().enumerate() {
            set(kernel, index as u32, image).ok()?;
        }
        set(kernel, 3, sampler).ok()?;
        set(kernel, 4, result.pointer).ok()?;
        set_group_size(kernel, [6, 1, 1]).ok()?;
        Some((gpu.launch(kernel, [1, 1, 1]), result.read()))
    };
    // As it is: the sizes, a float (14) and red alone (0).
    let (result, words) = run(IMAGES).expect("a kernel");
    assert_eq!((result, &words[..5]), (Ok(()), &[8, 8, 14, 0, 0][..]));
    let mut random = Random(0x0f1e_2d3c_4b5a_6978);
    let mut ran = 0;
    for _ in 0..4000 {
        let bytes = mutate_operand(IMAGES, &mut random);
        let Some((result, _)) = run(&bytes) else { continue };
        ran += 1;
        assert!(ENDS.contains(&result), "{result:?}");
        check_alike(&gpu, result, &bytes, "images");
    }
    assert!(ran > 400, "{ran} ran");
    check_native(ran);
    assert_eq!(guard.read(), [0x5a; 4096]);
}

/// Launches changed kernels that have loops, of which some never end, so that there is a limit on their time: in processes of their own, one of which runs them by
/// native code and by the interpreter, to compare. `HOSTILE_ROUNDS` is how many, and `HOSTILE_SEED` another start.
#[test]
fn mutated_kernels_with_loops_run_without_harm() {
    if std::env::var_os(ROUNDS).is_some() && std::env::var_os("KERNEL_CPU_TIMEOUT").is_some() {
        return launch_mutated_kernels();
    }
    let executors =
        [("interpreter", "300"), ("native", "300"), ("avx2", "300"), ("both", "500"), ("both-avx2", "300")];
    for (executor, rounds) in executors {
        check_process(executor, &["mutated_kernels_with_loops_run_without_harm"], rounds);
    }
}

/// The other tests of changed kernels once more, by both executors.
#[test]
fn mutated_kernels_run_alike_by_native_code() {
    if std::env::var_os(ROUNDS).is_none() {
        let tests = ["mutated_kernels_run_without_harm", "mutated_kernels_with_images_run_without_harm"];
        check_process("both", &tests, "1");
    }
}

/// All of them once more with their accesses checked.
#[test]
fn mutated_kernels_are_checked_without_harm() {
    if std::env::var_os(ROUNDS).is_none() {
        let tests = ["mutated_kernels_run_without_harm", "mutated_kernels_with_loops_run_without_harm"];
        check_process_with(("interpreter", "races,memory"), &tests, "300");
    }
}

const ROUNDS: &str = "HOSTILE_ROUNDS";

/// Runs tests of this file in a process in which kernels are run by an executor, for half a second at most.
fn check_process(executor: &str, tests: &[&str], rounds: &str) {
    check_process_with((executor, ""), tests, rounds);
}

/// The same with something checked.
fn check_process_with((executor, checks): (&str, &str), tests: &[&str], rounds: &str) {
    let log = std::env::temp_dir().join(format!("hostile-{}-{executor}{checks}.log", std::process::id()));
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "--test-threads=1"]).args(tests).env("KERNEL_CPU_EXECUTOR", executor);
    process.env("KERNEL_CHECK", checks);
    process.env("KERNEL_CPU_TIMEOUT", "500").env(ROUNDS, std::env::var(ROUNDS).unwrap_or(rounds.into()));
    let output = process.env(LOG, &log).output().unwrap();
    let _ = std::fs::remove_file(log);
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    if text.contains("this processor does not have it") {
        return eprintln!("this processor has nothing for {executor}");
    }
    assert!(output.status.success(), "{executor}: {text}");
}

const LOG: &str = "KERNEL_CPU_LOG";

/// Native code is what runs kernels if it is asked for: of so many launches, few are of a kernel that has none.
fn check_native(launches: usize) {
    let Some(log) = std::env::var_os(LOG) else { return };
    let log = std::fs::read_to_string(log).unwrap_or_default();
    let without = log.lines().filter(|line| line.contains(" is interpreted: ")).count();
    assert!(10 * without <= launches, "{without} kernels of {launches} have no native code");
}

fn launch_mutated_kernels() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let gpu = Gpu::new();
    let seed = number("HOSTILE_SEED").unwrap_or(1);
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let guards: Vec<_> = (0..4).map(|_| gpu.buffer(&[0x5a_u8; 4096])).collect();
    let mut ran = 0;
    for round in 0..number(ROUNDS).unwrap_or(1) {
        let (seed, names) = LOOPS[random.below(LOOPS.len())];
        let mut bytes = mutate_operand(seed, &mut random);
        if random.below(3) == 0 {
            bytes = mutate_operand(&bytes, &mut random);
        }
        let Ok(module) = gpu.module(&bytes) else { continue };
        let name = names[random.below(names.len())];
        if let Ok(kernel) = create_kernel(module, name) {
            let buffers: Vec<_> = (0..3).map(|_| gpu.buffer(&[1_u32; 1024])).collect();
            let number = [3_u64, 0, 1 << 20, u64::MAX][random.below(4)];
            for index in 0..6 {
                // Whatever the argument is by now.
                let pointer = buffers[index as usize % buffers.len()].pointer;
                let _ = set(kernel, index, pointer).is_ok() && random.below(4) != 0
                    || set(kernel, index, number as u32).is_ok()
                    || set(kernel, index, number).is_ok()
                    || set_local(kernel, index, 256).is_ok();
            }
            let size = [[40, 1, 1], [16, 1, 1], [5, 3, 2], [1, 1, 1]][random.below(4)];
            if set_group_size(kernel, size).is_ok() {
                ran += 1;
                let result = gpu.launch(kernel, [2, 1, 1]);
                assert!(ENDS.contains(&result), "{result:?}");
                check_alike(&gpu, result, &bytes, &format!("{name} in round {round}"));
            }
            // SAFETY: the handle is live, and nothing uses it.
            unsafe { api().zeKernelDestroy(kernel).into_result().unwrap() };
        }
        // SAFETY: as above.
        unsafe { api().zeModuleDestroy(module).into_result().unwrap() };
    }
    assert!(ran > 10 || number(ROUNDS) < Some(100), "{ran} ran");
    check_native(ran);
    for guard in guards {
        assert_eq!(guard.read(), [0x5a; 4096]);
    }
}

/// Modules with loops, and the names of their kernels.
const LOOPS: [(&[u8], &[&str]); 8] = [
    (KERNELS[0], &NAMES),
    (KERNELS[1], &NAMES),
    (include_bytes!("modules/irreducible.spv"), &["irreducible"]),
    (include_bytes!("modules/groups.spv"), &["windows", "some", "rounds"]),
    (include_bytes!("modules/private.spv"), &PRIVATE),
    (include_bytes!("modules/private_o0.spv"), &PRIVATE),
    (FUNCTION_POINTERS, &["k"]),
    (MATRICES, &["k"]),
];

const NAMES: [&str; 18] = [
    "saxpy_checked",
    "collatz",
    "jumps",
    "group_sum",
    "leak",
    "some_return",
    "two_barriers",
    "write_at",
    "local_at",
    "private_at",
    "by_value",
    "calls",
    "integers",
    "floats",
    "vectors",
    "halves",
    "atomics",
    "spin",
];

const PRIVATE: [&str; 6] = ["element", "generic_pointer", "vector", "copied_to", "shuffled", "atomic_add"];

/// Looks whether two executors were found to differ; then the module is kept.
fn check_alike(gpu: &Gpu, result: Result<(), ze_result_t>, module: &[u8], what: &str) {
    if result.is_ok() || !gpu.last_error().contains("which is an error of the driver") {
        return;
    }
    let path = std::env::temp_dir().join("different.spv");
    std::fs::write(&path, module).unwrap();
    panic!("{what}, {}: {}", path.display(), gpu.last_error());
}

/// How a launch of a kernel that was changed may end.
const ENDS: [Result<(), ze_result_t>; 3] = [
    Ok(()),
    Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST),
    Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT),
];

const STRAIGHT: &[u8] = include_bytes!("modules/straight.spv");

#[test]
fn what_is_no_module_is_refused() {
    let gpu = Gpu::new();
    for (bytes, reason) in [
        (&b"abcd"[..], "not a SPIR-V module"),
        (&[0; 64][..], "not a SPIR-V module"),
        (&KERNELS[0][..20], "no memory model"),
        (&KERNELS[0][..1000], "too few words"),
    ] {
        let error = gpu.module(bytes).unwrap_err();
        assert!(error.contains("MODULE_BUILD_FAILURE") && error.contains(reason), "{error}");
    }
}

/// The offset in bytes of the first instruction with this opcode.
fn find(module: &[u8], opcode: u32) -> usize {
    find_where(module, opcode, |_| true)
}

/// The offset in bytes of the first instruction with this opcode that satisfies a condition.
fn find_where(module: &[u8], opcode: u32, holds: impl Fn(usize) -> bool) -> usize {
    let word = |at: usize| u32::from_ne_bytes(module[at..at + 4].try_into().unwrap());
    let mut at = 20;
    while word(at) & 0xffff != opcode || !holds(at) {
        at += 4 * (word(at) >> 16) as usize;
    }
    at
}

#[test]
fn the_build_log_names_instruction_and_place() {
    let gpu = Gpu::new();
    let mut module = include_bytes!("modules/swap.spv").to_vec();
    // The addressing model becomes Logical.
    let at = find(&module, 14);
    module[at + 4..at + 8].fill(0);
    let error = gpu.module(&module).unwrap_err();
    let place = format!("(OpMemoryModel at word {})", at / 4);
    assert!(error.contains("the addressing model must be Physical64") && error.contains(&place), "{error}");
    // An addition becomes OpFAdd of the same integers.
    let mut module = include_bytes!("modules/swap.spv").to_vec();
    let at = find(&module, 128);
    module[at] = 129;
    let error = gpu.module(&module).unwrap_err();
    assert!(error.contains("floats are needed") && error.contains("OpFAdd at word"), "{error}");
}

#[test]
fn tables_hold_what_they_are_initialised_with() {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(TABLES, "tables");
    let out = gpu.buffer(&[0_u32; 4]);
    set(kernel, 0, out.pointer).unwrap();
    set_group_size(kernel, [4, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    assert_eq!(out.read(), [7 + 2, 2 + 2, 7 + 2, 2 + 2]);
}

#[test]
fn tables_with_an_initializer_of_another_type_are_refused() {
    let gpu = Gpu::new();
    let word = |module: &[u8], at: usize| u32::from_ne_bytes(module[at..at + 4].try_into().unwrap());
    let set_word =
        |module: &mut [u8], at: usize, word: u32| module[at..at + 4].copy_from_slice(&word.to_ne_bytes());
    // The first variable is the table of rows; its initializer becomes the first row, its own type, itself, and nothing.
    let variable = find(TABLES, 59);
    let own = [variable + 4, variable + 8].map(|at| word(TABLES, at));
    let row = word(TABLES, find(TABLES, 44) + 8);
    for initializer in [row, own[0], own[1], 0x3fff] {
        let mut module = TABLES.to_vec();
        set_word(&mut module, variable + 16, initializer);
        let error = gpu.module(&module).unwrap_err();
        assert!(error.contains("MODULE_BUILD_FAILURE"), "{error}");
    }
    // A lane of the first composite, a vector of 32-bit integers, becomes the vector's type; then one of 8 bits.
    let composite = find(TABLES, 44);
    let narrow = find_where(TABLES, 43, |at| word(TABLES, at + 4) == word(TABLES, find(TABLES, 21) + 4));
    for constituent in [word(TABLES, composite + 4), word(TABLES, narrow + 8)] {
        let mut module = TABLES.to_vec();
        set_word(&mut module, composite + 12, constituent);
        let error = gpu.module(&module).unwrap_err();
        assert!(error.contains("OpConstantComposite at word"), "{error}");
    }
}

/// What control has not computed may be anything, and another thing for each executor.
#[test]
fn results_that_control_may_not_have_computed_are_refused() {
    let gpu = Gpu::new();
    let words = driver::words(STRAIGHT);
    // The addition in the last block, whose operand becomes a result of the block beside it: OpIAdd and OpShiftRightLogical.
    let place = words.windows(3).rposition(|words| words[0] == 5 << 16 | 128 && words[2] == 87).unwrap();
    let module = driver::changed(STRAIGHT, &words[place..place + 4], |inst| inst[4] = 75);
    let error = gpu
        .module(&module)
        .and_then(|module| create_kernel(module, "straight").map_err(|_| gpu.last_error()).map(drop));
    let text = error.unwrap_err();
    assert!(text.contains("is used where control may come without having computed it"), "{text}");
}

#[test]
fn unsupported_kernels_are_refused_by_name() {
    let gpu = Gpu::new();
    let mut module = include_bytes!("modules/swap.spv").to_vec();
    // The first capability, Addresses, becomes Geometry.
    let at = find(&module, 17);
    module[at + 4] = 2;
    let error = gpu.module(&module).unwrap_err();
    assert!(error.contains("the capability Geometry is not supported"), "{error}");
}

#[test]
fn a_kernel_whose_work_groups_cannot_be_does_no_harm_to_others() {
    let gpu = Gpu::new();
    for size in [[u32::MAX; 3], [1025, 1, 1]] {
        let mut assembly = Assembly::new(&[], &[]);
        assembly.begin();
        let (void, builder) = (assembly.void, &mut assembly.builder);
        builder.ret().unwrap();
        builder.end_function().unwrap();
        let nothing = builder.type_function(void, []);
        let large = builder.begin_function(void, None, FunctionControl::NONE, nothing).unwrap();
        builder.begin_block(None).unwrap();
        builder.ret().unwrap();
        builder.end_function().unwrap();
        builder.entry_point(ExecutionModel::Kernel, large, "large", []);
        builder.execution_mode(large, ExecutionMode::LocalSize, size);
        let spirv = assembly.module();
        let (module, log) = gpu.module_with_log(&spirv);
        let [x, y, z] = size;
        let warning =
            format!("warning: kernel `large` cannot be launched: it asks for work-groups of {x} x {y} x {z}");
        assert!(log.contains(&warning), "{log}");
        let refused = create_kernel(module, "large").map(drop);
        assert_eq!(refused, Err(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY));
        let text = gpu.last_error();
        assert!(
            text.contains("kernel `large`") && text.contains("work-groups that the kernel asks for"),
            "{text}"
        );
        let words = gpu.buffer(&[0_u32; 16]);
        let kernel = create_kernel(module, "k").unwrap();
        set(kernel, 0, words.pointer).unwrap();
        set(kernel, 1, words.pointer).unwrap();
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), Ok(()));
    }
    let mut assembly = Assembly::new(&[], &[]);
    assembly.begin();
    assembly.mode(ExecutionMode::LocalSize, &[16, 0, 1]);
    let error = gpu.module(&assembly.end()).unwrap_err();
    assert!(
        error.contains("a work-group has at least one work-item") && error.contains("OpExecutionMode"),
        "{error}"
    );
}

#[test]
fn local_memory_beyond_the_device_is_refused_at_the_launch() {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(KERNELS[0], "group_sum");
    let words = gpu.buffer(&[0_u32; 4]);
    set(kernel, 0, words.pointer).unwrap();
    set(kernel, 1, words.pointer).unwrap();
    assert_eq!(
        set_local(kernel, 2, (64 << 10) + 1),
        Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)
    );
    set_local(kernel, 2, 64 << 10).unwrap();
    assert_eq!(gpu.launch(kernel, [1, 1, 1]), Ok(()));
}
