//! Dates, in the style of `time`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod date {
    use core::fmt;
    use core::ops::{Add, Sub};

    #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Date {
        year: i32,
        month: Month,
        day: u8,
    }

    #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Month {
        January = 1,
        February,
        March,
        April,
        May,
        June,
        July,
        August,
        September,
        October,
        November,
        December,
    }

    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct ComponentRange {
        pub name: &'static str,
        pub minimum: i64,
        pub maximum: i64,
        pub value: i64,
    }

    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub enum Weekday {
        Mon,
        Tue,
        Wed,
        Thu,
        Fri,
        Sat,
        Sun,
    }

    #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Days(pub i32);

    impl Month {
        pub const fn length(self, year: i32) -> u8 {
            match self {
                Self::January
                | Self::March
                | Self::May
                | Self::July
                | Self::August
                | Self::October
                | Self::December => 31,
                Self::April | Self::June | Self::September | Self::November => 30,
                Self::February if is_leap_year(year) => 29,
                Self::February => 28,
            }
        }
    }

    impl TryFrom<u8> for Month {
        type Error = ComponentRange;
        fn try_from(value: u8) -> Result<Self, ComponentRange> {
            Ok(match value {
                1 => Self::January,
                2 => Self::February,
                3 => Self::March,
                4 => Self::April,
                5 => Self::May,
                6 => Self::June,
                7 => Self::July,
                8 => Self::August,
                9 => Self::September,
                10 => Self::October,
                11 => Self::November,
                12 => Self::December,
                _ => {
                    return Err(ComponentRange { name: "month", minimum: 1, maximum: 12, value: value as _ });
                }
            })
        }
    }

    pub const fn is_leap_year(year: i32) -> bool {
        year % 4 == 0 && (year % 25 != 0 || year % 16 == 0)
    }

    impl Date {
        pub const UNIX_EPOCH: Date = Date { year: 1970, month: Month::January, day: 1 };

        pub fn from_calendar_date(year: i32, month: Month, day: u8) -> Result<Self, ComponentRange> {
            let last = month.length(year);
            if !(1..=last).contains(&day) {
                return Err(ComponentRange {
                    name: "day",
                    minimum: 1,
                    maximum: i64::from(last),
                    value: day.into(),
                });
            }
            Ok(Self { year, month, day })
        }

        pub const fn days_since_epoch(self) -> i32 {
            let m = self.month as i32;
            let y = if m <= 2 { self.year - 1 } else { self.year };
            let era = y.div_euclid(400);
            let yoe = y.rem_euclid(400);
            let mp = (m + 9) % 12;
            let doy = (153 * mp + 2) / 5 + self.day as i32 - 1;
            let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
            era * 146_097 + doe - 719_468
        }

        pub fn from_days(days: i32) -> Self {
            let z = days + 719_468;
            let era = z.div_euclid(146_097);
            let doe = z.rem_euclid(146_097);
            let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
            let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
            let mp = (5 * doy + 2) / 153;
            let day = (doy - (153 * mp + 2) / 5 + 1) as u8;
            let month = if mp < 10 { mp + 3 } else { mp - 9 };
            Date {
                year: yoe + era * 400 + (month <= 2) as i32,
                month: (month as u8).try_into().unwrap(),
                day,
            }
        }

        pub fn weekday(self) -> Weekday {
            const TABLE: [Weekday; 7] = [
                Weekday::Thu,
                Weekday::Fri,
                Weekday::Sat,
                Weekday::Sun,
                Weekday::Mon,
                Weekday::Tue,
                Weekday::Wed,
            ];
            TABLE[self.days_since_epoch().rem_euclid(7) as usize]
        }

        pub fn ymd(self) -> (i32, Month, u8) {
            (self.year, self.month, self.day)
        }
    }

    impl Add<Days> for Date {
        type Output = Self;
        fn add(self, Days(n): Days) -> Self {
            Self::from_days(self.days_since_epoch() + n)
        }
    }
    impl Sub for Date {
        type Output = Days;
        fn sub(self, other: Self) -> Days {
            Days(self.days_since_epoch() - other.days_since_epoch())
        }
    }

    impl fmt::Display for Date {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:04}-{:02}-{:02}", self.year, self.month as u8, self.day)
        }
    }
}

#[device]
fn try_program(seed: u32) -> Result<u32, date::ComponentRange> {
    use date::{Date, Days, Month, Weekday};
    let month = Month::try_from((seed % 14) as u8)?;
    let d = Date::from_calendar_date(1900 + (seed >> 8) as i32 % 300, month, (seed >> 4) as u8 % 33)?;
    let later = d + Days((seed % 5000) as i32 - 2500);
    let Days(diff) = later - d;
    let (y, m, day) = later.ymd();
    let key = (later > d) as u32 | (later.max(Date::UNIX_EPOCH) == later) as u32 * 2;
    let weekend = matches!(later.weekday(), Weekday::Sat | Weekday::Sun);
    Ok((y as u32) << 16 ^ (m as u32) << 10 ^ (day as u32) << 4 ^ key ^ diff as u32 ^ (weekend as u32) << 30)
}

#[device]
pub fn program(seed: u32) -> u32 {
    match try_program(seed) {
        Ok(v) => v,
        Err(e) if e.name == "month" => e.value as u32,
        Err(e) => e.name.len() as u32 * 100 + e.maximum as u32,
    }
}

#[kernel]
pub fn dates(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&DATES, |i| program(seed(i)))
}
