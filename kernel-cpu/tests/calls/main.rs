//! Fuzzing: every function of the driver is called in any order, with handles and values of all kinds. Nothing may panic, harm memory or hang.
//!
//! `cargo xtask fuzz` has this take as many rounds as one likes, from any seed, like the tests in `fuzz.rs`.

mod any;
#[path = "../driver/mod.rs"]
mod driver;
mod functions;
#[path = "../random/mod.rs"]
mod random;
mod world;

use driver::{Gpu, api, later};
use level_zero_sys::*;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::atomic::Ordering;
use world::World;

/// How many calls a round has at most.
const CALLS: usize = 4000;

/// In how many cases of those where the lot falls on a function it is called: what has commands executed more often than what asks questions, and what ends much of the
/// rest seldom.
fn chances(name: &str) -> usize {
    match name {
        // What is captured is not executed.
        "zeCommandListBeginGraphCaptureExt" | "zeCommandListBeginCaptureIntoGraphExt" => 16,
        "zeCommandListEndGraphCaptureExt" => 1,
        "zeContextDestroy" | "zeModuleDestroy" => 32,
        _ if name.ends_with("Destroy") || name.ends_with("DestroyExt") => 12,
        _ if name.contains("Append") || name.contains("Execute") || name.contains("Create") => 1,
        "zeCommandListClose"
        | "zeGraphInstantiateExt"
        | "zeKernelSetArgumentValue"
        | "zeKernelSetGroupSize" => 1,
        _ => 4,
    }
}

/// Whether a function has done what it was asked for, which for some is to say yes or no.
fn is_success(result: ze_result_t) -> bool {
    matches!(
        result,
        ze_result_t::ZE_RESULT_SUCCESS
            | ze_result_t::ZE_RESULT_QUERY_TRUE
            | ze_result_t::ZE_RESULT_QUERY_FALSE
    )
}

/// Ends what a round executes, so that nothing accesses its memory any more.
fn end(world: &World) {
    // SAFETY: any handle may be passed.
    unsafe {
        for list in world.all() {
            let _ = api().zeCommandListDestroy(list);
        }
        for queue in world.all() {
            let _ = api().zeCommandQueueDestroy(queue);
        }
        let wait: unsafe extern "C" fn(ze_device_handle_t) -> ze_result_t = later("zeDeviceSynchronize");
        for device in world.all() {
            let _ = wait(device);
        }
        for context in world.all() {
            let _ = api().zeContextDestroy(context);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_function_may_be_called_with_anything() {
    let calls = functions::all();
    let mut succeeded = BTreeMap::<&str, usize>::new();
    for seed in random::seeds(12) {
        // What it has is destroyed with the world.
        let gpu = ManuallyDrop::new(Gpu::asynchronous());
        let mut world = World::new(&gpu, seed);
        for number in 0..CALLS {
            let (name, call) = &calls[world.random.below(calls.len())];
            if !world.random.one_in(chances(name)) {
                continue;
            }
            let result = call(&mut world);
            let is_known = result.known_name().is_some() && result != ze_result_t::ZE_RESULT_ERROR_UNKNOWN;
            assert!(is_known, "seed {seed}, call {number}: {name} answers {result:?}");
            let is_success = is_success(result);
            *succeeded.entry(name).or_default() += usize::from(is_success);
            world.end_call(is_success);
        }
        end(&world);
    }
    let never: Vec<_> = succeeded.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    assert!(never.len() < 30, "{} functions have never done anything: {never:?}", never.len());
    assert!(any::CALLS_OF_HOST.load(Ordering::Relaxed) > 0, "no host function was called");
}

#[test]
fn every_function_is_among_those_that_are_called() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/level-zero.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `ze")?.split_once("` | "));
    let there = rows.filter(|(_, state)| state.starts_with("yes")).map(|(name, _)| format!("ze{name}"));
    let sysman = kernel_cpu::sysman_functions().iter().map(|name| (*name).to_owned());
    let there: BTreeSet<String> = there.chain(sysman).collect();
    let called = functions::all().into_iter().map(|(name, _)| name);
    let called: BTreeSet<String> = called.chain(["zeDeviceSynchronize"]).map(str::to_owned).collect();
    let missing: Vec<_> = there.difference(&called).collect();
    assert!(missing.is_empty(), "nothing calls {missing:?}");
}
