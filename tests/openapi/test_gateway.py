"""The gateway does what its reference says, and nothing that it is sent breaks it: asked by schemathesis."""

import copy
import json
import pathlib
import unittest

import schemathesis
from schemathesis.config import SchemathesisConfig
from world import ANSWERS, INITIALIZE, INITIALIZED, TOOLS, World

REFERENCE = pathlib.Path(__file__).parents[2] / "docs" / "openapi.json"
# What only a WebSocket client, a code that was just printed, and a stream without an end are answered well.
ELSEWHERE = {"GET /ws", "POST /pair", "GET /mcp"}
# What each is to be seen to refuse with, beside others.
REFUSED = {
    "GET /context": {401},
    "POST /verify": {400, 401, 415, 422},
    "GET /verify/{id}": {401, 404, 422},
    "DELETE /verify/{id}": {401, 404, 409},
    "POST /mcp": {400, 401, 415, 422},
    "POST /pair": {400, 403, 429},
    "POST /paired": {401},
    "GET /ws": {400, 426},
}


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.end)
        cls.document = cls.world.ask("GET", "/openapi.json").json()

    def test_the_reference_is_the_committed_one(self):
        # But for where it stands, which is where it was asked for.
        self.assertEqual(self.document["servers"], [{"url": self.world.url}])
        committed = json.loads(REFERENCE.read_text())
        self.assertEqual({**self.document, "servers": []}, {**committed, "servers": []})

    def test_every_answer_is_as_the_reference_says_and_none_is_a_defect(self):
        code, said, seen = self.world.check(self.document)
        self.assertEqual(code, 0, said)
        operations = {
            f"{method.upper()} {path}" for path, methods in self.document["paths"].items() for method in methods
        }
        for operation in operations:
            statuses = seen.get(operation, set())
            # Not every one may be turned away at the door.
            if operation not in ELSEWHERE:
                self.assertTrue(any(200 <= status < 300 for status in statuses), f"{operation}: {statuses}")
            self.assertLessEqual(REFUSED.get(operation, set()), statuses, operation)
        self.assertFalse([operation for operation, statuses in seen.items() if max(statuses) >= 500])
        self.assertEqual(self.world.ask("GET", "/health").json()["status"], "ok")

    def test_a_reference_that_is_wrong_is_found_out(self):
        def schema(document):
            answer = document["paths"]["/health"]["get"]["responses"]["200"]["content"]["application/json"]
            answer["schema"]["properties"]["version"] = {"type": "integer"}

        def status(document):
            del document["paths"]["/verify/{id}"]["get"]["responses"]["404"]

        def media(document):
            answer = document["paths"]["/context"]["get"]["responses"]["200"]
            answer["content"] = {"text/plain": {"schema": {"type": "string"}}}

        def token(document):
            document["paths"]["/health"]["get"]["security"] = [{"token": []}]

        def bounds(document):
            body = document["paths"]["/verify"]["post"]["requestBody"]["content"]["application/json"]
            body["schema"]["properties"]["timeout_seconds"]["maximum"] = 90_000

        def header(document):
            answer = document["paths"]["/context"]["get"]["responses"]["401"]
            answer["headers"]["X-Missing"] = {"required": True, "schema": {"type": "string"}}

        for wrong, path, finding in [
            (schema, "/health", "Response violates schema"),
            (status, "/verify/{id}", "Undocumented status code"),
            (media, "/context", "Undocumented Content-Type"),
            (token, "/health", "accepts requests without authentication"),
            (bounds, "/verify", "Schema-valid request rejected"),
            (header, "/context", "Missing required response headers"),
        ]:
            with self.subTest(wrong.__name__):
                document = copy.deepcopy(self.document)
                wrong(document)
                code, said, _ = self.world.check(document, "--include-path", path, "--phases", "coverage")
                self.assertEqual(code, 1, said)
                self.assertIn(finding, said)

    def test_what_needs_more_than_a_request_is_answered_as_the_reference_says(self):
        """Where schemathesis alone does not get."""
        schema = schemathesis.openapi.from_dict(self.document, config=SchemathesisConfig())

        def is_as_told(answer, method, path, status):
            self.assertEqual(answer.status_code, status, answer.text)
            schema[path][method].validate_response(answer)

        is_as_told(self.world.pair(), "POST", "/pair", 200)
        session = {"Mcp-Session-Id": self.world.mcp_session(), "Accept": ANSWERS}
        is_as_told(self.world.ask("POST", "/mcp", INITIALIZE, Accept=ANSWERS), "POST", "/mcp", 200)
        is_as_told(self.world.ask("POST", "/mcp", INITIALIZED, **session), "POST", "/mcp", 202)
        is_as_told(self.world.ask("POST", "/mcp", TOOLS, **session), "POST", "/mcp", 200)
        # Said in MCP's own form: the revision without a handshake wants more with each request.
        bare = {"MCP-Protocol-Version": "2026-07-28", "Accept": ANSWERS}
        refused = self.world.ask("POST", "/mcp", TOOLS, **bare)
        self.assertIn("error", refused.json())
        is_as_told(refused, "POST", "/mcp", 400)
        is_as_told(self.world.ask("POST", "/mcp", TOOLS), "POST", "/mcp", 406)
        is_as_told(self.world.ask("DELETE", "/mcp", **session), "DELETE", "/mcp", 202)
        question = {"action": "Delete build/", "reason": "It is stale"}
        asked = self.world.ask("POST", "/verify", question)
        is_as_told(asked, "POST", "/verify", 200)
        one = f"/verify/{asked.json()['verification_id']}"
        is_as_told(self.world.ask("GET", one), "GET", "/verify/{id}", 200)
        withdrawn = self.world.ask("DELETE", one)
        self.assertEqual(withdrawn.json()["decided_by"], "withdrawn")
        is_as_told(withdrawn, "DELETE", "/verify/{id}", 200)
        is_as_told(self.world.ask("DELETE", one), "DELETE", "/verify/{id}", 409)
        huge = {**question, "context": "c" * (1024 * 1024)}
        is_as_told(self.world.ask("POST", "/verify", huge), "POST", "/verify", 413)
        relative = {"Opentoolbar-Project": "shop"}
        is_as_told(self.world.ask("GET", one, **relative), "GET", "/verify/{id}", 422)
        is_as_told(self.world.ask("DELETE", one, **relative), "DELETE", "/verify/{id}", 422)
        unknown = {"Opentoolbar-Project": "/nowhere/at/all"}
        is_as_told(self.world.ask("POST", "/verify", question, **unknown), "POST", "/verify", 409)
        is_as_told(self.world.ask("GET", "/ws", Authorization=None), "GET", "/ws", 401)
        is_as_told(self.world.ask("GET", "/context", Origin="https://evil.test"), "GET", "/context", 403)


if __name__ == "__main__":
    unittest.main()
