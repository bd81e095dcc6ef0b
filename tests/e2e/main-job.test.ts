import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coloursIn, MASKED } from './harness/picture.ts';
import { scenario } from './harness/world.ts';
import { playMainJob, WORDS } from './main-job.ts';

scenario('ai-assisted fix cycle', {}, async (world) => {
  const told = await playMainJob(world, async () => undefined);
  console.log(`    pin shows "resolved" ${told.pinAfterMs.toFixed(1)} ms after resolve_comment was sent`);
  assert.ok(told.pinAfterMs < 10_000, 'a late pin is a defect, whatever the machine');
  assert.equal(told.resolved.success, true);
  assert.ok(told.prompt.includes(WORDS));
  assert.ok(told.prompt.includes('components/PaymentForm.html'));
  assert.ok(told.prompt.includes('PaymentForm'));

  // Kept as resolved, with its history, and mirrored for agents without MCP.
  const agent = await world.agent();
  const open = await agent.feedback({ status: 'active' });
  assert.equal(open.comments.length, 0);
  const done = await agent.feedback({ status: 'resolved', detail: 'full' });
  assert.equal(done.comments.length, 1);
  const history = done.comments[0]?.history;
  assert.ok(Array.isArray(history) && history.length > 0);
  await world.until('the project’s own folder holds the copies', async () => {
    const files = await readdir(join(world.project, '.opentoolbar'));
    return ['feedback.md', '.gitignore'].every((name) => files.includes(name));
  });
  assert.equal(await readFile(join(world.project, '.opentoolbar', '.gitignore'), 'utf8'), '*\n');
  const kept = await readdir(join(world.host.state, 'projects'), { recursive: true });
  assert.ok(
    kept.some((name) => name.endsWith('opentoolbar.db')),
    'what was said is kept in the home',
  );
});

scenario('an agent’s reply shows in the pin’s thread', {}, async (world) => {
  const id = await world.comment('#new-order', 'Make this wider');
  const agent = await world.agent('helpful');
  await world.delivered(agent, id);
  await agent.call('reply_to_comment', { commentId: id, message: 'How wide would you like it?' });
  // What tells of the answer may lie over the pin.
  await world.overlay.click('answered-away');
  await world.overlay.openThread(id);
  await world.overlay.says('pin-thread', /How wide would you like it\?/);
});

scenario(
  'get_screenshot returns a PNG with the password field masked',
  { everySite: true },
  async (world) => {
    const { page } = world;
    await page.type('input[name=password]', 'correct horse battery');
    const id = await world.comment('input[name=password]', 'Align this field');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const { raw, value } = await agent.call('get_screenshot', { commentId: id });
    const bytes = await readFile(String(value.path));
    assert.deepEqual([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const image = raw.content.find((part) => part.type === 'image');
    assert.equal(image?.mimeType, 'image/png');
    // The field has no glyphs left in it: one colour from edge to edge, where the dots of the password would be.
    const field = 'input[name=password]';
    assert.deepEqual(await world.coloursInside(bytes, field, field), [MASKED]);
    const around = await coloursIn(world, bytes, { x: 1, y: 1, width: 100, height: 20 });
    assert.ok(!around.includes(MASKED), 'what is around the field is seen, so the measure can tell');
  },
);
