//! Arrays of `ndarray` in buffers.
#![cfg(all(feature = "cpu", feature = "ndarray"))]

use kernel_runtime::BufferProblem;
use kernel_runtime::prelude::*;
use ndarray::{Array, Array2, Array3, ArrayD, Axis, IxDyn, ShapeBuilder, arr0, array, s};

fn queue() -> Result<Queue> {
    Device::best()?.queue()
}

fn problem<R: std::fmt::Debug>(result: Result<R>) -> BufferProblem {
    match result {
        Err(Error::Buffer(error)) => error.problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn whatever_the_layout_is_the_last_index_runs_fastest() -> Result<()> {
    let queue = queue()?;
    let numbers = Array3::from_shape_fn((4, 5, 6), |(x, y, z)| (100 * x + 10 * y + z) as u16);
    let in_fortran_s = Array::from_shape_fn((4, 5, 6).f(), |(x, y, z)| (100 * x + 10 * y + z) as u16);
    for (array, what) in [
        (numbers.view(), "as it is"),
        (in_fortran_s.view(), "the first index fastest"),
        (numbers.view().permuted_axes([2, 0, 1]), "permuted"),
        (numbers.slice(s![1..3, .., ..]), "a part in one piece"),
        (numbers.slice(s![.., 1..4, ..;2]), "a part with gaps"),
        (numbers.slice(s![..;-1, .., ..]), "backwards"),
        (numbers.slice(s![..0, .., ..]), "nothing"),
    ] {
        let expected: Vec<u16> = array.iter().copied().collect();
        let mut buffer = queue.upload_array(&array)?;
        assert_eq!(queue.download(&buffer)?, expected, "{what}");
        assert_eq!(queue.download_array(&buffer, array.raw_dim())?, array, "{what}");
        queue.write_array(&mut buffer, &array.mapv(|number| number + 1))?;
        assert_eq!(
            queue.download_array(&buffer, array.raw_dim())?,
            array.mapv(|number| number + 1),
            "{what}"
        );
    }
    Ok(())
}

#[test]
fn arrays_of_any_layout_are_downloaded_into() -> Result<()> {
    let queue = queue()?;
    let buffer = queue.upload(&[1, 2, 3, 4, 5, 6])?;
    let mut whole = Array2::zeros((2, 3));
    queue.download_into_array(&buffer, &mut whole)?;
    assert_eq!(whole, array![[1, 2, 3], [4, 5, 6]]);
    queue.download_into_array(&buffer, &mut whole.view_mut().reversed_axes())?;
    assert_eq!(whole, array![[1, 3, 5], [2, 4, 6]]);
    let mut around = Array2::zeros((4, 4));
    queue.download_into_array(&buffer, &mut around.slice_mut(s![1..4, 1..;2]))?;
    assert_eq!(around, array![[0, 0, 0, 0], [0, 1, 0, 2], [0, 3, 0, 4], [0, 5, 0, 6]]);
    Ok(())
}

#[test]
fn arrays_have_any_number_of_axes() -> Result<()> {
    let queue = queue()?;
    let one = queue.upload_array(&arr0(7.5_f64))?;
    assert_eq!((one.len(), queue.download_array(&one, ())?), (1, arr0(7.5)));
    let shape = IxDyn(&[2, 1, 3, 1, 2]);
    let many = ArrayD::from_shape_fn(shape.clone(), |index| index[0] * 100 + index[2] * 10 + index[4]);
    let buffer = queue.upload_array(&many)?;
    assert_eq!(queue.download_array(&buffer, shape)?, many);
    Ok(())
}

#[test]
fn another_number_of_elements_is_refused() -> Result<()> {
    let queue = queue()?;
    let mut buffer = queue.zeros::<u8>(6)?;
    let expected = |shape: &[usize]| BufferProblem::ShapeMismatch { buffer: 6, shape: shape.to_vec().into() };
    assert_eq!(problem(queue.download_array(&buffer, (2, 4))), expected(&[2, 4]));
    assert_eq!(problem(queue.download_array(&buffer, [usize::MAX, 2])), expected(&[usize::MAX, 2]));
    // The product of these is 6 where it wraps.
    assert_eq!(problem(queue.download_array(&buffer, [1 << 63, 2, 6])), expected(&[1 << 63, 2, 6]));
    assert_eq!(problem(queue.download_into_array(&buffer, &mut Array2::zeros((6, 2)))), expected(&[6, 2]));
    assert_eq!(problem(queue.write_array(&mut buffer, &Array2::zeros((0, 6)))), expected(&[0, 6]));
    let error = queue.download_array(&buffer, (2, 4)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the buffer has 6 elements of type u8, which is not what an array of the shape [2, 4] has"
    );
    Ok(())
}

#[test]
fn views_are_arrays_without_a_copy() -> Result<()> {
    let queue = queue()?;
    let mut x = queue.upload_host(&[1_u32, 2, 3, 4, 5, 6])?;
    let mut view = x.view_mut(&queue)?;
    view.as_array_mut((2, 3))?.column_mut(1).fill(0);
    assert_eq!(
        problem(view.as_array_mut((2, 2)).map(drop)),
        BufferProblem::ShapeMismatch { buffer: 6, shape: [2, 2].into() }
    );
    drop(view);
    let view = x.view(&queue)?;
    let array = view.as_array((2, 3))?;
    assert_eq!(array, array![[1, 0, 3], [4, 0, 6]]);
    assert_eq!(array.as_ptr(), view.as_ptr());
    assert_eq!(array.sum_axis(Axis(1)), array![4, 10]);
    assert!(matches!(problem(view.as_array([7]).map(drop)), BufferProblem::ShapeMismatch { .. }));
    Ok(())
}
