//! Graphs that are captured from immediate lists, and executed as often as one likes.

mod driver;

use driver::{FOREVER, Gpu, KERNELS, Outcome, api, append_launch, later, set, set_group_size};
use level_zero_sys::*;
use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const LIST_TYPE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
const IN_USE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
const UNSUPPORTED: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED);
const INTERNAL_EVENT: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT);
const MERGE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT);
const NOT_CAPTURING: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING);
const UNJOINED: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_UNJOINED_FORKS);
const INVALID_GRAPH: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GRAPH);
const TRUE: Outcome = Err(ze_result_t::ZE_RESULT_QUERY_TRUE);
const FALSE: Outcome = Err(ze_result_t::ZE_RESULT_QUERY_FALSE);
const NO_EVENT: ze_event_handle_t = ze_event_handle_t::NULL;
/// `ZE_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL`.
const EXTERNAL: u32 = 1 << 6;

type List = ze_command_list_handle_t;
type Graph = ze_graph_handle_t;
type Executable = ze_executable_graph_handle_t;

fn begin(list: List) -> Outcome {
    let begin: unsafe extern "C" fn(List, *const c_void) -> ze_result_t =
        later("zeCommandListBeginGraphCaptureExt");
    // SAFETY: any handle may be passed.
    unsafe { begin(list, null()).into_result() }
}

fn begin_into(list: List, graph: Graph) -> Outcome {
    let begin: unsafe extern "C" fn(List, Graph, *const c_void) -> ze_result_t =
        later("zeCommandListBeginCaptureIntoGraphExt");
    // SAFETY: any handles may be passed.
    unsafe { begin(list, graph, null()).into_result() }
}

/// Ends a capture; the graph is there even if it is no good.
fn end(list: List) -> (Outcome, Graph) {
    let end: unsafe extern "C" fn(List, *const c_void, *mut Graph) -> ze_result_t =
        later("zeCommandListEndGraphCaptureExt");
    let mut graph = Graph::NULL;
    // SAFETY: the pointer is to a live variable, and any handle may be passed.
    (unsafe { end(list, null(), &mut graph).into_result() }, graph)
}

fn ended(list: List) -> Graph {
    let (outcome, graph) = end(list);
    assert_eq!(outcome, Ok(()));
    graph
}

fn instantiate(graph: Graph) -> Outcome<Executable> {
    let instantiate: unsafe extern "C" fn(Graph, *const c_void, *mut Executable) -> ze_result_t =
        later("zeGraphInstantiateExt");
    let mut executable = Executable::NULL;
    // SAFETY: as above.
    unsafe { instantiate(graph, null(), &mut executable).into_result().map(|()| executable) }
}

fn append_graph(
    list: List,
    graph: Executable,
    signal: ze_event_handle_t,
    waits: &[ze_event_handle_t],
) -> Outcome {
    type Append = unsafe extern "C" fn(
        List,
        Executable,
        *const c_void,
        ze_event_handle_t,
        u32,
        *mut ze_event_handle_t,
    ) -> ze_result_t;
    let append: Append = later("zeCommandListAppendGraphExt");
    let (count, waits) = (waits.len() as u32, waits.as_ptr().cast_mut());
    // SAFETY: there are as many events as is said.
    unsafe { append(list, graph, null(), signal, count, waits).into_result() }
}

/// A question about a handle, or its end.
fn ask<H>(name: &str, handle: H) -> Outcome {
    let function: unsafe extern "C" fn(H) -> ze_result_t = later(name);
    // SAFETY: any handle may be passed.
    unsafe { function(handle).into_result() }
}

/// What a function says of an object.
fn tell<H, T: Copy>(name: &str, handle: H, nothing: T) -> Outcome<T> {
    let function: unsafe extern "C" fn(H, *mut T) -> ze_result_t = later(name);
    let mut answer = nothing;
    // SAFETY: as in `end`.
    unsafe { function(handle, &mut answer).into_result().map(|()| answer) }
}

fn is_empty(graph: Graph) -> Outcome {
    ask("zeGraphIsEmptyExt", graph)
}

fn is_capturing(list: List) -> Outcome {
    ask("zeCommandListIsGraphCaptureEnabledExt", list)
}

fn destroy(graph: Graph) -> Outcome {
    ask("zeGraphDestroyExt", graph)
}

fn destroy_executable(graph: Executable) -> Outcome {
    ask("zeExecutableGraphDestroyExt", graph)
}

fn synchronize(list: List) -> Outcome {
    let wait: unsafe extern "C" fn(List, u64) -> ze_result_t = later("zeCommandListHostSynchronize");
    // SAFETY: any handle may be passed.
    unsafe { wait(list, FOREVER).into_result() }
}

fn wait(event: ze_event_handle_t) -> Outcome {
    // SAFETY: any handle may be passed.
    unsafe { api().zeEventHostSynchronize(event, FOREVER).into_result() }
}

fn signal(event: ze_event_handle_t) {
    // SAFETY: as above.
    unsafe { api().zeEventHostSignal(event).into_result().unwrap() }
}

fn reset(event: ze_event_handle_t) {
    // SAFETY: as above.
    unsafe { api().zeEventHostReset(event).into_result().unwrap() }
}

fn status(event: ze_event_handle_t) -> Outcome {
    // SAFETY: as above.
    unsafe { api().zeEventQueryStatus(event).into_result() }
}

fn barrier(list: List, signal: ze_event_handle_t, waits: &[ze_event_handle_t]) -> Outcome {
    let (count, waits) = (waits.len() as u32, waits.as_ptr().cast_mut());
    // SAFETY: there are as many events as is said.
    unsafe { api().zeCommandListAppendBarrier(list, signal, count, waits).into_result() }
}

/// Appends a fill of one number by another.
fn fill(list: List, to: *mut u32, value: u32) -> Outcome {
    fill_between(list, to, value, NO_EVENT, &[])
}

fn fill_between(
    list: List,
    to: *mut u32,
    value: u32,
    signal: ze_event_handle_t,
    waits: &[ze_event_handle_t],
) -> Outcome {
    let (count, waits) = (waits.len() as u32, waits.as_ptr().cast_mut());
    // SAFETY: the memory is as large as is said, and there are as many events.
    unsafe {
        let (to, pattern) = (to.cast(), (&raw const value).cast());
        api().zeCommandListAppendMemoryFill(list, to, pattern, 4, 4, signal, count, waits).into_result()
    }
}

/// Appends a copy of one number to another.
fn copy(list: List, to: *mut u32, from: *mut u32, signal: ze_event_handle_t, waits: &[ze_event_handle_t]) {
    let (count, waits) = (waits.len() as u32, waits.as_ptr().cast_mut());
    // SAFETY: as above.
    unsafe {
        let (to, from) = (to.cast(), from.cast_const().cast());
        api().zeCommandListAppendMemoryCopy(list, to, from, 4, signal, count, waits).into_result().unwrap();
    }
}

#[repr(C)]
struct CounterBased {
    stype: u32,
    next: *const c_void,
    flags: u32,
    signal: u32,
    wait: u32,
}

impl Gpu {
    fn other_list(&self, mode: ze_command_queue_mode_t) -> List {
        let mut list = List::NULL;
        let queue = ze_command_queue_desc_t { mode, ..Default::default() };
        // SAFETY: pointers are to live variables, and the handles are live.
        unsafe {
            let (context, device) = (self.context, self.device);
            api().zeCommandListCreateImmediate(context, device, &queue, &mut list).into_result().unwrap();
        }
        list
    }

    fn another_list(&self) -> List {
        self.other_list(ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS)
    }

    fn regular_list(&self) -> List {
        let mut list = List::NULL;
        // SAFETY: as above.
        unsafe {
            let (context, device) = (self.context, self.device);
            api().zeCommandListCreate(context, device, &Default::default(), &mut list).into_result().unwrap();
        }
        list
    }

    fn counting(&self, flags: u32) -> ze_event_handle_t {
        self.counting_as(&CounterBased { stype: 0, next: null(), flags: 1 | flags, signal: 4, wait: 4 })
    }

    fn counting_with(&self, next: *const c_void) -> ze_event_handle_t {
        self.counting_as(&CounterBased { stype: 0, next, flags: 1, signal: 4, wait: 4 })
    }

    fn counting_as(&self, descriptor: &CounterBased) -> ze_event_handle_t {
        type Create = unsafe extern "C" fn(
            ze_context_handle_t,
            ze_device_handle_t,
            *const CounterBased,
            *mut ze_event_handle_t,
        ) -> ze_result_t;
        let create: Create = later("zeEventCounterBasedCreate");
        let mut event = NO_EVENT;
        // SAFETY: as above.
        unsafe { create(self.context, self.device, descriptor, &mut event).into_result().unwrap() };
        event
    }

    fn new_graph(&self) -> Graph {
        let create: unsafe extern "C" fn(ze_context_handle_t, *const c_void, *mut Graph) -> ze_result_t =
            later("zeGraphCreateExt");
        let mut graph = Graph::NULL;
        // SAFETY: as above.
        unsafe { create(self.context, null(), &mut graph).into_result().unwrap() };
        graph
    }
}

/// Ends a graph and what was made of it.
fn clear(graph: Graph, executables: &[Executable]) {
    executables.iter().for_each(|&executable| destroy_executable(executable).unwrap());
    destroy(graph).unwrap();
}

#[test]
fn what_is_captured_is_executed_as_often_as_one_likes() {
    let gpu = Gpu::asynchronous();
    for module in KERNELS {
        let (out, other) = (gpu.buffer(&[0_u32; 64]), gpu.buffer(&[0_u32; 64]));
        let kernel = gpu.kernel(module, "collatz");
        set(kernel, 0, out.pointer).unwrap();
        set_group_size(kernel, [16, 1, 1]).unwrap();
        assert_eq!(is_capturing(gpu.list), FALSE);
        begin(gpu.list).unwrap();
        assert_eq!(is_capturing(gpu.list), TRUE);
        let graph = tell("zeCommandListGetGraphExt", gpu.list, Graph::NULL).unwrap();
        assert_eq!(is_empty(graph), TRUE);
        append_launch(gpu.list, kernel, [4, 1, 1], NO_EVENT).unwrap();
        fill(gpu.list, out.pointer, 77).unwrap();
        assert_eq!(is_empty(graph), FALSE);
        assert_eq!(ended(gpu.list), graph);
        assert_eq!((is_capturing(gpu.list), is_empty(graph)), (FALSE, FALSE));
        gpu.synchronize().unwrap();
        assert_eq!(out.read(), [0; 64], "nothing was executed");
        // What is set later changes nothing.
        set(kernel, 0, other.pointer).unwrap();
        let executable = instantiate(graph).unwrap();
        assert_eq!(tell("zeExecutableGraphGetSourceGraphExt", executable, Graph::NULL), Ok(graph));
        assert_eq!(tell("zeGraphGetPrimaryCommandListExt", graph, List::NULL), Ok(gpu.list));
        for _ in 0..3 {
            append_graph(gpu.list, executable, NO_EVENT, &[]).unwrap();
            gpu.synchronize().unwrap();
            assert_eq!(out.read()[..8], [77, 1, 7, 2, 5, 8, 16, 3]);
            // SAFETY: nothing else accesses the memory.
            unsafe { out.pointer.write_bytes(0, 64) };
        }
        assert_eq!(other.read(), [0; 64]);
        clear(graph, &[executable]);
    }
}

#[test]
fn branches_fork_and_join_by_events_of_both_kinds() {
    let gpu = Gpu::asynchronous();
    let other = gpu.another_list();
    let plain = gpu.events(2);
    for [fork, join] in [[plain[0], plain[1]], [gpu.counting(0), gpu.counting(0)]] {
        let data = gpu.buffer(&[0_u32; 4]);
        let at = |index| data.pointer.wrapping_add(index);
        let graph = gpu.new_graph();
        begin_into(gpu.list, graph).unwrap();
        fill_between(gpu.list, at(0), 5, fork, &[]).unwrap();
        assert_eq!(is_capturing(other), FALSE);
        copy(other, at(1), at(0), NO_EVENT, &[fork]);
        assert_eq!(is_capturing(other), TRUE);
        assert_eq!(tell("zeCommandListGetGraphExt", other, Graph::NULL), Ok(graph));
        copy(other, at(2), at(1), join, &[]);
        copy(gpu.list, at(3), at(2), NO_EVENT, &[join]);
        // What is not work may come after the join.
        barrier(other, NO_EVENT, &[]).unwrap();
        assert_eq!(ended(gpu.list), graph);
        assert_eq!((is_capturing(gpu.list), is_capturing(other)), (FALSE, FALSE));
        let executable = instantiate(graph).unwrap();
        for _ in 0..3 {
            // SAFETY: nothing else accesses the memory.
            unsafe { data.pointer.write_bytes(0, 4) };
            append_graph(gpu.list, executable, NO_EVENT, &[]).unwrap();
            gpu.synchronize().unwrap();
            assert_eq!(data.read(), [5; 4]);
        }
        // The other list does what it did before.
        fill(other, at(1), 9).unwrap();
        synchronize(other).unwrap();
        assert_eq!(data.read(), [5, 9, 5, 5]);
        clear(graph, &[executable]);
    }
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(other).into_result().unwrap() };
}

#[test]
fn a_branch_may_wait_for_what_is_appended_later() {
    let gpu = Gpu::asynchronous();
    let other = gpu.another_list();
    let data = gpu.buffer(&[0_u32; 2]);
    let events = gpu.events(3);
    begin(gpu.list).unwrap();
    barrier(gpu.list, events[0], &[]).unwrap();
    barrier(other, NO_EVENT, &[events[0]]).unwrap();
    // Of this the graph does not know yet who signals it.
    copy(other, data.pointer.wrapping_add(1), data.pointer, events[2], &[events[1]]);
    fill_between(gpu.list, data.pointer, 3, events[1], &[]).unwrap();
    barrier(gpu.list, NO_EVENT, &[events[2]]).unwrap();
    let graph = ended(gpu.list);
    let executable = instantiate(graph).unwrap();
    append_graph(gpu.list, executable, NO_EVENT, &[]).unwrap();
    gpu.synchronize().unwrap();
    assert_eq!(data.read(), [3, 3]);
    clear(graph, &[executable]);
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(other).into_result().unwrap() };
}

#[test]
fn branches_have_branches() {
    let gpu = Gpu::asynchronous();
    let (child, grandchild) = (gpu.another_list(), gpu.another_list());
    let data = gpu.buffer(&[0_u32; 3]);
    let at = |index| data.pointer.wrapping_add(index);
    let events: Vec<_> = (0..4).map(|_| gpu.counting(0)).collect();
    begin(gpu.list).unwrap();
    fill_between(gpu.list, at(0), 8, events[0], &[]).unwrap();
    copy(child, at(1), at(0), events[1], &[events[0]]);
    copy(grandchild, at(2), at(1), events[2], &[events[1]]);
    barrier(child, events[3], &[events[2]]).unwrap();
    barrier(gpu.list, NO_EVENT, &[events[3]]).unwrap();
    let graph = ended(gpu.list);
    let executable = instantiate(graph).unwrap();
    append_graph(gpu.list, executable, NO_EVENT, &[]).unwrap();
    gpu.synchronize().unwrap();
    assert_eq!(data.read(), [8; 3]);
    clear(graph, &[executable]);
    // SAFETY: the handles are live.
    unsafe {
        api().zeCommandListDestroy(child).into_result().unwrap();
        api().zeCommandListDestroy(grandchild).into_result().unwrap();
    }
}

#[test]
fn branches_that_nothing_waits_for_make_a_graph_invalid() {
    let gpu = Gpu::asynchronous();
    let other = gpu.another_list();
    let data = gpu.buffer(&[0_u32; 1]);
    let [fork, join] = [gpu.counting(0), gpu.counting(0)];
    for joins in [false, true] {
        begin(gpu.list).unwrap();
        barrier(gpu.list, fork, &[]).unwrap();
        barrier(other, join, &[fork]).unwrap();
        if joins {
            barrier(gpu.list, NO_EVENT, &[join]).unwrap();
            // This nothing waits for.
            fill(other, data.pointer, 1).unwrap();
        }
        let (outcome, graph) = end(gpu.list);
        assert_eq!(outcome, UNJOINED);
        assert!(gpu.last_error().contains("does not wait for"));
        assert_eq!((is_capturing(gpu.list), is_capturing(other)), (FALSE, FALSE));
        assert_eq!(is_empty(graph), INVALID_GRAPH);
        assert_eq!(instantiate(graph).map(drop), INVALID_GRAPH);
        assert_eq!(begin_into(gpu.list, graph), INVALID);
        destroy(graph).unwrap();
    }
    gpu.synchronize().unwrap();
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(other).into_result().unwrap() };
}

#[test]
fn captures_do_not_become_one() {
    let gpu = Gpu::asynchronous();
    let (second, third) = (gpu.another_list(), gpu.another_list());
    let events = gpu.events(2);
    begin(gpu.list).unwrap();
    begin(second).unwrap();
    barrier(gpu.list, events[0], &[]).unwrap();
    barrier(second, events[1], &[]).unwrap();
    assert_eq!(barrier(second, NO_EVENT, &[events[0]]), MERGE);
    assert_eq!(barrier(third, NO_EVENT, &[events[1], events[0]]), MERGE);
    assert_eq!(is_capturing(third), FALSE);
    // Both go on.
    let (graph, other) = (ended(gpu.list), ended(second));
    assert_ne!(graph, other);
    let executables = [graph, other].map(|graph| instantiate(graph).unwrap());
    // As a part of another graph it must not wait for what is captured elsewhere either.
    begin(gpu.list).unwrap();
    barrier(gpu.list, NO_EVENT, &[events[0]]).unwrap();
    let waiting = ended(gpu.list);
    let waits = instantiate(waiting).unwrap();
    begin(gpu.list).unwrap();
    begin(second).unwrap();
    barrier(second, events[0], &[]).unwrap();
    assert_eq!(append_graph(gpu.list, waits, NO_EVENT, &[]), MERGE);
    let (first, last) = (ended(gpu.list), ended(second));
    for graph in [first, last] {
        destroy(graph).unwrap();
    }
    clear(waiting, &[waits]);
    clear(graph, &executables[..1]);
    clear(other, &executables[1..]);
    // SAFETY: the handles are live.
    unsafe {
        api().zeCommandListDestroy(second).into_result().unwrap();
        api().zeCommandListDestroy(third).into_result().unwrap();
    }
}

#[test]
fn nobody_waits_for_what_is_being_captured() {
    let gpu = Gpu::asynchronous();
    let other = gpu.another_list();
    let synchronous = gpu.other_list(ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    let elsewhere = Gpu::asynchronous();
    let (counting, unknown, plain) = (gpu.counting(0), gpu.counting(0), gpu.events(1)[0]);
    begin(gpu.list).unwrap();
    barrier(gpu.list, counting, &[]).unwrap();
    barrier(gpu.list, plain, &[]).unwrap();
    assert_eq!(gpu.synchronize(), UNSUPPORTED);
    assert_eq!(wait(counting), UNSUPPORTED);
    assert_eq!(wait(plain), UNSUPPORTED);
    assert_eq!(status(plain), Err(ze_result_t::ZE_RESULT_NOT_READY));
    assert_eq!(status(counting), INTERNAL_EVENT);
    let mut times = ze_kernel_timestamp_result_t::default();
    // SAFETY: the pointer is to a live variable.
    let asked = unsafe { api().zeEventQueryKernelTimestamp(counting, &mut times).into_result() };
    assert_eq!(asked, INTERNAL_EVENT);
    // Outside of the graph the event is not signalled either.
    assert_eq!(barrier(other, counting, &[]), INTERNAL_EVENT);
    assert_eq!(barrier(gpu.list, NO_EVENT, &[unknown]), INTERNAL_EVENT, "nothing in the graph signals it");
    assert_eq!(barrier(synchronous, NO_EVENT, &[counting]), UNSUPPORTED);
    assert_eq!(barrier(elsewhere.list, NO_EVENT, &[plain]), UNSUPPORTED);
    let regular = gpu.regular_list();
    assert_eq!(barrier(regular, NO_EVENT, &[counting]), INTERNAL_EVENT);
    assert_eq!(barrier(regular, counting, &[]), INTERNAL_EVENT);
    assert_eq!(barrier(regular, NO_EVENT, &[plain]), Ok(()));
    let stamps = gpu.buffer(&[0_u64; 4]);
    // SAFETY: the memory is as large as the times of one event.
    let asked = unsafe {
        let (to, none) = (stamps.pointer.cast(), null_mut());
        api()
            .zeCommandListAppendQueryKernelTimestamps(
                other,
                1,
                &mut { counting },
                to,
                null(),
                NO_EVENT,
                0,
                none,
            )
            .into_result()
    };
    assert_eq!(asked, INTERNAL_EVENT);
    assert_eq!((is_capturing(other), is_capturing(synchronous)), (FALSE, FALSE));
    let graph = ended(gpu.list);
    // The event is what it was before.
    assert_eq!(status(counting), Ok(()));
    barrier(other, counting, &[]).unwrap();
    wait(counting).unwrap();
    destroy(graph).unwrap();
    // SAFETY: the handles are live.
    unsafe {
        for list in [other, synchronous, regular] {
            api().zeCommandListDestroy(list).into_result().unwrap();
        }
    }
}

#[test]
fn events_tie_graphs_to_what_is_outside() {
    let gpu = Gpu::asynchronous();
    let other = gpu.another_list();
    let data = gpu.buffer(&[0_u32; 1]);
    let (before, after) = (gpu.counting(EXTERNAL), gpu.counting(EXTERNAL));
    begin(gpu.list).unwrap();
    barrier(gpu.list, NO_EVENT, &[before]).unwrap();
    fill_between(gpu.list, data.pointer, 4, after, &[]).unwrap();
    let graph = ended(gpu.list);
    let executable = instantiate(graph).unwrap();
    assert_eq!(status(after), Ok(()), "nothing was executed");
    let (gate, done) = (gpu.events(1)[0], gpu.events(1)[0]);
    for _ in 0..2 {
        barrier(other, before, &[gate]).unwrap();
        append_graph(gpu.list, executable, done, &[]).unwrap();
        assert_eq!(status(after), Err(ze_result_t::ZE_RESULT_NOT_READY));
        assert_eq!(destroy_executable(executable), IN_USE);
        assert_eq!(data.read(), [0]);
        signal(gate);
        wait(after).unwrap();
        wait(done).unwrap();
        assert_eq!(data.read(), [4]);
        reset(gate);
        reset(done);
        // SAFETY: nothing else accesses the memory.
        unsafe { data.pointer.write(0) };
    }
    clear(graph, &[executable]);
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(other).into_result().unwrap() };
}

#[test]
fn signals_that_add_up_are_waited_for_in_all_branches() {
    #[repr(C)]
    struct Storage {
        stype: u32,
        next: *const c_void,
        address: *mut u64,
        increment: u64,
        value: u64,
    }
    let gpu = Gpu::asynchronous();
    let (second, third) = (gpu.another_list(), gpu.another_list());
    let (data, counter) = (gpu.buffer(&[0_u32; 3]), gpu.buffer(&[0_u64; 1]));
    let at = |index| data.pointer.wrapping_add(index);
    let storage = Storage { stype: 0x2003f, next: null(), address: counter.pointer, increment: 5, value: 15 };
    let sum = gpu.counting_with((&raw const storage).cast());
    let [fork, join] = [gpu.counting(0), gpu.counting(0)];
    begin(gpu.list).unwrap();
    fill_between(gpu.list, at(0), 7, fork, &[]).unwrap();
    barrier(gpu.list, sum, &[]).unwrap();
    barrier(second, sum, &[fork]).unwrap();
    copy(third, at(1), at(0), join, &[sum]);
    // The third one comes after what waits for all three.
    barrier(second, sum, &[]).unwrap();
    barrier(gpu.list, NO_EVENT, &[join, sum]).unwrap();
    copy(gpu.list, at(2), at(1), NO_EVENT, &[]);
    let graph = ended(gpu.list);
    let executable = instantiate(graph).unwrap();
    for _ in 0..2 {
        append_graph(gpu.list, executable, NO_EVENT, &[]).unwrap();
        gpu.synchronize().unwrap();
        assert_eq!((data.read(), counter.read()), (vec![7; 3], vec![15]));
        // SAFETY: nothing else accesses the memory.
        unsafe {
            data.pointer.write_bytes(0, 3);
            counter.pointer.write(0);
        }
    }
    clear(graph, &[executable]);
    // SAFETY: the handles are live.
    unsafe {
        api().zeCommandListDestroy(second).into_result().unwrap();
        api().zeCommandListDestroy(third).into_result().unwrap();
    }
}

#[test]
fn a_graph_waits_and_signals_and_runs_once_at_a_time() {
    let gpu = Gpu::asynchronous();
    let other = gpu.another_list();
    let data = gpu.buffer(&[0_u32; 2]);
    begin(gpu.list).unwrap();
    copy(gpu.list, data.pointer.wrapping_add(1), data.pointer, NO_EVENT, &[]);
    let graph = ended(gpu.list);
    let executable = instantiate(graph).unwrap();
    let events = gpu.events(3);
    append_graph(gpu.list, executable, events[1], &[events[0]]).unwrap();
    append_graph(other, executable, events[2], &[]).unwrap();
    assert_eq!(status(events[1]), Err(ze_result_t::ZE_RESULT_NOT_READY));
    assert_eq!(
        status(events[2]),
        Err(ze_result_t::ZE_RESULT_NOT_READY),
        "the other list comes after the first"
    );
    assert_eq!(destroy(graph), IN_USE);
    // SAFETY: nothing accesses the memory yet.
    unsafe { data.pointer.write(6) };
    signal(events[0]);
    wait(events[2]).unwrap();
    // The other list may go on as soon as the graph is done, and what the first one signals then may come a little later.
    wait(events[1]).unwrap();
    assert_eq!(status(events[1]), Ok(()));
    assert_eq!(data.read(), [6, 6]);
    clear(graph, &[executable]);
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(other).into_result().unwrap() };
}

#[test]
fn graphs_and_closed_lists_are_parts_of_graphs() {
    let gpu = Gpu::asynchronous();
    let data = gpu.buffer(&[0_u32; 3]);
    let at = |index| data.pointer.wrapping_add(index);
    let regular = gpu.regular_list();
    let counting = gpu.counting(0);
    fill_between(regular, at(0), 1, counting, &[]).unwrap();
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListClose(regular).into_result().unwrap() };
    begin(gpu.list).unwrap();
    copy(gpu.list, at(1), at(0), NO_EVENT, &[]);
    let inner = ended(gpu.list);
    let part = instantiate(inner).unwrap();
    begin(gpu.list).unwrap();
    let append: driver::AppendLists = later("zeCommandListImmediateAppendCommandListsExp");
    // SAFETY: the handles are live.
    unsafe { append(gpu.list, 1, &mut { regular }, NO_EVENT, 0, null_mut()).into_result().unwrap() };
    append_graph(gpu.list, part, NO_EVENT, &[]).unwrap();
    copy(gpu.list, at(2), at(1), NO_EVENT, &[]);
    let graph = ended(gpu.list);
    let executable = instantiate(graph).unwrap();
    clear(inner, &[part]);
    for _ in 0..2 {
        append_graph(gpu.list, executable, NO_EVENT, &[]).unwrap();
        wait(counting).unwrap();
        gpu.synchronize().unwrap();
        assert_eq!(data.read(), [1; 3]);
        // SAFETY: nothing else accesses the memory.
        unsafe { data.pointer.write_bytes(0, 3) };
    }
    clear(graph, &[executable]);
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(regular).into_result().unwrap() };
}

#[test]
fn a_graph_knows_the_times_of_its_own_commands() {
    let gpu = Gpu::asynchronous();
    let data = gpu.buffer(&[0_u32; 1]);
    let times = gpu.buffer(&[[0_u64; 4]; 1]);
    let [counting, unknown] = [gpu.counting(0), gpu.counting(0)];
    let query = |event: ze_event_handle_t| {
        // SAFETY: the memory is as large as the times of one event.
        unsafe {
            let (to, none) = (times.pointer.cast(), null_mut());
            api()
                .zeCommandListAppendQueryKernelTimestamps(
                    gpu.list,
                    1,
                    &mut { event },
                    to,
                    null(),
                    NO_EVENT,
                    0,
                    none,
                )
                .into_result()
        }
    };
    begin(gpu.list).unwrap();
    fill_between(gpu.list, data.pointer, 1, counting, &[]).unwrap();
    query(counting).unwrap();
    assert_eq!(query(unknown), INTERNAL_EVENT);
    let graph = ended(gpu.list);
    let executable = instantiate(graph).unwrap();
    let mut last = 0;
    for _ in 0..2 {
        append_graph(gpu.list, executable, NO_EVENT, &[]).unwrap();
        gpu.synchronize().unwrap();
        let [[start, end, ..]] = times.read()[..] else { panic!("there is one result") };
        assert!(last < start && start <= end);
        last = end;
    }
    clear(graph, &[executable]);
}

#[test]
fn a_fault_in_a_graph_is_that_of_the_list() {
    let gpu = Gpu::asynchronous();
    let kernel = gpu.kernel(KERNELS[0], "write_at");
    set(kernel, 0, 64_u64).unwrap();
    for index in 1..8 {
        let _ = set(kernel, index, 0_u32).or_else(|_| set(kernel, index, 0_u64));
    }
    set_group_size(kernel, [1, 1, 1]).unwrap();
    begin(gpu.list).unwrap();
    append_launch(gpu.list, kernel, [1, 1, 1], NO_EVENT).unwrap();
    let graph = ended(gpu.list);
    let executable = instantiate(graph).unwrap();
    for _ in 0..2 {
        append_graph(gpu.list, executable, NO_EVENT, &[]).unwrap();
        assert_eq!(gpu.synchronize(), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
    }
    clear(graph, &[executable]);
}

static DESTROYED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn destroyed(data: *mut c_void) {
    DESTROYED.fetch_add(data.addr(), Ordering::Relaxed);
}

#[test]
fn the_host_is_told_when_a_graph_is_destroyed() {
    type Function = unsafe extern "C" fn(*mut c_void);
    type Set = unsafe extern "C" fn(Graph, Option<Function>, *mut c_void, *const c_void) -> ze_result_t;
    let call: Set = later("zeGraphSetDestructionCallbackExt");
    let gpu = Gpu::asynchronous();
    let graph = gpu.new_graph();
    // SAFETY: the function may be called with anything, and what is wrong the driver must notice.
    unsafe {
        let data = std::ptr::without_provenance_mut;
        assert_eq!(call(graph, Some(destroyed), data(3), null()).into_result(), Ok(()));
        assert_eq!(call(graph, Some(destroyed), data(4), null()).into_result(), Ok(()));
        assert_eq!(call(graph, None, null_mut(), null()).into_result(), NULL_POINTER);
        assert_eq!(call(Graph::NULL, Some(destroyed), null_mut(), null()).into_result(), NULL_HANDLE);
        assert_eq!(
            call(ze_graph_handle_t(gpu.list.0), Some(destroyed), null_mut(), null()).into_result(),
            INVALID
        );
    }
    assert_eq!(DESTROYED.load(Ordering::Relaxed), 0);
    destroy(graph).unwrap();
    assert_eq!(DESTROYED.load(Ordering::Relaxed), 7);
    assert_eq!(destroy(graph), INVALID, "it is destroyed already");
    assert_eq!(DESTROYED.load(Ordering::Relaxed), 7);
}

#[test]
fn captures_that_cannot_be() {
    let gpu = Gpu::asynchronous();
    let elsewhere = Gpu::asynchronous();
    let synchronous = gpu.other_list(ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    let regular = gpu.regular_list();
    let graph = gpu.new_graph();
    assert_eq!(begin(List::NULL), NULL_HANDLE);
    assert_eq!(begin(ze_command_list_handle_t(gpu.context.0)), INVALID);
    assert_eq!(begin(regular), LIST_TYPE);
    assert_eq!(begin(synchronous), INVALID);
    assert_eq!(begin_into(gpu.list, Graph::NULL), NULL_HANDLE);
    assert_eq!(begin_into(elsewhere.list, graph), INVALID, "it is of another context");
    assert_eq!(end(gpu.list).0, NOT_CAPTURING);
    assert_eq!(tell("zeCommandListGetGraphExt", gpu.list, graph), Err(NOT_CAPTURING.unwrap_err()));
    assert_eq!(tell("zeGraphGetPrimaryCommandListExt", graph, List::NULL).map(drop), INVALID);
    begin_into(gpu.list, graph).unwrap();
    assert_eq!(begin(gpu.list), INVALID, "it is captured from already");
    assert_eq!(begin_into(gpu.another_list(), graph), INVALID, "it is captured into already");
    assert_eq!(destroy(graph), IN_USE);
    assert_eq!(instantiate(graph).map(drop), INVALID);
    let fork = gpu.events(1)[0];
    let child = gpu.another_list();
    barrier(gpu.list, fork, &[]).unwrap();
    barrier(child, fork, &[fork]).unwrap();
    assert_eq!(end(child).0, INVALID, "the capture ends at the first list");
    assert_eq!(begin(child), INVALID);
    barrier(gpu.list, NO_EVENT, &[fork]).unwrap();
    // A branch stays though its list is destroyed.
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(child).into_result().unwrap() };
    assert_eq!(ended(gpu.list), graph);
    assert_eq!(end(gpu.list).0, NOT_CAPTURING, "it has ended already");
    assert_eq!(begin_into(gpu.list, graph), INVALID, "it is not empty");
    let end: unsafe extern "C" fn(List, *const c_void, *mut Graph) -> ze_result_t =
        later("zeCommandListEndGraphCaptureExt");
    begin(gpu.list).unwrap();
    // SAFETY: the driver must notice that there is no pointer.
    assert_eq!(unsafe { end(gpu.list, null(), null_mut()).into_result() }, NULL_POINTER);
    destroy(ended(gpu.list)).unwrap();
    destroy(graph).unwrap();
    assert_eq!(destroy(Graph::NULL), NULL_HANDLE);
}

#[test]
fn a_graph_goes_with_the_list_that_it_is_captured_from() {
    let gpu = Gpu::asynchronous();
    let list = gpu.another_list();
    begin(list).unwrap();
    let graph = tell("zeCommandListGetGraphExt", list, Graph::NULL).unwrap();
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(list).into_result().unwrap() };
    assert_eq!(is_empty(graph), INVALID_GRAPH);
    assert!(gpu.last_error().contains("has been destroyed"));
    assert_eq!(instantiate(graph).map(drop), INVALID_GRAPH);
    assert_eq!(is_capturing(list), INVALID);
    destroy(graph).unwrap();
}

#[test]
fn executions_that_cannot_be() {
    let gpu = Gpu::asynchronous();
    let elsewhere = Gpu::asynchronous();
    let graph = gpu.new_graph();
    assert_eq!(is_empty(graph), TRUE);
    let executable = instantiate(graph).unwrap();
    assert_eq!(append_graph(gpu.list, executable, NO_EVENT, &[]), Ok(()), "it does nothing");
    assert_eq!(append_graph(List::NULL, executable, NO_EVENT, &[]), NULL_HANDLE);
    assert_eq!(append_graph(gpu.list, Executable::NULL, NO_EVENT, &[]), NULL_HANDLE);
    assert_eq!(append_graph(gpu.list, ze_executable_graph_handle_t(graph.0), NO_EVENT, &[]), INVALID);
    assert_eq!(append_graph(elsewhere.list, executable, NO_EVENT, &[]), INVALID);
    assert_eq!(append_graph(gpu.regular_list(), executable, NO_EVENT, &[]), LIST_TYPE);
    assert_eq!(append_graph(gpu.list, executable, NO_EVENT, &[NO_EVENT]), NULL_HANDLE);
    assert_eq!(destroy(graph), IN_USE, "what was made of it comes first");
    gpu.synchronize().unwrap();
    destroy_executable(executable).unwrap();
    assert_eq!(destroy_executable(executable), INVALID, "it is destroyed already");
    assert_eq!(append_graph(gpu.list, executable, NO_EVENT, &[]), INVALID);
    destroy(graph).unwrap();
    assert_eq!(instantiate(graph).map(drop), INVALID);
    assert_eq!(destroy_executable(Executable::NULL), NULL_HANDLE);
}

#[test]
fn graphs_are_written_to_files() {
    #[repr(C)]
    struct Descriptor {
        stype: u32,
        next: *const c_void,
        mode: u32,
    }
    type Dump = unsafe extern "C" fn(Graph, *const c_char, *const Descriptor) -> ze_result_t;
    let dump: Dump = later("zeGraphDumpContentsExt");
    let gpu = Gpu::asynchronous();
    let other = gpu.another_list();
    let out = gpu.buffer(&[0_u32; 64]);
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    set(kernel, 0, out.pointer).unwrap();
    set_group_size(kernel, [16, 1, 1]).unwrap();
    let events = gpu.events(2);
    begin(gpu.list).unwrap();
    append_launch(gpu.list, kernel, [4, 1, 1], events[0]).unwrap();
    fill_between(other, out.pointer, 1, events[1], &[events[0]]).unwrap();
    barrier(gpu.list, NO_EVENT, &[events[1]]).unwrap();
    let graph = ended(gpu.list);
    let folder = std::env::temp_dir().join(format!("kernel-cpu-graph-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("graph.dot");
    let path = CString::new(file.to_str().unwrap()).unwrap();
    let write = |stype, mode| {
        let descriptor = Descriptor { stype, next: null(), mode };
        // SAFETY: pointers are to live variables.
        unsafe { dump(graph, path.as_ptr(), &descriptor).into_result()? };
        Ok(std::fs::read_to_string(&file).unwrap())
    };
    let simple = write(0x20048, 1).unwrap();
    assert!(simple.starts_with("digraph graph_of_commands {\n"), "{simple}");
    assert!(simple.contains("n0 [label=\"kernel collatz\\nsignals an event\""), "{simple}");
    assert!(simple.contains("n0 -> n1 [style=dashed];") && simple.contains("n0 -> n2;"), "{simple}");
    let detailed = write(0x20048, 0).unwrap();
    let arguments =
        format!("4 x 1 x 1 work-groups of 16 x 1 x 1\\nargument 0: pointer: {:#018x}", out.pointer.addr());
    assert!(detailed.contains(&arguments), "{detailed}");
    // SAFETY: pointers are to live variables or null.
    unsafe {
        assert_eq!(dump(graph, path.as_ptr(), null()).into_result(), Ok(()));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), detailed);
        assert_eq!(dump(graph, null(), null()).into_result(), NULL_POINTER);
        assert_eq!(dump(Graph::NULL, path.as_ptr(), null()).into_result(), NULL_HANDLE);
        let nowhere = c"/nonexistent/graph.dot";
        assert_eq!(dump(graph, nowhere.as_ptr(), null()).into_result(), INVALID);
        assert!(gpu.last_error().contains("cannot be written"));
    }
    assert_eq!(write(0x20048, 2).map(drop), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION));
    assert_eq!(write(0x20047, 0).map(drop), Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE));
    std::fs::remove_dir_all(&folder).unwrap();
    destroy(graph).unwrap();
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(other).into_result().unwrap() };
}

#[test]
fn the_device_says_what_graphs_can_do() {
    #[repr(C)]
    struct Properties {
        stype: u32,
        next: *mut c_void,
        flags: u32,
    }
    let gpu = Gpu::new();
    let mut graphs = Properties { stype: 0x20047, next: null_mut(), flags: 0 };
    let mut properties = ze_device_properties_t { pNext: (&raw mut graphs).cast(), ..Default::default() };
    // SAFETY: the structures are live and tagged.
    unsafe { api().zeDeviceGetProperties(gpu.device, &mut properties).into_result().unwrap() };
    let shared = if cfg!(target_os = "linux") { 1 << 4 } else { 0 };
    assert_eq!(graphs.flags, 0b1101 | shared, "graphs do not change, and have graphs and lists as parts");
}
