//! Asynchronous copies between local and global memory.
//!
//! Each work-item copies every so many elements, from its own number on, when the copy is begun; to wait for it is a barrier.

use super::Lowering;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::draft::Exit;
use crate::program::{BuiltIn, CompareOp, Inst, IntOp, Kind, Preset, Site, Space, Value};
use spirv::{Scope, StorageClass};

impl Lowering<'_, '_> {
    /// OpGroupAsyncCopy.
    pub(super) fn group_copy(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |problem| inst.error(problem);
        self.check_copy_scope(inst)?;
        let (to_type, to) = self.values(inst, 1)?;
        let (from_type, from) = self.values(inst, 2)?;
        let [count, stride] = [self.number_of_elements(inst, 3)?, self.number_of_elements(inst, 4)?];
        self.check_event(inst, inst.operand(5)?)?;
        let (to_space, from_space, element) = self.copied(inst, [to_type, from_type])?;
        let size = self.module.types.size(element).map_err(|error| inst.error(error.problem))?;
        let size = self.constant(Kind::I64, size);
        let site = Site(inst.offset);
        self.builder.effect(Inst::Converge(site)).map_err(located)?;

        let own = self.builder.preset(Kind::I64, Preset::BuiltIn(BuiltIn::LocalLinearId));
        let all = self.work_group_size()?;
        let counter = self.builder.new_variable(Kind::I64);
        self.builder.write(counter, own).map_err(located)?;
        let mut block = || self.builder.new_block().map_err(located);
        let [head, body, after] = [block()?, block()?, block()?];
        self.builder.finish(Exit::Jump(head));
        self.builder.open(head);
        let position = self.builder.read(counter).map_err(located)?;
        let is_there =
            self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::ULt, Kind::I64, v, [position, count]))?;
        self.builder.finish(Exit::Branch(is_there, body, after));
        self.builder.open(body);
        let mut address = |base: Value, space: Space| {
            let position = match space {
                Space::Local => position,
                _ => self.long(IntOp::Mul, position, stride)?,
            };
            let offset = self.long(IntOp::Mul, position, size)?;
            self.long(IntOp::Add, base, offset)
        };
        let (to, from) = (address(to[0], to_space)?, address(from[0], from_space)?);
        let of_element = |error: LoadError| inst.error(error.problem);
        let values = self.load_leaves(element, from_space, from, site).map_err(of_element)?;
        self.store_leaves(element, to_space, to, &values, site).map_err(of_element)?;
        let next = self.long(IntOp::Add, position, all)?;
        self.builder.write(counter, next).map_err(located)?;
        self.builder.finish(Exit::Jump(head));
        self.builder.open(after);
        let event = self.constant(Kind::I64, 0);
        self.define(inst, vec![event])
    }

    /// OpGroupWaitEvents.
    pub(super) fn group_wait(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        self.check_copy_scope(inst)?;
        self.integers(inst, 1)?;
        let (events, _) = self.operand(inst, 2)?;
        let (_, event) = self.module.types.pointer(events).map_err(|error| inst.error(error.problem))?;
        self.check_event_type(inst, event)?;
        self.builder.effect(Inst::Converge(Site(inst.offset))).map_err(|problem| inst.error(problem))?;
        self.meet(inst)
    }

    fn check_copy_scope(&self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        match self.constant_operand(inst, 0)? {
            scope if scope == Scope::Workgroup as u64 => Ok(()),
            _ => {
                let problem = "the execution scope of an asynchronous copy must be Workgroup";
                Err(inst.error(Problem::Environment(problem)))
            }
        }
    }

    fn check_event(&mut self, inst: &Instruction<'_>, id: Id) -> Result<(), LoadError> {
        let (ty, _) = self.lookup(id).map_err(|error| inst.error(error.problem))?;
        self.check_event_type(inst, ty)?;
        self.check_event_type(inst, inst.result_type)
    }

    fn check_event_type(&self, inst: &Instruction<'_>, ty: Id) -> Result<(), LoadError> {
        match self.module.types.get(ty).map_err(|error| inst.error(error.problem))? {
            Type::Event => Ok(()),
            _ => Err(inst.error(Problem::Expected { what: "an event", id: ty })),
        }
    }

    /// A number of elements, which has as many bits as an address.
    fn number_of_elements(&mut self, inst: &Instruction<'_>, index: usize) -> Result<Value, LoadError> {
        match self.scalar(inst, index)? {
            (Kind::I64, number) => Ok(number),
            _ => Err(inst.error(Problem::TypeMismatch("an asynchronous copy counts by 64 bits"))),
        }
    }

    /// The kinds of memory, one of which is local and the other global, and the type of the elements.
    fn copied(&self, inst: &Instruction<'_>, [to, from]: [Id; 2]) -> Result<(Space, Space, Id), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let types = &self.module.types;
        let (to, from) = (types.pointer(to).map_err(located)?, types.pointer(from).map_err(located)?);
        if to.1 != from.1 || types.components(to.1).is_err() {
            let problem = "an asynchronous copy is of scalars or vectors of one type";
            return Err(inst.error(Problem::TypeMismatch(problem)));
        }
        match (to.0, from.0) {
            (StorageClass::Workgroup, StorageClass::CrossWorkgroup) => {
                Ok((Space::Local, Space::Global, to.1))
            }
            (StorageClass::CrossWorkgroup, StorageClass::Workgroup) => {
                Ok((Space::Global, Space::Local, to.1))
            }
            _ => {
                let problem = "an asynchronous copy is between Workgroup and CrossWorkgroup memory";
                Err(inst.error(Problem::TypeMismatch(problem)))
            }
        }
    }

    fn work_group_size(&mut self) -> Result<Value, LoadError> {
        let [x, y, z] = [0, 1, 2]
            .map(|dimension| self.builder.preset(Kind::I64, Preset::BuiltIn(BuiltIn::LocalSize(dimension))));
        let rows = self.long(IntOp::Mul, x, y)?;
        self.long(IntOp::Mul, rows, z)
    }
}
