//! A device item as its macro hands it out.

use super::{Home, Id, Link, Links, Reader};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::cell::OnceCell;
use std::rc::Rc;
use syn::Item;

/// A device item with the meaning of its paths.
///
/// It is parsed when it is first looked at: most items of a long chain are only passed on.
#[derive(Clone, Debug)]
pub struct DeviceItem {
    sort: Sort,
    item: OnceCell<Rc<Item>>,
    links: OnceCell<Rc<Links>>,
    /// The item and its links as they were read.
    read: [TokenStream; 2],
    /// How many tokens the two have.
    size: usize,
    root: Root,
    /// `{ id sort size {item} {links} ["crate" $crate] }`, without the last of what is defined here.
    tokens: Group,
}

/// Which crate an item is of.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// The one that is compiled.
    Here,
    /// This one, by what no other crate has, and its `$crate`.
    Of(String, Ident),
    /// That is not known, so that nobody can ask for it.
    Unknown,
}

/// What an item can mean for others that do not name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Impl,
    Trait,
    Other,
}

impl Sort {
    fn of(item: &Item) -> Self {
        match item {
            Item::Impl(_) => Self::Impl,
            Item::Trait(_) => Self::Trait,
            _ => Self::Other,
        }
    }
}

impl DeviceItem {
    /// An item whose paths have this meaning.
    #[must_use]
    pub fn new(id: &Id, item: Rc<Item>, tokens: &TokenStream, links: &Rc<Links>) -> Self {
        let id = Ident::new(id, Span::call_site());
        let sort = Ident::new(&format!("{:?}", Sort::of(&item)), Span::call_site());
        let meaning = links_tokens(links);
        let size = count(tokens) + count(&meaning);
        let number = Literal::usize_unsuffixed(size);
        let tokens = quote!(#id #sort #number { #tokens } { #meaning });
        Self::known(item, links.clone(), (size, tokens))
    }

    /// An item that no user has written, and that no macro hands out.
    pub(crate) fn builtin(item: Item) -> Self {
        Self::known(Rc::new(item), Rc::default(), Default::default())
    }

    /// An item that stands for one of the standard library, whose paths have this meaning.
    pub(crate) fn standing_for(item: Item, links: &Rc<Links>) -> Self {
        Self::known(Rc::new(item), links.clone(), Default::default())
    }

    fn known(item: Rc<Item>, links: Rc<Links>, (size, tokens): (usize, TokenStream)) -> Self {
        Self {
            sort: Sort::of(&item),
            item: item.into(),
            links: links.into(),
            read: <[_; 2]>::default(),
            size,
            root: Root::Here,
            tokens: Group::new(Delimiter::Brace, tokens),
        }
    }

    /// The item as it is handed out by an item of this crate.
    pub(super) fn tokens(&self, home: Option<&Home>) -> Group {
        match (&self.root, home) {
            (Root::Here, Some(Home { key, span })) => {
                let (tokens, root) = (self.tokens.stream(), quote_spanned!(*span=> $crate));
                Group::new(Delimiter::Brace, quote!(#tokens [#key #root]))
            }
            _ => self.tokens.clone(),
        }
    }

    /// Which crate it is of.
    pub(super) fn root(&self) -> &Root {
        &self.root
    }

    /// Reads `{ id sort size {item} {links} ["crate" $crate] }`.
    pub(super) fn read(tokens: Group) -> Option<(Id, Self)> {
        let mut reader = Reader::new(tokens.stream());
        let id = reader.name()?.to_string();
        let sort = match reader.name()?.to_string().as_str() {
            "Impl" => Sort::Impl,
            "Trait" => Sort::Trait,
            _ => Sort::Other,
        };
        let size = reader.literal()?.parse().ok()?;
        let read = [reader.group()?, reader.group()?];
        let mut root = reader.group().map(Reader::new);
        let root = root.as_mut().and_then(|root| Some(Root::Of(root.literal()?, root.name()?)));
        let root = root.unwrap_or(Root::Unknown);
        Some((id, Self { sort, item: OnceCell::new(), links: OnceCell::new(), read, size, root, tokens }))
    }

    /// What it can mean for others that do not name it.
    pub(crate) fn sort(&self) -> Sort {
        self.sort
    }

    /// How many tokens it takes to hand it out.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The item.
    #[must_use]
    pub fn item(&self) -> &Rc<Item> {
        self.item.get_or_init(|| {
            let [tokens, _] = &self.read;
            // It was parsed where it is defined, so it can be.
            Rc::new(syn::parse2(tokens.clone()).unwrap_or_else(|_| Item::Verbatim(tokens.clone())))
        })
    }

    /// What the paths in it mean.
    #[must_use]
    pub fn links(&self) -> &Rc<Links> {
        self.links.get_or_init(|| {
            let [_, links] = &self.read;
            Rc::new(Reader::new(links.clone()).groups().filter_map(read_link).collect())
        })
    }
}

/// How many tokens these are.
pub(super) fn count(tokens: &TokenStream) -> usize {
    let size = |token| match token {
        TokenTree::Group(group) => 2 + count(&group.stream()),
        _ => 1,
    };
    tokens.clone().into_iter().map(size).sum()
}

fn links_tokens(links: &Links) -> TokenStream {
    let mut sorted: Vec<_> = links.iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    let links = sorted.into_iter().map(|(key, link)| {
        let link = match link {
            Link::Builtin(name) => {
                let name = Ident::new(name, Span::call_site());
                quote!(builtin #name)
            }
            Link::Device(id) => {
                let id = Ident::new(id, Span::call_site());
                quote!(device #id)
            }
            Link::Kernel => quote!(kernel),
            Link::Poisoned => quote!(poisoned),
        };
        quote!((#key #link))
    });
    quote!(#(#links)*)
}

fn read_link(mut reader: Reader) -> Option<(String, Link)> {
    let key = reader.literal()?;
    let link = match reader.name()?.to_string().as_str() {
        "builtin" => Link::Builtin(reader.name()?.to_string()),
        "device" => Link::Device(reader.name()?.to_string()),
        "kernel" => Link::Kernel,
        _ => Link::Poisoned,
    };
    Some((key, link))
}
