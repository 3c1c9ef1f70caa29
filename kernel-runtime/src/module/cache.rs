//! Native binaries of modules on disk, so that a program which is started again need not wait for the driver's compiler.
//!
//! A file has all that a binary was made of, besides the binary: driver and device, options, constants, and the words of the module. One is used only
//! if all of that is the same to the byte, and if its checksum is right. Files are written beside their place and then renamed, so that processes may
//! use a directory together. Whatever goes wrong with a file, the module is built as if there was none.

use crate::device::Device;
use crate::error::DriverError;
use crate::error::driver::call;
use core::ffi::CStr;
use level_zero_sys::ze_module_handle_t;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that names the directory where native binaries of modules are kept. Without it, none are.
pub const CACHE_VARIABLE: &str = "KERNEL_CACHE";

/// What a file starts with; another one for another layout.
const MAGIC: &[u8; 16] = b"kernel binary 1\n";

/// Where the binaries of a device are kept, if they are.
#[derive(Debug, Default)]
pub(crate) struct Directory(OnceLock<Option<PathBuf>>);

impl Directory {
    fn get(&self) -> Option<&Path> {
        let by_environment = || {
            let path = std::env::var_os(CACHE_VARIABLE).filter(|path| !path.is_empty())?;
            Some(PathBuf::from(path))
        };
        self.0.get_or_init(by_environment).as_deref()
    }

    /// Sets it, before it was asked for.
    #[cfg(test)]
    pub(crate) fn set(&self, path: &Path) {
        self.0.set(Some(path.to_owned())).expect("nobody has asked yet");
    }
}

/// The place of a binary.
pub(super) struct Entry {
    path: PathBuf,
    /// What it is made of.
    key: Vec<u8>,
}

impl Entry {
    /// The place for what a module becomes with these options and constants; `None` if nothing is kept.
    pub(super) fn new(device: &Device, spirv: &[u8], flags: &CStr, constants: &[u64]) -> Option<Self> {
        let directory = device.modules().directory().get()?;
        let (vendor, id) = device.ids();
        let (major, minor) = device.api_version();
        let versions = [vendor, id, device.driver_version(), major.into(), minor.into()];
        let mut key = Vec::new();
        versions.iter().for_each(|number| key.extend(number.to_le_bytes()));
        let constants: Vec<u8> = constants.iter().flat_map(|value| value.to_le_bytes()).collect();
        for part in [device.name().as_bytes(), flags.to_bytes(), &constants, spirv] {
            key.extend((part.len() as u64).to_le_bytes());
            key.extend(part);
        }
        let name = format!("{:016x}{:016x}.bin", hash(1, &key), hash(2, &key));
        Some(Self { path: directory.join(name), key })
    }

    /// The binary, if there is one and it is whole.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        let file = fs::read(&self.path).ok()?;
        let rest = file.strip_prefix(MAGIC)?;
        let (checksum, rest) = rest.split_first_chunk()?;
        if u64::from_le_bytes(*checksum) != hash(0, rest) {
            return None;
        }
        let (key_len, rest) = rest.split_first_chunk()?;
        let key_len = usize::try_from(u64::from_le_bytes(*key_len)).ok()?;
        let (key, binary) = rest.split_at_checked(key_len)?;
        (key == self.key && !binary.is_empty()).then(|| binary.to_vec())
    }

    /// Keeps a binary. Where that is not possible, it is not kept.
    pub(super) fn write(&self, binary: &[u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let beside = self.path.with_extension(format!("{}-{number}.new", std::process::id()));
        let mut rest = (self.key.len() as u64).to_le_bytes().to_vec();
        rest.extend(&self.key);
        rest.extend(binary);
        let write = || {
            fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
            let mut file = fs::File::create(&beside)?;
            file.write_all(MAGIC)?;
            file.write_all(&hash(0, &rest).to_le_bytes())?;
            file.write_all(&rest)?;
            drop(file);
            fs::rename(&beside, &self.path)
        };
        if write().is_err() {
            let _ = fs::remove_file(&beside);
        }
    }
}

/// A hash of bytes (FNV-1a) that another seed changes: for names and against accidents, not against malice.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The native binary of a module.
pub(super) fn native_binary(device: &Device, module: ze_module_handle_t) -> Result<Vec<u8>, DriverError> {
    let (api, mut size) = (device.api(), 0);
    // SAFETY: the module is live; the first call asks for the size, and the second gets an array of that size.
    unsafe {
        call!(api, zeModuleGetNativeBinary(module, &mut size, ptr::null_mut()))?;
        let mut binary = vec![0; size];
        call!(api, zeModuleGetNativeBinary(module, &mut size, binary.as_mut_ptr()))?;
        binary.truncate(size);
        Ok(binary)
    }
}

#[cfg(test)]
mod tests {
    use crate::fake_driver::FakeDriver;
    use crate::queue::tests::kernel;
    use level_zero_sys::ze_result_t;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// A directory that is removed at the end.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("kernel-cache-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Self(path)
        }

        fn files(&self) -> Vec<PathBuf> {
            let entries = fs::read_dir(&self.0).into_iter().flatten();
            entries.map(|entry| entry.expect("the directory can be read").path()).collect()
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// What a new process asks of the driver for a kernel.
    fn built(directory: &Path, change: fn(&FakeDriver)) -> String {
        let driver = FakeDriver::new();
        let device = driver.device();
        device.modules().directory().set(directory);
        change(driver);
        let queue = device.queue().expect("a queue");
        queue.prepare(kernel(|_| ())).expect("the kernel is built");
        let log = driver.take_log();
        log.lines().filter(|line| ["build", "load"].contains(line)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_module_is_built_once_for_all_processes() {
        let directory = Temporary::new("once");
        assert_eq!(built(&directory.0, |_| ()), "build");
        assert_eq!(built(&directory.0, |_| ()), "load");
        assert_eq!(directory.files().len(), 1);
        assert_eq!(built(&directory.0, |_| ()), "load");
    }

    #[test]
    fn what_is_damaged_is_built_again() {
        let directory = Temporary::new("damaged");
        built(&directory.0, |_| ());
        let [file] = &directory.files()[..] else { panic!("there is one file") };
        let whole = fs::read(file).expect("it can be read");
        for index in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[index] ^= 1;
            fs::write(file, &damaged).expect("it can be written");
            assert_eq!(built(&directory.0, |_| ()), "build", "byte {index}");
            assert_eq!(fs::read(file).expect("it was written again"), whole);
            fs::write(file, &whole[..index]).expect("it can be written");
            assert_eq!(built(&directory.0, |_| ()), "build", "{index} bytes");
        }
    }

    #[test]
    fn what_the_driver_does_not_take_is_built_again() {
        let directory = Temporary::new("refused");
        built(&directory.0, |_| ());
        let refuse = |driver: &FakeDriver| driver.refuse_native();
        assert_eq!(built(&directory.0, refuse), "load build");
    }

    #[test]
    fn a_place_that_cannot_be_written_keeps_nothing() {
        assert_eq!(built(Path::new("/proc/no/such/place"), |_| ()), "build");
        let directory = Temporary::new("no-binary");
        let fail = |driver: &FakeDriver| {
            driver.fail("zeModuleGetNativeBinary", ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        };
        assert_eq!(built(&directory.0, fail), "build");
        assert!(directory.files().is_empty());
    }

    #[test]
    fn processes_share_a_directory() {
        let directory = Temporary::new("shared");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..20).for_each(|_| drop(built(&directory.0, |_| ()))));
            }
        });
        assert_eq!(directory.files().len(), 1, "nothing is left beside it");
        assert_eq!(built(&directory.0, |_| ()), "load");
    }
}
