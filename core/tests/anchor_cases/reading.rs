//! A folder that is not a case is refused with a sentence that says why.

use libtest_mimic::Trial;

use crate::case::{Case, Files};

const OLD: &str = "<p>One</p><p data-case=\"it\">Two</p>";
const NEW: &str = "<p>Nil</p><p>One</p><p data-case=\"it\">Two</p>";
const EXPECT: &str = "why = \"A paragraph.\"\n[targets.it]\nverdicts = [\"unchanged\"]\noutdated = false\n";

fn files(changed: &[(&str, Option<&str>)]) -> Files {
    let mut files: Files = [("old.html", OLD), ("new.html", NEW), ("expect.toml", EXPECT)]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into();
    for &(name, text) in changed {
        match text {
            Some(text) => files.insert(name.to_owned(), text.to_owned()),
            None => files.remove(name),
        };
    }
    files
}

/// One test for each way to get a folder wrong, and one for a folder that is right.
pub(crate) fn trials() -> Vec<Trial> {
    type Wrong = (&'static str, Vec<(&'static str, Option<&'static str>)>, &'static str);
    let wrong: Vec<Wrong> = vec![
        ("a_missing_file", vec![("new.html", None)], "new.html is missing in the folder"),
        ("an_unknown_file", vec![("notes.md", Some(""))], "notes.md is not a file of a case"),
        (
            "an_unknown_key",
            vec![("expect.toml", Some("why = \"x\"\nwhere = 1\n[targets.it]\nverdicts = [\"changed\"]\n"))],
            "unknown field `where`",
        ),
        (
            "an_unknown_verdict",
            vec![("expect.toml", Some("why = \"x\"\n[targets.it]\nverdicts = [\"lost\"]\n"))],
            "lost",
        ),
        (
            "no_why",
            vec![("expect.toml", Some("[targets.it]\nverdicts = [\"changed\"]\n"))],
            "missing field `why`",
        ),
        (
            "an_unmarked_target",
            vec![("old.html", Some("<p>One</p><p>Two</p>"))],
            "no element of old.html is marked data-case=\"it\"",
        ),
        (
            "a_mark_without_target",
            vec![("new.html", Some("<p data-case=\"it\">Two</p><p data-case=\"other\">Nil</p>"))],
            "expect.toml has no [targets.other]",
        ),
        (
            "a_mark_twice",
            vec![("old.html", Some("<p data-case=\"it\">One</p><p data-case=\"it\">Two</p>"))],
            "marks two elements",
        ),
        (
            "a_mark_in_other_quotes",
            vec![("new.html", Some("<p data-case='it'>Two</p>"))],
            "is not written data-case=\"name\"",
        ),
        (
            "found_and_unmarked",
            vec![("new.html", Some("<p>Two</p>"))],
            "is expected to be found, and no element of new.html is marked",
        ),
        (
            "an_outdated_that_contradicts",
            vec![(
                "expect.toml",
                Some("why = \"x\"\n[targets.it]\nverdicts = [\"unchanged\"]\noutdated = true\n"),
            )],
            "is to be outdated, and one of its verdicts does not do that",
        ),
    ];
    let mut trials: Vec<Trial> = wrong
        .into_iter()
        .map(|(name, changed, says)| {
            Trial::test(format!("reading::{name}_is_refused"), move || match Case::read(&files(&changed)) {
                Ok(_) => Err("it was read".into()),
                Err(error) if error.contains(says) => Ok(()),
                Err(error) => Err(format!("it says {error:?}").into()),
            })
        })
        .collect();
    trials.push(Trial::test("reading::a_whole_folder_is_read", || {
        let case = Case::read(&files(&[]))?;
        let same = case.targets.len() == 1
            && case.targets[0].new.is_some_and(|node| case.new.text(node, 9) == "Two");
        let bare = case.old.elements().all(|node| case.old.attr(node, "data-case").is_none());
        if same && bare { Ok(()) } else { Err("the target is another, or its mark was left".into()) }
    }));
    trials
}
