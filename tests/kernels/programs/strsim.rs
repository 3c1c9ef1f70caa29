//! Hamming, Levenshtein, optimal string alignment, Jaro and Winkler.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    const MAX: usize = 24;

    #[derive(Debug, PartialEq)]
    pub enum StrSimError {
        DifferentLengthArgs,
    }

    pub type HammingResult = Result<usize, StrSimError>;

    pub fn hamming(a: &str, b: &str) -> HammingResult {
        if a.chars().count() != b.chars().count() {
            return Err(StrSimError::DifferentLengthArgs);
        }
        Ok(a.chars().zip(b.chars()).filter(|(x, y)| x != y).count())
    }

    pub fn levenshtein(a: &str, b: &str) -> usize {
        let mut cache = [0usize; MAX];
        for (i, c) in cache.iter_mut().enumerate() {
            *c = i + 1;
        }
        let mut result = b.len();
        for (i, ca) in a.chars().enumerate() {
            result = i + 1;
            let mut distance_b = i;
            for (j, cb) in b.chars().enumerate() {
                let cost = usize::from(ca != cb);
                let distance_a = distance_b + cost;
                distance_b = cache[j];
                result = (result + 1).min(distance_a).min(distance_b + 1);
                cache[j] = result;
            }
        }
        result
    }

    pub fn osa_distance(a: &[char], b: &[char]) -> usize {
        let mut d = [[0; MAX + 1]; MAX + 1];
        for i in 0..=a.len() {
            d[i][0] = i;
        }
        for (j, cell) in d[0].iter_mut().enumerate() {
            *cell = j;
        }
        for (i, &x) in a.iter().enumerate() {
            for (j, &y) in b.iter().enumerate() {
                let substitution = d[i][j] + (x != y) as usize;
                let mut best = substitution.min(d[i][j + 1] + 1).min(d[i + 1][j] + 1);
                if i > 0 && j > 0 && x == b[j - 1] && y == a[i - 1] && x != y {
                    best = best.min(d[i - 1][j - 1] + 1);
                }
                d[i + 1][j + 1] = best;
            }
        }
        d[a.len()][b.len()]
    }

    pub fn jaro(a: &str, b: &str) -> f64 {
        let (a_len, b_len) = (a.chars().count(), b.chars().count());
        match (a_len, b_len) {
            (0, 0) => return 1.0,
            (0, _) | (_, 0) => return 0.0,
            _ => (),
        }
        let search_range = (a_len.max(b_len) / 2).saturating_sub(1);
        let mut flags = [[false; MAX]; 2];
        let mut matches = 0;
        for (i, a_char) in a.chars().enumerate() {
            let min_bound = i.saturating_sub(search_range);
            let max_bound = b_len.min(i + search_range + 1);
            for (j, b_char) in b.chars().enumerate().take(max_bound).skip(min_bound) {
                if a_char == b_char && !flags[1][j] {
                    flags[0][i] = true;
                    flags[1][j] = true;
                    matches += 1;
                    break;
                }
            }
        }
        if matches == 0 {
            return 0.0;
        }
        let [of_a, of_b] = &flags;
        let left = a.chars().zip(of_a).filter_map(|(c, &flag)| flag.then_some(c));
        let right = b.chars().zip(of_b.iter()).filter(|(_, flag)| **flag).map(|(c, _)| c);
        let transpositions = left.zip(right).filter(|(x, y)| x != y).count() / 2;
        let m = matches as f64;
        (m / a_len as f64 + m / b_len as f64 + (m - transpositions as f64) / m) / 3.0
    }

    pub fn jaro_winkler(a: &str, b: &str) -> f64 {
        let sim = jaro(a, b);
        if sim > 0.7 {
            let prefix = a.chars().take(4).zip(b.chars()).take_while(|(x, y)| x == y).count();
            sim + 0.1 * prefix as f64 * (1.0 - sim)
        } else {
            sim
        }
    }

    fn collect<const N: usize>(text: &str) -> ([char; N], usize) {
        let mut chars = ['\0'; N];
        let mut len = 0;
        for (slot, c) in chars.iter_mut().zip(text.chars().map(|c| c.to_ascii_lowercase())) {
            *slot = c;
            len += 1;
        }
        (chars, len)
    }

    const WORDS: [&str; 8] =
        ["kitten", "sitting", "Saturday", "Sunday", "martha", "marhta", "dixon", "dicksonx"];

    pub fn run(seed: u32) -> [u32; 8] {
        let a = WORDS[seed as usize % WORDS.len()];
        let b = WORDS[(seed / 8) as usize % WORDS.len()];
        let similarity = jaro_winkler(a, b).to_bits();
        let (x, n): ([char; MAX], _) = collect(a);
        let (y, m) = collect::<MAX>(b);
        [
            levenshtein(a, b) as u32,
            osa_distance(&x[..n], &y[..m]) as u32,
            similarity as u32,
            (similarity >> 32) as u32,
            hamming(a, b).map_or(u32::MAX, |d| d as u32),
            (jaro(b, a) * 1e6) as u32,
            matches!(hamming("ab", b), Err(StrSimError::DifferentLengthArgs)) as u32,
            a.cmp(b) as i32 as u32,
        ]
    }
}

#[kernel]
pub fn similarities(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SIMILARITIES, program::run)
}
