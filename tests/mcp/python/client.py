"""The official Python SDK as a client of `opentoolbar mcp`: introduces itself, lists, calls, and is refused.

    client.py MODE HOST

MODE is the SDK's: `legacy` begins with a handshake, `auto` asks for a revision without one first, and the name of such
a revision takes it for granted. Prints what it saw as JSON; what must not be is an exception. The SDK checks each
answer against its tool's output schema.
"""

import asyncio
import json
import os
import sys

from mcp import Client, MCPError, StdioServerParameters


async def talk(mode, host):
    # The SDK gives a server almost nothing of its environment by itself.
    server = StdioServerParameters(command=host, args=["mcp"], env=dict(os.environ))
    async with Client(server, mode=mode, read_timeout_seconds=30) as client:
        tools = (await client.list_tools()).tools
        told = (await client.call_tool("get_ui_feedback", {})).structured_content
        refused = (await client.call_tool("resolve_comment", {"commentId": "c_nowhere"})).structured_content
        try:
            await client.call_tool("no_such_tool", {})
            unknown = None
        except MCPError as error:
            unknown = error.code
        return {
            "revision": client.protocol_version,
            "instructions": client.instructions,
            "tools": [tool.name for tool in tools],
            "comments": [comment["text"] for comment in told["comments"]],
            "refused": refused,
            "unknown": unknown,
        }


print(json.dumps(asyncio.run(talk(*sys.argv[1:]))))
