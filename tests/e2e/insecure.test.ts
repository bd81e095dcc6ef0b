/**
 * Pages on plain http that are not this machine's: browsers give them less, and a person comments there as anywhere.
 */
import assert from 'node:assert/strict';
import { PLAIN_HOST } from './harness/browser.ts';
import { scenario } from './harness/world.ts';

scenario(
  'a comment on a plain-http host reaches the agent',
  { host: PLAIN_HOST, everySite: true },
  async (world) => {
    assert.equal(await world.page.evaluate(() => isSecureContext), false);
    assert.equal(await world.page.evaluate(() => 'randomUUID' in crypto), false);
    const agent = await world.agent('codex');
    const id = await world.comment('#new-order', 'Make it green');
    assert.equal((await world.delivered(agent, id)).text, 'Make it green');
  },
);
