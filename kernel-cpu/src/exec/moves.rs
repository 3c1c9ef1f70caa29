//! The moves of an edge, put in an order in which none overwrites what another still needs.

use crate::program::{Move, Value};
use std::collections::HashMap;

/// Orders the moves; `fresh` gives a new value of the same kind as another, to break cycles.
pub(super) fn sequence(moves: &[Move], mut fresh: impl FnMut(Value) -> Value) -> Vec<Move> {
    let mut pending: HashMap<Value, Value> = moves.iter().map(|step| (step.to, step.from)).collect();
    let mut readers: HashMap<Value, usize> = HashMap::new();
    for step in moves {
        *readers.entry(step.from).or_default() += 1;
    }
    let is_free =
        |value: Value, readers: &HashMap<Value, usize>| readers.get(&value).is_none_or(|&count| count == 0);
    let mut result = Vec::with_capacity(moves.len());
    let mut ready: Vec<Value> =
        moves.iter().map(|step| step.to).filter(|&to| is_free(to, &readers)).collect();
    let mut rest = moves.iter().map(|step| step.to);
    loop {
        // Emit what nobody waits to read; that may free its source in turn.
        while let Some(to) = ready.pop() {
            let Some(from) = pending.remove(&to) else { continue };
            result.push(Move { to, from });
            if let Some(count) = readers.get_mut(&from) {
                *count -= 1;
                if *count == 0 && pending.contains_key(&from) {
                    ready.push(from);
                }
            }
        }
        // What is left are cycles, in which each is read once: save one member, and go around until what is read is that one.
        let Some(first) = rest.by_ref().find(|to| pending.contains_key(to)) else { return result };
        let saved = fresh(first);
        result.push(Move { to: saved, from: first });
        let mut to = first;
        while let Some(from) = pending.remove(&to) {
            result.push(Move { to, from: if from == first { saved } else { from } });
            to = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sequence;
    use crate::program::{Move, Value};

    fn check(moves: &[(u32, u32)]) {
        let moves: Vec<_> =
            moves.iter().map(|&(to, from)| Move { to: Value(to), from: Value(from) }).collect();
        let mut next = 100;
        let sequenced = sequence(&moves, |_| {
            next += 1;
            Value(next)
        });
        let mut registers: Vec<u32> = (0..200).collect();
        for step in &sequenced {
            registers[step.to.0 as usize] = registers[step.from.0 as usize];
        }
        for step in &moves {
            assert_eq!(registers[step.to.0 as usize], step.from.0, "{moves:?} became {sequenced:?}");
        }
    }

    #[test]
    fn chains_cycles_and_fans() {
        check(&[]);
        check(&[(1, 2), (2, 3), (3, 4)]);
        check(&[(3, 4), (2, 3), (1, 2)]);
        check(&[(1, 2), (2, 1)]);
        check(&[(1, 2), (2, 3), (3, 1), (4, 1), (5, 4)]);
        check(&[(1, 2), (2, 1), (3, 4), (4, 5), (5, 3), (6, 6)]);
    }
}
