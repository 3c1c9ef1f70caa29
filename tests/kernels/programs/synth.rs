//! A polyphonic synthesiser: oscillators from tables, envelopes, voices that are stolen, and a mixer, in fixed-point numbers.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod synth {
    use core::ops::{Deref, DerefMut, RangeInclusive};

    pub const SAMPLE_RATE: u32 = 8_000;

    /// Q15 numbers.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Q15(pub i16);

    impl Q15 {
        pub const ONE: Q15 = Q15(i16::MAX);
        pub const ZERO: Self = Self(0);

        pub fn saturating_add(self, other: Self) -> Self {
            Self(self.0.saturating_add(other.0))
        }
    }

    impl core::ops::Mul for Q15 {
        type Output = Q15;
        fn mul(self, rhs: Q15) -> Q15 {
            Q15(((i32::from(self.0) * i32::from(rhs.0) + (1 << 14)) >> 15) as i16)
        }
    }

    pub trait Waveform {
        fn sample(&self, phase: u32) -> Q15;
    }

    pub struct Saw;
    pub struct Pulse {
        pub duty: u8,
    }
    pub struct Table<'a>(pub &'a [i16]);

    impl Waveform for Saw {
        fn sample(&self, phase: u32) -> Q15 {
            Q15(((phase >> 16) as i32 - 0x8000) as i16)
        }
    }

    impl Waveform for Pulse {
        fn sample(&self, phase: u32) -> Q15 {
            if (phase >> 24) as u8 >= self.duty { Q15(-0x4000) } else { Q15(0x4000) }
        }
    }

    impl<'a> Waveform for Table<'a> {
        fn sample(&self, phase: u32) -> Q15 {
            let scaled = (phase as u64) * self.0.len() as u64;
            let (index, fraction) = ((scaled >> 32) as usize, (scaled >> 16) as u16);
            let a = self.0[index] as i64;
            let b = self.0[(index + 1) % self.0.len()] as i64;
            Q15((a + ((b - a) * fraction as i64 >> 16)) as i16)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Stage {
        Idle,
        Attack { left: u32 },
        Decay { left: u32 },
        Sustain,
        Release { from: Q15, left: u32 },
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Adsr {
        pub attack: u32,
        pub decay: u32,
        pub sustain: Q15,
        pub release: u32,
    }

    #[derive(Clone, Copy, Debug)]
    struct Envelope {
        shape: Adsr,
        stage: Stage,
        level: Q15,
    }

    fn ramp(from: Q15, to: Q15, left: u32, whole: u32) -> Q15 {
        let done = (whole - left) as i32;
        Q15((from.0 as i32 + (to.0 as i32 - from.0 as i32) * done / whole.max(1) as i32) as i16)
    }

    impl Envelope {
        fn step(&mut self) -> Q15 {
            let Adsr { attack, decay, sustain, release } = self.shape;
            (self.stage, self.level) = match self.stage {
                Stage::Idle => (Stage::Idle, Q15::ZERO),
                Stage::Attack { left: 0 } => (Stage::Decay { left: decay }, Q15::ONE),
                Stage::Attack { left } => {
                    (Stage::Attack { left: left - 1 }, ramp(Q15::ZERO, Q15::ONE, left, attack))
                }
                Stage::Decay { left: 0 } => (Stage::Sustain, sustain),
                Stage::Decay { left } => {
                    (Stage::Decay { left: left - 1 }, ramp(Q15::ONE, sustain, left, decay))
                }
                stage @ Stage::Sustain => (stage, sustain),
                Stage::Release { left: 0, .. } => (Stage::Idle, Q15::ZERO),
                Stage::Release { from, left } => {
                    (Stage::Release { from, left: left - 1 }, ramp(from, Q15::ZERO, left, release))
                }
            };
            self.level
        }
    }

    #[derive(Clone, Copy, Debug)]
    struct Voice {
        note: u8,
        age: u32,
        phase: u32,
        increment: u32,
        envelope: Envelope,
    }

    /// Frequencies of the notes of one octave, in millihertz.
    const OCTAVE: [u32; 12] = [
        261_626, 277_183, 293_665, 311_127, 329_628, 349_228, 369_994, 391_995, 415_305, 440_000, 466_164,
        493_883,
    ];

    fn increment(note: u8) -> u32 {
        let (octave, step) = (note as i32 / 12 - 5, usize::from(note % 12));
        let base = (u64::from(OCTAVE[step]) << 32) / (u64::from(SAMPLE_RATE) * 1000);
        if octave >= 0 { (base << octave) as u32 } else { (base >> -octave) as u32 }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Event {
        NoteOn { note: u8, velocity: u8 },
        NoteOff { note: u8 },
        AllOff,
    }

    pub struct Synth<W, const V: usize> {
        wave: W,
        shape: Adsr,
        voices: Voices<V>,
        clock: u32,
        pub stolen: u32,
    }

    struct Voices<const V: usize>([Option<Voice>; V]);

    impl<const V: usize> Deref for Voices<V> {
        type Target = [Option<Voice>];
        fn deref(&self) -> &Self::Target {
            &self.0
        }
    }

    impl<const V: usize> DerefMut for Voices<V> {
        fn deref_mut(&mut self) -> &mut Self::Target {
            &mut self.0
        }
    }

    impl<W: Waveform, const V: usize> Synth<W, V> {
        pub const NOTES: RangeInclusive<u8> = 24..=96;

        pub fn new(wave: W, shape: Adsr) -> Self {
            Self { wave, shape, voices: Voices([None; V]), clock: 0, stolen: 0 }
        }

        fn allocate(&mut self) -> &mut Option<Voice> {
            if let Some(free) = self.voices.iter().position(Option::is_none) {
                return &mut self.voices[free];
            }
            self.stolen += 1;
            self.voices.iter_mut().min_by_key(|v| v.map_or(0, |v| v.age)).unwrap()
        }

        pub fn handle(&mut self, event: Event) {
            match event {
                Event::NoteOn { note, velocity: 0 } | Event::NoteOff { note } => {
                    for voice in self.voices.iter_mut().flatten().filter(|v| v.note == note) {
                        let Envelope { level: from, shape, .. } = voice.envelope;
                        voice.envelope.stage = Stage::Release { from, left: shape.release };
                    }
                }
                Event::NoteOn { note, .. } if !Self::NOTES.contains(&note) => {}
                Event::NoteOn { note, velocity } => {
                    let mut shape = self.shape;
                    shape.sustain = shape.sustain * Q15(i16::from(velocity) << 8);
                    let stage = Stage::Attack { left: shape.attack };
                    let age = self.clock;
                    let envelope = Envelope { shape, stage, level: Q15::ZERO };
                    *self.allocate() =
                        Some(Voice { note, age, phase: 0, increment: increment(note), envelope });
                }
                Event::AllOff => self.voices.fill(None),
            }
        }

        pub fn render(&mut self, out: &mut [Q15]) {
            for sample in out {
                *sample = Q15::ZERO;
                for slot in self.voices.iter_mut() {
                    let Some(voice) = slot else { continue };
                    let gain = voice.envelope.step();
                    if voice.envelope.stage == Stage::Idle {
                        *slot = None;
                        continue;
                    }
                    let value = self.wave.sample(voice.phase) * gain;
                    voice.phase = voice.phase.wrapping_add(voice.increment);
                    *sample = sample.saturating_add(value * Q15(0x3000));
                }
                self.clock += 1;
            }
        }

        pub fn active(&self) -> usize {
            self.voices.iter().filter(|v| v.is_some()).count()
        }
    }
}

#[device]
fn play<W: synth::Waveform>(wave: W, seed: u32) -> [u32; 3] {
    use synth::{Adsr, Event, Q15, Synth};
    let shape = Adsr { attack: 5, decay: 9, sustain: Q15(0x5000), release: 7 };
    let mut synth: Synth<W, 3> = Synth::new(wave, shape);
    let mut hash = 0u32;
    let mut buffer = [Q15::default(); 12];
    for (i, key) in seed.to_le_bytes().iter().cycle().take(9).enumerate() {
        let note = 40 + (key ^ i as u8) % 60;
        synth.handle(match i % 4 {
            3 => Event::NoteOff { note: 40 + (key ^ (i as u8 - 1)) % 60 },
            _ => Event::NoteOn { note, velocity: (key >> 1) | 0x20 },
        });
        if seed == 77 {
            synth.handle(Event::AllOff);
        }
        synth.render(&mut buffer);
        hash = buffer.iter().fold(hash, |h, q| h.wrapping_mul(31).wrapping_add(q.0 as u16 as u32));
    }
    [hash, synth.active() as u32, synth.stolen]
}

#[device]
pub fn program(seed: u32) -> [u32; 3] {
    const SINE: [i16; 16] = [
        0, 12539, 23170, 30273, 32767, 30273, 23170, 12539, 0, -12539, -23170, -30273, -32767, -30273,
        -23170, -12539,
    ];
    match seed % 3 {
        0 => play(synth::Saw, seed),
        1 => play(synth::Pulse { duty: 0x40 }, seed),
        _ => play(synth::Table(&SINE), seed),
    }
}

#[kernel]
pub fn synth_voices(seeds: &[u32], y: &mut [[u32; 3]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&SYNTH_VOICES, program)
}
