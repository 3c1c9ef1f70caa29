//! A picture of the crate `image`, which the device converts to floats and back.

use image::RgbaImage;
use kernel_runtime::prelude::*;

/// The negative of a picture, as opaque as it is.
#[kernel]
fn negative(picture: &Image2d<f32>, result: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    if x < result.width() && y < result.height() {
        let colour = picture.read((x, y));
        result.write((x, y), f32x4::new(1.0 - colour.x, 1.0 - colour.y, 1.0 - colour.z, colour.w));
    }
}

pub(crate) fn main() -> Result<()> {
    let picture = RgbaImage::from_fn(40, 30, |x, y| image::Rgba([x as u8 * 6, y as u8 * 8, 100, 255]));
    let size = (picture.width() as usize, picture.height() as usize);
    let queue = Device::best()?.queue()?;
    let format = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Unorm8);
    let mut result = queue.zeroed_image(format, size)?;
    negative(&queue.upload_image(format, size, picture.as_raw())?, &mut result).launch(&queue, size)?;
    let result = RgbaImage::from_raw(picture.width(), picture.height(), queue.download_image(&result)?)
        .expect("it has a byte for each channel");
    for (before, after) in picture.pixels().zip(result.pixels()) {
        let [red, green, blue, alpha] = before.0;
        assert_eq!(after.0, [255 - red, 255 - green, 255 - blue, alpha]);
    }
    println!("{:?} becomes {:?}", picture.get_pixel(39, 29), result.get_pixel(39, 29));
    Ok(())
}
