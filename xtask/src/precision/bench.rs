//! What it takes to measure: the functions, the consumers and the exact results.

use super::consumer::{self, Mode};
use super::error::{Exact, in_ulps};
use super::function::{Bound, Exact as Source, Function, Variant};
use super::list;
use super::measure::{Measured, describe, measure, show};
use super::reference::{self, Reference};
use super::sample::{Float, Inputs, Sample};
use super::table::{Cell, Oddity, Row, Section};
use super::worker::Worker;
use crate::install::opencl_runtime;
use kernel_runtime::{Device, DeviceKind, Queue};
use std::error::Error;

/// The consumers by the names that the table has for them.
const HOST: &str = "the host";
pub(super) const DRIVER: &str = "the CPU driver";
const INTEL: &str = "Intel's OpenCL runtime for CPUs";

/// Of how many arguments one is measured in a check.
const CHECKED: usize = 256;

/// How many of the greatest errors of a float are computed from exact results.
const REFINED: usize = 16;

/// All that it takes.
pub(super) struct Bench {
    functions: Vec<Function>,
    queue: Queue,
    worker: Option<Worker>,
    reference: Reference,
}

/// What a check found of a function on the CPU driver.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) name: &'static str,
    pub(super) ulps: f64,
    pub(super) at: String,
    /// The first special result that is not as in Rust, if it has to be.
    pub(super) odd: Option<String>,
}

/// The arguments of a function with the exact results and those of the host.
struct Measurement<'f, T> {
    function: &'f Function,
    variant: Variant<T>,
    inputs: Inputs<T>,
    host: Vec<T>,
    exact: Vec<Exact>,
}

impl Bench {
    /// With Intel's runtime, which is installed if need be.
    pub(super) fn with_opencl() -> Result<Self, Box<dyn Error>> {
        let worker = Some(Worker::start(&opencl_runtime()?)?);
        Ok(Self { worker, ..Self::without_opencl()? })
    }

    /// With the CPU driver alone.
    pub(super) fn without_opencl() -> Result<Self, Box<dyn Error>> {
        let queue = cpu()?.queue()?;
        Ok(Self { functions: list::all(), queue, worker: None, reference: Reference::start()? })
    }

    /// Measures all functions of a type on all consumers.
    pub(super) fn section<T: Float>(&mut self, ty: &'static str) -> Result<Section, Box<dyn Error>> {
        let mut section = Section { ty, bits: T::BITS, rows: Vec::new(), oddities: Vec::new() };
        for position in 0..self.functions.len() {
            self.add_row::<T>(position, &mut section)?;
        }
        section.rows.sort_by_key(|row| (row.name.contains("::"), row.name));
        Ok(section)
    }

    /// Measures some arguments of all functions of a type on the CPU driver.
    pub(super) fn findings<T: Float>(&mut self) -> Result<Vec<Finding>, Box<dyn Error>> {
        let Self { functions, queue, reference, .. } = self;
        let mut findings = Vec::new();
        for function in &*functions {
            let sample = Sample { count: count::<T>(function), step: CHECKED };
            let Some(measurement) = Measurement::<T>::new(function, functions, sample, reference)? else {
                continue;
            };
            let results =
                consumer::on_cpu_driver(queue, function, &measurement.variant, &measurement.inputs)?;
            let measured = measurement.measure(&results, reference)?;
            let Cell { ulps, at } = measurement.cell(&measured);
            let odd = measurement.oddity(DRIVER, &measured, &results);
            let odd = odd.filter(|_| function.bound != Bound::Open).map(|odd| format!("{odd:?}"));
            findings.push(Finding { name: function.name, ulps, at: at.unwrap_or_default(), odd });
        }
        Ok(findings)
    }

    /// Measures the function at a position, if there is one of this type.
    fn add_row<T: Float>(&mut self, position: usize, section: &mut Section) -> Result<(), Box<dyn Error>> {
        let Self { functions, queue, reference, worker } = self;
        let function = &functions[position];
        let sample = Sample { count: count::<T>(function), step: 1 };
        let Some(all) = Measurement::<T>::new(function, functions, sample, reference)? else {
            return Ok(());
        };
        let worker = worker.as_mut().ok_or("the table has a column of Intel's runtime")?;
        let driver = consumer::on_cpu_driver(queue, function, &all.variant, &all.inputs)?;
        let intel = worker.results::<T>(position, Mode::Strict, sample.count)?;
        let fast = worker.results::<T>(position, Mode::Fast, sample.count)?;
        let mut cell = |consumer: Option<&'static str>, results: &[T]| {
            let measured = all.measure(results, reference)?;
            section.oddities.extend(consumer.and_then(|consumer| all.oddity(consumer, &measured, results)));
            Ok::<_, Box<dyn Error>>(all.cell(&measured))
        };
        let row = Row {
            name: function.name,
            bound: function.bound,
            host: cell(Some(HOST), &all.host)?,
            driver: cell(Some(DRIVER), &driver)?,
            intel: intel.map(|results| cell(Some(INTEL), &results)).transpose()?,
            // Infinities and NaN are given up there.
            intel_fast: fast.map(|results| cell(None, &results)).transpose()?,
        };
        println!("{} {}: {:?}", section.ty, row.name, row.driver);
        section.rows.push(row);
        Ok(())
    }
}

/// The CPU driver's device.
pub(super) fn cpu() -> Result<Device, Box<dyn Error>> {
    let is_cpu = |device: &Device| device.kind() == DeviceKind::Cpu;
    Device::all().into_iter().find(is_cpu).ok_or_else(|| "the CPU driver is not there".into())
}

/// For how many arguments a function is measured. There are few halves, and exact results of doubles take their time.
fn count<T: Float>(function: &Function) -> usize {
    let specials = if function.arguments.len() == 1 { 1 << 6 } else { 1 << 11 };
    match T::BITS {
        16 if function.arguments.len() == 1 => (1 << 16) + specials,
        16 => 1 << 18,
        32 => 1 << 22,
        _ => (1 << 15) + specials,
    }
}

impl<'f, T: Float> Measurement<'f, T> {
    /// Makes arguments of a function, if there is one of this type.
    fn new(
        function: &'f Function,
        all: &[Function],
        sample: Sample,
        reference: &mut Reference,
    ) -> Result<Option<Self>, Box<dyn Error>> {
        let Some(variant) = T::variant(&function.variants) else { return Ok(None) };
        let inputs = Inputs::for_function(function, sample);
        let host = consumer::on_host(&variant, &inputs);
        let exact = match function.exact {
            Source::Formula(formula) if T::BITS == 64 => {
                let indices: Vec<_> = (0..inputs.len()).collect();
                reference.evaluate(formula, function.arguments, &inputs.wide(&indices))?
            }
            _ => reference::approximate(function, all, &inputs, &host)?,
        };
        Ok(Some(Self { function, variant, inputs, host, exact }))
    }

    /// Measures results; the greatest errors with exact results, where those so far are approximate.
    fn measure(&self, results: &[T], reference: &mut Reference) -> Result<Measured, Box<dyn Error>> {
        let Self { function, inputs, exact, host, .. } = self;
        let mut measured = measure(function, inputs, exact, host, results, REFINED);
        if let (Source::Formula(formula), true) = (function.exact, T::BITS != 64) {
            let indices: Vec<_> = measured.worst.iter().map(|&(index, _)| index).collect();
            let exact = reference.evaluate(formula, function.arguments, &inputs.wide(&indices))?;
            for ((index, error), exact) in measured.worst.iter_mut().zip(exact) {
                *error = in_ulps(results[*index], exact);
            }
            measured.worst.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        }
        Ok(measured)
    }

    fn cell(&self, measured: &Measured) -> Cell {
        let (ulps, index) = measured.greatest();
        Cell { ulps, at: index.map(|index| describe(self.function, &self.inputs, index)) }
    }

    fn oddity(&self, consumer: &'static str, measured: &Measured, results: &[T]) -> Option<Oddity> {
        let &first = measured.odd.first()?;
        Some(Oddity {
            name: self.function.name,
            consumer,
            count: measured.odd.len(),
            at: describe(self.function, &self.inputs, first),
            result: show(results[first]),
            of_rust: show(self.host[first]),
        })
    }
}
