//! Programs for `core` as they stand in crates and textbooks, each in a device module as it was written, and compared with the host.

#![allow(
    clippy::manual_is_multiple_of,
    clippy::new_without_default,
    clippy::precedence,
    clippy::wildcard_imports,
    clippy::suspicious_arithmetic_impl,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    reason = "programs are as their authors wrote them, and arithmetic of fields is not that of numbers"
)]

use super::case::Case;
use kernel_core::KernelDescriptor;
use kernel_runtime::prelude::*;

pub mod adpcm;
pub mod arena;
pub mod arrayvec;
pub mod avl;
pub mod base64;
pub mod bezier;
pub mod big_integers;
pub mod binary_fractions;
pub mod binomial_tree;
pub mod biquad;
pub mod bitset;
pub mod blake2s;
pub mod bloom;
pub mod bvh;
pub mod bytecode;
pub mod calculator;
pub mod chacha;
pub mod chess;
pub mod chip8;
pub mod codec;
pub mod colors;
pub mod combinators;
pub mod complex;
pub mod continued_fractions;
pub mod cpu_6502;
pub mod crc;
pub mod cron;
pub mod csv;
pub mod dates;
pub mod dijkstra;
pub mod distributions;
pub mod dns;
pub mod door;
pub mod edit_scripts;
pub mod elevator;
pub mod elliptic;
pub mod event_queue;
pub mod expressions;
pub mod fft;
pub mod filters;
pub mod fixed;
pub mod fixed_map;
pub mod fixed_point;
pub mod flags;
pub mod game_of_life;
pub mod gap_buffer;
pub mod gcode;
pub mod geohash;
pub mod geometry;
pub mod globs;
pub mod graphics;
pub mod graphs;
pub mod hashtable;
pub mod heapless;
pub mod http_heads;
pub mod huffman;
pub mod index_map;
pub mod infix;
pub mod inflate;
pub mod interval_tree;
pub mod ip_networks;
pub mod jets;
pub mod jsmn;
pub mod json_events;
pub mod json_pull;
pub mod kalman;
pub mod keccak;
pub mod kruskal;
pub mod krylov;
pub mod leb128;
pub mod life;
pub mod linear_algebra;
pub mod lru;
pub mod lsystems;
pub mod lu;
pub mod lz4;
pub mod matrices;
pub mod midi;
pub mod money;
pub mod monoid_trees;
pub mod morse;
pub mod nmea;
pub mod noise;
pub mod ntt;
pub mod packets;
pub mod perceptron;
pub mod physics;
pub mod pid;
pub mod pike_vm;
pub mod png_filters;
pub mod poker;
pub mod polygons;
pub mod polynomials;
pub mod precedence;
pub mod prng;
pub mod protocol;
pub mod puzzles;
pub mod quaternions;
pub mod random_traits;
pub mod range_coder;
pub mod range_map;
pub mod rational;
pub mod raycast;
pub mod reed_solomon;
pub mod requirements;
pub mod ring_buffer;
pub mod riscv;
pub mod roman;
pub mod roots;
pub mod runge_kutta;
pub mod scanner;
pub mod sdf;
pub mod searching;
pub mod segment_tree;
pub mod sensors;
pub mod serial;
pub mod sha256;
pub mod shunting_yard;
pub mod simplex;
pub mod sinks;
pub mod siphash;
pub mod sketches;
pub mod slotmap;
pub mod sorters;
pub mod sorting_networks;
pub mod sorts;
pub mod stack_machine;
pub mod state_filter;
pub mod stats;
pub mod strsim;
pub mod sudoku;
pub mod tokens;
pub mod trie;
pub mod units;
pub mod utf8;
pub mod uuids;
pub mod versions;
pub mod viterbi;
pub mod vm;
pub mod welford;
pub mod words;
pub mod xxhash;

/// The number that a program starts from, for a work-item: small ones and large ones.
#[device]
pub fn seed(index: u32) -> u32 {
    index.wrapping_mul(2_654_435_761) >> (index % 23)
}

/// The results of a program for so many numbers; some end its loops late, and none of them is a fault.
fn case_of(kernel: &'static KernelDescriptor, check: fn(u32) -> u32) -> Case {
    let expected: Vec<u32> = (0..48).map(check).collect();
    Case::of(kernel).output(&expected).items([expected.len()])
}

/// The results of a program for numbers small and large.
pub fn case_by_seed<const N: usize>(kernel: &'static KernelDescriptor, run: fn(u32) -> [u32; N]) -> Case {
    let seeds: Vec<u32> = (0..32).map(seed).collect();
    let expected: Vec<_> = seeds.iter().map(|&seed| run(seed)).collect();
    Case::of(kernel).input(&seeds).output(&expected).items([expected.len()])
}

pub fn cases() -> Vec<Case> {
    vec![
        adpcm::case(),
        cpu_6502::case(),
        json_pull::case(),
        welford::case(),
        infix::case(),
        avl::case(),
        dns::case(),
        gcode::case(),
        globs::case(),
        lsystems::case(),
        midi::case(),
        nmea::case(),
        png_filters::case(),
        poker::case(),
        range_coder::case(),
        simplex::case(),
        uuids::case(),
        elevator::case(),
        index_map::case(),
        arena::case(),
        arrayvec::case(),
        base64::case(),
        big_integers::case(),
        biquad::case(),
        bitset::case(),
        bytecode::case(),
        calculator::case(),
        chacha::case(),
        chip8::case(),
        codec::case(),
        combinators::case(),
        complex::case(),
        crc::case(),
        csv::case(),
        dates::case(),
        door::case(),
        fixed::case(),
        fixed_map::case(),
        fixed_point::case(),
        flags::case(),
        game_of_life::case(),
        geometry::case(),
        hashtable::case(),
        heapless::case(),
        interval_tree::case(),
        jsmn::case(),
        kruskal::case(),
        leb128::case(),
        life::case(),
        linear_algebra::case(),
        lru::case(),
        lu::case(),
        matrices::case(),
        money::case(),
        morse::case(),
        noise::case(),
        ntt::case(),
        runge_kutta::case(),
        physics::case(),
        pid::case(),
        polynomials::case(),
        prng::case(),
        protocol::case(),
        quaternions::case(),
        rational::case(),
        raycast::case(),
        reed_solomon::case(),
        ring_buffer::case(),
        roman::case(),
        scanner::case(),
        sha256::case(),
        sinks::case(),
        siphash::case(),
        sorters::case(),
        sorts::case(),
        stack_machine::case(),
        stats::case(),
        sudoku::case(),
        tokens::case(),
        utf8::case(),
        trie::case(),
        distributions::case(),
        segment_tree::case(),
        shunting_yard::case(),
        units::case(),
        puzzles::case(),
        filters::case(),
        continued_fractions::case(),
        vm::case(),
        blake2s::case(),
        xxhash::case(),
        lz4::case(),
        bloom::case(),
        dijkstra::case(),
        searching::case(),
        strsim::case(),
        jets::case(),
        roots::case(),
        kalman::case(),
        huffman::case(),
        geohash::case(),
        colors::case(),
        sdf::case(),
        bvh::case(),
        binomial_tree::case(),
        random_traits::case(),
        sorting_networks::case(),
        json_events::case(),
        expressions::case(),
        fft::case(),
        krylov::case(),
        packets::case(),
        precedence::case(),
        riscv::case(),
        gap_buffer::case(),
        edit_scripts::case(),
        keccak::case(),
        versions::case(),
        range_map::case(),
        polygons::case(),
        ip_networks::case(),
        chess::case(),
        elliptic::case(),
        pike_vm::case(),
        sketches::case(),
        bezier::case(),
        slotmap::case(),
        event_queue::case(),
        sensors::case(),
        cron::case(),
        inflate::case(),
        viterbi::case(),
        perceptron::case(),
        http_heads::case(),
        graphs::case(),
        serial::case(),
        graphics::case(),
        monoid_trees::case(),
        requirements::case(),
        words::case(),
        state_filter::case(),
        binary_fractions::case(),
    ]
}
