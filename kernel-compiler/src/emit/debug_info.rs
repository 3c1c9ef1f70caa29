//! What debuggers and profilers need besides lines: instructions of the extended set OpenCL.DebugInfo.100, which say of each function with lines what it is, and to which file a
//! line belongs.
//!
//! Bodies take the place of calls in lowering, and nothing is left of who called whom. So all lines of a kernel are its own; those of another file are in a lexical block of that
//! file. rspirv does not load such a module again, so this is the last thing that is done to one.

use crate::hash::HashMap;
use rspirv::binary::Assemble;
use rspirv::dr::{Block, Function, Instruction, Module, Operand, load_words};
use rspirv::spirv::{Op, Word};
use std::borrow::Cow;

const SET: &str = "OpenCL.DebugInfo.100";

/// Instructions of the set.
const COMPILATION_UNIT: u32 = 1;
const TYPE_FUNCTION: u32 = 8;
const FUNCTION: u32 = 20;
const LEXICAL_BLOCK: u32 = 21;
const SCOPE: u32 = 23;
const SOURCE: u32 = 35;

/// The version of the set, and of DWARF.
const VERSION: u32 = 0x1_0000;
const DWARF: u32 = 4;
/// The set knows no Rust.
const OPENCL_C: u32 = 3;
const IS_PUBLIC: u32 = 3;
const IS_DEFINITION: u32 = 1 << 3;

/// The words before the first instruction.
const HEADER: usize = 5;

/// Adds what debuggers need to a module with lines; others are left as they are.
///
/// # Panics
///
/// For words that were not emitted here.
#[must_use]
pub fn with_debug_info(words: &[u32]) -> Cow<'_, [u32]> {
    if !has_files(words) {
        return Cow::Borrowed(words);
    }
    let mut module = load_words(words).expect("emitted words are a module");
    match Describer::of(&module) {
        Some(mut describer) => {
            describer.describe(&mut module);
            Cow::Owned(describer.finish(module))
        }
        None => Cow::Borrowed(words),
    }
}

/// Returns whether there is an OpString in a module, as there is where there are lines.
fn has_files(words: &[u32]) -> bool {
    let mut at = HEADER;
    while let Some(first) = words.get(at) {
        match first & 0xffff {
            opcode if opcode == Op::String as u32 => return true,
            opcode if opcode == Op::Function as u32 => return false,
            // No instruction is without words.
            _ => at += (first >> 16).max(1) as usize,
        }
    }
    false
}

/// Writes the descriptions.
struct Describer {
    next: Word,
    set: Word,
    void: Word,
    /// At module scope, in their order.
    global: Vec<Instruction>,
    strings: Vec<Instruction>,
    /// The source that each file is.
    sources: HashMap<Word, Word>,
    /// The unit of the whole module, once there is one: LLVM's translator takes no more.
    unit: Option<Word>,
}

/// The description of a function.
struct Described {
    function: Word,
    file: Word,
    /// What its lines of each file are in.
    scopes: HashMap<Word, Word>,
}

impl Describer {
    fn of(module: &Module) -> Option<Self> {
        let set = module.header.as_ref()?.bound;
        let void = module.types_global_values.iter().find(|global| global.class.opcode == Op::TypeVoid)?;
        Some(Self {
            next: set + 1,
            set,
            void: void.result_id?,
            global: Vec::new(),
            strings: Vec::new(),
            sources: HashMap::default(),
            unit: None,
        })
    }

    fn describe(&mut self, module: &mut Module) {
        let mut functions = std::mem::take(&mut module.functions);
        for function in &mut functions {
            if let Some(mut described) = self.function(function, module) {
                for block in &mut function.blocks {
                    self.scopes(block, &mut described);
                }
            }
        }
        module.functions = functions;
    }

    fn finish(self, mut module: Module) -> Vec<u32> {
        let import = vec![Operand::LiteralString(SET.to_owned())];
        module.ext_inst_imports.push(Instruction::new(Op::ExtInstImport, None, Some(self.set), import));
        module.debug_string_source.extend(self.strings);
        module.types_global_values.extend(self.global);
        if let Some(header) = &mut module.header {
            header.bound = self.next;
        }
        module.assemble()
    }

    fn fresh(&mut self) -> Word {
        self.next += 1;
        self.next - 1
    }

    /// An instruction of the set.
    fn instruction(&mut self, number: u32, operands: Vec<Operand>) -> (Word, Instruction) {
        let id = self.fresh();
        let start = [Operand::IdRef(self.set), Operand::LiteralExtInstInteger(number)];
        let operands = start.into_iter().chain(operands).collect();
        (id, Instruction::new(Op::ExtInst, Some(self.void), Some(id), operands))
    }

    fn declare(&mut self, number: u32, operands: Vec<Operand>) -> Word {
        let (id, instruction) = self.instruction(number, operands);
        self.global.push(instruction);
        id
    }

    fn source(&mut self, file: Word) -> Word {
        if let Some(source) = self.sources.get(&file) {
            return *source;
        }
        // LLVM's translator wants a text, even if there is nothing in it.
        let text = self.string("");
        let source = self.declare(SOURCE, [file, text].map(Operand::IdRef).to_vec());
        self.sources.insert(file, source);
        source
    }

    /// The unit, which is named by the first source.
    fn unit(&mut self, source: Word) -> Word {
        if let Some(unit) = self.unit {
            return unit;
        }
        let [version, dwarf, language] = [VERSION, DWARF, OPENCL_C].map(Operand::LiteralBit32);
        let unit = self.declare(COMPILATION_UNIT, vec![version, dwarf, Operand::IdRef(source), language]);
        self.unit = Some(unit);
        unit
    }

    fn string(&mut self, text: &str) -> Word {
        let id = self.fresh();
        let text = vec![Operand::LiteralString(text.to_owned())];
        self.strings.push(Instruction::new(Op::String, None, Some(id), text));
        id
    }

    /// Describes a function that has lines.
    fn function(&mut self, function: &Function, module: &Module) -> Option<Described> {
        let id = function.def.as_ref()?.result_id?;
        let (file, line, column) = function.all_inst_iter().find_map(line)?;
        let string = self.string(name(module, id));
        let source = self.source(file);
        let unit = self.unit(source);
        let ty = vec![Operand::LiteralBit32(IS_PUBLIC), Operand::IdRef(self.void)];
        let ty = self.declare(TYPE_FUNCTION, ty);
        let [string, ty, source, unit, own] = [string, ty, source, unit, id].map(Operand::IdRef);
        let [line, column] = [line, column].map(Operand::LiteralBit32);
        let flags = Operand::LiteralBit32(IS_DEFINITION);
        let operands = vec![string.clone(), ty, source, line.clone(), column, unit, string, flags, line, own];
        Some(Described { function: self.declare(FUNCTION, operands), file, scopes: HashMap::default() })
    }

    /// What the lines of a file are in.
    fn scope(&mut self, described: &mut Described, (file, line, column): (Word, u32, u32)) -> Word {
        if file == described.file {
            return described.function;
        }
        if let Some(scope) = described.scopes.get(&file) {
            return *scope;
        }
        let source = self.source(file);
        let operands = vec![
            Operand::IdRef(source),
            Operand::LiteralBit32(line),
            Operand::LiteralBit32(column),
            Operand::IdRef(described.function),
        ];
        let scope = self.declare(LEXICAL_BLOCK, operands);
        described.scopes.insert(file, scope);
        scope
    }

    /// Says before lines in a block what they are in.
    fn scopes(&mut self, block: &mut Block, described: &mut Described) {
        let mut current = None;
        let old = std::mem::take(&mut block.instructions);
        let is_phi = |next: Option<&Instruction>| next.is_some_and(|next| next.class.opcode == Op::Phi);
        for (position, instruction) in old.iter().enumerate() {
            if let Some(place) = line(instruction)
                && !is_phi(old.get(position + 1))
            {
                let scope = self.scope(described, place);
                if current.replace(scope) != Some(scope) {
                    let (_, said) = self.instruction(SCOPE, vec![Operand::IdRef(scope)]);
                    block.instructions.push(said);
                }
            }
            block.instructions.push(instruction.clone());
        }
    }
}

/// The file, line and column that an instruction says.
fn line(instruction: &Instruction) -> Option<(Word, u32, u32)> {
    match instruction.operands[..] {
        [Operand::IdRef(file), Operand::LiteralBit32(line), Operand::LiteralBit32(column)]
            if instruction.class.opcode == Op::Line =>
        {
            Some((file, line, column))
        }
        _ => None,
    }
}

/// The name of a function.
fn name(module: &Module, function: Word) -> &str {
    let names = module.debug_names.iter().filter(|name| name.class.opcode == Op::Name);
    let mut names = names.filter_map(|name| match &name.operands[..] {
        [Operand::IdRef(id), Operand::LiteralString(name)] if *id == function => Some(&name[..]),
        _ => None,
    });
    names.next().unwrap_or_default()
}
