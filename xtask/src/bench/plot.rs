//! Panels as a picture in SVG: a row for each name, a dot for each value, on a logarithmic axis.

use super::page::{MEAN, Panel};
use std::fmt::Write as _;

const WIDTH: f64 = 860.0;
/// Where the axes begin and end.
const AXIS: [f64; 2] = [330.0, 830.0];
const ROW: f64 = 19.0;
/// What is above the first row of a panel: its title, its legend and its unit.
const HEAD: f64 = 62.0;
/// What is below the last row: the numbers of the axis.
const FOOT: f64 = 46.0;
/// For those who see all colours and those who do not (the palette of Okabe and Ito).
const COLOURS: [&str; 4] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7"];

/// The picture; without panels there is none, and this is empty.
pub(super) fn svg(panels: &[Panel]) -> String {
    if panels.is_empty() {
        return String::new();
    }
    let total: f64 = panels.iter().map(height).sum();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let mut top = 0.0;
    for panel in panels {
        draw(panel, top, &mut text).expect("a String takes what is written to it");
        top += height(panel);
    }
    text + "</svg>\n"
}

fn height(panel: &Panel) -> f64 {
    HEAD + ROW * panel.rows.len() as f64 + FOOT
}

fn draw(panel: &Panel, top: f64, text: &mut String) -> std::fmt::Result {
    let [left, right] = AXIS;
    let first = top + HEAD;
    let bottom = first + ROW * panel.rows.len() as f64;
    writeln!(
        text,
        "<text x=\"14\" y=\"{:.1}\" font-size=\"15\" font-weight=\"bold\">{}</text>",
        top + 24.0,
        escaped(&panel.title)
    )?;
    let mut x = left;
    for (series, colour) in panel.series.iter().zip(COLOURS) {
        writeln!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4.5\" fill=\"{colour}\"/>",
            x + 5.0,
            top + 43.0
        )?;
        writeln!(text, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 14.0, top + 47.0, escaped(series))?;
        x += 34.0 + 6.6 * series.chars().count() as f64;
    }
    let Some(axis) = Axis::of(panel) else { return Ok(()) };
    for tick in axis.ticks() {
        let x = axis.place(tick);
        let colour = if panel.is_ratio && tick == 1.0 { "#444444" } else { "#dddddd" };
        writeln!(text, "<path d=\"M{x:.1} {first:.1}V{bottom:.1}\" stroke=\"{colour}\"/>")?;
        writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">{tick}</text>",
            bottom + 15.0
        )?;
    }
    let middle = (left + right) / 2.0;
    writeln!(
        text,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">{}</text>",
        bottom + 31.0,
        escaped(panel.unit)
    )?;
    for (position, (name, values)) in panel.rows.iter().enumerate() {
        let y = first + ROW * (position as f64 + 0.5);
        let weight = if name == MEAN { " font-weight=\"bold\"" } else { "" };
        writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\"{weight}>{}</text>",
            left - 12.0,
            y + 4.0,
            escaped(name)
        )?;
        for (value, colour) in values.iter().zip(COLOURS) {
            if let Some(value) = value {
                writeln!(
                    text,
                    "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\" fill-opacity=\"0.85\"/>",
                    axis.place(*value)
                )?;
            }
        }
    }
    Ok(())
}

/// A logarithmic axis.
struct Axis {
    least: f64,
    greatest: f64,
}

impl Axis {
    /// The axis on which all values of a panel are; none if it has none.
    fn of(panel: &Panel) -> Option<Self> {
        let values = || {
            panel.rows.iter().flat_map(|(_, values)| values).flatten().copied().filter(|value| *value > 0.0)
        };
        let (least, greatest) = (values().min_by(f64::total_cmp)?, values().max_by(f64::total_cmp)?);
        let (least, greatest) =
            if panel.is_ratio { (least.min(0.9), greatest.max(1.1)) } else { (least, greatest) };
        Some(Self { least: least * 0.9, greatest: greatest * 1.1 })
    }

    /// Where a value is.
    fn place(&self, value: f64) -> f64 {
        let [left, right] = AXIS;
        let share = (value.max(self.least) / self.least).ln() / (self.greatest / self.least).ln();
        left + share * (right - left)
    }

    /// The round numbers on it: 1, 2 and 5 of each power of ten, or where these are few, multiples of one of them.
    fn ticks(&self) -> Vec<f64> {
        let powers = self.least.log10().floor() as i32..=self.greatest.log10().ceil() as i32;
        let all = powers.flat_map(|power| [1, 2, 5].map(|digit| decimal(digit, power)));
        let ticks: Vec<f64> = all.filter(|tick| (self.least..=self.greatest).contains(tick)).collect();
        if ticks.len() > 3 { ticks } else { self.even_ticks() }
    }

    /// Four to ten numbers at equal distances.
    fn even_ticks(&self) -> Vec<f64> {
        let least = (self.greatest - self.least) / 10.0;
        let power = least.log10().floor() as i32;
        let digit = [1, 2, 5].into_iter().find(|digit| decimal(*digit, power) >= least);
        let (digit, power) = digit.map_or((1, power + 1), |digit| (digit, power));
        let step = decimal(digit, power);
        let counts = (self.least / step).ceil() as i32..=(self.greatest / step).floor() as i32;
        counts.map(|count| decimal(count * digit, power)).collect()
    }
}

/// A multiple of a power of ten, as the number nearest to its decimal digits.
fn decimal(digits: i32, power: i32) -> f64 {
    format!("{digits}e{power}").parse().unwrap_or(f64::NAN)
}

/// Text as XML has it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel() -> Panel {
        Panel {
            title: "a < b".to_owned(),
            unit: "times",
            conditions: None,
            is_ratio: true,
            series: vec!["one", "two"],
            rows: vec![
                ("x".to_owned(), vec![Some(0.5), None]),
                ("y".to_owned(), vec![Some(1.0), Some(20.0)]),
            ],
        }
    }

    #[test]
    fn there_is_a_dot_for_each_value_and_each_series() {
        let text = svg(&[panel()]);
        assert_eq!(text.matches("<circle").count(), 3 + 2);
        assert!(text.contains("a &lt; b") && text.ends_with("</svg>\n"), "{text}");
    }

    #[test]
    fn an_axis_has_round_numbers_in_their_places() {
        let axis = Axis::of(&panel()).unwrap();
        assert_eq!(axis.ticks(), [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        let places = axis.ticks().iter().map(|tick| axis.place(*tick)).collect::<Vec<_>>();
        assert!(places.is_sorted() && places[0] > AXIS[0] && places[5] < AXIS[1], "{places:?}");
        let narrow = Axis { least: 0.81, greatest: 1.32 };
        assert_eq!(narrow.ticks(), [0.9, 1.0, 1.1, 1.2, 1.3]);
        assert!(Axis::of(&Panel { rows: Vec::new(), ..panel() }).is_none());
    }
}
