//! Which lists graphs are captured from, and which events the captured commands signal.
//!
//! All captures are under one lock, since an event of one may lead a list of another thread into it. As long as there is none, appending to a list looks at one number.

use super::super::command_list::CommandList;
use super::super::recording::Appended;
use super::super::{Answer, describe};
use super::Graph;
use super::node::{Body, Node, Recorded, is_joined};
use crate::queue::{Action, Event};
use level_zero_sys::{ze_command_list_handle_t, ze_result_t};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A capture that has not ended.
struct Session {
    graph: Arc<Graph>,
    branches: Vec<Branch>,
    nodes: Vec<Node>,
    /// The events that nodes signal and do not reset, by their addresses.
    signalled: HashMap<usize, Signalled>,
}

/// What is captured from one list.
struct Branch {
    /// The address of the list, unless it has been destroyed.
    list: Option<usize>,
}

/// The nodes that signal an event.
struct Signalled {
    /// Kept, so that no other event gets its address.
    _event: Arc<Event>,
    /// The last one, or all if signals add up.
    nodes: Vec<usize>,
    /// What stands for the event, if it is used inside of the graph alone.
    inner: Option<Arc<Event>>,
}

static SESSIONS: Mutex<Vec<Session>> = Mutex::new(Vec::new());

/// How many there are.
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn sessions() -> MutexGuard<'static, Vec<Session>> {
    SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The captures, if there are any.
fn active() -> Option<MutexGuard<'static, Vec<Session>>> {
    (COUNT.load(Ordering::Acquire) != 0).then(sessions)
}

fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of).addr()
}

/// Whether an event is counter-based and was not made to be used outside of graphs too. One that counts in memory of the host program's is seen there anyway.
fn is_internal(event: &Event) -> bool {
    /// `ZE_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL`.
    const GRAPH_EXTERNAL: u32 = 1 << 6;
    event.is_counter_based() && !event.adds_up() && event.origin.counter_flags & GRAPH_EXTERNAL == 0
}

impl Session {
    fn branch_of(&self, list: &CommandList) -> Option<usize> {
        let list = Some(address(list));
        self.branches.iter().position(|branch| branch.list == list)
    }

    fn signals(&self, event: &Event) -> bool {
        self.signalled.contains_key(&address(event))
    }

    /// Appends a node to a branch.
    fn push(&mut self, branch: usize, mut body: Body, signal: Option<&Arc<Event>>, waits: &[Arc<Event>]) {
        let (mut after, mut outside) = (Vec::new(), Vec::new());
        for event in waits {
            match self.signalled.get(&address(&**event)) {
                Some(signalled) => after.extend(&signalled.nodes),
                None => outside.push(Arc::clone(event)),
            }
            // Others may have to signal it too.
            if event.adds_up() && outside.last().is_none_or(|last| !Arc::ptr_eq(last, event)) {
                outside.push(Arc::clone(event));
            }
        }
        match &mut body {
            Body::Action(Action::QueryTimestamps { event, .. }) => {
                if let Some(inner) = self.signalled.get(&address(&**event)).and_then(|of| of.inner.as_ref()) {
                    *event = Arc::clone(inner);
                }
            }
            Body::Action(Action::Reset(event)) => {
                self.signalled.remove(&address(&**event));
            }
            Body::Action(_) | Body::List(_) => {}
        }
        let inner = signal.filter(|event| is_internal(event)).map(|event| event.occurrence());
        if let Some(event) = signal {
            let new = || Signalled { _event: Arc::clone(event), nodes: Vec::new(), inner: None };
            let signalled = self.signalled.entry(address(&**event)).or_insert_with(new);
            if !event.adds_up() {
                signalled.nodes.clear();
            }
            signalled.nodes.push(self.nodes.len());
            signalled.inner.clone_from(&inner);
        }
        let signal = inner.or_else(|| signal.cloned());
        self.nodes.push(Node { branch, after, waits: outside, body, signal });
    }
}

/// Where what is appended to a list is captured.
pub(in crate::api) struct Place {
    sessions: MutexGuard<'static, Vec<Session>>,
    session: usize,
    list: usize,
    /// None as long as nothing has been captured from the list.
    branch: Option<usize>,
}

impl Place {
    /// Where it is, if it is; a list that waits for what is captured is captured from itself then.
    ///
    /// # Errors
    ///
    /// An event that is used outside of its graph, a list that cannot be captured from, and one that would belong to two graphs.
    pub(in crate::api) fn of(
        list: &CommandList,
        signal: Option<&Arc<Event>>,
        waits: &[Arc<Event>],
    ) -> Answer<Option<Self>> {
        let Some(sessions) = active() else { return Ok(None) };
        let own = sessions.iter().position(|session| session.branch_of(list).is_some());
        let of_waits = |event: &Arc<Event>| sessions.iter().position(|session| session.signals(event));
        let session = match (own, list.is_immediate()) {
            (None, true) => waits.iter().find_map(of_waits),
            (own, _) => own,
        };
        if let Some(session) = session
            && waits.iter().filter_map(of_waits).any(|other| other != session)
        {
            describe("the command waits for what is captured into another graph");
            return Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT);
        }
        for (event, is_wait) in
            waits.iter().map(|event| (event, true)).chain(signal.map(|event| (event, false)))
        {
            let captured = of_waits(event);
            let is_outside = captured.is_some() && captured != session;
            let is_unknown = session.is_some() && is_wait && captured.is_none();
            if is_internal(event) && (is_outside || is_unknown) {
                describe(if is_outside {
                    "a counter-based event of a graph that is being captured is used outside of the graph"
                } else {
                    "a captured command waits for a counter-based event that nothing in the graph signals, and that was made without ZE_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL"
                });
                return Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT);
            }
        }
        let Some(session) = session else { return Ok(None) };
        let of = &sessions[session];
        let branch = of.branch_of(list);
        if branch.is_none() && (list.is_synchronous() || !Arc::ptr_eq(&list.context, &of.graph.context)) {
            describe(
                "a list waits for what is captured that cannot be captured from: it waits for its commands, or is of another context",
            );
            return Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED);
        }
        Ok(Some(Self { sessions, session, list: address(list), branch }))
    }

    /// Captures something.
    pub(in crate::api) fn record(
        &mut self,
        body: Body,
        signal: Option<&Arc<Event>>,
        waits: &[Arc<Event>],
    ) -> Answer {
        if let Body::Action(Action::QueryTimestamps { event, .. }) = &body {
            self.check_event(event)?;
        }
        let branch = self.branch();
        self.sessions[self.session].push(branch, body, signal, waits);
        Ok(())
    }

    /// What the list has of the graph, from now on.
    fn branch(&mut self) -> usize {
        let branches = &mut self.sessions[self.session].branches;
        *self.branch.get_or_insert_with(|| {
            branches.push(Branch { list: Some(self.list) });
            branches.len() - 1
        })
    }

    /// Captures one of several things.
    pub(in crate::api) fn record_one(&mut self, one: Appended) -> Answer {
        match one {
            Appended::Action(action) => self.record(Body::Action(action), None, &[]),
            Appended::List(list) => self.record(Body::List(list), None, &[]),
            Appended::Graph(graph) => {
                let branch = self.branch();
                let session = &mut self.sessions[self.session];
                for step in graph.steps() {
                    session.push(branch, step.body.clone(), step.signal.as_ref(), &step.waits);
                }
                Ok(())
            }
        }
    }

    /// Whether all of these can be captured.
    pub(in crate::api) fn check(&self, all: &[Appended]) -> Answer {
        all.iter().try_for_each(|one| match one {
            Appended::Action(Action::QueryTimestamps { event, .. }) => self.check_event(event),
            Appended::Graph(graph) => self.check_waits(graph.steps().iter().flat_map(|step| &step.waits)),
            Appended::Action(_) | Appended::List(_) => Ok(()),
        })
    }

    /// The times of an event that is used inside of graphs alone are those of a command of this graph.
    fn check_event(&self, event: &Event) -> Answer {
        if is_internal(event) && !self.sessions[self.session].signals(event) {
            describe("the times of a counter-based event are asked for that nothing in the graph signals");
            return Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT);
        }
        Ok(())
    }

    /// What a graph waits for that is to be a part of this one must not be captured elsewhere.
    fn check_waits<'e>(&self, mut waits: impl Iterator<Item = &'e Arc<Event>>) -> Answer {
        let others = |event: &Event| {
            let others = self.sessions.iter().enumerate().filter(|(index, _)| *index != self.session);
            others.into_iter().any(|(_, session)| session.signals(event))
        };
        if waits.any(|event| others(event)) {
            describe("the graph waits for what is captured into another graph");
            return Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT);
        }
        Ok(())
    }
}

/// Begins to capture from a list.
pub(super) fn begin(
    list: &CommandList,
    handle: ze_command_list_handle_t,
    graph: impl FnOnce() -> Answer<Arc<Graph>>,
) -> Answer {
    let mut sessions = sessions();
    if sessions.iter().any(|session| session.branch_of(list).is_some()) {
        describe("a graph is captured from the list already");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    let graph = graph()?;
    graph.begin(handle)?;
    let branches = vec![Branch { list: Some(address(list)) }];
    sessions.push(Session { graph, branches, nodes: Vec::new(), signalled: HashMap::new() });
    COUNT.store(sessions.len(), Ordering::Release);
    Ok(())
}

/// Ends the capture from a list; also says whether all of its branches are waited for.
pub(super) fn end(list: &CommandList) -> Answer<(Arc<Graph>, bool)> {
    let mut sessions = sessions();
    let found = find(&sessions, list)?;
    if sessions[found].branch_of(list) != Some(0) {
        describe("a capture ends at the list that it began at");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    let Session { graph, branches, nodes, .. } = sessions.swap_remove(found);
    COUNT.store(sessions.len(), Ordering::Release);
    let is_joined = is_joined(&nodes, branches.len());
    graph.finish(match is_joined {
        true => Ok(Recorded::new(nodes)),
        false => Err("the graph has a branch that its primary list does not wait for"),
    });
    Ok((graph, is_joined))
}

fn find(sessions: &[Session], list: &CommandList) -> Answer<usize> {
    let found = sessions.iter().position(|session| session.branch_of(list).is_some());
    found.ok_or(ze_result_t::ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING)
}

/// Whether a graph is captured from a list.
pub(super) fn is_capturing(list: &CommandList) -> bool {
    active().is_some_and(|sessions| find(&sessions, list).is_ok())
}

/// The graph that is captured from a list.
pub(super) fn graph_of(list: &CommandList) -> Answer<Arc<Graph>> {
    let sessions = sessions();
    Ok(Arc::clone(&sessions[find(&sessions, list)?].graph))
}

/// Whether there is nothing yet in a graph that is being captured.
pub(super) fn is_empty(graph: &Graph) -> Option<bool> {
    let sessions = active()?;
    let session = sessions.iter().find(|session| std::ptr::eq(&*session.graph, graph))?;
    Some(session.nodes.is_empty())
}

/// Captures nothing any more from a list that is destroyed. A graph that it was to be the primary list of can never be executed.
pub(in crate::api) fn forget(list: &CommandList) {
    let Some(mut sessions) = active() else { return };
    let Ok(found) = find(&sessions, list) else { return };
    if sessions[found].branch_of(list) == Some(0) {
        let Session { graph, .. } = sessions.swap_remove(found);
        COUNT.store(sessions.len(), Ordering::Release);
        graph.finish(Err("the list that the graph was captured from has been destroyed"));
    } else if let Some(branch) = sessions[found].branch_of(list) {
        sessions[found].branches[branch].list = None;
    }
}

fn unsupported() -> Answer {
    describe("what is being captured is not executed yet, so that nobody can wait for it");
    Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED)
}

/// Whether the host may wait for a list.
pub(in crate::api) fn check_waits(list: &CommandList) -> Answer {
    if is_capturing(list) { unsupported() } else { Ok(()) }
}

/// Whether something that is being captured signals an event.
fn is_signalled(event: &Event) -> bool {
    active().is_some_and(|sessions| sessions.iter().any(|session| session.signals(event)))
}

/// Whether the host may wait for an event.
pub(in crate::api) fn check_wait(event: &Event) -> Answer {
    if is_signalled(event) { unsupported() } else { Ok(()) }
}

/// Whether the host may ask something about an event.
pub(in crate::api) fn check_use(event: &Event) -> Answer {
    if is_internal(event) && is_signalled(event) {
        describe("a counter-based event of a graph that is being captured is used outside of the graph");
        return Err(ze_result_t::ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT);
    }
    Ok(())
}
