//! Terms that are numbers of the launch: all their leaves are arguments, lengths, sizes and constants.

use super::Search;
use super::number::Number;
use crate::analysis::term::{Node, Term};
use crate::ir::{Handle, ImageOp, Op, PartOfArgument, Place, Query, Type, Value};
use kernel_core::{ExactOp, LaunchStep, Scalar};
use std::rc::Rc;

/// How deep terms are looked into for a number.
const NUMBER_DEPTH: u32 = 8;

impl Search<'_> {
    /// A term as the host computes it, if it is the same for all work-items and made of what the host knows.
    pub(super) fn number(&self, term: Term) -> Option<Number> {
        self.number_within(term, NUMBER_DEPTH)
    }

    fn number_within(&self, term: Term, depth: u32) -> Option<Number> {
        let terms = &self.knowledge.terms;
        let scalar = terms.scalar(term);
        let of = |term| if depth == 0 { None } else { self.number_within(term, depth - 1) };
        Some(match terms.node(term) {
            Node::Constant(value) => Number::Constant(value),
            Node::Parameter(position) => self.parameter(position)?,
            Node::Len(slice) => match terms.node(slice) {
                Node::Parameter(position) => self.len(position)?,
                _ => return None,
            },
            Node::Query(query, dimension) => self.query(query, dimension)?,
            Node::Opaque(value) => self.opaque(value)?,
            Node::Joined(..) | Node::Passes(_) | Node::Any(_) => return None,
            Node::Unary(op, operand) => Number::unary(op, scalar, of(operand)?),
            Node::Binary(op, left, right) => Number::binary(op, terms.scalar(left), of(left)?, of(right)?),
            Node::Min(left, right) => Number::exact(ExactOp::Min, of(left)?, of(right)?),
            Node::Max(left, right) => Number::exact(ExactOp::Max, of(left)?, of(right)?),
            Node::Cast(operand) => Number::cast(scalar, of(operand)?),
            Node::Select(condition, accept, reject) => {
                Number::Select(Rc::new([of(condition)?, of(accept)?, of(reject)?]))
            }
        })
    }

    /// An integer or `bool` that is passed by value.
    fn parameter(&self, position: u32) -> Option<Number> {
        let parameter = self.module.parameters.get(position as usize)?;
        let scalar = self.module.scalar(parameter.ty).filter(|scalar| !scalar.is_float())?;
        let step = LaunchStep::Value { argument: position, offset: 0, scalar };
        Some(Number::Given(step, parameter.name.as_str().into()))
    }

    fn len(&self, position: u32) -> Option<Number> {
        let parameter = self.module.parameters.get(position as usize)?;
        let is_slice = matches!(self.module.types[parameter.ty], Type::Slice { .. });
        is_slice.then(|| Number::Given(LaunchStep::Len(position), format!("{}.len()", parameter.name).into()))
    }

    /// A size of the launch.
    pub(super) fn query(&self, query: Query, dimension: u8) -> Option<Number> {
        let given = |step, name: &str| Number::Given(step, format!("{name}({dimension})").into());
        match query {
            Query::GlobalSize => Some(given(LaunchStep::GlobalSize(dimension), "global_size")),
            Query::NumGroups => Some(given(LaunchStep::NumGroups(dimension), "num_groups")),
            Query::LocalSize => Some(given(LaunchStep::LocalSize(dimension), "local_size")),
            Query::WorkGroupSize => {
                let sizes = (0..self.module.rank().clamp(1, 3))
                    .map(|dimension| self.query(Query::LocalSize, dimension));
                let product = |left, right| Some(Number::exact(ExactOp::Mul, left?, right?));
                sizes.reduce(product)?
            }
            _ => None,
        }
    }

    fn opaque(&self, value: Handle<Value>) -> Option<Number> {
        let Value { ty, ref op, .. } = self.module.values[value];
        let scalar = self.module.scalar(ty).filter(|scalar| !scalar.is_float())?;
        match op {
            Op::Specialization(position) => {
                let name = self.module.specializations.get(*position as usize)?.name.as_str();
                Some(Number::Given(LaunchStep::Specialization(*position, scalar), name.into()))
            }
            Op::Load(place) => self.part_of_argument(place, scalar),
            Op::Image(ImageOp::Size(image, axis)) => self.image_size(*image, *axis),
            _ => None,
        }
    }

    /// How large an image is along an axis.
    fn image_size(&self, image: Handle<Value>, axis: u32) -> Option<Number> {
        let Op::Parameter(argument) = self.module.values[image].op else { return None };
        let parameter = self.module.parameters.get(argument as usize)?;
        let Type::Image(ty) = self.module.types[parameter.ty] else { return None };
        let is_last = axis + 1 == ty.shape.coordinates() as u32;
        let name = match axis {
            _ if is_last && ty.shape.is_array() => "layers",
            0 => "width",
            1 => "height",
            _ => "depth",
        };
        let step = LaunchStep::ImageSize { argument, axis };
        Some(Number::Given(step, format!("{}.{name}()", parameter.name).into()))
    }

    /// A scalar in what is passed by value.
    fn part_of_argument(&self, place: &Place, scalar: Scalar) -> Option<Number> {
        let PartOfArgument { argument, offset } = self.module.part_of_argument(place)?;
        let name = self.module.name_of_part(place)?;
        Some(Number::Given(LaunchStep::Value { argument, offset, scalar }, name.into()))
    }
}
