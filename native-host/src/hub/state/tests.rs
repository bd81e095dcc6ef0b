//! What the hub promises of what it remembers.
#![allow(clippy::unwrap_used)]

use opentoolbar_core::model::Timestamp;

use super::*;

/// As a request that is put aside: it is aborted when its connection ends.
#[tokio::test]
async fn whoever_asked_for_a_save_and_left_keeps_no_later_tab_from_being_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("shop");
    std::fs::create_dir(&root).unwrap();
    let home = Home::at(dir.path().join("h"));
    home.ensure().unwrap();
    let hub = Hub::open(&home);
    let remember =
        |id: &str| hub.registry.remember_session(&id.parse().unwrap(), &root, Timestamp(1)).unwrap();
    let is_on_disk = |id: &str| std::fs::read_to_string(home.registry()).is_ok_and(|text| text.contains(id));
    let is_saved = async |id: &str| {
        let began = Instant::now();
        while !is_on_disk(id) {
            assert!(began.elapsed() < Duration::from_secs(20), "{id} is not remembered");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    remember("s_left");
    {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let mut save = std::pin::pin!(hub.save_registry_soon());
        assert!(save.as_mut().poll(&mut context).is_pending(), "the disk takes a moment");
    }
    is_saved("s_left").await;
    remember("s_later");
    hub.save_registry_soon().await;
    is_saved("s_later").await;
}
