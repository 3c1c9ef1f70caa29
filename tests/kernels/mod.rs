//! Every kernel of the project with the cases that show what it computes: one module for each construct of the
//! language, and one each for the examples and the benchmarks. The programs in `programs/` are apart.
//!
//! Two crates include this tree: `tests/conformance.rs`, which runs the cases on a device of the runtime, and `xtask/catalogue`, for xtask,
//! which exports the kernels and has the cases executed elsewhere.
#![allow(unreachable_pub, reason = "a module of kernels is written as a library would be")]
#![allow(
    clippy::style,
    clippy::complexity,
    clippy::perf,
    reason = "the kernels use each construct in its plain form, also where Rust has a shorter one"
)]
#![allow(dead_code, reason = "the two crates use different parts, and the examples bring their `main`")]

pub mod agreed_guards;
pub mod byte_strings;
pub mod case;
pub mod edge;
mod folding;
mod for_types;
pub mod seeded;

pub mod aligned_structs;
pub mod arguments;
pub mod arrays;
pub mod ascii;
pub mod assumed_uniform;
pub mod atomics;
pub mod barriers;
pub mod benches;
pub mod bindings;
pub mod bitonic_sort;
pub mod bools;
pub mod bounded_recursion;
pub mod bounds;
pub mod cache_controls;
pub mod casts;
pub mod cells;
pub mod checked_conversions;
pub mod checked_methods;
pub mod chosen_lists;
pub mod closures;
pub mod collected_contents;
pub mod combined;
pub mod computed_lengths;
pub mod conditions;
pub mod conditions_of_size;
pub mod constant_arguments;
pub mod constant_initialisers;
pub mod constant_patterns;
pub mod constant_slices;
pub mod control_flow;
pub mod conversions;
pub mod copies;
pub mod counted;
pub mod counters;
pub mod cursors;
pub mod debug_text;
pub mod defaults;
pub mod device_functions;
pub mod distinct_numbers;
pub mod durations;
pub mod enums;
pub mod every_fault;
pub mod examples;
pub mod exported_functions;
pub mod fast_functions;
pub mod faults;
pub mod faults_in_group_loops;
pub mod faults_in_loops;
pub mod fences;
pub mod fixed_associated;
pub mod flat_ids;
pub mod flattened_slices;
pub mod float_atomics;
pub mod float_choices;
pub mod float_indices;
pub mod float_math;
pub mod float_methods;
pub mod float_text;
pub mod floats;
pub mod formatted_panics;
pub mod found_by_random;
pub mod function_pointers;
pub mod function_values;
pub mod generic_associated_types;
pub mod generic_kernels;
pub mod generic_traits;
pub mod generics;
pub mod group_copies;
pub mod group_vectors;
pub mod half_conversions;
pub mod half_math;
pub mod halves;
pub mod hoisted_checks;
pub mod hoisted_rows;
pub mod hoisted_signed;
pub mod image_blocks;
pub mod image_formats;
pub mod image_generics;
pub mod image_halves;
pub mod image_read_write;
pub mod image_shapes;
pub mod images;
pub mod impls;
pub mod impls_beside;
pub mod imported_functions;
pub mod imports;
pub mod integer_bits;
pub mod integer_division;
pub mod integer_functions;
pub mod integer_methods;
pub mod integer_overflow;
pub mod integer_signed;
pub mod integer_unsigned;
pub mod integers;
pub mod iterator_chains;
pub mod iterator_closures;
pub mod iterator_order;
pub mod iterator_types;
pub mod iterators;
pub mod joined_iterators;
pub mod known_passes;
pub mod lengths;
pub mod library_values;
pub mod linked_structs;
pub mod listed_cycles;
pub mod listed_impls;
pub mod listed_types;
pub mod local_arguments;
pub mod local_atomics;
pub mod local_items;
pub mod local_memory;
pub mod local_values;
pub mod long_chains;
pub mod math_functions;
pub mod memory_functions;
pub mod method_lookup;
pub mod named_methods;
pub mod names;
pub mod negation;
pub mod nested_modules;
pub mod nontemporal;
pub mod number_halves;
pub mod one_module;
pub mod opencl_floats;
pub mod option_methods;
pub mod orders;
pub mod other_crate;
pub mod overflow_checks;
pub mod own_iterators;
pub mod own_orders;
pub mod panics;
pub mod pattern_forms;
pub mod patterns;
pub mod pixels;
pub mod presumed;
pub mod printed_values;
pub mod printing;
#[macro_use]
pub mod pulled_iterators;
pub mod ranges;
pub mod raw_pointers;
pub mod reference_arguments;
pub mod reference_arrays;
pub mod references;
pub mod reserved_places;
pub mod returned_closures;
pub mod reversed_iterators;
pub mod rows_and_places;
pub mod samplers;
pub mod slice_cursors;
pub mod slice_methods;
pub mod slice_options;
pub mod slice_parts;
pub mod slice_traits;
pub mod slice_views;
pub mod slices_of_structs;
pub mod small_atomics;
pub mod specialization_constants;
pub mod std_imports;
pub mod std_numbers;
pub mod strict_methods;
pub mod struct_arguments;
pub mod structs;
pub mod structs_of_vectors;
pub mod sub_slices;
pub mod subgroup_bits;
pub mod subgroup_blocks;
pub mod subgroup_numbers;
pub mod subgroup_shuffles;
pub mod subgroup_sizes;
pub mod subgroups;
pub mod subgroups_of_32;
pub mod tables;
pub mod text_parts;
pub mod torus;
pub mod tuples;
pub mod unchecked_kernels;
pub mod unchecked_methods;
pub mod unwritten_local_memory;
pub mod utf8_text;
pub mod varying_iterators;
pub mod varying_references;
pub mod vector_bits;
pub mod vector_casts;
pub mod vector_constants;
pub mod vector_families;
pub mod vector_faults;
pub mod vector_floats;
pub mod vector_integers;
pub mod vector_masks;
pub mod vector_math;
pub mod vector_memory;
pub mod vector_neighbours;
pub mod vector_reductions;
pub mod vector_signed;
pub mod vector_unsigned;
pub mod vectors;
pub mod wide_indices;
pub mod wide_integers;
pub mod wide_patterns;
pub mod wide_text;
pub mod work_group_bits;
pub mod work_group_numbers;
pub mod work_groups;
pub mod work_items;
pub mod wrapped_differences;
pub mod wrapped_indices;
pub mod written_text;

use case::Case;

/// Passes the names of all modules of kernels to a macro.
macro_rules! for_each_construct {
    ($macro:ident) => {
        $macro! {
            agreed_guards
            aligned_structs
            arguments
            arrays
            ascii
            assumed_uniform
            atomics
            barriers
            benches
            bindings
            bitonic_sort
            bools
            bounded_recursion
            bounds
            byte_strings
            cache_controls
            casts
            cells
            checked_conversions
            checked_methods
            chosen_lists
            closures
            collected_contents
            combined
            computed_lengths
            constant_arguments
            constant_initialisers
            constant_patterns
            constant_slices
            control_flow
            copies
            counted
            counters
            conditions
            conditions_of_size
            conversions
            cursors
            debug_text
            defaults
            device_functions
            distinct_numbers
            durations
            enums
            every_fault
            exported_functions
            examples
            fast_functions
            faults
            faults_in_group_loops
            faults_in_loops
            fences
            fixed_associated
            flat_ids
            float_atomics
            float_choices
            float_indices
            float_math
            float_methods
            flattened_slices
            float_text
            floats
            formatted_panics
            found_by_random
            function_pointers
            function_values
            generic_kernels
            generic_associated_types
            generic_traits
            generics
            group_copies
            group_vectors
            half_conversions
            half_math
            halves
            hoisted_checks
            hoisted_rows
            hoisted_signed
            image_blocks
            image_formats
            image_generics
            image_halves
            image_read_write
            image_shapes
            images
            impls
            impls_beside
            imported_functions
            imports
            integer_bits
            integer_division
            integer_functions
            integer_methods
            integer_overflow
            integer_signed
            integer_unsigned
            integers
            iterator_chains
            iterator_closures
            iterator_order
            iterator_types
            iterators
            joined_iterators
            known_passes
            lengths
            local_arguments
            local_atomics
            library_values
            linked_structs
            listed_cycles
            listed_impls
            listed_types
            local_items
            local_memory local_values
            long_chains
            math_functions
            memory_functions
            method_lookup
            named_methods
            names
            negation
            nested_modules
            nontemporal
            one_module
            number_halves
            opencl_floats
            option_methods
            orders
            other_crate
            overflow_checks
            own_iterators
            own_orders
            panics
            pattern_forms
            patterns
            pixels
            presumed
            printed_values
            printing
            pulled_iterators
            ranges
            raw_pointers
            reference_arguments
            reference_arrays
            references
            reserved_places
            returned_closures
            reversed_iterators
            rows_and_places
            samplers
            slice_cursors
            slice_methods
            slice_options
            slice_parts
            slice_traits
            slice_views
            slices_of_structs
            small_atomics
            specialization_constants
            std_imports
            std_numbers
            strict_methods
            struct_arguments
            structs
            structs_of_vectors
            sub_slices
            subgroup_bits
            subgroup_blocks
            subgroup_numbers
            subgroup_shuffles
            subgroup_sizes
            subgroups
            subgroups_of_32
            tables
            text_parts
            torus
            tuples
            unchecked_kernels
            unchecked_methods
            unwritten_local_memory
            utf8_text
            varying_iterators
            varying_references
            vector_bits
            vector_casts
            vector_constants
            vector_families
            vector_faults
            vector_floats
            vector_integers
            vector_masks
            vector_math
            vector_memory
            vector_neighbours
            vector_reductions
            vector_signed
            vector_unsigned
            vectors
            wide_indices
            wide_integers
            wide_patterns
            wide_text
            work_group_bits
            work_group_numbers
            work_groups
            written_text
            work_items
            wrapped_differences
            wrapped_indices
        }
    };
}

/// The cases of all modules.
pub fn cases() -> Vec<Case> {
    macro_rules! all_cases {
        ($($name:ident)*) => { [$($name::cases()),*].into_iter().flatten().collect() };
    }
    for_each_construct!(all_cases)
}
