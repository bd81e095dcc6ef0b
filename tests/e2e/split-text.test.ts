/**
 * React makes three text nodes of `Open cart ({n})`. Whoever is told of the element reads one text, and finds it in the
 * source's words.
 */
import assert from 'node:assert/strict';
import { read, send } from './conversation.ts';
import { scenario } from './harness/world.ts';

scenario(
  'a text in several nodes is told as it reads, to agents and in the prompt',
  { app: 'react', hot: true, path: '/shop.html' },
  async (world) => {
    const agent = await world.agent();
    await world.page.waitForSelector('#open-cart');
    const id = await world.comment('#open-cart', 'Say “Basket”');
    await world.delivered(agent, id);
    const { comments } = await agent.feedback({ detail: 'full' });
    await send(world, '#open-cart', 'What is in it?');
    const context = await read(world, agent, 'What is in it?');
    const panel = await world.panel();
    await panel.click('copy-prompt');
    const prompt = await world.until('the prompt in the clipboard', () => world.clipboard());
    for (const [where, told] of Object.entries({
      get_ui_feedback: JSON.stringify(comments),
      get_ui_context: JSON.stringify(context),
      prompt,
    })) {
      assert.match(told, /Open cart \(0\)/, `${where}: ${told}`);
      assert.doesNotMatch(told, /\( 0|0 \)/, where);
    }
  },
);
