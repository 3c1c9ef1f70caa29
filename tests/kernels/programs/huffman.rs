//! Huffman codes, written to bits and read back by an iterator.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    const SYMBOLS: usize = 8;
    const NODES: usize = 2 * SYMBOLS - 1;

    #[derive(Clone, Copy, Debug)]
    enum Node {
        Leaf { symbol: u8 },
        Inner { left: usize, right: usize },
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Code {
        length: u8,
        bits: u16,
    }

    pub struct Tree {
        nodes: [Node; NODES],
        root: usize,
    }

    impl Tree {
        pub fn build(frequencies: &[u32; SYMBOLS]) -> Self {
            let mut nodes = [Node::Leaf { symbol: 0 }; NODES];
            let mut alive: [Option<u32>; NODES] = [None; NODES];
            for (i, &f) in frequencies.iter().enumerate() {
                nodes[i] = Node::Leaf { symbol: i as u8 };
                alive[i] = Some(f);
            }
            let mut next = SYMBOLS;
            while next < NODES {
                let mut least = || {
                    let (index, weight) = alive
                        .iter()
                        .enumerate()
                        .filter_map(|(i, w)| w.map(|w| (i, w)))
                        .min_by_key(|&(i, w)| (w, i))
                        .expect("two are left");
                    alive[index] = None;
                    (index, weight)
                };
                let (left, a) = least();
                let (right, b) = least();
                nodes[next] = Node::Inner { left, right };
                alive[next] = Some(a + b);
                next += 1;
            }
            Tree { nodes, root: NODES - 1 }
        }

        pub fn codes(&self) -> [Code; SYMBOLS] {
            let mut codes = [Code::default(); SYMBOLS];
            let mut stack = [(0usize, Code::default()); NODES];
            let mut depth = 1;
            stack[0] = (self.root, Code::default());
            while depth > 0 {
                depth -= 1;
                let (at, code) = stack[depth];
                match self.nodes[at] {
                    Node::Leaf { symbol } => codes[symbol as usize] = code,
                    Node::Inner { left, right } => {
                        let Code { length, bits } = code;
                        for (child, bit) in [(right, 1), (left, 0)] {
                            stack[depth] = (child, Code { length: length + 1, bits: bits << 1 | bit });
                            depth += 1;
                        }
                    }
                }
            }
            codes
        }

        pub fn decode<'a, I>(&'a self, bits: I) -> Decoder<'a, I::IntoIter>
        where
            I: IntoIterator<Item = bool>,
        {
            Decoder { tree: self, bits: bits.into_iter() }
        }
    }

    pub struct Decoder<'a, I> {
        tree: &'a Tree,
        bits: I,
    }

    impl<I: Iterator<Item = bool>> Iterator for Decoder<'_, I> {
        type Item = u8;

        fn next(&mut self) -> Option<Self::Item> {
            let mut at = self.tree.root;
            loop {
                match &self.tree.nodes[at] {
                    Node::Leaf { symbol } => break Some(*symbol),
                    Node::Inner { left, right } => at = if self.bits.next()? { *right } else { *left },
                }
            }
        }
    }

    #[derive(Default)]
    pub struct BitVec<const BYTES: usize>
    where
        [u8; BYTES]: Default,
    {
        bytes: [u8; BYTES],
        len: usize,
    }

    impl BitVec<32> {
        fn push(&mut self, bit: bool) -> Option<()> {
            let byte = self.bytes.get_mut(self.len / 8)?;
            *byte |= (bit as u8) << (7 - self.len % 8);
            self.len += 1;
            Some(())
        }

        fn push_code(&mut self, code: Code) -> Option<()> {
            (0..code.length).rev().try_for_each(|i| self.push(code.bits >> i & 1 == 1))
        }

        fn iter(&self) -> impl Iterator<Item = bool> + '_ {
            self.bytes.iter().flat_map(|&byte| (0..8).rev().map(move |i| byte >> i & 1 != 0)).take(self.len)
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut message = [0u8; 48];
        let mut state = seed;
        for symbol in &mut message {
            state = state.wrapping_mul(22_695_477).wrapping_add(1);
            *symbol = ((state >> 29) & (state >> 25)) as u8 % SYMBOLS as u8;
        }
        let mut frequencies = [0; SYMBOLS];
        message.iter().for_each(|&s| frequencies[usize::from(s)] += 1);
        let tree = Tree::build(&frequencies);
        let codes = tree.codes();
        let mut bits = BitVec::default();
        let complete = message.iter().all(|&s| bits.push_code(codes[s as usize]).is_some());
        let same = tree.decode(bits.iter()).zip(message).all(|(a, b)| a == b);
        let count = tree.decode(bits.iter()).count();
        let longest = codes.iter().max().copied().unwrap_or_default();
        let sum = bits.bytes.iter().fold(7u32, |h, &b| h.rotate_left(5) ^ u32::from(b));
        let kraft: u32 = codes.iter().map(|c| 1 << (16 - c.length)).sum();
        [
            bits.len as u32,
            sum,
            complete.into(),
            same.into(),
            count as u32,
            longest.length.into(),
            longest.bits.into(),
            kraft,
        ]
    }
}

#[kernel]
pub fn huffman_coded(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    // Without its vectoriser (CL_CONFIG_CPU_VECTORIZER_MODE=1) all are right.
    super::case_by_seed(&HUFFMAN_CODED, program::run)
        .wrong_on_intel_opencl("lose the results of some work-items by its vectoriser")
}
