use super::{bf16x3, boolx3, boolx4, f32x2, f32x3, f32x4, i32x4, i32x8, u8x4, u8x16, u32x4};
use crate::{Element, bf16};

#[test]
fn three_lanes_take_the_room_of_four() {
    assert_eq!([size_of::<f32x3>(), align_of::<f32x3>()], [16, 16]);
    assert_eq!([size_of::<boolx3>(), align_of::<boolx3>()], [4, 4]);
    let mut offsets = [usize::MAX; 3];
    bf16x3::TYPE.for_each_scalar(&mut |_, offset| offsets[offset / 2] = offset);
    assert_eq!(offsets, [0, 2, 4]);
    assert_eq!(bytemuck::bytes_of(&f32x3::splat(0.0)), [0; 16]);
}

#[test]
fn lanes_have_names_and_numbers() {
    let mut v = f32x4::new(1.0, 2.0, 3.0, 4.0);
    v.y += v[3];
    v[2] = -v.x;
    assert_eq!(v.to_array(), [1.0, 6.0, -1.0, 4.0]);
    assert_eq!(v.wzyx(), f32x4::from([4.0, -1.0, 6.0, 1.0]));
    assert_eq!(v.yx(), f32x2::new(6.0, 1.0));
    assert_eq!(v.truncate().extend(9.0).lo().concat(v.hi()), v);
}

#[test]
fn swizzles_by_number_take_lanes_of_any_vector() {
    let v = i32x8::new(0, 1, 2, 3, 4, 5, 6, 7);
    assert_eq!(v.swizzle4::<7, 5, 3, 1>(), i32x4::new(7, 5, 3, 1));
    assert_eq!(v.even(), i32x4::new(0, 2, 4, 6));
    assert_eq!(v.odd(), v.swizzle4::<1, 3, 5, 7>());
}

#[test]
fn a_fourth_lane_of_three_is_none() {
    let mut v = f32x3::splat(2.0);
    bytemuck::bytes_of_mut(&mut v)[12..].fill(0xff);
    assert_eq!(v, f32x3::splat(2.0));
    assert_eq!(v.reduce_sum(), 6.0);
    assert_eq!(v.dot(f32x3::new(1.0, 2.0, 3.0)), 12.0);
}

#[test]
fn masks_choose() {
    let v = i32x4::new(3, -1, 4, -5);
    let mask = v.simd_lt(i32x4::splat(0));
    assert_eq!(mask.select(-v, v), i32x4::new(3, 1, 4, 5));
    assert_eq!(mask.select(-v, v), v.abs());
    assert!(mask.any() && !mask.all() && (mask | !mask).all());
}

#[test]
fn slices_are_loaded_and_stored_in_part() {
    let mut bytes: [u8; 20] = core::array::from_fn(|index| index as u8);
    let v = u8x16::load(&bytes, 3);
    assert_eq!((v[0], v[15]), (3, 18));
    u8x4::splat(7).store(&mut bytes, 16);
    assert_eq!(bytes[15..], [15, 7, 7, 7, 7]);
}

#[test]
fn lanes_are_cast_as_scalars_are() {
    let v = f32x4::new(-1.5, 300.0, f32::NAN, 65.0);
    assert_eq!(v.cast::<u8>(), u8x4::new(0, 255, 0, 65));
    assert_eq!(v.truncate().cast::<bf16>().x.to_f32(), -1.5);
}

#[test]
fn methods_are_those_of_the_lanes() {
    let (a, b) = (i32x4::new(i32::MIN, -7, 0, i32::MAX), i32x4::new(-1, 2, 31, 3));
    assert_eq!(a.abs_diff(b), u32x4::from_array(std::array::from_fn(|lane| a[lane].abs_diff(b[lane]))));
    assert_eq!(a.saturating_mul(b), i32x4::new(i32::MAX, -14, 0, i32::MAX));
    assert_eq!(a.overflowing_mul(b).1, boolx4::new(true, false, false, true));
    assert_eq!(b.clamp(i32x4::splat(0), i32x4::splat(5)), i32x4::new(0, 2, 5, 3));
    assert_eq!(f32x4::from_bits(f32x4::splat(1.5).to_bits()), f32x4::splat(1.5));
    assert_eq!(i32x4::from_slice(&[1, 2, 3, 4, 5]), i32x4::new(1, 2, 3, 4));
}

#[test]
#[should_panic = "each lane of `min` must be at most that of `max`"]
fn limits_in_the_wrong_order_are_refused() {
    let _ = f32x2::splat(0.0).clamp(f32x2::new(0.0, f32::NAN), f32x2::splat(1.0));
}
