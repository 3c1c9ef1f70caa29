//! What examples share that has nothing to do with kernels.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

/// Writes 8-bit RGBA pixels, row by row from the top, as a PNG; its folder is made if there is none.
///
/// # Errors
///
/// That the file cannot be written, or that the number of bytes is not that of the pixels.
pub fn write_png(file: &Path, (width, height): (usize, usize), pixels: &[u8]) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut encoder = png::Encoder::new(File::create(file)?, u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(png::ColorType::Rgba);
    Ok(encoder.write_header()?.write_image_data(pixels)?)
}
