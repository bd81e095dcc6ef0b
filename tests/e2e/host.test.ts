/** With and without the host, and with a hub that dies. */
import assert from 'node:assert/strict';
import { own } from './harness/overlay.ts';
import { scenario } from './harness/world.ts';

scenario(
  'without a host comments are stored locally, said so, and delivered later',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('#refresh', 'Written before the host was there');
    const panel = await world.panel();
    await panel.find(`comment-${id}`);
    await panel.says('connection-hub', /Stored in this browser/);

    await page.bringToFront();
    await page.reload();
    await overlay.pin(id, 'survives a reload');

    // The person installs the host; the browser goes on running.
    await world.host.register();
    const agent = await world.agent();
    const comment = await world.until('the outbox is delivered', async () => {
      await page.reload();
      const { comments } = await agent.feedback();
      return comments.find((candidate) => candidate.id === id);
    });
    assert.equal(comment.text, 'Written before the host was there');
    const again = await agent.feedback();
    assert.equal(again.comments.length, 1, 'delivered once');
  },
);

scenario(
  'a pin has a mark until the host has stored its comment, then the number by which an agent resolves it',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('#refresh', 'Say when it was refreshed');
    const label = () => overlay.$eval(own(`pin-${id}`), (pin) => pin.getAttribute('aria-label') ?? '');
    const unsent = await overlay.pin(id, 'is made without a host');
    assert.equal(unsent.number, '');
    assert.match(await label(), /^Comment [^\d]*, not sent yet/);
    const panel = await world.panel();
    await panel.find(`comment-${id}`);
    await panel.says(`comment-${id}`, /Not sent yet/);

    await world.host.register();
    const agent = await world.agent();
    await page.bringToFront();
    await world.until('the outbox is delivered', async () => {
      await page.reload();
      return (await agent.feedback()).comments.length > 0;
    });
    await overlay.pin(id, 'has its number', (pin) => pin.number === '1');
    assert.match(await label(), /^Comment 1 /);
    await panel.page.bringToFront();
    await panel.says(`comment-${id}`, /^(?!.*Not sent yet)1/s);
    await page.bringToFront();
    const { value } = await agent.call('resolve_comment', { commentId: '#1', summary: 'done' });
    assert.deepEqual([value.success, value.commentId], [true, id]);
    await overlay.pin(id, 'is resolved', (pin) => pin.status === 'resolved' && pin.number === '1');
  },
);

scenario('a killed hub comes back and nothing is lost', {}, async (world) => {
  const { overlay } = world;
  const first = await world.comment('#refresh', 'Before the crash');
  const agent = await world.agent();
  await world.delivered(agent, first);

  const old = await world.host.hubPid();
  assert.ok(old !== null);
  await world.host.killHub();
  const second = await world.comment('#new-order', 'While the hub was down');
  await world.delivered(agent, second);
  const fresh = await world.host.hubPid();
  assert.ok(fresh !== null && fresh !== old, 'another hub serves now');

  const { comments } = await agent.feedback();
  assert.deepEqual(new Set(comments.map((comment) => comment.id)), new Set([first, second]));
  const seen = await overlay.watchStatus(first, 'resolved');
  await agent.call('resolve_comment', { commentId: first });
  await seen();
});

scenario('two browsers see the same comment and each other’s changes', {}, async (world) => {
  const id = await world.comment('#refresh', 'Seen twice');
  const other = await world.another();
  await other.pin(id, 'arrives in the other browser');
  const panel = await world.panel();
  await panel.click(`resolve-${id}`);
  await other.pin(id, 'is resolved there too', (pin) => pin.status === 'resolved');
});

scenario('the panel says connected only after a round trip to hub and agent', {}, async (world) => {
  const panel = await world.panel();
  await world.until('the hub is connected', () =>
    panel.page.$eval('[data-testid="connection-hub"]', (node) => node.getAttribute('data-state') === 'good'),
  );
  const agentState = () =>
    panel.page.$eval('[data-testid="connection-agent"]', (node) => node.getAttribute('data-state'));
  await world.until('no agent has connected yet', async () => (await agentState()) === 'broken');
  const agent = await world.agent('round-trip');
  await agent.feedback();
  await world.until('the agent is connected', async () => (await agentState()) === 'good');
});
