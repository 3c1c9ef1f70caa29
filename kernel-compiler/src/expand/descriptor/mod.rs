//! A compiled kernel as an expression of type `KernelDescriptor`.

mod missing;

pub(super) use missing::Missing;

use super::runtime;
use crate::argument::{Argument, ArgumentKind, ElementType};
use crate::compiled::{self, Compiled, Hoisted, Site, SmallLaunches};
use crate::emit::{self, Places, Requirements, SourcePlace};
use crate::exported::Exported;
use crate::ir::{Format, Numeric, PrintSite, Shown, ShownFields};
use kernel_core::{
    Access, AccessPlaces, FaultSites, FloatAtomics, ImageType, LaunchStep, Part, PlaceRun, PrintStream,
    RequiredFeature, SamplerType, Scalar,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// A descriptor, or an array of them, as an expression: of a module, or of one that is [`Missing`]. There is no other.
pub(super) struct Value(TokenStream);

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

/// The descriptor of a kernel that has a module of its own.
pub(super) fn expression(compiled: &Compiled) -> Value {
    let (module, value) = (module(&compiled.words), value(compiled));
    Value(quote!({ #module #value }))
}

/// The descriptors of kernels that have one module, as an array.
pub(super) fn array(kernels: &[Compiled]) -> Value {
    let module = module(kernels.first().map_or(&[], |first| &first.words));
    let values = kernels.iter().map(value);
    Value(quote!({ #module [#(#values),*] }))
}

/// What descriptors refer to: a module, and the crate that they come from.
fn module(words: &[u32]) -> TokenStream {
    let (runtime, core, module) = (runtime(), core(), embedded(words));
    quote! {
        #[cfg(target_endian = "big")]
        ::core::compile_error!("kernels are embedded for little-endian hosts");
        use #runtime::__private::kernel_core as #core;
        #module
    }
}

/// The words of a module, as a constant.
fn embedded(words: &[u32]) -> TokenStream {
    let core = core();
    let words = emit::with_debug_info(words);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let len = bytes.len();
    let bytes = Literal::byte_string(&bytes);
    quote! {
        static SPIRV: #core::descriptor::AlignedBytes<#len> = #core::descriptor::AlignedBytes(*#bytes);
        // SAFETY: emission makes valid modules.
        const WORDS: #core::descriptor::Spirv = unsafe { #core::descriptor::Spirv::new(&SPIRV) };
    }
}

/// A short path: there are many, and rustc takes each apart.
fn core() -> TokenStream {
    quote!(core_items)
}

/// A descriptor beside its module.
fn value(compiled: &Compiled) -> TokenStream {
    let core = core();
    let Compiled {
        name,
        words: _,
        places,
        specializations,
        imports,
        arguments,
        rank,
        group_size,
        subgroup_size,
        depends_on_groups,
        local_memory,
        correctly_rounded,
        indirect,
        unchecked,
        races,
        assumes_distinct,
        requirements,
        conditions,
        presumptions,
        sites,
        prints,
        hoisted,
        small,
        ir,
        shown: _,
    } = compiled;
    let arguments = arguments.iter().map(|Argument { name, kind, atomic }| {
        let kind = argument_kind(&core, kind);
        quote!(#core::Argument { name: #name, kind: #kind, atomic: #atomic })
    });
    let specializations = specializations.iter().map(|(name, scalar)| {
        let scalar = scalar_tokens(&core, *scalar);
        quote!(#core::Specialization { name: #name, ty: #scalar })
    });
    let imports = import_tokens(&core, imports);
    let group_size = option(group_size.map(|[x, y, z]| quote!([#x, #y, #z])));
    let subgroup_size = option(subgroup_size.map(|size| quote!(#size)));
    let assumes_distinct = assumes_distinct.iter().map(|SourcePlace { file, line, column }| {
        quote!(#core::SourceLine { file: #file, line: #line, column: #column })
    });
    let requirements = requirement_tokens(&core, requirements);
    let conditions = conditions.iter().map(|(text, SourcePlace { file, line, column })| {
        quote! {
            #core::Condition {
                text: #text,
                at: #core::SourceLine { file: #file, line: #line, column: #column },
            }
        }
    });
    let presumptions = presumptions.iter().map(|presumption| presumption_tokens(&core, presumption));
    let fault_sites = fault_sites(&core, sites);
    let access_places = access_places(&core, places);
    let hoisted = option(hoisted.as_ref().map(|hoisted| hoisted_tokens(&core, hoisted)));
    let small = option(small.as_ref().map(|small| small_tokens(&core, small)));
    let ir = option(ir.as_ref().map(|ir| quote!(#ir)));
    let prints = prints.iter().map(|print| print_site(&core, print));
    quote! {
        #core::KernelDescriptor {
            name: #name,
            spirv: WORDS,
            specializations: &[#(#specializations),*],
            imports: &[#(#imports),*],
            arguments: &[#(#arguments),*],
            rank: #rank,
            group_size: #group_size,
            subgroup_size: #subgroup_size,
            depends_on_groups: #depends_on_groups,
            local_memory: #local_memory,
            correctly_rounded: #correctly_rounded,
            indirect: #indirect,
            unchecked: #unchecked,
            races: &[#(#races),*],
            assumes_distinct: &[#(#assumes_distinct),*],
            requirements: #requirements,
            conditions: &[#(#conditions),*],
            presumptions: &[#(#presumptions),*],
            fault_sites: #fault_sites,
            print_sites: &[#(#prints),*],
            access_places: #access_places,
            hoisted: #hoisted,
            small: #small,
            ir: #ir,
        }
    }
}

/// The entry point without the checks that the host can make.
fn hoisted_tokens(core: &TokenStream, hoisted: &Hoisted) -> TokenStream {
    let Hoisted { entry_point, conditions, sites, can_fault, places } = hoisted;
    let (places, conditions) = (access_places(core, places), launch_conditions(core, conditions));
    let sites = sites.iter().map(|(site, conditions)| {
        let (site, conditions) = (*site as u32, conditions.iter().map(|position| *position as u32));
        quote!((#site, &[#(#conditions),*]))
    });
    quote! {
        #core::HoistedChecks {
            entry_point: #entry_point,
            conditions: #conditions,
            sites: &[#(#sites),*],
            can_fault: #can_fault,
            access_places: #places,
        }
    }
}

/// The module for small launches.
fn small_tokens(
    core: &TokenStream,
    SmallLaunches { words, conditions, places }: &SmallLaunches,
) -> TokenStream {
    let (places, conditions) = (access_places(core, places), launch_conditions(core, conditions));
    let module = embedded(words);
    quote!({
        #module
        #core::SmallLaunches { spirv: WORDS, conditions: #conditions, access_places: #places }
    })
}

/// What the host finds out about launches.
fn launch_conditions(core: &TokenStream, conditions: &[(String, Vec<LaunchStep>)]) -> TokenStream {
    let conditions = conditions.iter().map(|(text, steps)| {
        let steps = steps.iter().map(|step| step_tokens(core, *step));
        quote!(#core::LaunchCondition { text: #text, steps: &[#(#steps),*] })
    });
    quote!(&[#(#conditions),*])
}

/// A step that the host takes.
fn step_tokens(core: &TokenStream, step: LaunchStep) -> TokenStream {
    let named = |name: &dyn std::fmt::Debug| format_ident!("{}", format!("{name:?}"));
    let step = match step {
        LaunchStep::Constant(value) => quote!(Constant(#value)),
        LaunchStep::Len(argument) => quote!(Len(#argument)),
        LaunchStep::ImageSize { argument, axis } => {
            quote!(ImageSize { argument: #argument, axis: #axis })
        }
        LaunchStep::Value { argument, offset, scalar } => {
            let scalar = scalar_tokens(core, scalar);
            quote!(Value { argument: #argument, offset: #offset, scalar: #scalar })
        }
        LaunchStep::GlobalSize(dimension) => quote!(GlobalSize(#dimension)),
        LaunchStep::LocalSize(dimension) => quote!(LocalSize(#dimension)),
        LaunchStep::NumGroups(dimension) => quote!(NumGroups(#dimension)),
        LaunchStep::Specialization(position, scalar) => {
            let scalar = scalar_tokens(core, scalar);
            quote!(Specialization(#position, #scalar))
        }
        LaunchStep::Exact(op) => {
            let op = named(&op);
            quote!(Exact(#core::ExactOp::#op))
        }
        LaunchStep::Binary(op, scalar) => {
            let (op, scalar) = (named(&op), scalar_tokens(core, scalar));
            quote!(Binary(#core::semantics::BinaryOp::#op, #scalar))
        }
        LaunchStep::Unary(op, scalar) => {
            let (op, scalar) = (named(&op), scalar_tokens(core, scalar));
            quote!(Unary(#core::semantics::UnaryOp::#op, #scalar))
        }
        LaunchStep::Cast(scalar) => {
            let scalar = scalar_tokens(core, scalar);
            quote!(Cast(#scalar))
        }
        LaunchStep::Select => quote!(Select),
        LaunchStep::NextPowerOfTwo => quote!(NextPowerOfTwo),
    };
    quote!(#core::LaunchStep::#step)
}

/// The descriptor of a function for other modules.
pub(super) fn export(exported: &Exported) -> Value {
    let core = core();
    let Exported { name, words, imports, unchecked, requirements } = exported;
    let (module, imports) = (module(words), import_tokens(&core, imports));
    let requirements = requirement_tokens(&core, requirements);
    Value(quote!({
        #module
        #core::ExportDescriptor {
            name: #name,
            spirv: WORDS,
            imports: &[#(#imports),*],
            unchecked: #unchecked,
            requirements: #requirements,
        }
    }))
}

/// The functions of other modules that are called.
fn import_tokens(core: &TokenStream, imports: &[(String, SourcePlace)]) -> impl Iterator<Item = TokenStream> {
    imports.iter().map(move |(name, SourcePlace { file, line, column })| {
        quote! {
            #core::Import {
                name: #name,
                at: #core::SourceLine { file: #file, line: #line, column: #column },
            }
        }
    })
}

/// What a launch must meet so that work-items do not race.
fn presumption_tokens(core: &TokenStream, presumption: &compiled::Presumption) -> TokenStream {
    let compiled::Presumption { text, at, presumed, parts } = presumption;
    let SourcePlace { file, line, column } = at;
    let presumed = format_ident!("{presumed:?}");
    let parts = parts.iter().map(|part| part_tokens(core, *part));
    quote! {
        #core::Presumption {
            text: #text,
            at: #core::SourceLine { file: #file, line: #line, column: #column },
            presumed: #core::Presumed::#presumed,
            parts: &[#(#parts),*],
        }
    }
}

fn part_tokens(core: &TokenStream, part: Part) -> TokenStream {
    match part {
        Part::Between(least, most) => quote!(#core::Part::Between(#least, #most)),
        Part::Value { argument, offset, scalar } => {
            let scalar = scalar_tokens(core, scalar);
            quote!(#core::Part::Value { argument: #argument, offset: #offset, scalar: #scalar })
        }
        Part::Length(position) => quote!(#core::Part::Length(#position)),
        Part::Memory(position) => quote!(#core::Part::Memory(#position)),
        Part::GlobalId(dimension) => quote!(#core::Part::GlobalId(#dimension)),
        Part::GlobalSize(dimension) => quote!(#core::Part::GlobalSize(#dimension)),
        Part::GroupId(dimension) => quote!(#core::Part::GroupId(#dimension)),
        Part::NumGroups(dimension) => quote!(#core::Part::NumGroups(#dimension)),
        Part::LocalSize(dimension) => quote!(#core::Part::LocalSize(#dimension)),
        Part::Join => quote!(#core::Part::Join),
        Part::UpTo => quote!(#core::Part::UpTo),
        Part::AtLeast => quote!(#core::Part::AtLeast),
        Part::Meet => quote!(#core::Part::Meet),
        Part::Add => quote!(#core::Part::Add),
        Part::Sub => quote!(#core::Part::Sub),
        Part::Mul => quote!(#core::Part::Mul),
        Part::Div => quote!(#core::Part::Div),
        Part::Rem => quote!(#core::Part::Rem),
        Part::Shl => quote!(#core::Part::Shl),
        Part::Cast(scalar) => {
            let scalar = scalar_tokens(core, scalar);
            quote!(#core::Part::Cast(#scalar))
        }
    }
}

/// The places that can fault.
fn fault_sites(core: &TokenStream, sites: &[Site]) -> TokenStream {
    let mut text = String::new();
    for Site { kind, file, line, column, message, reason, .. } in sites {
        let (kind, line, column) = (*kind, *line, *column);
        let site = kernel_core::FaultSite { kind, file, line, column, message, reason, format: None };
        // Writing to a string does not fail.
        let _ = FaultSites::encode(&site, &mut text);
    }
    let formats = (0_u32..).zip(sites).filter_map(|(number, site)| {
        let format = site.format.as_ref()?;
        let (words, write) = (format.words(), format_tokens(core, format));
        Some(quote!((#number, #core::FaultFormat { words: #words, write: #write })))
    });
    quote!(#core::FaultSites::new(#text, &[#(#formats),*]))
}

/// Where accesses to memory are written.
fn access_places(core: &TokenStream, Places(places): &Places) -> TokenStream {
    let runs = places.iter().map(|(count, SourcePlace { file, line, column })| PlaceRun {
        count: *count,
        file,
        line: *line,
        column: *column,
    });
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = AccessPlaces::encode(runs, &mut text);
    quote!(#core::AccessPlaces::new(#text))
}

/// A place that prints.
fn print_site(core: &TokenStream, print: &PrintSite) -> TokenStream {
    let PrintSite { format, stream, newline } = print;
    let stream = match stream {
        PrintStream::Output => quote!(Output),
        PrintStream::Error => quote!(Error),
    };
    let (words, write) = (format.words(), format_tokens(core, format));
    quote! {
        #core::PrintSite { stream: #core::PrintStream::#stream, newline: #newline, words: #words, write: #write }
    }
}

/// The function that formats words. It does so by `write!` with the words as arguments, so that the text means what it says.
fn format_tokens(core: &TokenStream, format: &Format) -> TokenStream {
    let Format { text, arguments } = format;
    let names: Vec<Ident> = (0..arguments.len()).map(|position| format_ident!("value_{position}")).collect();
    let values = arguments.iter().map(|(_, shown)| shown_value(core, shown));
    let given = arguments.iter().zip(&names).map(|((name, _), value)| match name {
        Some(name) => {
            let name = Ident::new(name, Span::call_site());
            quote!(#name = #value)
        }
        None => quote!(#value),
    });
    quote! {
        |mut words, f| {
            #(let #names = #values;)*
            ::core::write!(f, #text, #(#given),*)
        }
    }
}

/// What `words` have of an argument.
fn shown_value(core: &TokenStream, shown: &Shown) -> TokenStream {
    match shown {
        Shown::Text(text) => quote!(#text),
        Shown::Char => quote!(<::core::primitive::char as #core::print::Printable>::take(&mut words)),
        Shown::Str => quote!(<#core::print::Text as #core::print::Printable>::take(&mut words)),
        Shown::Number(ty) => {
            let ty = printed_type(core, *ty);
            quote!(<#ty as #core::print::Printable>::take(&mut words))
        }
        made => {
            let made = shown_tokens(core, made);
            quote!(#core::shown::ShownValue::take(&#made, &mut words))
        }
    }
}

fn shown_tokens(core: &TokenStream, shown: &Shown) -> TokenStream {
    match shown {
        Shown::Number(Numeric { scalar, lanes }) => {
            let scalar = scalar_tokens(core, *scalar);
            match lanes {
                1 => quote!(#core::shown::Shown::Scalar(#scalar)),
                lanes => quote!(#core::shown::Shown::Vector(#scalar, #lanes)),
            }
        }
        Shown::Char => quote!(#core::shown::Shown::Char),
        Shown::Str => quote!(#core::shown::Shown::Str),
        Shown::Text(_) => quote!(#core::shown::Shown::Tuple(&[])),
        Shown::Tuple(elements) => {
            let elements = elements.iter().map(|element| shown_tokens(core, element));
            quote!(#core::shown::Shown::Tuple(&[#(#elements),*]))
        }
        Shown::Array(element, len) => {
            let element = shown_tokens(core, element);
            quote!(#core::shown::Shown::Array(&#element, #len))
        }
        Shown::Struct(fields) => {
            let fields = fields_tokens(core, fields);
            quote!(#core::shown::Shown::Struct(#fields))
        }
        Shown::Enum(tag, variants) => {
            let tag = scalar_tokens(core, *tag);
            let variants = variants.iter().map(|(number, fields)| {
                let fields = fields_tokens(core, fields);
                quote!((#number, #fields))
            });
            quote!(#core::shown::Shown::Enum { tag: #tag, variants: &[#(#variants),*] })
        }
    }
}

fn fields_tokens(core: &TokenStream, ShownFields { name, is_named, fields }: &ShownFields) -> TokenStream {
    let fields = fields.iter().map(|(name, shown)| {
        let shown = shown_tokens(core, shown);
        quote!((#name, #shown))
    });
    quote!(#core::shown::ShownFields { name: #name, is_named: #is_named, fields: &[#(#fields),*] })
}

fn printed_type(core: &TokenStream, Numeric { scalar, lanes }: Numeric) -> TokenStream {
    let name = format_ident!("{}", scalar.name());
    let lane = match scalar {
        Scalar::F16 | Scalar::Bf16 => quote!(#core::#name),
        _ => quote!(::core::primitive::#name),
    };
    let lanes = lanes as usize;
    if lanes == 1 { lane } else { quote!(#core::vector::Vector<#lane, #lanes>) }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn argument_kind(core: &TokenStream, kind: &ArgumentKind) -> TokenStream {
    match kind {
        ArgumentKind::Value(ty) => {
            let ty = element_type(core, ty);
            quote!(#core::ArgumentKind::Value(#ty))
        }
        ArgumentKind::Image(ImageType { shape, class, access }) => {
            let [shape, class, access] = [format!("{shape:?}"), format!("{class:?}"), format!("{access:?}")]
                .map(|name| format_ident!("{name}"));
            quote!(#core::ArgumentKind::Image(#core::ImageType {
                shape: #core::ImageShape::#shape,
                class: #core::ChannelClass::#class,
                access: #core::ImageAccess::#access,
            }))
        }
        ArgumentKind::Sampler(SamplerType { filter, normalized }) => {
            let filter = format_ident!("{}", format!("{filter:?}"));
            quote!(#core::ArgumentKind::Sampler(#core::SamplerType {
                filter: #core::image::FilterMode::#filter,
                normalized: #normalized,
            }))
        }
        ArgumentKind::Local { element } => {
            let element = element_type(core, element);
            quote!(#core::ArgumentKind::Local { element: #element })
        }
        ArgumentKind::Slice { element, access } => behind_address(core, "Slice", element, *access),
        ArgumentKind::Reference { element, access } => behind_address(core, "Reference", element, *access),
        ArgumentKind::Pointer { element, access } => behind_address(core, "Pointer", element, *access),
    }
}

fn behind_address(core: &TokenStream, kind: &str, element: &ElementType, access: Access) -> TokenStream {
    let (kind, element) = (format_ident!("{kind}"), element_type(core, element));
    let access = match access {
        Access::Read => quote!(Read),
        Access::ReadWrite => quote!(ReadWrite),
    };
    quote!(#core::ArgumentKind::#kind { element: #element, access: #core::Access::#access })
}

pub(super) fn element_type(core: &TokenStream, ty: &ElementType) -> TokenStream {
    match ty {
        ElementType::Scalar(scalar) => {
            let scalar = scalar_tokens(core, *scalar);
            quote!(#core::ElementType::Scalar(#scalar))
        }
        ElementType::Vector(scalar, lanes) => {
            let scalar = scalar_tokens(core, *scalar);
            quote!(#core::ElementType::Vector { element: #scalar, lanes: #lanes })
        }
        ElementType::Pointer => quote!(#core::ElementType::Pointer),
        ElementType::Array(element, len) => {
            let element = element_type(core, element);
            quote!(#core::ElementType::Array { element: &#element, len: #len })
        }
        ElementType::Struct { name, fields, align } => {
            let fields = fields.iter().map(|(name, ty)| {
                let ty = element_type(core, ty);
                quote!(#core::Field { name: #name, ty: #ty })
            });
            quote!(#core::ElementType::Struct(&#core::StructType { name: #name, fields: &[#(#fields),*], align: #align }))
        }
    }
}

fn scalar_tokens(core: &TokenStream, scalar: Scalar) -> TokenStream {
    // The variants are named after the types: `f32` is `F32`, `usize` is `Usize`.
    let mut name = scalar.name().to_owned();
    name[..1].make_ascii_uppercase();
    let variant = format_ident!("{name}");
    quote!(#core::Scalar::#variant)
}

fn requirement_tokens(core: &TokenStream, requirements: &Requirements) -> TokenStream {
    let Requirements {
        spirv_version: (major, minor),
        capabilities,
        extensions,
        fp64,
        fp16,
        int64_atomics,
        features,
    } = requirements;
    let [fp16_atomics, fp32_atomics, fp64_atomics] =
        [Scalar::F16, Scalar::F32, Scalar::F64].map(|scalar| float_atomics(core, features, scalar));
    let lines = features.iter().map(|(feature, SourcePlace { file, line, column })| {
        let feature = feature_tokens(core, *feature);
        quote! {
            #core::RequiredAt {
                feature: #feature,
                at: #core::SourceLine { file: #file, line: #line, column: #column },
            }
        }
    });
    let capabilities = capabilities.iter();
    let extensions = extensions.iter();
    quote! {
        #core::Requirements {
            spirv_version: (#major, #minor),
            capabilities: &[#(#capabilities),*],
            extensions: &[#(#extensions),*],
            fp64: #fp64,
            fp16: #fp16,
            int64_atomics: #int64_atomics,
            fp16_atomics: #fp16_atomics,
            fp32_atomics: #fp32_atomics,
            fp64_atomics: #fp64_atomics,
            lines: &[#(#lines),*],
        }
    }
}

fn feature_tokens(core: &TokenStream, feature: RequiredFeature) -> TokenStream {
    match feature {
        RequiredFeature::FloatAtomics(scalar, FloatAtomics(flags)) => {
            let scalar = scalar_tokens(core, scalar);
            quote!(#core::RequiredFeature::FloatAtomics(#scalar, #core::FloatAtomics(#flags)))
        }
        other => {
            let variant = format_ident!("{}", format!("{other:?}"));
            quote!(#core::RequiredFeature::#variant)
        }
    }
}

/// The atomic updates of floats of one type.
fn float_atomics(
    core: &TokenStream,
    features: &[(RequiredFeature, SourcePlace)],
    scalar: Scalar,
) -> TokenStream {
    let flags = features.iter().map(|(feature, _)| match feature {
        RequiredFeature::FloatAtomics(of, flags) if *of == scalar => *flags,
        _ => FloatAtomics::NONE,
    });
    let FloatAtomics(flags) = flags.fold(FloatAtomics::NONE, FloatAtomics::union);
    quote!(#core::FloatAtomics(#flags))
}
