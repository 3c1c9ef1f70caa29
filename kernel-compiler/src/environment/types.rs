//! Types.

use super::facts::{Facts, id, number};
use super::{Rule, Violation};
use rspirv::spirv::Op;

pub(super) fn integer_signedness(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeInt, Rule::IntegerSignedness, violations, |ty| number(ty, 1) == Some(0));
}

pub(super) fn integer_width(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeInt, Rule::IntegerWidth, violations, |ty| {
        matches!(number(ty, 0), Some(8 | 16 | 32 | 64))
    });
}

pub(super) fn float_width(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeFloat, Rule::FloatWidth, violations, |ty| {
        matches!(number(ty, 0), Some(16 | 32 | 64))
    });
}

pub(super) fn vector_component(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeVector, Rule::VectorComponent, violations, |ty| {
        let component = id(ty, 0).and_then(|component| facts.definition(component));
        component.is_some_and(|ty| matches!(ty.class.opcode, Op::TypeBool | Op::TypeInt | Op::TypeFloat))
    });
}

pub(super) fn vector_count(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeVector, Rule::VectorCount, violations, |ty| {
        matches!(number(ty, 1), Some(2 | 3 | 4 | 8 | 16))
    });
}

/// The kinds that the guide lists, and those that the instructions it allows cannot do without.
pub(super) fn supported_type(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    let types = facts.module.types_global_values.iter();
    let unsupported = types.filter(|instruction| {
        instruction.class.opname.starts_with("Type") && !is_supported(instruction.class.opcode)
    });
    violations.extend(unsupported.map(|ty| Violation::new(Rule::SupportedType, ty)));
}

fn is_supported(op: Op) -> bool {
    let listed = matches!(
        op,
        Op::TypeVoid
            | Op::TypeBool
            | Op::TypeInt
            | Op::TypeFloat
            | Op::TypeVector
            | Op::TypeArray
            | Op::TypeStruct
            | Op::TypeFunction
            | Op::TypePointer
            | Op::TypeImage
            | Op::TypeSampler
    );
    // Sampling needs sampled images, and asynchronous copies need events.
    listed || matches!(op, Op::TypeForwardPointer | Op::TypeSampledImage | Op::TypeEvent)
}
