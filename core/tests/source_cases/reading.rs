//! A folder that is not a case is refused with a sentence that says why.

use libtest_mimic::Trial;

use crate::sheet::{Case, Files};

const PAGE: &str = "<p>One</p><p data-case=\"it\">Two</p>";
const STEPS: &str = r#"why = "A paragraph."
[[state]]
page = "1.html"
what = "As written."
[[state]]
page = "1.html"
evidence = "none"
what = "Later."
expect.it = "active"
[[source]]
page = "1.html"
what = "As written."
[[source]]
page = "2.html"
evidence = "hot"
what = "Edited."
expect.it = { status = "outdated", verdicts = ["changed"] }
"#;

fn files(steps: &str, second: &str, other: Option<&str>) -> Files {
    let mut files: Files = [("1.html", PAGE), ("2.html", second), ("steps.toml", steps)]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into();
    files.extend(other.map(|name| (name.to_owned(), PAGE.to_owned())));
    files
}

pub(crate) fn trials() -> Vec<Trial> {
    let edited = "<p>One</p><p data-case=\"it\">Three</p>";
    let wrong = vec![
        ("an_unknown_file", files(STEPS, edited, Some("notes.md")), "notes.md is not a file of a case"),
        ("a_page_that_no_step_shows", files(STEPS, edited, Some("3.html")), "no step shows 3.html"),
        ("an_unknown_word", files(&STEPS.replace("\"hot\"", "\"warm\""), edited, None), "warm"),
        ("a_missing_opposite", files(&STEPS.replace("[[source]]", "[[unknown]]"), edited, None), "source"),
        (
            "a_first_step_with_evidence",
            files(&STEPS.replacen("what", "evidence = \"none\"\nwhat", 1), edited, None),
            "begins with a step without",
        ),
        (
            "a_mark_that_is_not_commented_on",
            files(&STEPS.replace("expect.it", "expect.other"), edited, None),
            "no element of 1.html is marked data-case=\"other\"",
        ),
        ("found_and_unmarked", files(STEPS, "<p>Three</p>", None), "is expected to be found"),
    ];
    let mut trials: Vec<Trial> = wrong
        .into_iter()
        .map(|(name, files, says)| {
            Trial::test(format!("reading::{name}_is_refused"), move || match Case::read(&files) {
                Ok(_) => Err("it was read".into()),
                Err(error) if error.contains(says) => Ok(()),
                Err(error) => Err(format!("it says {error:?}").into()),
            })
        })
        .collect();
    trials.push(Trial::test("reading::a_whole_folder_is_read", move || {
        let case = Case::read(&files(STEPS, edited, None))?;
        if case.endings.len() == 2 && case.pages.len() == 2 { Ok(()) } else { Err("steps lack".into()) }
    }));
    trials
}
