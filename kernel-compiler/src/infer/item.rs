//! Checks a device item where it is defined.

use super::constant::Declared;
use super::{Infer, Program, Role, Source, nominal};
use crate::chain::{Id, Links};
use crate::diagnostics::Diagnostics;
use crate::typed::Ty;
use std::rc::Rc;
use syn::{ImplItem, Item, TraitItem};

/// Checks an item. What is generic is checked as far as its signature goes; its body is, for each list of types that it is used for.
///
/// # Errors
///
/// What is wrong with it.
pub fn device_item(
    program: &Program<'_>,
    id: &Id,
    item: &Item,
    links: &Rc<Links>,
) -> Result<(), Diagnostics> {
    match item {
        Item::Fn(_) => function(program, id),
        Item::Const(_) | Item::Static(_) => match Declared::of(item) {
            Some(constant) => {
                super::constant_item(program, links, constant)?;
                checked(program, &constant.source(links))
            }
            None => Ok(()),
        },
        Item::Struct(_) | Item::Enum(_) => match nominal::definition(program, id, links, item) {
            Some(definition) => definition.map(drop),
            None => Ok(()),
        },
        Item::Impl(item) if super::program::may_be_for_host(item) => Ok(()),
        Item::Impl(item) => members(program, id, item.items.iter().filter_map(name_in_impl)),
        Item::Trait(item) => members(program, id, item.items.iter().filter_map(name_in_trait)),
        Item::Type(alias) => {
            let mut infer = Infer::new(program, links, Role::Device, Ty::Unit);
            infer.generics = super::generics::opaque(&super::generics::of(&alias.generics));
            infer.ty(&alias.ty);
            infer.diagnostics.finish(())
        }
        _ => Ok(()),
    }
}

fn members(
    program: &Program<'_>,
    owner: &Id,
    names: impl Iterator<Item = String>,
) -> Result<(), Diagnostics> {
    let mut errors = Diagnostics::default();
    for name in names {
        if let Err(more) = function(program, &super::program::member_id(owner, &name)) {
            errors.append(more);
        }
    }
    errors.finish(())
}

fn function(program: &Program<'_>, id: &Id) -> Result<(), Diagnostics> {
    match program.function(id) {
        Some(source) if super::imported(&source).is_some() => {
            super::check_linked(program, &source, super::Linked::Import)
        }
        Some(source) => checked(program, &source),
        None => Ok(()),
    }
}

fn checked(program: &Program<'_>, source: &Source) -> Result<(), Diagnostics> {
    let signature = super::signature(program, source)?;
    if signature.generics.is_empty() {
        super::function(program, source, &signature, &[]).map(drop)
    } else {
        Ok(())
    }
}

fn name_in_impl(member: &ImplItem) -> Option<String> {
    match member {
        ImplItem::Fn(member) => Some(member.sig.ident.to_string()),
        _ => None,
    }
}

fn name_in_trait(member: &TraitItem) -> Option<String> {
    match member {
        TraitItem::Fn(member) if member.default.is_some() => Some(member.sig.ident.to_string()),
        _ => None,
    }
}
