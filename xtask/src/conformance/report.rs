//! Counts verdicts, and shows each failure with what the consumer said.

use std::error::Error;

/// What one consumer says about one kernel or case.
#[derive(Debug)]
pub(super) struct Check {
    /// Who judges.
    pub(super) consumer: &'static str,
    /// What is judged.
    pub(super) subject: String,
    /// The judgement.
    pub(super) verdict: Verdict,
}

/// The outcome of a check.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It is as it should be.
    Passed,
    /// It is not; this is what the consumer said.
    Failed(String),
    /// The consumer cannot take it, for this reason, and need not.
    NotApplicable(&'static str),
}

impl From<Result<(), String>> for Verdict {
    fn from(result: Result<(), String>) -> Self {
        result.map_or_else(Self::Failed, |()| Self::Passed)
    }
}

/// The counts of one consumer.
#[derive(Debug, Default)]
struct Row {
    consumer: &'static str,
    passed: usize,
    failed: usize,
    /// Each reason why the consumer was not asked, with how often it applied.
    not_applicable: Vec<(&'static str, usize)>,
}

/// All verdicts so far, by consumer.
#[derive(Debug, Default)]
pub(super) struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Counts checks and prints those that failed.
    pub(super) fn extend(&mut self, checks: impl IntoIterator<Item = Check>) {
        for check in checks {
            self.record(check);
        }
    }

    fn record(&mut self, check: Check) {
        let row = self.row(check.consumer);
        match check.verdict {
            Verdict::Passed => row.passed += 1,
            Verdict::Failed(message) => {
                row.failed += 1;
                println!("FAILED {}: {}", check.consumer, check.subject);
                for line in message.lines() {
                    println!("    {line}");
                }
            }
            Verdict::NotApplicable(reason) => {
                match row.not_applicable.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, count)) => *count += 1,
                    None => row.not_applicable.push((reason, 1)),
                }
            }
        }
    }

    fn row(&mut self, consumer: &'static str) -> &mut Row {
        let index = self.rows.iter().position(|row| row.consumer == consumer).unwrap_or_else(|| {
            self.rows.push(Row { consumer, ..Row::default() });
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }

    /// Prints the table and the totals.
    ///
    /// # Errors
    ///
    /// That something failed, or that nothing was checked.
    pub(super) fn finish(self) -> Result<(), Box<dyn Error>> {
        println!("{:<20} {:>7} {:>7}  not applicable", "consumer", "passed", "failed");
        for row in &self.rows {
            let reasons: Vec<String> =
                row.not_applicable.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            println!("{:<20} {:>7} {:>7}  {}", row.consumer, row.passed, row.failed, reasons.join(", "));
        }
        let total = |count: fn(&Row) -> usize| self.rows.iter().map(count).sum::<usize>();
        let (passed, failed) = (total(|row| row.passed), total(|row| row.failed));
        println!("{passed} passed, {failed} failed");
        match (passed, failed) {
            (0, 0) => Err("nothing was checked".into()),
            (_, 0) => Ok(()),
            _ => Err("kernels do not conform".into()),
        }
    }
}
