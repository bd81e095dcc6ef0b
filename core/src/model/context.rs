//! A selection made in a session, as the agent is told of it. Everything in it but the ids was written by the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::limits::{self, CommentError, Field};
use super::{ContextId, SessionId, Target, Timestamp, redacted};
use crate::element::{REDACTED, is_secret_field, redact_attribute, redact_text};

/// Most ancestors or children of a selection.
pub const MAX_RELATED: usize = 64;
/// Most attributes of the selected element.
pub const MAX_ATTRIBUTES: usize = 256;
/// All text of a selection together, in bytes.
pub const MAX_SELECTION: usize = 256 * 1024;

/// Where an element is in the viewport, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BoundingBox {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// Not negative.
    pub width: f64,
    /// Not negative.
    pub height: f64,
}

/// The element that was selected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase", default)]
pub struct SelectedElement {
    /// As the DOM says it: `BUTTON` or `button`.
    pub tag_name: String,
    /// The `id`, when it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub id: Option<String>,
    /// Class names.
    pub class_list: Vec<String>,
    /// Its text.
    pub text_content: String,
    /// By name.
    pub attributes: BTreeMap<String, String>,
    /// Where it was.
    pub bounding_box: BoundingBox,
}

/// An ancestor or a child of the element that was selected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase", default)]
pub struct RelatedElement {
    /// As the DOM says it.
    pub tag_name: String,
    /// Class names.
    pub class_list: Vec<String>,
    /// The `id`, when it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub id: Option<String>,
    /// The text of a child.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub text_content: Option<String>,
}

/// The page of a selection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SelectionPage {
    /// Whole address.
    pub url: String,
    /// The document's title.
    pub title: String,
}

/// What was selected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Selection {
    /// The element; the first of several.
    pub element: SelectedElement,
    /// From its parent to the root.
    pub ancestors: Vec<RelatedElement>,
    /// In document order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub children: Option<Vec<RelatedElement>>,
    /// Where.
    pub page: SelectionPage,
    /// The same element and the others that were selected with it, as a comment keeps them: selector, source,
    /// component.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Target>>"))]
    pub targets: Vec<Target>,
}

/// One selection made in a session. Messages refer to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// Unique across projects.
    pub id: ContextId,
    /// The tab.
    pub session_id: SessionId,
    /// What was selected.
    #[serde(flatten)]
    pub selection: Selection,
    /// File name of the picture of the element inside the project's `screenshots/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub screenshot: Option<String>,
    /// File name of the picture of the whole viewport.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub viewport_screenshot: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

impl Selection {
    /// Whether it is within its limits.
    ///
    /// # Errors
    /// Names the part that is wrong.
    pub fn check(&self) -> Result<(), CommentError> {
        let Selection { element, ancestors, children, page, targets } = self;
        if element.tag_name.trim().is_empty() {
            return Err(CommentError::Empty { field: Field::new("element.tagName") });
        }
        if page.url.trim().is_empty() {
            return Err(CommentError::Empty { field: Field::new("page.url") });
        }
        limits::at_most("page.url", page.url.len(), limits::MAX_URL, "bytes")?;
        limits::at_most("page.title", page.title.len(), limits::MAX_TITLE, "bytes")?;
        limits::at_most("element.attributes", element.attributes.len(), MAX_ATTRIBUTES, "entries")?;
        limits::at_most("ancestors", ancestors.len(), MAX_RELATED, "entries")?;
        limits::at_most("children", children.as_ref().map_or(0, Vec::len), MAX_RELATED, "entries")?;
        if !targets.is_empty() {
            limits::check_targets(targets)?;
        }
        let BoundingBox { x, y, width, height } = element.bounding_box;
        if ![x, y, width, height].iter().all(|side| side.is_finite()) || width < 0.0 || height < 0.0 {
            let must = "four finite numbers, width and height not negative";
            return Err(CommentError::Malformed { field: Field::new("element.boundingBox"), must });
        }
        limits::at_most("the selection", self.bytes(), MAX_SELECTION, "bytes")
    }

    fn bytes(&self) -> usize {
        let names = |id: &Option<String>, classes: &[String]| {
            id.as_ref().map_or(0, String::len) + classes.iter().map(String::len).sum::<usize>()
        };
        let Selection { element, ancestors, children, .. } = self;
        let attributes: usize = element.attributes.iter().map(|(name, value)| name.len() + value.len()).sum();
        let own = element.tag_name.len() + element.text_content.len() + attributes;
        let related = ancestors.iter().chain(children.iter().flatten()).map(|one| {
            one.tag_name.len()
                + names(&one.id, &one.class_list)
                + one.text_content.as_ref().map_or(0, String::len)
        });
        own + names(&element.id, &element.class_list) + related.sum::<usize>()
    }

    /// Without secrets, whoever captured it: a client of the WebSocket may not have looked.
    #[must_use]
    pub fn redacted(mut self) -> Self {
        let all = self.element.attributes.clone();
        let tag = self.element.tag_name.to_ascii_lowercase();
        let look_up = |other: &str| match all.get(other) {
            None if other == "id" => self.element.id.as_deref(),
            value => value.map(String::as_str),
        };
        for (name, value) in &mut self.element.attributes {
            *value = redact_attribute(&tag, look_up, name, value);
        }
        let is_hidden = tag == "textarea" && is_secret_field(&tag, look_up);
        self.element.text_content = match self.element.text_content.is_empty() {
            false if is_hidden => REDACTED.to_owned(),
            _ => redact_text(&self.element.text_content),
        };
        self.page.url = redact_text(&self.page.url);
        self.page.title = redact_text(&self.page.title);
        for child in self.children.iter_mut().flatten().chain(&mut self.ancestors) {
            child.text_content = child.text_content.as_deref().map(redact_text);
        }
        self.targets = redacted::targets(self.targets);
        self
    }
}
