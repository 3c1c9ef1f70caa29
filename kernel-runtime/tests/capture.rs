//! The whole path through the system's loader and Intel's own driver, which runs without hardware in its capture mode:
//! modules are built and commands encoded, but not executed.
//!
//! Needs the Level Zero loader with its validation layer and Intel's driver (on Debian `libze1` and `intel-opencl-icd`).

mod kernels;

use kernel_runtime::{CACHE_VARIABLE, Device, DeviceKind, GpuStatus, Queue, Region, Split, Trace};
use std::path::Path;
use std::process::{Command, Output};

/// Says in the child process that it is the child.
const CHILD: &str = "KERNEL_TEST_CAPTURE";

#[test]
fn dg2_takes_everything() {
    check(&[("ProductFamilyOverride", "dg2"), ("HardwareInfoOverride", "2x4x16")]);
}

#[test]
fn pvc_takes_everything() {
    check(&[("ProductFamilyOverride", "pvc"), ("HardwareInfoOverride", "1x8x64")]);
}

#[test]
fn tgllp_takes_everything() {
    check(&[("ProductFamilyOverride", "tgllp")]);
}

#[test]
fn several_devices_with_tiles_take_everything() {
    if !is_installed() {
        return;
    }
    let hardware = [
        ("ProductFamilyOverride", "pvc"),
        ("HardwareInfoOverride", "1x8x64"),
        ("CreateMultipleRootDevices", "2"),
        ("CreateMultipleSubDevices", "2"),
        ("ZE_FLAT_DEVICE_HIERARCHY", "COMPOSITE"),
    ];
    let directory = std::env::temp_dir().join(format!("kernel-runtime-devices-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for what is captured");
    let output = run_child("child_of_several", &hardware, &directory, &directory.join("cache"));
    std::fs::remove_dir_all(&directory).expect("the directory is ours");
    check_output(&hardware, output);
}

/// Runs the child below on a device that does not exist, with the validation layer on.
fn check(hardware: &[(&str, &str)]) {
    if !is_installed() {
        return;
    }
    let directory =
        std::env::temp_dir().join(format!("kernel-runtime-capture-{}-{}", std::process::id(), hardware[0].1));
    let cache = directory.join("cache");
    std::fs::create_dir_all(&directory).expect("a directory for what is captured");
    // The second one loads the native binaries that the first one has kept.
    let outputs = [(); 2].map(|()| {
        let output = run_child("child", hardware, &directory, &cache);
        (output, std::fs::read_dir(&cache).map_or(0, Iterator::count))
    });
    std::fs::remove_dir_all(&directory).expect("the directory is ours");
    for (output, kept) in outputs {
        check_output(hardware, output);
        assert_eq!(kept, 2, "one for each kernel");
    }
}

fn check_output(hardware: &[(&str, &str)], Output { status, stdout, stderr }: Output) {
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(status.success(), "{hardware:?}:\n{text}");
    assert!(text.contains("captured on"), "{hardware:?}:\n{text}");
    assert!(!text.contains("INVALID"), "the validation layer complains, {hardware:?}:\n{text}");
}

fn run_child(name: &str, hardware: &[(&str, &str)], directory: &Path, cache: &Path) -> Output {
    Command::new(std::env::current_exe().expect("the path of this test"))
        .args(["--exact", name, "--nocapture"])
        .current_dir(directory)
        .env(CACHE_VARIABLE, cache)
        .env(CHILD, "1")
        .env("KERNEL_DEVICE", "gpu")
        .envs([("NEOReadDebugKeys", "1"), ("SetCommandStreamReceiver", "1")])
        .envs([("ZE_ENABLE_VALIDATION_LAYER", "1"), ("ZE_ENABLE_PARAMETER_VALIDATION", "1")])
        .envs(hardware.iter().copied())
        .output()
        .expect("this test starts itself")
}

fn is_installed() -> bool {
    let installed = has_library("libze_loader.so.1") && has_library("libze_intel_gpu.so.1");
    if !installed {
        eprintln!("NOT TESTED: install the Level Zero loader and Intel's driver (libze1, intel-opencl-icd)");
    }
    installed
}

fn has_library(name: &str) -> bool {
    let directories = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"];
    directories.iter().any(|directory| std::path::Path::new(directory).join(name).exists())
}

/// What runs in the child process: everything that a program does, except looking at the results.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let device = Device::best().expect("a device that does not exist");
    assert_eq!(device.kind(), DeviceKind::Gpu);
    assert!(matches!(Device::gpu_status(), GpuStatus::Ready(1)));
    eprintln!("{device:?} {:?} driver {:#x}", device.limits(), device.driver_version());

    let queue = device.queue().expect("a queue");
    let x = queue.upload(&[1.0_f32; 4096]).expect("an upload");
    let mut y = queue.zeros::<f32>(4096).expect("a buffer of zeros");
    for _ in 0..3 {
        kernels::saxpy(2.0, &x, &mut y).launch(&queue, y.len()).expect("a launch");
    }
    kernels::saxpy(2.0, &x, &mut y).launch_groups(&queue, 16, 64).expect("a launch of groups");
    drop(x);
    let index = queue.upload(&[0_u64; 64]).expect("an upload");
    let mut scattered = queue.zeros::<u32>(64).expect("a buffer of zeros");
    kernels::scatter(&index, &mut scattered).launch(&queue, 64).expect("a launch of a kernel that can fault");
    queue.synchronize().expect("no fault, since nothing runs");
    assert_eq!(queue.download(&y).expect("a download").len(), 4096);
    assert_eq!(queue.download(&queue.zeros::<u8>(0).expect("nothing")).expect("nothing"), []);
    parts_and_regions(&queue);
    events(&device, &queue);
    let trace = Trace::start();
    parts_and_regions(&queue);
    assert!(trace.finish().kernels().is_empty(), "nothing runs");
    eprintln!("captured on {}", device.name());
}

/// What runs in the child process with several devices: each takes part in launches, and uses the memory of the others.
#[test]
fn child_of_several() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut devices: Vec<Device> =
        Device::all().into_iter().filter(|device| device.kind() == DeviceKind::Gpu).collect();
    assert_eq!(devices.len(), 2);
    assert!(devices[0].can_access(&devices[1]).expect("the driver says"));
    let tiles: Vec<Device> =
        devices.iter().flat_map(|device| device.sub_devices().expect("the driver lists them")).collect();
    assert_eq!(tiles.len(), 4);
    devices.extend(tiles);

    let split = Split::over(&devices, 4096).expect("a queue for each").rows(64).expect("64 rows").halo(1);
    let x = split.upload(&[1.0_f32; 4096]).expect("an upload to each");
    let mut y = split.zeros::<f32>().expect("zeros on each");
    split.launch(|part| kernels::saxpy(2.0, &x[part], &mut y[part])).expect("a launch on each");
    split.exchange(&mut y).expect("copies from device to device");
    assert_eq!(split.download(&y).expect("a download from each").len(), 4096);
    for first in &devices {
        for second in &devices {
            let (of_first, of_second) = (first.queue().expect("a queue"), second.queue().expect("a queue"));
            let x = of_first.upload(&[1.0_f32; 256]).expect("an upload");
            let mut y = of_second.zeros::<f32>(256).expect("a buffer of zeros");
            of_second.copy(&x, &mut y).expect("a copy, be it through the host");
            if second.can_access(first).expect("the driver says") {
                kernels::saxpy(2.0, &x, &mut y)
                    .launch(&of_second, 256)
                    .expect("a launch with memory of another");
            }
            of_second.synchronize().expect("no fault");
        }
    }
    split.synchronize().expect("no fault");
    eprintln!("captured on {} devices", devices.len());
}

/// Copies, fills, and kernels on parts of buffers.
fn parts_and_regions(queue: &Queue) {
    let mut x = queue.filled(4096, [1.0_f32, 2.0, 3.0]).expect("a fill by copies");
    queue.fill(&mut x.slice_mut(..7), [0.0; 3]).expect("a fill of a part");
    let mut y = queue.uninit::<f32>(4096).expect("a buffer");
    queue.fill(&mut y, 0.5).expect("a fill by a pattern");
    let (first, mut second) = y.split_at_mut(1024);
    queue.copy(&first, &mut second.slice_mut(16..1040)).expect("a copy on the device");
    kernels::saxpy(2.0, &first, &mut second).launch(queue, 1024).expect("a launch on parts");
    let region = Region::of_3d([16, 16, 16], [3, 2, 1], [7, 5, 4]);
    let values = queue.download_region(&y, region).expect("a download of a region");
    queue.write_region(&mut y, region, &values).expect("an upload to a region");
    let rows = Region::of_2d([64, 64], [0, 1], [64, 5]);
    let mut z = queue.zeros::<f32>(4096).expect("a buffer of zeros");
    queue.copy_region((&y, rows), (&mut z, rows)).expect("a copy of a region");
    queue.synchronize().expect("no fault");
    queue.device().release_kept_memory();
}

/// Events, several queues, and copies that nobody waits for at once.
fn events(device: &Device, queue: &Queue) {
    let other = device.queue().expect("a second queue");
    let x = queue.upload_async(vec![1.0_f32; 4096]).expect("an upload");
    let mut y = other.zeros::<f32>(4096).expect("a buffer of zeros");
    let event = kernels::saxpy(2.0, &x, &mut y).submit(&other, y.len()).expect("a launch with an event");
    queue.wait_for(&event).expect("one queue follows another");
    let download = queue.download_async(&y).expect("a download");
    queue.record().expect("an event").wait().expect("it is signalled");
    // Nothing runs, so that nothing is signalled, though waits end at once.
    assert!(!event.is_complete().expect("the event can be asked"));
    eprintln!("the time of a kernel that did not run: {:?}", event.time());
    assert_eq!(download.wait().expect("the download is complete").len(), 4096);
    let (values, mut back) = ([3.0; 4096], [0.0; 4096]);
    let copies = queue.scope(|scope| {
        scope.write(&mut y, &values)?;
        scope.download_into(&y, &mut back)
    });
    copies.expect("both copies are complete");
}
