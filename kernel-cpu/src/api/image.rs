//! Images and samplers, and the copies of texels that can be appended to command lists.

use super::command_list::{CheckRange, CommandList, range, target};
use super::context::Context;
use super::device::Device;
use super::registry::{get, insert, objects, remove};
use super::{Answer, guard, read, write};
use crate::image::{Image, Region};
use crate::limits;
use crate::queue::{Action, ImageCopy, Rows};
use kernel_core::ImageShape;
use kernel_core::image::{
    AddressMode, ChannelOrder, ChannelType, Extent, FilterMode, ImageFormat, SamplerState,
};
use level_zero_sys::{
    find_in_chain, ze_command_list_handle_t, ze_context_handle_t, ze_device_handle_t, ze_event_handle_t,
    ze_image_allocation_ext_properties_t, ze_image_desc_t, ze_image_format_layout_t as Layout,
    ze_image_format_swizzle_t as Swizzle, ze_image_format_t, ze_image_format_type_t as FormatType,
    ze_image_handle_t, ze_image_memory_properties_exp_t, ze_image_properties_t, ze_image_region_t,
    ze_image_sampler_filter_flags_t, ze_image_type_t, ze_image_view_planar_exp_desc_t, ze_result_t,
    ze_sampler_address_mode_t as ZeAddressMode, ze_sampler_desc_t, ze_sampler_filter_mode_t as ZeFilterMode,
    ze_sampler_handle_t,
};
use std::ffi::c_void;
use std::sync::Arc;

/// A sampler of the host.
pub(super) struct Sampler(pub(super) SamplerState);

objects! {
    Image: ze_image_handle_t = 12;
    Sampler: ze_sampler_handle_t = 13;
}

pub(super) unsafe extern "C" fn create(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *const ze_image_desc_t,
    image: *mut ze_image_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null.
        let descriptor = unsafe {
            write(image, ze_image_handle_t::NULL)?;
            read(descriptor)?
        };
        let format = format(&descriptor.format)?;
        let extent = extent(&descriptor)?;
        let bytes = extent.texels().checked_mul(format.texel_size() as u64);
        if bytes.is_none_or(|bytes| bytes > limits::max_allocation()) {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
        }
        let made = Image::new(extent, format).ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)?;
        // SAFETY: the host passes a valid pointer.
        unsafe { write(image, insert(Arc::new(made))?) }
    })
}

/// An image of the memory of another one, which stays as long as one of them does. Planes are not supported.
pub(super) unsafe extern "C" fn view_create(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *const ze_image_desc_t,
    image: ze_image_handle_t,
    view: *mut ze_image_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        get::<Device>(device)?;
        let image = get::<Image>(image)?;
        // SAFETY: the host passes valid pointers or null, and a chain of valid structures.
        let (descriptor, planes) = unsafe {
            write(view, ze_image_handle_t::NULL)?;
            let descriptor = read(descriptor)?;
            (descriptor, find_in_chain::<ze_image_view_planar_exp_desc_t>(descriptor.pNext))
        };
        if planes.is_some() {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        }
        let made = image.view(extent(&descriptor)?, format(&descriptor.format)?);
        let made = made.ok_or(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE)?;
        // SAFETY: the host passes a valid pointer.
        unsafe { write(view, insert(Arc::new(made))?) }
    })
}

/// Says how texels are in memory: row after row without gaps.
pub(super) unsafe extern "C" fn get_memory_properties(
    image: ze_image_handle_t,
    properties: *mut ze_image_memory_properties_exp_t,
) -> ze_result_t {
    guard(|| {
        let image = get::<Image>(image)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let [width, height, _] = image.extent.size.map(u64::from);
        let row = width * image.format.texel_size() as u64;
        // SAFETY: the host passes a structure whose first two fields are set.
        let to = unsafe { &mut *properties };
        (to.size, to.rowPitch, to.slicePitch) = (image.bytes(), row, row * height);
        Ok(())
    })
}

/// Says which memory an image has.
pub(super) unsafe extern "C" fn get_alloc_properties(
    context: ze_context_handle_t,
    image: ze_image_handle_t,
    properties: *mut ze_image_allocation_ext_properties_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        let image = get::<Image>(image)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a structure whose first two fields are set.
        unsafe { (*properties).id = image.id() };
        Ok(())
    })
}

/// `zeMemGetPitchFor2dImage` of version 1.9: rows have no gaps.
pub(super) unsafe extern "C" fn get_pitch(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    width: usize,
    height: usize,
    texel_size: u32,
    pitch: *mut usize,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        get::<Device>(device)?;
        if width == 0 || height == 0 || texel_size == 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        let row = width.checked_mul(texel_size as usize);
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(pitch, row.ok_or(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE)?) }
    })
}

/// The image goes when what was appended before is done with it.
pub(super) unsafe extern "C" fn destroy(image: ze_image_handle_t) -> ze_result_t {
    guard(|| remove::<Image>(image).map(drop))
}

pub(super) unsafe extern "C" fn get_properties(
    device: ze_device_handle_t,
    descriptor: *const ze_image_desc_t,
    properties: *mut ze_image_properties_t,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null.
        let descriptor = unsafe { read(descriptor)? };
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // How channels are arranged has nothing to do with how they are filtered.
        let (_, channel) = channels(&descriptor.format)?;
        let mut flags = ze_image_sampler_filter_flags_t::ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT;
        if channel.class().is_float() {
            flags |= ze_image_sampler_filter_flags_t::ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR;
        }
        // SAFETY: the host passes a structure whose first two fields are set.
        unsafe { (*properties).samplerFilterFlags = flags };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn sampler_create(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *const ze_sampler_desc_t,
    sampler: *mut ze_sampler_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null.
        let descriptor = unsafe {
            write(sampler, ze_sampler_handle_t::NULL)?;
            read(descriptor)?
        };
        let address = match descriptor.addressMode {
            ZeAddressMode::ZE_SAMPLER_ADDRESS_MODE_NONE => AddressMode::None,
            ZeAddressMode::ZE_SAMPLER_ADDRESS_MODE_REPEAT => AddressMode::Repeat,
            ZeAddressMode::ZE_SAMPLER_ADDRESS_MODE_CLAMP => AddressMode::ClampToEdge,
            ZeAddressMode::ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER => AddressMode::ClampToBorder,
            ZeAddressMode::ZE_SAMPLER_ADDRESS_MODE_MIRROR => AddressMode::MirroredRepeat,
            _ => return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
        };
        let filter = match descriptor.filterMode {
            ZeFilterMode::ZE_SAMPLER_FILTER_MODE_NEAREST => FilterMode::Nearest,
            ZeFilterMode::ZE_SAMPLER_FILTER_MODE_LINEAR => FilterMode::Linear,
            _ => return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
        };
        let state = SamplerState { address, filter, normalized: descriptor.isNormalized != 0 };
        // SAFETY: the host passes a valid pointer.
        unsafe { write(sampler, insert(Arc::new(Sampler(state)))?) }
    })
}

pub(super) unsafe extern "C" fn sampler_destroy(sampler: ze_sampler_handle_t) -> ze_result_t {
    guard(|| remove::<Sampler>(sampler).map(drop))
}

/// How many channels a texel has, and of what type they are.
fn channels(format: &ze_image_format_t) -> Answer<(u32, ChannelType)> {
    let unsupported = ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT;
    let (count, bits) = match format.layout {
        Layout::ZE_IMAGE_FORMAT_LAYOUT_8 => (1, 8),
        Layout::ZE_IMAGE_FORMAT_LAYOUT_16 => (1, 16),
        Layout::ZE_IMAGE_FORMAT_LAYOUT_32 => (1, 32),
        Layout::ZE_IMAGE_FORMAT_LAYOUT_8_8 => (2, 8),
        Layout::ZE_IMAGE_FORMAT_LAYOUT_16_16 => (2, 16),
        Layout::ZE_IMAGE_FORMAT_LAYOUT_32_32 => (2, 32),
        Layout::ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8 => (4, 8),
        Layout::ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16 => (4, 16),
        Layout::ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32 => (4, 32),
        _ => return Err(unsupported),
    };
    let channel = match (format.type_, bits) {
        (FormatType::ZE_IMAGE_FORMAT_TYPE_UINT, 8) => ChannelType::Uint8,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_UINT, 16) => ChannelType::Uint16,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_UINT, 32) => ChannelType::Uint32,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_SINT, 8) => ChannelType::Sint8,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_SINT, 16) => ChannelType::Sint16,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_SINT, 32) => ChannelType::Sint32,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_UNORM, 8) => ChannelType::Unorm8,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_UNORM, 16) => ChannelType::Unorm16,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_SNORM, 8) => ChannelType::Snorm8,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_SNORM, 16) => ChannelType::Snorm16,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_FLOAT, 16) => ChannelType::Float16,
        (FormatType::ZE_IMAGE_FORMAT_TYPE_FLOAT, 32) => ChannelType::Float32,
        _ => return Err(unsupported),
    };
    Ok((count, channel))
}

fn format(format: &ze_image_format_t) -> Answer<ImageFormat> {
    let (count, channel) = channels(format)?;
    let all = [
        Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_R,
        Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_G,
        Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_B,
        Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_A,
    ];
    let absent =
        [Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_0; 3].into_iter().chain([Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_1]);
    let given = [format.x, format.y, format.z, format.w];
    // A channel that the layout does not have reads as zero, and alpha as one, whether the program says so or names the channel.
    let is_absent = all.into_iter().zip(absent).zip(given).map(|((own, constant), given)| {
        given == constant || given == own || given == Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_X
    });
    let has_first = given.starts_with(&all[..count as usize]);
    let order = match count {
        4 if has_first => ChannelOrder::Rgba,
        4 if given == [all[2], all[1], all[0], all[3]] => ChannelOrder::Bgra,
        _ if !has_first || !is_absent.skip(count as usize).all(|is_absent| is_absent) => {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
        }
        1 => ChannelOrder::R,
        _ => ChannelOrder::Rg,
    };
    Ok(ImageFormat::new(order, channel))
}

fn extent(descriptor: &ze_image_desc_t) -> Answer<Extent> {
    let size_error = ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
    let width = u32::try_from(descriptor.width).map_err(|_| size_error)?;
    let (height, depth, layers) = (descriptor.height, descriptor.depth, descriptor.arraylevels);
    let (shape, size) = match descriptor.type_ {
        ze_image_type_t::ZE_IMAGE_TYPE_1D => (ImageShape::D1, [width, 1, 1]),
        ze_image_type_t::ZE_IMAGE_TYPE_1DARRAY => (ImageShape::D1Array, [width, layers, 1]),
        ze_image_type_t::ZE_IMAGE_TYPE_2D => (ImageShape::D2, [width, height, 1]),
        ze_image_type_t::ZE_IMAGE_TYPE_2DARRAY => (ImageShape::D2Array, [width, height, layers]),
        ze_image_type_t::ZE_IMAGE_TYPE_3D => (ImageShape::D3, [width, height, depth]),
        ze_image_type_t::ZE_IMAGE_TYPE_BUFFER => (ImageShape::Buffer, [width, 1, 1]),
        _ => return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
    };
    for (axis, size) in size.into_iter().enumerate() {
        let is_layer = shape.is_array() && axis + 1 == shape.coordinates();
        let limit = match shape {
            _ if is_layer => limits::MAX_IMAGE_LAYERS,
            ImageShape::D3 => limits::MAX_IMAGE_3D,
            ImageShape::Buffer => limits::MAX_IMAGE_BUFFER,
            _ => limits::MAX_IMAGE_2D,
        };
        if size == 0 || size > limit {
            return Err(size_error);
        }
    }
    Ok(Extent { shape, size })
}

/// A region of an image; all of it for null.
///
/// # Safety
///
/// The pointer must be null or valid.
unsafe fn region(image: &Image, region: *const ze_image_region_t) -> Answer<Region> {
    if region.is_null() {
        return Ok(image.whole());
    }
    // SAFETY: the caller vouches for the pointer.
    let ze_image_region_t { originX, originY, originZ, width, height, depth } = unsafe { read(region)? };
    let region = Region { origin: [originX, originY, originZ], size: [width, height.max(1), depth.max(1)] };
    if image.contains(region) { Ok(region) } else { Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE) }
}

/// The rows in memory of a region, which follow each other without gaps where a pitch is zero.
fn rows(
    list: &CommandList,
    pointer: *const c_void,
    (image, region): (&Image, Region),
    [row_pitch, slice_pitch]: [u32; 2],
    check: CheckRange,
) -> Answer<Rows> {
    let [width, height, depth] = region.size.map(u64::from);
    let length = width * image.format.texel_size() as u64;
    let row_pitch = if row_pitch == 0 { length } else { row_pitch.into() };
    let slice_pitch = if slice_pitch == 0 { row_pitch * height } else { slice_pitch.into() };
    let size_error = ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE;
    if row_pitch < length || slice_pitch < length {
        return Err(size_error);
    }
    let end = u128::from(slice_pitch) * u128::from(depth - 1)
        + u128::from(row_pitch) * u128::from(height - 1)
        + u128::from(length);
    let memory = list.memory();
    let address = check(&memory, pointer, usize::try_from(end).map_err(|_| size_error)?)?;
    Ok(Rows { address, row_pitch, slice_pitch, memory })
}

/// Appends a copy between a region of an image and rows in memory.
///
/// # Safety
///
/// The region is valid or null, and of events to wait for there are as many as the count says.
unsafe fn append_rows(
    list: ze_command_list_handle_t,
    (image, region_of_image): (ze_image_handle_t, *const ze_image_region_t),
    pointer: *const c_void,
    pitches: [u32; 2],
    (signal, wait_count, waits): (ze_event_handle_t, u32, *mut ze_event_handle_t),
    check: CheckRange,
    copy: impl FnOnce(Arc<Image>, Region, Rows) -> ImageCopy,
) -> Answer {
    let (list, image) = (get::<CommandList>(list)?, get::<Image>(image)?);
    // SAFETY: the caller passes a valid pointer or null.
    let region = unsafe { region(&image, region_of_image)? };
    let rows = rows(&list, pointer, (&image, region), pitches, check)?;
    let copy = Action::CopyImage(Box::new(copy(image, region, rows)));
    // SAFETY: the caller passes an array of `wait_count` handles.
    unsafe { list.append(copy, signal, wait_count, waits) }
}

pub(super) unsafe extern "C" fn append_copy_from_memory(
    list: ze_command_list_handle_t,
    to: ze_image_handle_t,
    from: *const c_void,
    to_region: *const ze_image_region_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    // SAFETY: the host passes what the function with pitches needs.
    unsafe { append_copy_from_memory_ext(list, to, from, to_region, 0, 0, signal, wait_count, waits) }
}

pub(super) unsafe extern "C" fn append_copy_from_memory_ext(
    list: ze_command_list_handle_t,
    to: ze_image_handle_t,
    from: *const c_void,
    to_region: *const ze_image_region_t,
    row_pitch: u32,
    slice_pitch: u32,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        // SAFETY: the host passes valid pointers or null, and `wait_count` handles.
        unsafe {
            let events = (signal, wait_count, waits);
            append_rows(
                list,
                (to, to_region),
                from,
                [row_pitch, slice_pitch],
                events,
                range,
                |to, region, from| ImageCopy::FromMemory { to, region, from },
            )
        }
    })
}

pub(super) unsafe extern "C" fn append_copy_to_memory(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    from: ze_image_handle_t,
    from_region: *const ze_image_region_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    // SAFETY: the host passes what the function with pitches needs.
    unsafe { append_copy_to_memory_ext(list, to, from, from_region, 0, 0, signal, wait_count, waits) }
}

pub(super) unsafe extern "C" fn append_copy_to_memory_ext(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    from: ze_image_handle_t,
    from_region: *const ze_image_region_t,
    row_pitch: u32,
    slice_pitch: u32,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        // SAFETY: the host passes valid pointers or null, and `wait_count` handles.
        unsafe {
            let events = (signal, wait_count, waits);
            append_rows(
                list,
                (from, from_region),
                to,
                [row_pitch, slice_pitch],
                events,
                target,
                |from, region, to| ImageCopy::ToMemory { to, from, region },
            )
        }
    })
}

pub(super) unsafe extern "C" fn append_copy(
    list: ze_command_list_handle_t,
    to: ze_image_handle_t,
    from: ze_image_handle_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    let whole = std::ptr::null();
    // SAFETY: the host passes what the function with regions needs.
    unsafe { append_copy_region(list, to, from, whole, whole, signal, wait_count, waits) }
}

pub(super) unsafe extern "C" fn append_copy_region(
    list: ze_command_list_handle_t,
    to: ze_image_handle_t,
    from: ze_image_handle_t,
    to_region: *const ze_image_region_t,
    from_region: *const ze_image_region_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let (list, to, from) = (get::<CommandList>(list)?, get::<Image>(to)?, get::<Image>(from)?);
        // SAFETY: the host passes valid pointers or null.
        let (to_region, from_region) = unsafe { (region(&to, to_region)?, region(&from, from_region)?) };
        if to_region.size != from_region.size {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        if to.format.texel_size() != from.format.texel_size() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let copy = ImageCopy::Between { to, to_region, from, from_region };
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::CopyImage(Box::new(copy)), signal, wait_count, waits) }
    })
}
