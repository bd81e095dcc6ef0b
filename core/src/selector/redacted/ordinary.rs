//! Selectors, XPaths and locators such as people write, without secrets: for the tests.

use proptest::prelude::*;

fn ordinary_value() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "Save",
        "Sign in",
        "card-12",
        "/orders?page=2",
        "main",
        "4",
        "Password",
        "it's",
        "a.b",
        "btn btn-primary",
        "token",
        "r4",
        "é",
        "x]y",
        "a > b",
        "Top 10",
        "",
    ])
    .prop_map(str::to_owned)
}

fn ordinary_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "id",
        "class",
        "name",
        "type",
        "title",
        "href",
        "data-testid",
        "aria-label",
        "role",
        "placeholder",
        "alt",
        "for",
        "data-session",
        "x-on:click",
    ])
}

fn css_compound() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec!["", "*", "div", "button", "x-card", "svg|path", "password-field"]);
    let simple = prop_oneof![
        Just("#main".to_owned()),
        Just(r".md\:w-1\/2".to_owned()),
        Just(".css-9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0".to_owned()),
        Just(":nth-child(2n+1)".to_owned()),
        Just(":hover".to_owned()),
        Just("[data-token]".to_owned()),
        Just(":not(.a, [hidden])".to_owned()),
        Just(":has(> img[alt])".to_owned()),
        (
            ordinary_name(),
            prop::sample::select(vec!["=", "~=", "^=", "$=", "*=", "|=", " = "]),
            ordinary_value(),
            prop::sample::select(vec!["", " i", "s"])
        )
            .prop_map(|(name, operator, value, flag)| {
                format!("[{}{operator}\"{value}\"{flag}]", name.replace(':', "\\:"))
            }),
        prop::sample::select(vec!["[type=password]", "[name=q i]", "[ lang|=en ]", "[data-n=a\\]b]"])
            .prop_map(str::to_owned),
        ordinary_value().prop_map(|value| format!(":has-text(\"{value}\")")),
    ];
    (tag, prop::collection::vec(simple, 1..4)).prop_map(|(tag, simples)| format!("{tag}{}", simples.concat()))
}

pub(super) fn css() -> impl Strategy<Value = String> {
    let joint = prop::sample::select(vec![" ", " > ", ">", " + ", "~", ", ", " >> ", " >>> ", "/**/ "]);
    prop::collection::vec((css_compound(), joint), 1..4).prop_map(|steps| {
        let mut out = String::new();
        for (at, (compound, joint)) in steps.iter().enumerate() {
            out.push_str(if at > 0 { joint } else { "" });
            out.push_str(compound);
        }
        out
    })
}

pub(super) fn xpath() -> impl Strategy<Value = String> {
    let quoted = || ordinary_value().prop_map(|value| format!("\"{value}\""));
    let predicate = prop_oneof![
        Just("[2]".to_owned()),
        Just("[last()-1]".to_owned()),
        Just("[position() < 3]".to_owned()),
        Just("[@data-token]".to_owned()),
        Just("[./*/a or not(.//b)]".to_owned()),
        quoted().prop_map(|value| format!("[normalize-space()={value}]")),
        quoted().prop_map(|value| format!("[contains(concat(' ', normalize-space(@class), ' '), {value})]")),
        (ordinary_name(), quoted(), quoted())
            .prop_map(|(name, value, words)| format!("[@{name}={value} and contains(., {words})]")),
        quoted().prop_map(|value| format!("[local-name()='path'][@id={value}]")),
        (ordinary_name(), quoted()).prop_map(|(name, value)| format!("[@*[name()='{name}']={value}]")),
    ];
    let step = (
        prop::sample::select(vec!["//", "/", "/following-sibling::", "//ancestor::"]),
        prop::sample::select(vec!["*", "div", "a", "x-token"]),
        prop::collection::vec(predicate, 0..3),
    );
    prop::collection::vec(step, 1..4).prop_map(|steps| {
        let steps = steps.into_iter().enumerate().map(|(at, (axis, tag, predicates))| {
            format!("{}{tag}{}", if at == 0 { "//" } else { axis }, predicates.concat())
        });
        steps.collect()
    })
}

pub(super) fn locator() -> impl Strategy<Value = String> {
    let quoted = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    let call = prop_oneof![
        css().prop_map(move |css| format!(".locator({})", quoted(&css))),
        xpath().prop_map(move |xpath| format!(".locator({})", quoted(&format!("xpath={xpath}")))),
        ordinary_value().prop_map(move |words| format!(".getByText({})", quoted(&words))),
        ordinary_value().prop_map(move |words| format!(
            ".getByRole('button', {{ name: {}, exact: true }})",
            quoted(&words)
        )),
        ordinary_value().prop_map(move |words| format!(".getByTestId({})", quoted(&words))),
        Just(".nth(12)".to_owned()),
        Just(".first()".to_owned()),
        Just(".getByLabel(/^Save( as)?$/i)".to_owned()),
    ];
    prop::collection::vec(call, 1..4).prop_map(|calls| format!("page{}", calls.concat()))
}
