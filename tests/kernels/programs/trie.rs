//! A trie of words over `a..=z` whose nodes lie in one array.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod trie {
    use core::fmt;

    const ALPHABET: usize = 26;
    const CAPACITY: usize = 64;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        Full,
        BadByte(u8),
    }

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Error::Full => f.write_str("the trie is full"),
                Error::BadByte(byte) => write!(f, "bad byte {byte:#04x}"),
            }
        }
    }

    #[derive(Clone, Copy)]
    struct Node {
        children: [Option<u16>; ALPHABET],
        count: u32,
    }

    impl Node {
        const EMPTY: Self = Node { children: [None; ALPHABET], count: 0 };
    }

    pub struct Trie {
        nodes: [Node; CAPACITY],
        len: usize,
    }

    impl Default for Trie {
        fn default() -> Self {
            Self { nodes: [Node::EMPTY; CAPACITY], len: 1 }
        }
    }

    fn slot(byte: u8) -> Result<usize, Error> {
        match byte {
            b'a'..=b'z' => Ok((byte - b'a') as usize),
            b'A'..=b'Z' => Ok(usize::from(byte.to_ascii_lowercase() - b'a')),
            other => Err(Error::BadByte(other)),
        }
    }

    impl Trie {
        pub fn insert(&mut self, word: &str) -> Result<u32, Error> {
            let mut at = 0;
            for byte in word.bytes() {
                let slot = slot(byte)?;
                at = match self.nodes[at].children[slot] {
                    Some(next) => next as usize,
                    None => {
                        let new = self.len;
                        *self.nodes.get_mut(new).ok_or(Error::Full)? = Node::EMPTY;
                        self.nodes[at].children[slot].replace(new as u16);
                        self.len += 1;
                        new
                    }
                };
            }
            let node = &mut self.nodes[at];
            node.count += 1;
            Ok(node.count)
        }

        fn walk(&self, prefix: &str) -> Option<&Node> {
            prefix.bytes().try_fold(&self.nodes[0], |node, byte| {
                let next = node.children[slot(byte).ok()?]?;
                self.nodes.get(usize::from(next))
            })
        }

        pub fn get(&self, word: &str) -> u32 {
            self.walk(word).map_or(0, |node| node.count)
        }

        /// Counts words that begin with `prefix`.
        pub fn with_prefix(&self, prefix: &str) -> u32 {
            let Some(start) = self.walk(prefix) else { return 0 };
            let mut stack = [0_u16; CAPACITY];
            let mut top = 0;
            let mut total = start.count;
            for child in start.children.iter().flatten() {
                stack[top] = *child;
                top += 1;
            }
            while top > 0 {
                top -= 1;
                let node = &self.nodes[stack[top] as usize];
                total += node.count;
                for &child in node.children.iter().flatten() {
                    stack[top] = child;
                    top += 1;
                }
            }
            total
        }
    }

    const TEXT: &str = "the quick brown fox jumps over the lazy dog and then thaws";

    pub fn run(seed: u32) -> [u32; 8] {
        let mut trie = Trie::default();
        let mut errors = 0;
        for (i, word) in TEXT.split(' ').enumerate() {
            if (seed >> (i % 8)) & 1 == 0 {
                if let Err(Error::Full) = trie.insert(word) {
                    errors += 1;
                }
            }
        }
        let bad = match trie.insert("x-y") {
            Err(Error::BadByte(byte)) => byte.into(),
            Ok(n) => n,
            Err(_) => 1000,
        };
        [
            trie.len as u32,
            trie.get("the"),
            trie.with_prefix("th"),
            trie.with_prefix(""),
            trie.get("dog"),
            errors,
            bad,
            trie.get("Fox"),
        ]
    }
}

#[kernel]
pub fn words_in_trie(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = trie::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..24_u32).map(|i| i * i * 7919 + i).collect();
    let y = map(&seeds, trie::run);
    Case::of(&WORDS_IN_TRIE).input(&seeds).output(&y).items([y.len()])
}
