"""A world of one test: a hub with its gateway open, a project, agents and plain WebSocket clients. Nothing is shared."""

import asyncio
import json
import os
import pathlib
import shutil
import signal
import tempfile

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

HOST = os.environ["OPENTOOLBAR_HOST"]
WITHIN = 60
PAGE = {"url": "https://shop.test/cart", "title": "Cart"}
# 1 by 1 pixel.
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ELEMENT = {
    "tagName": "BUTTON",
    "id": "buy",
    "classList": ["btn", "buy"],
    "textContent": "Buy now",
    "attributes": {"id": "buy", "class": "btn buy"},
    "boundingBox": {"x": 10, "y": 20.5, "width": 80, "height": 24},
}
ANCESTORS = [{"tagName": "MAIN", "classList": ["page"], "id": "main"}, {"tagName": "BODY", "classList": []}]
CHILDREN = [{"tagName": "SPAN", "classList": ["label"], "textContent": "Buy now"}]


def set_context(screenshot=PNG):
    """As the requirements write it."""
    payload = {
        "element": ELEMENT,
        "ancestors": ANCESTORS,
        "children": CHILDREN,
        "page": PAGE,
        "screenshot": screenshot,
    }
    return {"type": "set_context", "payload": payload}


def user_message(context, text):
    return {"type": "user_message", "payload": {"contextId": context, "message": text}}


class Tab:
    """A plain client of one session."""

    def __init__(self, socket):
        self.socket = socket

    async def send(self, message):
        await self.socket.send(json.dumps(message))

    async def hear(self):
        text = await asyncio.wait_for(self.socket.recv(), WITHIN)
        assert isinstance(text, str), "text messages only"
        return json.loads(text)

    async def ask(self, message):
        await self.send(message)
        return await self.hear()

    async def answer(self, message):
        """What is said to a message of one who has said hello, and is told of agents as they come and go."""
        heard = await self.ask(message)
        while heard["type"] == "agents_changed":
            heard = await self.hear()
        return heard

    async def select(self, screenshot=PNG):
        stored = await self.ask(set_context(screenshot))
        assert stored["type"] == "context_stored", stored
        return stored["payload"]["contextId"]

    async def is_quiet(self):
        """Nothing was on its way: the next thing heard is the answer to a ping."""
        heard = await self.ask({"type": "ping"})
        assert heard == {"type": "pong"}, heard

    async def close(self):
        await self.socket.close()

    def cut(self):
        """The link breaks without a word."""
        self.socket.transport.abort()


class Agent:
    """`opentoolbar mcp` over its standard input and output, in a few lines of JSON-RPC."""

    @classmethod
    async def start(cls, world, project):
        self = cls()
        self.process = await asyncio.create_subprocess_exec(
            HOST, "mcp", cwd=project, env=world.env, limit=64 * 1024 * 1024,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        self.last = 0
        info = {"name": "test-agent", "version": "1.0"}
        await self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
        await self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        # From here on the hub knows that it is there.
        await self.call("list_sessions")
        return self

    async def write(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        await self.process.stdin.drain()

    async def ask(self, method, params):
        self.last += 1
        await self.write({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        while True:
            line = await asyncio.wait_for(self.process.stdout.readline(), WITHIN)
            assert line, "the server is alive"
            message = json.loads(line)
            if message.get("id") == self.last:
                return message["result"]

    async def call(self, tool, **arguments):
        result = await self.ask("tools/call", {"name": tool, "arguments": arguments})
        return result["structuredContent"]

    async def respond(self, session, context, message, complete, **more):
        answer = await self.call(
            "respond_to_browser", sessionId=session, contextId=context, message=message, isComplete=complete, **more
        )
        assert answer["success"] is True, answer
        return answer

    async def end(self):
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


class World:
    def __init__(self):
        # Short, because a socket's path is.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="otw"))
        self.project = self.project_of("shop")
        self.home = self.folder / "h"
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        self.env = {**kept, "OPENTOOLBAR_HOME": str(self.home)}
        self.hub = None
        self.port = 0
        self.open = []

    def project_of(self, name):
        folder = self.folder / name
        folder.mkdir()
        (folder / "package.json").write_text("{}")
        return folder

    async def serve(self):
        """Starts the hub as a person does; the next time on the same port."""
        self.hub = await asyncio.create_subprocess_exec(
            HOST, "serve", "--port", str(self.port), env=self.env,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        line = (await asyncio.wait_for(self.hub.stdout.readline(), WITHIN)).decode().strip()
        prefix, suffix = "The gateway is open: ", "/ws"
        assert line.startswith(prefix) and line.endswith(suffix), line
        self.url = line.removeprefix(prefix)
        self.port = int(self.url.removesuffix(suffix).rsplit(":", 1)[1])
        self.token = (self.home / "token").read_text()
        return self

    async def kill_hub(self):
        self.hub.send_signal(signal.SIGKILL)
        await self.hub.wait()

    async def agent(self, project=None):
        agent = await Agent.start(self, project or self.project)
        self.open.append(agent.end)
        return agent

    async def tab(self, session="tab-1", query=""):
        return Tab(await self.connect(f"?sessionId={session}{query}", additional_headers=self.bearer))

    @property
    def bearer(self):
        return {"Authorization": f"Bearer {self.token}"}

    async def again(self, session="tab-1", query=""):
        """Comes back, as clients do: again and again until the broken link is forgotten. And what it missed."""
        while True:
            tab = await self.tab(session, query)
            missed = []
            try:
                await tab.send({"type": "ping"})
                while (heard := await tab.hear()) != {"type": "pong"}:
                    missed.append(heard)
            except ConnectionClosed:
                assert missed[-1]["payload"]["code"] == "conflict", missed
                continue
            return tab, missed

    async def connect(self, query="", **options):
        socket = await connect(self.url + query, proxy=None, max_size=None, open_timeout=WITHIN, **options)
        self.open.append(socket.close)
        return socket

    async def end(self):
        for close in reversed(self.open):
            await close()
        if self.hub and self.hub.returncode is None:
            self.hub.terminate()
            await self.hub.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
