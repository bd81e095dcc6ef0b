#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
use proptest::prelude::*;

use super::super::{Forms, diverse, forms};
use super::ordinary::{css, locator, xpath};
use super::*;
use crate::element::looked_during;
use crate::page::arbitrary::{page, pieces};

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

#[test]
fn strings_and_values_lose_their_secrets() {
    for (selector, expected) in [
        (r#"a[href="/x?token=hunter2"]"#, r#"a[href="/x?token=[redacted]"]"#),
        ("a[href='/x?token=hunter2' i] > b", "a[href='/x?token=[redacted]' i] > b"),
        (r#"[ data-token ~= "hunter2"]"#, r#"[ data-token ~= "[redacted]"]"#),
        ("[data-token=hunter2].on", r#"[data-token="[redacted]"].on"#),
        ("[DATA-TOKEN=hunter2]", r#"[DATA-TOKEN="[redacted]"]"#),
        (r#"[data-token="hunt\65 r2"]"#, r#"[data-token="[redacted]"]"#),
        (r"[title=SECRET]", r#"[title="[redacted]"]"#),
        (r#"p:text-is("SECRET")"#, r#"p:text-is("[redacted]")"#),
        (r#"p:text-is("a \"quoted\" SECRET")"#, r#"p:text-is("a \"quoted\" [redacted]")"#),
        (r#"p:has-text("SECRET"#, r#"p:has-text("[redacted]"#),
        ("//a[@data-token='hunter2']/b[2]", "//a[@data-token='[redacted]']/b[2]"),
        ("//a[contains(., 'SECRET')]", "//a[contains(., '[redacted]')]"),
        ("//a[contains(@data-token, 'hunter2')]", "//a[contains(@data-token, '[redacted]')]"),
        ("page.getByText('SECRET').nth(1)", "page.getByText('[redacted]').nth(1)"),
        (
            r#"page.locator('#a > [data-token="hunter2"]')"#,
            r#"page.locator('#a > [data-token="[redacted]"]')"#,
        ),
        ("text=SECRET", "text=[redacted]"),
        ("[/* SECRET */a=b]", "[/* [redacted] */a=b]"),
        ("[a=/* SECRET */b]", "[a=/* [redacted] */b]"),
        ("[data-to\u{ad}ken=hunter2]", "[data-to\u{ad}ken=\"[redacted]\"]"),
        ("[data-token\u{ad}=hunter2]", "[data-token\u{ad}=\"[redacted]\"]"),
        ("main SECRET", "main [redacted]"),
    ] {
        let put = |text: &str| text.replace("SECRET", SECRET);
        assert_eq!(redact_selector(&put(selector)), expected, "{selector}");
    }
}

#[test]
fn what_names_parts_of_the_page_stays() {
    for selector in [
        "#css-9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0 > .sc-9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0:nth-child(2)",
        r#"[id="9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0"], [class~='9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0'] + i"#,
        "//*[@id='9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0']/div[contains(concat(' ', @class, ' '), ' 9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0 ')]",
        "page.locator('#css-9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0').getByRole('button', { name: 'Save', exact: true })",
        r#"form.login input[type="password"][name="password"][autocomplete="current-password"]"#,
        r#"[data-testid="token-input"] >>> label[for="api-key"]:text-is("Password")"#,
        r"#radix-\:r1\: > .md\:w-1\/2",
        "",
        "\\",
        "[",
    ] {
        assert_eq!(redact_selector(selector), selector);
    }
}

/// A field's value is judged with what else is said of the field.
#[test]
fn the_value_of_a_secret_field_goes() {
    for field in [
        r#"input[type=password][value="VALUE"]"#,
        r#"[type="password"][value="VALUE"]"#,
        r#"[value=VALUE][type=password]"#,
        r#"[TYPE="PASSWORD" i][Value="VALUE"]"#,
        r#"input[type="pass\77ord"][value^="VALUE"]"#,
        r#"input[autocomplete="cc-number"][value="VALUE"]"#,
        r#"input[autocomplete="section-a one-time-code"][value="VALUE"]"#,
        r#"input[name="card_number"][data-value="VALUE"]"#,
        r#"input#password[value="VALUE"]"#,
        r#"input:is([type=password], [type=text])[value="VALUE"]"#,
        r#"input[type=password]:not([value="VALUE"])"#,
        r#"form:has(input[type=password][value="VALUE"])"#,
        r#"input:not(:not([type=password]))[value="VALUE"]"#,
        r#"input[type^=pass][value="VALUE"]"#,
        r#"input[type$="WORD"][value="VALUE"]"#,
        r#"input[type*='idde'][value="VALUE"]"#,
        r#"input[autocomplete^="one-time"][value="VALUE"]"#,
        "//input[contains(@type,'passw')][@value='VALUE']",
        "//input[starts-with(@autocomplete, 'cc')][@value='VALUE']",
        r#"meta[name="csrf-token"][content="VALUE"]"#,
        r#"[content="VALUE"][name="csrf-token"]"#,
        r#"//input[@type='password' and @value='VALUE']"#,
        r#"//input[@type="password"][@value="VALUE"]"#,
        r#"//input['password'=@type]['VALUE'=@value]"#,
        r#"//input[@type='password']/@value[.='VALUE']"#,
        r#"//form[.//input[@type='password'][contains(@value,'VALUE')]]"#,
        r#"//form[input/@type='password' and input/@value='VALUE']"#,
        r#"//input[@type='password']/self::*[@value='VALUE']"#,
        r#"page.locator('input[type="password"][value="VALUE"]')"#,
        r#"page.getByLabel('Password').fill('VALUE')"#,
    ] {
        let out = redact_selector(&field.replace("VALUE", "hunter2"));
        assert!(!out.contains("hunter2") && out.contains(REDACTED), "{out}");
    }
    for ordinary in [
        r#"input[type="text"][value="VALUE"]"#,
        r#"input[type^="text"][value="VALUE"]"#,
        r#"input[autocomplete*="email"][value="VALUE"]"#,
        r#"input:not([type="hidden"])[value="VALUE"]"#,
        r#"input[type="password"] ~ button[value="VALUE"]"#,
        r#"button[name="password"][value="VALUE"]"#,
        r#"//input[@type='password']/following::input[@value='VALUE']"#,
        r#"meta[name="description"][content="VALUE"]"#,
    ] {
        let ordinary = ordinary.replace("VALUE", "show");
        assert_eq!(redact_selector(&ordinary), ordinary);
    }
}

/// Ways to say that an attribute has a value, or begins with it, or is not it.
const SPELLINGS: &[&str] = &[
    r#"[NAME="VALUE"]"#,
    "[NAME='VALUE']",
    "[NAME=VALUE]",
    r#"[NAME~="VALUE"]"#,
    r#"[NAME|="VALUE"]"#,
    r#"[NAME^="VALUE"]"#,
    r#"[NAME$="VALUE"]"#,
    r#"[NAME*="VALUE"]"#,
    "[NAME^=VALUE]",
    r#"[NAME!="VALUE"]"#,
    r#"[NAME="VALUE" i]"#,
    r#"[NAME="VALUE"s]"#,
    "[NAME=VALUE i]",
    r#"[ NAME = "VALUE" ]"#,
    "[\n\tNAME\n=\n'VALUE'\n]",
    r#"[*|NAME="VALUE"]"#,
    r#"[|NAME="VALUE"]"#,
    "[|NAME=VALUE]",
    r#"[svg|NAME="VALUE"]"#,
    r#"[/**/NAME="VALUE"]"#,
    r#"[NAME/**/="VALUE"]"#,
    r#"[NAME=/**/"VALUE"]"#,
    r#"[NAME="VALUE"/**/]"#,
    "[NAME/* a */=/* b */VALUE]",
    r#"[NAME/*'*/="VALUE"]"#,
    r#"[NAME/*"*/=/*]*/VALUE]"#,
    r#"[NAME="VALUE"#,
    "[NAME=VALUE",
    "[NAME='VALUE\"]",
    r#"[NAME "VALUE"]"#,
    "[NAME VALUE]",
    "[NAME: VALUE]",
    r#"[NAME=="VALUE"]"#,
    r#"[NAME="a\"VALUE"]"#,
    r"[NAME='a\'VALUE']",
    r"[NAME=a\]VALUE]",
    r"[NAME=a\ VALUE]",
    r#"[NAME="a]VALUE"]"#,
    r#"a:is([NAME="VALUE"], b)"#,
    r#"a:not([NAME="VALUE"])"#,
    r#"a:has(> b[NAME=VALUE])"#,
    r#"a:is(b:not(:where([NAME="VALUE"])))"#,
    r#"main >> [NAME="VALUE"]"#,
    r#"css=[NAME="VALUE"]"#,
    r#"main >> css=a[NAME=VALUE] >> nth=0"#,
    "text=Save >> [NAME=VALUE]",
    r#"text="Save" >> [NAME="VALUE"]"#,
    "x-host >>> [NAME=VALUE]",
    r#"x-host >>> //a[@NAME="VALUE"]"#,
    "NAME=VALUE",
    r#"NAME="VALUE""#,
    r#"_react=Field[props.NAME = "VALUE"]"#,
    r#"role=button[NAME="VALUE"]"#,
    r#"internal:attr=[NAME="VALUE"i]"#,
    r#"internal:has="a[NAME=\"VALUE\"]""#,
    "//a[@NAME='VALUE']",
    r#"//a[@NAME="VALUE"]"#,
    "//a[ @NAME = 'VALUE' ]",
    "//a[@ NAME='VALUE']",
    "//a[@NAME!='VALUE']",
    "//a['VALUE'=@NAME]",
    "//a['VALUE' = string(@NAME)]",
    "//a[@NAME[.='VALUE']]",
    "//a[@NAME[contains(., 'VALUE')]]",
    "//a[@NAME[contains(concat(., @class), 'VALUE')]]",
    "//a[contains(@NAME,'VALUE')]",
    "//a[contains('VALUE', @NAME)]",
    "//a[starts-with(@NAME, 'VALUE')]",
    "//a[starts-with(normalize-space(@NAME), 'VALUE')]",
    "//a[substring(@NAME, 2) = 'VALUE']",
    "//a[attribute::NAME='VALUE']",
    "//a[attribute :: NAME='VALUE']",
    "//a[@x:NAME='VALUE']",
    "//a[contains(@x:NAME,'VALUE')]",
    "//a[@NAME=concat('VALUE','')]",
    "//a[concat(\"VALUE\", '\"')=@NAME]",
    "//a[translate(@NAME,'A','a')='VALUE']",
    "//a[(@NAME)[1]='VALUE']",
    "//a[b/@NAME='VALUE']",
    "//a[../@NAME='VALUE' or @id='b']",
    "//a[@id='b' and @NAME='VALUE']",
    "//a[not(@NAME='VALUE')]",
    "//@NAME[.='VALUE']",
    "//a/@NAME[contains(., 'VALUE')]",
    "//a/@NAME = 'VALUE'",
    "//@*[name()='NAME'][.='VALUE']",
    "//@*[local-name()='NAME' and .='VALUE']",
    "//*[@*[name()='NAME']='VALUE']",
    "//*[@*['NAME'=name()]='VALUE']",
    "//*[@*[name(.)='NAME']='VALUE']",
    "//*[@*[ local-name ( . ) = 'NAME']='VALUE']",
    "//*[@*['NAME' = name( )]='VALUE']",
    "//*[@*[contains(name(.), 'NAME')]='VALUE']",
    "//a[NAME='VALUE']",
    "//a[contains(NAME, 'VALUE')]",
    "(//a)[@NAME='VALUE'][1]",
    "//a[@x='a\\' and @NAME='VALUE']",
    "//a[@NAME='a\\'VALUE']",
    "//a[@NAME=\"a\\\"]VALUE\"]",
    "a[@x='a\\' and @NAME='VALUE']",
    "//a[@NAME='VALUE",
    "xpath=//a[@NAME='VALUE']",
    "//a[@NAME(: x :)='VALUE']",
    r#"page.locator('[NAME="VALUE"]')"#,
    r#"page.locator("[NAME=\"VALUE\"]").first()"#,
    "page.locator('[NAME=VALUE]')",
    "page.locator(`[NAME='VALUE']`)",
    r#"locator('css=[NAME="VALUE"]')"#,
    "page.locator('xpath=//a[@NAME=\"VALUE\"]')",
    "page.locator('//a[@NAME=\\'VALUE\\']')",
    r#"page.locator('li').filter({ has: page.locator('[NAME="VALUE"]') })"#,
    r#"page.frameLocator('[NAME="VALUE"]').getByText('Save')"#,
    r#"page.click('[NAME="VALUE"]')"#,
    r#"document.querySelector('[NAME="VALUE"]')"#,
    r#"page.getByText(/"/).locator('[NAME=VALUE]')"#,
];

/// Ways to write a name.
fn names() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "data-token",
        "DATA-TOKEN",
        "Data-Token",
        "data_token",
        "api-key",
        "password",
        r"data\-token",
        r"\64 ata-token",
        r"d\000061ta-toke\6e ",
        "access_token",
        "client-secret",
    ])
    .prop_map(str::to_owned)
}

#[test]
fn no_spelling_of_a_secret_attribute_keeps_the_value() {
    let names = ["data-token", "DATA-TOKEN", r"data\-token", r"\64 ata-token", "password"];
    let mut left = Vec::new();
    for spelling in SPELLINGS {
        for name in names {
            // Names in XPath and in strings of a program have no escapes.
            if name.contains('\\')
                && (spelling.contains("//") || spelling.contains('@') || spelling.contains("=NAME"))
            {
                continue;
            }
            let selector = spelling.replace("NAME", name).replace("VALUE", "hunter2x");
            let out = redact_selector(&selector);
            if out.contains("hunter2x") || out == REDACTED || redact_selector(&out) != out {
                left.push(format!("{selector}  ->  {out}"));
            }
        }
    }
    assert!(left.is_empty(), "{} left:\n{}", left.len(), left.join("\n"));
}

#[test]
fn a_locator_stays_well_formed() {
    for (locator, expected) in [
        (r#"locator('css=[data-token="x1"]')"#, r#"locator('css=[data-token="[redacted]"]')"#),
        (
            r#"page.locator("a[data-token=\"x1\"] >> text=Save").first()"#,
            r#"page.locator("a[data-token=\"[redacted]\"] >> text=Save").first()"#,
        ),
        ("css=[data-token=x1] >> nth=0", r#"css=[data-token="[redacted]"] >> nth=0"#),
        ("//a['x1'=@data-token]/b", "//a['[redacted]'=@data-token]/b"),
        ("//a[@data-pin=482910]", r#"//a[@data-pin="[redacted]"]"#),
        (r"[data-token=a\]b].on", r#"[data-token="[redacted]"].on"#),
        (r"[data\-token=x1]", r#"[data\-token="[redacted]"]"#),
        (r#"[data-token="x1" i] > a"#, r#"[data-token="[redacted]" i] > a"#),
        ("[data-token=x1 i] > a", r#"[data-token="[redacted]" i] > a"#),
    ] {
        assert_eq!(redact_selector(locator), expected, "{locator}");
    }
}

#[test]
fn what_is_too_deep_or_too_much_to_be_told_apart_is_removed_with_bounded_work() {
    let deep = format!("{}[data-token='hunter2x'", "//a[b".repeat(1_600));
    let many = format!("[data-token={}'hunter2x']", "a=".repeat(3_000));
    let values = format!("[type=password]{}", "[value='hunter2x']".repeat(440));
    let pairs = format!("a{}[value='hunter2x'][type=password]", "[name=q]".repeat(900));
    let calls = "locator('[data-token=hunter2x]')".repeat(250);
    for selector in [deep, many, values, pairs, calls] {
        let out = redact_selector(&selector);
        assert!(!out.contains("hunter2x"), "{out}");
        // No more is written than is read, but for what stands for secrets.
        assert!(out.len() <= selector.len() + 12 * selector.matches("hunter2x").count(), "{}", out.len());
    }
}

/// Bytes that are looked at to read `sign` as often as it fits into so many, between these.
fn looked_at(before: &str, sign: &str, behind: &str, bytes: usize) -> usize {
    let selector = [before, &sign.repeat(bytes / sign.len()), behind].concat();
    super::look::LOOKED.set(0);
    drop(read(&selector, false));
    super::look::LOOKED.get()
}

#[test]
fn each_byte_is_looked_at_a_constant_number_of_times() {
    const SIGNS: &[&str] = &[
        "\"", "'", "`", " ", "[", "]", "(", ")", "/*", "*/", "\\", "=", "!", ",", ".", "#", ":", ">>", "|",
        "@", "$", "a", "é", "css=", "|a b", "fill(", "\"a\"", "?.", "<", "${", "/", "fill([", ".value=",
        "a//", "\n", "[a+", "eval(", "\\u{0",
    ];
    let mut grown = Vec::new();
    for (at, &one) in SIGNS.iter().enumerate() {
        for other in [""].into_iter().chain(SIGNS[at + 1..].iter().copied()) {
            let sign = [one, other].concat();
            for (before, behind) in [("a", "b"), ("//a[", "=]"), ("*/", "[*/")] {
                let (few, many) =
                    (looked_at(before, &sign, behind, 1_024), looked_at(before, &sign, behind, 8_192));
                if many > 10 * few.max(1_024) {
                    grown.push(format!("{before}{sign}...{behind}: {few}, {many}"));
                }
            }
        }
    }
    assert!(grown.is_empty(), "{} grew:\n{}", grown.len(), grown.join("\n"));
}

/// Comparisons that say much of the element, before as many values as there is room for.
fn much_said(of: &str, letter: &str, name: &str, bytes: usize) -> String {
    let values = "\"a\"".repeat(bytes / 24);
    let names = [name; 14].join("=");
    let each = bytes.saturating_sub(values.len() + names.len()) / 15;
    let word = letter.repeat(each / letter.len());
    format!("meta{}[{names}={values}]", format!("[{of}=\"{word}\"]").repeat(15))
}

#[test]
fn what_is_said_of_an_element_is_judged_once_and_not_for_each_value() {
    let mut grown = Vec::new();
    for of in ["name", "property", "id", "type", "autocomplete"] {
        for letter in ["a", "é", "%", "-", "\u{ff21}"] {
            for name in ["content", "value", "data-value", "title", "nonce"] {
                let looked = |bytes| {
                    let selector = much_said(of, letter, name, bytes);
                    looked_during(|| drop(redact_selector(&selector)))
                };
                let (few, many) = (looked(1_024), looked(8_192));
                if many > 10 * few.max(1_024) || many > 100 * 8_192 {
                    grown.push(format!("{of} {letter} {name}: {few}, {many}"));
                }
            }
        }
    }
    assert!(grown.is_empty(), "{} grew:\n{}", grown.len(), grown.join("\n"));
}

#[test]
fn what_is_typed_goes_however_the_call_is_written() {
    let mut left = Vec::new();
    for call in [
        r##"page.fill("#login", "hunter2")"##,
        r##"page.fill("#login","hunter2")"##,
        r##"await page.type( '#login' , /* x */ 'hunter2', { delay: 10 })"##,
        "page.getByLabel('Name').fill(\n  'hunter2')",
        "page.getByLabel('Name').fill (\t'hunter2')",
        "page.getByLabel('Name').fill/* ( */(/* ) */'hunter2')",
        "page.getByLabel('Name').fill('hunter2', 'x')",
        "page.getByLabel('Name').fill(('hunter2'))",
        "page.getByLabel('Name').fill(String('hunter2'))",
        "page.getByLabel('Name')\n  .\n  fill('hunter2')",
        r#"page.get_by_label("Name").fill(value="hunter2")"#,
        r#"page.get_by_label("Name").press_sequentially("hunter2")"#,
        r#"page.get_by_label("Name").fill(r"hunter2")"#,
        r#"driver.find_element(By.ID, "login").send_keys("hunter2")"#,
        r#"driver.find_element(By.ID, "login").send_keys("hunter2", "x")"#,
        "$('#login').val('hunter2')",
        "$('#login').setValue(`hunter2`)",
        "expect(page.locator('#login')).toHaveValue('hunter2')",
        "expect(page.locator('#login')).not.toHaveValue('hunter2')",
        "page.selectOption('#login', 'hunter2')",
        "page.locator('#login').selectOption('hunter2')",
        "page.locator('#login').select_option(['a', 'hunter2'])",
        "page.locator('#login').selectOption({ value: 'hunter2' })",
        "userEvent.type(x, 'hunter2')",
        "userEvent.type(screen.getByLabelText('Name'), 'hunter2')",
        "cy.get('#login').clear().type('hunter2{enter}')",
        "(await page.$('#login')).type('hunter2')",
        "screen.getByDisplayValue('hunter2')",
        // What is called, however it is named.
        r##"page["fill"]("#login", "hunter2")"##,
        r##"page['fill']('#login', 'hunter2')"##,
        "page[`fill`]('#login', `hunter2`)",
        r##"page[ /* x */ "fill" ] /* y */ ("#login", "hunter2")"##,
        r##"page["f\u0069ll"]("#login", "hunter2")"##,
        r##"page?.["fill"]?.("#login", "hunter2")"##,
        "page.getByLabel('Name')['fill']('hunter2')",
        "page.getByLabel('Name')[\n'fill'\n]\n(\n'hunter2'\n)",
        "page.getByLabel('Name').fill?.('hunter2')",
        "page.getByLabel('Name').fill ?. /* x */ ('hunter2')",
        "page.getByLabel('Name')?.fill?.('hunter2')",
        "page.getByLabel('Name').fill!('hunter2')",
        "page.getByLabel('Name').fill<string>('hunter2')",
        "page.getByLabel('Name').fill // x\n ('hunter2')",
        "page.fill.call(page, '#login', 'hunter2')",
        "page.fill.apply(page, ['#login', 'hunter2'])",
        "page.getByLabel('Name').fill`hunter2`",
        // What it is given, however that is written.
        "page.getByLabel('Name').fill(`hunter2`)",
        "page.getByLabel('Name').fill(`${'hunter2'}`)",
        "page.getByLabel('Name').fill(`a${`b${\"hunter2\"}`}c`)",
        "page.getByLabel('Name').fill(`${x ? {a: 'b'} : '}'}hunter2`)",
        "page.getByLabel('Name').fill('a' + 'hunter2')",
        "page.getByLabel('Name').fill(x ?? 'hunter2')",
        "page.getByLabel('Name').fill('hunter2'.trim())",
        "page.getByLabel('Name').fill(['hunter2'].join(''))",
        "expect(page.locator('#login')).toHaveValue(/hunter2/i)",
        "expect(page.locator('#login')).toHaveValues([/a/, /[/]hunter2\\//])",
        "page.getByLabel('Name').fill(\n  /* x */\n  'hunter2',\n)",
        // Calls of other libraries.
        "cy.get('#login').select('hunter2')",
        "cy.get('#login').should('have.value', 'hunter2')",
        "cy.get('#login').invoke('val', 'hunter2')",
        "$('#login').attr('value', 'hunter2')",
        r##"page.select("#login", "hunter2")"##,
        "page.keyboard.sendCharacter('hunter2')",
        "page.keyboard.press('hunter2')",
        "page.locator('#login').press('hunter2')",
        "page.press('#login', 'hunter2')",
        "browser.keys(['hunter2'])",
        "userEvent.keyboard('hunter2{enter}')",
        "userEvent.paste('hunter2')",
        "fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'hunter2' } })",
        "fill_in('Name', with: 'hunter2')",
        r##"document.querySelector("#login").value = "hunter2""##,
        r##"document.querySelector("#login")["value"] = "hunter2""##,
        "document.querySelector('#login').setAttribute('value', 'hunter2')",
        "expect(page.locator('#login')).toHaveAttribute('value', 'hunter2')",
    ] {
        let out = redact_selector(call);
        if out.contains("hunter2") || !out.contains(REDACTED) || redact_selector(&out) != out {
            left.push(format!("{call} -> {out}"));
        }
        // Which of two is the selector is not known there, or the label is given to what types.
        let is_unsure = ["call(", "apply(", "fill_in("].iter().any(|with| call.contains(with));
        let is_kept = |kept: &str| is_unsure || call.contains(kept) <= out.contains(kept);
        if !is_kept("#login") || !is_kept("'Name'") || !is_kept("\"login\"") {
            left.push(format!("{call} -> {out}"));
        }
    }
    assert!(left.is_empty(), "{} left:\n{}", left.len(), left.join("\n"));
}

#[test]
fn numbers_that_are_typed_go_and_how_they_are_typed_stays() {
    let mut left = Vec::new();
    for call in [
        "page.getByLabel('PIN').fill(4829)",
        "page.getByLabel('PIN').fill( /* x */ 4829 )",
        "page.getByLabel('PIN')['fill']?.(4829)",
        "page.getByLabel('PIN').fill(-48.4829)",
        "page.getByLabel('PIN').fill(.4829)",
        "page.getByLabel('PIN').fill(0x4829n)",
        "page.getByLabel('PIN').fill(String(4829))",
        "page.getByLabel('PIN').fill(x, 4829)",
        "page.getByLabel('PIN').fill(\"a\" + 4829)",
        "page.getByLabel('PIN').select_option([1, 4829])",
        "page.getByLabel('PIN').selectOption({ index: 4829 })",
        "expect(page.getByLabel('PIN')).toHaveValue(4829)",
        "cy.get('#pin').should('have.value', 4829)",
        "page.fill('#pin', 4829)",
        "document.querySelector('#pin').value = 4829",
    ] {
        let out = redact_selector(call);
        let is_kept = |kept: &str| call.contains(kept) <= out.contains(kept);
        let is_gone = !out.contains("4829") && out.contains(REDACTED);
        if !is_gone || !is_kept("#pin") || !is_kept("'PIN'") || redact_selector(&out) != out {
            left.push(format!("{call} -> {out}"));
        }
    }
    for call in [
        "page.getByRole('row').nth(4829).click({ timeout: 4829 })",
        "page.getByLabel('PIN').fill(pin, { timeout: 4829 })",
        "page.get_by_label('PIN').press_sequentially(pin, delay=4829)",
        "page.getByLabel('PIN').press('Enter')",
        "page.keyboard.press('Control+Shift+a')",
        "page.press('#pin', 'Shift+Tab')",
        "browser.keys(['Meta', 'F12'])",
        "page.getByLabel('PIN').fill(process.env.PIN)",
        "li:nth-of-type(4829) > a[href!='x']",
        "page.waitFor('a < b', c!(4829))",
        "page.getByLabel('a').value",
    ] {
        let out = redact_selector(call);
        if out != call {
            left.push(format!("{call} -> {out}"));
        }
    }
    assert!(left.is_empty(), "{} left:\n{}", left.len(), left.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_ordinary_selector_is_the_same_byte_for_byte(selector in prop_oneof![css(), xpath(), locator()]) {
        prop_assert_eq!(redact_selector(&selector), selector);
    }

    #[test]
    fn a_secret_anywhere_in_a_selector_goes(
        before in prop_oneof![Just(String::new()), css()],
        spelling in prop::sample::select(SPELLINGS.iter().filter(|one| one.starts_with('[') && one.ends_with(']')).copied().collect::<Vec<_>>()),
        name in names(),
        value in "[a-zA-Z]{3}[0-9][a-zA-Z0-9]{4,12}",
    ) {
        let blank = if before.is_empty() { "" } else { " " };
        let selector = [&before, blank, &spelling.replace("NAME", &name).replace("VALUE", &value)].concat();
        let out = redact_selector(&selector);
        prop_assert!(!out.contains(&value), "{} -> {}", selector, out);
        prop_assert_eq!(redact_selector(&out), out);
    }

    #[test]
    fn once_more_changes_nothing_and_nothing_panics(selector in "(\\PC|[\\[\\]=\"'`\\\\#.:() >@~,]|token|[a-z]{1,6}|ghp_16C7e42F292c6912E7710c838347Ae178B4a|locator\\('|é){0,30}") {
        let once = redact_selector(&selector);
        prop_assert_eq!(redact_selector(&once), once);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_we_make_ourselves_is_the_same_byte_for_byte(pieces in pieces()) {
        let page = page(pieces);
        for node in page.elements() {
            let Forms { css, xpath, playwright } = forms(&page, node).unwrap();
            let selectors = diverse(&page, node, 4).unwrap();
            for made in selectors.into_iter().chain([css, xpath]).chain(playwright) {
                prop_assert_eq!(redact_selector(&made), made);
            }
        }
    }
}
