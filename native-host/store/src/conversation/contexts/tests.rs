#![allow(clippy::unwrap_used)]
use opentoolbar_core::model::{ContextId, MessageId};
use serde_json::json;

use super::*;
use crate::{About, Fingerprint, Store, Stores};
use opentoolbar_project::Catalogue;

const SHOP: &str = "https://shop.test";

struct Place {
    _home: tempfile::TempDir,
    store: std::sync::Arc<Store>,
}

impl Place {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let store = Stores::new(Catalogue::at(home.path().join("projects"))).of(home.path());
        Self { _home: home, store }
    }

    /// Stores a selection that waited since `made`.
    async fn kept(&self, id: &str, made: u64, at: u64) {
        let sent = sent(&format!("m_{id}"), id);
        let moments = (Timestamp(made), Timestamp(at));
        self.store.store_kept_context(sent, selection(id, made), Pictures::default(), moments).await.unwrap();
    }

    async fn selected(&self, id: &str, at: u64) {
        let sent = sent(&format!("m_{id}"), id);
        let at = Timestamp(at);
        self.store.store_context(sent, selection(id, at.0), Pictures::default(), at).await.unwrap();
    }

    async fn latest(&self) -> String {
        self.store.latest_selection("s_1".parse().unwrap()).await.unwrap().unwrap().id.to_string()
    }

    /// What words are about that were said at this moment, name no selection and waited.
    async fn is_about(&self, text: &str, at: u64) -> Option<ContextId> {
        let sent = sent(&format!("m_{text}"), text);
        let id: MessageId = sent.message.clone();
        let session: SessionId = "s_1".parse().unwrap();
        let about = About::Latest(Latest { origin: SHOP.into(), lost: None });
        self.store
            .say_kept(sent, session.clone(), about, text.into(), (Timestamp(at), Timestamp(at)))
            .await
            .unwrap();
        let said = self.store.conversation(session, None).await.unwrap().messages;
        said.into_iter().find(|message| message.id == id).unwrap().context_id
    }
}

fn sent(message: &str, what: &str) -> Sent {
    Sent { message: message.parse().unwrap(), fingerprint: Fingerprint::of(&what).unwrap() }
}

fn selection(id: &str, at: u64) -> Context {
    serde_json::from_value(json!({
        "id": id, "sessionId": "s_1", "createdAt": at, "ancestors": [],
        "page": { "url": format!("{SHOP}/"), "title": "Shop" },
        "element": {
            "tagName": "button", "classList": [], "textContent": "", "attributes": {},
            "boundingBox": { "x": 0, "y": 0, "width": 80, "height": 24 }
        }
    }))
    .unwrap()
}

#[tokio::test]
async fn a_selection_that_waited_comes_before_those_made_since() {
    let place = Place::new();
    place.selected("ctx_2", 5_000).await;
    place.kept("ctx_1", 1_000, 6_000).await;
    assert_eq!(place.latest().await, "ctx_2");
    assert_eq!(
        place.is_about("then", 2_000).await,
        None,
        "which of the two is not known: one may be of a clock that jumped"
    );
}

/// Nor about an older one, which would be taken for what the person meant.
#[tokio::test]
async fn words_that_waited_while_the_clock_was_behind_are_about_nothing() {
    let place = Place::new();
    place.selected("ctx_1", 4_000).await;
    place.selected("ctx_2", 5_000).await;
    assert_eq!(place.is_about("it", 4_500).await, None);
    assert_eq!(place.is_about("later", 5_500).await, Some("ctx_2".parse().unwrap()));
}
