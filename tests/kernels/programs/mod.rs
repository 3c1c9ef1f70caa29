//! Programs for `core` as they stand in crates and textbooks, each in a device module as it was written, and compared with the host.

#![allow(unreachable_pub, reason = "a module of kernels is written as a library would be")]
#![allow(
    clippy::style,
    clippy::complexity,
    clippy::perf,
    reason = "the programs use each construct in its plain form, also where Rust has a shorter one"
)]
#![allow(dead_code, reason = "programs have more than kernels call")]
#![allow(
    clippy::allow_attributes_without_reason,
    clippy::approx_constant,
    clippy::collapsible_if,
    clippy::derivable_impls,
    clippy::extra_unused_lifetimes,
    clippy::filter_map_bool_then,
    clippy::manual_div_ceil,
    clippy::manual_is_multiple_of,
    clippy::manual_rotate,
    clippy::needless_borrows_for_generic_args,
    clippy::needless_lifetimes,
    clippy::new_without_default,
    clippy::precedence,
    clippy::redundant_closure,
    clippy::redundant_guards,
    clippy::suspicious_arithmetic_impl,
    clippy::unnecessary_lazy_evaluations,
    clippy::unnecessary_map_or,
    clippy::unusual_byte_groupings,
    clippy::upper_case_acronyms,
    clippy::wildcard_imports,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    reason = "programs are as their authors wrote them, and arithmetic of fields is not that of numbers"
)]

use crate::kernels::case::Case;
use crate::kernels::seeded::{case_by_seed, case_of, case_of_words, seed};

pub mod adpcm;
pub mod aes;
pub mod archive_headers;
pub mod arena;
pub mod arrayvec;
pub mod ascii85;
pub mod avl;
pub mod base64;
pub mod bencode;
pub mod bezier;
pub mod big_integers;
pub mod binary_fractions;
pub mod binomial_tree;
pub mod biquad;
pub mod bit_streams;
pub mod bitboards;
pub mod bitset;
pub mod blake2s;
pub mod bloom;
pub mod brainfuck;
pub mod bvh;
pub mod bytecode;
pub mod calculator;
pub mod can_signals;
pub mod cash_flows;
pub mod chacha;
pub mod check_digits;
pub mod checksum_traits;
pub mod chess;
pub mod chip8;
pub mod cobs;
pub mod codec;
pub mod colors;
pub mod combinatorics;
pub mod combinators;
pub mod complex;
pub mod connect_four;
pub mod continued_fractions;
pub mod convex_hulls;
pub mod cpu_6502;
pub mod crc;
pub mod crc_catalogue;
pub mod crockford;
pub mod cron;
pub mod csv;
pub mod cubes;
pub mod dates;
pub mod decimal_buffer;
pub mod der;
pub mod dijkstra;
pub mod distributions;
pub mod dns;
pub mod door;
pub mod easing;
pub mod edit_scripts;
pub mod elevator;
pub mod elliptic;
pub mod entity_systems;
pub mod event_queue;
pub mod evolution;
pub mod expressions;
pub mod fft;
pub mod filter_chains;
pub mod filters;
pub mod fixed;
pub mod fixed_map;
pub mod fixed_point;
pub mod flags;
pub mod forth_words;
pub mod game_of_life;
pub mod gap_buffer;
pub mod gcode;
pub mod geohash;
pub mod geometry;
pub mod globs;
pub mod graphics;
pub mod graphs;
pub mod grid_paths;
pub mod hamming;
pub mod hashed_cache;
pub mod hashtable;
pub mod heapless;
pub mod heat;
pub mod http_heads;
pub mod huffman;
pub mod identifier_cases;
pub mod index_map;
pub mod infix;
pub mod inflate;
pub mod ini_files;
pub mod inline_vec;
pub mod interval_sets;
pub mod interval_tree;
pub mod ip_networks;
pub mod jets;
pub mod jsmn;
pub mod json_events;
pub mod json_pull;
pub mod kalman;
pub mod kd_tree;
pub mod keccak;
pub mod kmeans;
pub mod kruskal;
pub mod krylov;
pub mod latency_histograms;
pub mod leb128;
pub mod life;
pub mod life_grids;
pub mod light_chains;
pub mod line_drawing;
pub mod linear_algebra;
pub mod lru;
pub mod lsystems;
pub mod lu;
pub mod lz4;
pub mod map_entries;
pub mod matrices;
pub mod message_codecs;
pub mod messagepack;
pub mod midi;
pub mod mine_fields;
pub mod modbus;
pub mod money;
pub mod monoid_trees;
pub mod morse;
pub mod nmea;
pub mod noise;
pub mod ntt;
pub mod number_theory;
pub mod order_book;
pub mod packets;
pub mod percent_urls;
pub mod perceptron;
pub mod phonetics;
pub mod physics;
pub mod picture_blocks;
pub mod pid;
pub mod pike_vm;
pub mod png_filters;
pub mod poker;
pub mod poly1305;
pub mod polygons;
pub mod polynomials;
pub mod precedence;
pub mod pressure_sensor;
pub mod priority_queues;
pub mod prng;
pub mod protocol;
pub mod puzzles;
pub mod qoi;
pub mod quadtree;
pub mod quantile_sketch;
pub mod quaternions;
pub mod random_traits;
pub mod range_coder;
pub mod range_map;
pub mod rate_limiter;
pub mod ratings;
pub mod rational;
pub mod raycast;
pub mod reed_solomon;
pub mod register_vm;
pub mod requirements;
pub mod result_parsers;
pub mod ring_buffer;
pub mod riscv;
pub mod roman;
pub mod roots;
pub mod runge_kutta;
pub mod scaled_decimals;
pub mod scanner;
pub mod scheduler;
pub mod sdf;
pub mod searching;
pub mod segment_tree;
pub mod sensors;
pub mod serial;
pub mod sha256;
pub mod shamir;
pub mod shunting_yard;
pub mod simplex;
pub mod sinks;
pub mod siphash;
pub mod sketches;
pub mod slotmap;
pub mod small_matrices;
pub mod sorters;
pub mod sorting_networks;
pub mod sorts;
pub mod space_curves;
pub mod spanning_trees;
pub mod stable_matching;
pub mod stack_machine;
pub mod state_filter;
pub mod stats;
pub mod strsim;
pub mod style_lengths;
pub mod sudoku;
pub mod suffixes;
pub mod synth;
pub mod task_graph;
pub mod task_states;
pub mod tetris;
pub mod text_wrap;
pub mod token_streams;
pub mod tokens;
pub mod trie;
pub mod typestates;
pub mod uninit_list;
pub mod units;
pub mod utf8;
pub mod uuids;
pub mod verlet_rope;
pub mod versions;
pub mod viterbi;
pub mod vm;
pub mod welford;
pub mod words;
pub mod xxhash;

/// Passes the names of all programs to a macro.
macro_rules! for_each_program {
    ($macro:ident) => {
        $macro! {
            adpcm
            aes
            archive_headers
            arena
            arrayvec
            ascii85
            avl
            base64
            bencode
            bezier
            big_integers
            binary_fractions
            binomial_tree
            biquad
            bit_streams
            bitboards
            bitset
            blake2s
            bloom
            brainfuck
            bvh
            bytecode
            calculator
            can_signals
            cash_flows
            chacha
            check_digits
            checksum_traits
            chess
            chip8
            cobs
            codec
            colors
            combinatorics
            combinators
            complex
            connect_four
            continued_fractions
            convex_hulls
            cpu_6502
            crc
            crc_catalogue
            crockford
            cron
            csv
            cubes
            dates
            decimal_buffer
            der
            dijkstra
            distributions
            dns
            door
            easing
            edit_scripts
            elevator
            elliptic
            entity_systems
            event_queue
            evolution
            expressions
            fft
            filter_chains
            filters
            fixed
            fixed_map
            fixed_point
            flags
            forth_words
            game_of_life
            gap_buffer
            gcode
            geohash
            geometry
            globs
            graphics
            graphs
            grid_paths
            hamming
            hashed_cache
            hashtable
            heapless
            heat
            http_heads
            huffman
            identifier_cases
            index_map
            infix
            inflate
            ini_files
            inline_vec
            interval_sets
            interval_tree
            ip_networks
            jets
            jsmn
            json_events
            json_pull
            kalman
            kd_tree
            keccak
            kmeans
            kruskal
            krylov
            latency_histograms
            leb128
            life
            life_grids
            light_chains
            line_drawing
            linear_algebra
            lru
            lsystems
            lu
            lz4
            map_entries
            matrices
            message_codecs
            messagepack
            midi
            mine_fields
            modbus
            money
            monoid_trees
            morse
            nmea
            noise
            ntt
            number_theory
            order_book
            packets
            percent_urls
            perceptron
            phonetics
            physics
            picture_blocks
            pid
            pike_vm
            png_filters
            poker
            poly1305
            polygons
            polynomials
            precedence
            pressure_sensor
            priority_queues
            prng
            protocol
            puzzles
            qoi
            quadtree
            quantile_sketch
            quaternions
            random_traits
            range_coder
            range_map
            rate_limiter
            ratings
            rational
            raycast
            reed_solomon
            register_vm
            requirements
            result_parsers
            ring_buffer
            riscv
            roman
            roots
            runge_kutta
            scaled_decimals
            scanner
            scheduler
            sdf
            searching
            segment_tree
            sensors
            serial
            sha256
            shamir
            shunting_yard
            simplex
            sinks
            siphash
            sketches
            slotmap
            small_matrices
            sorters
            sorting_networks
            sorts
            space_curves
            spanning_trees
            stable_matching
            stack_machine
            state_filter
            stats
            strsim
            style_lengths
            sudoku
            suffixes
            synth
            task_graph
            task_states
            tetris
            text_wrap
            token_streams
            tokens
            trie
            typestates
            uninit_list
            units
            utf8
            uuids
            verlet_rope
            versions
            viterbi
            vm
            welford
            words
            xxhash
        }
    };
}

pub fn cases() -> Vec<Case> {
    macro_rules! all_cases {
        ($($name:ident)*) => { vec![$($name::case()),*] };
    }
    for_each_program!(all_cases)
}
