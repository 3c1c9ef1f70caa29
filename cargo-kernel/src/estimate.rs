//! How long the code of a kernel keeps each pipe of a GPU busy, as far as that can be told without running it.
//!
//! Each instruction takes its pipe for as many cycles as it has passes of the pipe's width; a message takes as many as it has registers, and eight for itself. What stands in a loop
//! counts eight times for each of the first three levels. The sum is divided by the work-items that share an instruction. Latencies, caches and what runs meanwhile are left out, so figures
//! compare versions of one kernel and tell which pipe is the busiest, and are no times.

use std::collections::HashMap;

/// Cycles for each work-item, by pipe.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Estimate {
    /// Integers, moves, comparisons, branches.
    pub(crate) integer: f64,
    pub(crate) float: f64,
    /// Divisions, roots and transcendental functions.
    pub(crate) math: f64,
    /// Messages to memory, local memory, samplers and barriers.
    pub(crate) memory: f64,
}

/// How often the body of a loop is presumed to run.
const PASSES: f64 = 8.0;
/// The levels of loops that count.
const LEVELS: i32 = 3;

impl Estimate {
    /// The estimate for an assembly, as the compiler writes it with comments.
    pub(crate) fn of(assembly: &str, simd: u64, device: &str) -> Self {
        let lines: Vec<Line<'_>> = assembly.lines().map(Line::of).collect();
        let loops = loops(&lines);
        let width = if is_wide(device) { 64 } else { 32 };
        let mut estimate = Self::default();
        for (at, line) in lines.iter().enumerate() {
            let Line::Instruction(instruction) = line else { continue };
            let depth = loops.iter().filter(|(start, end)| (*start..=*end).contains(&at)).count() as i32;
            let (pipe, cycles) = instruction.cost(width);
            *estimate.pipe(pipe) += cycles * PASSES.powi(depth.min(LEVELS)) / simd.max(1) as f64;
        }
        estimate
    }

    /// The cycles of all pipes.
    pub(crate) fn total(&self) -> f64 {
        self.integer + self.float + self.math + self.memory
    }

    fn pipe(&mut self, pipe: Pipe) -> &mut f64 {
        match pipe {
            Pipe::Integer => &mut self.integer,
            Pipe::Float => &mut self.float,
            Pipe::Math => &mut self.math,
            Pipe::Memory => &mut self.memory,
        }
    }
}

/// Whether registers and pipes are 64 bytes wide, as in the GPUs for data centres.
fn is_wide(device: &str) -> bool {
    ["pvc", "bmg", "lnl", "xe2", "ptl"].iter().any(|wide| device.starts_with(wide))
}

/// The first and the last line of each loop. A loop is what a branch back leads to, and loops of one beginning are one.
fn loops(lines: &[Line<'_>]) -> Vec<(usize, usize)> {
    let mut labels = HashMap::new();
    let mut ends: HashMap<usize, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        match line {
            Line::Label(name) => {
                labels.insert(*name, at);
            }
            Line::Instruction(instruction) if instruction.is_branch() => {
                for start in instruction.words().filter_map(|word| labels.get(word)) {
                    ends.insert(*start, at);
                }
            }
            _ => {}
        }
    }
    ends.into_iter().collect()
}

/// A line of assembly.
enum Line<'a> {
    Label(&'a str),
    Instruction(Instruction<'a>),
    Nothing,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let code = code.trim();
        if let Some(label) = code.strip_suffix(':') {
            return Self::Label(label);
        }
        // A predicate, `(W)` for all channels, or both.
        let code = match code.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, rest)) => rest.trim_start(),
            None => code,
        };
        match code.starts_with(|first: char| first.is_ascii_lowercase()) {
            true => Self::Instruction(Instruction { code, comment }),
            false => Self::Nothing,
        }
    }
}

#[derive(Clone, Copy)]
enum Pipe {
    Integer,
    Float,
    Math,
    Memory,
}

struct Instruction<'a> {
    /// The instruction from its opcode on.
    code: &'a str,
    comment: &'a str,
}

impl<'a> Instruction<'a> {
    /// The opcode up to its first dot.
    fn opcode(&self) -> &'a str {
        self.code.split(['.', ' ', '\t']).next().unwrap_or_default()
    }

    fn words(&self) -> impl Iterator<Item = &'a str> {
        self.code.split_whitespace()
    }

    fn is_branch(&self) -> bool {
        const BRANCHES: [&str; 13] = [
            "goto", "join", "while", "jmpi", "if", "else", "endif", "brc", "brd", "call", "ret", "break",
            "cont",
        ];
        BRANCHES.contains(&self.opcode())
    }

    /// The pipe that is taken, and for how many cycles.
    fn cost(&self, width: u64) -> (Pipe, f64) {
        let opcode = self.opcode();
        match opcode {
            "nop" => return (Pipe::Integer, 0.0),
            "sync" => return (Pipe::Integer, 0.25),
            _ if self.is_branch() => return (Pipe::Integer, 1.0),
            _ if self.is_message() => return (Pipe::Memory, 8.0 + self.message() as f64),
            _ => {}
        }
        let bytes = self.types().filter_map(size).max().unwrap_or(4);
        let passes = (self.channels() * bytes).div_ceil(width).max(1) as f64;
        match self.types().next() {
            _ if opcode == "math" => (Pipe::Math, 4.0 * passes),
            Some("f" | "hf" | "bf" | "df") => (Pipe::Float, passes),
            _ => (Pipe::Integer, passes),
        }
    }

    /// How many work-items or lanes it is for, as in `(16|M0)`.
    fn channels(&self) -> u64 {
        let channels = self.words().find_map(|word| word.strip_prefix('(')?.split_once("|M")?.0.parse().ok());
        channels.unwrap_or(1)
    }

    /// The types of its operands, the destination's first, as in `r10.0<1>:ud`.
    fn types(&self) -> impl Iterator<Item = &'a str> {
        self.words()
            .filter_map(|word| word.rsplit_once(':'))
            .map(|(_, ty)| ty)
            .filter(|ty| size(ty).is_some())
    }

    fn is_message(&self) -> bool {
        let opcode = self.opcode();
        opcode.starts_with("send") || ["load", "store", "atomic"].iter().any(|kind| opcode.starts_with(kind))
    }

    /// The registers that a message has, there and back: `wr:4+0, rd:2` in its comment, or `[r24:4]` and `r30:2` in itself.
    fn message(&self) -> u64 {
        let after = |start: &str| {
            let rest = self.comment.split_once(start)?.1;
            let numbers = rest.split(',').next().unwrap_or_default();
            let numbers = numbers.split('+').map(|number| {
                let digits = number.trim().split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
                digits.parse::<u64>().unwrap_or(0)
            });
            Some(numbers.sum::<u64>())
        };
        if let (Some(sent), Some(received)) = (after("wr:"), after("rd:")) {
            return sent + received;
        }
        let operands = self.words().map(|word| word.trim_matches(['[', ']']));
        let counts =
            operands.filter_map(|word| word.strip_prefix('r')?.split_once(':')?.1.parse::<u64>().ok());
        match counts.sum() {
            0 => 2,
            registers => registers,
        }
    }
}

/// The bytes of a type of operands.
fn size(ty: &str) -> Option<u64> {
    match ty {
        "ub" | "b" => Some(1),
        "uw" | "w" | "hf" | "bf" => Some(2),
        "ud" | "d" | "f" => Some(4),
        "uq" | "q" | "df" => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUM: &str = "\
//.kernel sum
_main:
(W)     mov (16|M0)              r127.0<1>:ud  0x0:ud                                        // $1
        add (32|M0)              r12.0<1>:q    r6.0<1;1,0>:q     r10.0<1;1,0>:q   {I@2}      // $2
_0_001:
        load.ugm.d32.a64 (32|M0)  r30:2         [r24:4]            {A@3,$7} // ex_desc:0x0; desc:0x8200580 // $3
        sync.nop                             null                             {$7.dst}
        mad (32|M0)              acc0.0<1>:f   r46.0<1;0>:f      r32.0<1;0>:f      r6.0<1>:f // $4
(W&f1.0) jmpi                                _0_001                                          // $5
        math.sqrt (16|M0)        r4.0<1>:f     r5.0<1;1,0>:f                                 // $6
        math.sqrt (16|M16)       r6.0<1>:f     r7.0<1;1,0>:f                                 // $6
(W)     send.gtwy (1|M0)         null     r4      null:0  0x0            0x02000010           {EOT} // wr:1+0, rd:0; end of thread
";

    #[test]
    fn each_instruction_takes_its_pipe() {
        let wide = Estimate::of(SUM, 32, "pvc");
        // Outside of the loop: `mov` 1 pass, `add` of 256 bytes 4; inside: `sync` and `jmpi`.
        assert_eq!(wide.integer * 32.0, 1.0 + 4.0 + 8.0 * (0.25 + 1.0));
        assert_eq!(wide.float * 32.0, 8.0 * 2.0);
        assert_eq!(wide.math * 32.0, 2.0 * 4.0);
        assert_eq!(wide.memory * 32.0, 8.0 * (8.0 + 6.0) + 8.0 + 1.0);
        assert_eq!(wide.total(), wide.integer + wide.float + wide.math + wide.memory);
    }

    #[test]
    fn narrow_pipes_take_twice_as_long() {
        let (wide, narrow) = (Estimate::of(SUM, 32, "pvc"), Estimate::of(SUM, 32, "dg2"));
        assert_eq!(narrow.float, 2.0 * wide.float);
        assert_eq!(narrow.memory, wide.memory);
    }

    #[test]
    fn loops_count_for_three_levels() {
        let nested = |levels: usize| {
            let labels: String = (0..levels).map(|level| format!("L{level}:\n")).collect();
            let branches: String = (0..levels).rev().map(|level| format!("jmpi L{level} // x\n")).collect();
            Estimate::of(&format!("{labels}add (8|M0) r1.0<1>:f r2.0<1>:f r3.0<1>:f\n{branches}"), 1, "dg2")
                .float
        };
        assert_eq!([0, 1, 2, 3, 4].map(nested), [1.0, 8.0, 64.0, 512.0, 512.0]);
    }

    #[test]
    fn nothing_costs_nothing() {
        assert_eq!(Estimate::of("", 16, "dg2"), Estimate::default());
        assert_eq!(Estimate::of("//.instCount 3\n\n:\n(", 0, "dg2"), Estimate::default());
    }
}
