"""Every message of the conversation, both ways, over the WebSocket; shapes are compared whole."""

import asyncio
import unittest

from websockets.exceptions import ConnectionClosed
from world import ANCESTORS, CHILDREN, ELEMENT, PAGE, Tab, World, set_context, user_message


class Case(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        # unittest's debug mode tells of every slow step.
        asyncio.get_running_loop().set_debug(False)
        self.world = await World().serve()
        self.addAsyncCleanup(self.world.end)

    async def test_every_message_of_the_contract(self):
        agent = await self.world.agent()
        tab = await self.world.tab()
        self.assertEqual(await tab.ask({"type": "ping"}), {"type": "pong"})
        context = await tab.select()
        await tab.send(user_message(context, "Make it bigger"))
        await tab.is_quiet()

        told = await agent.call("get_ui_context")
        self.assertEqual(told["sessionId"], "tab-1")
        self.assertEqual(told["contextId"], context)
        self.assertEqual(told["userMessage"], "Make it bigger")
        self.assertEqual(told["element"], ELEMENT)
        self.assertEqual(told["ancestors"], ANCESTORS)
        self.assertEqual(told["children"], CHILDREN)
        self.assertEqual(told["page"], PAGE)
        self.assertIsInstance(told["timestamp"], int)
        with open(told["screenshotPath"], "rb") as picture:
            self.assertEqual(picture.read(8), b"\x89PNG\r\n\x1a\n")
        session = told["sessionId"]

        listed = (await agent.call("list_sessions"))["sessions"]
        self.assertEqual(len(listed), 1)
        self.assertEqual(listed[0]["sessionId"], session)
        self.assertEqual((listed[0]["pageUrl"], listed[0]["pageTitle"]), (PAGE["url"], PAGE["title"]))
        self.assertIs(listed[0]["hasUnreadMessage"], False)

        detail = "Searching for Button component..."
        done = await agent.call("update_status", sessionId=session, status="searching", detail=detail)
        self.assertIs(done["success"], True)
        self.assertEqual(
            await tab.hear(), {"type": "status_update", "payload": {"status": "searching", "detail": detail}}
        )
        for status in ("thinking", "editing"):
            await agent.call("update_status", sessionId=session, status=status)
            self.assertEqual(await tab.hear(), {"type": "status_update", "payload": {"status": status}})

        for part in ("Look", "ing"):
            await agent.respond(session, context, part, False)
            chunk = {"contextId": context, "chunk": part}
            self.assertEqual(await tab.hear(), {"type": "agent_response_chunk", "payload": chunk})
        await agent.respond(session, context, ": *done*.", True)
        whole = {"contextId": context, "message": "Looking: *done*.", "isComplete": True}
        self.assertEqual(await tab.hear(), {"type": "agent_response", "payload": whole})
        self.assertEqual(await tab.hear(), {"type": "status_update", "payload": {"status": "idle"}})

        history = (await agent.call("get_conversation_history", sessionId=session))["messages"]
        said = [(one["role"], one["content"], one["contextId"]) for one in history]
        self.assertEqual(said, [("user", "Make it bigger", context), ("assistant", "Looking: *done*.", context)])
        self.assertTrue(all(isinstance(one["timestamp"], int) for one in history))

    async def test_who_waits_for_feedback_hears_what_is_said(self):
        agent, tab = await self.world.agent(), await self.world.tab()
        context = await tab.select()
        waiting = asyncio.create_task(agent.call("wait_for_feedback", after=0, timeoutSeconds=40))
        await tab.send(user_message(context, "Are you there?"))
        news = await waiting
        self.assertIn("Are you there?", str(news))

    async def test_a_page_that_cannot_be_asked_to_point_is_said_so_at_once(self):
        agent, tab = await self.world.agent(), await self.world.tab()
        await tab.select()
        asked = agent.call("request_annotation", message="Which header?", timeoutSeconds=45)
        refused = await asyncio.wait_for(asked, 20)
        self.assertEqual(refused["success"], False)
        self.assertIn("respond_to_browser", refused["nextStep"])
        # The client is told nothing that it does not know.
        await tab.is_quiet()

    async def test_who_counts_positions_misses_and_repeats_nothing(self):
        agent, tab = await self.world.agent(), await self.world.tab(query="&after=0")
        context = await tab.select()
        await tab.send(user_message(context, "Hi"))
        await tab.is_quiet()
        await agent.respond("tab-1", context, "one ", False)
        chunk = await tab.hear()
        part = chunk.pop("part")
        expected = {
            "type": "agent_response_chunk",
            "sessionId": "tab-1",
            "agent": "test-agent 1.0",
            "payload": {"contextId": context, "chunk": "one "},
        }
        self.assertEqual(chunk, expected)
        self.assertEqual((sorted(part), part["index"]), (["index", "messageId", "position"], 0))
        tab.cut()
        await agent.respond("tab-1", context, "two ", False)
        tab, missed = await self.world.again(query=f"&after={part['position']}")
        self.assertEqual(len(missed), 1)
        self.assertEqual(missed[0]["type"], "agent_response")
        self.assertEqual(missed[0]["payload"], {"contextId": context, "message": "one two ", "isComplete": False})
        self.assertEqual((missed[0]["part"]["messageId"], missed[0]["part"]["index"]), (part["messageId"], 1))
        await agent.respond("tab-1", context, "three", False)
        third = await tab.hear()
        self.assertEqual((third["payload"]["chunk"], third["part"]["index"]), ("three", 2))
        await tab.close()
        tab, missed = await self.world.again(query=f"&after={third['part']['position']}")
        self.assertEqual(missed, [])
        await tab.close()
        tab, missed = await self.world.again(query="&after=0")
        self.assertEqual([one["payload"]["message"] for one in missed], ["one two three"])

    async def test_who_counts_nothing_is_told_what_it_missed(self):
        agent, tab = await self.world.agent(), await self.world.tab()
        context = await tab.select()
        await tab.send(user_message(context, "Hi"))
        await tab.is_quiet()
        await agent.respond("tab-1", context, "one ", False)
        self.assertEqual((await tab.hear())["payload"]["chunk"], "one ")
        tab.cut()
        await agent.respond("tab-1", context, "two ", False)
        tab, missed = await self.world.again()
        so_far = {"contextId": context, "message": "one two ", "isComplete": False}
        self.assertEqual(missed, [{"type": "agent_response", "payload": so_far}])
        await tab.close()
        await agent.respond("tab-1", context, "three", True)
        tab, missed = await self.world.again()
        whole = {"contextId": context, "message": "one two three", "isComplete": True}
        self.assertEqual(missed, [{"type": "agent_response", "payload": whole}])
        await tab.close()
        # All of it was heard, so nothing is repeated; the session is open as before.
        tab, missed = await self.world.again()
        self.assertEqual(missed, [])
        await tab.send(user_message(context, "Thanks"))
        await tab.is_quiet()
        self.assertEqual((await agent.call("get_ui_context"))["userMessage"], "Thanks")

    async def test_a_hub_that_is_killed_in_the_middle_of_an_answer(self):
        agent = await self.world.agent()
        contexts, position = {}, 0
        for session, query in (("counting", "&after=0"), ("plain", "")):
            tab = await self.world.tab(session, query)
            contexts[session] = await tab.select()
            await tab.send(user_message(contexts[session], "Hi"))
            await tab.is_quiet()
            await agent.respond(session, contexts[session], "one ", False)
            heard = await tab.hear()
            self.assertEqual(heard["payload"]["chunk"], "one ")
            position = heard["part"]["position"] if query else position
        await self.world.kill_hub()
        await self.world.serve()
        for session, context in contexts.items():
            await agent.respond(session, context, "two ", False)
        for session, query in (("counting", f"&after={position}"), ("plain", "")):
            context = contexts[session]
            tab, missed = await self.world.again(session, query)
            so_far = {"contextId": context, "message": "one two ", "isComplete": False}
            self.assertEqual([(one["type"], one["payload"]) for one in missed], [("agent_response", so_far)])
            await agent.respond(session, context, "three", True)
            whole = {"contextId": context, "message": "one two three", "isComplete": True}
            heard = await tab.hear()
            self.assertEqual((heard["type"], heard["payload"]), ("agent_response", whole))

    async def test_a_long_answer_in_many_parts_arrives_whole_and_in_order(self):
        agent, tab = await self.world.agent(), await self.world.tab()
        context = await tab.select()
        parts = [f"part {number} of the answer\n" for number in range(300)]

        async def answer():
            for part in parts:
                await agent.respond("tab-1", context, part, False)
            await agent.respond("tab-1", context, "", True)

        answering = asyncio.create_task(answer())
        heard = [(await tab.hear())["payload"]["chunk"] for _ in parts]
        self.assertEqual(heard, parts)
        self.assertEqual((await tab.hear())["payload"]["message"], "".join(parts))
        await answering

    async def test_the_extension_speaks_the_whole_protocol(self):
        await self.world.agent()
        browser = Tab(await self.world.connect(additional_headers=self.world.bearer))
        hello = {"protocol": 1, "version": "0.1.0", "role": "browser", "client": "Chromium 156"}
        greeted = await browser.answer({"id": "m_1", "type": "hello", "payload": hello})
        self.assertEqual((greeted["replyTo"], greeted["type"]), ("m_1", "hello"))
        session = {"id": "s_9", "url": PAGE["url"], "title": PAGE["title"], "lastActive": 1}
        opened = await browser.answer({"id": "m_2", "type": "open_session", "payload": session})
        self.assertEqual((opened["replyTo"], opened["type"]), ("m_2", "session"))
        self.assertEqual(opened["payload"]["project"]["name"], "shop")
        stored = await browser.answer({"id": "m_3", "sessionId": "s_9", **set_context()})
        self.assertEqual((stored["replyTo"], stored["type"]), ("m_3", "context_stored"))

    async def test_who_says_hello_is_no_plain_client_whatever_its_address_says(self):
        await self.world.agent()
        browser = await self.world.tab("s_8")
        hello = {"protocol": 1, "version": "0.1.0", "role": "browser", "client": "Chromium 156"}
        greeted = await browser.answer({"id": "m_1", "type": "hello", "payload": hello})
        self.assertEqual((greeted["replyTo"], greeted["type"]), ("m_1", "hello"))
        session = {"id": "s_8", "url": PAGE["url"], "title": PAGE["title"], "lastActive": 1}
        opened = await browser.answer({"id": "m_2", "type": "open_session", "payload": session})
        self.assertEqual((opened["replyTo"], opened["type"]), ("m_2", "session"))
        pong = await browser.answer({"type": "ping"})
        self.assertEqual(pong["type"], "pong")
        self.assertEqual(len(pong["payload"]["agents"]), 1)

    async def test_a_hub_that_leaves_says_so(self):
        tab = await self.world.tab()
        await tab.is_quiet()
        self.world.hub.terminate()
        with self.assertRaises(ConnectionClosed) as closed:
            await tab.hear()
        self.assertEqual((closed.exception.rcvd.code, closed.exception.rcvd.reason[:7]), (1001, "the hub"))


if __name__ == "__main__":
    unittest.main()
