//! Lindenmayer systems: words that grow by rules, drawn by a turtle.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    #[derive(Debug, Clone, Copy)]
    pub struct Rule {
        from: u8,
        to: &'static [u8],
    }

    pub struct System {
        axiom: &'static str,
        rules: &'static [Rule],
        turn: i32,
    }

    const SYSTEMS: [System; 4] = [
        System { axiom: "F", rules: &[Rule { from: b'F', to: b"F+F-F-F+F" }], turn: 3 },
        System {
            axiom: "FX",
            rules: &[Rule { from: b'X', to: b"X+YF+" }, Rule { from: b'Y', to: b"-FX-Y" }],
            turn: 3,
        },
        System { axiom: "F++F++F", rules: &[Rule { from: b'F', to: b"F-F++F-F" }], turn: 2 },
        System {
            axiom: "X",
            rules: &[Rule { from: b'X', to: b"F[+X]F[-X]+X" }, Rule { from: b'F', to: b"FF" }],
            turn: 1,
        },
    ];

    /// The word after some generations, one symbol after the other, without storing it.
    pub struct Symbols<'s, const DEPTH: usize> {
        system: &'s System,
        stack: [(&'s [u8], usize); DEPTH],
        depth: usize,
        generations: usize,
    }

    impl System {
        pub fn symbols<const DEPTH: usize>(&self, generations: usize) -> Symbols<'_, DEPTH> {
            assert!(generations < DEPTH);
            let mut stack = [(&[][..], 0); DEPTH];
            stack[0].0 = self.axiom.as_bytes();
            Symbols { system: self, stack, depth: 1, generations }
        }

        fn expansion(&self, symbol: u8) -> Option<&'static [u8]> {
            self.rules.iter().find(|rule| rule.from == symbol).map(|rule| rule.to)
        }
    }

    impl<const DEPTH: usize> Iterator for Symbols<'_, DEPTH> {
        type Item = char;

        fn next(&mut self) -> Option<char> {
            while self.depth > 0 {
                let (word, at) = &mut self.stack[self.depth - 1];
                let Some(&symbol) = word.get(*at) else {
                    self.depth -= 1;
                    continue;
                };
                *at += 1;
                match self.system.expansion(symbol) {
                    Some(expansion) if self.depth <= self.generations => {
                        self.stack[self.depth] = (expansion, 0);
                        self.depth += 1;
                    }
                    _ => return Some(char::from(symbol)),
                }
            }
            None
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Turtle {
        x: i32,
        y: i32,
        heading: i32,
    }

    impl Turtle {
        const STEPS: [(i32, i32); 12] = [
            (8, 0),
            (7, 4),
            (4, 7),
            (0, 8),
            (-4, 7),
            (-7, 4),
            (-8, 0),
            (-7, -4),
            (-4, -7),
            (0, -8),
            (4, -7),
            (7, -4),
        ];

        fn forward(&mut self) {
            let (dx, dy) = Self::STEPS[self.heading.rem_euclid(12) as usize];
            self.x += dx;
            self.y += dy;
        }
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Extent {
        min: (i32, i32),
        max: (i32, i32),
    }

    impl Extent {
        fn include(self, turtle: &Turtle) -> Self {
            let Self { min: (x0, y0), max: (x1, y1) } = self;
            Self { min: (x0.min(turtle.x), y0.min(turtle.y)), max: (x1.max(turtle.x), y1.max(turtle.y)) }
        }
    }

    pub fn run(seed: u32) -> [i32; 8] {
        let system = &SYSTEMS[(seed % 4) as usize];
        let generations = (seed >> 3) as usize % 4;
        let mut turtle = Turtle { heading: (seed >> 9) as i32 % 12, ..Default::default() };
        let mut saved = [Turtle::default(); 8];
        let mut height = 0;
        let mut extent = Extent { min: (0, 0), max: (0, 0) };
        let mut length = 0;
        for symbol in system.symbols::<5>(generations) {
            length += 1;
            match symbol {
                'F' => turtle.forward(),
                '+' => turtle.heading += system.turn,
                '-' => turtle.heading -= system.turn,
                '[' => {
                    saved[height] = turtle;
                    height += 1;
                }
                ']' => {
                    height -= 1;
                    turtle = saved[height];
                }
                _ => {}
            }
            extent = extent.include(&turtle);
        }
        let draws = system.symbols::<4>(generations).filter(|c| c.is_ascii_uppercase()).count();
        [
            turtle.x,
            turtle.y,
            turtle.heading,
            length,
            extent.min.0,
            extent.min.1,
            extent.max.0 * 1000 + extent.max.1,
            draws as i32,
        ]
    }
}

#[kernel]
pub fn lsystems_drawn(seeds: &[u32], y: &mut [[i32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..32).map(super::seed).collect();
    let expected: Vec<_> = seeds.iter().map(|&seed| program::run(seed)).collect();
    Case::of(&LSYSTEMS_DRAWN).input(&seeds).output(&expected).items([expected.len()])
}
