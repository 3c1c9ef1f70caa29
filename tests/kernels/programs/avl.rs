//! A balanced tree (AVL) as an ordered map, its nodes in an array.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::cmp::Ordering;
    use core::num::NonZeroU8;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Link(Option<NonZeroU8>);

    impl Link {
        const NONE: Link = Link(None);

        fn to(index: usize) -> Self {
            Link(NonZeroU8::new(index as u8 + 1))
        }

        fn get(self) -> Option<usize> {
            self.0.map(|n| usize::from(n.get()) - 1)
        }
    }

    #[derive(Debug, Clone, Copy)]
    struct Node<K, V> {
        key: K,
        value: V,
        children: [Link; 2],
        height: u8,
    }

    #[derive(Debug)]
    pub struct Map<K, V, const N: usize> {
        nodes: [Option<Node<K, V>>; N],
        root: Link,
        len: usize,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct Full;

    impl<K: Ord + Copy, V: Copy, const N: usize> Map<K, V, N> {
        pub fn new() -> Self {
            Map { nodes: [None; N], root: Link::NONE, len: 0 }
        }

        fn node(&self, index: usize) -> &Node<K, V> {
            self.nodes[index].as_ref().expect("links lead to nodes")
        }

        fn node_mut(&mut self, index: usize) -> &mut Node<K, V> {
            self.nodes[index].as_mut().expect("links lead to nodes")
        }

        fn height(&self, link: Link) -> u8 {
            link.get().map_or(0, |index| self.node(index).height)
        }

        fn update(&mut self, index: usize) {
            let [left, right] = self.node(index).children;
            self.node_mut(index).height = 1 + self.height(left).max(self.height(right));
        }

        fn rotate(&mut self, index: usize, side: usize) -> usize {
            let child = self.node(index).children[1 - side].get().unwrap();
            self.node_mut(index).children[1 - side] = self.node(child).children[side];
            self.node_mut(child).children[side] = Link::to(index);
            self.update(index);
            self.update(child);
            child
        }

        fn balance(&mut self, index: usize) -> usize {
            self.update(index);
            let [left, right] = self.node(index).children;
            let difference = i16::from(self.height(right)) - i16::from(self.height(left));
            let side = match difference {
                2.. => 1,
                ..=-2 => 0,
                _ => return index,
            };
            let child = if side == 1 { right } else { left }.get().unwrap();
            let [inner, outer] = [1 - side, side].map(|s| self.height(self.node(child).children[s]));
            if inner > outer {
                let new = self.rotate(child, side);
                self.node_mut(index).children[side] = Link::to(new);
            }
            self.rotate(index, 1 - side)
        }

        pub fn insert(&mut self, key: K, value: V) -> Result<Option<V>, Full> {
            let mut path = [(0usize, 0usize); 8];
            let mut depth = 0;
            let mut link = self.root;
            while let Some(index) = link.get() {
                let node = self.node_mut(index);
                let side = match key.cmp(&node.key) {
                    Ordering::Less => 0,
                    Ordering::Greater => 1,
                    Ordering::Equal => return Ok(Some(core::mem::replace(&mut node.value, value))),
                };
                path[depth] = (index, side);
                depth += 1;
                link = node.children[side];
            }
            let slot = self.nodes.get_mut(self.len).ok_or(Full)?;
            *slot = Some(Node { key, value, children: [Link::NONE; 2], height: 1 });
            let mut below = self.len;
            self.len += 1;
            for &(index, side) in path[..depth].iter().rev() {
                self.node_mut(index).children[side] = Link::to(below);
                below = self.balance(index);
            }
            self.root = Link::to(below);
            Ok(None)
        }

        pub fn get(&self, key: &K) -> Option<&V> {
            let mut link = self.root;
            loop {
                let node = self.node(link.get()?);
                link = match key.cmp(&node.key) {
                    Ordering::Equal => return Some(&node.value),
                    Ordering::Less => node.children[0],
                    Ordering::Greater => node.children[1],
                };
            }
        }

        pub fn iter(&self) -> Iter<'_, K, V, N> {
            let mut iter = Iter { map: self, stack: [0; 8], depth: 0 };
            iter.descend(self.root);
            iter
        }
    }

    pub struct Iter<'a, K, V, const N: usize> {
        map: &'a Map<K, V, N>,
        stack: [usize; 8],
        depth: usize,
    }

    impl<K: Ord + Copy, V: Copy, const N: usize> Iter<'_, K, V, N> {
        fn descend(&mut self, mut link: Link) {
            while let Some(index) = link.get() {
                self.stack[self.depth] = index;
                self.depth += 1;
                link = self.map.node(index).children[0];
            }
        }
    }

    impl<'a, K: Ord + Copy, V: Copy, const N: usize> Iterator for Iter<'a, K, V, N> {
        type Item = (&'a K, &'a V);

        fn next(&mut self) -> Option<Self::Item> {
            self.depth = self.depth.checked_sub(1)?;
            let node = self.map.node(self.stack[self.depth]);
            self.descend(node.children[1]);
            Some((&node.key, &node.value))
        }
    }

    impl<'a, K: Ord + Copy, V: Copy, const N: usize> IntoIterator for &'a Map<K, V, N> {
        type Item = (&'a K, &'a V);
        type IntoIter = Iter<'a, K, V, N>;
        fn into_iter(self) -> Self::IntoIter {
            self.iter()
        }
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let mut map = Map::<(u8, i16), u32, 24>::new();
        let mut state = seed;
        let (mut replaced, mut full) = (0, 0);
        for n in 0..32 {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
            let step = if seed & 1 == 0 { state >> 24 } else { n };
            match map.insert((step as u8 % 40, -((step % 3) as i16)), n) {
                Ok(Some(old)) => replaced += old + 1,
                Ok(None) => {}
                Err(Full) => full += 1,
            }
        }
        let mut order = 0u32;
        let mut last = None;
        for (key, value) in &map {
            assert!(last < Some(*key));
            last = Some(*key);
            order = order.wrapping_mul(31).wrapping_add(value + u32::from(key.0));
        }
        let found = (0..40u8).filter_map(|k| map.get(&(k, -i16::from(k % 3)))).copied().sum();
        let top = map.iter().last().map_or(0, |(k, v)| u32::from(k.0) * 100 + *v);
        [replaced, full, order, found, u32::from(map.height(map.root)), top]
    }
}

#[kernel]
pub fn avl_mapped(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&AVL_MAPPED, program::run)
}
