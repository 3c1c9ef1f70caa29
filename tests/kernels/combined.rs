//! Constructs together: state machines, parsers and small simulations, as people write them.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
pub mod machine {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Token {
        Number(i32),
        Plus,
        Times,
        Open { depth: u8 },
        Close,
        End,
    }

    #[derive(Clone, Copy)]
    pub struct Lexer<'a> {
        text: &'a [u8],
        position: usize,
        depth: u8,
    }

    impl<'a> Lexer<'a> {
        pub fn new(text: &'a [u8]) -> Self {
            Lexer { text, position: 0, depth: 0 }
        }

        fn peek(&self) -> Option<u8> {
            self.text.get(self.position).copied()
        }

        pub fn next(&mut self) -> Token {
            while self.peek() == Some(b' ') {
                self.position += 1;
            }
            let Some(byte) = self.peek() else { return Token::End };
            self.position += 1;
            match byte {
                b'0'..=b'9' => {
                    let mut value = i32::from(byte - b'0');
                    while let Some(digit @ b'0'..=b'9') = self.peek() {
                        value = value.wrapping_mul(10).wrapping_add(i32::from(digit - b'0'));
                        self.position += 1;
                    }
                    Token::Number(value)
                }
                b'+' => Token::Plus,
                b'*' => Token::Times,
                b'(' => {
                    self.depth = self.depth.wrapping_add(1);
                    Token::Open { depth: self.depth }
                }
                b')' => {
                    self.depth = self.depth.wrapping_sub(1);
                    Token::Close
                }
                _ => Token::End,
            }
        }
    }

    /// A stack of fixed size, whose items are enums.
    #[derive(Clone, Copy)]
    pub struct Stack<T, const N: usize> {
        items: [Option<T>; N],
        len: usize,
    }

    impl<T: Copy, const N: usize> Stack<T, N> {
        pub fn new() -> Self {
            Self { items: [None; N], len: 0 }
        }

        pub fn push(&mut self, item: T) -> Result<usize, T> {
            if self.len >= N {
                return Err(item);
            }
            self.items[self.len] = Some(item);
            self.len += 1;
            Ok(self.len)
        }

        pub fn pop(&mut self) -> Option<T> {
            self.len = self.len.checked_sub(1)?;
            self.items[self.len].take()
        }
    }

    /// Sums of products, from the left to the right, with parentheses as a stack of sums.
    pub fn evaluate(text: &[u8]) -> Result<i32, Token> {
        let mut lexer = Lexer::new(text);
        let mut outer = Stack::<(i32, i32), 4>::new();
        let (mut sum, mut product) = (0_i32, 1_i32);
        loop {
            let token = lexer.next();
            match token {
                Token::Number(n) => product = product.wrapping_mul(n),
                Token::Plus => {
                    sum = sum.wrapping_add(product);
                    product = 1;
                }
                Token::Times => {}
                Token::Open { depth } if depth > 3 => break Err(token),
                Token::Open { .. } => {
                    outer.push((sum, product)).map_err(|_| token)?;
                    (sum, product) = (0, 1);
                }
                Token::Close => {
                    let inner = sum.wrapping_add(product);
                    let (before, factor) = outer.pop().ok_or(Token::Close)?;
                    (sum, product) = (before, factor.wrapping_mul(inner));
                }
                Token::End => break Ok(sum.wrapping_add(product)),
            }
        }
    }
}

use machine::Token;

#[device]
#[derive(Clone, Copy)]
struct Body {
    position: [f32; 2],
    velocity: [f32; 2],
    kind: Kind,
}

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Fixed,
    Free(f32),
}

/// Elements of arrays of structs through mutable references, closures over them, and iterators.
#[device]
fn simulate(seed: f32) -> f32 {
    let mut bodies = [Body { position: [seed, 0.0], velocity: [0.0; 2], kind: Kind::Fixed }; 3];
    for (i, body) in bodies.iter_mut().enumerate() {
        if i > 0 {
            body.kind = Kind::Free(1.0 + i as f32);
            body.velocity[i % 2] = 0.5;
        }
    }
    let step = |body: &mut Body, by: f32| {
        let Kind::Free(mass) = body.kind else { return false };
        for axis in 0..2 {
            body.position[axis] += body.velocity[axis] * by / mass;
        }
        true
    };
    let mut moved = 0;
    for _ in 0..4 {
        for body in &mut bodies {
            moved += step(body, 0.25) as i32;
        }
    }
    let Body { position: [x, y], .. } = bodies[1];
    let total: f32 = bodies.iter().map(|body| body.position[0] - body.position[1]).sum();
    let free = bodies.iter().filter(|body| body.kind != Kind::Fixed).count();
    total + x * 2.0 + y + (moved * 10) as f32 + free as f32
}

#[device]
fn outcome(result: Result<i32, Token>) -> (i32, u8) {
    match result {
        Ok(value) => (value, 0),
        Err(Token::Close) => (-1, 1),
        Err(Token::Open { depth }) => (-2, depth),
        Err(_) => (-3, u8::MAX),
    }
}

#[kernel]
pub fn constructs_together(
    text: &[u8],
    ends: &[u32],
    values: &mut [i32],
    errors: &mut [u8],
    sums: &mut [f32],
) {
    let i = global_id(0);
    let start = if i == 0 { 0 } else { ends[i - 1] as usize };
    let line = &text[start..ends[i] as usize];
    (values[i], errors[i]) = outcome(machine::evaluate(line));
    sums[i] = simulate(i as f32 * 0.5);
}

pub fn cases() -> Vec<Case> {
    let lines =
        ["1 + 2*3", "(1+2)*3", "", "7", "2*(3+4*(1+1))+5", "((((1))))", "1)", "99999999999", "(2*(1+1)", "x"];
    let ends = map(&[1_usize, 2, 3, 4, 5, 6, 7, 8, 9, 10], |n| lines[..n].concat().len() as u32);
    let text: Vec<u8> = lines.concat().into_bytes();
    let results = map(&lines, |line| outcome(machine::evaluate(line.as_bytes())));
    vec![
        Case::of(&CONSTRUCTS_TOGETHER)
            .input(&text)
            .input(&ends)
            .output(&map(&results, |result| result.0))
            .output(&map(&results, |result| result.1))
            .output(&map(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], |i: usize| simulate(i as f32 * 0.5)))
            .items([lines.len()]),
    ]
}
