//! The programs that are measured: text in Rust and, where there is a counterpart, in OpenCL C.

use std::fmt::Write as _;
use std::time::Duration;

/// Appends a line to a string.
macro_rules! line {
    ($text:ident, $($format:tt)*) => {
        writeln!($text, $($format)*).expect("a String takes what is written to it")
    };
}

/// What a generated program holds.
pub(crate) struct Program {
    /// What the row of the program is called.
    pub(crate) name: String,
    /// The program with its attributes.
    pub(crate) rust: String,
    /// The same kernels in OpenCL C.
    pub(crate) c: Option<String>,
    /// How many kernels the cost is divided by.
    kernels: usize,
}

impl Program {
    /// `kernels` functions of `lines` lines each: loads, arithmetic, a condition.
    pub(crate) fn lines(lines: usize, kernels: usize) -> Self {
        let mut rust = String::new();
        let mut c = String::new();
        for kernel in 0..kernels {
            line!(rust, "#[kernel]\npub fn kernel_{kernel}(a: f32, x: &[f32], y: &mut [f32]) {{");
            line!(rust, "    let i = global_id(0);\n    let mut sum = 0.0;");
            line!(
                c,
                "kernel void kernel_{kernel}(float a, global const float *x, global float *y, ulong n) {{"
            );
            line!(c, "    size_t i = get_global_id(0);\n    float sum = 0.0f;");
            for block in 0..(lines - 5) / 4 {
                line!(rust, "    let v{block} = a * x[i + {block}] - sum;");
                line!(rust, "    if v{block} > 1.0 && i < y.len() {{");
                line!(rust, "        sum += v{block}.sqrt() * {block}.5;\n    }}");
                line!(c, "    float v{block} = a * x[i + {block}] - sum;");
                line!(c, "    if (v{block} > 1.0f && i < n) {{");
                line!(c, "        sum += sqrt(v{block}) * {block}.5f;\n    }}");
            }
            line!(rust, "    y[i] = sum;\n}}");
            line!(c, "    y[i] = sum;\n}}");
        }
        Self { name: format!("{kernels} of {lines} lines"), rust, c: Some(c), kernels }
    }

    /// The same, whose author vouches for races, so that nobody looks for them.
    pub(crate) fn vouched(self) -> Self {
        let rust = self.rust.replace("#[kernel]", "#[kernel(unsafe(races))]");
        Self { name: format!("{}, without the search for races", self.name), rust, c: None, ..self }
    }

    /// A kernel that calls a function, which calls another, `length` deep.
    pub(crate) fn chain(length: usize) -> Self {
        let mut rust = String::from("#[device]\nfn step_0(x: f32) -> f32 {\n    x + 1.0\n}\n");
        let mut c = String::from("float step_0(float x) { return x + 1.0f; }\n");
        for step in 1..length {
            let last = step - 1;
            line!(rust, "#[device]\nfn step_{step}(x: f32) -> f32 {{\n    step_{last}(x) * {step}.5\n}}");
            line!(c, "float step_{step}(float x) {{ return step_{last}(x) * {step}.5f; }}");
        }
        let last = length - 1;
        line!(rust, "#[kernel]\npub fn end(y: &mut [f32]) {{\n    y[global_id(0)] = step_{last}(2.0);\n}}");
        line!(c, "kernel void end(global float *y) {{ y[get_global_id(0)] = step_{last}(2.0f); }}");
        Self { name: format!("1 with a chain of {length} device functions"), rust, c: Some(c), kernels: 1 }
    }

    /// `kernels` kernels, each of which calls another function of one module of `functions` functions.
    pub(crate) fn module(functions: usize, kernels: usize) -> Self {
        let mut rust = String::from("#[device]\nmod steps {\n");
        for step in 0..functions {
            line!(rust, "    pub fn step_{step}(x: f32) -> f32 {{\n        x * {step}.5 + 1.0\n    }}");
        }
        line!(rust, "}}");
        for kernel in 0..kernels {
            line!(rust, "#[kernel]\npub fn kernel_{kernel}(y: &mut [f32]) {{");
            line!(rust, "    y[global_id(0)] = steps::step_{kernel}(2.0);\n}}");
        }
        Self { name: format!("{kernels} on a module of {functions} functions"), rust, c: None, kernels }
    }

    /// A generic kernel of 50 lines that calls a generic function, for `count` types.
    pub(crate) fn instances(count: usize) -> Self {
        let types = ["f32", "f64", "i32", "u32", "i64", "u64", "i16", "u16"][..count].join(", ");
        let mut rust = String::from("#[device]\nfn step<T: Number>(a: T, x: T) -> T {\n    a * x + x\n}\n");
        line!(rust, "#[kernel(T = [{types}])]\npub fn generic<T: Number>(a: T, x: &[T], y: &mut [T]) {{");
        line!(rust, "    let i = global_id(0);\n    let mut sum = a;");
        for block in 0..11 {
            line!(rust, "    let v{block} = step(a, x[i + {block}]) - sum;");
            line!(rust, "    if v{block} > a && i < y.len() {{\n        sum += v{block};\n    }}");
        }
        line!(rust, "    y[i] = sum;\n}}");
        Self { name: format!("1 of 50 lines for {count} types, per type"), rust, c: None, kernels: count }
    }

    /// The program without its attributes: what rustc would do anyway.
    pub(crate) fn host(&self) -> String {
        let attribute = |line: &str| line.starts_with("#[kernel") || line.starts_with("#[device");
        let lines = self.rust.lines().map(|line| if attribute(line) { "#[allow(dead_code)]" } else { line });
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// The milliseconds of a kernel, from the time of the program.
    pub(crate) fn per_kernel(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e3 / self.kernels as f64
    }
}
