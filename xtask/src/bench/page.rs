//! The measurements as panels, and panels as tables in the guide's chapter.

use super::rows::Rows;
use std::fmt::Write as _;

/// A picture's part and a table of its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Panel {
    pub(super) title: String,
    /// What the values are.
    pub(super) unit: &'static str,
    /// Under what they were measured, where that is known.
    pub(super) conditions: Option<String>,
    /// Whether 1 is what others reach, which has a line then.
    pub(super) is_ratio: bool,
    pub(super) series: Vec<&'static str>,
    /// The rows, with a value of each series where there is one.
    pub(super) rows: Vec<(String, Vec<Option<f64>>)>,
}

/// The row of geometric means.
pub(super) const MEAN: &str = "geometric mean";

/// Where the tables are in the chapter.
const MARKS: [&str; 2] =
    ["<!-- What follows is written by `cargo xtask bench`. -->\n", "<!-- End of what is written. -->"];

/// What stands before the tables, and instead of them.
const PICTURE: &str = "![Dots for each kernel and peer](measurements.svg)\n\n";
const NOTHING: &str = "Nothing has been measured yet.\n\n";

/// What is shown of the figures.
pub(super) fn panels(rows: &Rows) -> Vec<Panel> {
    let isa = rows.measurements("isa").into_iter().map(|measurement| isa(rows, measurement));
    let cpu = rows.measurements("cpu").into_iter().map(|measurement| cpu(rows, measurement));
    let expansion = rows.measurements("expansion").into_iter().map(|measurement| {
        let series = vec!["macro in a debug build", "macro optimised", "clang"];
        plain(
            rows,
            measurement,
            "Expansion of #[kernel] beside clang and LLVM's translator",
            "milliseconds for each kernel",
            series,
        )
    });
    let launch = rows.measurements("launch").into_iter().map(|measurement| {
        let title = match measurement {
            "launch, the CPU device" => "A launch on the CPU device",
            _ => "A launch by Intel's driver, which executes nothing here",
        };
        plain(rows, measurement, title, "microseconds", vec!["runtime", "by hand", "by hand, what differs"])
    });
    isa.chain(cpu).chain(expansion).chain(launch).collect()
}

/// The code for a GPU, as a ratio to the better of both front ends.
fn isa(rows: &Rows, measurement: &str) -> Panel {
    let device = measurement.trim_start_matches("isa, ");
    let ratio = |row: &str, column: &str| {
        let peers = ["ocloc", "clang"].iter().filter_map(|peer| rows.get(measurement, row, peer));
        Some(rows.get(measurement, row, column)? / peers.min_by(f64::total_cmp)?)
    };
    let series = vec!["ours", "with checks"];
    Panel {
        title: format!("Code for {device}, beside the better of two front ends of OpenCL C"),
        unit: "estimated cycles, as a ratio",
        conditions: rows.conditions(measurement).map(str::to_owned),
        is_ratio: true,
        rows: with_mean(rows.rows(measurement), &series, ratio),
        series,
    }
}

/// The times on the CPU driver, as ratios to those of others.
fn cpu(rows: &Rows, measurement: &str) -> Panel {
    let ratio = |row: &str, column: &str| {
        Some(rows.get(measurement, row, "driver")? / rows.get(measurement, row, column)?)
    };
    let series = vec!["intel-c", "pocl", "rust"];
    Panel {
        title: format!("Time on the CPU driver ({})", measurement.trim_start_matches("cpu, ")),
        unit: "time, as a ratio to that of the peer",
        conditions: rows.conditions(measurement).map(str::to_owned),
        is_ratio: true,
        rows: with_mean(rows.rows(measurement), &series, ratio),
        series,
    }
}

/// Figures as they are.
fn plain(
    rows: &Rows,
    measurement: &str,
    title: &str,
    unit: &'static str,
    series: Vec<&'static str>,
) -> Panel {
    let names = rows.rows(measurement);
    let is_there = |column: &&&str| names.iter().any(|row| rows.get(measurement, row, column).is_some());
    let series: Vec<&'static str> = series.iter().filter(is_there).copied().collect();
    let values = |row: &str| series.iter().map(|column| rows.get(measurement, row, column)).collect();
    let conditions = rows.conditions(measurement).map(str::to_owned);
    let rows = names.iter().map(|row| ((*row).to_owned(), values(row))).collect();
    Panel { title: title.to_owned(), unit, conditions, is_ratio: false, series, rows }
}

/// The row without work, which says nothing of kernels' code.
const EMPTY: &str = "bump";

/// The rows of ratios, and their geometric mean.
fn with_mean(
    names: Vec<&str>,
    series: &[&'static str],
    ratio: impl Fn(&str, &str) -> Option<f64>,
) -> Vec<(String, Vec<Option<f64>>)> {
    let values = |row: &str| -> Vec<Option<f64>> { series.iter().map(|column| ratio(row, column)).collect() };
    let mut rows: Vec<_> = names.iter().map(|row| ((*row).to_owned(), values(row))).collect();
    let mean = |position: usize| {
        let work = rows.iter().filter(|(name, _)| name != EMPTY);
        let logarithms: Vec<f64> = work.filter_map(|(_, values)| Some(values[position]?.ln())).collect();
        let count = logarithms.len() as f64;
        (count > 0.0).then(|| (logarithms.iter().sum::<f64>() / count).exp())
    };
    let means = (0..series.len()).map(mean).collect();
    rows.push((MEAN.to_owned(), means));
    rows
}

/// The chapter with the tables of these panels between its marks.
pub(super) fn with_tables(text: &str, panels: &[Panel]) -> Result<String, String> {
    let [start, end] = MARKS;
    let missing = || format!("the chapter has no `{}` before `{end}`", start.trim_end());
    let (before, rest) = text.split_once(start).ok_or_else(missing)?;
    let (_, after) = rest.split_once(end).ok_or_else(missing)?;
    let mut tables = if panels.is_empty() { NOTHING } else { PICTURE }.to_owned();
    tables.extend(panels.iter().map(table));
    Ok(format!("{before}{start}\n{tables}{end}{after}"))
}

fn table(panel: &Panel) -> String {
    let conditions = panel.conditions.as_ref().map_or_else(String::new, |text| format!(" {text}"));
    let mut text = format!("### {}\n\n{}{conditions}\n\n| |", panel.title, sentence(panel.unit));
    panel.series.iter().for_each(|series| text += &format!(" {series} |"));
    text += &format!("\n|---|{}\n", "---:|".repeat(panel.series.len()));
    for (name, values) in &panel.rows {
        write!(text, "| {name} |").expect("a String takes what is written to it");
        for value in values {
            let value = value.map_or_else(String::new, |value| format!("{value:.2}"));
            write!(text, " {value} |").expect("a String takes what is written to it");
        }
        text.push('\n');
    }
    text + "\n"
}

/// A unit as a sentence.
fn sentence(unit: &str) -> String {
    let mut letters = unit.chars();
    let first = letters.next().filter(|first| first.is_ascii()).map(|first| first.to_ascii_uppercase());
    first.map_or_else(|| unit.to_owned(), |first| format!("{first}{}", letters.as_str())) + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Rows {
        let text = "isa, pvc\tsaxpy\tours\t4\nisa, pvc\tsaxpy\twith checks\t12\nisa, pvc\tsaxpy\tocloc\t8\nisa, pvc\tsaxpy\tclang\t10\n\
                    cpu, 1 thread\tsaxpy\tdriver\t2\ncpu, 1 thread\tsaxpy\tintel-c\t4\ncpu, 1 thread\tbump\tdriver\t9\ncpu, 1 thread\tbump\tintel-c\t1\n\
                    #launch\tAt night.\nlaunch, the CPU device\ta launch\truntime\t1.5\n";
        Rows::parse(text).unwrap()
    }

    #[test]
    fn ratios_are_to_the_better_peer() {
        let panels = panels(&measured());
        assert_eq!(panels[0].rows[0], ("saxpy".to_owned(), vec![Some(0.5), Some(1.5)]));
    }

    #[test]
    fn the_mean_is_of_kernels_with_work() {
        let cpu = &panels(&measured())[1];
        assert_eq!(cpu.rows[1].1, [Some(9.0), None, None]);
        assert_eq!(cpu.rows[2], (MEAN.to_owned(), vec![Some(0.5), None, None]));
    }

    #[test]
    fn tables_stand_between_the_marks() {
        let [start, end] = MARKS;
        let page =
            with_tables(&format!("before\n{start}old{end}\nafter\n"), &panels(&measured())[2..]).unwrap();
        let table = "### A launch on the CPU device\n\nMicroseconds. At night.\n\n| | runtime |\n|---|---:|\n| a launch | 1.50 |\n\n";
        assert_eq!(page, format!("before\n{start}\n{PICTURE}{table}{end}\nafter\n"));
        let page = with_tables(&page, &[]).unwrap();
        assert_eq!(page, format!("before\n{start}\n{NOTHING}{end}\nafter\n"));
        assert!(with_tables("no marks", &[]).is_err());
    }
}
