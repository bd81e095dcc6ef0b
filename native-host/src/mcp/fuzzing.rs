//! For `tests/fuzz`: a line of an agent's client, down to the decoded arguments of the tool that it calls.

use std::cell::OnceCell;
use std::path::PathBuf;

use rmcp::model::{ClientRequest, JsonRpcMessage};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::context::Context;
use super::tools;
use super::transport::decode_line;

thread_local! {
    static WORLD: OnceCell<Option<(Runtime, Context)>> = const { OnceCell::new() };
}

/// Decodes a line and, of a call, the tool's arguments. The process must not be able to have a home, so that no hub is
/// started: every call that is well-formed ends when it asks for one.
pub fn mcp_line(line: &[u8]) {
    let Some(JsonRpcMessage::Request(request)) = decode_line(line) else { return };
    let ClientRequest::CallToolRequest(call) = request.request else { return };
    let Some(tool) = tools::find(&call.params.name) else { return };
    WORLD.with(|world| {
        if let Some((runtime, context)) = world.get_or_init(world_without_hub) {
            drop(runtime.block_on((tool.run)(context, call.params.arguments)));
        }
    });
}

fn world_without_hub() -> Option<(Runtime, Context)> {
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let directory = PathBuf::from("/");
    let context = Context::new(directory, watch::channel(false).1);
    Some((runtime, context))
}
