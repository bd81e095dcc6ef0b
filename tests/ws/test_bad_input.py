"""Whatever comes over the WebSocket: a clear error on the wire, nothing lost, and the connection stays where it can."""

import asyncio
import base64
import json
import unittest

from websockets.exceptions import ConnectionClosed, InvalidStatus
from world import PNG, Tab, World, set_context, user_message

MEBIBYTE = 1024 * 1024


class Case(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        # unittest's debug mode tells of every slow step.
        asyncio.get_running_loop().set_debug(False)
        self.world = await World().serve()
        self.addAsyncCleanup(self.world.end)

    def assert_error(self, heard, code, *words):
        self.assertEqual((sorted(heard), heard["type"]), (["payload", "type"], "error"))
        error = heard["payload"]
        self.assertEqual(sorted(error), ["code", "message", "nextStep"])
        self.assertEqual(error["code"], code, error)
        for word in words:
            self.assertIn(word, error["message"] + " " + error["nextStep"])

    async def test_what_is_no_message_is_said_so_and_the_connection_stays(self):
        tab = await self.world.tab()
        for text in ("", "not JSON", "{", "[]", "null", '{"type": "ping"', '{"payload": {}}', "\u2028" * 100):
            await tab.socket.send(text)
            self.assert_error(await tab.hear(), "bad_request")
        self.assert_error(await tab.ask({"type": "no_such_thing"}), "bad_request", "no_such_thing")
        self.assert_error(await tab.ask({"type": "user_message"}), "bad_request", "payload")
        self.assert_error(await tab.ask({"type": "set_context", "payload": {"element": 1}}), "bad_request")
        self.assert_error(await tab.ask({"type": "shutdown"}), "bad_request", "id")
        await tab.socket.send(b'{"type": "ping"}')
        self.assert_error(await tab.hear(), "bad_request", "binary", "JSON")
        # With an id the error says whose it is.
        heard = await tab.ask({"id": "m_7", "type": "no_such_thing"})
        self.assertEqual((heard["replyTo"], heard["type"]), ("m_7", "error"))
        await tab.is_quiet()

    async def test_unknown_selections_sessions_and_projects(self):
        tab = await self.world.tab()
        self.assert_error(await tab.ask(user_message("ctx_none", "Hi")), "unknown_session", "set_context")
        # No agent runs: what is selected and said is kept for the first one, what is about nothing is refused.
        context = await tab.select()
        await tab.send(user_message(context, "Before any agent"))
        self.assert_error(await tab.ask(user_message("ctx_none", "Hi")), "unknown_context", "ctx_none")
        agent = await self.world.agent()
        context = await tab.select()
        self.assert_error(await tab.ask(user_message("ctx_none", "Hi")), "unknown_context", "ctx_none")
        foreign = {**user_message(context, "Hi"), "sessionId": "s_other"}
        self.assert_error(await tab.ask(foreign), "unknown_session", "s_other")
        closed = await tab.ask({"id": "m_1", "type": "close_session", "payload": {"sessionId": "tab-1"}})
        self.assertEqual(closed, {"replyTo": "m_1", "type": "done"})
        self.assert_error(await tab.ask(user_message(context, "Too late?")), "unknown_session", "tab-1")
        history = await agent.call("get_conversation_history", sessionId="tab-1")
        said = [one["content"] for one in history["messages"]]
        self.assertEqual(said, ["Before any agent"])
        # What an agent says to a closed session is kept for when it comes back.
        await agent.respond("tab-1", context, "Still here", True)
        await tab.close()
        _, missed = await self.world.again()
        self.assertEqual([one["payload"]["message"] for one in missed], ["Still here"])

    async def test_pictures_that_are_none_and_messages_that_are_too_long(self):
        await self.world.agent()
        tab = await self.world.tab()
        gif = base64.b64encode(b"GIF89a" + bytes(100)).decode()
        self.assert_error(await tab.ask(set_context(gif)), "bad_request", "PNG")
        self.assert_error(await tab.ask(set_context("?")), "bad_request", "base64")
        large = base64.b64encode(base64.b64decode(PNG) + bytes(8 * MEBIBYTE)).decode()
        self.assert_error(await tab.ask(set_context(large)), "too_large", "screenshot")
        context = await tab.select()
        await tab.send(user_message(context, "x" * MEBIBYTE))
        await tab.is_quiet()
        self.assert_error(await tab.ask(user_message(context, "x" * (MEBIBYTE + 1))), "too_large", "bytes")
        self.assert_error(await tab.ask(user_message(context, " ")), "bad_request", "empty")
        await tab.is_quiet()

    async def test_a_message_beyond_all_measure_ends_the_connection_with_a_word(self):
        tab = await self.world.tab()
        with self.assertRaises(ConnectionClosed):
            await tab.send({"type": "ping", "more": "x" * (64 * MEBIBYTE)})
            self.assert_error(await tab.hear(), "bad_request", "67108864")
            await tab.hear()
        tab, _ = await self.world.again()
        await tab.is_quiet()

    async def test_parts_after_the_end_and_out_of_order(self):
        agent, tab = await self.world.agent(), await self.world.tab()
        context = await tab.select()
        await tab.send(user_message(context, "Hi"))
        await tab.is_quiet()
        await agent.respond("tab-1", context, "a", False, index=0)
        asked = {"sessionId": "tab-1", "contextId": context}
        for part in ({"message": "c", "index": 2}, {"message": "a", "index": 0}):
            refused = await agent.call("respond_to_browser", **asked, **part, isComplete=False)
            self.assertIs(refused["success"], False)
            self.assertIn("index 1", refused["error"])
        await agent.respond("tab-1", context, "b", True, index=1)
        late = await agent.call("respond_to_browser", **asked, message="c", isComplete=False)
        self.assertIs(late["success"], False)
        self.assertIn("complete", late["error"])
        heard = [(await tab.hear())["payload"] for _ in range(2)]
        self.assertEqual(heard[0], {"contextId": context, "chunk": "a"})
        self.assertEqual(heard[1], {"contextId": context, "message": "ab", "isComplete": True})
        await tab.is_quiet()

    async def test_a_flood_is_told_to_wait(self):
        agent, tab = await self.world.agent(), await self.world.tab()
        context = await tab.select()
        ping = json.dumps({"type": "ping"})

        async def flood():
            for _ in range(8000):
                await tab.socket.send(ping)

        flooding = asyncio.create_task(flood())
        heard = [await tab.hear() for _ in range(8000)]
        await flooding
        refused = [one for one in heard if one != {"type": "pong"}]
        self.assertTrue(refused, "nothing was refused")
        for one in refused:
            self.assert_error(one, "rate_limited", "send it again")
        await asyncio.sleep(0.1)
        await tab.is_quiet()
        await agent.respond("tab-1", context, "Here", True)
        self.assertEqual((await tab.hear())["payload"]["message"], "Here")

    async def test_two_tabs_of_one_id(self):
        agent, first = await self.world.agent(), await self.world.tab()
        # It is the first one for the hub too.
        await first.is_quiet()
        second = await self.world.tab()
        self.assert_error(await second.hear(), "conflict", "tab-1")
        with self.assertRaises(ConnectionClosed):
            await second.hear()
        # The first one goes on as if nothing had been.
        context = await first.select()
        await agent.respond("tab-1", context, "Here", True)
        self.assertEqual((await first.hear())["payload"]["message"], "Here")
        third = await self.world.tab()
        self.assert_error(await third.hear(), "conflict", "tab-1")
        await first.close()
        again, _ = await self.world.again()
        await again.is_quiet()

    async def test_only_who_shows_the_token_and_is_no_page_comes_in(self):
        bearer = self.world.bearer
        for status, options in (
            (401, {}),
            (401, {"additional_headers": {"Authorization": "Bearer wrong"}}),
            (401, {"subprotocols": ["opentoolbar.v1", "bearer.wrong"]}),
            (403, {"additional_headers": bearer, "origin": "http://localhost:5173"}),
            (403, {"additional_headers": bearer, "origin": "https://shop.test"}),
        ):
            with self.assertRaises(InvalidStatus) as refused:
                await self.world.connect("?sessionId=tab-1", **options)
            response = refused.exception.response
            self.assertEqual(response.status_code, status, options)
            self.assertEqual(sorted(json.loads(response.body)), ["code", "message", "nextStep"])
        protocols = ["opentoolbar.v1", f"bearer.{self.world.token}"]
        socket = await self.world.connect("?sessionId=tab-1", subprotocols=protocols)
        self.assertEqual(socket.subprotocol, "opentoolbar.v1")
        await Tab(socket).is_quiet()

    async def test_agents_do_not_come_over_the_gateway(self):
        peer = Tab(await self.world.connect(additional_headers=self.world.bearer))
        hello = {"protocol": 1, "version": "0.1.0", "role": "agent", "client": "a", "cwd": str(self.world.project)}
        heard = await peer.ask({"id": "m_1", "type": "hello", "payload": hello})
        self.assertEqual((heard["type"], heard["payload"]["code"]), ("error", "forbidden"))
        with self.assertRaises(ConnectionClosed):
            await peer.hear()


if __name__ == "__main__":
    unittest.main()
