//! Which modules and files of a crate name which: its source files, found as the compiler finds them, with every path
//! in them and what each defines and hands on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::tokens::{
    Leaf, attribute, begins_use, declared, defined, is_arrow, is_doc, is_double_colon, is_for_tests, path_of,
    text_of, tree,
};

/// A path in the source, from a crate's root on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// The file that names it.
    pub(super) file: PathBuf,
    /// The module that names it, from its crate's root on.
    pub(super) from: Vec<String>,
    /// The crate, as the source calls it: `crate` for its own.
    pub(super) in_crate: String,
    /// What is named in that crate.
    pub(super) path: Vec<String>,
    /// Only tests are compiled with it.
    pub(super) in_tests: bool,
}

/// What a crate's source says.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) named: Vec<Named>,
    pub(super) files: Vec<File>,
    /// Every text but those of tests and of the docs, with its file.
    pub(super) texts: Vec<(PathBuf, String)>,
    /// Every module by its path, the root's being empty.
    pub(super) modules: BTreeMap<Vec<String>, Module>,
    /// Paths that begin at what their module imports or declares, as `child::item` does. `in_crate` is empty.
    pub(super) relative: Vec<Named>,
    /// Every word of a file's code but those of its imports and tests.
    pub(super) words: BTreeMap<PathBuf, BTreeSet<String>>,
}

/// A module of a crate.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) file: PathBuf,
    pub(super) in_tests: bool,
    /// The items that it defines.
    pub(super) items: BTreeSet<String>,
    pub(super) imports: Vec<Import>,
}

/// What one `use` makes known in a module.
#[derive(Debug)]
pub(super) struct Import {
    /// By what name; `*` for all that is there.
    pub(super) name: String,
    /// Empty for a path that begins at what the module imports or declares.
    pub(super) in_crate: String,
    pub(super) path: Vec<String>,
    /// For others as well: `pub use`.
    pub(super) is_public: bool,
    pub(super) in_tests: bool,
}

/// A file of a crate.
#[derive(Debug)]
pub(super) struct File {
    /// Its module, from the crate's root on.
    pub(super) module: Vec<String>,
    pub(super) lines: usize,
}

/// Reads a crate from its root file on. `others`: the crates besides itself that count. `text` gives a file's, `None`
/// when there is no such file.
pub(super) fn read(root: &Path, others: &[&str], text: &dyn Fn(&Path) -> Option<String>) -> Result<Source> {
    let mut reader = Reader { others, text, source: Source::default() };
    let directory = root.parent().unwrap_or(Path::new("")).to_owned();
    reader
        .file(root, &Place { module: Vec::new(), holds_items: true, children: directory, in_tests: false })?;
    Ok(reader.source)
}

struct Reader<'a> {
    others: &'a [&'a str],
    text: &'a dyn Fn(&Path) -> Option<String>,
    source: Source,
}

/// Where in the crate some tokens stand.
#[derive(Clone)]
struct Place {
    module: Vec<String>,
    /// These tokens are the module's items, and no item's inside.
    holds_items: bool,
    /// Where the files of this module's own modules are.
    children: PathBuf,
    in_tests: bool,
}

impl Reader<'_> {
    fn file(&mut self, file: &Path, place: &Place) -> Result<()> {
        let text = (self.text)(file).with_context(|| format!("cannot read {}", file.display()))?;
        let tokens: TokenStream = text.parse().map_err(|e| anyhow!("{}: {e}", file.display()))?;
        self.source.files.push(File { module: place.module.clone(), lines: text.lines().count() });
        self.module(file, place);
        self.tokens(&tokens.into_iter().collect::<Vec<_>>(), file, place)
    }

    fn tokens(&mut self, tokens: &[TokenTree], file: &Path, place: &Place) -> Result<()> {
        let mut place = place.clone();
        let inside = Place { holds_items: false, ..place.clone() };
        let outside = place.in_tests;
        // What the attributes before an item say of it.
        let mut at_path = None;
        let mut angles = 0_usize;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if let Some((attribute, is_inner, next)) = attribute(tokens, at) {
                place.in_tests |= is_for_tests(&attribute);
                at_path = path_of(&attribute).or(at_path);
                if !is_doc(&attribute) {
                    self.texts(&attribute, file, &place);
                    self.tokens(&attribute, file, &Place { in_tests: place.in_tests, ..inside.clone() })?;
                }
                at = next;
                if is_inner && place.in_tests && !outside {
                    bail!("{}: `#![cfg(test)]` belongs at the `mod` that names this file", file.display());
                }
                continue;
            }
            if let Some(name) = declared(tokens, at) {
                let mut inner = Place { holds_items: true, ..place.clone() };
                inner.module.push(name.clone());
                match tokens.get(at + 2) {
                    Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
                        inner.children.push(&name);
                        self.module(file, &inner);
                        self.tokens(&body.stream().into_iter().collect::<Vec<_>>(), file, &inner)?;
                    }
                    _ => {
                        let beside = file.parent().unwrap_or(Path::new(""));
                        let at = at_path.take().map(|path: String| beside.join(path));
                        let (file, children) = self.module_file(&place.children, &name, at)?;
                        inner.children = children;
                        self.file(&file, &inner)?;
                    }
                }
                place.in_tests = outside;
                at += 3;
                continue;
            }
            if let Some(is_public) = begins_use(tokens, at) {
                at = self.import(tokens, at + 1, is_public, file, &place);
                continue;
            }
            if let Some(name) = defined(tokens, at).filter(|_| place.holds_items) {
                self.source.modules.entry(place.module.clone()).or_default().items.insert(name);
            }
            if let Some(next) = self.path(tokens, at, file, &place) {
                at = next;
                continue;
            }
            match token {
                TokenTree::Group(group) => {
                    let inside = Place { in_tests: place.in_tests, ..inside.clone() };
                    self.tokens(&group.stream().into_iter().collect::<Vec<_>>(), file, &inside)?;
                    if group.delimiter() == Delimiter::Brace {
                        place.in_tests = outside;
                    }
                }
                TokenTree::Punct(mark) => match mark.as_char() {
                    '<' => angles += 1,
                    '>' if !is_arrow(tokens, at) => angles = angles.saturating_sub(1),
                    ';' => (place.in_tests, angles) = (outside, 0),
                    ',' if angles == 0 => place.in_tests = outside,
                    _ => {}
                },
                TokenTree::Literal(text) if !place.in_tests => {
                    self.source.texts.push((file.to_owned(), text.to_string()));
                }
                TokenTree::Ident(word) if !place.in_tests => {
                    self.source.words.entry(file.to_owned()).or_default().insert(word.to_string());
                }
                TokenTree::Ident(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
        Ok(())
    }

    fn module(&mut self, file: &Path, place: &Place) {
        let module = Module { file: file.to_owned(), in_tests: place.in_tests, ..Module::default() };
        self.source.modules.insert(place.module.clone(), module);
    }

    /// Notes what the `use` imports whose tree begins here; returns what comes after it.
    fn import(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        is_public: bool,
        file: &Path,
        place: &Place,
    ) -> usize {
        let mut leaves = Vec::new();
        let next = tree(tokens, at, &[], &mut leaves);
        for Leaf { path, renamed } in leaves {
            let Some(name) = renamed.or_else(|| path.last().cloned()) else { continue };
            let (in_crate, path) = self.note(path, file, place);
            let import = Import { name, in_crate, path, is_public, in_tests: place.in_tests };
            self.source.modules.entry(place.module.clone()).or_default().imports.push(import);
        }
        next
    }

    /// The texts of an attribute may name things too: `#[serde(with = "crate::a::b")]`.
    fn texts(&mut self, attribute: &[TokenTree], file: &Path, place: &Place) {
        for token in attribute {
            match token {
                TokenTree::Group(group) => {
                    self.texts(&group.stream().into_iter().collect::<Vec<_>>(), file, place);
                }
                TokenTree::Literal(literal) => {
                    let Some(tokens) = text_of(literal).and_then(|text| text.parse::<TokenStream>().ok())
                    else {
                        continue;
                    };
                    let tokens: Vec<_> = tokens.into_iter().collect();
                    for at in 0..tokens.len() {
                        self.path(&tokens, at, file, place);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    /// Notes the path that begins here, if one does that counts; returns what comes after it.
    fn path(&mut self, tokens: &[TokenTree], at: usize, file: &Path, place: &Place) -> Option<usize> {
        let TokenTree::Ident(_) = tokens.get(at)? else { return None };
        let is_inside = at.checked_sub(2).is_some_and(|before| is_double_colon(tokens, before));
        if is_inside || !is_double_colon(tokens, at + 1) {
            return None;
        }
        let mut paths = Vec::new();
        let next = tree(tokens, at, &[], &mut paths);
        for Leaf { path, .. } in paths {
            self.note(path, file, place);
        }
        Some(next)
    }

    /// Notes a path from the crate's root on, whose name it returns beside it; empty for a path that begins at what the
    /// module knows.
    fn note(&mut self, mut path: Vec<String>, file: &Path, place: &Place) -> (String, Vec<String>) {
        let begins = path.first().is_some_and(|first| self.begins(first));
        let mut in_crate = if begins { path.remove(0) } else { String::new() };
        if in_crate == "self" || in_crate == "super" {
            let ups = usize::from(in_crate == "super")
                + path.iter().take_while(|segment| *segment == "super").count();
            let after = path.split_off(ups - usize::from(in_crate == "super"));
            let stays = place.module.len().saturating_sub(ups);
            path = place.module.iter().take(stays).cloned().chain(after).collect();
            in_crate = "crate".to_owned();
        }
        let named = Named {
            file: file.to_owned(),
            from: place.module.clone(),
            in_crate: in_crate.clone(),
            path: path.clone(),
            in_tests: place.in_tests,
        };
        if begins { &mut self.source.named } else { &mut self.source.relative }.push(named);
        (in_crate, path)
    }

    /// Whether a path that begins so begins at a crate's root or follows modules from where it stands.
    fn begins(&self, first: &str) -> bool {
        matches!(first, "crate" | "self" | "super") || self.others.contains(&first)
    }

    /// The file of a module, and where the files of its own modules are.
    fn module_file(&self, beside: &Path, name: &str, at: Option<PathBuf>) -> Result<(PathBuf, PathBuf)> {
        let inside = beside.join(name);
        let (flat, nested) = (beside.join(format!("{name}.rs")), inside.join("mod.rs"));
        match at {
            Some(at) if at.ends_with("mod.rs") => {
                let children = at.parent().unwrap_or(beside).to_owned();
                Ok((at, children))
            }
            Some(at) => Ok((at, inside)),
            None if (self.text)(&flat).is_some() => Ok((flat, inside)),
            None if (self.text)(&nested).is_some() => Ok((nested, inside)),
            None => bail!("`mod {name};` has no file in {}", beside.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// What the files name, as `module -> crate::path`, those of tests with a mark.
    fn named(files: &[(&str, &str)]) -> Vec<String> {
        let text = |path: &Path| {
            let path = path.to_str()?;
            files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
        };
        let source = read(Path::new("lib.rs"), &["other"], &text).unwrap();
        let told = |one: Named| {
            let mark = if one.in_tests { " (tests)" } else { "" };
            format!("{} -> {}::{}{mark}", one.from.join("::"), one.in_crate, one.path.join("::"))
        };
        source.named.into_iter().map(told).collect()
    }

    #[test]
    fn every_name_of_a_nested_use_is_found() {
        let of = "use crate::{hub::{self, talk::{Talk, *}}, store::Store as S}; use std::{fmt, io}; use other::a::B;";
        let found = named(&[("lib.rs", "mod a;"), ("a.rs", of)]);
        let expected = [
            "crate::hub",
            "crate::hub::talk::Talk",
            "crate::hub::talk::*",
            "crate::store::Store",
            "other::a::B",
        ];
        assert_eq!(found, expected.map(|path| format!("a -> {path}")));
    }

    #[test]
    fn a_crate_that_is_given_another_name_counts_as_a_whole() {
        let of = "use other as o; use crate::{self as root}; use crate::*; use super::super as up;";
        let found = named(&[("lib.rs", "mod a;"), ("a.rs", "mod b;"), ("a/b.rs", of)]);
        assert_eq!(
            found,
            ["other::", "crate::", "crate::*", "crate::"].map(|path| format!("a::b -> {path}"))
        );
    }

    #[test]
    fn a_path_in_code_a_macro_or_an_attribute_counts_and_one_in_a_comment_or_a_text_does_not() {
        let of = "//! crate::no\n/// crate::no\n#[serde(with = \"crate::yes::one\")] struct A(crate::yes::Two<crate::yes::Three>);\n\
                  fn f() -> &'static str { tracing::info!(x = crate::yes::four()); /* crate::no */ \"crate::no\" }\n\
                  pub(crate) struct B; pub(in crate::a) struct C;";
        let found = named(&[("lib.rs", "mod a;"), ("a.rs", of)]);
        let expected = ["yes::one", "yes::Two", "yes::Three", "yes::four", "a"];
        assert_eq!(found, expected.map(|path| format!("a -> crate::{path}")));
    }

    #[test]
    fn super_and_self_are_followed_from_where_they_stand() {
        let deep = "use super::super::hub::X; use super::near::Y; use self::own::Z; mod inline { use super::super::super::far::W; }";
        let files = [("lib.rs", "mod a;"), ("a/mod.rs", "mod b;"), ("a/b.rs", deep)];
        let expected = [
            "a::b -> crate::hub::X",
            "a::b -> crate::a::near::Y",
            "a::b -> crate::a::b::own::Z",
            "a::b::inline -> crate::far::W",
        ];
        assert_eq!(named(&files), expected);
    }

    #[test]
    fn what_only_tests_are_compiled_with_is_told_apart_to_its_end_and_no_further() {
        let of = "#[cfg(test)] use crate::one::A; use crate::two::B;\n\
                  #[cfg(all(test, unix))] mod tests { use crate::three::C; } use crate::four::D;\n\
                  struct S { #[cfg(test)] x: M<crate::five::E, u8>, y: crate::six::F }\n\
                  #[cfg(not(test))] use crate::seven::G; #[test] fn f() { crate::eight::h() } #[cfg(test)] mod beside;";
        let files = [("lib.rs", "mod a;"), ("a.rs", of), ("a/beside.rs", "use crate::nine::I;")];
        let found: Vec<_> =
            named(&files).into_iter().map(|one| one.split_once("crate::").unwrap().1.to_owned()).collect();
        let expected = [
            "one::A (tests)",
            "two::B",
            "three::C (tests)",
            "four::D",
            "five::E (tests)",
            "six::F",
            "seven::G",
            "eight::h (tests)",
            "nine::I (tests)",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_module_with_a_path_of_its_own_is_found_and_one_without_a_file_is_an_error() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a.rs", "#[cfg(test)] #[path = \"a_tests/mod.rs\"] mod tests;"),
            ("a_tests/mod.rs", "mod deep;"),
            ("a_tests/deep.rs", "use crate::b::C;"),
        ];
        assert_eq!(named(&files), ["a::tests::deep -> crate::b::C (tests)"]);
        let text = |path: &Path| (path == Path::new("lib.rs")).then(|| "mod gone;".to_owned());
        assert!(
            read(Path::new("lib.rs"), &[], &text)
                .unwrap_err()
                .to_string()
                .contains("`mod gone;` has no file")
        );
    }
}
