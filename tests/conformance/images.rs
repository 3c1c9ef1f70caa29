//! Formats that do not go with what the channels of an image are to a kernel.

use kernel_core::image::{Channel, ChannelOrder, ChannelType, ImageFormat, shapes};
use kernel_core::{ChannelClass, f16};
use kernel_runtime::{Device, Error, ImageProblem, Queue};

/// Whether there can be an image with such channels, and what is said if not.
fn refused<T: Channel>(queue: &Queue, channel: ChannelType) -> Option<String> {
    let format = ImageFormat::new(ChannelOrder::R, channel);
    match queue.zeroed_image::<shapes::D2, T>(format, (1, 1)) {
        Ok(image) => {
            assert_eq!(image.format(), format);
            None
        }
        Err(Error::Image(error)) => {
            assert_eq!(error.problem, ImageProblem::Class { expected: T::CLASS });
            Some(error.to_string())
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_format_of_an_image_goes_with_its_channels() {
    use ChannelClass::{Float, Half, Signed, Unsigned};
    let queue = Device::best().unwrap().queue().unwrap();
    for channel in ChannelType::ALL {
        let made = [
            (Float, refused::<f32>(&queue, channel)),
            (Half, refused::<f16>(&queue, channel)),
            (Signed, refused::<i32>(&queue, channel)),
            (Unsigned, refused::<u32>(&queue, channel)),
        ];
        let allowed: &[ChannelClass] = match channel {
            ChannelType::Float32 => &[Float],
            ChannelType::Sint8 | ChannelType::Sint16 | ChannelType::Sint32 => &[Signed],
            ChannelType::Uint8 | ChannelType::Uint16 | ChannelType::Uint32 => &[Unsigned],
            _ => &[Float, Half],
        };
        for (class, error) in made {
            assert_eq!(error.is_none(), allowed.contains(&class), "{channel:?} as {class}: {error:?}");
        }
    }
    let single = refused::<f16>(&queue, ChannelType::Float32).unwrap();
    let expected =
        "an Image2d of [1, 1] texels of R Float32: its channels are `f32` to a kernel, and not `f16`";
    assert_eq!(single, expected);
    let half = refused::<u32>(&queue, ChannelType::Float16).unwrap();
    assert!(half.ends_with("its channels are `f32` or `f16` to a kernel, and not `u32`"), "{half}");
}

#[test]
#[should_panic(expected = "the channels of a texel of R Float32 are no `f16`")]
fn on_the_host_too() {
    let format = ImageFormat::new(ChannelOrder::R, ChannelType::Float32);
    let _ = kernel_core::image::Image1d::<f16>::from_bytes(format, 1, &[0; 4]);
}
