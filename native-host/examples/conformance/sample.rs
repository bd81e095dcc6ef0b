//! What the official conformance checker wants a server to have: its tools, resources and prompts, by its names. No
//! part of the product: the feature `conformance` compiles it into the library for `main.rs` beside it.
#![expect(deprecated, reason = "the checker asks for logging, of which the newest revision has none")]

use std::sync::Arc;
use std::time::Duration;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CustomNotification, CustomRequest, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig, ServerNotification, ServerRequest, SetLevelRequestParams,
    SubscribeRequestParams, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::seat::Seat;

/// 1 by 1 pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/// A head without a sound.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
/// Between two things that are said while a tool runs.
const PAUSE: Duration = Duration::from_millis(50);

/// Knows nothing, and remembers nothing.
#[allow(dead_code, reason = "made as the server is, of whoever asks")]
pub(crate) struct Sample(pub(super) Arc<Seat>);

/// What the wire would say, as the library's own type.
fn as_said<T: DeserializeOwned>(json: Value) -> Result<T, ErrorData> {
    serde_json::from_value(json).map_err(|e| ErrorData::internal_error(e.to_string(), None))
}

fn unknown(what: &str) -> ErrorData {
    ErrorData::invalid_params(format!("there is no {what}"), None)
}

fn text(text: impl Into<String>) -> Value {
    json!([{ "type": "text", "text": text.into() }])
}

/// The argument of this name, as text.
fn argument(arguments: Option<&JsonObject>, name: &str) -> Result<String, ErrorData> {
    let found = arguments.and_then(|arguments| arguments.get(name)).and_then(Value::as_str);
    found.map(str::to_owned).ok_or_else(|| unknown(name))
}

fn tool(name: &str, arguments: &[&str]) -> Value {
    let properties: JsonObject =
        arguments.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
    json!({
        "name": name,
        "description": "One of the checker's.",
        "inputSchema": { "type": "object", "properties": properties, "required": arguments },
    })
}

/// Without `test_reconnection`, which the checker only recommends: the library lets no handler cut its own stream.
fn tools() -> Value {
    let of_2020_12 = json!({
        "name": "json_schema_2020_12_tool",
        "description": "One of the checker's.",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "type": "object",
                    "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
                },
            },
            "properties": { "name": { "type": "string" }, "address": { "$ref": "#/$defs/address" } },
            "additionalProperties": false,
        },
    });
    json!([
        tool("test_simple_text", &[]),
        tool("test_image_content", &[]),
        tool("test_audio_content", &[]),
        tool("test_embedded_resource", &[]),
        tool("test_multiple_content_types", &[]),
        tool("test_tool_with_logging", &[]),
        tool("test_error_handling", &[]),
        tool("test_tool_with_progress", &[]),
        tool("test_sampling", &["prompt"]),
        tool("test_elicitation", &["message"]),
        tool("test_elicitation_sep1034_defaults", &[]),
        tool("test_elicitation_sep1330_enums", &[]),
        of_2020_12,
    ])
}

fn resource(uri: &str, media: &str, text: &str) -> Value {
    json!({ "uri": uri, "mimeType": media, "text": text })
}

/// Values that are there before the person changes them.
fn with_defaults() -> Value {
    let states = ["active", "inactive", "pending"];
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": states, "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

/// Each way in which one or several of a few may be asked for.
fn with_choices() -> Value {
    let (plain, old) = (["option1", "option2", "option3"], ["opt1", "opt2", "opt3"]);
    let titled = |word: &str| {
        let one = |value: &str, which: &str| json!({ "const": value, "title": format!("{which} {word}") });
        json!([one("value1", "First"), one("value2", "Second"), one("value3", "Third")])
    };
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string", "enum": old, "enumNames": ["Option One", "Option Two", "Option Three"]
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        },
    })
}

/// Asks the client while its call is worked on. What it answers, as JSON.
async fn ask(context: &RequestContext<RoleServer>, method: &str, params: Value) -> Result<Value, ErrorData> {
    let request = ServerRequest::CustomRequest(CustomRequest::new(method, Some(params)));
    let told = context.peer.send_request(request).await;
    told.map_err(|e| e.to_string())
        .and_then(|told| serde_json::to_value(told).map_err(|e| e.to_string()))
        .map_err(|e| ErrorData::internal_error(e, None))
}

async fn ask_person(
    context: &RequestContext<RoleServer>,
    message: &str,
    schema: Value,
) -> Result<Value, ErrorData> {
    let params = json!({ "message": message, "requestedSchema": schema });
    let told = ask(context, "elicitation/create", params).await?;
    Ok(text(format!("Elicitation completed: action={}, content={}", told["action"], told["content"])))
}

async fn tell(context: &RequestContext<RoleServer>, method: &str, params: Value) {
    let said = ServerNotification::CustomNotification(CustomNotification::new(method, Some(params)));
    // A client that is gone hears nothing.
    let _ = context.peer.send_notification(said).await;
}

async fn logs(context: &RequestContext<RoleServer>) -> Value {
    for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        tell(context, "notifications/message", json!({ "level": "info", "data": line })).await;
        tokio::time::sleep(PAUSE).await;
    }
    text("It was logged.")
}

async fn goes_on(context: &RequestContext<RoleServer>) -> Value {
    let token = context.meta.get_progress_token();
    for progress in [0, 50, 100] {
        if let Some(token) = &token {
            let params = json!({ "progressToken": token, "progress": progress, "total": 100 });
            tell(context, "notifications/progress", params).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
    text("It went on.")
}

async fn call(
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Value, ErrorData> {
    let arguments = request.arguments.as_ref();
    let image = json!({ "type": "image", "data": PNG, "mimeType": "image/png" });
    let embedded = |resource: Value| json!({ "type": "resource", "resource": resource });
    Ok(match &*request.name {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => json!([image]),
        "test_audio_content" => json!([{ "type": "audio", "data": WAV, "mimeType": "audio/wav" }]),
        "test_embedded_resource" => json!([embedded(resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content."
        ))]),
        "test_multiple_content_types" => json!([
            { "type": "text", "text": "Multiple content types test:" },
            image,
            embedded(resource(
                "test://mixed-content-resource",
                "application/json",
                r#"{"test":"data","value":123}"#
            )),
        ]),
        "test_tool_with_logging" => logs(context).await,
        "test_tool_with_progress" => goes_on(context).await,
        "test_sampling" => {
            let prompt = argument(arguments, "prompt")?;
            let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
            let params = json!({ "messages": [message], "maxTokens": 100 });
            let told = ask(context, "sampling/createMessage", params).await?;
            text(format!("LLM response: {}", told["content"]["text"].as_str().unwrap_or_default()))
        }
        "test_elicitation" => {
            let message = argument(arguments, "message")?;
            let one = |about: &str| json!({ "type": "string", "description": about });
            let schema = json!({
                "type": "object",
                "properties": { "username": one("User's response"), "email": one("User's email address") },
                "required": ["username", "email"],
            });
            ask_person(context, &message, schema).await?
        }
        "test_elicitation_sep1034_defaults" => ask_person(context, "Who is it?", with_defaults()).await?,
        "test_elicitation_sep1330_enums" => ask_person(context, "Which?", with_choices()).await?,
        other => return Err(unknown(other)),
    })
}

impl ServerHandler for Sample {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_completions()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_logging();
        ServerConfig::new(capabilities.build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        as_said(json!({ "tools": tools() }))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let result: CallToolResult = match &*request.name {
            "test_error_handling" => as_said(json!({
                "isError": true, "content": text("This tool intentionally returns an error for testing")
            }))?,
            _ => as_said(json!({ "content": call(request, &context).await? }))?,
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let one = |uri: &str, media: &str| json!({ "uri": uri, "name": uri, "description": uri, "mimeType": media });
        let listed = [one("test://static-text", "text/plain"), one("test://static-binary", "image/png")];
        as_said(json!({ "resources": listed }))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let one = json!({ "uriTemplate": "test://template/{id}/data", "name": "template" });
        as_said(json!({ "resourceTemplates": [one] }))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let read = match (uri, id) {
            ("test://static-text", _) => {
                resource(uri, "text/plain", "This is the content of the static text resource.")
            }
            ("test://static-binary", _) => json!({ "uri": uri, "mimeType": "image/png", "blob": PNG }),
            (_, Some(id)) => {
                let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
                resource(uri, "application/json", &data.to_string())
            }
            _ => return Err(unknown(uri)),
        };
        let result: ReadResourceResult = as_said(json!({ "contents": [read] }))?;
        Ok(result.into())
    }

    async fn subscribe(
        &self,
        _request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let one = |name: &str, arguments: &[&str]| {
            let arguments: Vec<_> = arguments
                .iter()
                .map(|name| json!({ "name": name, "description": name, "required": true }))
                .collect();
            json!({ "name": name, "description": name, "arguments": arguments })
        };
        as_said(json!({ "prompts": [
            one("test_simple_prompt", &[]),
            one("test_prompt_with_arguments", &["arg1", "arg2"]),
            one("test_prompt_with_embedded_resource", &["resourceUri"]),
            one("test_prompt_with_image", &[]),
        ] }))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let given = |name: &str| argument(request.arguments.as_ref(), name);
        let says = |content: Value| json!({ "role": "user", "content": content });
        let words = |words: &str| says(json!({ "type": "text", "text": words }));
        let messages = match request.name.as_str() {
            "test_simple_prompt" => json!([words("This is a simple prompt for testing.")]),
            "test_prompt_with_arguments" => {
                let (first, second) = (given("arg1")?, given("arg2")?);
                json!([words(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))])
            }
            "test_prompt_with_embedded_resource" => {
                let embedded =
                    resource(&given("resourceUri")?, "text/plain", "Embedded resource content for testing.");
                json!([
                    says(json!({ "type": "resource", "resource": embedded })),
                    words("Please process the embedded resource above."),
                ])
            }
            "test_prompt_with_image" => json!([
                says(json!({ "type": "image", "data": PNG, "mimeType": "image/png" })),
                words("Please analyze the image above."),
            ]),
            other => return Err(unknown(other)),
        };
        let result: GetPromptResult = as_said(json!({ "messages": messages }))?;
        Ok(result.into())
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        as_said(
            json!({ "completion": { "values": ["paris", "park", "party"], "total": 3, "hasMore": false } }),
        )
    }

    async fn set_level(
        &self,
        _request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }
}
