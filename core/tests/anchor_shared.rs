//! Several comments made at different times: those on one element share it, those on two elements do not.

use opentoolbar_core::anchor::{
    Anchor, Evidence, Held, Judged, Look, Query, Verdict, VerdictKind, judge, relocate, target_of,
};
use opentoolbar_core::model::Cause;
use opentoolbar_core::page::Page;

fn page(body: &str) -> Page {
    let html =
        format!("<!doctype html><html lang=\"en\"><head><title>Desk</title></head><body>{body}</body>");
    Page::from_html(&html, "http://localhost:5173/").unwrap()
}

/// The element that bears the id, or the `nth` of the tag: `h1`, `li:2`.
fn node(page: &Page, which: &str) -> u32 {
    let (tag, nth) = which.split_once(':').unwrap_or((which, "1"));
    let mut all = page.elements().filter(|&node| page.tag(node) == tag || page.id(node) == Some(tag));
    all.nth(nth.parse::<usize>().unwrap() - 1).unwrap()
}

/// The anchor of a comment made on that page, written and read again.
fn made(page: &Page, which: &str) -> Anchor {
    let target = target_of(page, node(page, which), None).unwrap();
    Anchor::from_base64(&target.anchor).unwrap()
}

/// What is said of the comments, in whatever order they are looked for.
fn found(page: &Page, anchors: &[&Anchor]) -> Vec<Verdict> {
    let mut all: Vec<Anchor> = anchors.iter().copied().cloned().collect();
    let found = relocate(page, &all);
    all.reverse();
    let mut again = relocate(page, &all);
    again.reverse();
    let told = |all: &[Verdict]| all.iter().map(|one| (one.kind, one.node)).collect::<Vec<_>>();
    assert_eq!(told(&found), told(&again), "the order does not matter");
    found
}

#[track_caller]
fn both_at(page: &Page, anchors: &[&Anchor], which: &str, kinds: &[VerdictKind]) {
    let at = Some(node(page, which));
    let found = found(page, anchors);
    let told: Vec<_> = found.iter().map(|one| (one.kind, one.node)).collect();
    let wanted: Vec<_> = kinds.iter().map(|&kind| (kind, at)).collect();
    assert_eq!(told, wanted, "{found:#?}");
}

use VerdictKind::{Ambiguous, Changed, Missing, Moved, Unchanged};

/// A page as people have them: a menu, a heading, a list, a footer.
fn desk(heading: &str) -> Page {
    page(&format!(
        "<header><nav><a href=/>Tickets</a> <a href=/people>People</a></nav></header>
         <main>{heading}<p>Sorted by age.</p>
         <ul><li>Printer is on fire</li><li>Mouse is missing</li></ul></main><footer>Desk 2</footer>"
    ))
}

#[test]
fn two_comments_on_a_heading_of_which_the_second_came_after_an_edit_are_both_at_it() {
    let old = made(&desk("<h1>Tickets (3)</h1>"), "h1");
    let edited = desk("<h1>Open tickets (3)</h1>");
    let new = made(&edited, "h1");
    both_at(&edited, &[&old, &new], "h1", &[Changed, Unchanged]);
    let counted = desk("<h1>Open tickets (2)</h1>");
    both_at(&counted, &[&old, &new], "h1", &[Changed, Changed]);
    // Alone each is told the same.
    both_at(&counted, &[&old], "h1", &[Changed]);
}

#[test]
fn two_comments_on_a_button_that_counts_are_both_at_it_when_its_words_are_edited() {
    let shop = |basket: &str| {
        page(&format!(
            "<header><h1>Shop</h1><button class=basket>{basket}</button></header>
             <main><article><h2>Mug</h2><p>$9</p><button>Add</button></article>
             <article><h2>Plate</h2><p>$12</p><button>Add</button></article></main>"
        ))
    };
    let anchors = [made(&shop("Basket (0)"), "button"), made(&shop("Basket (2)"), "button")];
    let all: Vec<&Anchor> = anchors.iter().collect();
    both_at(&shop("Cart (2)"), &all, "button", &[Changed, Changed]);
    both_at(&shop("Basket (2)"), &all, "button", &[Changed, Unchanged]);
    both_at(&shop("Cart (0)"), &all, "button", &[Changed, Changed]);
}

#[test]
fn three_comments_on_one_element_of_other_words_each_time_are_all_at_it() {
    let words = ["Save", "Store the draft", "Keep it"];
    let form = |words: &str| {
        page(&format!(
            "<h1>Letter</h1><p>To the council.</p><form><input name=subject><button id=keep>{words}</button></form>
             <p>Drafts are kept for a week.</p>"
        ))
    };
    let anchors: Vec<Anchor> = words.iter().map(|words| made(&form(words), "button")).collect();
    let all: Vec<&Anchor> = anchors.iter().collect();
    both_at(&form("Keep it"), &all, "keep", &[Changed, Changed, Unchanged]);
}

#[test]
fn a_comment_from_before_the_element_was_moved_shares_it_with_one_from_after() {
    let old = made(&desk("<h1>Open tickets</h1>"), "h1");
    let moved = desk("<div class=head><h1>Open tickets</h1><button>New</button></div>");
    let new = made(&moved, "h1");
    let found = found(&moved, &[&old, &new]);
    let at = Some(node(&moved, "h1"));
    assert!(found.iter().all(|one| one.node == at), "{found:#?}");
    assert!(matches!(found[0].kind, Unchanged | Moved) && found[1].kind == Unchanged, "{found:#?}");
}

#[test]
fn two_comments_on_a_toggle_taken_in_both_of_its_states_share_it() {
    let form =
        |attribute: &str| page(&format!("<h1>Mail</h1><p><button title={attribute}>News</button></p>"));
    let (on, off) = (made(&form("on"), "button"), made(&form("off"), "button"));
    both_at(&form("on"), &[&on, &off], "button", &[Unchanged, Changed]);
    both_at(&form("both"), &[&on, &off], "button", &[Changed, Changed]);
}

/// A list with rows of these words, and a counter above it that tells its pages apart.
fn list(count: u32, rows: &[&str]) -> Page {
    let rows: String = rows.iter().map(|row| format!("<li>{row}</li>")).collect();
    page(&format!("<h1>Tasks</h1><p>{count} of 9 done</p><ul>{rows}</ul><p>Add a task above.</p>"))
}

const ROWS: [&str; 4] = [
    "Call Ann about the rent",
    "Call Bob about the rent",
    "Call Cy about the rent",
    "Call Di about the rent",
];

#[test]
fn neighbours_of_a_list_commented_on_at_different_times_do_not_share_one_row() {
    let (first, second) = (made(&list(1, &ROWS), "li:2"), made(&list(2, &ROWS), "li:3"));
    let now = list(3, &ROWS);
    let both = found(&now, &[&first, &second]);
    assert_eq!(both[0].node, Some(node(&now, "li:2")));
    assert_eq!(both[1].node, Some(node(&now, "li:3")));
}

#[test]
fn a_row_that_was_deleted_does_not_take_the_row_below_that_has_a_comment_of_its_own() {
    let deleted = made(&list(1, &ROWS), "li:1");
    let now = list(3, &["Phone Bob about the rent", ROWS[2], ROWS[3]]);
    // Nothing but the other comment tells that the row at its place is another one.
    let alone = found(&now, &[&deleted]);
    assert_eq!((alone[0].kind, alone[0].node), (Changed, Some(node(&now, "li:1"))), "{alone:#?}");
    for (other, which) in
        [(&list(1, &ROWS), "li:2"), (&list(2, &ROWS), "li:2"), (&list(2, &ROWS[1..]), "li:1")]
    {
        let both = found(&now, &[&deleted, &made(other, which)]);
        assert_eq!(both[1].node, Some(node(&now, "li:1")), "{both:#?}");
        assert!(matches!(both[0].kind, Missing | Ambiguous), "{both:#?}");
    }
}

#[test]
fn a_row_that_took_the_place_of_another_does_not_share_its_comment() {
    let row = |name: &str, place: &str| format!("<h3>{name}</h3> <p>{place}</p> <button>Edit</button>");
    let rows = |names: [(&str, &str); 3]| {
        let rows: Vec<String> = names.iter().map(|(name, place)| row(name, place)).collect();
        list(1, &rows.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (ada, bob, cy, di) = (("Ada", "Lund"), ("Bob", "Graz"), ("Cy", "Lyon"), ("Di", "Cork"));
    let (before, after) = (rows([ada, bob, cy]), rows([bob, cy, di]));
    for which in ["li:1", "h3:1", "button:1"] {
        let (of_ada, of_bob) = (made(&before, which), made(&after, which));
        let found = found(&after, &[&of_ada, &of_bob]);
        assert_eq!(found[1].node, Some(node(&after, which)), "{found:#?}");
        assert_ne!(found[0].node, found[1].node, "{which} {found:#?}");
    }
}

#[test]
fn the_first_rows_of_two_pages_of_a_list_do_not_share_one() {
    let table = |rows: [&str; 3]| {
        let rows: String = rows
            .iter()
            .map(|name| format!("<tr><td>{name}</td><td><button>Pay {name}</button></td></tr>"))
            .collect();
        page(&format!("<h1>Bills</h1><table><tbody>{rows}</tbody></table><p>Page of many</p>"))
    };
    let (one, two) = (table(["Gas", "Water", "Rent"]), table(["Phone", "Taxes", "Bread"]));
    for which in ["tr:1", "td:1", "button:1"] {
        let (first, second) = (made(&one, which), made(&two, which));
        let found = found(&two, &[&first, &second]);
        assert_eq!(found[1].kind, Unchanged, "{found:#?}");
        assert_ne!(found[0].node, found[1].node, "{which} {found:#?}");
    }
}

#[test]
fn a_button_that_is_gone_does_not_take_another_that_came_later() {
    let form = |buttons: &str| page(&format!("<h1>Letter</h1><form><input name=subject>{buttons}</form>"));
    let (save, send) = ("<button>Save the draft</button>", "<button>Send it off</button>");
    let first = made(&form(&[save, send].concat()), "button:1");
    let second = made(&form(&["<p>3 words</p>", save, send].concat()), "button:2");
    let now = form(&["<p>4 words</p>", send].concat());
    let found = found(&now, &[&first, &second]);
    assert_eq!(found[1].node, Some(node(&now, "button")), "{found:#?}");
    assert!(matches!(found[0].kind, Missing | Ambiguous), "{found:#?}");
}

#[test]
fn what_is_found_as_it_was_seen_last_shares_the_element_with_a_later_comment() {
    let before = desk("<h1>Tickets (3)</h1>");
    let first = made(&before, "h1");
    let ask = |anchor: &Anchor, look: Option<&str>| Query {
        anchor: anchor.clone(),
        look: look.and_then(|look| Look::from_text(look, anchor)),
        varied: Vec::new(),
        evidence: Evidence::None,
        found: Vec::new(),
        held: Held::Unknown,
    };
    // Nothing is left of what it said.
    let edited = page(
        "<header><nav><a href=/>Tickets</a> <a href=/people>People</a></nav></header>
         <main><section class=top><h2 class=big id=of-desk>Everything that waits</h2></section><p>Sorted by age.</p>
         <ul><li>Printer is on fire</li><li>Mouse is missing</li></ul></main><footer>Desk 2</footer>",
    );
    let second = made(&edited, "h2");
    let look = second.to_base64();
    let judged: Vec<Judged> = judge(&edited, vec![ask(&first, Some(&look)), ask(&second, None)]);
    let at = Some(node(&edited, "h2"));
    assert!(judged.iter().all(|one| one.verdict.node == at), "{judged:#?}");
    assert_eq!(judged[0].cause, Cause::State);
}
