//! Pages from HTML alone: the same nodes, attributes and redaction as the content script's capture.

use std::fmt::Write as _;
use std::path::Path;

use opentoolbar_core::element::describe;
use opentoolbar_core::page::{HtmlError, MAX_HTML_BYTES, MAX_NODES, NodeKind, Page};
use proptest::prelude::*;

const URL: &str = "http://localhost:5173/";

fn page(html: &str) -> Page {
    Page::from_html(html, URL).unwrap()
}

/// A line a node: `tag name=value`, `"text"`, `#shadow`, `#document address`; `!` marks what is not visible.
fn outline(page: &Page) -> String {
    let mut out = String::new();
    for node in 1..page.len() {
        let depth = page.ancestors(node).count() - 1;
        let what = match page.kind(node).unwrap() {
            NodeKind::Document => format!("#document {}", page.data(node)),
            NodeKind::ShadowRoot => "#shadow".to_owned(),
            NodeKind::Text => format!("{:?}", page.data(node)),
            NodeKind::Element => page
                .attributes(node)
                .fold(page.tag(node).to_owned(), |line, (n, v)| format!("{line} {n}={v}")),
        };
        let hidden = if page.is_visible(node) { "" } else { "!" };
        writeln!(out, "{:depth$}{hidden}{what}", "").unwrap();
    }
    out
}

/// The outline of what is in the body.
fn body(html: &str) -> String {
    let page = page(html);
    let body = page.elements().find(|&node| page.tag(node) == "body").unwrap();
    let lines = outline(&page);
    lines.lines().skip(body as usize).map(|line| line.get(2..).unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_document_has_its_head_its_body_and_its_title() {
    let page = page(
        "<!doctype html><title> Shop\n &amp; more </title><link rel=icon href=/i.svg><p>Hello <b>you</b>!",
    );
    assert_eq!(page.title(), "Shop & more");
    assert_eq!(page.url(), URL);
    assert_eq!(
        outline(&page),
        "html\n !head\n  !title\n   !\" Shop\\n & more \"\n  !link rel=icon href=/i.svg\n body\n  p\n   \"Hello \"\n   b\n    \"you\"\n   \"!\"\n"
    );
}

#[test]
fn a_page_from_html_has_no_layout_and_a_captured_one_has() {
    let page = page("<p>x");
    assert!(!page.has_layout());
    let mut capture = page.to_capture();
    capture.nodes[7] = 800;
    capture.nodes[8] = 600;
    assert!(Page::from_capture(capture).unwrap().has_layout());
}

#[test]
fn entities_are_read_and_comments_keep_texts_apart() {
    assert_eq!(body("&lt;b&gt; &eacute;&#128512;&nbsp;<!-- -->x"), "\"<b> é😀\\u{a0}\"\n\"x\"");
}

#[test]
fn white_space_alone_is_no_node() {
    assert_eq!(body("<i> \n\t</i> <b>\u{feff}\u{a0}</b>"), "i\nb");
}

#[test]
fn white_space_alone_is_the_blank_of_the_texts_beside_it() {
    assert_eq!(body("a<!-- --> <!-- -->b"), "\"a \"\n\" b\"");
    assert_eq!(body("a<!-- -->\n<i>b</i>\t<!-- -->c"), "\"a \"\ni\n \"b\"\n\" c\"");
}

/// React and others make several texts of one, with comments between where the server writes them.
#[test]
fn texts_side_by_side_are_read_as_they_stand() {
    let read = |html: &str| {
        let page = page(html);
        let button = page.elements().find(|&node| page.tag(node) == "button").unwrap();
        let snapshot = describe(&page, button, None).unwrap();
        assert_eq!(
            (&snapshot.own_text, snapshot.name.as_ref()),
            (&snapshot.text, Some(&snapshot.text)),
            "{html}"
        );
        snapshot.text
    };
    assert_eq!(read("<button>Open cart (<!-- -->0<!-- -->)</button>"), "Open cart (0)");
    assert_eq!(read("<button>Save<!-- --> <!-- -->all</button>"), "Save all");
    assert_eq!(read("<button>Save <!-- -->all</button>"), "Save all");
    assert_eq!(read("<button>$<!-- -->9<!-- -->.99</button>"), "$9.99");
}

#[test]
fn tables_are_mended_as_browsers_mend_them() {
    assert_eq!(
        body("<table><tr><td>1<td>2<div>out</div></table><table>stray<tr><td>3"),
        "table\n tbody\n  tr\n   td\n    \"1\"\n   td\n    \"2\"\n    div\n     \"out\"\n\"stray\"\ntable\n tbody\n  tr\n   td\n    \"3\""
    );
}

#[test]
fn misnested_tags_are_mended_as_browsers_mend_them() {
    assert_eq!(body("<b>1<p>2</b>3</p>"), "b\n \"1\"\np\n b\n  \"2\"\n \"3\"");
    assert_eq!(body("<a href=x>1<a href=y>2"), "a href=x\n \"1\"\na href=y\n \"2\"");
    assert_eq!(body("<body></p></br><p>x<div>y"), "p\nbr\np\n \"x\"\ndiv\n \"y\"");
}

#[test]
fn attributes_of_the_body_are_gathered_and_the_first_of_two_counts() {
    let page = page("<body class=a><p id=1 id=2><body class=b lang=de>");
    assert_eq!(outline(&page).lines().nth(2), Some(" body class=a lang=de"));
    assert_eq!(outline(&page).lines().nth(3), Some("  p id=1"));
}

#[test]
fn svg_and_mathml_keep_their_names() {
    assert_eq!(
        body("<svg viewbox='0 0 1 1'><lineargradient/><use xlink:href=#a /><path d=M0></svg>"),
        "svg viewBox=0 0 1 1\n !linearGradient\n use xlink:href=#a\n path"
    );
}

#[test]
fn an_open_declarative_shadow_root_is_the_first_child_of_its_host() {
    let html = "<x-card>light<template shadowrootmode=open><p>in<slot></slot></template></x-card>";
    assert_eq!(body(html), "x-card\n #shadow\n  p\n   \"in\"\n   slot\n \"light\"");
}

#[test]
fn a_closed_shadow_root_is_not_seen_and_a_plain_template_is_empty() {
    let closed = "<x-card>light<template shadowrootmode=closed><p>in</template></x-card>";
    assert_eq!(body(closed), "x-card\n \"light\"");
    assert_eq!(body("<p><template><p>in</template>"), "p\n !template");
    // A second one, and one in an element that cannot have any, is a plain template.
    let second =
        "<div><template shadowrootmode=open>1</template><template shadowrootmode=open>2</template></div>";
    assert_eq!(body(second), "div\n #shadow\n  \"1\"\n !template shadowrootmode=open");
    assert_eq!(
        body("<ul><template shadowrootmode=open>1</template></ul>"),
        "ul\n !template shadowrootmode=open"
    );
}

#[test]
fn frames_with_srcdoc_have_their_document_and_others_are_opaque() {
    let html = "<iframe id=a srcdoc='<p>in'>fallback</iframe><p>after";
    assert_eq!(
        body(html),
        "iframe id=a\n #document about:srcdoc\n  html\n   !head\n   body\n    p\n     \"in\"\np\n \"after\""
    );
    let nested = "<iframe srcdoc='<iframe srcdoc=&quot;<i>deep&quot;></iframe>'></iframe>";
    assert!(body(nested).contains("      i\n"), "{}", body(nested));
    let page = page("<iframe src=/other></iframe><iframe></iframe><iframe sandbox srcdoc=x></iframe>");
    let frames: Vec<u32> = page.elements().filter(|&node| page.tag(node) == "iframe").collect();
    assert_eq!(frames.iter().map(|&frame| page.is_opaque(frame)).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(page.inner_root(frames[1]).map(|root| page.data(root)), Some("about:blank"));
}

#[test]
fn what_is_never_drawn_is_not_visible() {
    assert_eq!(body("<p hidden>a<b>b</b></p>"), "!p hidden=\n !\"a\"\n !b\n  !\"b\"");
    assert_eq!(body("<p style='color: red; DISPLAY : none !important'>a"), "!p\n !\"a\"");
    assert_eq!(
        body("<p style='visibility:hidden'>a<b style='visibility:visible'>b"),
        "!p\n !\"a\"\n b\n  \"b\""
    );
    assert_eq!(body("<p style='display:contents'>a<b>b"), "!p\n \"a\"\n b\n  \"b\"");
    assert_eq!(body("<dialog>a</dialog><dialog open>b"), "!dialog\n !\"a\"\ndialog open=\n \"b\"");
    assert_eq!(
        body("<input type=hidden value=1><script>s</script><noscript>n</noscript>"),
        "!input type=hidden\n!script\n!noscript"
    );
}

#[test]
fn what_a_person_can_operate_is_interactive() {
    let page = page(
        "<a>1</a><a href=x>2</a><input type=HIDDEN><input><div role=button>3</div><div tabindex=0>4</div>\
         <div style='cursor:pointer'>5<i>6</i></div>",
    );
    let operable: Vec<&str> =
        page.elements().filter(|&node| page.is_interactive(node)).map(|node| page.tag(node)).collect();
    assert_eq!(operable, ["a", "input", "div", "div", "div"]);
}

#[test]
fn what_was_typed_and_what_is_secret_stays_out() {
    assert_eq!(
        body("<input value=typed><input type=submit value=Send>"),
        "input\ninput type=submit value=Send"
    );
    assert_eq!(body("<textarea>typed</textarea>"), "textarea");
    assert_eq!(
        body("<div contenteditable>typed<b>too</b><i contenteditable=false>said</i></div>"),
        "div contenteditable=\n b\n i contenteditable=false\n  \"said\""
    );
    assert_eq!(
        body("<a href='/?token=abc&x=1' data-api-key=k onclick=x nonce=n style=x>t"),
        "a href=/?token=[redacted]&x=1 data-api-key=[redacted]\n \"t\""
    );
    assert_eq!(body("card 4111 1111 1111 1111"), "\"card [redacted]\"");
    assert_eq!(page("").url(), URL);
    assert_eq!(
        Page::from_html("", "http://a:b@localhost/?token=x").unwrap().url(),
        "http://[redacted]@localhost/?token=[redacted]"
    );
}

#[test]
fn our_own_root_is_not_part_of_a_page() {
    assert_eq!(body("<p>x</p><div data-opentoolbar-root popover=manual><p>pin</p></div>"), "p\n \"x\"");
}

#[test]
fn long_values_and_texts_are_cut_where_the_content_script_cuts() {
    let page = page(&format!("<p title='{}😀b'>{}", "a".repeat(399), "x".repeat(3_000)));
    let p = page.elements().find(|&node| page.tag(node) == "p").unwrap();
    assert_eq!(page.attr(p, "title").unwrap(), format!("{}\u{fffd}", "a".repeat(399)));
    assert_eq!(page.data(p + 1).len(), 2_000);
}

#[test]
fn five_thousand_levels_are_read_and_more_than_the_bound_refused() {
    let page = page(&format!("{}deep", "<div>".repeat(5_000)));
    assert_eq!(page.ancestors(page.len() - 1).count(), 5_003);
    assert_eq!(Page::from_html(&"<div>".repeat(7_000), URL).unwrap_err(), HtmlError::TooDeep);
}

#[test]
fn too_many_bytes_and_too_many_nodes_are_refused() {
    let bytes = MAX_HTML_BYTES + 1;
    assert_eq!(Page::from_html(&" ".repeat(bytes), URL).unwrap_err(), HtmlError::TooManyBytes { bytes });
    assert_eq!(Page::from_html(&"<br>".repeat(MAX_NODES), URL).unwrap_err(), HtmlError::TooManyNodes);
    assert!(Page::from_html(&"<br>".repeat(MAX_NODES - 4), URL).is_ok());
}

#[test]
fn reading_can_be_given_up() {
    let mut asked = 0;
    let attributes: String = (0..200_000).map(|n| format!(" a{n}")).collect();
    let html = format!("<p{attributes}>");
    let result = Page::from_html_while(&html, URL, || {
        asked += 1;
        asked < 5
    });
    assert_eq!(result.unwrap_err(), HtmlError::GivenUp);
}

#[test]
fn an_empty_page_and_one_of_text_only_are_pages() {
    assert_eq!(outline(&page("")), "html\n !head\n body\n");
    assert_eq!(body("just text"), "\"just text\"");
}

/// The other half is `tests/e2e/html.test.ts`, which captures the same pages in browsers.
#[test]
fn what_is_read_from_html_is_what_a_browser_captures() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/html");
    let mut looked_at = 0;
    for entry in std::fs::read_dir(cases).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "html") {
            let page = page(&std::fs::read_to_string(&path).unwrap());
            let captured = std::fs::read_to_string(path.with_extension("txt")).unwrap();
            let mut read = format!("title {}\n", page.title());
            for node in 0..page.len() {
                let quoted = |text: &str| serde_json::to_string(text).unwrap();
                let what = match page.kind(node).unwrap() {
                    NodeKind::Document => format!("#document {}", page.data(node)),
                    NodeKind::ShadowRoot => "#shadow".to_owned(),
                    NodeKind::Text => quoted(page.data(node)),
                    NodeKind::Element => page
                        .attributes(node)
                        .fold(page.tag(node).to_owned(), |line, (n, v)| format!("{line} {n}={}", quoted(v))),
                };
                writeln!(read, "{:1$}{what}", "", page.ancestors(node).count()).unwrap();
            }
            for (line, (read, captured)) in read.lines().zip(captured.lines()).enumerate() {
                assert_eq!(read, captured, "{} line {}", path.display(), line + 1);
            }
            assert_eq!(read.len(), captured.len(), "{}", path.display());
            looked_at += 1;
        }
    }
    assert!(looked_at > 0);
}

/// The other half is `extension/capture/appearance.test.ts`.
#[test]
fn how_an_element_is_drawn_is_told_as_by_the_content_script() {
    let cases: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../tests/cases/drawings.json")).unwrap();
    for case in &cases {
        let said = |name: &str| case[name].as_str().unwrap();
        let page = page(said("html"));
        let found = page.elements().find(|&node| page.tag(node) == said("element")).unwrap();
        assert_eq!(page.drawing(found).unwrap_or(""), said("expect"), "{}", said("what"));
        let again = Page::from_capture(page.to_capture()).unwrap();
        assert_eq!(again.drawing(found), page.drawing(found));
    }
    assert!(cases.len() > 10);
}

/// Pieces that make parsers stumble.
const PIECES: &[&str] = &[
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<a href=x>",
    "<template>",
    "</template>",
    "<template shadowrootmode=open>",
    "<div>",
    "</div>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mi>",
    "<annotation-xml>",
    "<foreignObject>",
    "<select>",
    "<option>",
    "</select>",
    "<form>",
    "</form>",
    "<iframe srcdoc='<b>x'>",
    "</iframe>",
    "<frameset>",
    "<frame>",
    "</html>",
    "<body>",
    "</body>",
    "<head>",
    "</head>",
    "<script>",
    "</script>",
    "<title>",
    "</title>",
    "<caption>",
    "<colgroup>",
    "<col>",
    "<x-a>",
    "</x-a>",
    "<button>",
    "<li>",
    "<nobr>",
    "<applet>",
    "<marquee>",
    "</marquee>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<plaintext>",
    "<hr>",
    "&am",
    "&amp;",
    "\0",
    "text",
    " ",
    "<",
    "<a ",
    "'",
    "<selectedcontent>",
    "<input type=hidden>",
    "<ruby>",
    "<rt>",
    "<h1>",
    "</h2>",
    "<image>",
];

/// Those in any order.
fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_soup_of_tags_is_a_page_that_its_capture_gives_again(html in soup()) {
        let page = page(&html);
        let again = Page::from_capture(page.to_capture()).unwrap();
        prop_assert_eq!(outline(&again), outline(&page));
        prop_assert!(!page.has_layout());
    }

    #[test]
    fn any_bytes_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        page(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text_is_a_page(html in "\\PC{0,200}") {
        page(&html);
    }
}
