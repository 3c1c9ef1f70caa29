//! Random kernels: those in which the race rule finds nothing have no race in small launches that it lets through.
//!
//! Their indices are made of ids, sizes, arguments and numbers in memory, mostly as people make them: an id taken apart by a width and put together again,
//! sometimes by another one. Each is run for each work-item of some launches, and all pairs of accesses are compared.

use crate::interpreter::{Inputs, Observer, run};
use crate::random::Random;
use crate::source::lowered;
use kernel_compiler::analysis::{Races, keep_fault_exits, races};
use kernel_compiler::ir::{Base, Check, Handle, Module, Query, Value};
use kernel_core::Part;
use std::collections::HashMap;
use std::fmt::Write;

/// How many kernels are made, unless `KERNEL_RANDOM` says something else.
const KERNELS: u64 = 60;

/// A launch: the sizes of groups and how many there are.
#[derive(Clone, Copy, Debug)]
struct Launch {
    group: [u64; 2],
    groups: [u64; 2],
}

const GROUP: u64 = 8;
const LAUNCHES: [Launch; 4] = [
    Launch { group: [GROUP, 1], groups: [1, 1] },
    Launch { group: [GROUP, 1], groups: [3, 1] },
    Launch { group: [GROUP, 1], groups: [2, 3] },
    Launch { group: [GROUP, 1], groups: [1, 5] },
];

/// What makes a kernel, in the order of its parameters: the slice, three widths, a number of bits, and indices in memory.
const PARAMETERS: &str = "y: &mut [u32], n: usize, m: usize, k: usize, s: u32, x: &[u32]";

struct Generator {
    random: Random,
    text: String,
    /// The names of the numbers so far.
    numbers: Vec<String>,
}

impl Generator {
    fn number(&mut self) -> String {
        let position = self.random.below(self.numbers.len());
        self.numbers[position].clone()
    }

    /// One of the last numbers, which depends on most of what there is.
    fn late_number(&mut self) -> String {
        let last = self.numbers.len();
        let position = last - 1 - if self.random.chance(80) { 0 } else { self.random.below(last.min(3)) };
        self.numbers[position].clone()
    }

    fn width(&mut self) -> String {
        self.random
            .pick(&[
                "n",
                "n",
                "m",
                "m",
                "k",
                "(1 << s)",
                "(n * m)",
                "(n + 1)",
                "(n - m + 1)",
                "(n + 2 * k)",
                "2",
                "3",
                "4",
                "8",
                "local_size(0)",
                "global_size(0)",
            ])
            .to_owned()
    }

    fn name(&mut self, value: &str) -> String {
        let name = format!("v{}", self.numbers.len());
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "let {name} = {value};");
        self.numbers.push(name.clone());
        name
    }

    /// A number that is taken apart by a width, and put together again.
    fn take_apart(&mut self) {
        let whole = if self.random.chance(80) { self.numbers[0].clone() } else { self.number() };
        let (width, other) = (self.width(), self.width());
        if self.random.chance(50) {
            // It is a number of a rectangle, and the rest returns.
            let _ = writeln!(self.text, "if {whole} >= {width} * {other} {{ return; }}");
        }
        let row = match self.random.below(4) {
            0 => self.name(&format!("{whole} >> s")),
            _ => self.name(&format!("{whole} / {width}")),
        };
        let column = match self.random.below(5) {
            0 => self.name(&format!("{whole} & ({width} - 1)")),
            1 => self.name(&format!("{whole} & ((1 << s) - 1)")),
            2 => self.name(&format!("{whole}.wrapping_sub({row}.wrapping_mul({width}))")),
            _ => self.name(&format!("{whole} % {width}")),
        };
        let wide = if self.random.chance(85) { width } else { self.width() };
        match self.random.below(6) {
            0 => self.name(&format!("{row} * {wide} + {column}")),
            1 => self.name(&format!("({row} << s) | {column}")),
            2 => self.name(&format!("2 * {row} * {wide} + {column}")),
            3 => self.name(&format!("({row} << (s + 1)) | {column} | (1 << s)")),
            _ => self.name(&format!("{column} * {other} + {row}")),
        };
    }

    fn combine(&mut self) {
        let (one, other, width) = (self.late_number(), self.number(), self.width());
        let value = match self.random.below(17) {
            0..=3 => format!("{other} * {width} + {one}"),
            4 => format!("{one} + {other}"),
            5 => format!("{one} ^ {width}"),
            6 => format!("{one}.min({other})"),
            7 => format!("{width} - 1 - {one}"),
            8 => format!("{one} * {width}"),
            9 => format!("({one} as u32 * 3 + 1) as usize"),
            10 => format!("{one} << s"),
            11 => format!("{one} * ({one} + 1) / 2 + {other}"),
            12 => format!("x[{one}] as usize % {width}"),
            13 => format!("if {one} + 1 == {width} {{ 0 }} else {{ {one} + 1 }}"),
            14 => format!("if {one} == 0 {{ {width} - 1 }} else {{ {one} - 1 }}"),
            15 => format!("{one} + if k < 3 {{ 0 }} else {{ {width} }}"),
            _ => format!("({one} + {width}) % {width}"),
        };
        self.name(&value);
    }

    fn access(&mut self, memory: &str, len: &str) {
        let (one, other) = (self.late_number(), self.late_number());
        let index = if len.is_empty() { one } else { format!("{one} % {len}") };
        let value = match self.random.below(4) {
            0 if len.is_empty() => format!("{memory}[{other}] + 1"),
            0 => format!("{memory}[{other} % {len}] + 1"),
            _ => "1".to_owned(),
        };
        let access = format!("{memory}[{index}] = {value};");
        let (number, width) = (self.late_number(), self.width());
        let guard = match self.random.below(8) {
            0 => format!("if {number} < {width} {{ {access} }}"),
            1 => format!("if {number} < n * m {{ {access} }}"),
            2 => format!("if {number} == 0 {{ {access} }}"),
            3 => format!("if x[{number}] & 1 == 0 {{ {access} }}"),
            4 => format!("if {number} != {width} {{ {access} }}"),
            5 => {
                let second = self.number();
                format!("if ({number} + {second}) % 2 == k && {width} % 2 == 0 {{ {access} }}")
            }
            _ => access,
        };
        self.text += &guard;
        self.text.push('\n');
    }
}

/// The body of a kernel.
fn body(seed: u64) -> String {
    let numbers = ["i", "i", "j", "l"].map(str::to_owned).to_vec();
    let mut generator = Generator { random: Random(seed), text: String::new(), numbers };
    let ids = match generator.random.below(3) {
        0 => "let (i, j, l) = (global_id(0), global_id(1), local_id(0));",
        _ => "let (i, j, l) = (global_id(0), group_id(0), local_id(0));",
    };
    generator.text += ids;
    generator.text.push('\n');
    let has_local = generator.random.chance(30);
    if has_local {
        generator.text += "let mut tile = Local::<[u32; 16]>::new();\n";
    }
    for _ in 0..1 + generator.random.below(2) {
        generator.take_apart();
    }
    for _ in 0..generator.random.below(2) {
        generator.combine();
    }
    if generator.random.chance(30) {
        let (number, width) = (generator.number(), generator.width());
        let _ = writeln!(generator.text, "if {number} < {width} * m {{");
        generator.access("y", "");
        generator.text += "}\n";
    }
    if has_local {
        generator.access("tile", "16");
        if generator.random.chance(60) {
            generator.text += "barrier();\n";
        }
        generator.access("tile", "16");
    } else {
        generator.access("y", "");
    }
    generator.text
}

/// Who accesses an element, and when.
#[derive(Clone, Copy, Debug)]
struct Access {
    item: u64,
    group: u64,
    /// The barriers before.
    barriers: u32,
    is_written: bool,
}

/// An element: of which group it is if it is in local memory, in which slice or local memory, and its index there.
type Element = (Option<u64>, usize, u64);

/// What the work-items of a launch access.
#[derive(Default)]
struct Accesses {
    found: HashMap<Element, Vec<Access>>,
    /// Who runs, and how many barriers are behind it.
    item: u64,
    group: u64,
    barriers: u32,
}

impl Accesses {
    /// Two accesses that race.
    fn race(&self) -> Option<String> {
        let races = |one: &Access, other: &Access| {
            let are_ordered = one.group == other.group && one.barriers != other.barriers;
            one.item != other.item && (one.is_written || other.is_written) && !are_ordered
        };
        self.found.iter().find_map(|(element, accesses)| {
            accesses.iter().enumerate().find_map(|(position, one)| {
                let other = accesses[position + 1..].iter().find(|other| races(one, other))?;
                Some(format!("{element:?} is accessed by {one:?} and {other:?}"))
            })
        })
    }
}

impl Observer for Accesses {
    fn check(&mut self, _: Check, _: bool) {}

    fn value(&mut self, _: Handle<Value>, _: u64) {}

    fn access(&mut self, base: Base, index: u64, is_written: bool) {
        let (group, memory) = match base {
            Base::Local(local) => (Some(self.group), local.index()),
            Base::Slice(slice) => (None, slice.index()),
            // Those are of one work-item, or nobody changes them.
            _ => return,
        };
        let Self { item, group: of, barriers, .. } = *self;
        let access = Access { item, group: of, barriers, is_written };
        self.found.entry((group, memory, index)).or_default().push(access);
    }

    fn barrier(&mut self) {
        self.barriers += 1;
    }
}

/// Runs all work-items of a launch.
fn accesses(module: &Module, launch: Launch, parameters: &[u64]) -> Accesses {
    let Launch { group: size, groups } = launch;
    let mut all = Accesses::default();
    for group in 0..groups[0] * groups[1] {
        for local in 0..size[0] * size[1] {
            let ids = [(group % groups[0], local % size[0]), (group / groups[0], local / size[0])];
            let mut queries = HashMap::new();
            for dimension in 0..3_u8 {
                let position = usize::from(dimension);
                let (group, local) = ids.get(position).copied().unwrap_or_default();
                let (size, groups) =
                    (size.get(position).copied().unwrap_or(1), groups.get(position).copied().unwrap_or(1));
                queries.extend([
                    ((Query::GlobalId, dimension), group * size + local),
                    ((Query::LocalId, dimension), local),
                    ((Query::GroupId, dimension), group),
                    ((Query::LocalSize, dimension), size),
                    ((Query::NumGroups, dimension), groups),
                    ((Query::GlobalSize, dimension), size * groups),
                ]);
            }
            (all.item, all.group, all.barriers) = (all.item + 1, group, 0);
            run(module, &Inputs { parameters: parameters.to_vec(), queries }, &mut all);
        }
    }
    all
}

/// Returns whether a launch is let through.
fn is_allowed(found: &Races, launch: Launch, parameters: &[u64]) -> bool {
    let of = |number: u64| Some((i128::from(number), i128::from(number)));
    let below = |number: u64| Some((0, i128::from(number) - 1));
    let given = |part: Part| -> Option<(i128, i128)> {
        let Launch { group, groups } = launch;
        let [size, count] = [group, groups]
            .map(|sizes| move |dimension: u8| sizes.get(usize::from(dimension)).copied().unwrap_or(1));
        match part {
            Part::Value { argument, .. } | Part::Length(argument) => of(parameters[argument as usize]),
            Part::GlobalId(dimension) => below(size(dimension) * count(dimension)),
            Part::GlobalSize(dimension) => of(size(dimension) * count(dimension)),
            Part::GroupId(dimension) => below(count(dimension)),
            Part::NumGroups(dimension) => of(count(dimension)),
            Part::LocalSize(dimension) => of(size(dimension)),
            _ => None,
        }
    };
    found.presumed.iter().all(|presumption| presumption.presumed.holds(&presumption.parts, given))
}

#[test]
fn what_is_accepted_does_not_race() {
    let count = std::env::var("KERNEL_RANDOM").ok().and_then(|count| count.parse().ok()).unwrap_or(KERNELS);
    let (mut accepted, mut launched, mut racing) = (0, 0, 0);
    for seed in 0..count {
        let body = body(seed);
        let mut module = lowered(&format!("fn k({PARAMETERS}) {{ {body} }}"), Some([GROUP as u32, 1, 1]));
        keep_fault_exits(&mut module);
        let found = races(&module);
        let is_accepted = found.findings.is_empty();
        accepted += u64::from(is_accepted);
        let mut random = Random(seed ^ 0x5eed);
        // A kernel is launched in as many dimensions as it asks for.
        for launch in LAUNCHES.into_iter().filter(|launch| module.rank() > 1 || launch.groups[1] == 1) {
            for _ in 0..if is_accepted { 20 } else { 1 } {
                let len = random.pick(&[5, 24, 100, 1 << 40]);
                let mut width = || random.pick(&[0, 1, 2, 3, 4, 5, 6, 8, 16, 24, 1 << 33]);
                let widths = [width(), width(), width()];
                let bits = random.pick(&[0, 1, 2, 3, 4, 31, 63, 64]);
                let indices = random.pick(&[8, 100, 1 << 40]);
                let parameters = [len, widths[0], widths[1], widths[2], bits, indices];
                if is_accepted && !is_allowed(&found, launch, &parameters) {
                    continue;
                }
                let race = accesses(&module, launch, &parameters).race();
                launched += u64::from(is_accepted);
                racing += u64::from(race.is_some());
                let is_harmless = !is_accepted || race.is_none();
                assert!(is_harmless, "seed {seed}, {launch:?}, {parameters:?}: {race:?} in\n{body}");
            }
        }
    }
    println!("{accepted} of {count} accepted, {launched} launches without a race, {racing} with one");
    assert!(accepted > count / 20 && launched > count && racing > count, "{accepted}, {launched}, {racing}");
}
