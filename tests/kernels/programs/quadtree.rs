//! A quadtree of points in an arena, asked for what is in a rectangle, generic over numbers.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt::Debug;
    use core::num::NonZeroU16;
    use core::ops::{Add, Div, Sub};

    pub trait Coordinate:
        Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Div<Output = Self> + Debug
    {
        const TWO: Self;
    }

    impl Coordinate for f32 {
        const TWO: f32 = 2.0;
    }

    impl Coordinate for i32 {
        const TWO: i32 = 2;
    }

    #[derive(Clone, Copy, Debug, PartialEq, Default)]
    pub struct Point<T> {
        pub x: T,
        pub y: T,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Rect<T> {
        min: Point<T>,
        max: Point<T>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Quadrant {
        Nw = 0,
        Ne = 1,
        Sw = 2,
        Se = 3,
    }

    impl Quadrant {
        const ALL: [Quadrant; 4] = [Quadrant::Nw, Quadrant::Ne, Quadrant::Sw, Quadrant::Se];
    }

    impl<T: Coordinate> Rect<T> {
        pub fn new(x0: T, y0: T, x1: T, y1: T) -> Self {
            Rect { min: Point { x: x0, y: y0 }, max: Point { x: x1, y: y1 } }
        }

        pub fn contains(&self, p: &Point<T>) -> bool {
            (self.min.x..self.max.x).contains(&p.x) && (self.min.y..self.max.y).contains(&p.y)
        }

        pub fn intersects(&self, other: &Self) -> bool {
            self.min.x < other.max.x
                && other.min.x < self.max.x
                && self.min.y < other.max.y
                && other.min.y < self.max.y
        }

        fn center(&self) -> Point<T> {
            let Rect { min, max } = *self;
            Point { x: min.x + (max.x - min.x) / T::TWO, y: min.y + (max.y - min.y) / T::TWO }
        }

        fn quadrant_of(&self, p: &Point<T>) -> Quadrant {
            let c = self.center();
            match (p.x < c.x, p.y < c.y) {
                (true, true) => Quadrant::Nw,
                (false, true) => Quadrant::Ne,
                (true, false) => Quadrant::Sw,
                (false, false) => Quadrant::Se,
            }
        }

        fn quarter(&self, q: Quadrant) -> Self {
            let c = self.center();
            let (x0, x1) = if q as u8 & 1 == 0 { (self.min.x, c.x) } else { (c.x, self.max.x) };
            let (y0, y1) = if q as u8 & 2 == 0 { (self.min.y, c.y) } else { (c.y, self.max.y) };
            Self::new(x0, y0, x1, y1)
        }
    }

    #[derive(Clone, Copy, Debug)]
    enum Node<T, V> {
        Leaf { items: [Option<(Point<T>, V)>; 2] },
        Branch { children: [Option<NonZeroU16>; 4] },
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum InsertError<V> {
        OutOfBounds(V),
        Full(V),
    }

    impl<V> InsertError<V> {
        pub fn into_inner(self) -> V {
            match self {
                InsertError::OutOfBounds(v) | InsertError::Full(v) => v,
            }
        }
    }

    pub struct QuadTree<T, V, const CAP: usize = 24> {
        nodes: [Node<T, V>; CAP],
        used: u16,
        bounds: Rect<T>,
    }

    impl<T: Coordinate, V: Copy, const CAP: usize> QuadTree<T, V, CAP> {
        pub fn new(bounds: Rect<T>) -> Self {
            QuadTree { nodes: [Node::Leaf { items: [None; 2] }; CAP], used: 1, bounds }
        }

        fn allocate(&mut self) -> Option<NonZeroU16> {
            if usize::from(self.used) == CAP {
                return None;
            }
            let id = NonZeroU16::new(self.used)?;
            self.used += 1;
            Some(id)
        }

        pub fn insert(&mut self, point: Point<T>, value: V) -> Result<u32, InsertError<V>> {
            if !self.bounds.contains(&point) {
                return Err(InsertError::OutOfBounds(value));
            }
            let (mut at, mut area, mut depth) = (0usize, self.bounds, 0);
            'descend: loop {
                match &mut self.nodes[at] {
                    Node::Leaf { items } => {
                        for slot in items.iter_mut() {
                            if slot.is_none() {
                                *slot = Some((point, value));
                                return Ok(depth);
                            }
                        }
                        if depth > 5 {
                            return Err(InsertError::Full(value));
                        }
                        let old = *items;
                        let mut children = [None; 4];
                        for (p, v) in old.into_iter().flatten() {
                            let q = area.quadrant_of(&p);
                            let child = match children[q as usize] {
                                Some(child) => child,
                                None => {
                                    let child = self.allocate().ok_or(InsertError::Full(value))?;
                                    children[q as usize] = Some(child);
                                    child
                                }
                            };
                            if let Node::Leaf { items } = &mut self.nodes[usize::from(child.get())] {
                                let free = items.iter().position(Option::is_none).unwrap();
                                items[free] = Some((p, v));
                            }
                        }
                        self.nodes[at] = Node::Branch { children };
                    }
                    Node::Branch { children } => {
                        let q = area.quadrant_of(&point);
                        area = area.quarter(q);
                        depth += 1;
                        if let Some(child) = children[q as usize] {
                            at = child.get().into();
                            continue 'descend;
                        }
                        let child = self.allocate().ok_or(InsertError::Full(value))?;
                        if let Node::Branch { children } = &mut self.nodes[at] {
                            children[q as usize] = Some(child);
                        }
                        at = child.get().into();
                    }
                }
            }
        }

        pub fn query<F>(&self, area: &Rect<T>, mut visit: F)
        where
            F: FnMut(&Point<T>, V),
        {
            let mut stack = [(0u16, self.bounds); CAP];
            let mut top = 1;
            while let Some((at, bounds)) = (top > 0).then(|| stack[top - 1]) {
                top -= 1;
                match &self.nodes[at as usize] {
                    Node::Leaf { items } => {
                        items
                            .iter()
                            .flatten()
                            .filter(|(p, _)| area.contains(p))
                            .for_each(|(p, v)| visit(p, *v));
                    }
                    Node::Branch { children } => {
                        let found =
                            Quadrant::ALL.iter().zip(children).filter_map(|(&q, child)| Some((q, (*child)?)));
                        for (q, child) in found {
                            let part = bounds.quarter(q);
                            if part.intersects(area) {
                                stack[top] = (child.get(), part);
                                top += 1;
                            }
                        }
                    }
                }
            }
        }
    }

    pub fn run(i: u32) -> u64 {
        let mut tree = QuadTree::<i32, u8>::new(Rect::new(0, 0, 64, 64));
        let mut floats: QuadTree<f32, (), 4> = QuadTree::new(Rect::new(-1.0, -1.0, 1.0, 1.0));
        let mut h = 0u64;
        let mut state = i;
        for k in 0..14u8 {
            state = state.wrapping_mul(22_695_477).wrapping_add(1);
            let p = Point { x: (state >> 16 & 63) as i32, y: (state >> 24 & 71) as i32 };
            h = h.rotate_left(3)
                ^ match tree.insert(p, k) {
                    Ok(depth) => depth as u64,
                    Err(e @ InsertError::OutOfBounds(_)) => 100 + u64::from(e.into_inner()),
                    Err(InsertError::Full(v)) => 200 + u64::from(v),
                };
            let q = Point { x: p.x as f32 / 64.0 - 0.5, y: p.y as f32 / 64.0 };
            h ^= floats.insert(q, ()).map_or(1 << 50, |d| (d as u64) << 40);
        }
        let area = Rect::new(10, 5, 40 + i as i32 % 9, 50);
        let mut sum = Point::<i32>::default();
        tree.query(&area, |p, v| {
            sum = Point { x: sum.x + p.x, y: sum.y + p.y * i32::from(v) };
        });
        let mut count = 0;
        floats.query(&Rect::new(-0.25, -1.0, 0.25, 1.0), |_, ()| count += 1);
        h ^ (sum.x as u64) << 8 ^ (sum.y as u64) << 20 ^ count
    }
}

#[kernel]
pub fn quadtree(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&QUADTREE, program::run)
}
