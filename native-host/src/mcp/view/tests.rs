#![allow(clippy::unwrap_used, clippy::panic)]
use proptest::prelude::*;
use serde_json::json;

use super::*;

mod levels;

const BUDGET: usize = budget::ANSWER - 600;

/// So many characters, these over and over.
fn many(characters: &str, count: usize) -> String {
    characters.chars().cycle().take(count).collect()
}

/// A comment whose page is of these characters throughout, on two elements.
fn comment(page: &str, text: &str, replies: &[String]) -> Comment {
    let target = json!({
        "snapshot": {
            "tag": "button", "id": many(page, 100), "classes": vec![many(page, 90); 3], "name": many(page, 190),
            "text": many(page, 300), "component": many(page, 200), "box": { "x": 1, "y": 2, "width": 3, "height": 4 },
            "source": { "file": many(page, 300), "line": 1, "column": 1, "confidence": 1.0, "reason": "" },
        },
        "selector": format!(".{}", many(page, 400)), "anchor": "AQ==",
        "state": { "verdict": "missing", "reason": many(page, 400), "confidence": 0.0, "diff": [], "checkedAt": 1 },
    });
    let reply = |(at, text): (usize, &String)| json!({ "id": format!("r_{at}"), "author": { "kind": "person" }, "text": text, "createdAt": 1 });
    serde_json::from_value(json!({
        "id": "c_1", "revision": 1, "url": "http://a.test/", "pathname": format!("/{}", many(page, 300)), "title": "",
        "status": "outdated", "stage": "open", "text": text, "author": { "kind": "person" }, "targets": [target, target],
        "replies": replies.iter().enumerate().map(reply).collect::<Vec<_>>(), "createdAt": 1, "updatedAt": 1,
    }))
    .unwrap()
}

fn resolved(comment: Comment, summary: Option<String>) -> Comment {
    let by = json!({ "kind": "agent", "name": many("😀", 80) });
    let mut json = serde_json::to_value(comment).unwrap();
    json["resolution"] = json!({ "by": by, "at": 1, "summary": summary });
    json["status"] = "resolved".into();
    serde_json::from_value(json).unwrap()
}

fn claims() -> Vec<Claim> {
    let claim = json!({ "commentId": "c_1", "agent": many("😀", 200), "isYours": false });
    vec![serde_json::from_value(claim).unwrap()]
}

/// All words of a comment, each cut followed from the first character on.
fn followed(comment: &Comment) -> String {
    let (mut at, mut heard) = (0, String::new());
    loop {
        let (told, cut) = from(comment, &claims(), at, BUDGET).unwrap();
        let cost = tokens(&told.json());
        assert!(cost <= BUDGET, "{cost} tokens");
        let told = json!(told);
        assert!(told["targets"][0]["selector"].as_str().unwrap().len() > 40, "{told}");
        assert_eq!(told["replyCount"], comment.replies.len());
        heard.push_str(told["text"].as_str().unwrap());
        for reply in told["replies"].as_array().into_iter().flatten() {
            heard.push_str(reply["text"].as_str().unwrap());
        }
        heard.push_str(told["resolution"]["summary"].as_str().unwrap_or_default());
        let Some(Cut { end, all }) = cut else { return heard };
        assert!(at < end && end < all, "from {at} to {end} of {all}");
        assert_eq!(end, heard.chars().count());
        at = end;
    }
}

fn said(comment: &Comment) -> String {
    words(comment).into_iter().map(|words| words.text).collect()
}

#[test]
fn where_words_fill_an_answer_and_nobody_wrote_more_nothing_is_said_to_go_on() {
    let mut whole = 0;
    for length in (14_000..=20_000).step_by(500) {
        let comment = resolved(comment("a", &many("1", length), &[]), None);
        assert!(followed(&comment) == said(&comment), "{length}");
        let (told, cut) = from(&comment, &[], 0, BUDGET).unwrap();
        whole += usize::from(cut.is_none() && told.resolution.is_none());
    }
    assert!(whole > 0, "none of them left no room for who resolved it");
}

#[test]
fn a_comment_of_a_hostile_page_is_told_in_an_answer_that_is_no_larger_than_others() {
    for page in ["😀", "\\", "\u{202e}"] {
        for length in [1, 300, 600, 20_000] {
            let comment = comment(page, &many("字", length), &[]);
            let fitted = fit(&[comment], &claims(), Detail::Full, BUDGET);
            let [told] = fitted.comments.as_slice() else { panic!("{:?}", fitted.comments) };
            let cost = tokens(&told.json());
            assert!(cost <= BUDGET, "{page} and {length}: {cost} tokens");
            let text = &told.text;
            assert!(
                length < 20_000 || text.contains("get_ui_feedback with commentId c_1 and from "),
                "{text}"
            );
        }
    }
}

/// What may be in words and on a page: dear, escaped in JSON, or written out as it deceives.
fn character() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("a"),
        Just("word "),
        Just("\""),
        Just("\n"),
        Just("é"),
        Just("字"),
        Just("😀"),
        Just("\u{202e}")
    ]
}

fn text() -> impl Strategy<Value = String> {
    let length = prop_oneof![1..20_usize, 1..4_000_usize];
    (character(), length).prop_map(|(character, count)| format!("x{}", many(character, count)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn who_follows_the_cuts_of_any_comment_never_goes_back_and_has_every_word_in_the_end(
        page in character(), asked in text(), replies in prop::collection::vec(text(), 0..5),
        summary in prop::option::of(prop::option::of(text()))
    ) {
        let comment = comment(page, &asked, &replies);
        let comment = match summary {
            Some(summary) => resolved(comment, summary),
            None => comment,
        };
        prop_assert!(followed(&comment) == said(&comment));
    }
}
