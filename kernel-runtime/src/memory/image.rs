//! Images: texels of a device that kernels reach by coordinates, and samplers.

use crate::device::Device;
use crate::device::limits::ImageLimits;
use crate::error::driver::call;
use crate::error::{DriverError, Feature, ImageError, ImageProblem, Result};
use crate::memory::Resource;
use crate::memory::usage::Usage;
use crate::queue::Queue;
use core::fmt;
use core::marker::PhantomData;
use kernel_core::image::{
    Access, AddressMode, Channel, ChannelOrder, ChannelType, FilterMode, HasDepth, HasHeight, HasLayers,
    Image, ImageFormat, SamplerState, Shape,
};
use kernel_core::{Access as Use, Element, ImageShape, ImageType};
use level_zero_sys::{
    ze_image_desc_t, ze_image_flags_t, ze_image_format_layout_t, ze_image_format_swizzle_t,
    ze_image_format_t, ze_image_format_type_t, ze_image_handle_t, ze_image_type_t, ze_sampler_address_mode_t,
    ze_sampler_desc_t, ze_sampler_filter_mode_t, ze_sampler_handle_t,
};
use std::collections::HashMap;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// An image of a device, which kernels take as `&Image2d<f32>` and the like.
///
/// `S` are its dimensions, one of [`images::shapes`](crate::images::shapes), and `T` is what its channels are to a kernel. A [`Queue`] makes it, and
/// every queue of the same device can use it. It may be dropped while kernels still work on it.
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::prelude::*;
///
/// #[kernel]
/// fn invert(picture: &Image2d<f32>, result: &mut Image2d<f32, WriteOnly>) {
///     let (x, y) = (global_id(0), global_id(1));
///     if x < picture.width() && y < picture.height() && x < result.width() && y < result.height() {
///         result.write((x, y), f32x4::splat(1.0) - picture.read((x, y)));
///     }
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let format = ImageFormat::new(ChannelOrder::R, ChannelType::Unorm8);
/// let picture = queue.upload_image(format, (2, 2), &[0_u8, 55, 200, 255])?;
/// let mut result = queue.zeroed_image(format, (2, 2))?;
/// invert(&picture, &mut result).launch(&queue, (2, 2))?;
/// assert_eq!(queue.download_image::<_, _, u8>(&result)?, [255, 200, 55, 0]);
/// # Ok(())
/// # }
/// ```
pub struct DeviceImage<S: Shape, T: Channel> {
    texels: Arc<Texels>,
    types: PhantomData<(S, T)>,
}

/// What the host passes for the image type of a kernel's parameter.
///
/// # Safety
///
/// A kernel that takes an image of this `TYPE` can be given any `OnDevice`.
#[doc(hidden)]
pub unsafe trait KernelImage {
    /// The type of the host's image.
    type OnDevice;
    /// The type as the kernel's descriptor has it.
    const TYPE: ImageType;
}

// SAFETY: shape and channels are those of the image on the device.
unsafe impl<S: Shape, T: Channel, A: Access> KernelImage for Image<S, T, A> {
    type OnDevice = DeviceImage<S, T>;
    const TYPE: ImageType = ImageType { shape: S::SHAPE, class: T::CLASS, access: A::ACCESS };
}

/// The host's image for the image type of a kernel's parameter.
#[doc(hidden)]
pub type ImageArgument<I> = <I as KernelImage>::OnDevice;

/// The texels of an image. Dropping them retires the driver's image.
pub(crate) struct Texels {
    device: Device,
    handle: ImageHandle,
    format: ImageFormat,
    shape: ImageShape,
    size: [usize; 3],
    bytes: usize,
    usage: Usage,
}

/// An image of the driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImageHandle(pub(crate) ze_image_handle_t);

// SAFETY: it is a name for what the driver keeps, and the driver lets any thread use it.
unsafe impl Send for ImageHandle {}
// SAFETY: the same.
unsafe impl Sync for ImageHandle {}

impl<S: Shape, T: Channel> DeviceImage<S, T> {
    /// The format of the texels in memory.
    #[must_use]
    pub fn format(&self) -> ImageFormat {
        self.texels.format
    }

    /// The sizes in the order of the coordinates; 1 where there is no such dimension.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.texels.size
    }

    /// The number of texels in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.size()[0]
    }

    /// The device of the image.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.texels.device
    }

    pub(crate) fn texels(&self) -> &Arc<Texels> {
        &self.texels
    }

    /// Checks that texels on the host have as many bytes as the image, and that the image is of the device.
    fn check_copy<E: Element>(&self, device: &Device, len: usize) -> Result<(), ImageError> {
        let (image, host) = (self.texels.bytes, len.saturating_mul(size_of::<E>()));
        if image != host {
            return Err(self.error(ImageProblem::LengthMismatch { image, host }));
        }
        self.check_device(device)
    }

    fn check_device(&self, device: &Device) -> Result<(), ImageError> {
        if self.device() == device {
            return Ok(());
        }
        let (image, queue) = (self.device().name().into(), device.name().into());
        Err(self.error(ImageProblem::OtherDevice { image, queue }))
    }

    fn error(&self, problem: ImageProblem) -> ImageError {
        let Texels { format, shape, size, .. } = *self.texels;
        ImageError { shape, format, size, problem }
    }
}

impl<S: HasHeight, T: Channel> DeviceImage<S, T> {
    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.size()[1]
    }
}

impl<S: HasDepth, T: Channel> DeviceImage<S, T> {
    /// The number of slices.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.size()[2]
    }
}

impl<S: HasLayers, T: Channel> DeviceImage<S, T> {
    /// The number of images in the array.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.size()[S::SHAPE.coordinates() - 1]
    }
}

impl<S: Shape, T: Channel> fmt::Debug for DeviceImage<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Texels { format, shape, size, device, .. } = &*self.texels;
        write!(f, "{}({size:?} texels of {format} on \"{}\")", shape.name(), device.name())
    }
}

impl Texels {
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn usage(&self) -> &Usage {
        &self.usage
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many texels there are along each axis, in the order of the coordinates.
    pub(crate) fn size(&self) -> [usize; 3] {
        self.size
    }

    pub(crate) fn handle(&self) -> ze_image_handle_t {
        self.handle.0
    }
}

impl Drop for Texels {
    fn drop(&mut self) {
        self.device.reclaimer().retire(&self.device, Resource::Image(self.handle), self.bytes);
    }
}

impl Queue {
    /// Makes an image of a size with texels from the host, row after row without gaps. Waits until they are copied.
    ///
    /// The elements are of any type, such as `u8` or `f32`; their bytes are the texels, in the format that is given.
    ///
    /// # Errors
    ///
    /// [`Error::Image`](crate::Error::Image) if the device has no images or none of this size, if a size is zero, if the format does
    /// not go with `T`, or if the texels are not as many bytes as the image has; [`Error::Driver`](crate::Error::Driver) if the
    /// device has no memory left, does not know the format, or the copy fails.
    pub fn upload_image<S: Shape, T: Channel, E: Element>(
        &self,
        format: ImageFormat,
        size: S::Coordinates,
        texels: &[E],
    ) -> Result<DeviceImage<S, T>> {
        let mut image = self.new_image::<S, T>(format, size)?;
        self.write_image(&mut image, texels)?;
        Ok(image)
    }

    /// Makes an image of a size whose bytes are all zero.
    ///
    /// # Errors
    ///
    /// Those of [`upload_image`](Self::upload_image).
    pub fn zeroed_image<S: Shape, T: Channel>(
        &self,
        format: ImageFormat,
        size: S::Coordinates,
    ) -> Result<DeviceImage<S, T>> {
        let mut image = self.new_image::<S, T>(format, size)?;
        let zeros = vec![0_u8; image.texels.bytes];
        self.write_image(&mut image, &zeros)?;
        Ok(image)
    }

    /// Copies texels from the host into an image. Waits until they are copied.
    ///
    /// # Errors
    ///
    /// [`Error::Image`](crate::Error::Image) if the texels are not as many bytes as the image has, or the image is of another device;
    /// [`Error::Driver`](crate::Error::Driver) if the copy fails.
    pub fn write_image<S: Shape, T: Channel, E: Element>(
        &self,
        image: &mut DeviceImage<S, T>,
        texels: &[E],
    ) -> Result<()> {
        image.check_copy::<E>(self.device(), texels.len())?;
        let (handle, from) = (image.texels.handle(), texels.as_ptr().cast_mut().cast());
        // SAFETY: the image is live and has as many bytes as the texels, which are borrowed until the copy is complete.
        unsafe {
            self.copy_image(&image.texels, Use::ReadWrite, from, |api, list, event, from| {
                call!(
                    api,
                    zeCommandListAppendImageCopyFromMemory(
                        list,
                        handle,
                        from,
                        ptr::null(),
                        event,
                        0,
                        ptr::null_mut()
                    )
                )
            })
        }
    }

    /// Copies the texels of an image to the host, after all that was enqueued before.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`](crate::Error::Fault) if a kernel that was enqueued before has faulted;
    /// [`Error::Image`](crate::Error::Image) if the image is of another device, or its bytes do not divide into elements;
    /// [`Error::Buffer`](crate::Error::Buffer) if they are no values of `E`; [`Error::Driver`](crate::Error::Driver) if the copy fails.
    pub fn download_image<S: Shape, T: Channel, E: Element>(
        &self,
        image: &DeviceImage<S, T>,
    ) -> Result<Vec<E>> {
        let len = image.texels.bytes / size_of::<E>();
        image.check_copy::<E>(self.device(), len)?;
        let mut values = crate::memory::buffer::HostValues::<E>::zeroed(len);
        let (handle, to) = (image.texels.handle(), values.as_mut_ptr());
        // SAFETY: the image is live and has as many bytes as the values have room for, which are kept until the copy is complete.
        unsafe {
            self.copy_image(&image.texels, Use::Read, to, |api, list, event, to| {
                call!(
                    api,
                    zeCommandListAppendImageCopyToMemory(
                        list,
                        to,
                        handle,
                        ptr::null(),
                        event,
                        0,
                        ptr::null_mut()
                    )
                )
            })
        }?;
        Ok(values.check()?)
    }

    fn new_image<S: Shape, T: Channel>(
        &self,
        format: ImageFormat,
        size: S::Coordinates,
    ) -> Result<DeviceImage<S, T>> {
        let (device, size) = (self.device(), S::numbers(size));
        let error = |problem| ImageError { shape: S::SHAPE, format, size, problem };
        if !format.goes_with(T::CLASS) {
            return Err(error(ImageProblem::Class { expected: T::CLASS }).into());
        }
        let limits = device.limits().images.as_ref().ok_or_else(|| error(ImageProblem::NoImages))?;
        let bytes = check_size(S::SHAPE, size, limits, format).map_err(error)?;
        let descriptor = image_descriptor(S::SHAPE, size, format);
        let mut handle = ze_image_handle_t::NULL;
        let context = device.context()?;
        // SAFETY: context and device are live, and both pointers are to live variables.
        unsafe { call!(device.api(), zeImageCreate(context, device.handle(), &descriptor, &mut handle)) }?;
        let handle = ImageHandle(handle);
        let (device, shape) = (device.clone(), S::SHAPE);
        let texels = Texels { device, handle, format, shape, size, bytes, usage: Usage::default() };
        Ok(DeviceImage { texels: Arc::new(texels), types: PhantomData })
    }
}

/// The bytes of an image, if a device can have one of this size.
fn check_size(
    shape: ImageShape,
    size: [usize; 3],
    limits: &ImageLimits,
    format: ImageFormat,
) -> Result<usize, ImageProblem> {
    let mut texels = 1_usize;
    for (axis, size) in size.into_iter().enumerate().take(shape.coordinates()) {
        let limit = limits.of(shape, axis);
        if size == 0 {
            return Err(ImageProblem::Empty);
        }
        if size as u64 > limit {
            return Err(ImageProblem::TooLarge { axis, limit });
        }
        texels = texels.checked_mul(size).ok_or(ImageProblem::TooLarge { axis, limit })?;
    }
    let bytes = texels.checked_mul(format.texel_size()).filter(|&bytes| isize::try_from(bytes).is_ok());
    bytes.ok_or(ImageProblem::TooLarge { axis: 0, limit: limits.of(shape, 0) })
}

fn image_descriptor(shape: ImageShape, size: [usize; 3], format: ImageFormat) -> ze_image_desc_t {
    let narrow = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
    let (type_, height, depth, layers) = match shape {
        ImageShape::D1 => (ze_image_type_t::ZE_IMAGE_TYPE_1D, 1, 1, 0),
        ImageShape::D1Array => (ze_image_type_t::ZE_IMAGE_TYPE_1DARRAY, 1, 1, size[1]),
        ImageShape::D2 | ImageShape::D2Depth => (ze_image_type_t::ZE_IMAGE_TYPE_2D, size[1], 1, 0),
        ImageShape::D2Array | ImageShape::D2ArrayDepth => {
            (ze_image_type_t::ZE_IMAGE_TYPE_2DARRAY, size[1], 1, size[2])
        }
        ImageShape::D3 => (ze_image_type_t::ZE_IMAGE_TYPE_3D, size[1], size[2], 0),
        ImageShape::Buffer => (ze_image_type_t::ZE_IMAGE_TYPE_BUFFER, 1, 1, 0),
    };
    ze_image_desc_t {
        flags: ze_image_flags_t::ZE_IMAGE_FLAG_KERNEL_WRITE,
        type_,
        format: format_descriptor(format),
        width: size[0] as u64,
        height: narrow(height),
        depth: narrow(depth),
        arraylevels: narrow(layers),
        ..Default::default()
    }
}

fn format_descriptor(format: ImageFormat) -> ze_image_format_t {
    use ze_image_format_layout_t as Layout;
    use ze_image_format_swizzle_t as Swizzle;
    let layout = match (format.order, format.channel.size()) {
        (ChannelOrder::R, 1) => Layout::ZE_IMAGE_FORMAT_LAYOUT_8,
        (ChannelOrder::R, 2) => Layout::ZE_IMAGE_FORMAT_LAYOUT_16,
        (ChannelOrder::R, _) => Layout::ZE_IMAGE_FORMAT_LAYOUT_32,
        (ChannelOrder::Rg, 1) => Layout::ZE_IMAGE_FORMAT_LAYOUT_8_8,
        (ChannelOrder::Rg, 2) => Layout::ZE_IMAGE_FORMAT_LAYOUT_16_16,
        (ChannelOrder::Rg, _) => Layout::ZE_IMAGE_FORMAT_LAYOUT_32_32,
        (_, 1) => Layout::ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
        (_, 2) => Layout::ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16,
        _ => Layout::ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32,
    };
    let type_ = match format.channel {
        ChannelType::Snorm8 | ChannelType::Snorm16 => ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_SNORM,
        ChannelType::Unorm8 | ChannelType::Unorm16 => ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_UNORM,
        ChannelType::Sint8 | ChannelType::Sint16 | ChannelType::Sint32 => {
            ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_SINT
        }
        ChannelType::Uint8 | ChannelType::Uint16 | ChannelType::Uint32 => {
            ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_UINT
        }
        ChannelType::Float16 | ChannelType::Float32 => ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_FLOAT,
    };
    let [red, green, blue, alpha] = [
        Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_R,
        Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_G,
        Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_B,
        Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_A,
    ];
    let (none, one) = (Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_0, Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_1);
    let [x, y, z, w] = match format.order {
        ChannelOrder::R => [red, none, none, one],
        ChannelOrder::Rg => [red, green, none, one],
        ChannelOrder::Rgba => [red, green, blue, alpha],
        ChannelOrder::Bgra => [blue, green, red, alpha],
    };
    ze_image_format_t { layout, type_, x, y, z, w }
}

/// A sampler of the driver.
#[derive(Clone, Copy, Debug)]
struct SamplerHandle(ze_sampler_handle_t);

// SAFETY: it is a name for what the driver keeps, and the driver lets any thread use it.
unsafe impl Send for SamplerHandle {}

/// The samplers of a device, each made when it is first used and kept: there are few different ones.
#[derive(Debug, Default)]
pub(crate) struct Samplers(Mutex<HashMap<SamplerState, SamplerHandle>>);

impl Samplers {
    /// The driver's sampler.
    pub(crate) fn get(
        &self,
        device: &Device,
        state: SamplerState,
    ) -> Result<ze_sampler_handle_t, DriverError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = known.get(&state) {
            return Ok(handle.0);
        }
        let descriptor = sampler_descriptor(state);
        let mut handle = ze_sampler_handle_t::NULL;
        let context = device.context()?;
        // SAFETY: context and device are live, and both pointers are to live variables.
        unsafe { call!(device.api(), zeSamplerCreate(context, device.handle(), &descriptor, &mut handle)) }?;
        known.insert(state, SamplerHandle(handle));
        Ok(handle)
    }
}

fn sampler_descriptor(state: SamplerState) -> ze_sampler_desc_t {
    use ze_sampler_address_mode_t as Mode;
    ze_sampler_desc_t {
        addressMode: match state.address {
            AddressMode::None => Mode::ZE_SAMPLER_ADDRESS_MODE_NONE,
            AddressMode::ClampToEdge => Mode::ZE_SAMPLER_ADDRESS_MODE_CLAMP,
            AddressMode::ClampToBorder => Mode::ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
            AddressMode::Repeat => Mode::ZE_SAMPLER_ADDRESS_MODE_REPEAT,
            AddressMode::MirroredRepeat => Mode::ZE_SAMPLER_ADDRESS_MODE_MIRROR,
        },
        filterMode: match state.filter {
            FilterMode::Nearest => ze_sampler_filter_mode_t::ZE_SAMPLER_FILTER_MODE_NEAREST,
            FilterMode::Linear => ze_sampler_filter_mode_t::ZE_SAMPLER_FILTER_MODE_LINEAR,
        },
        isNormalized: state.normalized.into(),
        ..Default::default()
    }
}

/// What a kernel with images needs that a device may lack.
pub(crate) fn missing(limits: &crate::device::limits::Limits, capabilities: &[&str]) -> Option<Feature> {
    (limits.images.is_none() && capabilities.contains(&"ImageBasic")).then_some(Feature::Images)
}
