//! Lines in modules, for drivers that report accesses to memory.
//!
//! Modules are embedded without them unless `KERNEL_DEBUG=lines` asks for it, since who compiles kernels has no use for lines. The descriptor of a kernel has the places of its accesses, which
//! become OpLine instructions when something is checked while kernels run.

use crate::module::specialized::Version;
use kernel_core::{AccessPlaces, KernelDescriptor, is_access};
use std::borrow::Cow;
use std::collections::HashMap;

const STRING: u16 = 7;
const LINE: u16 = 8;
const ENTRY_POINT: u16 = 15;
const EXECUTION_MODES: [u16; 2] = [16, 331];
const FUNCTION: u16 = 54;
const LABEL: u16 = 248;

/// The words of a header, and where the bound of ids is among them.
const HEADER: usize = 5;
const BOUND: usize = 3;

/// The module of a kernel as the driver is to get it.
pub(super) fn module(descriptor: &KernelDescriptor, version: Version) -> Cow<'static, [u8]> {
    let spirv = version.module(descriptor).bytes();
    if !is_wanted() || has_files(descriptor) {
        return Cow::Borrowed(spirv);
    }
    let entry_points: Vec<_> = version.entry_points(descriptor).collect();
    let words: Vec<u32> = spirv.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    with_lines(&words, &entry_points).map_or(Cow::Borrowed(spirv), |words| {
        Cow::Owned(words.into_iter().flat_map(u32::to_le_bytes).collect())
    })
}

/// Whether a module is embedded with lines.
pub(super) fn has_files(descriptor: &KernelDescriptor) -> bool {
    let mut rest = descriptor.spirv.words().get(HEADER..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        match first as u16 {
            STRING => return true,
            FUNCTION => return false,
            // No instruction is without words.
            _ => rest = rest.get((first >> 16).max(1) as usize..).unwrap_or_default(),
        }
    }
    false
}

/// Whether anybody is to report where accesses are written.
#[cfg(feature = "cpu")]
fn is_wanted() -> bool {
    kernel_cpu::checks().any()
}

#[cfg(not(feature = "cpu"))]
fn is_wanted() -> bool {
    false
}

/// An instruction: its opcode, and its words.
type Instruction<'w> = (u16, &'w [u32]);

/// A module with the lines of some entry points; none if it is no module.
fn with_lines(words: &[u32], entry_points: &[(&str, AccessPlaces)]) -> Option<Vec<u32>> {
    let instructions = instructions(words)?;
    let mut result = words.get(..HEADER)?.to_vec();
    let functions: HashMap<u32, AccessPlaces> = instructions
        .iter()
        .filter(|(opcode, _)| *opcode == ENTRY_POINT)
        .filter_map(|(_, words)| {
            let name = text(words.get(3..)?);
            let (_, places) = entry_points.iter().find(|(known, _)| known.as_bytes() == name)?;
            Some((words[2], *places))
        })
        .collect();
    let mut files = Files { ids: HashMap::new(), next: result[BOUND] };
    functions.values().flat_map(AccessPlaces::iter).for_each(|run| files.add(run.file));
    let is_mode = |(opcode, _): &Instruction<'_>| *opcode == ENTRY_POINT || EXECUTION_MODES.contains(opcode);
    let last_mode = instructions.iter().rposition(is_mode)?;
    let mut lines = Lines::default();
    for (position, (opcode, words)) in instructions.into_iter().enumerate() {
        match opcode {
            FUNCTION => lines = Lines::of(functions.get(&words[2])),
            LABEL => lines.last = None,
            _ if is_access(opcode) => lines.write(&files, &mut result),
            _ => {}
        }
        result.extend_from_slice(words);
        if position == last_mode {
            files.write(&mut result);
        }
    }
    result[BOUND] = files.next;
    Some(result)
}

/// The instructions of a module.
fn instructions(words: &[u32]) -> Option<Vec<Instruction<'_>>> {
    let mut rest = words.get(HEADER..)?;
    let mut instructions = Vec::new();
    while let Some(&first) = rest.first() {
        let (instruction, others) = rest.split_at_checked((first >> 16) as usize)?;
        if instruction.is_empty() {
            return None;
        }
        instructions.push((first as u16, instruction));
        rest = others;
    }
    Some(instructions)
}

/// The literal string that words start with.
fn text(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect()
}

/// The files, each with the id of its name.
struct Files {
    ids: HashMap<&'static str, u32>,
    next: u32,
}

impl Files {
    fn add(&mut self, file: &'static str) {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.ids.entry(file) {
            entry.insert(self.next);
            self.next += 1;
        }
    }

    fn write(&self, to: &mut Vec<u32>) {
        for (file, id) in &self.ids {
            let mut bytes = file.as_bytes().to_vec();
            bytes.resize((bytes.len() + 1).next_multiple_of(4), 0);
            let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
            to.push((2 + words.len() as u32) << 16 | u32::from(STRING));
            to.push(*id);
            to.extend(words);
        }
    }
}

/// The places of the accesses of a function from some on.
#[derive(Default)]
struct Lines {
    /// Each file, line and column, and how many accesses there are.
    rest: Vec<([u32; 2], &'static str, u32)>,
    /// The line that holds in the block.
    last: Option<([u32; 2], &'static str)>,
}

impl Lines {
    fn of(places: Option<&AccessPlaces>) -> Self {
        let runs = places.into_iter().flat_map(AccessPlaces::iter);
        let mut rest: Vec<_> = runs.map(|run| ([run.line, run.column], run.file, run.count)).collect();
        rest.reverse();
        Self { rest, last: None }
    }

    /// Writes the line of the next access, if it is another one than that before.
    fn write(&mut self, files: &Files, to: &mut Vec<u32>) {
        let Some((at, file, count)) = self.rest.last_mut() else { return };
        let place = (*at, *file);
        *count -= 1;
        if *count == 0 {
            self.rest.pop();
        }
        let ([line, column], file) = place;
        // What is written nowhere has no line.
        if line != 0 && self.last.replace(place) != Some(place) {
            let id = files.ids.get(file).copied().unwrap_or(0);
            to.extend([4 << 16 | u32::from(LINE), id, line, column]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOAD: u32 = 4 << 16 | 61;
    const STORE: u32 = 3 << 16 | 62;
    const NAME: u32 = 3 << 16 | 5;
    const WORD: u32 = u32::from_le_bytes(*b"one\0");

    fn module() -> Vec<u32> {
        let mut words = vec![0x0723_0203, 0x10000, 0, 20, 0];
        words.extend([4 << 16 | u32::from(ENTRY_POINT), 6, 1, WORD]);
        words.extend([3 << 16 | 16, 1, 30, NAME, 1, WORD]);
        for function in [1, 2] {
            words.extend([5 << 16 | u32::from(FUNCTION), 9, function, 0, 8, 2 << 16 | 248, 3]);
            words.extend([LOAD, 9, 4, 5, LOAD, 9, 6, 5, STORE, 5, 4]);
            words.extend([2 << 16 | 249, 7, 2 << 16 | 248, 7, STORE, 5, 6, 1 << 16 | 253, 1 << 16 | 56]);
        }
        words
    }

    #[test]
    fn lines_come_before_the_accesses_of_their_entry_point() {
        let places = AccessPlaces::new("2 3 12 4 a.rs;2 3 5;");
        let words = with_lines(&module(), &[("one", places)]).unwrap();
        let mut expected = module();
        expected[BOUND] = 21;
        let string = [4 << 16 | u32::from(STRING), 20, u32::from_le_bytes(*b"a.rs"), 0];
        let line = |column| [4 << 16 | u32::from(LINE), 20, 3, column];
        // From the end on: the block that follows has a line of its own.
        let start = 12 + 3 + 7;
        for (at, words) in [(start + 15, line(5)), (start + 8, line(5)), (start, line(12)), (12, string)] {
            expected.splice(at..at, words);
        }
        assert_eq!(words, expected);
    }

    #[test]
    fn other_entry_points_and_places_that_are_unknown_have_none() {
        for (name, text) in [("two", "4 3 5 4 a.rs;"), ("one", ""), ("one", "4 0 0;")] {
            let words = with_lines(&module(), &[(name, AccessPlaces::new(text))]).unwrap();
            assert!(instructions(&words).unwrap().iter().all(|(opcode, _)| *opcode != LINE), "{name} {text}");
        }
        assert_eq!(with_lines(&[1, 2, 3, 4, 5, 0], &[]), None);
        assert_eq!(with_lines(&[1, 2], &[]), None);
    }
}
