//! Who runs the kernels: our driver, OpenCL runtimes, and the host.

use crate::contests::{Contest, Tolerance};
use crate::kernels::case::{Case, DeviceArgument, DeviceSlice};
use crate::opencl::{Bound, Session};
use kernel_runtime::__private::Conditions;
use kernel_runtime::{Device, LaunchArgument, Queue};
use std::error::Error;
use std::process::{self, Command};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Who runs the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consumer {
    /// Our driver for processors.
    Driver,
    /// Intel's OpenCL runtime for CPUs, with the source in OpenCL C.
    IntelSource,
    /// The same with the SPIR-V that clang makes of that source.
    IntelClang,
    /// The same with our SPIR-V.
    IntelSpirv,
    /// PoCL, with the source in OpenCL C.
    Pocl,
    /// Plain Rust on the threads of `rayon`.
    Rust,
}

impl Consumer {
    pub(crate) const ALL: [Self; 6] =
        [Self::Driver, Self::IntelSource, Self::IntelClang, Self::IntelSpirv, Self::Pocl, Self::Rust];

    /// Its name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Driver => "driver",
            Self::IntelSource => "intel-c",
            Self::IntelClang => "intel-clang",
            Self::IntelSpirv => "intel-spirv",
            Self::Pocl => "pocl",
            Self::Rust => "rust",
        }
    }

    /// Whether it is Intel's runtime.
    pub(crate) const fn is_intel(self) -> bool {
        matches!(self, Self::IntelSource | Self::IntelClang | Self::IntelSpirv)
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|consumer| consumer.name() == name)
    }
}

/// A consumer at work.
pub(crate) enum Machine {
    Driver(Queue),
    OpenCl(Consumer, Box<Session>),
    Rust,
}

impl Machine {
    pub(crate) fn start(consumer: Consumer) -> Result<Self, Box<dyn Error>> {
        Ok(match consumer {
            Consumer::Driver => Self::Driver(Device::best()?.queue()?),
            Consumer::Rust => Self::Rust,
            other => Self::OpenCl(other, Box::new(Session::open()?)),
        })
    }

    /// Makes a kernel ready and hands it, with how long that and the first launch took, to a function that launches it.
    ///
    /// # Errors
    ///
    /// That it cannot be built or launched, or that it computes something else than the host.
    pub(crate) fn run(&self, contest: &mut Contest, each: &mut Measure<'_>) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Driver(queue) => {
                let case = &contest.case;
                let mut slices = Vec::new();
                case.upload(queue, &mut slices)?;
                let start = Instant::now();
                on_driver(queue, case, &mut slices)?;
                let first = start.elapsed();
                contest.judge(&case.download(queue, &slices)?)?;
                each(first, &mut || on_driver(queue, case, &mut slices))
            }
            Self::OpenCl(consumer, session) => {
                let case = &contest.case;
                // The entry point that the runtime would launch.
                let entry_point = case.entry_points().pop().unwrap_or(case.kernel.name);
                let mut arguments = case.device_arguments_of(entry_point);
                if *consumer != Consumer::IntelSpirv {
                    use DeviceArgument::{FaultRecord, NoFaultRecord};
                    arguments.retain(|argument| !matches!(argument, FaultRecord(_) | NoFaultRecord(_)));
                }
                let module = match consumer {
                    Consumer::IntelSpirv => case.kernel.spirv.bytes().to_vec(),
                    Consumer::IntelClang => spirv_of_clang(contest)?,
                    _ => Vec::new(),
                };
                let start = Instant::now();
                let (program, name) = match consumer {
                    Consumer::IntelSpirv => (session.build((&module, &[]), c"", &[])?, entry_point),
                    Consumer::IntelClang => (session.build((&module, &[]), c"", &[])?, case.kernel.name),
                    _ => (session.build_source(contest.opencl, c"-cl-std=CL3.0")?, case.kernel.name),
                };
                let kernel = program.kernel(name)?;
                let bound: Bound<'_> = kernel.bind(&arguments)?;
                bound.run(case.groups, case.group_size)?;
                let first = start.elapsed();
                contest.judge(&bound.read()?)?;
                each(first, &mut || bound.run(case.groups, case.group_size))
            }
            Self::Rust => {
                let start = Instant::now();
                (contest.plain)();
                each(start.elapsed(), &mut || {
                    (contest.plain)();
                    Ok(())
                })
            }
        }
    }
}

/// What is done with how long the first launch took, and with further ones.
pub(crate) type Measure<'a> = dyn FnMut(Duration, &mut Launch<'_>) -> Result<(), Box<dyn Error>> + 'a;

/// Launches a kernel and waits for it.
pub(crate) type Launch<'a> = dyn FnMut() -> Result<(), Box<dyn Error>> + 'a;

fn on_driver(queue: &Queue, case: &Case, slices: &mut [Box<dyn DeviceSlice>]) -> Result<(), Box<dyn Error>> {
    let arguments = case.arguments_again(slices);
    macro_rules! launch_with {
        ($($count:literal)*) => {
            match arguments.len() {
                $($count => {
                    let arguments: [LaunchArgument; $count] = arguments.try_into().map_err(|_| "the number is this")?;
                    // SAFETY: the cases keep to the conditions of their kernels, which are made by `#[kernel]`.
                    let launch = unsafe { Conditions::MET.launch(case.kernel, arguments) };
                    launch.launch_groups(queue, case.groups.map(|x| x as usize), case.group_size.map(|x| x as usize))?;
                })*
                count => return Err(format!("a kernel has {count} arguments").into()),
            }
        };
    }
    launch_with!(2 3 4 5 6);
    Ok(queue.synchronize()?)
}

/// Has clang compile a source. LLVM's translator does not know every instruction on the vectors that clang makes of neighbouring scalars (`freeze`): where it fails, there are none.
pub(crate) fn spirv_of_clang(contest: &Contest) -> Result<Vec<u8>, Box<dyn Error>> {
    translated(contest, &[]).or_else(|_| translated(contest, &["-fno-slp-vectorize"]))
}

/// What LLVM's translator makes of what clang makes of a source, with further options.
fn translated(contest: &Contest, further: &[&str]) -> Result<Vec<u8>, Box<dyn Error>> {
    let file =
        |extension: &str| env::temp_dir().join(format!("{}-{}.{extension}", contest.name, process::id()));
    fs::write(file("cl"), contest.opencl)?;
    let options = ["-c", "-emit-llvm", "-target", "spir64", "-cl-std=CL3.0", "-cl-ext=+all", "-O2"];
    let mut clang = Command::new("clang-15");
    clang.args(options).args(further).args(["-Xclang", "-finclude-default-header", "-o"]);
    clang.arg(file("bc")).arg(file("cl"));
    let mut translator = Command::new("llvm-spirv-15");
    translator.arg("--spirv-max-version=1.2").arg(file("bc")).arg("-o").arg(file("spv"));
    let module =
        run(&mut clang).and_then(|()| run(&mut translator)).and_then(|()| Ok(fs::read(file("spv"))?));
    // What was not made is not there.
    ["cl", "bc", "spv"].map(file).iter().for_each(|file| drop(fs::remove_file(file)));
    module
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let output = command.output()?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}

impl Contest {
    /// Whether memory holds what it holds on the host.
    fn judge(&self, slices: &[Vec<u8>]) -> Result<(), String> {
        for (position, (expected, actual)) in self.case.expected().zip(slices).enumerate() {
            let words = |bytes: &[u8]| -> Vec<u32> {
                bytes
                    .chunks_exact(4)
                    .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                    .collect()
            };
            let (expected, actual) = (words(expected), words(actual));
            let is_wrong = |(expected, actual): &(&u32, &u32)| match self.tolerance {
                Tolerance::Relative(share) => {
                    let (expected, actual) = (f32::from_bits(**expected), f32::from_bits(**actual));
                    let difference = (expected - actual).abs();
                    difference.is_nan() || difference > share * expected.abs().max(1.0)
                }
                _ => expected != actual,
            };
            let wrong = expected.iter().zip(&actual).filter(is_wrong).count();
            let allowed = match self.tolerance {
                Tolerance::Words(thousandths) => expected.len() * thousandths / 1000,
                _ => 0,
            };
            if wrong > allowed {
                let first = expected.iter().zip(&actual).position(|pair| is_wrong(&pair)).unwrap_or(0);
                let (expected, actual) = (expected[first], actual[first]);
                return Err(format!(
                    "{wrong} words of slice {position} are wrong, first word {first}: {actual:#x} instead of {expected:#x}"
                ));
            }
        }
        Ok(())
    }
}
