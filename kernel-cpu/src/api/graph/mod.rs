//! Graphs, of version 1.17: what is appended to immediate lists is captured, and executed later, as often as one likes.
//!
//! A list from which a graph is captured executes nothing. Another list that waits for an event which is signalled in the capture is captured too, as a branch of its own, until the
//! capture ends; what it has done until then must have been waited for by what belongs to the first list. Commands of a branch are in order, and between branches events say what
//! comes first. That leaves some freedom, and all branches are executed by one list: [`order`] says in which order. Events that only make the order are then needed no more.
//!
//! | file | what |
//! |---|---|
//! | [`node`] | a captured command |
//! | [`capture`] | which lists are captured from, and which events their commands signal |
//! | [`order`] | in which order the nodes of a graph are executed |
//! | [`executable`] | graphs that lists execute |
//! | [`dump`] | graphs as text |

mod capture;
mod dump;
mod executable;
mod node;
mod order;

pub(super) use self::capture::{Place, check_use, check_wait, check_waits, forget};
pub(super) use self::executable::Executable;
pub(super) use self::node::Body;

use self::capture::{begin, end, graph_of, is_capturing};
use self::node::{Node, Recorded};
use super::command_list::{CommandList, check_extensions};
use super::context::Context;
use super::recording::Appended;
use super::registry::{get, insert, objects, remove};
use super::structures::{complete, structures};
use super::{Answer, describe, guard, read, write};
use crate::link::Input;
use level_zero_sys::{
    ze_base_properties_t, ze_command_list_handle_t, ze_context_handle_t, ze_event_handle_t,
    ze_executable_graph_handle_t, ze_graph_handle_t, ze_result_t,
};
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A graph.
pub(super) struct Graph {
    context: Arc<Context>,
    handle: OnceLock<ze_graph_handle_t>,
    state: Mutex<State>,
    /// How many graphs that can be executed were made of it and are still there.
    executables: AtomicUsize,
}

#[derive(Default)]
struct State {
    stage: Stage,
    /// The list that it is or was captured from.
    primary: Option<ze_command_list_handle_t>,
    /// What the host program has called when it is destroyed.
    callbacks: Vec<Callback>,
}

/// How far a graph has come.
#[derive(Clone, Default)]
enum Stage {
    #[default]
    Empty,
    Capturing,
    Recorded(Arc<Recorded>),
    /// Why it can never be executed.
    Invalid(&'static str),
}

/// A function of the host program, with what it is called with.
struct Callback {
    function: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
}

// SAFETY: the driver only hands the pointer to the function, and the host program says by registering the function that any thread which destroys the graph may call it.
unsafe impl Send for Callback {}

objects! {
    Graph: ze_graph_handle_t = 17;
    Executable: ze_executable_graph_handle_t = 18;
}

impl Graph {
    /// A new one, with its handle.
    fn register(context: Arc<Context>) -> Answer<Arc<Self>> {
        let graph = Arc::new(Self {
            context,
            handle: OnceLock::new(),
            state: Mutex::default(),
            executables: AtomicUsize::new(0),
        });
        let handle = insert(Arc::clone(&graph))?;
        graph.handle.get_or_init(|| handle);
        Ok(graph)
    }

    fn handle(&self) -> ze_graph_handle_t {
        self.handle.get().copied().unwrap_or(ze_graph_handle_t::NULL)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was captured, once that has ended.
    fn recorded(&self) -> Answer<Arc<Recorded>> {
        match &self.state().stage {
            Stage::Empty => Ok(Arc::default()),
            Stage::Recorded(recorded) => Ok(Arc::clone(recorded)),
            Stage::Capturing => {
                describe("the graph is still being captured");
                Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
            }
            Stage::Invalid(why) => {
                describe(*why);
                Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GRAPH)
            }
        }
    }

    /// Says that it is captured from a list, if there is nothing in it yet.
    fn begin(&self, list: ze_command_list_handle_t) -> Answer {
        let mut state = self.state();
        let is_empty = match &state.stage {
            Stage::Empty => true,
            Stage::Recorded(recorded) => recorded.nodes.is_empty(),
            Stage::Capturing | Stage::Invalid(_) => false,
        };
        if !is_empty {
            describe("a graph is captured into one that is empty");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        (state.stage, state.primary) = (Stage::Capturing, Some(list));
        Ok(())
    }

    /// Takes what was captured, or why that is nothing.
    fn finish(&self, recorded: Result<Recorded, &'static str>) {
        self.state().stage = match recorded {
            Ok(recorded) => Stage::Recorded(Arc::new(recorded)),
            Err(why) => Stage::Invalid(why),
        };
    }
}

/// `zeGraphCreateExt`.
pub(super) unsafe extern "C" fn create(
    context: ze_context_handle_t,
    extensions: *const c_void,
    graph: *mut ze_graph_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        check_extensions(extensions)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe {
            write(graph, ze_graph_handle_t::NULL)?;
            write(graph, Graph::register(context)?.handle())
        }
    })
}

/// The list that a capture may begin with.
fn capturable(list: ze_command_list_handle_t) -> Answer<Arc<CommandList>> {
    let list = get::<CommandList>(list)?;
    if !list.is_immediate() {
        describe("a graph is captured from immediate lists; others are recorded anyway");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    }
    if list.is_synchronous() {
        describe("a graph is not captured from a list that waits for its commands");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    Ok(list)
}

/// `zeCommandListBeginGraphCaptureExt`.
pub(super) unsafe extern "C" fn begin_capture(
    list: ze_command_list_handle_t,
    extensions: *const c_void,
) -> ze_result_t {
    guard(|| {
        let recorder = capturable(list)?;
        check_extensions(extensions)?;
        begin(&recorder, list, || Graph::register(Arc::clone(&recorder.context)))
    })
}

/// `zeCommandListBeginCaptureIntoGraphExt`.
pub(super) unsafe extern "C" fn begin_capture_into(
    list: ze_command_list_handle_t,
    graph: ze_graph_handle_t,
    extensions: *const c_void,
) -> ze_result_t {
    guard(|| {
        let recorder = capturable(list)?;
        let graph = get::<Graph>(graph)?;
        check_extensions(extensions)?;
        check_context(&recorder, &graph)?;
        begin(&recorder, list, || Ok(graph))
    })
}

/// Whether a list and a graph are of the same context.
fn check_context(list: &CommandList, graph: &Graph) -> Answer {
    if Arc::ptr_eq(&list.context, &graph.context) {
        return Ok(());
    }
    describe("the graph is of another context than the list");
    Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
}

/// `zeCommandListEndGraphCaptureExt`. A graph with branches that nothing waits for is given out too, so that it can be destroyed.
pub(super) unsafe extern "C" fn end_capture(
    list: ze_command_list_handle_t,
    extensions: *const c_void,
    graph: *mut ze_graph_handle_t,
) -> ze_result_t {
    guard(|| {
        let recorder = get::<CommandList>(list)?;
        check_extensions(extensions)?;
        if graph.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let (ended, is_joined) = end(&recorder)?;
        // SAFETY: the host passes a valid pointer.
        unsafe { write(graph, ended.handle())? };
        if is_joined {
            return Ok(());
        }
        describe("the primary list does not wait for all that was captured from another list");
        Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_UNJOINED_FORKS)
    })
}

/// Answers a question by a code.
fn is_true(condition: bool) -> Answer {
    Err(if condition { ze_result_t::ZE_RESULT_QUERY_TRUE } else { ze_result_t::ZE_RESULT_QUERY_FALSE })
}

/// `zeCommandListIsGraphCaptureEnabledExt`.
pub(super) unsafe extern "C" fn is_capture_enabled(list: ze_command_list_handle_t) -> ze_result_t {
    guard(|| is_true(is_capturing(&*get::<CommandList>(list)?)))
}

/// `zeCommandListGetGraphExt`.
pub(super) unsafe extern "C" fn get_graph(
    list: ze_command_list_handle_t,
    graph: *mut ze_graph_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe {
            write(graph, ze_graph_handle_t::NULL)?;
            write(graph, graph_of(&list)?.handle())
        }
    })
}

/// `zeGraphGetPrimaryCommandListExt`.
pub(super) unsafe extern "C" fn get_primary_list(
    graph: ze_graph_handle_t,
    list: *mut ze_command_list_handle_t,
) -> ze_result_t {
    guard(|| {
        let primary = get::<Graph>(graph)?.state().primary;
        let primary = primary.ok_or_else(|| {
            describe("nothing has been captured into the graph");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(list, primary) }
    })
}

/// `zeGraphIsEmptyExt`.
pub(super) unsafe extern "C" fn is_empty(graph: ze_graph_handle_t) -> ze_result_t {
    guard(|| {
        let graph = get::<Graph>(graph)?;
        match capture::is_empty(&graph) {
            Some(is_empty) => is_true(is_empty),
            None => is_true(graph.recorded()?.nodes.is_empty()),
        }
    })
}

/// `zeGraphSetDestructionCallbackExt`.
pub(super) unsafe extern "C" fn set_destruction_callback(
    graph: ze_graph_handle_t,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
    extensions: *const c_void,
) -> ze_result_t {
    guard(|| {
        let graph = get::<Graph>(graph)?;
        check_extensions(extensions)?;
        let function = function.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        graph.state().callbacks.push(Callback { function, data });
        Ok(())
    })
}

/// `zeGraphDestroyExt`.
pub(super) unsafe extern "C" fn destroy(graph: ze_graph_handle_t) -> ze_result_t {
    guard(|| {
        let object = get::<Graph>(graph)?;
        if matches!(object.state().stage, Stage::Capturing) {
            describe("the graph is still being captured");
            return Err(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
        }
        if object.executables.load(Ordering::Acquire) != 0 {
            describe("what was instantiated from the graph has to be destroyed first");
            return Err(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
        }
        remove::<Graph>(graph)?;
        let callbacks = std::mem::take(&mut object.state().callbacks);
        for Callback { function, data } in callbacks {
            // SAFETY: the host program vouches for the function and what it is called with.
            unsafe { function(data) };
        }
        Ok(())
    })
}

/// `zeGraphInstantiateExt`.
pub(super) unsafe extern "C" fn instantiate(
    graph: ze_graph_handle_t,
    extensions: *const c_void,
    executable: *mut ze_executable_graph_handle_t,
) -> ze_result_t {
    guard(|| {
        let graph = get::<Graph>(graph)?;
        check_extensions(extensions)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe {
            write(executable, ze_executable_graph_handle_t::NULL)?;
            let recorded = graph.recorded()?;
            write(executable, insert(Arc::new(Executable::new(graph, &recorded)))?)
        }
    })
}

/// `zeExecutableGraphGetSourceGraphExt`.
pub(super) unsafe extern "C" fn get_source(
    executable: ze_executable_graph_handle_t,
    graph: *mut ze_graph_handle_t,
) -> ze_result_t {
    guard(|| {
        let executable = get::<Executable>(executable)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(graph, executable.graph().handle()) }
    })
}

/// `zeExecutableGraphDestroyExt`.
pub(super) unsafe extern "C" fn executable_destroy(executable: ze_executable_graph_handle_t) -> ze_result_t {
    guard(|| {
        if get::<Executable>(executable)?.is_running() {
            describe("a list executes the graph, or is going to");
            return Err(ze_result_t::ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
        }
        remove::<Executable>(executable)?.end();
        Ok(())
    })
}

/// `zeCommandListAppendGraphExt`: of immediate lists, as those are that graphs are captured from.
pub(super) unsafe extern "C" fn append(
    list: ze_command_list_handle_t,
    graph: ze_executable_graph_handle_t,
    extensions: *const c_void,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let graph = get::<Executable>(graph)?;
        check_extensions(extensions)?;
        check_context(&list, graph.graph())?;
        if !list.is_immediate() {
            describe("a graph is executed by immediate lists, which it was captured from");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
        }
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append_all(vec![Appended::Graph(graph)], signal, wait_count, waits) }
    })
}

/// The modules whose kernels a graph launches.
pub(super) fn inputs(graph: &Graph) -> Answer<Vec<Arc<Input>>> {
    let recorded = graph.recorded()?;
    let launches = recorded.nodes.iter().flat_map(Node::launches);
    Ok(launches.filter_map(|launch| launch.source()).collect())
}

structures! {
    /// `ze_record_replay_graph_ext_properties_t`.
    Properties = 0x0002_0047 { flags: u32 = 0, }
    /// `ze_record_replay_graph_ext_dump_desc_t`.
    DumpDescriptor = 0x0002_0048 { mode: u32 = 0, }
}

/// Says in the properties of the device what graphs can do, if they are asked.
///
/// # Safety
///
/// The chain must be valid, and nobody else may look at it meanwhile.
pub(super) unsafe fn fill_properties(next: *const c_void) {
    /// Graphs that do not change, those with other graphs in them, those with closed lists in them, and those with events that other processes have.
    const FLAGS: u32 = 1 | 1 << 2 | 1 << 3 | if cfg!(target_os = "linux") { 1 << 4 } else { 0 };
    // SAFETY: the caller vouches for the chain.
    unsafe { complete::<Properties>(next, |properties| properties.flags = FLAGS) }
}

/// `zeGraphDumpContentsExt`.
pub(super) unsafe extern "C" fn dump_contents(
    graph: ze_graph_handle_t,
    path: *const c_char,
    extensions: *const c_void,
) -> ze_result_t {
    guard(|| {
        let graph = get::<Graph>(graph)?;
        if path.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a valid structure or null.
        let is_detailed = unsafe { is_detailed(extensions)? };
        let text = dump::text(&*graph.recorded()?, is_detailed);
        // SAFETY: the host passes a string that ends with NUL.
        let path = unsafe { CStr::from_ptr(path) };
        let written = path.to_str().ok().map(|path| std::fs::write(path, text));
        match written {
            Some(Ok(())) => return Ok(()),
            Some(Err(error)) => describe(format!("the file cannot be written: {error}")),
            None => describe("the path is not UTF-8"),
        }
        Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
    })
}

/// Whether the extensions of a dump want all there is to say, which is also what is written without any.
///
/// # Safety
///
/// The pointer must be null or that of a structure that is what its type announces.
unsafe fn is_detailed(extensions: *const c_void) -> Answer<bool> {
    if extensions.is_null() {
        return Ok(true);
    }
    // SAFETY: the caller vouches for the structure.
    let head = unsafe { read(extensions.cast::<ze_base_properties_t>())? };
    if head.stype != DumpDescriptor::default().stype {
        return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    }
    // SAFETY: it is what its type announces.
    match unsafe { read(extensions.cast::<DumpDescriptor>())? }.mode {
        0 => Ok(true),
        1 => Ok(false),
        _ => Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
    }
}
