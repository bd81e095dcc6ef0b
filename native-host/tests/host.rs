//! All tests of the host in one program: linking one takes a tenth of the time that sixty take.
//! A new file is one line here; `every_file_is_part_of_this_program` fails if it is missing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod room;
mod world;

mod about;
mod about_unplaced;
mod annotations;
mod bad_frames;
mod bad_input;
mod check;
mod check_comment;
mod check_in_view;
mod claims;
mod comments;
mod contract;
mod conversation;
mod conversation_races;
mod conversation_storage;
mod dead_disk;
mod dialogs;
mod dialogs_ended;
mod earlier_names;
mod gateway;
mod gateway_config;
mod gateway_http;
mod gateway_mcp;
mod gateway_ports;
mod gateway_projects;
mod gateway_strangers;
mod gateway_verify;
mod handed_in_part;
mod handed_over;
mod heavy_messages;
mod history;
mod hub_hangs;
mod hub_life;
mod imports;
mod kept_projects;
mod leaving;
mod long_history;
mod lost_pages;
mod many_at_once;
mod marks_as_read;
mod may_have_changed;
mod mcp;
mod mcp_conversation;
mod names;
mod newer_hub;
mod numbers;
mod one_connection;
mod other_projects;
mod output_schemas;
mod plain_client;
mod planted_copies;
mod presence;
mod project_files;
mod project_root;
mod protocol_examples;
mod reading_verbs;
mod relay;
mod resources;
mod sessions;
mod slow_reader;
mod source_changes;
mod source_words;
mod source_words_cost;
mod status_copies;
mod storage_trouble;
mod strangers_copies;
mod strangers_repository;
mod takeover;
mod takeover_disks;
mod toolsets;
mod ui_context;
mod unplaced;
mod unreadable;
mod verbs;
mod verifications;
mod words;

/// A file that no line above names would be no test at all.
#[test]
fn every_file_is_part_of_this_program() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let this = include_str!("host.rs");
    for entry in std::fs::read_dir(here).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = name.strip_suffix(".rs").filter(|name| *name != "host") else { continue };
        assert!(this.contains(&format!("\nmod {name};\n")), "tests/host.rs has no `mod {name};`");
    }
}
