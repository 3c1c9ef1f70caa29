//! The header, and instructions cut to size.

use super::Id;
use super::error::{LoadError, Location, Problem};
use super::grammar::{self, Op};
use spirv::MAGIC_NUMBER;

/// The largest bound of ids that the SPIR-V specification lets modules count on ("Universal Limits").
pub(crate) const MAX_BOUND: u32 = 4_194_304;

/// The newest version whose modules are taken, as (major, minor).
const NEWEST_VERSION: (u8, u8) = (1, 6);

const HEADER_WORDS: usize = 5;

/// One instruction of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction<'w> {
    /// The offset of its first word in the module.
    pub(crate) offset: u32,
    pub(crate) op: Op,
    /// The name of the opcode without its prefix.
    pub(crate) name: &'static str,
    /// The type of the result, or 0.
    pub(crate) result_type: Id,
    /// The result, or 0.
    pub(crate) result: Id,
    /// What follows; at least as many words as the grammar requires.
    pub(crate) operands: &'w [u32],
    /// The instructions behind it that go on with its operands (SPV_INTEL_long_composites), as words.
    pub(crate) continued: &'w [u32],
}

impl<'w> Instruction<'w> {
    /// The operand at `index`, or the error that there is none.
    pub(crate) fn operand(&self, index: usize) -> Result<u32, LoadError> {
        self.operands.get(index).copied().ok_or_else(|| self.error(Problem::Truncated))
    }

    /// The operands from `index` on.
    pub(crate) fn operands_from(&self, index: usize) -> &'w [u32] {
        self.operands.get(index..).unwrap_or_default()
    }

    /// All members or constituents of a composite or its type, of which there may be more than one instruction has room for.
    pub(crate) fn constituents(&self) -> impl Iterator<Item = Id> {
        let mut rest = self.continued;
        let continued = std::iter::from_fn(move || {
            let count = (*rest.first()? >> 16) as usize;
            let (inst, after) = rest.split_at(count);
            rest = after;
            Some(&inst[1..])
        });
        self.operands.iter().chain(continued.flatten()).copied()
    }

    /// Whether it is not all of what it declares.
    pub(crate) fn is_continued(&self) -> bool {
        !self.continued.is_empty()
    }

    /// The error that something is wrong here.
    pub(crate) fn error(&self, problem: Problem) -> LoadError {
        LoadError { problem, at: Some(self.location()) }
    }

    pub(crate) fn location(&self) -> Location {
        Location {
            word: self.offset,
            opcode: Some(self.name),
            result: (self.result != 0).then_some((self.result, None)),
        }
    }

    /// The literal string that starts at operand `index`, and the index of what follows it.
    pub(crate) fn string(&self, index: usize) -> Result<(String, usize), LoadError> {
        let (text, words) =
            string(self.operands_from(index)).ok_or_else(|| self.error(Problem::BadString))?;
        Ok((text, index + words))
    }
}

/// The literal string that words start with, and how many words it has.
pub(crate) fn string(words: &[u32]) -> Option<(String, usize)> {
    let end = words.iter().position(|word| word.to_le_bytes().contains(&0))?;
    let bytes: Vec<u8> = words[..=end].iter().flat_map(|word| word.to_le_bytes()).collect();
    let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    Some((std::str::from_utf8(&bytes[..length]).ok()?.to_owned(), end + 1))
}

/// Checks the header and cuts the rest into instructions; also returns the bound of ids.
pub(crate) fn instructions(words: &[u32]) -> Result<(u32, Vec<Instruction<'_>>), LoadError> {
    let bound = header(words)?;
    let mut result: Vec<Instruction<'_>> = Vec::new();
    let mut at = HEADER_WORDS;
    // What may go on, and where the words start by which it does.
    let mut open: Option<(usize, usize)> = None;
    while at < words.len() {
        let instruction = next(words, at, bound)?;
        let end = at + (words[at] >> 16) as usize;
        match (continues(instruction.op), &mut open) {
            (None, _) => open = Some((result.len(), end)),
            (Some(of), &mut Some((first, start))) if result[first].op == of => {
                result[first].continued = &words[start..end];
            }
            (Some(_), _) => {
                return Err(
                    instruction.error(Problem::Structure("there is nothing that this could continue"))
                );
            }
        }
        at = end;
        result.push(instruction);
    }
    Ok((bound, result))
}

/// The opcode of what this opcode goes on with, if it does.
fn continues(op: Op) -> Option<Op> {
    Some(match op {
        Op::TypeStructContinuedINTEL => Op::TypeStruct,
        Op::ConstantCompositeContinuedINTEL => Op::ConstantComposite,
        Op::SpecConstantCompositeContinuedINTEL => Op::SpecConstantComposite,
        _ => return None,
    })
}

fn header(words: &[u32]) -> Result<u32, LoadError> {
    let &[magic, version, _generator, bound, _schema, ..] = words else {
        return Err(Problem::NotSpirv.into());
    };
    if magic != MAGIC_NUMBER {
        return Err(Problem::NotSpirv.into());
    }
    let [_, minor, major, _] = version.to_le_bytes();
    if major != 1 || (major, minor) > NEWEST_VERSION {
        return Err(Problem::Version(major, minor).into());
    }
    if bound == 0 || bound > MAX_BOUND {
        return Err(Problem::Bound(bound).into());
    }
    Ok(bound)
}

fn next(words: &[u32], at: usize, bound: u32) -> Result<Instruction<'_>, LoadError> {
    let offset = at as u32;
    let fail = |problem, opcode| {
        let at = Some(Location { word: offset, opcode, result: None });
        Err(LoadError { problem, at })
    };
    let (count, opcode) = ((words[at] >> 16) as usize, words[at] & 0xffff);
    let Some(row) = grammar::instruction(opcode) else {
        return fail(Problem::UnknownOpcode(opcode as u16), None);
    };
    let leading = usize::from(row.has_type) + usize::from(row.has_result);
    let needed = 1 + leading + row.required();
    if count < needed || words.len() - at < count {
        return fail(Problem::Truncated, Some(row.name));
    }
    let ids = &words[at + 1..at + 1 + leading];
    if let Some(&id) = ids.iter().find(|&&id| id == 0 || id >= bound) {
        return fail(Problem::BadId(id), Some(row.name));
    }
    Ok(Instruction {
        offset,
        op: row.op,
        name: row.name,
        result_type: if row.has_type { ids[0] } else { 0 },
        result: if row.has_result { ids[leading - 1] } else { 0 },
        operands: &words[at + 1 + leading..at + count],
        continued: &[],
    })
}
