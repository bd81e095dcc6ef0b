//! The forms of an address that tests are written in: each means the same element alone.

use crate::support::{Builder, any_capture, xpath};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector::{forms, resolve};
use proptest::prelude::*;

/// What a form with ` >>> ` means: each part in the tree that the one before leads into.
fn by_xpath(page: &Page, form: &str) -> Vec<u32> {
    match form.rsplit_once(" >>> ") {
        None => xpath::evaluate(page, 0, form),
        Some((host, inner)) => {
            let host = resolve(page, host).unwrap();
            assert_eq!(host.len(), 1);
            xpath::evaluate(page, page.inner_root(host[0]).unwrap(), inner)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_form_means_the_element_alone(capture in any_capture()) {
        let page = Page::from_capture(capture).unwrap();
        for node in page.elements() {
            let forms = forms(&page, node).unwrap();
            prop_assert!(!forms.css.contains(":text-"), "{}", forms.css);
            prop_assert_eq!(resolve(&page, &forms.css).unwrap(), vec![node], "{}", forms.css);
            prop_assert_eq!(by_xpath(&page, &forms.xpath), vec![node], "{}", forms.xpath);
            prop_assert!(forms.playwright.is_none_or(|form| form.starts_with("page.")));
        }
    }
}

fn settings() -> (Page, Vec<u32>) {
    let mut b = Builder::new("https://example.com/", "Settings");
    b.open("html", &[]);
    b.open("body", &[]);
    b.open("form", &[("class", "settings")]);
    let save = b.leaf("button", &[], "Save");
    let cancel = b.leaf("button", &[("data-testid", "it's")], "Don't \"save\"");
    b.open("label", &[]);
    b.text("Email");
    let email = b.leaf("input", &[("type", "email")], "");
    b.close();
    b.close();
    b.open("section", &[]);
    b.leaf("h2", &[], "Members");
    b.open("ul", &[]);
    b.leaf("li", &[], "Same");
    let second = b.leaf("li", &[], "Same");
    b.close();
    b.close();
    b.open("x-card", &[("id", "promo")]);
    b.shadow();
    let close = b.leaf("button", &[("class", "close")], "x");
    b.close();
    b.close();
    b.open("iframe", &[("name", "ads")]);
    b.document("https://example.com/ads");
    b.open("html", &[]);
    let ad = b.leaf("p", &[("id", "ad")], "Ad");
    b.open("svg", &[]);
    let path = b.leaf("path", &[("class", "logo")], "");
    (b.page(), vec![save, cancel, email, second, close, ad, path])
}

#[test]
fn forms_are_those_that_a_tester_would_write() {
    let (page, nodes) = settings();
    let told: Vec<String> = nodes
        .iter()
        .map(|&node| {
            let forms = forms(&page, node).unwrap();
            format!("{}\n  {}\n  {}", forms.css, forms.xpath, forms.playwright.as_deref().unwrap_or("-"))
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}
