//! Schedules as the daemon cron has them: five fields with lists, ranges, steps and names, and when one is due next.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt;
    use core::ops::RangeInclusive;
    use core::str::FromStr;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Unit {
        Minute,
        Hour,
        Day,
        Month,
        Weekday,
    }

    impl Unit {
        const ALL: [Self; 5] = [Self::Minute, Self::Hour, Self::Day, Self::Month, Self::Weekday];

        fn range(self) -> RangeInclusive<u8> {
            match self {
                Unit::Minute => 0..=59,
                Unit::Hour => 0..=23,
                Unit::Day => 1..=31,
                Unit::Month => 1..=12,
                Unit::Weekday => 0..=6,
            }
        }

        fn names(self) -> &'static [&'static str] {
            const MONTHS: &[&str] =
                &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
            const DAYS: &[&str] = &["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
            match self {
                Unit::Month => MONTHS,
                Unit::Weekday => DAYS,
                _ => &[],
            }
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Error {
        Fields(usize),
        Value(Unit),
        OutOfRange { unit: Unit, value: u8 },
        ZeroStep,
    }

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            match self {
                Error::Fields(n) => write!(f, "five fields expected, {n} found"),
                Error::Value(unit) => write!(f, "no value: {}", *unit as u8),
                Error::OutOfRange { unit, value } => {
                    write!(f, "{value:>3} is not in {}..={}", unit.range().start(), unit.range().end())
                }
                Error::ZeroStep => f.write_str("a step of zero"),
            }
        }
    }

    fn number(text: &str, unit: Unit) -> Result<u8, Error> {
        let by_name = unit.names().iter().position(|name| text.eq_ignore_ascii_case(name));
        let value = match by_name {
            Some(i) => i as u8 + *unit.range().start(),
            None => text.parse().map_err(|_| Error::Value(unit))?,
        };
        if unit.range().contains(&value) { Ok(value) } else { Err(Error::OutOfRange { unit, value }) }
    }

    fn field(text: &str, unit: Unit) -> Result<u64, Error> {
        let mut set = 0;
        for item in text.split(',') {
            let (span, step) = match item.split_once('/') {
                Some((span, step)) => (span, step.parse::<u8>().map_err(|_| Error::Value(unit))?),
                None => (item, 1),
            };
            if step == 0 {
                return Err(Error::ZeroStep);
            }
            let range = if span == "*" {
                unit.range()
            } else if let Some((from, to)) = span.split_once('-') {
                number(from, unit)?..=number(to, unit)?
            } else {
                let only = number(span, unit)?;
                only..=only
            };
            set |= range.step_by(step.into()).fold(0, |bits, v| bits | 1u64 << v);
        }
        Ok(set)
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Schedule {
        fields: [u64; 5],
    }

    impl FromStr for Schedule {
        type Err = Error;

        fn from_str(s: &str) -> Result<Self, Self::Err> {
            let s = match s.trim() {
                "@hourly" => "0 * * * *",
                "@daily" | "@midnight" => "0 0 * * *",
                "@yearly" => "0 0 1 jan *",
                other => other,
            };
            let count = s.split_whitespace().count();
            if count != 5 {
                return Err(Error::Fields(count));
            }
            let mut schedule = Schedule::default();
            for ((slot, text), unit) in schedule.fields.iter_mut().zip(s.split_whitespace()).zip(Unit::ALL) {
                *slot = field(text, unit)?;
            }
            Ok(schedule)
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct DateTime {
        year: u16,
        month: u8,
        day: u8,
        hour: u8,
        minute: u8,
    }

    impl DateTime {
        const fn is_leap(year: u16) -> bool {
            year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        }

        const fn days_in_month(year: u16, month: u8) -> u8 {
            match month {
                4 | 6 | 9 | 11 => 30,
                2 if Self::is_leap(year) => 29,
                2 => 28,
                _ => 31,
            }
        }

        /// Sakamoto.
        fn weekday(&self) -> u8 {
            const T: [u16; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
            let y = if self.month < 3 { self.year - 1 } else { self.year };
            ((y + y / 4 - y / 100 + y / 400 + T[self.month as usize - 1] + u16::from(self.day)) % 7) as u8
        }

        fn next_day(self) -> Self {
            let mut next = DateTime { hour: 0, minute: 0, day: self.day + 1, ..self };
            if next.day > Self::days_in_month(self.year, self.month) {
                next.day = 1;
                next.month += 1;
                if next.month > 12 {
                    next = DateTime { month: 1, year: self.year + 1, ..next };
                }
            }
            next
        }
    }

    impl Schedule {
        fn allows(&self, unit: Unit, value: u8) -> bool {
            self.fields[unit as usize] >> value & 1 == 1
        }

        fn first_from(&self, unit: Unit, from: u8) -> Option<u8> {
            (from..=*unit.range().end()).find(|&v| self.allows(unit, v))
        }

        pub fn next_after(&self, start: DateTime) -> Option<DateTime> {
            let mut at = start;
            'days: for _ in 0..800 {
                if self.allows(Unit::Month, at.month)
                    && self.allows(Unit::Day, at.day)
                    && self.allows(Unit::Weekday, at.weekday())
                {
                    let mut minute = at.minute;
                    let mut hour = at.hour;
                    while let Some(h) = self.first_from(Unit::Hour, hour) {
                        if h > at.hour {
                            minute = 0;
                        }
                        if let Some(m) = self.first_from(Unit::Minute, minute) {
                            return Some(DateTime { hour: h, minute: m, ..at });
                        }
                        hour = h + 1;
                        minute = 0;
                        if hour > 23 {
                            at = at.next_day();
                            continue 'days;
                        }
                    }
                }
                at = at.next_day();
            }
            None
        }
    }

    struct Checksum(u32);

    impl fmt::Write for Checksum {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.0 = s.bytes().fold(self.0, |h, b| h.rotate_left(5) ^ u32::from(b));
            Ok(())
        }
    }

    const SPECS: [&str; 12] = [
        "*/15 0 1,15 * mon-fri",
        "30 6 * * *",
        "@yearly",
        "5,10-20/3 */6 * feb Sat",
        "0 12 29 2 *",
        "1 2 3",
        "60 * * * *",
        "* * * foo *",
        "*/0 * * * *",
        " @hourly ",
        "59 23 31 12 sun",
        "* * 31 feb *",
    ];

    pub fn run(seed: u32) -> [u32; 4] {
        use fmt::Write;
        let now = DateTime {
            year: 1990 + (seed % 60) as u16,
            month: 1 + (seed >> 8) as u8 % 12,
            day: 1 + (seed >> 12) as u8 % 28,
            hour: (seed >> 17) as u8 % 24,
            minute: (seed >> 22) as u8 % 60,
        };
        match SPECS[seed as usize % SPECS.len()].parse::<Schedule>() {
            Ok(schedule) => match schedule.next_after(now) {
                Some(at) => {
                    let DateTime { year, month, day, hour, minute } = at;
                    [
                        u32::from(year),
                        u32::from(month) << 8 | u32::from(day),
                        u32::from(hour) << 8 | u32::from(minute),
                        u32::from(at > now),
                    ]
                }
                None => [0, 1, 2, 3],
            },
            Err(error) => {
                let mut text = Checksum(7);
                write!(text, "{error}").expect("a checksum takes all");
                [u32::MAX, text.0, 0, 0]
            }
        }
    }
}

#[kernel]
pub fn schedules_due(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SCHEDULES_DUE, program::run)
}
