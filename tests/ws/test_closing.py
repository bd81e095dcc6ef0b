"""How connections end: each close has the code that the standard names, and what a paired browser may not do."""

import asyncio
import json
import struct
import unittest
import urllib.request

from websockets.exceptions import ConnectionClosed
from world import HOST, Tab, World

FIREFOX = "moz-extension://0d6c7a9e-5b1e-4f0c-9d0a-3f1b2c4d5e6f"


def hello(role="browser", protocol=1):
    return {
        "id": "m_hello",
        "type": "hello",
        "payload": {"protocol": protocol, "version": "0.1.0", "role": role, "client": "Test"},
    }


class Case(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        # unittest's debug mode tells of every slow step.
        asyncio.get_running_loop().set_debug(False)
        self.world = await World().serve()
        self.addAsyncCleanup(self.world.end)

    async def code(self, tab):
        """The code with which the hub closes."""
        with self.assertRaises(ConnectionClosed) as closed:
            while True:
                await tab.hear()
        self.assertIsNotNone(closed.exception.rcvd, "a close frame, not a broken link")
        return closed.exception.rcvd.code

    async def peer(self):
        return Tab(await self.world.connect(additional_headers=self.world.bearer))

    async def raw(self, frame):
        """What is no WebSocket's, on a connection that is one."""
        tab = await self.world.tab()
        await tab.is_quiet()
        tab.socket.transport.write(frame)
        return await self.code(tab)

    async def test_who_says_goodbye_is_answered_with_the_same(self):
        tab = await self.world.tab()
        await tab.is_quiet()
        await tab.close()
        self.assertEqual(tab.socket.close_code, 1000)

    async def test_who_says_goodbye_before_all_answers_are_sent_is_answered_as_well(self):
        tab = await self.world.tab()
        await tab.is_quiet()
        for number in range(12):
            await tab.send({"id": f"m_late_{number}", "type": "status"})
        await tab.close()
        self.assertEqual(tab.socket.close_code, 1000)

    async def test_what_is_no_message_of_a_websocket_has_its_own_code(self):
        masked = b"\x00\x00\x00\x00"
        for what, frame, code in (
            ("an unknown kind of frame", b"\x83\x80" + masked, 1002),
            ("a frame that is not masked", b"\x81\x02hi", 1002),
            ("text that is not UTF-8", b"\x81\x82" + masked + b"\xff\xfe", 1007),
            ("more than a message may have", b"\x81\xff" + struct.pack(">Q", 65 * 1024 * 1024) + masked, 1009),
        ):
            with self.subTest(what):
                self.assertEqual(await self.raw(frame), code)

    async def test_who_may_not_speak_so_is_told_why(self):
        agent = await self.peer()
        await agent.send(hello("agent"))
        self.assertEqual(await self.code(agent), 1008)
        other = await self.peer()
        await other.send(hello(protocol=99))
        self.assertEqual(await self.code(other), 1002)
        nobody = await self.peer()
        await nobody.send({"id": "m_1", "type": "status"})
        self.assertEqual(await self.code(nobody), 1002)

    async def test_a_session_that_is_taken_is_to_be_asked_for_later(self):
        first = await self.world.tab()
        await first.is_quiet()
        second = await self.world.tab()
        self.assertEqual(await self.code(second), 1013)

    async def test_a_paired_browser_ends_no_hub_and_chooses_among_known_projects(self):
        verb = await asyncio.create_subprocess_exec(
            HOST, "pair", env=self.world.env, stdout=asyncio.subprocess.PIPE
        )
        said = (await verb.communicate())[0].decode()
        code = next(word for word in said.split() if len(word.replace("-", "")) == 8 and word.isupper())
        request = urllib.request.Request(
            self.world.url.replace("ws://", "http://").replace("/ws", "/pair"),
            json.dumps({"code": code}).encode(),
            {"Origin": FIREFOX, "Content-Type": "application/json"},
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        answer = await asyncio.to_thread(lambda: json.load(opener.open(request)))
        browser = Tab(
            await self.world.connect(
                origin=FIREFOX, subprotocols=["opentoolbar.v1", f"bearer.{answer['token']}"]
            )
        )
        self.assertEqual((await browser.answer(hello()))["type"], "hello")
        refused = await browser.answer({"id": "m_1", "type": "shutdown"})
        self.assertEqual(refused["payload"]["code"], "forbidden")

        elsewhere = self.world.project_of("elsewhere")

        async def choose(number, root):
            choice = {"origin": "http://localhost:5173", "root": str(root)}
            return await browser.answer({"id": f"m_{number}", "type": "set_origin_project", "payload": choice})

        for number, root in enumerate((elsewhere, "/", "/no/such/place", "/etc"), 2):
            refused = await choose(number, root)
            self.assertEqual((refused["type"], refused["payload"]["code"]), ("error", "forbidden"), root)
        await self.world.agent()
        self.assertEqual((await choose(7, self.world.project.resolve()))["type"], "done")
        self.assertIsNone(self.world.hub.returncode)


if __name__ == "__main__":
    unittest.main()
