//! Loads from and stores to each of a vector of addresses where a mask has the component: SPV_INTEL_masked_gather_scatter.

use super::Lowering;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{Inst, Kind, Site, Space, Value};

/// The addresses of a vector, and what is there.
struct Places {
    addresses: Vec<Value>,
    kind: Kind,
    space: Space,
    site: Site,
}

impl Lowering<'_, '_> {
    /// OpMaskedGatherINTEL: components that the mask does not have are those of the last operand.
    pub(super) fn gather(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |problem| inst.error(problem);
        let places = self.places(inst, 0, false)?;
        let mask = self.mask(inst, 2, &places)?;
        let others = self.elements(inst, 3, &places)?;
        let (kind, count) = self.result_components(inst)?;
        if (kind, count) != (places.kind, places.addresses.len()) {
            return Err(inst.error(Problem::TypeMismatch("what is gathered and the result")));
        }
        let mut values = Vec::with_capacity(count);
        for ((&address, is_wanted), other) in places.addresses.iter().zip(mask).zip(others) {
            let gathered = self.builder.new_variable(kind);
            self.builder.write(gathered, other).map_err(located)?;
            self.only_where(inst, is_wanted, |this| {
                let value = this.load_scalar(kind, places.space, address, places.site)?;
                Ok(this.builder.write(gathered, value)?)
            })?;
            values.push(self.builder.read(gathered).map_err(located)?);
        }
        self.define(inst, values)
    }

    /// OpMaskedScatterINTEL: the components one after the other, so that the last of several for one place stays.
    pub(super) fn scatter(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let places = self.places(inst, 1, true)?;
        let values = self.elements(inst, 0, &places)?;
        let mask = self.mask(inst, 3, &places)?;
        let Places { kind, space, site, .. } = places;
        for ((&address, is_wanted), value) in places.addresses.iter().zip(mask).zip(values) {
            let store = Inst::Store { kind, space, value, address, site };
            self.only_where(inst, is_wanted, |this| Ok(this.builder.effect(store)?))?;
        }
        Ok(())
    }

    /// The operand that is a vector of pointers to scalars.
    fn places(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
        are_written: bool,
    ) -> Result<Places, LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, addresses) = self.values(inst, index)?;
        let Type::Vector { element, .. } = *self.module.types.get(ty).map_err(located)? else {
            return Err(inst.error(Problem::Expected { what: "the type of a vector of pointers", id: ty }));
        };
        let (class, pointee) = self.module.types.pointer(element).map_err(located)?;
        let kind = match *self.module.types.get(pointee).map_err(located)? {
            Type::Scalar(kind) if kind != Kind::Bool => kind,
            _ => return Err(inst.error(Problem::TypeMismatch("the pointers lead to numbers"))),
        };
        let space = if are_written { self.writable_space(inst, class)? } else { self.space(inst, class)? };
        Ok(Places { addresses, kind, space, site: Site(inst.offset) })
    }

    /// The operand that has a boolean for each address.
    fn mask(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
        places: &Places,
    ) -> Result<Vec<Value>, LoadError> {
        self.for_each(inst, index, places, Kind::Bool, "a mask has a boolean for each address")
    }

    /// The operand that has a number for each address.
    fn elements(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
        places: &Places,
    ) -> Result<Vec<Value>, LoadError> {
        self.for_each(inst, index, places, places.kind, "there is a number for each address")
    }

    /// The operand that has something of a kind for each address.
    fn for_each(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
        places: &Places,
        wanted: Kind,
        rule: &'static str,
    ) -> Result<Vec<Value>, LoadError> {
        let (kind, values) = self.components(inst, index)?;
        if (kind, values.len()) != (wanted, places.addresses.len()) {
            return Err(inst.error(Problem::TypeMismatch(rule)));
        }
        Ok(values)
    }
}
