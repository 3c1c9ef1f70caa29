//! Relates the declarations to each other: what is a set of flags, which structure has which tag, and
//! which function stands in which slot of which table.
//!
//! Everything that the printers rely on is checked here; they do not fail.

use std::collections::{BTreeMap, BTreeSet};

use super::error::Inconsistent;
use super::model::{Constant, Declarations, Enum, Enumerator, Field, Function, Struct, Type};

/// A bit set, as the headers declare it: an integer type and the enumeration of its bits.
pub(super) struct Flags {
    pub(super) name: String,
    /// The C name of the enumeration, which becomes an alias of the set.
    pub(super) bit_name: String,
    pub(super) bits: Vec<Enumerator>,
}

pub(super) struct Structure {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    /// The enumerator of the structure type that its first field has to hold.
    pub(super) tag: Option<String>,
}

pub(super) struct Slot {
    pub(super) field: String,
    pub(super) pointer_type: String,
    /// The function that the slot holds, without its family: `KernelCreate`.
    pub(super) function: String,
}

pub(super) struct Table {
    pub(super) name: String,
    /// The name that the container of all tables gives it: `CommandList`.
    pub(super) title: String,
    pub(super) slots: Vec<Slot>,
}

/// The declarations of one family (`ze` is the core), ready to be printed.
pub(super) struct Bindings {
    pub(super) family: String,
    pub(super) constants: Vec<(String, Constant)>,
    pub(super) handles: Vec<String>,
    pub(super) aliases: Vec<(String, Type)>,
    pub(super) enums: Vec<Enum>,
    pub(super) flags: Vec<Flags>,
    pub(super) structures: Vec<Structure>,
    /// All functions by pointer type, with the parameter names of their prototypes.
    pub(super) functions: Vec<(String, Function)>,
    pub(super) tables: Vec<Table>,
}

impl Bindings {
    pub(super) fn new(family: &str, declared: Declarations) -> Result<Self, Inconsistent> {
        let (flags, aliases, enums) = split_flags(declared.aliases, declared.enums)?;
        let tags = tags(&enums, &format!("{family}_structure_type_t"));
        let (tables, structs): (Vec<_>, Vec<_>) =
            declared.structs.into_iter().filter(|s| !is_tracing(&s.name)).partition(is_table);
        Ok(Self {
            family: family.to_owned(),
            constants: declared.constants,
            handles: declared.handles,
            aliases,
            enums,
            flags,
            structures: structs.into_iter().map(|s| structure(s, &tags)).collect::<Result<_, _>>()?,
            functions: functions(family, declared.pointer_types, &declared.prototypes)?,
            tables: self::tables(family, tables)?,
        })
    }

    /// The function behind a pointer type; `None` for any other type.
    pub(super) fn function(&self, pointer_type: &str) -> Option<&Function> {
        self.functions.iter().find(|(name, _)| name == pointer_type).map(|(_, function)| function)
    }
}

/// The types with which a tool watches calls; they are not part of what a program calls.
fn is_tracing(name: &str) -> bool {
    ["_params_t", "_callbacks_t", "Cb_t"].iter().any(|end| name.ends_with(end))
}

fn is_table(s: &Struct) -> bool {
    s.name.ends_with("_dditable_t")
}

type Split = (Vec<Flags>, Vec<(String, Type)>, Vec<Enum>);

/// Pairs `typedef uint32_t x_flags_t` with `enum x_flag_t`.
fn split_flags(aliases: Vec<(String, Type)>, mut enums: Vec<Enum>) -> Result<Split, Inconsistent> {
    let mut flags = Vec::new();
    let mut others = Vec::new();
    for (name, ty) in aliases {
        let Some(stem) = name.strip_suffix("_flags_t") else {
            others.push((name, ty));
            continue;
        };
        let bit_name = format!("{stem}_flag_t");
        let index = enums.iter().position(|e| e.name == bit_name);
        let index = index.ok_or_else(|| Inconsistent(format!("{name} has no enumeration {bit_name}")))?;
        if ty.base != "uint32_t" || !ty.pointers.is_empty() {
            return Err(Inconsistent(format!("{name} is not a uint32_t")));
        }
        flags.push(Flags { bit_name, bits: enums.remove(index).enumerators, name });
    }
    Ok((flags, others, enums))
}

/// Which structure type tags which structure; the first enumerator wins, later ones are variants.
fn tags(enums: &[Enum], structure_types: &str) -> BTreeMap<String, String> {
    let mut tags = BTreeMap::new();
    for e in enums.iter().filter(|e| e.name == structure_types) {
        for enumerator in &e.enumerators {
            if let Some(structure) = &enumerator.link {
                tags.entry(structure.clone()).or_insert_with(|| enumerator.name.clone());
            }
        }
    }
    tags
}

/// Checks that tagged structures begin with the two fields by which a chain is walked.
fn structure(s: Struct, tags: &BTreeMap<String, String>) -> Result<Structure, Inconsistent> {
    let tag = tags.get(&s.name).cloned();
    let heads: Vec<&str> = s.fields.iter().take(2).map(|field| field.name.as_str()).collect();
    let is_base = s.name.contains("_base_");
    if !is_base && tag.is_some() != (heads == ["stype", "pNext"]) {
        return Err(Inconsistent(format!("{} and its structure type {tag:?}", s.name)));
    }
    Ok(Structure { name: s.name, fields: s.fields, tag })
}

/// Joins each pointer type with the prototype of its function, and checks that they agree.
fn functions(
    family: &str,
    pointer_types: Vec<Function>,
    prototypes: &[Function],
) -> Result<Vec<(String, Function)>, Inconsistent> {
    let by_name: BTreeMap<&str, &Function> = prototypes.iter().map(|f| (f.name.as_str(), f)).collect();
    let mut seen = BTreeSet::new();
    let mut joined = Vec::new();
    for pointer in pointer_types.into_iter().filter(|f| !is_tracing(&f.name)) {
        let name = format!("{family}{}", function_title(family, &pointer.name)?);
        let prototype = by_name
            .get(name.as_str())
            .ok_or_else(|| Inconsistent(format!("{} has no prototype {name}", pointer.name)))?;
        let same = prototype.result == pointer.result
            && prototype.parameters.iter().map(|p| &p.ty).eq(pointer.parameters.iter().map(|p| &p.ty));
        if !same || prototype.parameters.iter().any(|p| p.name.is_none()) {
            return Err(Inconsistent(format!("{} and the prototype {name}", pointer.name)));
        }
        seen.insert(name);
        joined.push((pointer.name, (*prototype).clone()));
    }
    match prototypes.iter().find(|f| !seen.contains(&f.name)) {
        Some(f) => Err(Inconsistent(format!("{} has no pointer type", f.name))),
        None => Ok(joined),
    }
}

/// `KernelCreate` from `ze_pfnKernelCreate_t`.
fn function_title<'n>(family: &str, pointer_type: &'n str) -> Result<&'n str, Inconsistent> {
    pointer_type
        .strip_prefix(family)
        .and_then(|name| name.strip_prefix("_pfn"))
        .and_then(|name| name.strip_suffix("_t"))
        .ok_or_else(|| Inconsistent(format!("{pointer_type} does not name a function")))
}

/// The tables in the order of the structure that contains them all.
fn tables(family: &str, mut structs: Vec<Struct>) -> Result<Vec<Table>, Inconsistent> {
    let container = format!("{family}_dditable_t");
    let index = structs.iter().position(|s| s.name == container);
    let container = structs.remove(index.ok_or_else(|| Inconsistent(format!("no {container}")))?);
    let mut tables = Vec::new();
    for field in container.fields {
        let index = structs.iter().position(|s| s.name == field.ty.base);
        let index = index.ok_or_else(|| Inconsistent(format!("no table {}", field.ty.base)))?;
        let table = structs.swap_remove(index);
        let slots =
            table.fields.into_iter().map(|slot| self::slot(family, slot)).collect::<Result<_, _>>()?;
        tables.push(Table { name: table.name, title: field.name, slots });
    }
    match structs.first() {
        Some(left) => Err(Inconsistent(format!("{} is in no container", left.name))),
        None => Ok(tables),
    }
}

fn slot(family: &str, field: Field) -> Result<Slot, Inconsistent> {
    let function = function_title(family, &field.ty.base)?.to_owned();
    Ok(Slot { field: field.name, pointer_type: field.ty.base, function })
}

#[cfg(test)]
mod tests {
    use super::super::model::Declarations;
    use super::super::parser::parse;
    use super::Bindings;

    const HEADER: &str = "
        typedef struct _ze_device_handle_t *ze_device_handle_t;
        typedef uint32_t ze_init_flags_t;
        typedef enum _ze_init_flag_t { ZE_INIT_FLAG_GPU_ONLY = ZE_BIT(0) } ze_init_flag_t;
        typedef enum _ze_structure_type_t {
            ZE_STRUCTURE_TYPE_P = 1,   ///< ::ze_p_t
            ZE_STRUCTURE_TYPE_P_1_2 = 2 ///< ::ze_p_t
        } ze_structure_type_t;
        typedef struct _ze_p_t { ze_structure_type_t stype; void* pNext; } ze_p_t;
        ZE_APIEXPORT ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags);
        typedef ze_result_t (ZE_APICALL *ze_pfnInit_t)(ze_init_flags_t);
        typedef struct _ze_init_params_t { ze_init_flags_t* pflags; } ze_init_params_t;
        typedef struct _ze_global_dditable_t { ze_pfnInit_t pfnInit; } ze_global_dditable_t;
        typedef struct _ze_dditable_t { ze_global_dditable_t Global; } ze_dditable_t;
    ";

    fn bindings(header: &str) -> Result<Bindings, String> {
        let mut declarations = Declarations::default();
        parse(header, &mut declarations).map_err(|error| error.to_string())?;
        Bindings::new("ze", declarations).map_err(|error| error.to_string())
    }

    #[test]
    fn relates_flags_tags_and_slots() {
        let bindings = bindings(HEADER).unwrap();
        assert_eq!(bindings.flags[0].name, "ze_init_flags_t");
        assert_eq!(bindings.flags[0].bits[0].name, "ZE_INIT_FLAG_GPU_ONLY");
        assert_eq!(bindings.enums.len(), 1, "the enumeration of the bits is part of the set");
        assert_eq!(bindings.structures.len(), 1, "neither tables nor tracing types are structures");
        assert_eq!(bindings.structures[0].tag.as_deref(), Some("ZE_STRUCTURE_TYPE_P"));
        let slot = &bindings.tables[0].slots[0];
        assert_eq!((slot.field.as_str(), slot.function.as_str()), ("pfnInit", "Init"));
        let parameter = &bindings.function("ze_pfnInit_t").unwrap().parameters[0];
        assert_eq!(parameter.name.as_deref(), Some("flags"));
    }

    #[test]
    fn refuses_headers_that_contradict_each_other() {
        let cases = [
            ("(ze_init_flags_t);", "(uint32_t);", "ze_pfnInit_t"),
            ("zeInit(", "zeStart(", "no prototype zeInit"),
            (" ze_init_flag_t;", " ze_other_t;", "ze_init_flag_t"),
            ("void* pNext;", "uint32_t next;", "ze_p_t"),
            ("::ze_p_t", "", "ze_p_t"),
            ("ze_global_dditable_t Global;", "ze_local_dditable_t Local;", "ze_local_dditable_t"),
            ("ze_pfnInit_t pfnInit;", "ze_pfnInit pfnInit;", "ze_pfnInit"),
        ];
        for (from, to, named) in cases {
            let result = bindings(&HEADER.replace(from, to));
            match result {
                Err(error) => assert!(error.contains(named), "{error}"),
                Ok(_) => panic!("accepted `{to}` in place of `{from}`"),
            }
        }
    }
}
