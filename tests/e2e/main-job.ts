/**
 * The main job, once: point, comment, the agent gets it, edits the source, the pin follows, the agent resolves, the
 * page shows it. Played by the demo and by the end-to-end test alike.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Feedback } from './harness/agent.ts';
import { writeSource } from './harness/source.ts';
import { until } from './harness/until.ts';
import type { World } from './harness/world.ts';

export const BUTTON = '.save-card';
export const WORDS = 'Change button color to #2563EB';

export interface Told {
  /** Copied with the panel's button. */
  prompt: string;
  /** What `get_ui_feedback` answered. */
  feedback: { comments: Feedback[] };
  /** What `resolve_comment` answered. */
  resolved: Record<string, unknown>;
  /** From sending `resolve_comment` to the pin's change in the page, milliseconds. */
  pinAfterMs: number;
}

/** `moment` is called after each step, with a name for it. */
export async function playMainJob(world: World, moment: (step: string) => Promise<void>): Promise<Told> {
  const { page, overlay } = world;
  const agent = await world.agent('demo-agent');

  await world.startPickingInPanel();
  await overlay.hover(BUTTON);
  await moment('1-point');

  await overlay.pick(BUTTON);
  await overlay.type(WORDS);
  await moment('2-comment');
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  const pin = await until('the pin', async () => (await overlay.pins())[0]);
  assert.equal(pin.status, 'active');
  await moment('3-pinned');

  const feedback = await until('the agent gets the comment', async () => {
    const answer = await agent.feedback();
    return answer.comments.length > 0 ? answer : null;
  });
  const comment = feedback.comments[0];
  assert.ok(comment);
  assert.equal(comment.id, pin.id);
  assert.equal(comment.text, WORDS);
  const target = (comment.targets as { component?: string; file?: string }[])[0];
  assert.equal(target?.component, 'PaymentForm');
  assert.match(target?.file ?? '', /^components\/PaymentForm\.html:\d+/);

  const panel = await world.panel();
  await panel.click('copy-prompt');
  const prompt = await until('the prompt in the clipboard', () => world.clipboard());
  await moment('4-panel');
  await page.bringToFront();

  // The agent's work: it opens the file it was told, moves the button down a line, and colours it where that is said.
  const file = join(world.project, (target?.file ?? '').replace(/:.*$/, ''));
  const source = await readFile(file, 'utf8');
  const hint = '  <p class="hint">We charge when the order leaves the roastery.</p>\n';
  await writeSource(
    file,
    source.replace(/^.*save-card.*$/m, (line) => hint + line),
  );
  const sheet = file.replace(/html$/, 'css');
  await writeSource(
    sheet,
    (await readFile(sheet, 'utf8')).replace(/background: #\w+/, 'background: #2563eb'),
  );
  await until('the page shows the edit', () =>
    page.evaluate(
      (selector) =>
        document.querySelector('.hint') !== null &&
        getComputedStyle(document.querySelector(selector) ?? document.body).backgroundColor ===
          'rgb(37, 99, 235)',
      BUTTON,
    ),
  );
  const button = await overlay.middle(BUTTON);
  const moved = await overlay.pin(
    pin.id,
    'follows its button',
    (now) => now.y > pin.y && Math.abs(now.y - button.y) < 60,
  );
  assert.equal(moved.status, 'active', 'a moved element does not outdate its comment');
  await moment('5-edited');

  const seen = await overlay.watchStatus(pin.id, 'resolved');
  const sentAt = performance.timeOrigin + performance.now();
  const { value: resolved } = await agent.call('resolve_comment', {
    commentId: pin.id,
    summary: 'The button is #2563EB now.',
  });
  const pinAfterMs = (await seen()) - sentAt;
  await moment('6-resolved');
  return { prompt, feedback, resolved, pinAfterMs };
}
