//! What goes to a device and what may come back.

use crate::error::{BufferProblem, Error, LaunchProblem};
use crate::fake_driver::{self, FakeDriver};
use crate::launch::LaunchArgument;
use crate::queue::tests::kernel;
use kernel_core::{Access, Argument, ArgumentKind, Element, ElementType, Field, StructType};

/// A struct with padding, and a `bool` that a device could get wrong.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Marked {
    mark: bool,
    value: u32,
}

// SAFETY: these are the fields, and the layout is that of C.
unsafe impl Element for Marked {
    const TYPE: ElementType = ElementType::Struct(&StructType {
        name: "Marked",
        fields: &[Field { name: "mark", ty: bool::TYPE }, Field { name: "value", ty: u32::TYPE }],
        align: 4,
    });
}

#[test]
fn bytes_that_are_no_bool_do_not_become_one() {
    let driver = FakeDriver::new();
    driver.on_launch(2, |arguments| {
        let address = usize::from_ne_bytes(arguments[0].as_slice().try_into().unwrap());
        // SAFETY: the pointer is that of a buffer of two elements.
        unsafe { (address as *mut [u8; 2]).write([1, 7]) };
    });
    let queue = driver.device().queue().unwrap();
    let kind = ArgumentKind::Slice { element: bool::TYPE, access: Access::ReadWrite };
    let arguments: &'static [Argument] =
        Box::leak(Box::new([Argument { name: "flags", kind, atomic: false }]));
    let kernel = kernel(|kernel| kernel.arguments = arguments);
    let mut flags = queue.upload(&[false, true]).unwrap();
    assert_eq!(queue.download(&flags).unwrap(), [false, true]);
    fake_driver::launch(kernel, [LaunchArgument::slice_mut(&mut flags)]).launch(&queue, 2).unwrap();
    let mut host = [false; 2];
    for error in [queue.download(&flags).unwrap_err(), queue.download_into(&flags, &mut host).unwrap_err()] {
        let Error::Buffer(error) = error else { panic!("{error}") };
        assert_eq!(error.problem, BufferProblem::InvalidElement { index: 1 });
    }
    assert_eq!(host, [false; 2]);
}

#[test]
fn structs_go_to_the_device_and_come_back_if_they_are_valid() {
    static ARGUMENTS: [Argument; 2] = [
        Argument { name: "one", kind: ArgumentKind::Value(Marked::TYPE), atomic: false },
        Argument {
            name: "all",
            kind: ArgumentKind::Slice { element: Marked::TYPE, access: Access::ReadWrite },
            atomic: false,
        },
    ];
    let driver = FakeDriver::new();
    driver.on_launch(3, |arguments| {
        assert_eq!(arguments[0], [1, 0, 0, 0, 7, 0, 0, 0], "padding is zero");
        let address = usize::from_ne_bytes(arguments[1].as_slice().try_into().unwrap());
        // SAFETY: the pointer is that of a buffer of two elements of eight bytes.
        unsafe { (address as *mut [u8; 16]).add(0).write([1, 9, 9, 9, 5, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]) };
    });
    let queue = driver.device().queue().unwrap();
    let kernel = kernel(|kernel| kernel.arguments = &ARGUMENTS);
    let one = Marked { mark: true, value: 7 };
    let mut all = queue.upload(&[one; 2]).unwrap();
    assert_eq!(queue.download(&all).unwrap(), [one; 2]);
    let arguments = [LaunchArgument::by_value(one), LaunchArgument::slice_mut(&mut all)];
    fake_driver::launch(kernel, arguments).launch(&queue, 2).unwrap();
    let Error::Buffer(error) = queue.download(&all).unwrap_err() else { panic!("the mark is no bool") };
    assert_eq!(error.problem, BufferProblem::InvalidElement { index: 1 });
    assert_eq!(
        error.to_string(),
        "the element 1 of the buffer came from the device as bytes that are no Marked"
    );
}

/// The driver gives what it is asked for at least, so that one buffer says little.
#[test]
fn buffers_are_aligned_as_their_elements() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let mut buffers = Vec::new();
    for _ in 0..32 {
        let buffer = queue.zeros::<kernel_core::Vector<u64, 16>>(1).unwrap();
        assert_eq!(buffer.as_ptr().addr() % 128, 0);
        buffers.push(buffer);
    }
}

#[test]
fn a_reference_and_a_pointer_are_addresses_of_elements() {
    static ARGUMENTS: [Argument; 3] = [
        Argument {
            name: "total",
            kind: ArgumentKind::Reference { element: u32::TYPE, access: Access::ReadWrite },
            atomic: false,
        },
        Argument {
            name: "from",
            kind: ArgumentKind::Pointer { element: u32::TYPE, access: Access::Read },
            atomic: false,
        },
        Argument {
            name: "to",
            kind: ArgumentKind::Pointer { element: u32::TYPE, access: Access::ReadWrite },
            atomic: false,
        },
    ];
    let driver = FakeDriver::new();
    driver.on_launch(3, |arguments| {
        let [total, from, to] = [0, 1, 2].map(|argument: usize| {
            usize::from_ne_bytes(arguments[argument].as_slice().try_into().unwrap()) as *mut u32
        });
        // SAFETY: these are the addresses of buffers of two elements and more.
        unsafe {
            total.write(from.add(1).read());
            to.write(5);
        }
    });
    let queue = driver.device().queue().unwrap();
    let kernel = kernel(|kernel| kernel.arguments = &ARGUMENTS);
    let mut buffers = [[1_u32, 2], [3, 4], [0, 0]].map(|values| queue.upload(&values).unwrap());
    let [total, from, to] = &mut buffers;
    let (from, to) = (from.as_ptr(), to.as_mut_ptr());
    let arguments = |total| {
        // SAFETY: the buffers are there until the end of the launches.
        unsafe { [total, LaunchArgument::pointer(from), LaunchArgument::pointer_mut(to)] }
    };
    fake_driver::launch(kernel, arguments(LaunchArgument::reference_mut(total))).launch(&queue, 1).unwrap();
    let mut empty = queue.zeros::<u32>(0).unwrap();
    let launch = fake_driver::launch(kernel, arguments(LaunchArgument::reference_mut(&mut empty)));
    let Error::Launch(error) = launch.launch(&queue, 1).unwrap_err() else { panic!("there is no element") };
    assert_eq!(error.problem, LaunchProblem::EmptyBuffer { argument: "total" });
    let downloaded = buffers.each_ref().map(|buffer| queue.download(buffer).unwrap());
    assert_eq!(downloaded, [[4, 2], [3, 4], [5, 0]]);
}

#[test]
fn memory_is_freed_though_nobody_waits_for_the_queue_that_used_it() {
    let driver = FakeDriver::new();
    driver.set_version((1, 9));
    driver.on_launch(2, |_| ());
    let device = driver.device();
    let [one, other] = [(); 2].map(|()| device.queue().unwrap());
    let kind = ArgumentKind::Slice { element: u32::TYPE, access: Access::ReadWrite };
    let arguments: &'static [Argument] = Box::leak(Box::new([Argument { name: "x", kind, atomic: false }]));
    let kernel = kernel(|kernel| kernel.arguments = arguments);
    let mut most = 0;
    for number in 0..1000_u32 {
        // This waits for the one, and each buffer is used by the other.
        let mut x = one.upload(&[number; 16]).unwrap();
        fake_driver::launch(kernel, [LaunchArgument::slice_mut(&mut x)]).launch(&other, 16).unwrap();
        most = most.max(driver.left().0);
    }
    assert!(most < 200, "{most} allocations at once");
}
