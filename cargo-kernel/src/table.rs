//! Tables.

use crate::style::NAME;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};

/// A table with these headers, and rows of as many cells. Columns of numbers are aligned to the right.
pub(crate) fn table(headers: &[&str], numbers: &[usize], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(headers.to_vec()).add_rows(rows);
    for (position, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(0)));
        if numbers.contains(&position) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut lines = table.lines().map(|line| line.trim_end().to_owned());
    let header = lines.next().unwrap_or_default();
    let rest: String = lines.map(|line| line + "\n").collect();
    format!("{NAME}{header}{NAME:#}\n{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["saxpy", "12"], ["a", "1234"]].map(|row| row.map(str::to_owned).to_vec()).to_vec();
        let text = anstream::adapter::strip_str(&table(&["NAME", "SIZE"], &[1], rows)).to_string();
        assert_eq!(text, "NAME   SIZE\nsaxpy    12\na      1234\n");
    }
}
