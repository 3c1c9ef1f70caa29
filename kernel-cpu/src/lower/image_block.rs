//! Block reads and writes of images (`SPV_INTEL_subgroups`): in each row the lanes access neighbouring bytes, each so many of its own.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{BuiltIn, ImageAction, ImageOp, Inst, IntOp, Kind, Preset, Site, TEXEL, TexelKind};
use kernel_core::ImageShape;

impl Lowering<'_, '_> {
    /// OpSubgroupImageBlockReadINTEL and OpSubgroupImageBlockWriteINTEL.
    pub(super) fn image_block(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let is_read = inst.op == Op::SubgroupImageBlockReadINTEL;
        let (ty, access, image) = self.image_operand(inst)?;
        let (shape, _) = self.image_type(inst, ty)?;
        let may = if is_read { access.reads() } else { access.writes() };
        if shape != ImageShape::D2 || !may {
            let problem =
                "a block is of a 2D image that is no depth and no array, and that may be accessed so";
            return Err(inst.error(Problem::Environment(problem)));
        }
        let [x, y] = self.texel_coordinates(inst)?[..] else {
            return Err(inst.error(Problem::TypeMismatch("a block of an image is at two coordinates")));
        };
        let (kind, stored) = match is_read {
            true => (self.result_components(inst)?.0, Vec::new()),
            false => self.components(inst, 2)?,
        };
        let count = if is_read { self.result_components(inst)?.1 } else { stored.len() };
        if !matches!(kind, Kind::I16 | Kind::I32) || !matches!(count, 1 | 2 | 4 | 8) {
            let problem = "block accesses are of 1, 2, 4 or 8 integers of 16 or 32 bits";
            return Err(inst.error(Problem::Environment(problem)));
        }
        self.builder.effect(Inst::Converge(Site(inst.offset))).map_err(|problem| inst.error(problem))?;
        let lane = self.builder.preset(Kind::I32, Preset::BuiltIn(BuiltIn::SubgroupLane));
        let size = self.constant(Kind::I32, kind.size().into());
        let offset = self.emit(Kind::I32, |v| Inst::Int(IntOp::Mul, Kind::I32, v, [lane, size]))?;
        let x = self.emit(Kind::I32, |v| Inst::Int(IntOp::Add, Kind::I32, v, [x, offset]))?;
        let mut values = Vec::with_capacity(count);
        for row in 0..count {
            let row_number = self.constant(Kind::I32, row as u64);
            let y = self.emit(Kind::I32, |v| Inst::Int(IntOp::Add, Kind::I32, v, [y, row_number]))?;
            self.put(inst, shape, (Kind::I32, &[x, y]))?;
            let action = match stored.get(row) {
                Some(&value) => {
                    self.put_number(inst, TEXEL, (kind, value))?;
                    ImageAction::WriteBytes(kind.size())
                }
                None => ImageAction::ReadBytes(kind.size()),
            };
            self.image_inst(inst, ImageOp { action, shape, texel: TexelKind::Integer }, [image[0]; 2])?;
            if is_read {
                values.extend(self.taken(kind, 0..1)?);
            }
        }
        if is_read { self.define(inst, values) } else { Ok(()) }
    }
}
