//! What pages said, without secrets, whoever captured it: the extension has looked, another client may not have.
//!
//! Anchors stay as they are: they hold hashes, and beginnings of texts that are redacted when they are told.

use std::borrow::Cow;

use super::{Addresses, Comment, CommentChange, Session, Target, TargetState, Varied, limits};
use crate::element::{
    ElementBrief, ElementSnapshot, REDACTED, is_secret_field, redact_attribute, redact_text,
};
use crate::selector::redact_selector_of;
use crate::source::SourceLocation;

/// What stands in for a secret may be longer than the secret. This cuts what would be longer than before, lest
/// something that was within its limits is not any more.
fn no_longer(before: &str, redacted: String) -> String {
    let mut bytes = 0;
    let fits = |c: &char| {
        bytes += c.len_utf8();
        bytes <= before.len()
    };
    redacted.chars().take(before.chars().count()).take_while(fits).collect()
}

/// Whether there is room for what stands in for secrets.
#[derive(Clone, Copy)]
enum Room {
    Ample,
    None,
}

impl Room {
    fn put(self, value: &mut String, redacted: String) {
        *value = match self {
            Self::Ample => redacted,
            Self::None => no_longer(value, redacted),
        };
    }

    fn text(self, value: &mut String) {
        let redacted = redact_text(value);
        self.put(value, redacted);
    }

    fn brief(self, brief: &mut ElementBrief) {
        self.text(&mut brief.text);
    }

    /// Whether it is of a field that holds a secret comes of it.
    fn snapshot(self, snapshot: &mut ElementSnapshot) -> bool {
        let ElementSnapshot {
            tag,
            id,
            name,
            own_text,
            text,
            attributes,
            ancestors,
            children,
            siblings,
            component,
            source,
            ..
        } = snapshot;
        let all = attributes.clone();
        let look_up = |other: &str| match other {
            "id" => id.as_deref(),
            other => all.get(other).map(String::as_str),
        };
        let tag = tag.to_ascii_lowercase();
        for (attribute, value) in attributes {
            let redacted = redact_attribute(&tag, look_up, attribute, value);
            self.put(value, redacted);
        }
        let is_secret = is_secret_field(&tag, look_up);
        if is_secret && tag == "textarea" {
            [&mut *own_text, &mut *text].into_iter().for_each(|text| self.hide(text));
        }
        [own_text, text].into_iter().chain(name).chain(component).for_each(|text| self.text(text));
        if let Some(SourceLocation { file, reason, .. }) = source {
            self.path(file);
            self.text(reason);
        }
        let beside = [&mut siblings.previous, &mut siblings.next].into_iter().flatten();
        ancestors.iter_mut().chain(children).chain(beside).for_each(|brief| self.brief(brief));
        is_secret
    }

    fn hide(self, text: &mut String) {
        if !text.is_empty() {
            self.put(text, REDACTED.to_owned());
        }
    }

    /// A file of the source: each name by itself, for it is no address, whose `/reset/...` is meant for one person.
    /// Names without a digit are words, however long.
    fn path(self, path: &mut String) {
        let names = path.split_inclusive(['/', '\\']).map(|name| {
            let may_be_secret = name.bytes().any(|byte| byte.is_ascii_digit());
            if may_be_secret { Cow::Owned(redact_text(name)) } else { Cow::Borrowed(name) }
        });
        let redacted = names.collect();
        self.put(path, redacted);
    }

    fn selector(self, selector: &mut String, is_secret: bool) {
        let redacted = redact_selector_of(selector, is_secret);
        self.put(selector, redacted);
    }

    fn state(self, state: &mut TargetState, is_secret: bool) {
        self.text(&mut state.reason);
        for change in &mut state.diff {
            self.text(&mut change.field);
            for value in [&mut change.before, &mut change.after].into_iter().flatten() {
                self.field(&change.field, value, is_secret);
            }
        }
        self.varied(&mut state.varied, is_secret);
    }

    /// A value of a field as a diff names it.
    fn field(self, field: &str, value: &mut String, is_secret: bool) {
        let look_up = |other: &str| (is_secret && other == "type").then_some("password");
        let redacted = match field.strip_prefix("attribute:") {
            Some(name) => redact_attribute("input", look_up, name, value),
            None => redact_text(value),
        };
        self.put(value, redacted);
    }

    fn varied(self, varied: &mut [Varied], is_secret: bool) {
        for Varied { field, values } in varied {
            self.text(field);
            values.iter_mut().for_each(|value| self.field(field, value, is_secret));
        }
    }

    fn target(self, target: &mut Target) {
        let is_secret = self.snapshot(&mut target.snapshot);
        self.selector(&mut target.selector, is_secret);
        if let Some(Addresses { css, xpath, playwright, others }) = &mut target.addresses {
            [css, xpath]
                .into_iter()
                .chain(playwright)
                .chain(others)
                .for_each(|form| self.selector(form, is_secret));
        }
        target.state.iter_mut().for_each(|state| self.state(state, is_secret));
        self.varied(&mut target.varied, is_secret);
    }

    fn comment(self, comment: &mut Comment) {
        [&mut comment.url, &mut comment.pathname, &mut comment.title]
            .into_iter()
            .for_each(|text| self.text(text));
        comment.targets.iter_mut().for_each(|target| self.target(target));
    }
}

/// With `redact`; once more without room when that would not be within the limits.
fn within<T: Clone>(value: T, redact: impl Fn(Room, &mut T), is_within: impl Fn(&T) -> bool) -> T {
    let mut redacted = value.clone();
    redact(Room::Ample, &mut redacted);
    if is_within(&redacted) {
        return redacted;
    }
    let mut redacted = value;
    redact(Room::None, &mut redacted);
    redacted
}

/// What the page said of the elements, without secrets.
pub(super) fn targets(targets: Vec<Target>) -> Vec<Target> {
    let redact = |room: Room, targets: &mut Vec<Target>| {
        targets.iter_mut().for_each(|target| room.target(target));
    };
    within(targets, redact, |targets| limits::check_targets(targets).is_ok())
}

impl Comment {
    /// What the page said, without secrets. What persons and agents wrote stays.
    #[must_use]
    pub fn redacted(self) -> Self {
        within(self, Room::comment, |comment| comment.check().is_ok())
    }
}

impl CommentChange {
    /// What the page said, without secrets. What persons and agents wrote stays.
    #[must_use]
    pub fn redacted(self) -> Self {
        match self {
            Self::Repin { targets: of_page } => Self::Repin { targets: targets(of_page) },
            Self::ReportStates { states } => {
                let redact = |room: Room, states: &mut Vec<TargetState>| {
                    states.iter_mut().for_each(|state| room.state(state, false));
                };
                let is_within = |states: &Vec<TargetState>| {
                    states.iter().all(|state| limits::check_state("states", state).is_ok())
                };
                Self::ReportStates { states: within(states, redact, is_within) }
            }
            other => other,
        }
    }
}

impl Session {
    /// Address and title without secrets.
    #[must_use]
    pub fn redacted(mut self) -> Self {
        [&mut self.url, &mut self.title].into_iter().for_each(|text| Room::Ample.text(text));
        self
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;
    use crate::model::{FieldChange, VerdictKind};
    use crate::source::SourceLocation;

    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

    /// Names of a page's own parts stay, also those that builds make up.
    const CLASS: &str = "css-9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0";

    /// A secret in everything that a page can say of a target.
    fn leaking() -> Target {
        let mut target = arbitrary::target();
        let says = || format!("key {SECRET} of");
        let brief = || ElementBrief { text: says(), ..ElementBrief::default() };
        let snapshot = &mut target.snapshot;
        snapshot.tag = "input".into();
        snapshot.id = Some("password".into());
        snapshot.name = Some(says());
        (snapshot.own_text, snapshot.text) = (says(), says());
        snapshot.attributes = [("value", "hunter2"), ("data-token", "hunter2"), ("title", &says())]
            .map(|(name, value)| (name.into(), value.into()))
            .into();
        (snapshot.ancestors, snapshot.children) = (vec![brief()], vec![brief()]);
        (snapshot.siblings.previous, snapshot.siblings.next) = (Some(brief()), Some(brief()));
        snapshot.component = Some(says());
        let file = format!("src/{SECRET}/Buy.tsx");
        snapshot.source =
            Some(SourceLocation { file, line: None, column: None, confidence: 1.0, reason: says() });
        target.selector =
            format!("main#{CLASS} > a.{CLASS}[href=\"/x?token=hunter2\"]:text-is(\"{SECRET}\")");
        target.addresses = Some(Addresses {
            css: "main > [data-token=hunter2]".into(),
            xpath: format!("//main[@id='{CLASS}']/a[contains(., '{SECRET}')]"),
            playwright: Some(format!(
                "page.locator('a[data-token=\"hunter2\"]').getByText('{SECRET}').locator('#{CLASS}')"
            )),
            others: vec![format!("text={SECRET}"), format!("[title='{SECRET}'")],
        });
        target.state = Some(leaking_state());
        target.varied = vec![leaking_values()];
        target
    }

    fn leaking_values() -> Varied {
        Varied { field: "attribute:data-token".into(), values: vec![SECRET.into(), "hunter2".into()] }
    }

    fn leaking_state() -> TargetState {
        let mut state = arbitrary::state(VerdictKind::Changed, &format!("it says {SECRET}"));
        let change = |field: &str, value: &str| FieldChange {
            field: field.into(),
            before: Some(value.into()),
            after: Some(value.into()),
        };
        state.diff = vec![change("text", SECRET), change("attribute:data-token", "hunter2")];
        state.varied = vec![leaking_values()];
        state
    }

    fn is_clean(value: &impl serde::Serialize) {
        let json = serde_json::to_string(value).unwrap();
        assert!(!json.contains(SECRET) && !json.contains("hunter2"), "{json}");
        assert!(json.contains("[redacted]"), "{json}");
    }

    #[test]
    fn no_secret_of_a_page_passes_in_a_comment_or_a_change_of_one() {
        let mut comment = arbitrary::sample("c_1");
        comment.url = format!("http://me:hunter2@localhost/{SECRET}?token=hunter2");
        comment.pathname = format!("/{SECRET}");
        comment.title = format!("{SECRET} - Shop");
        comment.targets = vec![leaking()];
        let redacted = comment.redacted();
        is_clean(&redacted);
        assert_eq!(redacted.text, arbitrary::sample("c_1").text);
        let Target { snapshot, selector, addresses, .. } = &redacted.targets[0];
        let addresses = addresses.as_ref().unwrap();
        let playwright = addresses.playwright.as_deref().unwrap();
        for said in [selector, &addresses.xpath, playwright] {
            assert!(said.contains(CLASS), "{said}");
        }
        assert_eq!(snapshot.source.as_ref().unwrap().file, "src/[redacted]/Buy.tsx");
        is_clean(&CommentChange::Repin { targets: vec![leaking()] }.redacted());
        is_clean(&CommentChange::ReportStates { states: vec![leaking_state()] }.redacted());
        let session = Session {
            id: "s_1".parse().unwrap(),
            url: format!("http://localhost/?key={SECRET}"),
            title: SECRET.into(),
            last_active: super::super::Timestamp(1),
        };
        is_clean(&session.redacted());
    }

    #[test]
    fn of_a_field_that_holds_a_secret_no_value_passes() {
        let mut comment = arbitrary::sample("c_1");
        let target = &mut comment.targets[0];
        target.snapshot.tag = "INPUT".into();
        target.snapshot.attributes = [("type", "password"), ("value", "hunter2")]
            .map(|(name, value)| (name.into(), value.into()))
            .into();
        target.selector = r#"input[value="hunter2"]"#.into();
        target.addresses = Some(Addresses {
            css: r#"form > input[value="hunter2"]"#.into(),
            xpath: r#"//input[@value="hunter2"]"#.into(),
            playwright: Some(r#"getByLabel("Password").and(page.locator("[value=hunter2]"))"#.into()),
            others: vec!["[value^='hunter2']".into()],
        });
        let mut state = arbitrary::state(VerdictKind::Changed, "");
        let value = "attribute:value";
        let seen = Some("hunter2".to_owned());
        state.diff = vec![FieldChange { field: value.into(), before: seen.clone(), after: seen }];
        state.varied = vec![Varied { field: value.into(), values: vec!["hunter2".into()] }];
        target.varied = state.varied.clone();
        target.state = Some(state);
        is_clean(&comment.clone().redacted());
        let text = &mut comment.targets[0].snapshot;
        text.attributes.insert("type".into(), "text".into());
        assert_eq!(comment.clone().redacted(), comment);
        let note = &mut comment.targets[0];
        (note.selector, note.addresses, note.state) = ("textarea".into(), None, None);
        note.varied = Vec::new();
        note.snapshot.tag = "textarea".into();
        note.snapshot.id = Some("secret_note".into());
        note.snapshot.attributes.clear();
        (note.snapshot.own_text, note.snapshot.text) = ("hunter2".into(), "hunter2".into());
        is_clean(&comment.redacted());
    }

    #[test]
    fn the_file_of_a_component_stays_as_it_is() {
        for file in [
            "/src/pages/reset/PaymentMethodSelectionConfirmationDialogForLargeOrders.tsx",
            "app/invite/[token]/page.tsx",
            r"C:\shop\src\api-key\Password2.vue",
            "webpack:///./src/2fa/Code4Digits.svelte?a1b2",
        ] {
            let mut comment = arbitrary::sample("c_1");
            comment.targets[0].snapshot.source = Some(SourceLocation {
                file: file.into(),
                line: Some(1),
                column: None,
                confidence: 1.0,
                reason: "React _debugStack".into(),
            });
            assert_eq!(comment.clone().redacted(), comment);
        }
    }

    #[test]
    fn what_stands_in_for_secrets_takes_nothing_over_its_limit() {
        let mut comment = arbitrary::sample("c_1");
        comment.title = "token=é&".repeat(limits::MAX_TITLE / 9);
        let mut state = arbitrary::state(VerdictKind::Changed, &"token=é&".repeat(limits::MAX_REASON / 8));
        state.diff = Vec::new();
        comment.targets[0].state = Some(state.clone());
        comment.targets[0].snapshot.attributes =
            (0..900).map(|n| (format!("a{n}"), "token=1&".repeat(8))).collect();
        comment.check().unwrap();
        let redacted = comment.redacted();
        redacted.check().unwrap();
        let json = serde_json::to_string(&redacted).unwrap();
        assert!(!json.contains("token=é") && !json.contains("token=1"), "{json}");
        let CommentChange::ReportStates { states } =
            CommentChange::ReportStates { states: vec![state] }.redacted()
        else {
            return;
        };
        limits::check_state("states", &states[0]).unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_comment_is_valid_afterwards_and_the_same_when_done_again(comment in arbitrary::comment()) {
            let once = comment.redacted();
            prop_assert!(once.check().is_ok());
            prop_assert_eq!(once.clone().redacted(), once);
        }
    }
}
