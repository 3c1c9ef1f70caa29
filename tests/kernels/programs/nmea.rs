//! Sentences of GPS receivers (NMEA 0183): checksums, fields, coordinates.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::str::FromStr;

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Fix {
        pub time: Time,
        pub latitude: i32,
        pub longitude: i32,
        pub satellites: u8,
        pub altitude: Option<Decimal>,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Time {
        pub hours: u8,
        pub minutes: u8,
        pub seconds: u8,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error<'a> {
        NoDollar,
        Checksum { expected: u8, found: u8 },
        Missing(&'static str),
        Invalid(&'static str, &'a str),
        Unknown(&'a str),
    }

    type Result<'a, T> = core::result::Result<T, Error<'a>>;

    /// A number with three digits after its point.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Decimal(i32);

    impl FromStr for Decimal {
        type Err = core::num::ParseIntError;
        fn from_str(text: &str) -> core::result::Result<Self, Self::Err> {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
            let mut thousandths = 0;
            for n in 0..3 {
                let digit = match fraction.get(n..n + 1) {
                    Some(digit) => digit.parse::<i32>()?,
                    None => 0,
                };
                thousandths = thousandths * 10 + digit;
            }
            let whole: i32 = whole.parse()?;
            Ok(Decimal(whole * 1000 + if whole < 0 { -thousandths } else { thousandths }))
        }
    }

    struct Fields<'a>(core::str::Split<'a, char>);

    impl<'a> Fields<'a> {
        fn text(&mut self, name: &'static str) -> Result<'a, &'a str> {
            self.0.next().ok_or(Error::Missing(name))
        }

        fn parse<T: FromStr>(&mut self, name: &'static str) -> Result<'a, T> {
            let text = self.text(name)?;
            text.parse().map_err(|_| Error::Invalid(name, text))
        }

        fn optional<T: FromStr>(&mut self, name: &'static str) -> Result<'a, Option<T>> {
            match self.text(name)? {
                "" => Ok(None),
                text => text.parse().map(Some).map_err(|_| Error::Invalid(name, text)),
            }
        }

        fn angle(&mut self, name: &'static str, digits: usize) -> Result<'a, i32> {
            let text = self.text(name)?;
            let side = self.text(name)?;
            if !text.is_char_boundary(digits) || text.len() <= digits {
                return Err(Error::Invalid(name, text));
            }
            let (degrees, minutes) = text.split_at(digits);
            let degrees: u16 = degrees.parse().map_err(|_| Error::Invalid(name, text))?;
            let Decimal(minutes) = minutes.parse().map_err(|_| Error::Invalid(name, text))?;
            let angle = i32::from(degrees) * 60_000 + minutes;
            match side {
                "N" | "E" => Ok(angle),
                "S" | "W" => Ok(-angle),
                other => Err(Error::Invalid(name, other)),
            }
        }
    }

    impl FromStr for Time {
        type Err = ();
        fn from_str(text: &str) -> core::result::Result<Self, ()> {
            let two = |at: usize| text.get(at..at + 2).and_then(|t| t.parse::<u8>().ok()).ok_or(());
            let time = Time { hours: two(0)?, minutes: two(2)?, seconds: two(4)? };
            if time.hours < 24 && time.minutes < 60 && time.seconds < 60 { Ok(time) } else { Err(()) }
        }
    }

    fn checked(line: &str) -> Result<'_, &str> {
        let body = line.strip_prefix('$').ok_or(Error::NoDollar)?;
        let (body, sum) = body.rsplit_once('*').ok_or(Error::Missing("checksum"))?;
        let expected = u8::from_str_radix(sum.trim_end(), 16).map_err(|_| Error::Invalid("checksum", sum))?;
        let found = body.bytes().fold(0, |sum, byte| sum ^ byte);
        if expected != found {
            return Err(Error::Checksum { expected, found });
        }
        Ok(body)
    }

    pub fn parse(line: &str) -> Result<'_, Fix> {
        let body = checked(line)?;
        let mut fields = Fields(body.split(','));
        match fields.text("talker")? {
            "GPGGA" | "GNGGA" => {}
            other => return Err(Error::Unknown(other)),
        }
        let time = fields.parse("time")?;
        let latitude = fields.angle("latitude", 2)?;
        let longitude = fields.angle("longitude", 3)?;
        let _quality: u8 = fields.parse("quality")?;
        Ok(Fix {
            time,
            latitude,
            longitude,
            satellites: fields.parse("satellites")?,
            altitude: {
                fields.text("dilution")?;
                fields.optional("altitude")?
            },
        })
    }

    const LINES: [&str; 8] = [
        "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
        "$GNGGA,001043.00,4404.14036,N,12118.85961,W,1,12,0.98,1113.0,M,-21.3,M,,*47",
        "$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,*76",
        "$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,*77",
        "GPGGA,1,2,3",
        "$GPGSV,3,1,11*4a",
        "$GPGGA,250000*62",
        "$GPGGA,120000,12*76",
    ];

    pub fn run(seed: u32) -> [u64; 6] {
        let mut out = [0u64; 6];
        let first = LINES[(seed % 8) as usize];
        let second = LINES[((seed >> 8) % 3) as usize];
        match parse(first) {
            Ok(Fix { time, latitude, longitude, satellites, altitude }) => {
                out[0] =
                    u64::from(time.hours) * 3600 + u64::from(time.minutes) * 60 + u64::from(time.seconds);
                out[1] = latitude as u64;
                out[2] = longitude as u64;
                out[3] = u64::from(satellites);
                out[4] = altitude.map_or(u64::MAX, |a| u64::from(a.0 as u32));
            }
            Err(error) => {
                let (code, text) = match error {
                    Error::NoDollar => (1, ""),
                    Error::Checksum { expected, found } => (2 + (u64::from(expected ^ found) << 8), "sum"),
                    Error::Missing(name) => (3, name),
                    Error::Invalid(name, text) => (4 + ((name.len() as u64) << 8), text),
                    Error::Unknown(name) => (5, name),
                };
                out[0] = code;
                out[1] = text.bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
            }
        }
        let both =
            parse(first).and_then(|a| parse(second).map(|b| (a.time.max(b.time), a.latitude < b.latitude)));
        if let Ok((time, is_south)) = both {
            out[5] = u64::from(time.minutes) << 1 | u64::from(is_south);
        }
        out
    }
}

#[kernel]
pub fn nmea_parsed(seeds: &[u32], y: &mut [[u64; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    Case::of(&NMEA_PARSED).input(&SEEDS).output(&SEEDS.map(program::run)).items([SEEDS.len()])
}

const SEEDS: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 256, 257, 258, 512, 513, 514, 515, 519];
