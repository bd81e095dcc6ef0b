//! Goes through the steps of a case as tabs do, and compares what is said with what is expected.

use std::collections::BTreeMap;

use opentoolbar_core::anchor::{
    Anchor, Evidence, FoundIn, FoundWord, Held, Judged, Look, Query, VerdictKind, judge, outdates, target_of,
};
use opentoolbar_core::model::{Author, Cause, Comment, CommentChange, Stage, Status, TargetState, Timestamp};
use opentoolbar_core::page::Page;
use opentoolbar_core::source::words_in;

use crate::layout::laid_out;
use crate::sheet::{Case, Expected, Marked, Step, Written};

const URL: &str = "http://localhost:5173/";
/// When the comments are made; each step comes a minute later.
const MADE: u64 = 1_763_719_200_000;
const MINUTE: u64 = 60_000;

/// How many judgements are expected, with and without layout counted as one.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) expected: usize,
    pub(crate) right: usize,
    /// Said to be unchanged or moved, of another element than the marked one or of one that was edited.
    pub(crate) silent: usize,
}

/// What is said of one comment in one step.
struct Said {
    problem: Option<String>,
    is_silent: bool,
}

/// One sentence for each expectation that is not met, or that is met and was excused.
///
/// # Errors
/// When the case cannot be played.
pub(crate) fn wrong(case: &Case) -> Result<(Vec<String>, Tally), String> {
    let (mut wrong, mut tally) = (Vec::new(), Tally::default());
    for (ending, steps) in &case.endings {
        let bare = played(case, steps, false, |page| Ok(page.clone()))
            .map_err(|error| format!("{ending}: {error} (without layout)"))?;
        let live = played(case, steps, false, laid_out)
            .map_err(|error| format!("{ending}: {error} (with layout)"))?;
        let kept = played(case, steps, true, |page| Ok(page.clone()))
            .map_err(|error| format!("{ending}: {error} (with nodes)"))?;
        for ((at, step), ((bare, live), kept)) in (1..).zip(steps).zip(bare.into_iter().zip(live).zip(kept)) {
            for (mark, Said { problem, .. }) in kept {
                let is_excused = step.expect.get(&mark).is_some_and(|it| it.known_failure.is_some());
                if let Some(problem) = problem.filter(|_| !is_excused) {
                    let what = step.what.trim_end_matches('.');
                    wrong.push(format!("{ending}, step {at} ({what}), {mark}: {problem} (with nodes)"));
                }
            }
            for (mark, bare) in bare {
                let Some(live) = live.get(&mark) else { continue };
                let expected = step.expect.get(&mark);
                let problem = bare.problem.map(|problem| format!("{problem} (without layout)"));
                let problem = problem
                    .or_else(|| live.problem.as_ref().map(|problem| format!("{problem} (with layout)")));
                if expected.is_some() || problem.is_some() {
                    tally.expected += 1;
                    tally.right += usize::from(problem.is_none());
                    tally.silent += usize::from(bare.is_silent || live.is_silent);
                }
                let here = format!("{ending}, step {at} ({}), {mark}", step.what.trim_end_matches('.'));
                match (problem, expected.and_then(|expected| expected.known_failure.as_ref())) {
                    (Some(problem), None) => wrong.push(format!("{here}: {problem}")),
                    (None, Some(_)) => wrong.push(format!(
                        "{here}: is a known failure and passes now; take `known_failure` out of steps.toml"
                    )),
                    _ => {}
                }
            }
        }
    }
    Ok((wrong, tally))
}

/// What is said in each step, by mark. `kept`: the page holds the nodes of the marked elements in every step without
/// evidence, as where lists have keys.
fn played(
    case: &Case,
    steps: &[Step],
    kept: bool,
    seen: impl Fn(&Page) -> Result<Page, String>,
) -> Result<Vec<BTreeMap<String, Said>>, String> {
    let mut comments: BTreeMap<String, Comment> = BTreeMap::new();
    // By tab, then by mark.
    let mut looks: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut all = Vec::new();
    for (at, step) in (0u64..).zip(steps) {
        let shown = case.pages.get(&step.page).ok_or("a page is missing")?;
        let page = seen(&shown.page)?;
        let now = Timestamp(MADE + at * MINUTE);
        if at == 0 {
            comments = made(&page, shown, now)?;
        }
        let looks = looks.entry(step.tab.clone()).or_default();
        let evidence = step.evidence.unwrap_or(Evidence::None);
        let held = |mark: &str| {
            let node = shown.nodes.get(mark).filter(|_| step.nodes).or(shown.marks.get(mark));
            match node {
                _ if !step.nodes && !kept => Held::Unknown,
                Some(&node) => Held::At(node),
                None => Held::Gone,
            }
        };
        let judged = look(&page, &comments, looks, evidence, &[], &held)?;
        // As the extension does: where the words stand is asked once it is known which matter.
        let judged = match &step.files {
            Some(files) if judged.iter().any(|one| !one.words.is_empty()) => {
                look(&page, &comments, looks, evidence, &found(files, &judged), &held)?
            }
            _ => judged,
        };
        let mut said = BTreeMap::new();
        for ((mark, comment), judged) in comments.iter_mut().zip(&judged) {
            if let Some(look) = &judged.look {
                looks.insert(mark.clone(), look.clone());
            }
            if judged.cause != Cause::State || judged.varied.is_some() {
                *comment = reported(comment, judged, now)?;
            }
            if at > 0 {
                said.insert(
                    mark.clone(),
                    compared(&page, shown, mark, step.expect.get(mark), comment, judged),
                );
            }
            if let (true, Some(node)) = (step.still_the_same.contains(mark), judged.verdict.node) {
                let target = target_of(&page, node, None).map_err(|error| error.to_string())?;
                *comment = changed(comment, CommentChange::Repin { targets: vec![target] }, now)?;
            }
        }
        all.push(said);
    }
    Ok(all)
}

/// One comment on each marked element.
fn made(page: &Page, shown: &Marked, now: Timestamp) -> Result<BTreeMap<String, Comment>, String> {
    let comment = |(mark, &node): (&String, &u32)| {
        let target = target_of(page, node, None).map_err(|error| format!("{mark}: {error}"))?;
        let comment = Comment {
            id: format!("c_{mark}").parse().map_err(|error| format!("{mark}: {error}"))?,
            number: None,
            revision: 1,
            url: URL.to_owned(),
            pathname: "/".to_owned(),
            title: page.title().to_owned(),
            session_id: None,
            status: Status::Active,
            stage: Stage::Open,
            text: "Please look at this".to_owned(),
            author: Author::Person,
            targets: vec![target],
            replies: Vec::new(),
            resolution: None,
            history: Vec::new(),
            screenshot: None,
            created_at: now,
            updated_at: now,
            deleted_at: None,
            imported_at: None,
        };
        Ok((mark.clone(), comment))
    };
    shown.marks.iter().map(comment).collect()
}

fn look(
    page: &Page,
    comments: &BTreeMap<String, Comment>,
    looks: &BTreeMap<String, String>,
    evidence: Evidence,
    found: &[Vec<FoundWord>],
    held: &dyn Fn(&str) -> Held,
) -> Result<Vec<Judged>, String> {
    let mut queries = Vec::new();
    for (at, (mark, comment)) in comments.iter().enumerate() {
        let Some(target) = comment.targets.first() else { continue };
        let anchor = Anchor::from_base64(&target.anchor).map_err(|error| format!("{mark}: {error}"))?;
        let look = looks.get(mark).and_then(|look| Look::from_text(look, &anchor));
        queries.push(Query {
            anchor,
            look,
            varied: target.varied.clone(),
            evidence,
            found: found.get(at).cloned().unwrap_or_default(),
            held: held(mark),
        });
    }
    Ok(judge(page, queries))
}

/// What the hub answers for the words of each.
fn found(files: &Written, judged: &[Judged]) -> Vec<Vec<FoundWord>> {
    let of = |one: &Judged| {
        let in_files = words_in(&files.changed, &one.words).into_iter().zip(words_in(&files.own, &one.words));
        let found_in = in_files.map(|found| match found {
            (true, _) => FoundIn::ChangedFile,
            (false, true) => FoundIn::OwnFile,
            (false, false) => FoundIn::Nowhere,
        });
        one.words.iter().cloned().zip(found_in).map(|(word, found_in)| FoundWord { word, found_in }).collect()
    };
    judged.iter().map(of).collect()
}

fn reported(comment: &Comment, judged: &Judged, now: Timestamp) -> Result<Comment, String> {
    let state = TargetState {
        verdict: judged.verdict.kind,
        cause: judged.cause,
        confidence: judged.verdict.confidence,
        diff: judged.verdict.diff.clone(),
        reason: judged.verdict.reason.clone(),
        checked_at: now,
        varied: judged.varied.clone().unwrap_or_default(),
    };
    changed(comment, CommentChange::ReportStates { states: vec![state] }, now)
}

fn changed(comment: &Comment, change: CommentChange, now: Timestamp) -> Result<Comment, String> {
    comment.apply(&change, &Author::Person, now).map_err(|error| error.to_string())
}

fn compared(
    page: &Page,
    shown: &Marked,
    mark: &str,
    expected: Option<&Expected>,
    comment: &Comment,
    judged: &Judged,
) -> Said {
    let verdict = &judged.verdict;
    let is_another = verdict.node.is_some() && verdict.node != shown.marks.get(mark).copied();
    let is_silent = is_another && matches!(verdict.kind, VerdictKind::Unchanged | VerdictKind::Moved);
    let problem = match expected {
        _ if is_silent => Some("expected the marked element, and it is shown as it was".to_owned()),
        None => None,
        _ if is_another => Some("expected the marked element".to_owned()),
        Some(expected) => problem(expected, comment, judged),
    };
    // An edit that is not seen is as silent.
    let passes = judged.cause == Cause::Source && !outdates(verdict.kind);
    let is_missed = expected.is_some_and(|expected| expected.status == Status::Outdated);
    let is_silent = is_silent || (problem.is_some() && passes && is_missed);
    let problem = problem.map(|problem| format!("{problem}; got {}", told(page, comment, judged)));
    Said { problem, is_silent }
}

fn problem(expected: &Expected, comment: &Comment, judged: &Judged) -> Option<String> {
    let Expected { status, verdicts, cause, in_view, .. } = expected;
    if comment.status != *status {
        return Some(format!("expected the comment to be {status:?}"));
    }
    if !verdicts.is_empty() && !verdicts.contains(&judged.verdict.kind) {
        return Some(format!("expected {verdicts:?}"));
    }
    // Of what is as it was nothing has to come from anything.
    let differs = outdates(judged.verdict.kind);
    if let Some(cause) = cause.filter(|cause| differs && *cause != judged.cause) {
        return Some(format!("expected the cause {cause:?}"));
    }
    in_view.filter(|in_view| *in_view != judged.in_view).map(|in_view| {
        (if in_view { "expected to be in view" } else { "expected not to be in view" }).to_owned()
    })
}

/// What was said in words, with the element it names.
fn told(page: &Page, comment: &Comment, judged: &Judged) -> String {
    let verdict = &judged.verdict;
    let element = verdict.node.map(|node| format!(" <{}> {:?}", page.tag(node), page.text(node, 40)));
    let fields: Vec<&str> = verdict.diff.iter().map(|change| change.field.as_str()).collect();
    format!(
        "{:?}: {:?} at {:.2} from {:?}{}{} [{}]",
        comment.status,
        verdict.kind,
        verdict.confidence,
        judged.cause,
        if judged.in_view { "" } else { ", not in view" },
        element.unwrap_or_default(),
        fields.join(", "),
    )
}
