//! One module of several, so that their entry points share it: what the modules declare alike is declared once.
//!
//! Ids are given out anew. A type, a constant or a variable is the same as one before it if it has the same operands, names and decorations;
//! local memory is each kernel's own.

use super::sections::Sections;
use crate::hash::{HashMap, HashSet};
use rspirv::binary::Assemble;
use rspirv::dr::{Function, Instruction, Module, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

/// Merges modules that were emitted here, in their order.
pub(super) fn merge(modules: &[Module]) -> Module {
    let mut merger = Merger { sections: Sections::new(), known: HashMap::default(), declarations: 0 };
    let version =
        modules.iter().filter_map(|module| module.header.as_ref()).map(|header| header.version()).max();
    for module in modules {
        merger.add(module);
    }
    merger.sections.finish(version.unwrap_or((1, 0)))
}

/// The name of a function of another module that is declared with two types.
pub(super) fn declared_twice(module: &Module) -> Option<String> {
    let mut names = HashSet::default();
    module.annotations.iter().find_map(|instruction| match &instruction.operands[..] {
        [_, Operand::Decoration(Decoration::LinkageAttributes), Operand::LiteralString(name), ..] => {
            (!names.insert(name)).then(|| name.clone())
        }
        _ => None,
    })
}

/// What makes two declarations the same: their words, with their names and decorations.
type Key = (Vec<u32>, Vec<Vec<u32>>);

struct Merger {
    sections: Sections,
    known: HashMap<Key, Word>,
    /// How many functions of other modules are declared, which come first.
    declarations: usize,
}

/// The new ids of a module that is being added.
type Ids = HashMap<Word, Word>;

impl Merger {
    fn add(&mut self, module: &Module) {
        let mut ids = Ids::default();
        let merged = &mut self.sections.module;
        for (all, more) in
            [(&mut merged.capabilities, &module.capabilities), (&mut merged.extensions, &module.extensions)]
        {
            all.extend(more.iter().filter(|one| !all.contains(one)).cloned().collect::<Vec<_>>());
        }
        merged.memory_model.clone_from(&module.memory_model);
        for import in &module.ext_inst_imports {
            let id = self.declared(import, &[], &mut ids);
            if let Some(import) = id {
                self.sections.module.ext_inst_imports.push(import);
            }
        }
        let about = described(module);
        let mut again = Vec::new();
        for global in &module.types_global_values {
            let described = global.result_id.and_then(|id| about.get(&id)).cloned().unwrap_or_default();
            match self.declared(global, &described, &mut ids) {
                Some(new) => self.sections.module.types_global_values.push(new),
                None => again.extend(global.result_id),
            }
        }
        let (declarations, definitions): (Vec<_>, Vec<_>) =
            module.functions.iter().partition(|function| function.blocks.is_empty());
        for declaration in declarations {
            again.extend(self.declaration(declaration, &about, &mut ids));
        }
        let is_new = |instruction: &&Instruction| target(instruction).is_none_or(|id| !again.contains(&id));
        let names = self.all_renamed(module.debug_names.iter().filter(is_new), &mut ids);
        self.sections.module.debug_names.extend(names);
        let annotations = self.all_renamed(module.annotations.iter().filter(is_new), &mut ids);
        self.sections.module.annotations.extend(annotations);
        for function in definitions {
            let function = self.function(function, &mut ids);
            self.sections.module.functions.push(function);
        }
        let entry_points = self.all_renamed(module.entry_points.iter(), &mut ids);
        self.sections.module.entry_points.extend(entry_points);
        let modes = self.all_renamed(module.execution_modes.iter(), &mut ids);
        self.sections.module.execution_modes.extend(modes);
    }

    /// Instructions with new ids.
    fn all_renamed<'i>(
        &mut self,
        instructions: impl Iterator<Item = &'i Instruction>,
        ids: &mut Ids,
    ) -> Vec<Instruction> {
        instructions.map(|instruction| self.renamed(instruction, ids)).collect()
    }

    /// A declaration at module scope with new ids; nothing if the same was there before.
    fn declared(
        &mut self,
        instruction: &Instruction,
        described: &[Instruction],
        ids: &mut Ids,
    ) -> Option<Instruction> {
        let mut operands = instruction.clone();
        let own = operands.result_id.take()?;
        let operands = self.renamed(&operands, ids);
        // What is said of it does not name it in the key.
        let mut described: Vec<_> = described
            .iter()
            .map(|said| {
                let mut said = said.clone();
                said.operands.remove(0);
                self.renamed(&said, ids).assemble()
            })
            .collect();
        described.sort_unstable();
        let key = (operands.assemble(), described);
        if !is_own(instruction)
            && let Some(known) = self.known.get(&key)
        {
            ids.insert(own, *known);
            return None;
        }
        let new = self.sections.fresh();
        self.known.insert(key, new);
        ids.insert(own, new);
        Some(Instruction { result_id: Some(new), ..operands })
    }

    fn function(&mut self, function: &Function, ids: &mut Ids) -> Function {
        let mut function = function.clone();
        for instruction in function.all_inst_iter_mut() {
            *instruction = self.renamed(instruction, ids);
        }
        function
    }

    /// Declares a function of another module, unless one before it did, and says which ids have another meaning then.
    fn declaration(
        &mut self,
        function: &Function,
        about: &HashMap<Word, Vec<Instruction>>,
        ids: &mut Ids,
    ) -> Vec<Word> {
        let Some((definition, id)) = function.def.as_ref().and_then(|def| Some((def, def.result_id?))) else {
            return Vec::new();
        };
        let described = about.get(&id).cloned().unwrap_or_default();
        let parameters = function.parameters.iter();
        let Some(new) = self.declared(definition, &described, ids) else {
            return parameters.filter_map(|parameter| parameter.result_id).chain([id]).collect();
        };
        let parameters = parameters.map(|parameter| self.renamed(parameter, ids)).collect();
        let declaration = Function { def: Some(new), parameters, ..function.clone() };
        self.sections.module.functions.insert(self.declarations, declaration);
        self.declarations += 1;
        Vec::new()
    }

    /// An instruction with new ids, also for what is defined later.
    fn renamed(&mut self, instruction: &Instruction, ids: &mut Ids) -> Instruction {
        let mut new = |id: Word| *ids.entry(id).or_insert_with(|| self.sections.fresh());
        let mut renamed = instruction.clone();
        renamed.result_type = renamed.result_type.map(&mut new);
        renamed.result_id = renamed.result_id.map(&mut new);
        for operand in &mut renamed.operands {
            if let Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id) = operand {
                *id = new(*id);
            }
        }
        renamed
    }
}

/// What names and decorations say of each id.
fn described(module: &Module) -> HashMap<Word, Vec<Instruction>> {
    let mut about: HashMap<Word, Vec<Instruction>> = HashMap::default();
    for instruction in module.debug_names.iter().chain(&module.annotations) {
        if let Some(id) = target(instruction) {
            about.entry(id).or_default().push(instruction.clone());
        }
    }
    about
}

/// What a name or a decoration is about.
fn target(instruction: &Instruction) -> Option<Word> {
    match instruction.operands.first() {
        Some(Operand::IdRef(id)) => Some(*id),
        _ => None,
    }
}

/// Returns whether a declaration is never the same as another one.
fn is_own(instruction: &Instruction) -> bool {
    let is_local = instruction.operands.first() == Some(&Operand::StorageClass(StorageClass::Workgroup));
    instruction.class.opcode == Op::Variable && is_local
}
