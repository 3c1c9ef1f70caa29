//! The whole way from a function to a compiled kernel.

use crate::analysis::{self, Analysis, Kept, Races, Small};
use crate::argument::{self, Argument};
use crate::diagnostics::Diagnostics;
use crate::emit::{self, Places, Requirements, SourcePlace, Spirv};
use crate::infer::{self, Program, Source};
use crate::ir::{self, Attributes};
use crate::lower;
use crate::racing;
use crate::typed::Ty;
use kernel_core::{FaultKind, LaunchStep, Layout, Part, Presumed, Scalar};

/// A compiled kernel; the owned form of `kernel_core::KernelDescriptor`.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The name of the entry point.
    pub name: String,
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// Where its accesses to memory are written.
    pub places: Places,
    /// The names and types of the constants that the host sets when it builds the module.
    pub specializations: Vec<(String, Scalar)>,
    /// The functions of other modules that it calls, each with where it does so first.
    pub imports: Vec<(String, SourcePlace)>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The number of dimensions whose ids are used, at least 1.
    pub rank: u8,
    /// The required work-group size.
    pub group_size: Option<[u32; 3]>,
    /// The required subgroup size.
    pub subgroup_size: Option<u32>,
    /// Whether it can tell how its launch is divided into groups.
    pub depends_on_groups: bool,
    /// The bytes of local memory.
    pub local_memory: u32,
    /// Whether single-precision `/` and `sqrt` must be correctly rounded.
    pub correctly_rounded: bool,
    /// Whether it follows raw pointers that it finds in memory or in what it gets by value.
    pub indirect: bool,
    /// Whether it goes without the checks for which its author has vouched.
    pub unchecked: bool,
    /// The arguments and local variables for which its author vouches that no race in them does harm.
    pub races: Vec<String>,
    /// Where its author promises that work-items get different numbers.
    pub assumes_distinct: Vec<SourcePlace>,
    /// What the device must have.
    pub requirements: Requirements,
    /// What every launch must meet, each with where it is written.
    pub conditions: Vec<(String, SourcePlace)>,
    /// What else every launch must meet, so that work-items do not race.
    pub presumptions: Vec<Presumption>,
    /// The places that can fault.
    pub sites: Vec<Site>,
    /// The places that print.
    pub prints: Vec<ir::PrintSite>,
    /// The entry point without the checks that the host can make, if there are any.
    pub hoisted: Option<Hoisted>,
    /// The module for small launches that do not meet the conditions of it.
    pub small: Option<SmallLaunches>,
    /// The text of its intermediate representation as lowering leaves it, if that is asked for.
    pub ir: Option<String>,
    /// What tools show of it, if that is asked for.
    pub shown: Option<Shown>,
}

/// What tools show of a kernel besides what it is.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The text of its intermediate representation as lowering leaves it, with comments that say where it is written.
    pub lowered: String,
    /// The same of what the analysis leaves, which becomes SPIR-V.
    pub ir: String,
    /// The module with lines.
    pub with_lines: Vec<u32>,
    /// Its races, those for which the author vouches among them.
    pub races: Races,
}

/// What is asked for besides a kernel that can be launched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// The text of the intermediate representation, as [`Compiled::ir`].
    pub ir: bool,
    /// Lines in the module.
    pub lines: bool,
    /// What tools show, as [`Compiled::shown`].
    pub shown: bool,
}

/// The entry point of a kernel without the checks that the host can make; the owned form of `kernel_core::HoistedChecks`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hoisted {
    /// Its name.
    pub entry_point: String,
    /// What has to hold, each as the source would say it and as the steps that evaluate it.
    pub conditions: Vec<(String, Vec<LaunchStep>)>,
    /// The sites whose checks it does not make, each with the positions of the conditions for that.
    pub sites: Vec<(usize, Vec<usize>)>,
    /// Whether it can fault all the same.
    pub can_fault: bool,
    /// Where its accesses to memory are written.
    pub places: Places,
}

/// The kernel with all of its checks in a module of its own, for small launches; the owned form of `kernel_core::SmallLaunches`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallLaunches {
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// What has to hold, each as the source would say it and as the steps that evaluate it.
    pub conditions: Vec<(String, Vec<LaunchStep>)>,
    /// Where its accesses to memory are written.
    pub places: Places,
}

/// What a launch must meet so that work-items do not race; the owned form of `kernel_core::Presumption`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presumption {
    /// What it is about, as the source has it.
    pub text: String,
    /// The access that would race.
    pub at: SourcePlace,
    /// What is presumed.
    pub presumed: Presumed,
    /// How the number is computed.
    pub parts: Vec<Part>,
}

/// A place that can fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// What can go wrong.
    pub kind: FaultKind,
    /// The source file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What a panic of the author's own says; else empty.
    pub message: String,
    /// The same, if it has values in it.
    pub format: Option<ir::Format>,
    /// Why the check could not be left out.
    pub reason: String,
}

/// Compiles a kernel, under a name, for these generic arguments.
///
/// # Errors
///
/// Everything that is wrong with it, as far as one phase can see.
pub fn compile(
    program: &Program<'_>,
    source: Source,
    (name, arguments): (String, &[Ty]),
    attributes: Attributes,
    asked: Asked,
) -> Result<Compiled, Diagnostics> {
    let racing = source.racing.clone();
    let signature = infer::signature_for(program, &source, arguments)?;
    let function = infer::function(program, &source, &signature, arguments)?;
    let mut module = lower::module(program, &function, attributes).map_err(|mut errors| {
        // What is about no code of the user's is said at the kernel's name.
        errors.place(source.signature.ident.span(), 0);
        errors
    })?;
    module.name = name;
    lower::check_imports(&module).finish(())?;
    let ir = asked.ir.then(|| module.to_string());
    let lowered = asked.shown.then(|| module.with_lines());
    let analysis = checked(&mut module)?;
    let (races, presumptions) = racing::check(&module, &racing)?;
    let depends_on_groups = module.depends_on_groups();
    let all_races = asked.shown.then(|| analysis::races(&module));
    let versions = Versions::of(module, &analysis);
    let mut emitted = versions.emit(&analysis, asked.lines);
    let shown = lowered.zip(all_races).map(|(lowered, races)| Shown {
        lowered,
        ir: versions.complete.with_lines(),
        with_lines: versions.emit(&analysis, true).words,
        races,
    });
    let small = versions.small.as_ref().map(|small| small.emit(&emitted.requirements, asked.lines));
    let Versions { complete: module, without, .. } = versions;
    let mut places = std::mem::take(&mut emitted.places).into_iter();
    let own_places = places.next().unwrap_or_default();
    let hoisted = without
        .map(|Without { hoisted, .. }| Hoisted { places: places.next().unwrap_or_default(), ..hoisted });
    Ok(Compiled {
        name: module.name.clone(),
        words: emitted.words,
        places: own_places,
        specializations: function.0.specializations.clone(),
        imports: module
            .imports
            .iter()
            .map(|(_, import)| (import.name.clone(), SourcePlace::of(import.span)))
            .collect(),
        arguments: argument::of(&module),
        rank: module.rank(),
        group_size: attributes.group_size,
        subgroup_size: attributes.subgroup_size,
        depends_on_groups,
        local_memory: local_memory(&module),
        correctly_rounded: attributes.float_mode.is_correctly_rounded(),
        // What another module follows is not known.
        indirect: argument::finds_pointers(&module) || !module.imports.is_empty(),
        unchecked: attributes.unchecked,
        races,
        assumes_distinct: assumes_distinct(&module),
        requirements: emitted.requirements,
        conditions: Vec::new(),
        presumptions,
        sites: module.sites.iter().map(|(_, site)| located(site)).collect(),
        prints: module.prints.iter().map(|(_, print)| print.clone()).collect(),
        hoisted,
        small,
        ir,
        shown,
    })
}

/// What comes of a kernel.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The module.
    pub spirv: Spirv,
    /// The second entry point in it, if there is one.
    pub hoisted: Option<Hoisted>,
    /// The other module, if there is one.
    pub small: Option<SmallLaunches>,
}

/// The SPIR-V of a kernel as lowering leaves it, in which only the checks and fault exits remain that the analysis cannot do without.
///
/// # Errors
///
/// What work-items do together where not all of them come.
pub fn translate(module: &mut ir::Module) -> Result<Translated, Diagnostics> {
    let analysis = checked(module)?;
    let versions = Versions::of(module.clone(), &analysis);
    let mut spirv = versions.emit(&analysis, false);
    let small = versions.small.as_ref().map(|small| small.emit(&spirv.requirements, false));
    let Versions { complete, without, .. } = versions;
    *module = complete;
    let places = spirv.places.drain(1..).next().unwrap_or_default();
    let hoisted = without.map(|Without { hoisted, .. }| Hoisted { places, ..hoisted });
    Ok(Translated { spirv, hoisted, small })
}

/// What is known of a kernel as lowering leaves it, in which all come to what they do together.
fn checked(module: &mut ir::Module) -> Result<Analysis, Diagnostics> {
    analysis::keep_fault_exits(module);
    let analysis = Analysis::of(module);
    analysis::divergence(module, &analysis).finish(())?;
    Ok(analysis)
}

/// A kernel as it is emitted.
struct Versions {
    /// With all checks that it cannot do without.
    complete: ir::Module,
    /// Without those that the host can make, if there are any, or with numbers of 32 bits.
    without: Option<Without>,
    /// With all checks and with numbers of 32 bits, if there are launches for it.
    small: Option<CheckedSmall>,
}

/// What launches take that meet conditions.
struct Without {
    module: ir::Module,
    /// What is known of it, if that is more than of the complete one.
    analysis: Option<Analysis>,
    hoisted: Hoisted,
}

/// What small launches take that do not meet the conditions.
struct CheckedSmall {
    module: ir::Module,
    analysis: Analysis,
    conditions: Vec<(String, Vec<LaunchStep>)>,
}

impl Versions {
    fn of(mut module: ir::Module, analysis: &Analysis) -> Self {
        let kept = analysis::discharge(&mut module, analysis);
        // What the host could not evaluate, it would not find: then all checks stay.
        let conditions: Option<Vec<_>> = kept.conditions.iter().map(describe_condition).collect();
        let kept = if conditions.is_some() { kept } else { Kept::default() };
        let is_worth_it =
            !kept.is_empty() || !module.sites.is_empty() || analysis::has_wide_products(&module, analysis);
        let without = is_worth_it.then(|| module.clone());
        let small = without.as_ref().and_then(|module| CheckedSmall::of(module.clone(), &kept, analysis));
        finish(&mut module, analysis);
        let without =
            without.and_then(|without| Without::of(without, &kept, conditions.unwrap_or_default(), analysis));
        // Where there is no other version for small launches, this one is the other.
        let small = small.filter(|_| without.is_some());
        Self { complete: module, without, small }
    }

    /// The module of all of them.
    fn emit(&self, analysis: &Analysis, has_lines: bool) -> Spirv {
        let without = self.without.iter();
        let without =
            without.map(|Without { module, analysis: own, .. }| (module, own.as_ref().unwrap_or(analysis)));
        let versions: Vec<_> = [(&self.complete, analysis)].into_iter().chain(without).collect();
        emit::emit_versions(&versions, has_lines)
    }
}

impl Without {
    /// Makes a kernel such a version, if there is anything to it.
    fn of(
        mut module: ir::Module,
        kept: &Kept,
        mut conditions: Vec<(String, Vec<LaunchStep>)>,
        analysis: &Analysis,
    ) -> Option<Self> {
        analysis::hoist(&mut module, kept);
        // No name in Rust has a point in it.
        module.name.push_str(".hoisted");
        let sites = kept.sites.iter().map(|(site, conditions)| (site.index(), conditions.clone()));
        let mut sites: Vec<_> = sites.collect();
        // It is the same with what small launches need.
        let small = Small::of(&module, kept).and_then(|small| {
            let of_small = Analysis::of_small(&module, &small, analysis);
            let further: Option<Vec<_>> =
                small.conditions().iter().chain(of_small.bounds()).map(describe_condition).collect();
            Some((of_small, further?))
        });
        let own = match small {
            Some((mut of_small, further)) => {
                let of_small_launches = conditions.len()..conditions.len() + further.len();
                conditions.extend(further);
                // What cannot fail in small launches, nobody has to check in them.
                let proved = make_small(&mut module, &mut of_small);
                sites.extend(
                    proved.sites.iter().map(|(site, _)| (site.index(), of_small_launches.clone().collect())),
                );
                Some(of_small)
            }
            None if kept.is_empty() => return None,
            None => None,
        };
        finish(&mut module, own.as_ref().unwrap_or(analysis));
        let hoisted = Hoisted {
            entry_point: module.name.clone(),
            conditions,
            sites,
            can_fault: !module.sites.is_empty(),
            places: Places::default(),
        };
        Some(Self { module, analysis: own, hoisted })
    }
}

impl CheckedSmall {
    /// Makes a kernel such a version, if there are checks that the host makes otherwise, and numbers of 32 bits that have more in other launches.
    fn of(mut module: ir::Module, kept: &Kept, analysis: &Analysis) -> Option<Self> {
        let small = Small::checked(&module, kept).filter(|_| !kept.is_empty())?;
        let mut of_small = Analysis::of_small(&module, &small, analysis);
        let conditions = small.conditions().iter().chain(of_small.bounds()).map(describe_condition);
        let conditions = conditions.collect::<Option<_>>()?;
        if !analysis::narrows(&module, &of_small, analysis) {
            return None;
        }
        make_small(&mut module, &mut of_small);
        if module.sites.is_empty() {
            return None;
        }
        finish(&mut module, &of_small);
        Some(Self { module, analysis: of_small, conditions })
    }

    /// The module, which needs no more than that of the other versions.
    fn emit(&self, needed: &Requirements, has_lines: bool) -> SmallLaunches {
        let mut spirv = emit::emit_versions(&[(&self.module, &self.analysis)], has_lines);
        let capabilities = &spirv.requirements.capabilities;
        debug_assert!(
            capabilities.iter().all(|needs| needed.capabilities.contains(needs)),
            "{needed:?} is less than {:?}",
            spirv.requirements
        );
        let places = spirv.places.pop().unwrap_or_default();
        SmallLaunches { words: spirv.words, conditions: self.conditions.clone(), places }
    }
}

/// Makes a kernel one for small launches, without the checks that cannot fail in these; returns which they are.
fn make_small(module: &mut ir::Module, of_small: &mut Analysis) -> Kept {
    let proved = Kept::proved(module, of_small);
    analysis::hoist(module, &proved);
    analysis::unroll_updates(module, of_small);
    analysis::shorten_floats(module, of_small);
    proved
}

/// A condition as the source would say it, and how the host evaluates it.
fn describe_condition(condition: &analysis::Number) -> Option<(String, Vec<LaunchStep>)> {
    Some((condition.text(), condition.steps()?))
}

/// Does what is left to do before a kernel is emitted, once the checks are gone that it can do without.
fn finish(module: &mut ir::Module, analysis: &Analysis) {
    analysis::relax_barriers(module);
    analysis::complete_stores(module, analysis);
    analysis::join_checks(module, analysis);
    analysis::check_at_loop_heads(module, analysis);
    analysis::gather_checks(module);
}

/// Puts kernels into one module, which all of them have from then on. Their names differ, and the host sets no constants of them.
///
/// # Errors
///
/// The name of a function of other modules that two kernels declare with different types.
pub fn join(kernels: &mut [Compiled]) -> Result<(), String> {
    let mut imports: Vec<(String, SourcePlace)> = Vec::new();
    for (name, place) in kernels.iter().flat_map(|kernel| &kernel.imports) {
        if imports.iter().all(|(known, _)| known != name) {
            imports.push((name.clone(), place.clone()));
        }
    }
    let merged = emit::merge(kernels.iter().map(|kernel| (&kernel.words[..], &kernel.requirements)))?;
    let correctly_rounded = kernels.iter().any(|kernel| kernel.correctly_rounded);
    for kernel in kernels {
        kernel.words.clone_from(&merged.words);
        kernel.requirements.clone_from(&merged.requirements);
        kernel.imports.clone_from(&imports);
        kernel.correctly_rounded = correctly_rounded;
    }
    Ok(())
}

/// The places at which the author promises different numbers, each once.
fn assumes_distinct(module: &ir::Module) -> Vec<SourcePlace> {
    let promises = module.values.iter().filter(|(_, value)| matches!(value.op, ir::Op::Distinct(..)));
    let mut places: Vec<SourcePlace> = Vec::new();
    for place in promises.map(|(_, value)| SourcePlace::of(value.span)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Local memory in bytes; each variable starts at a multiple of its alignment, and of 8, the largest of a scalar.
fn local_memory(module: &ir::Module) -> u32 {
    let layouts = module.locals.iter().map(|(_, local)| module.types.layout(local.ty).aligned(8));
    let bytes = layouts.fold(Layout::EMPTY, |all, local| all.with_field(local.padded()).0).size;
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn located(site: &ir::Site) -> Site {
    let SourcePlace { file, line, column } = SourcePlace::of(site.span);
    let ir::Site { kind, message, reason, format, .. } = site.clone();
    Site { kind, file, line, column, message, reason, format }
}
