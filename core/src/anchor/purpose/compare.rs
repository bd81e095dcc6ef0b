//! How alike the purposes of two elements are.

use super::{Kind, Purpose, Shape};
use crate::anchor::evidence::Clue;
use crate::anchor::evidence::mean;
use crate::anchor::scored::Scored;
use crate::anchor::sought::Sought;
use crate::anchor::survey::Survey;

/// How many numbers there are about a candidate.
pub(in crate::anchor) const SIGHTS: usize = 56;
/// What is seen of one candidate: 0 to 1 each, 0 where nothing is known.
pub(in crate::anchor) type Sights = [f32; SIGHTS];

/// `then`: the anchor's; `now`: the candidate's. `rare`: how much a word of a name tells on this page.
pub(in crate::anchor) fn compare(
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    then: &Purpose,
    now: &Purpose,
    one: &Scored,
    rare: &dyn Fn(u16) -> f32,
    rare_called: &dyn Fn(u16) -> f32,
) -> Sights {
    let clue = |clue: Clue| Some(one.clue(clue)).filter(|value| !value.is_nan()).unwrap_or(0.0);
    let known = |clue: Clue| f32::from(u8::from(!one.clue(clue).is_nan()));
    let yes = |is: bool| f32::from(u8::from(is));
    let base = &sought.anchor.base;
    let text = (survey.text_hash(one.node) >> 32) as u32;
    let is_same_text = text == (base.text_hash >> 32) as u32;
    let says = survey.text_range(one.node);
    let says_one = says.1 == says.0 + 1;
    let was_said =
        says_one && !is_same_text && survey.text_at(says.0).is_some_and(|text| then.said.has(text));
    let is_new = says_one && !is_same_text && !was_said;
    let of_kind = then.of_kind == 1 && now.of_kind == 1 && then.kind == now.kind;
    let names = overlap(&then.names, &now.names, rare);
    let kind = then.kind.like(now.kind);
    let under = dice(&then.under, &now.under);
    let heading = dice(&then.heading, &now.heading);
    let called = dice(&then.called, &now.called);
    let words = clue(Clue::Text);
    let just_beside = mean([clue(Clue::JustBefore), clue(Clue::JustAfter)]);
    let beside = [0, 1].map(|at| {
        let ((kind, words), (now_kind, now_words)) = (&then.beside[at], &now.beside[at]);
        0.3 * kind.like(*now_kind) + 0.7 * dice(words, now_words)
    });
    let cross = dice(&then.called, &now.names).max(dice(&then.names, &now.called));
    let near = clue(Clue::Item).max(clue(Clue::Nearby)).max(under);
    let of_many = yes(sought.anchor.context.twins > 0 || base.look_alikes.len() > 2);
    let is_number =
        matches!(then.shape, Shape::Number | Shape::Money | Shape::Share | Shape::Date | Shape::Mixed);
    [
        words,
        yes(words >= 0.99),
        clue(Clue::RareWords),
        called,
        kind,
        yes(kind >= 1.0),
        yes(kind == 0.0),
        yes(of_kind),
        then.region.like(now.region),
        names,
        heading,
        yes(then.heading.is_empty() != now.heading.is_empty()),
        under,
        yes(then.under.is_empty() && now.under.is_empty()),
        mean([clue(Clue::Before), clue(Clue::After)]),
        just_beside,
        clue(Clue::Nearby),
        clue(Clue::Item),
        clue(Clue::InGap),
        clue(Clue::InOrder),
        known(Clue::InOrder),
        clue(Clue::FromKnown),
        yes(was_said),
        yes(is_new),
        then.shape.like(now.shape),
        clue(Clue::TextLength),
        clue(Clue::ChildCount),
        1.0 - f32::from(then.at.abs_diff(now.at)) / 255.0,
        clue(Clue::RareAttribute),
        clue(Clue::Another),
        clue(Clue::Tag),
        kind * under * yes(under > 0.6),
        kind * clue(Clue::Item).max(clue(Clue::Nearby)),
        (one.fit / 8.0).clamp(-1.0, 2.0),
        clue(Clue::Place),
        clue(Clue::PlaceFromEnd),
        of_many * (1.0 - near),
        yes(is_number && then.shape == now.shape) * near,
        yes(is_new) * kind * just_beside,
        yes(is_new) * yes(of_kind),
        words * kind,
        beside[0],
        beside[1],
        yes(of_kind) * sought.survived,
        yes(of_kind && then.kind == Kind::Title) * sought.survived,
        cross,
        yes(is_number && then.shape == now.shape) * beside[0].max(under),
        yes(is_new) * kind * beside[0].max(beside[1]),
        overlap(&then.called, &now.called, rare_called),
        sought.survived,
        (f32::from(then.of_kind) / 20.0).min(1.0),
        (f32::from(now.of_kind) / 20.0).min(1.0),
        group(then.kind, 0),
        group(then.kind, 1),
        group(then.kind, 2),
        group(then.kind, 3),
    ]
}

/// Which of the numbers say that something of the element is left: its words, what it is called, its names, the
/// headings in it and over it, the rare words around it, its item, and its rare attributes.
pub(in crate::anchor) const TOLD: [usize; 8] = [0, 3, 9, 10, 12, 16, 17, 28];

/// The words of both of two sorted sets.
pub(in crate::anchor) fn shared(a: &[u16], b: &[u16]) -> impl Iterator<Item = u16> {
    a.iter().copied().filter(|word| b.binary_search(word).is_ok())
}

/// How much of two sorted sets is shared; nothing where one of them is empty.
fn dice(a: &[u16], b: &[u16]) -> f32 {
    2.0 * shared(a, b).count() as f32 / (a.len() + b.len()).max(1) as f32
}

/// How much of the rarer names is shared.
fn overlap(a: &[u16], b: &[u16], rare: &dyn Fn(u16) -> f32) -> f32 {
    let weight = |words: &[u16]| words.iter().map(|&word| rare(word)).sum::<f32>();
    let shared: f32 = shared(a, b).map(rare).sum();
    2.0 * shared / (weight(a) + weight(b)).max(0.5)
}

/// Whether it is a control, a field, what holds others, or a picture; all others say something.
pub(in crate::anchor) fn group(kind: Kind, which: usize) -> f32 {
    let of = match kind {
        Kind::Link | Kind::Button => 0,
        Kind::Field | Kind::Choice => 1,
        Kind::Group | Kind::Item | Kind::List | Kind::Form => 2,
        Kind::Picture | Kind::Icon | Kind::Empty => 3,
        _ => 4,
    };
    f32::from(u8::from(of == which))
}
