//! Each call of the driver fails in turn, and nothing is lost, freed too early or left behind.

use crate::device::Device;
use crate::error::Result;
use crate::fake_driver::{self, FakeDriver};
use crate::launch::LaunchArgument;
use crate::queue::kinds_tests;
use crate::queue::tests::kernel;
use crate::trace::Trace;
use crate::{Buffer, Queue, Region};
use kernel_core::image::{ChannelOrder, ChannelType, ImageFormat, shapes::D2};
use kernel_core::{FaultSites, KernelDescriptor, PrintHeader, PrintSite, PrintStream};
use level_zero_sys::ze_result_t;
use std::sync::{Arc, Mutex};

const RESULTS: [ze_result_t; 4] = [
    ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
    ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
    ze_result_t::ZE_RESULT_ERROR_UNKNOWN,
    ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST,
];

/// The functions that give something back: what they do not take stays with the driver.
const GIVING_BACK: [&str; 6] = [
    "zeImageDestroy",
    "zeMemFree",
    "zeCommandListDestroy",
    "zeCommandQueueDestroy",
    "zeKernelDestroy",
    "zeModuleBuildLogDestroy",
];

type Scenario = fn(&Device, &'static KernelDescriptor) -> Result<()>;

/// Runs a scenario again and again, each time with another call that fails, until no call is left to fail.
fn each_call_fails(scenario: Scenario, change: fn(&mut level_zero_sys::Api)) {
    each_call_fails_of_kernels(scenario, change, OLDER, 6, |_| ());
}

/// The versions of Level Zero of drivers without lists whose commands run in order, and with these.
const OLDER: (u16, u16) = (1, 4);
const NEWER: (u16, u16) = (1, 9);

/// The same with kernels that have so many arguments and do this.
fn each_call_fails_of_kernels(
    scenario: Scenario,
    change: fn(&mut level_zero_sys::Api),
    version: (u16, u16),
    arguments: u32,
    action: fn(&[Vec<u8>]),
) {
    for result in RESULTS {
        for calls in 0.. {
            let driver = FakeDriver::new();
            driver.on_launch(arguments, action);
            driver.set_version(version);
            let device = driver.device_with(change);
            let kernel = kernel(|kernel| kernel.fault_sites = FaultSites::new("0 1 2 4 0 0;a.rs", &[]));
            driver.inject(calls, result);
            let ended = scenario(&device, kernel);
            let Some(function) = driver.injected() else {
                ended.expect("no call has failed");
                assert!(calls > 10, "the scenario does something");
                break;
            };
            check(driver, &device, (function, result));
            // Whatever it was, the device can be used again.
            scenario(&device, kernel).unwrap_or_else(|error| panic!("after {function}, {result}: {error}"));
            check(driver, &device, (function, result));
        }
    }
}

/// Checks what is left when all queues and buffers are gone.
fn check(driver: &FakeDriver, device: &Device, (function, result): (&str, ze_result_t)) {
    device.release_kept_memory();
    let (memory, objects, freed_too_early) = driver.left();
    assert_eq!(freed_too_early, 0, "{function}, {result}");
    let is_lost = result == ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST;
    if !is_lost && !GIVING_BACK.contains(&function) {
        // The module is kept as long as the device.
        assert!(
            memory == 0 && objects <= 1,
            "{function}, {result}: {memory} allocations and {objects} objects are left"
        );
    }
}

fn saxpy(kernel: &'static KernelDescriptor, x: &Buffer<f32>, y: &mut Buffer<f32>) -> crate::Launch<3> {
    fake_driver::launch(
        kernel,
        [LaunchArgument::by_value(2.0_f32), LaunchArgument::slice(x), LaunchArgument::slice_mut(y)],
    )
}

/// Checks what a download brought; it may fail, but it may not be wrong.
fn expect<T: PartialEq + std::fmt::Debug>(values: &[T], expected: &[T]) {
    assert!(values == expected, "{:?} …", &values[..values.len().min(8)]);
}

fn copies(device: &Device, _: &'static KernelDescriptor) -> Result<()> {
    let queue = device.queue()?;
    let mut x = queue.upload(&[1_u32, 2, 3, 4])?;
    queue.write(&mut x.slice_mut(1..3), &[5, 6])?;
    let mut y = queue.zeros::<u32>(4)?;
    queue.copy(&x, &mut y)?;
    expect(&queue.download(&y)?, &[1, 5, 6, 4]);
    let triples = queue.filled(5, [1_u8, 2, 3])?;
    expect(&queue.download(&triples)?, &[[1, 2, 3]; 5]);
    let region = Region::of_2d([2, 2], [1, 0], [1, 2]);
    queue.write_region(&mut x, region, &[8, 9])?;
    queue.copy_region((&x, region), (&mut y, Region::of_2d([2, 2], [0, 0], [1, 2])))?;
    expect(&queue.download_region(&y, Region::of_2d([2, 2], [0, 0], [2, 2]))?, &[8, 5, 9, 4]);
    let mut back = [0; 4];
    queue.download_into(&y, &mut back)?;
    expect(&back, &[8, 5, 9, 4]);
    Ok(())
}

fn launches(device: &Device, kernel: &'static KernelDescriptor) -> Result<()> {
    let queue = device.queue()?;
    let x = queue.upload(&[1.0_f32; 64])?;
    let mut y = queue.zeros::<f32>(64)?;
    saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
    saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
    saxpy(kernel, &x, &mut y).launch_groups(&queue, 2, 32)?;
    saxpy(kernel, &x, &mut y).launch_groups(&queue, 2, 32)?;
    queue.synchronize()?;
    let event = saxpy(kernel, &x, &mut y).submit(&queue, 64)?;
    drop(x);
    event.wait()?;
    event.time()?;
    expect(&queue.download(&y)?, &[0.0; 64]);
    Ok(())
}

fn asynchronous(device: &Device, _: &'static KernelDescriptor) -> Result<()> {
    let queue = device.queue()?;
    let mut x = queue.upload_async(vec![1_u32; 1000])?;
    let download = queue.download_async(&x)?;
    queue.write_async(&mut x, vec![2; 1000])?;
    expect(&download.wait()?, &[1; 1000]);
    drop(queue.download_async(&x)?);
    let (values, mut back, mut flags_back) = (vec![3; 1000], vec![0; 1000], vec![true; 100]);
    let flags = queue.zeros::<bool>(100)?;
    queue.scope(|scope| {
        scope.write(&mut x, &values)?;
        scope.download_into(&x, &mut back)?;
        scope.download_into(&flags, &mut flags_back)
    })?;
    expect(&back, &values);
    expect(&flags_back, &[false; 100]);
    Ok(())
}

fn imported(device: &Device, kernel: &'static KernelDescriptor) -> Result<()> {
    let queue = device.queue()?;
    let x = queue.import_vec(vec![1.0_f32; 5000])?;
    assert!(device.limits().host_import);
    let mut y = queue.zeros::<f32>(5000)?;
    saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
    queue.copy(&x, &mut y)?;
    // These share its pages, perhaps.
    let mut back = vec![0.0; 5000];
    queue.download_into(&y, &mut back)?;
    expect(&back, &[1.0; 5000]);
    let x = match x.into_vec(&queue) {
        Ok(x) => x,
        Err(refused) => {
            expect(&refused.value.into_vec(&queue)?, &[1.0; 5000]);
            return Err(*refused.error);
        }
    };
    expect(&x, &[1.0; 5000]);
    // One that is dropped while a kernel may use it.
    let x = queue.import_vec(x)?;
    saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
    drop(x);
    queue.synchronize()
}

fn several_queues(device: &Device, kernel: &'static KernelDescriptor) -> Result<()> {
    let queues: [Queue; 2] = [device.queue()?, device.queue()?];
    let x = queues[0].zeros::<f32>(64)?;
    let mut y = queues[1].zeros::<f32>(64)?;
    for round in 0..3 {
        saxpy(kernel, &x, &mut y).launch(&queues[round % 2], 64)?;
    }
    let event = queues[0].record()?;
    queues[1].wait_for(&event)?;
    drop(x);
    queues[1].download(&y)?;
    let mut shared = queues[0].upload_shared(&[1_u8; 4])?;
    shared.view_mut(&queues[1])?[0] = 2;
    expect(&shared.view(&queues[0])?[..2], &[2, 1]);
    Ok(())
}

fn graphs(device: &Device, kernel: &'static KernelDescriptor) -> Result<()> {
    let queue = device.queue()?;
    let x = queue.upload(&[1.0_f32; 64])?;
    let (mut y, mut z) = (queue.zeros::<f32>(64)?, queue.zeros::<[u8; 3]>(5)?);
    let mut graph = queue.graph();
    let node = graph.add(saxpy(kernel, &x, &mut y), 64)?;
    graph.add_groups(saxpy(kernel, &x, &mut y), 2, 32)?;
    graph.add_copy(&x, &mut y)?;
    graph.add_fill(&mut z, [1, 2, 3])?;
    for _ in 0..2 {
        graph.launch()?;
    }
    graph.replace(node, saxpy(kernel, &x, &mut y), 32)?;
    graph.submit()?.wait()?;
    expect(&queue.download(&y)?, &[1.0; 64]);
    expect(&queue.download(&z)?, &[[1, 2, 3]; 5]);
    graph.launch()?;
    drop((graph, x));
    queue.synchronize()
}

fn images(device: &Device, _: &'static KernelDescriptor) -> Result<()> {
    let format = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Unorm8);
    let queue = device.queue()?;
    let pixels: Vec<[u8; 4]> = (0..64).map(|texel| [texel; 4]).collect();
    let mut image = queue.upload_image::<D2, f32, _>(format, (16, 4), &pixels)?;
    expect(&queue.download_image::<_, _, [u8; 4]>(&image)?, &pixels);
    queue.write_image(&mut image, &[[7_u8; 4]; 64])?;
    drop(queue.zeroed_image::<D2, f32>(format, (4, 4))?);
    expect(&queue.download_image::<_, _, [u8; 4]>(&image)?, &[[7; 4]; 64]);
    Ok(())
}

/// Launches a kernel that prints a line, and checks that no line is lost or comes twice.
fn prints(device: &Device, _: &'static KernelDescriptor) -> Result<()> {
    let print_sites = &[PrintSite {
        stream: PrintStream::Output,
        newline: true,
        words: 1,
        write: |words, f| write!(f, "{}", words[0]),
    }];
    let kernel = kernel(|kernel| kernel.print_sites = print_sites);
    let lines = Arc::new(Mutex::new(Vec::new()));
    let queue = device.queue()?;
    queue.on_print({
        let lines = Arc::clone(&lines);
        move |_, text| lines.lock().unwrap().push(text.to_owned())
    });
    let x = queue.upload(&[1.0_f32; 64])?;
    let mut y = queue.zeros::<f32>(64)?;
    for round in 1..=3 {
        saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
        if round == 2 {
            saxpy(kernel, &x, &mut y).launch(&queue, 64)?;
        }
        let synchronized = queue.synchronize();
        let printed = std::mem::take(&mut *lines.lock().unwrap());
        match synchronized {
            Ok(()) => expect(&printed, &vec!["5\n".to_owned(); if round == 2 { 2 } else { 1 }]),
            Err(error) => {
                assert!(printed.len() <= 2, "{printed:?}");
                return Err(error);
            }
        }
    }
    Ok(())
}

/// What a kernel leaves in the print buffer that is its sixth argument, if its seventh is its number.
fn print_a_line(arguments: &[Vec<u8>]) {
    let buffer = usize::from_ne_bytes(arguments[5].as_slice().try_into().unwrap()) as *mut PrintHeader;
    let kernel = u32::from_ne_bytes(arguments[6].as_slice().try_into().unwrap());
    // SAFETY: the runtime gives every launch a buffer with room for a record.
    unsafe {
        let words = buffer.add(1).cast::<[u32; 3]>();
        words.add((*buffer).used as usize / 3).write([kernel, 0, 5]);
        (*buffer).used += 3;
        (*buffer).calls += 1;
    }
}

fn traced(device: &Device, kernel: &'static KernelDescriptor) -> Result<()> {
    let trace = Trace::start();
    let ended = launches(device, kernel).and_then(|()| copies(device, kernel));
    let _ = trace.finish();
    ended
}

#[test]
fn whichever_call_fails_of_copies() {
    each_call_fails(copies, |_| ());
}

#[test]
fn whichever_call_fails_of_launches() {
    each_call_fails(launches, |_| ());
}

#[test]
fn whichever_call_fails_of_asynchronous_copies() {
    each_call_fails(asynchronous, |_| ());
}

#[test]
fn whichever_call_fails_of_imported_vectors() {
    each_call_fails(imported, |_| ());
    each_call_fails(imported, |api| api.command_list.pfnCreateImmediate = None);
}

#[test]
fn whichever_call_fails_of_several_queues() {
    each_call_fails(several_queues, |_| ());
}

#[test]
fn whichever_call_fails_of_queues_of_several_kinds() {
    each_call_fails(kinds_tests::ask, |_| ());
}

#[test]
fn whichever_call_fails_of_images() {
    each_call_fails(images, |_| ());
    each_call_fails(images, |api| api.command_list.pfnCreateImmediate = None);
}

#[test]
fn whichever_call_fails_of_prints() {
    each_call_fails_of_kernels(prints, |_| (), OLDER, 7, print_a_line);
    each_call_fails_of_kernels(prints, |_| (), NEWER, 7, print_a_line);
    let without = |api: &mut level_zero_sys::Api| api.command_list.pfnCreateImmediate = None;
    each_call_fails_of_kernels(prints, without, OLDER, 7, print_a_line);
}

#[test]
fn whichever_call_fails_of_graphs() {
    each_call_fails(graphs, |_| ());
}

#[test]
fn whichever_call_fails_while_somebody_traces() {
    each_call_fails(traced, |_| ());
}

#[test]
fn whichever_call_fails_of_a_newer_driver() {
    for scenario in [copies, launches, asynchronous, several_queues, graphs, images, traced] {
        each_call_fails_of_kernels(scenario, |_| (), NEWER, 6, |_| ());
    }
}

#[test]
fn whichever_call_fails_without_immediate_lists() {
    for scenario in [copies, launches, asynchronous, several_queues, graphs] {
        each_call_fails(scenario, |api| api.command_list.pfnCreateImmediate = None);
    }
}
