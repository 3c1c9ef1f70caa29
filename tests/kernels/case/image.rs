//! Images and samplers as arguments.

use super::launch::DeviceImageArgument;
use super::typed::DeviceSlice;
use super::{Argument, Case};
use kernel_core::image::{
    Access, AddressMode, Channel, ChannelType, Coordinates, Filter, Image, ImageFormat, ReadWrite, Sampler,
    SamplerState, Shape, WriteOnly,
};
use kernel_core::{ArgumentKind, Element, ElementType, ImageAccess, ImageShape};
use kernel_runtime::{DeviceImage, LaunchArgument, Queue, Result};

/// The type of an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypedImage {
    pub(super) shape: ImageShape,
    pub(super) format: ImageFormat,
    size: [usize; 3],
    upload: fn(&Queue, ImageFormat, [usize; 3], &[u8]) -> Result<Box<dyn DeviceSlice>>,
}

impl TypedImage {
    fn of<S: Shape, T: Channel, A: Access>(image: &Image<S, T, A>) -> Self {
        Self {
            shape: S::SHAPE,
            format: image.format(),
            size: image.size(),
            upload: |queue, format, size, texels| {
                let image: DeviceImage<S, T> = queue.upload_image(format, S::coordinates(size), texels)?;
                Ok(Box::new(image))
            },
        }
    }

    /// What a channel is in memory.
    pub(super) fn channel(&self) -> ElementType {
        match self.format.channel {
            ChannelType::Snorm8 | ChannelType::Sint8 => i8::TYPE,
            ChannelType::Snorm16 | ChannelType::Sint16 => i16::TYPE,
            ChannelType::Unorm8 | ChannelType::Uint8 => u8::TYPE,
            ChannelType::Unorm16 | ChannelType::Uint16 => u16::TYPE,
            ChannelType::Sint32 => i32::TYPE,
            ChannelType::Uint32 => u32::TYPE,
            ChannelType::Float16 => kernel_core::f16::TYPE,
            ChannelType::Float32 => f32::TYPE,
        }
    }

    pub(super) fn upload(&self, queue: &Queue, texels: &[u8]) -> Result<Box<dyn DeviceSlice>> {
        (self.upload)(queue, self.format, self.size, texels)
    }

    pub(super) fn of_device<'a>(&self, texels: &'a [u8]) -> DeviceImageArgument<'a> {
        let Self { shape, format, size, .. } = *self;
        DeviceImageArgument { shape, format, size, texels }
    }
}

impl<S: Shape, T: Channel> DeviceSlice for DeviceImage<S, T> {
    fn argument(&mut self, kind: ArgumentKind) -> LaunchArgument {
        let ArgumentKind::Image(image) = kind else { panic!("the argument is an image, and not {kind}") };
        match image.access {
            ImageAccess::ReadOnly => LaunchArgument::image(self),
            ImageAccess::WriteOnly => LaunchArgument::image_mut::<WriteOnly, S, T>(self),
            ImageAccess::ReadWrite => LaunchArgument::image_mut::<ReadWrite, S, T>(self),
        }
    }

    fn address(&self) -> u64 {
        unreachable!("no pointer leads to an image")
    }

    fn write(&mut self, _: &Queue, _: &[u8]) -> Result<()> {
        unreachable!("no pointer leads to an image")
    }

    fn download(&self, queue: &Queue) -> Result<Vec<u8>> {
        queue.download_image(self)
    }
}

impl Case {
    /// Passes an image that must hold the same texels after the launch.
    pub fn image<S: Shape, T: Channel, A: Access>(self, image: &Image<S, T, A>) -> Self {
        self.image_update(image, image)
    }

    /// Passes an image whose texels must change from `before` to `after`.
    pub fn image_update<S: Shape, T: Channel, A: Access, B: Access>(
        mut self,
        before: &Image<S, T, A>,
        after: &Image<S, T, B>,
    ) -> Self {
        let (before, typed) = (before.bytes().to_vec(), TypedImage::of(after));
        self.arguments.push(Argument::Image { typed, before, after: after.bytes().to_vec() });
        self
    }

    /// Passes an image whose every texel must be written by the launch.
    ///
    /// Before the launch it holds the complement of what is expected, so that a texel that is left out shows.
    pub fn image_output<S: Shape, T: Channel, A: Access>(mut self, expected: &Image<S, T, A>) -> Self {
        let after = expected.bytes().to_vec();
        let before = after.iter().map(|byte| !byte).collect();
        self.arguments.push(Argument::Image { typed: TypedImage::of(expected), before, after });
        self
    }

    /// Passes a sampler.
    pub fn sampler<F: Filter, C: Coordinates>(mut self, sampler: Sampler<F, C>) -> Self {
        self.arguments.push(Argument::Sampler(sampler.state(), argument::<F, C>));
        self
    }
}

/// The sampler with this state, which is of this type.
fn argument<F: Filter, C: Coordinates>(state: SamplerState) -> LaunchArgument {
    match state.address {
        AddressMode::ClampToEdge => LaunchArgument::sampler(Sampler::<F, C>::clamp_to_edge()),
        AddressMode::Repeat => {
            LaunchArgument::sampler(Sampler::<F, kernel_core::image::Normalized>::repeat())
        }
        AddressMode::MirroredRepeat => {
            LaunchArgument::sampler(Sampler::<F, kernel_core::image::Normalized>::mirrored_repeat())
        }
        _ => LaunchArgument::sampler(Sampler::<F, C>::clamp_to_border()),
    }
}
