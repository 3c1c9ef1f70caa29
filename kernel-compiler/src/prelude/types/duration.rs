// `std::time::Duration`, and `TryFromFloatSecsError`.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Duration {
    secs: u64,
    nanos: u32,
}

impl Duration {
    const ZERO: Duration = Duration { secs: 0, nanos: 0 };
    const MAX: Duration = Duration { secs: u64::MAX, nanos: 999_999_999 };
    const SECOND: Duration = Duration { secs: 1, nanos: 0 };
    const MILLISECOND: Duration = Duration { secs: 0, nanos: 1_000_000 };
    const MICROSECOND: Duration = Duration { secs: 0, nanos: 1_000 };
    const NANOSECOND: Duration = Duration { secs: 0, nanos: 1 };

    fn new(secs: u64, nanos: u32) -> Duration {
        match secs.checked_add((nanos / 1_000_000_000) as u64) {
            Some(secs) => Duration { secs, nanos: nanos % 1_000_000_000 },
            None => panic!("overflow in Duration::new"),
        }
    }

    fn from_secs(secs: u64) -> Duration {
        Duration { secs, nanos: 0 }
    }

    fn from_millis(millis: u64) -> Duration {
        Duration { secs: millis / 1_000, nanos: (millis % 1_000) as u32 * 1_000_000 }
    }

    fn from_micros(micros: u64) -> Duration {
        Duration { secs: micros / 1_000_000, nanos: (micros % 1_000_000) as u32 * 1_000 }
    }

    fn from_nanos(nanos: u64) -> Duration {
        Duration { secs: nanos / 1_000_000_000, nanos: (nanos % 1_000_000_000) as u32 }
    }

    fn from_mins(mins: u64) -> Duration {
        Duration::__of_units(mins, 60)
    }

    fn from_hours(hours: u64) -> Duration {
        Duration::__of_units(hours, 3600)
    }

    fn __of_units(count: u64, secs: u64) -> Duration {
        match count.checked_mul(secs) {
            Some(secs) => Duration { secs, nanos: 0 },
            None => panic!("overflow in Duration::from_mins"),
        }
    }

    fn is_zero(&self) -> bool {
        self.secs == 0 && self.nanos == 0
    }

    fn as_secs(&self) -> u64 {
        self.secs
    }

    fn subsec_millis(&self) -> u32 {
        self.nanos / 1_000_000
    }

    fn subsec_micros(&self) -> u32 {
        self.nanos / 1_000
    }

    fn subsec_nanos(&self) -> u32 {
        self.nanos
    }

    fn as_millis(&self) -> u128 {
        self.secs as u128 * 1_000 + (self.nanos / 1_000_000) as u128
    }

    fn as_micros(&self) -> u128 {
        self.secs as u128 * 1_000_000 + (self.nanos / 1_000) as u128
    }

    fn as_nanos(&self) -> u128 {
        self.secs as u128 * 1_000_000_000 + self.nanos as u128
    }

    fn as_secs_f64(&self) -> f64 {
        self.secs as f64 + self.nanos as f64 / 1e9
    }

    fn as_secs_f32(&self) -> f32 {
        self.secs as f32 + self.nanos as f32 / 1e9
    }

    fn abs_diff(self, other: Duration) -> Duration {
        match self.checked_sub(other) {
            Some(difference) => difference,
            None => other - self,
        }
    }

    fn checked_add(self, other: Duration) -> Option<Duration> {
        let carries = self.nanos + other.nanos >= 1_000_000_000;
        let secs = self.secs.checked_add(other.secs)?.checked_add(carries as u64)?;
        let nanos = self.nanos + other.nanos - if carries { 1_000_000_000 } else { 0 };
        Some(Duration { secs, nanos })
    }

    fn checked_sub(self, other: Duration) -> Option<Duration> {
        let borrows = self.nanos < other.nanos;
        let secs = self.secs.checked_sub(other.secs)?.checked_sub(borrows as u64)?;
        let nanos = self.nanos + if borrows { 1_000_000_000 } else { 0 } - other.nanos;
        Some(Duration { secs, nanos })
    }

    fn checked_mul(self, count: u32) -> Option<Duration> {
        let nanos = self.nanos as u64 * count as u64;
        let secs = self.secs.checked_mul(count as u64)?.checked_add(nanos / 1_000_000_000)?;
        Some(Duration { secs, nanos: (nanos % 1_000_000_000) as u32 })
    }

    fn checked_div(self, count: u32) -> Option<Duration> {
        if count == 0 {
            return None;
        }
        let (count, rest) = (count as u64, self.secs % count as u64);
        let nanos = self.nanos as u64 / count;
        let more = (rest * 1_000_000_000 + self.nanos as u64 % count) / count;
        Some(Duration { secs: self.secs / count, nanos: (nanos + more) as u32 })
    }

    fn saturating_add(self, other: Duration) -> Duration {
        match self.checked_add(other) {
            Some(sum) => sum,
            None => Duration { secs: u64::MAX, nanos: 999_999_999 },
        }
    }

    fn saturating_sub(self, other: Duration) -> Duration {
        match self.checked_sub(other) {
            Some(difference) => difference,
            None => Duration { secs: 0, nanos: 0 },
        }
    }

    fn saturating_mul(self, count: u32) -> Duration {
        match self.checked_mul(count) {
            Some(product) => product,
            None => Duration { secs: u64::MAX, nanos: 999_999_999 },
        }
    }

    fn div_duration_f64(self, other: Duration) -> f64 {
        (self.secs as f64 * 1e9 + self.nanos as f64) / (other.secs as f64 * 1e9 + other.nanos as f64)
    }

    fn div_duration_f32(self, other: Duration) -> f32 {
        (self.secs as f32 * 1e9 + self.nanos as f32) / (other.secs as f32 * 1e9 + other.nanos as f32)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TryFromFloatSecsErrorKind {
    Negative,
    OverflowOrNan,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct TryFromFloatSecsError {
    kind: TryFromFloatSecsErrorKind,
}

impl std::fmt::Display for TryFromFloatSecsError {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.pad(match self.kind {
            std::time::TryFromFloatSecsErrorKind::Negative => {
                "cannot convert float seconds to Duration: value is negative"
            }
            std::time::TryFromFloatSecsErrorKind::OverflowOrNan => {
                "cannot convert float seconds to Duration: value is either too big or NaN"
            }
        })
    }
}

// Less than a second is a multiple of 2^-54 or of 2^-84, if it is not so little that it is rounded to nothing; and so many nanoseconds fit in 128 bits.
macro_rules! of_floats {
    ($($float:ident $from:ident $try_from:ident $as_secs:ident $mul:ident $div:ident $bits:literal $scale:literal;)*) => {
        impl Duration {
            $(
                fn $try_from(secs: $float) -> Result<Duration, std::time::TryFromFloatSecsError> {
                    if secs < 0.0 {
                        let kind = std::time::TryFromFloatSecsErrorKind::Negative;
                        return Err(std::time::TryFromFloatSecsError { kind });
                    }
                    if !(secs < 18446744073709551616.0) {
                        let kind = std::time::TryFromFloatSecsErrorKind::OverflowOrNan;
                        return Err(std::time::TryFromFloatSecsError { kind });
                    }
                    let whole = secs as u64;
                    let part = ((secs - whole as $float) * $scale) as u128 * 1_000_000_000;
                    let (nanos, rest) = ((part >> $bits) as u32, part & ((1 << $bits) - 1));
                    let half = 1 << ($bits - 1);
                    let nanos = nanos + (rest > half || rest == half && nanos % 2 == 1) as u32;
                    Ok(match nanos == 1_000_000_000 {
                        true => Duration { secs: whole + 1, nanos: 0 },
                        false => Duration { secs: whole, nanos },
                    })
                }

                fn $from(secs: $float) -> Duration {
                    match Duration::$try_from(secs) {
                        Ok(duration) => duration,
                        Err(_) if secs < 0.0 => {
                            panic!("cannot convert float seconds to Duration: value is negative")
                        }
                        Err(_) => panic!("cannot convert float seconds to Duration: value is either too big or NaN"),
                    }
                }

                fn $mul(self, by: $float) -> Duration {
                    Duration::$from(by * self.$as_secs())
                }

                fn $div(self, by: $float) -> Duration {
                    Duration::$from(self.$as_secs() / by)
                }
            )*
        }
    };
}

of_floats! {
    f32 from_secs_f32 try_from_secs_f32 as_secs_f32 mul_f32 div_f32 54 18014398509481984.0;
    f64 from_secs_f64 try_from_secs_f64 as_secs_f64 mul_f64 div_f64 84 19342813113834066795298816.0;
}

macro_rules! operators {
    ($($of:ident $call:ident $assigning:ident $assign:ident $other:ident $checked:ident $message:literal;)*) => {
        $(
            impl $of<$other> for Duration {
                type Output = Duration;

                fn $call(self, other: $other) -> Duration {
                    match self.$checked(other) {
                        Some(result) => result,
                        None => panic!($message),
                    }
                }
            }

            impl $assigning<$other> for Duration {
                fn $assign(&mut self, other: $other) {
                    *self = match self.$checked(other) {
                        Some(result) => result,
                        None => panic!($message),
                    };
                }
            }
        )*
    };
}

operators! {
    Add add AddAssign add_assign Duration checked_add "overflow when adding durations";
    Sub sub SubAssign sub_assign Duration checked_sub "overflow when subtracting durations";
    Mul mul MulAssign mul_assign u32 checked_mul "overflow when multiplying duration by scalar";
    Div div DivAssign div_assign u32 checked_div "divide by zero error when dividing duration by scalar";
}

impl Mul<Duration> for u32 {
    type Output = Duration;

    fn mul(self, duration: Duration) -> Duration {
        match duration.checked_mul(self) {
            Some(result) => result,
            None => panic!("overflow when multiplying duration by scalar"),
        }
    }
}

impl Sum for Duration {
    fn sum<I: Iterator<Item = Duration>>(durations: I) -> Duration {
        durations.fold(Duration { secs: 0, nanos: 0 }, |sum, duration| sum + duration)
    }
}
