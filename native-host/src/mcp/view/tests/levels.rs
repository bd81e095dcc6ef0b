//! What a comment costs an agent at each level, and what stands there.

use super::*;
use crate::mcp::budget::measured;
use crate::mcp::costs::LEVELS;

/// Path with line and column, component, selector, the element, what is asked. Ten tokens and twelve.
const PINNED: [(&str, &str, &str, &str, &str); 20] = [
    (
        "src/components/Header.tsx:14:7",
        "Header",
        "header.site-header",
        "Shop",
        "Make the header stick to the top while the page scrolls.",
    ),
    (
        "src/pages/Checkout.tsx:88:11",
        "Checkout",
        "form > button.primary",
        "Pay now",
        "Change this button color to blue and make it larger.",
    ),
    (
        "src/views/CartView.vue:31:5",
        "CartView",
        "ul.cart > li:nth-of-type(2)",
        "2 × Mug",
        "Show the price of every item on the right side.",
    ),
    (
        "src/components/NavBar.jsx:9:3",
        "NavBar",
        "nav a[href=\"/about\"]",
        "About",
        "This link should look active when I am on it.",
    ),
    (
        "src/lib/Search.svelte:22:9",
        "Search",
        "input[name=\"q\"]",
        "",
        "Add a clear button and focus the field on load.",
    ),
    (
        "src/components/Card.tsx:40:13",
        "Card",
        "article.card:nth-of-type(3) h3",
        "Blue mug",
        "Long titles break the layout here, cut them please.",
    ),
    (
        "src/pages/Settings.tsx:61:9",
        "Settings",
        "#notifications",
        "Notifications",
        "The switch is too small to hit on a phone.",
    ),
    (
        "src/components/Footer.tsx:18:5",
        "Footer",
        "footer > p.legal",
        "© 2026 Shop",
        "The year is wrong, take it from the current date.",
    ),
    (
        "src/views/LoginView.vue:27:7",
        "LoginView",
        "form.login .error",
        "Wrong password",
        "Say what to do next and keep the typed name.",
    ),
    (
        "src/components/Modal.tsx:52:11",
        "Modal",
        "[role=\"dialog\"] button.close",
        "Close",
        "Escape should close this dialog, and focus must go back.",
    ),
    (
        "src/pages/Orders.tsx:73:15",
        "Orders",
        "table.orders thead th:nth-of-type(4)",
        "Total",
        "Let me sort the table by this column, please.",
    ),
    (
        "src/lib/Toast.svelte:11:3",
        "Toast",
        "div.toast.success",
        "Saved",
        "It covers the menu, move it to the bottom left.",
    ),
    (
        "src/components/Avatar.tsx:6:10",
        "Avatar",
        "img.avatar",
        "Ada",
        "Use the initials when there is no picture of somebody.",
    ),
    (
        "src/pages/Product.tsx:45:9",
        "Product",
        "section.reviews > h2",
        "Reviews",
        "Put the number of reviews behind the title in grey.",
    ),
    (
        "src/views/HelpView.vue:19:5",
        "HelpView",
        "main details:nth-of-type(5) summary",
        "Returns",
        "The arrow points the wrong way when it is open.",
    ),
    (
        "src/components/Tabs.tsx:33:7",
        "Tabs",
        "[role=\"tablist\"] button:nth-of-type(2)",
        "Details",
        "Arrow keys should move between the tabs as is usual.",
    ),
    (
        "src/pages/Profile.tsx:57:13",
        "Profile",
        "label[for=\"phone\"]",
        "Phone",
        "Say that this field is optional, and why we ask.",
    ),
    (
        "src/components/Price.tsx:12:3",
        "Price",
        "span.price",
        "$12.00",
        "Show the price in the currency that the visitor chose.",
    ),
    (
        "src/lib/Chart.svelte:64:5",
        "Chart",
        "svg.chart",
        "",
        "The labels at the bottom overlap when the window is narrow.",
    ),
    (
        "src/components/Menu.tsx:29:9",
        "Menu",
        "#menu > li.item:nth-of-type(4) > a",
        "Sign out",
        "Ask me before you sign me out of the app.",
    ),
];

fn pinned(nth: usize) -> Comment {
    let (file, component, selector, name, text) = PINNED[nth];
    let mut place = file.split(':');
    let mut part = || place.next().unwrap();
    let (file, line, column) = (part(), part(), part());
    let number = |text: &str| text.parse::<u32>().unwrap();
    let mut target = json!({
        "snapshot": {
            "tag": "button", "classes": ["btn", "btn-primary"], "name": name, "text": name, "role": "button",
            "component": component, "attributes": { "type": "button", "data-kind": "primary" },
            "box": { "x": 412, "y": 160, "width": 96, "height": 36 },
            "source": { "file": file, "line": number(line), "column": number(column), "confidence": 0.9, "reason": "React _debugStack" },
        },
        "selector": selector, "anchor": "AQ==",
    });
    let mut comment = json!({
        "id": format!("c_4fGh2kLm9{nth:02}"), "number": nth + 1, "revision": 1, "url": "http://localhost:5173/shop/items?page=2",
        "pathname": "/shop/items", "title": "Shop", "status": "active", "stage": "open", "text": text,
        "author": { "kind": "person" }, "createdAt": 1_763_719_200_000_u64, "updatedAt": 1_763_719_200_000_u64,
    });
    match nth {
        3 | 11 => {
            comment["status"] = "outdated".into();
            target["state"] = json!({
                "verdict": "changed", "cause": "source", "reason": "The text is another one", "confidence": 0.9,
                "diff": [{ "field": "text", "before": name, "after": "Buy" }], "checkedAt": 1,
            });
        }
        5 => comment["stage"] = "in_progress".into(),
        7 | 15 => {
            comment["replies"] = json!([
                { "id": "r_1", "author": { "kind": "agent", "name": "claude-code 2.1" }, "text": "Which one?", "createdAt": 1_763_719_300_000_u64 },
            ]);
        }
        9 | 17 => comment["screenshot"] = "c_4fGh2kLm9-1.webp".into(),
        _ => {}
    }
    comment["targets"] = json!([target]);
    serde_json::from_value(comment).unwrap()
}

#[test]
fn the_fixtures_have_a_path_of_ten_tokens_and_twelve_of_words() {
    for (file, .., text) in PINNED {
        assert!((9..=11).contains(&measured(file)), "{file}: {}", measured(file));
        assert!((11..=13).contains(&measured(text)), "{text}: {}", measured(text));
    }
}

#[test]
fn a_comment_costs_no_more_than_its_level_may() {
    let comments: Vec<Comment> = (0..PINNED.len()).map(pinned).collect();
    let costs = [Detail::Brief, Detail::Standard, Detail::Full].map(|detail| {
        let fitted = fit(&comments, &[], detail, BUDGET);
        assert_eq!((fitted.comments.len(), fitted.detail), (comments.len(), detail));
        // As it stands in an answer: what is around the list is its head.
        let Outcome::Success { text, .. } = Outcome::success(&json_of(&fitted)) else { panic!("no answer") };
        let list = text.strip_prefix("{\"success\":true,\"comments\":[").unwrap();
        (detail, measured(list.strip_suffix("]}").unwrap()).div_ceil(comments.len()))
    });
    assert!(costs[0].1 <= 40 && costs[1].1 <= 150, "{costs:?}");
    assert_eq!(costs.as_slice(), LEVELS, "write these into mcp/costs.rs");
}

#[derive(serde::Serialize)]
struct Listed<'a> {
    comments: &'a [Projected],
}

fn json_of(fitted: &Fitted) -> Listed<'_> {
    Listed { comments: &fitted.comments }
}

/// At every level the place comes first and the words second, and what a level tells it calls as the others do.
#[test]
fn a_level_leaves_out_and_renames_nothing() {
    let told = [Detail::Brief, Detail::Standard, Detail::Full].map(|detail| {
        let fitted = fit(&(0..PINNED.len()).map(pinned).collect::<Vec<_>>(), &[], detail, BUDGET);
        fitted.comments.iter().map(Projected::json).collect::<Vec<_>>()
    });
    for ((brief, standard), full) in told[0].iter().zip(&told[1]).zip(&told[2]) {
        for json in [brief, standard, full] {
            assert!(json.starts_with("{\"targets\":[{\"file\":\"src/"), "{json}");
            let words = json.find("],\"text\":\"").unwrap();
            assert!(words < json.find("\"number\"").unwrap(), "{json}");
        }
        let [brief, standard, full] = [brief, standard, full].map(|json| serde_json::from_str(json).unwrap());
        assert_within(&brief, &standard);
        assert_within(&standard, &full);
    }
    let first: Vec<_> = told.iter().map(|level| &level[3]).collect();
    insta::assert_snapshot!(format!("{}\n{}\n{}", first[0], first[1], first[2]));
}

/// Each field of `less` is one of `more`, with the same value or with the beginning of its list.
fn assert_within(less: &serde_json::Value, more: &serde_json::Value) {
    match (less, more) {
        (serde_json::Value::Object(less), serde_json::Value::Object(more)) => {
            for (name, value) in less {
                assert_within(value, more.get(name).unwrap_or_else(|| panic!("{name} is not in {more:?}")));
            }
        }
        (serde_json::Value::Array(less), serde_json::Value::Array(more)) => {
            assert!(less.len() <= more.len(), "{less:?} {more:?}");
            less.iter().zip(more).for_each(|(less, more)| assert_within(less, more));
        }
        _ => assert_eq!(less, more),
    }
}
