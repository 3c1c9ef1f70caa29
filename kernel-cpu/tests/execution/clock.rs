//! The time, for kernels: SPV_KHR_shader_clock.

use crate::assemble::{Assembly, prepare};
use crate::driver::{Gpu, api, create_kernel};
use rspirv::spirv::{Capability, Scope, Word};

const ITEMS: u32 = 100;

fn assembly() -> Assembly {
    Assembly::new(&[Capability::ShaderClockKHR], &["SPV_KHR_shader_clock"])
}

/// A kernel that leaves the time twice for each work-item: as one number, and then as two.
fn times(scope: Scope) -> Vec<u8> {
    let mut assembly = assembly();
    let (word, long) = (assembly.u32, assembly.u64);
    let pair = assembly.builder.type_vector(word, 2);
    let scope = assembly.constant(scope as u32);
    assembly.begin();
    let b = &mut assembly.builder;
    let first = b.read_clock_khr(long, None, scope).unwrap();
    let first = b.bitcast(pair, None, first).unwrap();
    let second = b.read_clock_khr(pair, None, scope).unwrap();
    let words: Vec<Word> = [(first, 0), (first, 1), (second, 0), (second, 1)]
        .map(|(time, half)| b.composite_extract(word, None, time, [half]).unwrap())
        .to_vec();
    for (place, word) in words.into_iter().enumerate() {
        assembly.store(4, place as u64, word);
    }
    assembly.end()
}

fn now(gpu: &Gpu) -> u64 {
    let (mut host, mut device) = (0, 0);
    // SAFETY: the pointers are to live variables.
    unsafe { api().zeDeviceGetGlobalTimestamps(gpu.device, &mut host, &mut device) }.into_result().unwrap();
    device
}

#[test]
fn kernels_read_the_clock_of_the_device() {
    let gpu = Gpu::new();
    for scope in [Scope::Device, Scope::Workgroup, Scope::Subgroup] {
        let kernel = create_kernel(gpu.module(&times(scope)).unwrap(), "k").unwrap();
        let (from, to) = (gpu.buffer(&[0_u32; 4]), gpu.buffer(&[0_u64; 2 * ITEMS as usize]));
        prepare(kernel, from.pointer, to.pointer.cast(), ITEMS / 2);
        let mut before = now(&gpu);
        for _ in 0..3 {
            gpu.launch(kernel, [2, 1, 1]).unwrap();
            let after = now(&gpu);
            let times = to.read();
            for times in times.chunks_exact(2) {
                assert!(
                    before <= times[0] && times[0] <= times[1] && times[1] <= after,
                    "{before} {times:?} {after}"
                );
            }
            before = after;
        }
    }
}

#[test]
fn clocks_of_other_scopes_and_sizes_are_refused() {
    let gpu = Gpu::new();
    let mut assembly = assembly();
    let long = assembly.u64;
    let scope = assembly.constant(Scope::Invocation as u32);
    assembly.begin();
    assembly.builder.read_clock_khr(long, None, scope).unwrap();
    let log = gpu.module(&assembly.end()).unwrap_err();
    assert!(log.contains("a clock of this scope"), "{log}");
    let mut assembly = self::assembly();
    let word = assembly.u32;
    let scope = assembly.constant(Scope::Device as u32);
    assembly.begin();
    assembly.builder.read_clock_khr(word, None, scope).unwrap();
    let log = gpu.module(&assembly.end()).unwrap_err();
    assert!(log.contains("a clock has 64 bits"), "{log}");
}
