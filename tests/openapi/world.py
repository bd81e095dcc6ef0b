"""A gateway of its own for the checker: a home, a project, the token, and browsers that are paired with it."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import requests

HOST = os.environ["OPENTOOLBAR_HOST"]
HERE = pathlib.Path(__file__).parent
# Of an extension in Firefox: there every installation has another one.
ORIGIN = "moz-extension://0d6c7a9e-5b1e-4f0c-9d0a-3f1b2c4d5e6f"
# Seconds; one round takes half a minute on two cores.
WITHIN = 90
ANSWERS = "application/json, text/event-stream"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "checker", "version": "1.0"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


class World:
    def __init__(self):
        # Short, because a socket's path is.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="oto"))
        self.project = self.folder / "shop"
        self.project.mkdir()
        (self.project / "package.json").write_text("{}")
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        self.env = {**kept, "OPENTOOLBAR_HOME": str(self.folder / "h")}
        self.hub = subprocess.Popen(
            [HOST, "serve", "--port", "0"], env=self.env, cwd=self.project,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        line = self.hub.stdout.readline()
        found = re.fullmatch(r"The gateway is open: ws(://127\.0\.0\.1:\d+)/ws\n", line)
        assert found, line
        self.url = "http" + found[1]
        self.token = (self.folder / "h" / "token").read_text()
        # Before an agent has worked in it a project is not known by its name.
        calls = [INITIALIZE, INITIALIZED, {**TOOLS, "method": "tools/call", "params": {"name": "list_sessions"}}]
        subprocess.run(
            [HOST, "mcp"], env=self.env, cwd=self.project, text=True, check=True, timeout=WITHIN,
            input="".join(json.dumps(call) + "\n" for call in calls), capture_output=True,
        )  # fmt: skip
        # Not for each run anew: whoever pairs often must wait.
        self.pairings = [self.pair().json()["token"] for _ in range(2)]

    def end(self):
        self.hub.terminate()
        self.hub.wait()
        self.hub.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, path, body=None, **headers):
        """As a program that has the token."""
        headers = {"Authorization": f"Bearer {self.token}", "Opentoolbar-Project": str(self.project), **headers}
        return requests.request(method, self.url + path, headers=headers, json=body, timeout=WITHIN)

    def pair(self):
        """As the extension, with a code that a person has read from the terminal."""
        said = subprocess.run([HOST, "pair"], env=self.env, capture_output=True, text=True, check=True).stdout
        code = re.search(r"Code:\s+(\S+)", said)[1]
        return requests.post(self.url + "/pair", headers={"Origin": ORIGIN}, json={"code": code}, timeout=WITHIN)

    def mcp_session(self):
        answer = self.ask("POST", "/mcp", INITIALIZE, Accept=ANSWERS)
        answer.raise_for_status()
        session = answer.headers["Mcp-Session-Id"]
        self.ask("POST", "/mcp", INITIALIZED, Accept=ANSWERS, **{"Mcp-Session-Id": session}).raise_for_status()
        return session

    def check(self, document, *options):
        """Lets schemathesis loose on the gateway: its exit code, what it says, and its report of each request."""
        told, report = self.folder / "openapi.json", self.folder / "report.ndjson"
        told.write_text(json.dumps(document))
        env = {
            **self.env,
            "PYTHONPATH": str(HERE),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENTOOLBAR_TOKEN": self.token,
            "OPENTOOLBAR_PAIRING": self.pairings[0],
            "OPENTOOLBAR_PAIRING_TO_END": self.pairings[1],
            "OPENTOOLBAR_PROJECT_ROOT": str(self.project),
            "OPENTOOLBAR_ORIGIN": ORIGIN,
            "OPENTOOLBAR_MCP_SESSION": self.mcp_session(),
        }
        run = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"), "run",
             str(told), "--url", self.url, "--report", "ndjson", "--report-ndjson-path", str(report), *options],
            env=env, cwd=self.project, capture_output=True, text=True, timeout=WITHIN,
        )  # fmt: skip
        return run.returncode, run.stdout + run.stderr, statuses(report)


def statuses(report):
    """The statuses that each operation was answered with."""
    seen = {}
    for line in report.read_text().splitlines():
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        for name, interaction in recorder.get("interactions", {}).items():
            case = recorder["cases"][name]["value"]
            status = (interaction["response"] or {}).get("status_code")
            seen.setdefault(f"{case['method']} {case['path']}", set()).add(status)
    return seen
