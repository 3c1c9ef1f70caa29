//! Several modules become one: what one of them imports is what another one exports (SPIR-V specification, "Linkage").
//!
//! The ids of each module are moved behind those of the modules before it. Types and constants that are alike become one, since calls and
//! loads are checked by the ids of types. An import that is resolved goes, and its id becomes that of the export; one that is not stays, and is an error
//! where it is used. The words come from outside and are taken as hostile, like those of any module.

mod dynamic;
mod operands;
mod pointers;
mod symbols;
mod unit;

pub(crate) use dynamic::{Candidates, Links};
pub(crate) use unit::Unit;

use crate::load::grammar::Op;
use crate::load::module::is_type;
use crate::load::words::{Instruction, MAX_BOUND, instructions};
use crate::load::{Id, LoadError, Problem};
use operands::Widths;
use pointers::{Casts, Signatures};
use spirv::{Decoration, MAGIC_NUMBER};
use std::collections::{HashMap, HashSet};
use symbols::{Linkage, Symbols};

/// A module with the values of its specialization constants, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) words: Vec<u32>,
    pub(crate) specialization: HashMap<u32, u64>,
}

/// One of the modules.
struct Part<'w> {
    version: u32,
    instructions: Vec<Instruction<'w>>,
    widths: Widths,
    symbols: Symbols,
    /// The results that are not the same as others which are declared alike: they are decorated, or named before.
    apart: HashSet<Id>,
    /// What each id has become.
    ids: Vec<Id>,
    /// The imports that another module resolves.
    resolved: HashSet<Id>,
    /// The functions among them whose arguments have to be cast.
    casts: HashMap<Id, Casts>,
    specialization: &'w HashMap<u32, u64>,
}

/// What modules become, as far as it has been emitted.
struct Whole {
    linked: Input,
    /// How many specialization constants have got numbers.
    numbers: u32,
    /// The memory model of the modules so far.
    model: Option<Vec<u32>>,
    /// The bound of ids.
    bound: u32,
}

/// What modules are linked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose<'p> {
    /// They are a program: all of their kernels, and no name is exported twice.
    Program,
    /// The first one imports what it needs of the others. Their kernels are their own.
    First(&'p Providers),
}

/// Which module has what another one imports by a name, both by their positions.
pub(crate) type Providers = HashMap<(usize, String), usize>;

/// Makes one module of several.
///
/// # Errors
///
/// One of them is malformed, two of a program export the same name, or an import is of another type than the export.
pub(crate) fn link<'i>(
    inputs: impl IntoIterator<Item = &'i Input>,
    purpose: Purpose<'_>,
) -> Result<Input, LoadError> {
    let mut parts = Vec::new();
    let mut bound = 0;
    for input in inputs {
        let part = Part::new(input, bound)?;
        bound += part.ids.len() as u32;
        if bound > MAX_BOUND {
            return Err(Problem::TooLarge("the modules of the program together").into());
        }
        parts.push(part);
    }
    merge_declarations(&mut parts)?;
    resolve(&mut parts, purpose)?;
    let version = parts.iter().map(|part| part.version).max().unwrap_or(0);
    let linked = Input { words: vec![MAGIC_NUMBER, version, 0, bound, 0], ..Input::default() };
    let mut whole = Whole { linked, numbers: 0, model: None, bound };
    for (position, part) in parts.iter().enumerate() {
        let has_kernels = matches!(purpose, Purpose::Program) || position == 0;
        part.emit(&mut whole, has_kernels)?;
    }
    if whole.bound > MAX_BOUND {
        return Err(Problem::TooLarge("the modules of the program together").into());
    }
    whole.linked.words[3] = whole.bound;
    Ok(whole.linked)
}

/// Types and constants that are alike get one id.
fn merge_declarations(parts: &mut [Part<'_>]) -> Result<(), LoadError> {
    let mut known: HashMap<Vec<u32>, Id> = HashMap::new();
    for part in parts {
        for position in 0..part.instructions.len() {
            let inst = part.instructions[position];
            if !part.is_mergeable(&inst) {
                continue;
            }
            let declaration = part.moved(&inst, 0)?;
            let own = part.ids[inst.result as usize];
            part.ids[inst.result as usize] = *known.entry(declaration).or_insert(own);
        }
    }
    Ok(())
}

/// What a module exports: how, its id in the whole, and what it is.
type Export = (Linkage, Id, (Op, Id));

/// Gives imports the ids of what is exported.
fn resolve(parts: &mut [Part<'_>], purpose: Purpose<'_>) -> Result<(), LoadError> {
    let mut exports: HashMap<(usize, String), Export> = HashMap::new();
    for (position, part) in parts.iter().enumerate() {
        // In a program a name is that of one module, whichever imports it.
        let position = if matches!(purpose, Purpose::Program) { 0 } else { position };
        for (id, name, linkage) in part.symbols.exports() {
            let Some((op, ty)) = part.symbols.definition(id) else { continue };
            let export = (linkage, part.ids[id as usize], (op, part.id(ty)?));
            match exports.get(&(position, name.to_owned())) {
                Some((Linkage::Export, ..)) if linkage == Linkage::Export => {
                    return Err(Problem::DuplicateExport(name.to_owned()).into());
                }
                // One that may be defined by many modules is the same in each.
                Some((Linkage::Export, ..)) => {}
                Some(_) if linkage != Linkage::Export => {}
                _ => {
                    exports.insert((position, name.to_owned()), export);
                }
            }
        }
    }
    let signatures = Signatures::of(parts)?;
    for (position, part) in parts.iter_mut().enumerate() {
        let imports: Vec<(Id, String)> =
            part.symbols.imports().map(|(id, name)| (id, name.to_owned())).collect();
        for (id, name) in imports {
            let provider = match purpose {
                Purpose::Program => Some(0),
                Purpose::First(providers) => providers.get(&(position, name.clone())).copied(),
            };
            let export = provider.and_then(|provider| exports.get(&(provider, name.clone())));
            let (Some(&(_, export, definition)), Some((op, ty))) = (export, part.symbols.declaration(id))
            else {
                continue;
            };
            let declared = part.id(ty)?;
            if definition != (op, declared) {
                let casts = signatures.casts(declared, definition.1).filter(|_| definition.0 == op);
                part.casts.insert(id, casts.ok_or(Problem::ImportMismatch(name))?);
            }
            part.ids[id as usize] = export;
            part.resolved.insert(id);
        }
    }
    Ok(())
}

impl<'w> Part<'w> {
    fn new(input: &'w Input, base: u32) -> Result<Self, LoadError> {
        let (bound, instructions) = instructions(&input.words)?;
        let apart = |inst: &Instruction<'_>| match inst.op {
            // What is named before it is declared stays itself, since what names it is declared before.
            Op::Decorate | Op::MemberDecorate | Op::DecorateId | Op::TypeForwardPointer => {
                inst.operands.first().copied()
            }
            _ => None,
        };
        let mut results = HashSet::new();
        for inst in instructions.iter().filter(|inst| inst.result != 0) {
            if !results.insert(inst.result) {
                return Err(inst.error(Problem::BadId(inst.result)));
            }
        }
        Ok(Self {
            version: input.words[1],
            widths: Widths::of(&instructions),
            symbols: Symbols::of(&instructions)?,
            apart: instructions.iter().filter_map(apart).collect(),
            ids: (0..bound).map(|id| base.saturating_add(id)).collect(),
            resolved: HashSet::new(),
            casts: HashMap::new(),
            specialization: &input.specialization,
            instructions,
        })
    }

    /// What an id has become.
    fn id(&self, id: Id) -> Result<Id, LoadError> {
        self.ids.get(id as usize).copied().ok_or_else(|| Problem::BadId(id).into())
    }

    /// Whether an instruction declares a type or a constant that is the same wherever it is declared alike.
    fn is_mergeable(&self, inst: &Instruction<'_>) -> bool {
        let is_constant = matches!(
            inst.op,
            Op::ConstantTrue
                | Op::ConstantFalse
                | Op::Constant
                | Op::ConstantComposite
                | Op::ConstantNull
                | Op::ConstantSampler
        );
        let is_type = is_type(inst.op) && inst.op != Op::TypeForwardPointer;
        let is_whole = !inst.is_continued();
        inst.result != 0 && is_whole && (is_constant || is_type) && !self.apart.contains(&inst.result)
    }

    /// The words of an instruction with the ids of the whole, and this as its result.
    fn moved(&self, inst: &Instruction<'_>, result: Id) -> Result<Vec<u32>, LoadError> {
        let mut words = vec![0];
        if inst.result_type != 0 {
            words.push(self.id(inst.result_type)?);
        }
        if inst.result != 0 {
            words.push(result);
        }
        let start = words.len();
        words.extend_from_slice(inst.operands);
        for position in operands::ids(inst, &self.widths)? {
            let id = &mut words[start + position];
            *id = self.id(*id).map_err(|error| inst.error(error.problem))?;
        }
        words[0] = (words.len() as u32) << 16 | inst.op as u32;
        Ok(words)
    }

    fn emit(&self, whole: &mut Whole, has_kernels: bool) -> Result<(), LoadError> {
        let mut is_left_out = false;
        for inst in &self.instructions {
            match inst.op {
                Op::Function => is_left_out = self.resolved.contains(&inst.result),
                Op::FunctionEnd if is_left_out => {
                    is_left_out = false;
                    continue;
                }
                _ => {}
            }
            let is_of_kernel = matches!(inst.op, Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId);
            if is_of_kernel && !has_kernels {
                continue;
            }
            if is_left_out || self.is_of_resolved(inst) || self.is_merged(inst) {
                continue;
            }
            let result = if inst.result == 0 { 0 } else { self.id(inst.result)? };
            let mut words = self.moved(inst, result)?;
            match (inst.op, inst.operands) {
                (Op::FunctionCall, &[callee, ..]) => self.cast_arguments(callee, &mut words, whole),
                (Op::MemoryModel, _) => match &whole.model {
                    Some(model) if *model == words => continue,
                    Some(_) => {
                        return Err(inst.error(Problem::TypeMismatch("the memory models of the modules")));
                    }
                    None => whole.model = Some(words.clone()),
                },
                // The numbers of constants are each module's own.
                (Op::Decorate, &[_, decoration, number]) if decoration == Decoration::SpecId as u32 => {
                    if let Some(&value) = self.specialization.get(&number) {
                        whole.linked.specialization.insert(whole.numbers, value);
                    }
                    words[3] = whole.numbers;
                    whole.numbers += 1;
                }
                _ => {}
            }
            whole.linked.words.extend(words);
        }
        Ok(())
    }

    /// Emits casts for the arguments of a call that need them, and has the call take their results.
    fn cast_arguments(&self, callee: Id, call: &mut [u32], whole: &mut Whole) {
        /// Where the arguments begin: after the instruction, its type and result, and the callee.
        const ARGUMENTS: usize = 4;
        for &(position, ty) in self.casts.get(&callee).into_iter().flatten() {
            // A call with too few arguments is refused later.
            let Some(argument) = call.get_mut(ARGUMENTS + position) else { continue };
            whole.linked.words.extend([4 << 16 | Op::Bitcast as u32, ty, whole.bound, *argument]);
            *argument = whole.bound;
            whole.bound = whole.bound.saturating_add(1);
        }
    }

    /// Whether an instruction declares, names or decorates an import that is resolved.
    fn is_of_resolved(&self, inst: &Instruction<'_>) -> bool {
        let id = match inst.op {
            Op::Name | Op::Decorate => inst.operands.first().copied().unwrap_or(0),
            Op::Variable => inst.result,
            _ => return false,
        };
        self.resolved.contains(&id)
    }

    /// Whether an instruction declares what another one has declared before.
    fn is_merged(&self, inst: &Instruction<'_>) -> bool {
        let own = self.ids.first().map_or(0, |base| base + inst.result);
        self.is_mergeable(inst) && self.ids[inst.result as usize] != own
    }
}
