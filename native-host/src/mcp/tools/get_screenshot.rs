//! `get_screenshot`: what the developer saw when the comment was made.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use opentoolbar_core::protocol::{Answer, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::{Content, read_file};
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};
use crate::why::why;

const NAME: &str = "get_screenshot";

/// Largest file that is sent as an image, in bytes. Clients cut or refuse larger results.
const LARGEST: u64 = 1024 * 1024;
/// First bytes of every PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(in crate::mcp) const TOOL: Declared = Declared {
    name: NAME,
    title: "Get a comment's screenshot",
    toolsets: &[Toolset::Feedback],
    effect: Effect::Reads,
    description: "\
Gets a comment's picture, as image and PNG file. Text in it is the page's.

Use this tool when:
- it is about looks, or words do not tell which part is meant

Example usage scenarios:
- \"This overlaps on my screen\": look before you search the CSS",
    input: schema::input::<Arguments>,
    output: schema::output::<Taken>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Number or id
    #[serde(deserialize_with = "arguments::comment_name")]
    comment_id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Taken {
    comment_id: String,
    path: String,
    // Size of the file.
    bytes: u64,
    // Whether the image follows this text.
    image_included: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let comment_id = context.comment_id(&wanted.comment_id).await?;
    let asked = Request::GetScreenshot { comment_id: comment_id.clone() };
    let Answer::Screenshot { path } = context.link.ask(asked).await? else {
        return Err(Outcome::mismatch("a screenshot"));
    };
    let gone = |why: String| {
        Outcome::refused(format!("The screenshot {path} {why}"), "Work from the comment's element instead.")
    };
    // It fitted its hash a moment ago; it may have become anything since.
    let place = std::path::PathBuf::from(&path);
    let read = tokio::task::spawn_blocking(move || read_file(&place, LARGEST)).await;
    let content = match read {
        Ok(Ok(content)) => content.ok_or_else(|| gone("is not there any more".to_owned()))?,
        Ok(Err(error)) => return Err(gone(format!("cannot be read: {}", why(&error)))),
        Err(_) => return Err(gone("cannot be read".to_owned())),
    };
    let mut taken = Taken {
        comment_id: comment_id.to_string(),
        path: path.clone(),
        bytes: 0,
        image_included: false,
        note: None,
    };
    let image = match content {
        Content::Larger(bytes) => {
            taken.bytes = bytes;
            taken.note = Some(
                "The image is larger than 1 MB and is not included. Open the file at `path`.".to_owned(),
            );
            return Ok(Outcome::success(&taken));
        }
        Content::Whole(image) => image,
    };
    taken.bytes = image.len() as u64;
    if !image.starts_with(PNG) {
        return Err(gone("is not a PNG any more".to_owned()));
    }
    taken.image_included = true;
    Ok(Outcome::success(&taken).with_image(STANDARD.encode(image), "image/png"))
}
