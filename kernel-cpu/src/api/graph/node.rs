//! Captured commands.

use super::super::recording::Closed;
use super::order::order;
use crate::exec::Launch;
use crate::queue::{Action, Event};
use std::sync::Arc;

/// A captured command, or what is executed as one.
pub(in crate::api) struct Node {
    /// From which list it was captured: the primary is 0.
    pub(super) branch: usize,
    /// The nodes that it waits for, by numbers; besides, it comes after those before it on its branch.
    pub(super) after: Vec<usize>,
    /// What it waits for that no node before it signals: it comes from outside, or from a branch that gets there later.
    pub(super) waits: Vec<Arc<Event>>,
    pub(super) body: Body,
    /// What it signals. In the place of a counter-based event that is used inside of the graph alone there is what stands for it.
    pub(super) signal: Option<Arc<Event>>,
}

impl Node {
    /// The launches in it.
    pub(super) fn launches(&self) -> Vec<&Launch> {
        let actions: Vec<&Action> = match &self.body {
            Body::Action(action) => vec![action],
            Body::List(list) => list.commands.iter().map(|command| &command.action).collect(),
        };
        actions.into_iter().filter_map(Action::launch).collect()
    }
}

/// What a node does.
#[derive(Clone)]
pub(in crate::api) enum Body {
    Action(Action),
    List(Closed),
}

impl Body {
    /// Whether it does any work, which a capture must not end without waiting for.
    fn is_work(&self) -> bool {
        !matches!(self, Self::Action(Action::Nothing | Action::Wait(_) | Action::Reset(_)))
    }
}

/// What has been captured.
#[derive(Default)]
pub(in crate::api) struct Recorded {
    /// As they were appended.
    pub(super) nodes: Vec<Node>,
    /// The numbers of the nodes as they are executed.
    pub(super) order: Vec<usize>,
}

impl Recorded {
    pub(super) fn new(nodes: Vec<Node>) -> Self {
        let order = order(&nodes);
        Self { nodes, order }
    }
}

/// Whether all work of the branches comes before something of the primary one.
pub(super) fn is_joined(nodes: &[Node], branches: usize) -> bool {
    // The nodes that something of the primary branch waits for, or that are on it.
    let mut reaches = vec![false; nodes.len()];
    let mut next_on: Vec<Option<usize>> = vec![None; branches];
    for (index, node) in nodes.iter().enumerate().rev() {
        let next = next_on[node.branch].replace(index);
        reaches[index] |= node.branch == 0 || next.is_some_and(|next| reaches[next]);
        if reaches[index] {
            node.after.iter().for_each(|&before| reaches[before] = true);
        }
    }
    // Of a branch without work it is the first node that has to be waited for.
    let mut last: Vec<Option<usize>> = vec![None; branches];
    for (index, node) in nodes.iter().enumerate() {
        if last[node.branch].is_none() || node.body.is_work() {
            last[node.branch] = Some(index);
        }
    }
    last.into_iter().flatten().all(|index| reaches[index])
}
