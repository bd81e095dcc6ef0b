//! What is typed goes by whatever name it is typed.
use super::*;

/// Those of which something is left, or which change when done again.
fn left(calls: &[&str], kept: &[&str], redact: fn(&str) -> String) -> Vec<String> {
    let is_left = |call: &&&str| {
        let out = redact(call);
        let is_kept = kept.iter().all(|kept| call.contains(kept) <= out.contains(kept));
        out.contains("hunter2") || !out.contains(REDACTED) || !is_kept || redact(&out) != out
    };
    calls.iter().filter(is_left).map(|call| format!("{call} -> {}", redact(call))).collect()
}

fn nothing_is_left(calls: &[&str], kept: &[&str]) {
    let left = left(calls, kept, redact_selector);
    assert!(left.is_empty(), "{} left:\n{}", left.len(), left.join("\n"));
}

#[test]
fn names_of_other_languages_type_too() {
    nothing_is_left(
        &[
            r##"await page.FillAsync("#p", "hunter2horse")"##,
            r##"await page.Locator("#p").FillAsync("hunter2horse")"##,
            r##"await page.GetByLabel("Name").TypeAsync("hunter2horse")"##,
            r##"await page.GetByLabel("Name").PressSequentiallyAsync("hunter2horse")"##,
            r##"await page.Locator("#p").PressAsync("hunter2horse")"##,
            r##"await page.Locator("#p").SelectOptionAsync(new[] { "hunter2horse" })"##,
            r##"await Expect(page.Locator("#p")).ToHaveValueAsync("hunter2horse")"##,
            r##"await page.Locator("#p").EvaluateAsync("(e, v) => e.value = v", "hunter2horse")"##,
            r##"await page.Keyboard.InsertTextAsync("hunter2horse")"##,
        ],
        &["\"#p\"", "\"Name\"", "(e, v) => e.value = v"],
    );
}

#[test]
fn signs_that_nobody_sees_or_tells_apart_hide_no_name() {
    nothing_is_left(
        &[
            "page.getByLabel('Name').fill\u{200b}('hunter2')",
            "page.getByLabel('Name').fi\u{200b}ll('hunter2')",
            "page.getByLabel('Name').\u{2060}fill('hunter2')",
            "page.getByLabel('Name').\u{ff46}\u{ff49}\u{ff4c}\u{ff4c}('hunter2')",
            "page.getByLabel('Name').fill\u{ff08}'hunter2'\u{ff09}",
            "page.getByLabel('Name')\u{ff0e}fill(\u{ff02}hunter2\u{ff02})",
            "page.getByLabel('Name')['fi\u{ff4c}l']('hunter2')",
            "page.getByLabel('Name').\u{7}fill('hunter2')",
            r"page.getByLabel('Name').\u{66}ill('hunter2')",
            r"page.getByLabel('Name').f\u{000000069}ll('hunter2')",
            r"page.getByLabel('Name').\u0066ill('hunter2')",
            r"page.getByLabel('Name')['\u{66}ill']('hunter2')",
            r"document.querySelector('Name').\u{76}alue = 'hunter2'",
        ],
        &["'Name'"],
    );
    let shown = "page.getByText('\u{ff08}Save\u{200b}\u{ff09}').locator('.\u{ff46}ill')";
    assert_eq!(redact_selector(shown), shown);
}

#[test]
fn a_name_that_is_made_up_while_it_runs_may_type() {
    nothing_is_left(
        &[
            "page.getByLabel('Name')['f'+'ill']('hunter2')",
            "page.getByLabel('Name')[ 'f' + 'ill' ]?.('hunter2')",
            "page.getByLabel('Name')[`f${'ill'}`]('hunter2')",
            "page.getByLabel('Name')[['fi', 'll'].join('')]('hunter2')",
            "page.getByLabel('Name')[name]('hunter2')",
            "page.getByLabel('Name')[name]/* x */('hunter2')",
            "page.getByLabel('Name')[name].call(x, 'hunter2')",
            "page.getByLabel('Name')[name]`hunter2`",
            "page[0]('hunter2')",
            "document.querySelector('Name')['val' + 'ue'] = 'hunter2'",
            "page.getByLabel('Name').fill.bind(x)('hunter2')",
            "page.getByLabel('Name').fill.bind(x, 'hunter2')()",
            "getattr(page.get_by_label('Name'), 'fill')('hunter2')",
            "Reflect.apply(x.fill, x, ['hunter2'])",
        ],
        &[],
    );
    nothing_is_left(&["page.getByLabel('Name')[name]('hunter2')"], &["'Name'"]);
}

#[test]
fn what_a_script_is_given_and_what_a_browser_keeps_is_typed() {
    nothing_is_left(
        &[
            "page.locator('#p').evaluate((e, v) => { e.value = v }, 'hunter2')",
            "page.locator('#p').evaluate(\"e => e.value = 'hunter2'\")",
            "page.locator('#p').evaluate('(e, v) => { e.value = v }', 'hunter2')",
            "page.locator('#p').evaluateAll((e, v) => {}, ['hunter2'])",
            "page.$eval('#p', (e, v) => { e.value = v }, 'hunter2')",
            "page.$$eval('#p', (e, v) => {}, 'hunter2')",
            "page.eval_on_selector('#p', x, 'hunter2')",
            "driver.executeScript('arguments[0].value = arguments[1]', e, 'hunter2')",
            "driver.execute_script(\"arguments[0].value='hunter2'\", e)",
            "browser.execute((v) => {}, 'hunter2')",
            "page.waitForFunction(v => v, 'hunter2')",
            "context.addCookies([{ name: 'sid', value: 'hunter2' }])",
            "await context.AddCookiesAsync(new[] { new Cookie { Name = \"sid\", Value = \"hunter2\" } })",
            "context.add_cookies([{\"name\": \"sid\", \"value\": \"hunter2\"}])",
            "cy.setCookie('sid', 'hunter2')",
            "driver.add_cookie({'name': 'sid', 'value': 'hunter2'})",
            "page.setExtraHTTPHeaders({ Authorization: 'hunter2' })",
            "page.set_extra_http_headers({\"Authorization\": \"hunter2\"})",
            "context.setHTTPCredentials({ username: 'a', password: 'hunter2' })",
            "page.authenticate({ username: 'a', password: 'hunter2' })",
            "localStorage.setItem('sid', 'hunter2')",
        ],
        &["'#p'"],
    );
    for ordinary in [
        r#"document.evaluate("//a[@title='Save']", document, null, 9, null).singleNodeValue"#,
        "page.locator('li').evaluate('e => e.textContent')",
        "page.evaluate('a < b')",
        "page.$('#p').$eval('.a > b')",
        "page.locator('a[href=\"/x\"] (b)')",
        "//a[1] | (//b)[2]",
        "page.getByText(/(a)(1)/)",
        "page.frames()[0].getByText('Save')",
        "x-async-type, :nth-of-type(2)",
    ] {
        assert_eq!(redact_selector(ordinary), ordinary);
    }
}

#[test]
fn of_a_secret_field_each_value_goes() {
    let addresses = [
        r#"input[value="hunter2"]"#,
        "input[value^=hunter2]",
        "form > input[Value='hunter2' i]",
        r#"input[defaultValue="hunter2"]"#,
        r#"input:not([data-value="hunter2"])"#,
        r#"//input[@value="hunter2"]"#,
        "//input[contains(@value, 'hunter2')]",
        r#"getByLabel("Password").and(page.locator("[value=hunter2]"))"#,
        r#"page.locator("//input[@value='hunter2']")"#,
        r#"page.locator('form').filter({ has: page.locator('css=[value="hunter2"]') })"#,
        r#"_react=Field[props.value="hunter2"]"#,
    ];
    let left = left(&addresses, &["Password", "form"], |address| redact_selector_of(address, true));
    assert!(left.is_empty(), "{} left:\n{}", left.len(), left.join("\n"));
    for address in addresses {
        assert_eq!(redact_selector(address), address);
    }
    let ordinary = r#"button[value="save"] + input#p[name="q"][type=password]"#;
    assert_eq!(redact_selector_of(ordinary, true), ordinary);
}
