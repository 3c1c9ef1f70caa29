//! How a case reaches a device: its grid, and its arguments by the kernel ABI.

use super::printed::{BUFFER, NUMBER};
use super::{Argument, Case};
use kernel_core::descriptor::Spirv;
use kernel_core::image::{ImageFormat, SamplerState};
use kernel_core::{ArgumentKind, ImageShape, LaunchFacts, Scalar};

/// One argument of the entry point on the device.
#[derive(Clone, Copy, Debug)]
pub enum DeviceArgument<'a> {
    /// Passed by value.
    Value(&'a [u8]),
    /// A pointer to memory of the device that holds these bytes before the launch.
    Buffer(&'a [u8]),
    /// Memory of the device that holds these bytes before the launch, and that is no argument.
    Elsewhere(&'a [u8]),
    /// The number of elements of the buffer before it.
    Count(u64),
    /// Local memory of so many bytes.
    Local(usize),
    /// An image with these texels before the launch.
    Image(DeviceImageArgument<'a>),
    /// A sampler.
    Sampler(SamplerState),
    /// A pointer to memory of the device of this many zero bytes, the fault record.
    FaultRecord(usize),
    /// No argument, but what a fault record of so many bytes would hold, of an entry point that cannot fault.
    NoFaultRecord(usize),
}

/// An image of the device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceImageArgument<'a> {
    /// Its dimensions.
    pub shape: ImageShape,
    /// The format of its texels.
    pub format: ImageFormat,
    /// Its sizes in the order of the coordinates.
    pub size: [usize; 3],
    /// Its texels before the launch.
    pub texels: &'a [u8],
}

impl Case {
    /// The entry points that do what the case expects: the kernel, and the one without the checks that the host makes if none of these fails.
    #[allow(dead_code, reason = "the runtime chooses by itself")]
    pub fn entry_points(&self) -> Vec<&'static str> {
        let hoisted = self.kernel.hoisted.filter(|hoisted| hoisted.cannot_fail(self));
        [self.kernel.name].into_iter().chain(hoisted.map(|hoisted| hoisted.entry_point)).collect()
    }

    /// The modules of these entry points, each with those in it: the other one makes all checks in small launches.
    #[allow(dead_code, reason = "the runtime chooses by itself")]
    pub fn modules(&self) -> Vec<(Spirv, Vec<&'static str>)> {
        let small = self.kernel.small.filter(|small| small.contain(self));
        let small = small.map(|small| (small.spirv, vec![self.kernel.name]));
        [(self.kernel.spirv, self.entry_points())].into_iter().chain(small).collect()
    }

    /// The arguments of one of the entry points, in order.
    ///
    /// # Panics
    ///
    /// If the arguments of the case are not those of the kernel: then the case is wrong.
    #[allow(dead_code, reason = "the runtime chooses by itself")]
    pub fn device_arguments_of(&self, entry_point: &str) -> Vec<DeviceArgument<'_>> {
        let mut arguments = self.device_arguments();
        let hoisted = self.kernel.hoisted.filter(|hoisted| hoisted.entry_point == entry_point);
        if let (Some(hoisted), Some(record)) = (hoisted, arguments.last_mut())
            && let (false, DeviceArgument::FaultRecord(bytes)) = (hoisted.can_fault, &*record)
        {
            *record = DeviceArgument::NoFaultRecord(*bytes);
        }
        arguments
    }

    /// The arguments of the kernel, in order.
    ///
    /// # Panics
    ///
    /// If the arguments of the case are not those of the kernel: then the case is wrong.
    pub fn device_arguments(&self) -> Vec<DeviceArgument<'_>> {
        self.assert_matches_signature();
        let mut arguments = Vec::new();
        for argument in &self.arguments {
            match argument {
                Argument::Value { value, .. } => arguments.push(DeviceArgument::Value(value)),
                Argument::Slice { typed, before, .. } => {
                    let count = before.len() as u64 / typed.ty.layout().size;
                    arguments.push(DeviceArgument::Buffer(before));
                    arguments.push(DeviceArgument::Count(count));
                }
                Argument::Image { typed, before, .. } => {
                    arguments.push(DeviceArgument::Image(typed.of_device(before)))
                }
                Argument::Local { typed, len } => {
                    arguments.push(DeviceArgument::Local((*len).max(1) * typed.ty.layout().size as usize));
                    arguments.push(DeviceArgument::Count(*len as u64));
                }
                Argument::Sampler(state, _) => arguments.push(DeviceArgument::Sampler(*state)),
                Argument::Address { before, .. } => arguments.push(DeviceArgument::Buffer(before)),
                Argument::Elsewhere { before, .. } => arguments.push(DeviceArgument::Elsewhere(before)),
            }
        }
        if self.kernel.prints() {
            arguments.push(DeviceArgument::Buffer(bytemuck::cast_slice(&BUFFER)));
            arguments.push(DeviceArgument::Value(&NUMBER));
        }
        if self.kernel.has_fault_record() {
            arguments.push(DeviceArgument::FaultRecord(self.kernel.fault_record_bytes()));
        }
        arguments
    }

    /// The bytes of the constants that the launch sets, in order.
    pub fn constant_bytes(&self) -> Vec<Vec<u8>> {
        let declared = self.kernel.specializations.iter();
        let pairs = declared.zip(self.constants());
        pairs.map(|(declared, value)| value.to_ne_bytes()[..declared.ty.size()].to_vec()).collect()
    }

    /// A wrong argument would be read as something else by the kernel, so this does not leave it to the outcome.
    pub(super) fn assert_matches_signature(&self) {
        let (name, origin) = (self.kernel.name, self.origin());
        let declared: Vec<ArgumentKind> =
            self.kernel.arguments.iter().map(|argument| argument.kind).collect();
        let given = self.arguments.iter().filter(|given| !matches!(given, Argument::Elsewhere { .. }));
        assert_eq!(declared.len(), given.count(), "{name}, {origin}: wrong number of arguments");
        for (position, (declared, given)) in declared.into_iter().zip(&self.arguments).enumerate() {
            let matches = match (declared, given) {
                (ArgumentKind::Image(declared), Argument::Image { typed, .. }) => {
                    declared.shape == typed.shape && typed.format.goes_with(declared.class)
                }
                (ArgumentKind::Sampler(declared), Argument::Sampler(given, _)) => {
                    (declared.filter, declared.normalized) == (given.filter, given.normalized)
                }
                (ArgumentKind::Value(declared), Argument::Value { typed, .. })
                | (ArgumentKind::Slice { element: declared, .. }, Argument::Slice { typed, .. })
                | (ArgumentKind::Local { element: declared }, Argument::Local { typed, .. })
                | (
                    ArgumentKind::Reference { element: declared, .. }
                    | ArgumentKind::Pointer { element: declared, .. },
                    Argument::Address { typed, .. },
                ) => declared == typed.ty,
                _ => false,
            };
            assert!(matches, "{name}, {origin}: argument {position} must be {declared}");
        }
    }
}

impl LaunchFacts for Case {
    fn len(&self, argument: u32) -> Option<u64> {
        match self.arguments.get(argument as usize)? {
            Argument::Slice { typed, before, .. } => Some(before.len() as u64 / typed.ty.layout().size),
            Argument::Local { len, .. } => Some(*len as u64),
            _ => None,
        }
    }

    fn image_size(&self, argument: u32, axis: u32) -> Option<u64> {
        let Argument::Image { typed, before, .. } = self.arguments.get(argument as usize)? else {
            return None;
        };
        Some(typed.of_device(before).size[axis as usize] as u64)
    }

    fn value(&self, argument: u32, offset: u32, scalar: Scalar) -> Option<u64> {
        let Argument::Value { value, .. } = self.arguments.get(argument as usize)? else { return None };
        let bytes = value.get(offset as usize..offset as usize + scalar.size())?;
        let mut bits = [0; 8];
        bits[..bytes.len()].copy_from_slice(bytes);
        Some(u64::from_le_bytes(bits))
    }

    fn global_size(&self, dimension: u8) -> Option<u64> {
        let dimension = usize::from(dimension);
        Some(u64::from(self.groups[dimension]) * u64::from(self.group_size[dimension]))
    }

    fn local_size(&self, dimension: u8) -> Option<u64> {
        Some(u64::from(self.group_size[usize::from(dimension)]))
    }

    fn specialization(&self, position: u32) -> Option<u64> {
        self.constants.get(position as usize).copied()
    }
}

/// A number of work-groups and their size.
pub(super) struct Grid {
    groups: [u32; 3],
    group_size: [u32; 3],
}

impl Grid {
    /// The most work-items that a work-group of [`Grid::covering`] has in one dimension; every device takes 4 × 4 × 4.
    const MOST: [usize; 4] = [1, 64, 8, 4];

    pub(super) fn new<const D: usize>(groups: [u32; D], group_size: [u32; D]) -> Self {
        Self { groups: in_three_dimensions(groups), group_size: in_three_dimensions(group_size) }
    }

    /// A grid of exactly this many work-items, with work-groups of the required size, or else of the largest
    /// size that divides them and is small enough for any device.
    pub(super) fn covering<const D: usize>(items: [usize; D], required: Option<[u32; 3]>) -> Self {
        let items = in_three_dimensions(
            items.map(|count| u32::try_from(count).expect("a launch of a test is small")),
        );
        let group_size =
            required.unwrap_or_else(|| items.map(|count| largest_divisor(count, Self::MOST[D] as u32)));
        let mut groups = [1; 3];
        for dimension in 0..3 {
            let (count, size) = (items[dimension], group_size[dimension]);
            assert!(count > 0 && count.is_multiple_of(size), "{count} work-items in groups of {size}");
            groups[dimension] = count / size;
        }
        Self { groups, group_size }
    }

    /// The number of work-groups, then their size.
    pub(super) fn into_parts(self) -> ([u32; 3], [u32; 3]) {
        (self.groups, self.group_size)
    }
}

fn in_three_dimensions<const D: usize>(sizes: [u32; D]) -> [u32; 3] {
    let mut all = [1; 3];
    all[..D].copy_from_slice(&sizes);
    all
}

fn largest_divisor(count: u32, limit: u32) -> u32 {
    (1..=limit).rev().find(|&divisor| count.is_multiple_of(divisor)).unwrap_or(1)
}
