//! Hands of poker: parsed, ranked and compared.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::cmp::Reverse;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Suit {
        Clubs,
        Diamonds,
        Hearts,
        Spades,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Card {
        rank: u8,
        suit: Suit,
    }

    impl Card {
        fn parse(text: &str) -> Option<Card> {
            let mut chars = text.chars();
            let rank = match chars.next()? {
                digit @ '2'..='9' => digit.to_digit(10)? as u8,
                'T' => 10,
                'J' => 11,
                'Q' => 12,
                'K' => 13,
                'A' => 14,
                _ => return None,
            };
            let suit = match chars.next()?.to_ascii_uppercase() {
                'C' => Suit::Clubs,
                'D' => Suit::Diamonds,
                'H' => Suit::Hearts,
                'S' => Suit::Spades,
                _ => return None,
            };
            chars.next().is_none().then_some(Card { rank, suit })
        }

        fn nth(n: u32) -> Self {
            const SUITS: &[Suit] = &[Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
            Card { rank: 2 + (n % 13) as u8, suit: SUITS[(n / 13) as usize] }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Ranking {
        HighCard([u8; 5]),
        Pair { pair: u8, kickers: [u8; 3] },
        TwoPairs { high: u8, low: u8, kicker: u8 },
        Three { of: u8, kickers: [u8; 2] },
        Straight(u8),
        Flush([u8; 5]),
        FullHouse { three: u8, pair: u8 },
        Four { of: u8, kicker: u8 },
        StraightFlush(u8),
    }

    pub struct Hand([Card; 5]);

    impl Hand {
        pub fn parse(text: &str) -> Option<Self> {
            let mut cards = [None; 5];
            let mut words = text.split_whitespace();
            for slot in &mut cards {
                *slot = Card::parse(words.next()?);
            }
            if words.next().is_some() {
                return None;
            }
            match cards {
                [Some(a), Some(b), Some(c), Some(d), Some(e)] => Some(Hand([a, b, c, d, e])),
                _ => None,
            }
        }

        pub fn ranking(&self) -> Ranking {
            let mut ranks = self.0.map(|card| card.rank);
            let count = |rank: u8| self.0.iter().filter(|c| c.rank == rank).count();
            ranks.sort_by_key(|&rank| Reverse((count(rank), rank)));
            let is_flush = self.0.windows(2).all(|w| w[0].suit == w[1].suit);
            let straight = match ranks {
                [14, 5, 4, 3, 2] => Some(5),
                [high, .., low] if ranks.windows(2).all(|w| w[0] == w[1] + 1) => {
                    debug_assert!(high - low == 4);
                    Some(high)
                }
                _ => None,
            };
            match (straight, is_flush, ranks) {
                (Some(high), true, _) => Ranking::StraightFlush(high),
                (_, _, [a, b, c, d, kicker]) if a == b && b == c && c == d => Ranking::Four { of: a, kicker },
                (_, _, [three, _, c, pair, e]) if three == c && pair == e => {
                    Ranking::FullHouse { three, pair }
                }
                (None, true, ranks) => Ranking::Flush(ranks),
                (Some(high), false, _) => Ranking::Straight(high),
                (None, false, [of, _, c, k @ ..]) if of == c => Ranking::Three { of, kickers: k },
                (None, false, [high, b, low, d, kicker]) if high == b && low == d => {
                    Ranking::TwoPairs { high, low, kicker }
                }
                (None, false, [pair, b, kickers @ ..]) if pair == b => Ranking::Pair { pair, kickers },
                (None, false, ranks) => Ranking::HighCard(ranks),
            }
        }
    }

    const HANDS: [&str; 11] = [
        "2H 3D 5S 9C KD",
        "2C 3H 4S 8C AH",
        "TH JH QH KH AH",
        "2s 2d 2c 2h 3d",
        "AS 2D 3C 4H 5S",
        "KD KH 7C 7S 7D",
        "9C 9D 4S 4H KC",
        "JC JD JS 4H 2C",
        "2D 4D 6D 8D TD",
        "3C 3D 9H TS QC",
        "3C 3D 9H TS",
    ];

    fn score(ranking: Ranking) -> u32 {
        match ranking {
            Ranking::HighCard(r) => r.into_iter().fold(0, |n, r| n * 16 + u32::from(r)),
            Ranking::Pair { pair, kickers: [a, b, c] } => 1 << 24 | u32::from_be_bytes([pair, a, b, c]),
            Ranking::TwoPairs { high, low, kicker } => 2 << 24 | u32::from_be_bytes([0, high, low, kicker]),
            Ranking::Three { of, kickers } => {
                3 << 24 | u32::from(of) << 16 | u32::from(u16::from_le_bytes(kickers))
            }
            Ranking::Straight(high) => 4 << 24 | u32::from(high),
            Ranking::Flush(r) => 5 << 24 | r.iter().map(|&r| u32::from(r)).sum::<u32>(),
            Ranking::FullHouse { three, pair } => 6 << 24 | u32::from(three) * 100 + u32::from(pair),
            Ranking::Four { of, kicker } => 7 << 24 | u32::from(of) * 100 + u32::from(kicker),
            Ranking::StraightFlush(high) => 8 << 24 | u32::from(high),
        }
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let mut deck: [u32; 52] = core::array::from_fn(|i| i as u32);
        let mut state = seed;
        for i in (1..deck.len()).rev() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            deck.swap(i, (state >> 16) as usize % (i + 1));
        }
        let mut hands = deck.chunks_exact(5).map(|c| Hand(core::array::from_fn(|i| Card::nth(c[i]))));
        let (first, second) = (hands.next().unwrap(), hands.next().unwrap());
        let best = hands.map(|hand| hand.ranking()).max();
        let named = Hand::parse(HANDS[(seed % 11) as usize]);
        let other = Hand::parse(HANDS[(seed / 11 % 10) as usize]).unwrap();
        [
            score(first.ranking()),
            score(second.ranking()),
            best.map_or(0, score),
            named.as_ref().map_or(u32::MAX, |hand| score(hand.ranking())),
            named.map(|hand| hand.ranking().cmp(&other.ranking())).map_or(9, |o| o as i8 as u32),
            first.0.iter().max().map_or(0, |card| u32::from(card.rank) * 4 + card.suit as u32),
        ]
    }
}

#[kernel]
pub fn poker_ranked(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&POKER_RANKED, program::run)
}
