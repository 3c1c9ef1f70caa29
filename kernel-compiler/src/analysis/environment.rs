//! The variables as terms. The ways that control takes have in common what none of them has stored to since they parted.

use super::term::Term;
use std::iter;
use std::ops::Index;
use std::rc::Rc;

/// How many variables are had in common or copied together.
const CHUNK: usize = 64;

type Chunk = [Option<Term>; CHUNK];

/// The term of each variable, by its position; none for one whose value is not followed or not known.
///
/// To copy it and to compare copies takes time by what was stored to in between, and hardly by how many variables there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    chunks: Vec<Rc<Chunk>>,
}

impl Environment {
    /// Variables of which nothing is known yet.
    pub(super) fn of(variables: usize) -> Self {
        let unknown = Rc::new([None; CHUNK]);
        Self { chunks: iter::repeat_n(unknown, variables.div_ceil(CHUNK)).collect() }
    }

    /// The work of a copy, in statements that are gone through.
    pub(super) fn cost(&self) -> u64 {
        self.chunks.len() as u64 / 16
    }

    /// The term of the variable at a position, if it is known.
    pub(super) fn get(&self, position: usize) -> Option<Term> {
        self.chunks.get(position / CHUNK)?[position % CHUNK]
    }

    /// Sets the term of the variable at a position.
    pub(super) fn set(&mut self, position: usize, term: Option<Term>) {
        if self[position] != term {
            Rc::make_mut(&mut self.chunks[position / CHUNK])[position % CHUNK] = term;
        }
    }

    /// The positions of the variables that differ from those of another one, in order.
    pub(super) fn differing<'e>(&'e self, other: &'e Self) -> impl Iterator<Item = usize> + 'e {
        let chunks = self.chunks.iter().zip(&other.chunks).enumerate();
        let differing = chunks.filter(|(_, (own, other))| !Rc::ptr_eq(own, other));
        differing.flat_map(|(number, (own, other))| {
            let terms = own.iter().zip(other.iter()).enumerate();
            terms.filter(|(_, (own, other))| own != other).map(move |(at, _)| number * CHUNK + at)
        })
    }
}

impl Index<usize> for Environment {
    type Output = Option<Term>;

    fn index(&self, position: usize) -> &Option<Term> {
        &self.chunks[position / CHUNK][position % CHUNK]
    }
}
