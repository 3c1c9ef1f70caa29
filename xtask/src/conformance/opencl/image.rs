//! Images and samplers of the OpenCL device.

use super::ffi::{self, Handle, ImageDescription, ImageFormat};
use super::{Kernel, Session, checked, created};
use crate::kernels::case::DeviceImageArgument;
use kernel_core::ImageShape;
use kernel_core::image::{AddressMode, ChannelOrder, ChannelType, FilterMode, SamplerState};
use std::error::Error;
use std::ptr;

/// An image of the device.
pub(super) struct Image<'s> {
    session: &'s Session,
    handle: Handle,
    /// The memory of a buffer image.
    buffer: Option<Handle>,
    region: [usize; 3],
    bytes: usize,
}

/// A sampler of the device.
pub(super) struct Sampler<'s> {
    session: &'s Session,
    handle: Handle,
}

impl Kernel<'_> {
    pub(super) fn set_image(
        &self,
        position: u32,
        image: &DeviceImageArgument<'_>,
    ) -> Result<Image<'_>, Box<dyn Error>> {
        let image = self.session.image(image)?;
        self.set(position, &(image.handle as usize).to_ne_bytes())?;
        Ok(image)
    }

    pub(super) fn set_sampler(
        &self,
        position: u32,
        state: SamplerState,
    ) -> Result<Sampler<'_>, Box<dyn Error>> {
        let address = match state.address {
            AddressMode::None => 0x1130,
            AddressMode::ClampToEdge => 0x1131,
            AddressMode::ClampToBorder => 0x1132,
            AddressMode::Repeat => 0x1133,
            AddressMode::MirroredRepeat => 0x1134,
        };
        let filter = match state.filter {
            FilterMode::Nearest => 0x1140,
            FilterMode::Linear => 0x1141,
        };
        let session = self.session;
        let handle = created("clCreateSampler", |status| {
            let create = session.functions.create_sampler;
            // SAFETY: the context is live, and the status is a live variable.
            unsafe { create(session.context, state.normalized.into(), address, filter, status) }
        })?;
        let sampler = Sampler { session, handle };
        self.set(position, &(handle as usize).to_ne_bytes())?;
        Ok(sampler)
    }
}

impl Session {
    fn image(&self, image: &DeviceImageArgument<'_>) -> Result<Image<'_>, Box<dyn Error>> {
        let DeviceImageArgument { shape, format, size, texels } = *image;
        let buffer = match shape {
            ImageShape::Buffer => Some(self.memory(texels)?),
            _ => None,
        };
        let [width, second, third] = size;
        let (ty, height, depth, layers) = match shape {
            ImageShape::D1 => (0x10f4, 0, 0, 0),
            ImageShape::D1Array => (0x10f5, 0, 0, second),
            ImageShape::D2 | ImageShape::D2Depth => (0x10f1, second, 0, 0),
            ImageShape::D2Array | ImageShape::D2ArrayDepth => (0x10f3, second, 0, third),
            ImageShape::D3 => (0x10f2, second, third, 0),
            ImageShape::Buffer => (0x10f6, 0, 0, 0),
        };
        let description = ImageDescription {
            ty,
            width,
            height,
            depth,
            layers,
            row_pitch: 0,
            slice_pitch: 0,
            levels: 0,
            samples: 0,
            buffer: buffer.unwrap_or(ptr::null_mut()),
        };
        let order = match format.order {
            _ if shape.is_depth() => 0x10bd,
            ChannelOrder::R => 0x10b0,
            ChannelOrder::Rg => 0x10b2,
            ChannelOrder::Rgba => 0x10b5,
            ChannelOrder::Bgra => 0x10b6,
        };
        let format = ImageFormat { order, channel: channel(format.channel) };
        let mut texels = texels.to_vec();
        let (flags, contents) = match buffer {
            Some(_) => (ffi::MEM_READ_WRITE, ptr::null_mut()),
            None => (ffi::MEM_READ_WRITE | ffi::MEM_COPY_HOST_PTR, texels.as_mut_ptr().cast()),
        };
        let handle = created("clCreateImage", |status| {
            // SAFETY: the descriptions are live, and the driver copies as many texels as there are.
            unsafe {
                let create = self.functions.create_image;
                create(self.context, flags, &raw const format, &raw const description, contents, status)
            }
        });
        Ok(Image { session: self, handle: handle?, buffer, region: size, bytes: texels.len() })
    }
}

fn channel(channel: ChannelType) -> u32 {
    match channel {
        ChannelType::Snorm8 => 0x10d0,
        ChannelType::Snorm16 => 0x10d1,
        ChannelType::Unorm8 => 0x10d2,
        ChannelType::Unorm16 => 0x10d3,
        ChannelType::Sint8 => 0x10d7,
        ChannelType::Sint16 => 0x10d8,
        ChannelType::Sint32 => 0x10d9,
        ChannelType::Uint8 => 0x10da,
        ChannelType::Uint16 => 0x10db,
        ChannelType::Uint32 => 0x10dc,
        ChannelType::Float16 => 0x10dd,
        ChannelType::Float32 => 0x10de,
    }
}

impl Image<'_> {
    /// Waits for the launch and returns the texels.
    pub(super) fn read(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut texels = vec![0_u8; self.bytes];
        let origin = [0_usize; 3];
        // SAFETY: the call waits until the texels are copied, of which there are as many bytes as the vector has.
        let status = unsafe {
            (self.session.functions.enqueue_read_image)(
                self.session.queue,
                self.handle,
                ffi::TRUE,
                origin.as_ptr(),
                self.region.as_ptr(),
                0,
                0,
                texels.as_mut_ptr().cast(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        checked("clEnqueueReadImage", status)?;
        Ok(texels)
    }
}

impl Drop for Image<'_> {
    fn drop(&mut self) {
        let release = self.session.functions.release_buffer;
        for handle in [Some(self.handle), self.buffer].into_iter().flatten() {
            // SAFETY: it is this object's own. If a launch that uses it was enqueued, the driver keeps it until then.
            unsafe { release(handle) };
        }
    }
}

impl Drop for Sampler<'_> {
    fn drop(&mut self) {
        // SAFETY: as for an image.
        unsafe { (self.session.functions.release_sampler)(self.handle) };
    }
}
