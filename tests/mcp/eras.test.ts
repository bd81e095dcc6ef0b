/** Every revision of MCP that is served, in raw lines: what an SDK would smooth over is seen here. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { TOOLS } from './documented.ts';
import { type Id, type Line, Lines } from './lines.ts';
import { Place } from './place.ts';

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** How long a process may take to end when nothing is under way, in milliseconds: a loaded machine's share included. */
const AT_ONCE = 2_000;

const place = new Place();

before(async () => {
  await place.open();
  await place.browser.comment('c_one', 'Make it blue');
});

after(() => place.close());

/** A place of its own, in which nothing was said before. */
async function quiet(t: TestContext): Promise<Place> {
  const own = new Place();
  t.after(() => own.close());
  await own.open();
  return own;
}

/** What must be true now, or in a moment: an agent that leaves is seen to by the hub. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const began = Date.now();
  while (!(await isSo())) {
    if (Date.now() - began > 30_000) throw new Error(what);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

for (const revision of REVISIONS) {
  test(`${revision}: it is agreed upon, the tools are listed, a call is answered, and the end is the end`, async () => {
    const agent = new Lines(place, revision);
    const said = await agent.open();
    if (revision === '2026-07-28') assert.ok((said.supportedVersions as string[]).includes(revision));
    else assert.equal(said.protocolVersion, revision);
    assert.match(String(said.instructions), /get_ui_feedback/);
    const { tools } = (await agent.ask('tools/list')).result as { tools: Line[] };
    assert.deepEqual(
      tools.map((tool) => tool.name),
      TOOLS,
    );
    const told = await agent.call('get_ui_feedback');
    assert.deepEqual(
      (told.comments as { text: string }[]).map((comment) => comment.text),
      ['Make it blue'],
    );
    const { code, took } = await agent.close();
    assert.equal(code, 0);
    assert.ok(took < AT_ONCE, `it took ${took} ms to end`);
  });

  test(`${revision}: of 50 calls at once each is answered once, by its own id`, async () => {
    const agent = new Lines(place, revision);
    await agent.open();
    // Numbers and texts: an id comes back as what it was.
    const ids: Id[] = Array.from({ length: 50 }, (_, at) => (at % 2 ? `call-${at}` : 1_000 + at));
    const before = agent.answers.length;
    const told = await Promise.all(
      ids.map((id, at) =>
        at % 5 === 4 ? agent.call('list_sessions', {}, id) : agent.call('get_ui_feedback', { limit: 1 }, id),
      ),
    );
    // Each got what it asked for, not what a neighbour did.
    for (const [at, answer] of told.entries()) {
      assert.ok(at % 5 === 4 ? answer.sessions : answer.comments, `${ids[at]}: ${JSON.stringify(answer)}`);
    }
    // One more there and back: a second answer of any of them would have come before it.
    await agent.call('list_sessions', {}, 'last');
    assert.equal((await agent.close()).code, 0);
    const answered = agent.answers.slice(before).map((answer) => answer.id as Id);
    const order = (a: Id, b: Id) => String(a).localeCompare(String(b));
    assert.deepEqual(answered.sort(order), [...ids, 'last'].sort(order));
  });

  test(`${revision}: a wait whose client is gone ends, and marks nothing as read`, async (t) => {
    const own = await quiet(t);
    const { browser } = own;
    const agent = new Lines(own, revision);
    await agent.open();
    agent.begin('tools/call', { name: 'wait_for_feedback', arguments: { timeoutSeconds: 45 } });
    await browser.untilWaiting(1);
    agent.process.stdout.destroy();
    const { took } = await agent.close();
    assert.ok(took < AT_ONCE, `it took ${took} ms to end`);
    await browser.say('Is it blue?');
    assert.deepEqual(await browser.unread(), ['Is it blue?']);
  });
}

// All at once: the hub gives an agent that is gone some seconds to come back.
test('what was handed to a client that went without reading it waits for the next', {
  concurrency: true,
}, async (t) => {
  const each = REVISIONS.map((revision) =>
    t.test(revision, async (t) => {
      const own = await quiet(t);
      const { browser } = own;
      await browser.say('Is it blue?');
      const agent = new Lines(own, revision);
      await agent.open();
      agent.process.stdout.destroy();
      agent.begin('tools/call', { name: 'wait_for_feedback', arguments: { timeoutSeconds: 45 } });
      await until('it is not handed over', async () => (await browser.unread()).length === 0);
      await agent.close();
      await until('what nobody read does not wait again', async () => (await browser.unread()).length === 1);
      const next = new Lines(own, revision);
      await next.open();
      const { messages } = await next.call('wait_for_feedback', { timeoutSeconds: 10 });
      assert.equal((messages as { content: string }[])[0]?.content, 'Is it blue?');
      assert.deepEqual(await browser.unread(), []);
      assert.equal((await next.close()).code, 0);
    }),
  );
  await Promise.all(each);
});
