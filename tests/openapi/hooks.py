"""What is changed of a request of schemathesis's before it is sent."""

import os

import schemathesis

SESSION = "Mcp-Session-Id"


@schemathesis.hook
def before_call(context, case, kwargs):
    # Nobody decides here: of many waits that are as they may be each would take its whole time.
    wait = (case.query or {}).get("wait")
    if isinstance(wait, int) and not isinstance(wait, bool) and 1 < wait <= 45:
        case.query["wait"] = 0
    # Of those that it makes up there is none; messages go on in one that there is.
    if case.operation.label == "POST /mcp" and {SESSION, "Authorization"} <= set(case.headers or {}):
        case.headers[SESSION] = os.environ["OPENTOOLBAR_MCP_SESSION"]
