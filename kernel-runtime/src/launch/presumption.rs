//! What a launch must meet so that its work-items cannot race, as the compiler has derived it.

use super::{LaunchArgument, LaunchSize};
use crate::error::{LaunchError, LaunchProblem};
use core::ops::Range;
use kernel_core::semantics::extend;
use kernel_core::{ArgumentKind, ElementType, KernelDescriptor, Layout, Part};

/// Checks that a launch of this size with these arguments meets all of it.
pub(super) fn check(
    descriptor: &'static KernelDescriptor,
    arguments: &[LaunchArgument],
    size: LaunchSize,
) -> Result<(), LaunchError> {
    if descriptor.presumptions.is_empty() || size.work_items().contains(&0) {
        return Ok(());
    }
    let extents = Extents::of(descriptor, size);
    let given = |part| bounds(arguments, &extents, part);
    match descriptor.presumptions.iter().find(|presumption| !presumption.holds(given)) {
        None => Ok(()),
        Some(presumption) => {
            let mut values: Vec<(String, i128)> = Vec::new();
            for &part in presumption.parts {
                // The size says how far ids go.
                let part = match part {
                    Part::GlobalId(dimension) => Part::GlobalSize(dimension),
                    Part::GroupId(dimension) => Part::NumGroups(dimension),
                    other => other,
                };
                let shown = shown(descriptor, part).zip(given(part));
                // What is not known yet has no value.
                let known = shown.filter(|(_, (least, most))| least == most);
                values.extend(
                    known.map(|(name, (_, value))| (name, value)).filter(|new| !values.contains(new)),
                );
            }
            let problem = LaunchProblem::MayRace { presumption: *presumption, values };
            Err(LaunchError { kernel: descriptor.name, problem })
        }
    }
}

/// How large a launch is.
struct Extents {
    work_items: [usize; 3],
    /// The most work-groups that there are.
    groups: [usize; 3],
    /// The most work-items that a group has.
    group: [usize; 3],
    /// Whether there are as many.
    is_certain: bool,
}

impl Extents {
    fn of(descriptor: &KernelDescriptor, size: LaunchSize) -> Self {
        let work_items = size.work_items();
        let (groups, group, is_certain) = match (size, descriptor.group_size) {
            (LaunchSize::Groups(groups, group), _) => (groups.extents(), group.extents(), true),
            (LaunchSize::Global(_), Some(group)) => {
                let group = group.map(|size| size as usize);
                let count = |dimension: usize| work_items[dimension].div_ceil(group[dimension].max(1));
                ([0, 1, 2].map(count), group, true)
            }
            // The runtime chooses their size.
            (LaunchSize::Global(_), None) => (work_items, work_items, false),
        };
        Self { work_items, groups, group, is_certain }
    }
}

/// Between which numbers something of a launch is.
fn bounds(arguments: &[LaunchArgument], extents: &Extents, part: Part) -> Option<(i128, i128)> {
    let of = |extents: &[usize; 3], dimension: u8| {
        extents.get(usize::from(dimension)).map(|&extent| extent as i128)
    };
    let extent = |dimension| of(&extents.work_items, dimension);
    let groups = |dimension| of(&extents.groups, dimension);
    let exactly = |value| Some((value, value));
    match part {
        Part::Value { argument, offset, scalar } => {
            exactly(extend(scalar, arguments.get(argument as usize)?.bits(offset, scalar)?))
        }
        Part::Length(position) => exactly(arguments.get(position as usize)?.elements()? as i128),
        Part::Memory(position) => {
            let Range { start, end } = arguments.get(position as usize)?.addresses()?;
            Some((start as i128, end as i128 - 1))
        }
        Part::GlobalId(dimension) => Some((0, extent(dimension)? - 1)),
        Part::GlobalSize(dimension) => exactly(extent(dimension)?),
        Part::GroupId(dimension) => Some((0, groups(dimension)? - 1)),
        Part::NumGroups(dimension) if extents.is_certain => exactly(groups(dimension)?),
        Part::NumGroups(dimension) => Some((1, groups(dimension)?)),
        Part::LocalSize(dimension) if extents.is_certain => exactly(of(&extents.group, dimension)?),
        Part::LocalSize(dimension) => Some((1, of(&extents.group, dimension)?)),
        _ => None,
    }
}

/// What a user calls something of a launch.
fn shown(descriptor: &KernelDescriptor, part: Part) -> Option<String> {
    let name = |position: u32| descriptor.arguments.get(position as usize).map(|argument| argument.name);
    match part {
        Part::Value { argument, offset, .. } => Some(field_name(descriptor, argument, offset)?),
        Part::Length(position) => Some(format!("{}.len()", name(position)?)),
        Part::GlobalSize(dimension) => Some(format!("global_size({dimension})")),
        Part::NumGroups(dimension) => Some(format!("num_groups({dimension})")),
        Part::LocalSize(dimension) => Some(format!("local_size({dimension})")),
        _ => None,
    }
}

/// What the source calls a scalar at an offset in an argument.
fn field_name(descriptor: &KernelDescriptor, argument: u32, offset: u32) -> Option<String> {
    let argument = descriptor.arguments.get(argument as usize)?;
    let ArgumentKind::Value(mut ty) = argument.kind else { return None };
    let (mut name, mut rest) = (argument.name.to_owned(), u64::from(offset));
    while let ElementType::Struct(fields) = ty {
        let mut layout = Layout::EMPTY;
        let mut found = None;
        for field in fields.fields {
            let start;
            (layout, start) = layout.with_field(field.ty.layout());
            if start <= rest {
                found = Some((field, start));
            }
        }
        let (field, start) = found?;
        name = format!("{name}.{}", field.name);
        (ty, rest) = (field.ty, rest - start);
    }
    Some(name)
}
