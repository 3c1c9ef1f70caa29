//! Graphs that lists execute.

use super::Graph;
use super::node::{Body, Node, Recorded};
use crate::queue::{Action, Command, Event, Pending, Stream};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A graph that can be executed, by one list at a time.
pub(in crate::api) struct Executable {
    graph: Arc<Graph>,
    steps: Vec<Step>,
    /// The commands, if they are the same each time.
    fixed: Option<Arc<Vec<Command>>>,
    /// Signalled when it has been executed for the last time so far.
    last: Mutex<Arc<Event>>,
}

/// A node, where it has its turn.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) waits: Vec<Arc<Event>>,
    pub(super) body: Body,
    pub(super) signal: Option<Arc<Event>>,
}

impl Step {
    /// Whether its commands depend on what events stand for when it is appended, or on resetting something then.
    fn varies(&self) -> bool {
        let counts = |event: &Arc<Event>| event.is_counter_based();
        let by_body = match &self.body {
            Body::Action(Action::QueryTimestamps { event, .. }) => event.is_counter_based(),
            Body::Action(_) => false,
            Body::List(list) => list.has_occurrences(),
        };
        by_body || self.waits.iter().any(counts) || self.signal.as_ref().is_some_and(counts)
    }

    /// What a stream is to do, appended now.
    fn commands(&self) -> Vec<Command> {
        let waits = self.waits.iter().map(|event| Action::Wait(event.to_wait_for()));
        let mut commands: Vec<_> = waits.map(|action| Command { action, signal: None }).collect();
        match &self.body {
            Body::Action(action) => {
                let action = action.clone().settled();
                commands
                    .push(Command { action, signal: self.signal.as_ref().map(|event| event.to_signal()) });
            }
            Body::List(list) => {
                list.reset();
                commands.extend(list.commands.iter().cloned());
            }
        }
        commands
    }
}

impl Executable {
    /// What is executed of a graph. What stands for events inside of it is its own.
    pub(super) fn new(graph: Arc<Graph>, recorded: &Recorded) -> Self {
        graph.executables.fetch_add(1, Ordering::AcqRel);
        let mut own = Occurrences::default();
        let nodes = recorded.order.iter().map(|&index| &recorded.nodes[index]);
        let steps: Vec<Step> = nodes.map(|node| own.step(node)).collect();
        let done = Arc::<Event>::default();
        done.signal();
        let mut this = Self { graph, steps, fixed: None, last: Mutex::new(done) };
        if !this.steps.iter().any(Step::varies) {
            this.fixed = Some(Arc::new(this.commands()));
        }
        this
    }

    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    fn commands(&self) -> Vec<Command> {
        self.steps.iter().flat_map(Step::commands).collect()
    }

    /// Has a stream execute it, after what others execute of it.
    pub(in crate::api) fn submit(&self, stream: &Stream) {
        let mut last = self.last();
        if !last.is_signalled() {
            let action = Action::Wait(Arc::clone(&last));
            stream.submit(Pending::One(Command { action, signal: None }));
        }
        let commands = self.fixed.clone().unwrap_or_else(|| Arc::new(self.commands()));
        stream.submit(Pending::All(commands));
        *last = Arc::default();
        let signal = Some(Arc::clone(&last));
        stream.submit(Pending::One(Command { action: Action::Nothing, signal }));
    }

    /// Whether a list executes it, or is going to.
    pub(super) fn is_running(&self) -> bool {
        !self.last().is_signalled()
    }

    /// Says that its handle has ended.
    pub(super) fn end(&self) {
        self.graph.executables.fetch_sub(1, Ordering::AcqRel);
    }

    fn last(&self) -> MutexGuard<'_, Arc<Event>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What stands for the events that are used inside of a graph alone: in the graph, and in what is made of it to be executed.
#[derive(Default)]
struct Occurrences(HashMap<*const Event, Arc<Event>>);

impl Occurrences {
    fn own(&mut self, event: &Arc<Event>) -> Arc<Event> {
        if !event.is_occurrence() {
            return Arc::clone(event);
        }
        Arc::clone(self.0.entry(Arc::as_ptr(event)).or_insert_with(|| event.occurrence()))
    }

    fn step(&mut self, node: &Node) -> Step {
        let body = match &node.body {
            Body::Action(Action::QueryTimestamps { event, to, memory }) => {
                let (event, to, memory) = (self.own(event), *to, Arc::clone(memory));
                Body::Action(Action::QueryTimestamps { event, to, memory })
            }
            other => other.clone(),
        };
        Step { waits: node.waits.clone(), body, signal: node.signal.as_ref().map(|event| self.own(event)) }
    }
}
