//! In which order the nodes of a graph are executed, one after the other.
//!
//! A node comes after the one before it on its branch and after those that it waits for. That alone could have been the order in which they were appended. But what a node waits for may come from
//! outside, or from a branch that was appended to later, and while it waits nothing else is executed. So a node that waits for such a thing comes as late as it can: when each other
//! branch has to wait for something too, or is at its end.

use super::node::{Body, Node};
use crate::queue::{Action, Event};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// The numbers of the nodes in this order.
pub(super) fn order(nodes: &[Node]) -> Vec<usize> {
    if nodes.iter().all(|node| node.waits.is_empty()) {
        return (0..nodes.len()).collect();
    }
    let mut branches: Vec<VecDeque<usize>> = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        branches.resize_with(branches.len().max(node.branch + 1), VecDeque::new);
        branches[node.branch].push_back(index);
    }
    let mut placed = vec![false; nodes.len()];
    let mut signalled = Signalled::default();
    let mut order = Vec::with_capacity(nodes.len());
    while order.len() < nodes.len() {
        let heads = branches.iter().filter_map(|branch| branch.front().copied());
        let ready = heads.filter(|&head| nodes[head].after.iter().all(|&before| placed[before]));
        let ready: Vec<usize> = ready.collect();
        let runs = ready.iter().copied().filter(|&head| signalled.has_all(&nodes[head].waits)).min();
        // Nodes only wait for those that were appended before them, so that the first of those that are left is always ready.
        let Some(next) = runs.or_else(|| ready.iter().copied().min()) else { break };
        branches[nodes[next].branch].pop_front();
        placed[next] = true;
        signalled.note(&nodes[next]);
        order.push(next);
    }
    order
}

/// The events that nodes so far have signalled and not reset, by their addresses.
#[derive(Default)]
struct Signalled(HashSet<*const Event>);

impl Signalled {
    fn has_all(&self, events: &[Arc<Event>]) -> bool {
        events.iter().all(|event| self.0.contains(&Arc::as_ptr(event)))
    }

    fn note(&mut self, node: &Node) {
        if let Body::Action(Action::Reset(event)) = &node.body {
            self.0.remove(&Arc::as_ptr(event));
        }
        // Of signals that add up nobody knows how many it takes.
        self.0.extend(node.signal.as_ref().filter(|event| !event.adds_up()).map(Arc::as_ptr));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(branch: usize, after: &[usize], waits: &[&Arc<Event>], signal: Option<&Arc<Event>>) -> Node {
        Node {
            branch,
            after: after.to_vec(),
            waits: waits.iter().map(|&event| Arc::clone(event)).collect(),
            body: Body::Action(Action::Nothing),
            signal: signal.cloned(),
        }
    }

    #[test]
    fn nodes_stay_as_they_were_appended() {
        assert_eq!(order(&[]), []);
        assert_eq!(
            order(&[node(0, &[], &[], None), node(1, &[0], &[], None), node(0, &[], &[], None)]),
            [0, 1, 2]
        );
    }

    #[test]
    fn what_waits_for_another_branch_comes_after_it() {
        let event = Arc::<Event>::default();
        let nodes = [
            node(0, &[], &[], None),
            node(1, &[0], &[&event], None),
            node(1, &[], &[], None),
            node(0, &[], &[], Some(&event)),
            node(0, &[2], &[], None),
        ];
        assert_eq!(order(&nodes), [0, 3, 1, 2, 4]);
    }

    #[test]
    fn what_waits_for_what_is_outside_comes_last() {
        let [first, second] = [Arc::<Event>::default(), Arc::default()];
        let nodes = [
            node(0, &[], &[&first], None),
            node(1, &[], &[], None),
            node(1, &[], &[&second], None),
            node(0, &[2], &[], None),
        ];
        assert_eq!(order(&nodes), [1, 0, 2, 3]);
    }

    #[test]
    fn what_has_been_reset_is_waited_for_again() {
        let event = Arc::<Event>::default();
        let mut reset = node(0, &[], &[], None);
        reset.body = Body::Action(Action::Reset(Arc::clone(&event)));
        let nodes = [
            node(0, &[], &[], Some(&event)),
            reset,
            node(1, &[], &[&event], None),
            node(0, &[], &[], Some(&event)),
        ];
        assert_eq!(order(&nodes), [0, 1, 3, 2]);
    }
}
