//! The static call graph.

use super::facts::{Facts, id};
use super::{Rule, Violation};
use rspirv::dr::Instruction;
use rspirv::spirv::{Op, Word};
use std::collections::{HashMap, HashSet};

/// Reports each call that closes a cycle.
pub(super) fn recursion(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    let mut search = Search { calls: call_graph(facts), finished: HashSet::new(), broken: Vec::new() };
    let functions: Vec<_> = facts.module.functions.iter().filter_map(|function| function.def_id()).collect();
    for function in functions {
        search.visit(function);
    }
    violations.extend(search.broken.into_iter().map(|call| Violation::new(Rule::Recursion, call)));
}

/// The calls in each function, with the function that each calls.
type CallGraph<'m> = HashMap<Word, Vec<(Word, &'m Instruction)>>;

fn call_graph<'m>(facts: &Facts<'m>) -> CallGraph<'m> {
    let mut graph = CallGraph::new();
    for function in &facts.module.functions {
        let calls =
            function.all_inst_iter().filter(|instruction| instruction.class.opcode == Op::FunctionCall);
        let calls = calls.filter_map(|call| Some((id(call, 0)?, call))).collect();
        graph.extend(function.def_id().map(|id| (id, calls)));
    }
    graph
}

/// A depth-first search with a stack of its own, since a foreign module's calls may nest deeply.
struct Search<'m> {
    calls: CallGraph<'m>,
    finished: HashSet<Word>,
    broken: Vec<&'m Instruction>,
}

impl Search<'_> {
    fn visit(&mut self, root: Word) {
        if self.finished.contains(&root) {
            return;
        }
        // The path from the root, with the number of calls that have been followed from each function.
        let mut path = vec![(root, 0)];
        let mut on_path = HashSet::from([root]);
        while let Some((function, followed)) = path.last_mut() {
            let Some(&(callee, call)) = self.calls.get(function).and_then(|calls| calls.get(*followed))
            else {
                on_path.remove(function);
                self.finished.insert(*function);
                path.pop();
                continue;
            };
            *followed += 1;
            if on_path.contains(&callee) {
                self.broken.push(call);
            } else if !self.finished.contains(&callee) {
                on_path.insert(callee);
                path.push((callee, 0));
            }
        }
    }
}
