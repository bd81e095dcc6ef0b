/**
 * How much work a frame costs the panel while a long answer streams into it: 100 KB in 2,000 parts, from a real agent over the
 * real hub, as prose, as one block of code, and as one line. Beside it, in the same run, a page that appends the same parts to
 * plain text. Work is what Chromium's trace says of the main thread (scripts, styles, layout, painting), from one frame to the
 * next; not the time between frames, which is the machine's as well. `cargo xtask bench stream` builds what it needs and starts it:
 *
 *   node bench/stream.ts [--parts N] [--json FILE]
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'puppeteer-core';
import type { Agent } from '../e2e/harness/agent.ts';
import { World } from '../e2e/harness/world.ts';
import { type FrameWork, framesOf, traced } from './trace.ts';

const { values } = parseArgs({
  options: { parts: { type: 'string', default: '2000' }, json: { type: 'string' } },
});
const parts = Number(values.parts);
/** Characters of a part. */
const PART = 50;
/** What a frame may cost for 60 a second. */
const FRAME_MS = 16;

const PROSE = `## What I changed

The total was computed **before** the discount, so that \`orderTotal\` never saw it. I moved the call:

1. \`src/cart/total.ts\`: the discount comes first, then the *shipping*.
2. \`src/cart/Cart.tsx\`: shows both, with [the rule](https://example.test/rule).
   - a nested point, with \`code\`

| item | before | after |
| --- | ---: | ---: |
| coffee | 12.00 | 10.80 |

\`\`\`ts
export function orderTotal(lines: Line[]): number {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0);
}
\`\`\`

> The tests say the same as before. Nothing else was touched, and this line is long enough to be wrapped.

`;
const CODE = `export const row = (id: number) => ({ id, name: 'coffee', price: id * 1.2 });\n`;
const LINE = 'The total was computed before the discount, and the shipping after both of them. ';

const KINDS = {
  prose: (length: number) => filled(PROSE, length),
  'one block of code': (length: number) => `\`\`\`ts\n${filled(CODE, length - 12)}\n\`\`\`\n`,
  'one line': (length: number) => filled(LINE, length),
} satisfies Record<string, (length: number) => string>;

const filled = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, Math.max(0, length));

interface Figures {
  kind: string;
  page: 'panel' | 'plain text';
  frames: number;
  mean: number;
  p50: number;
  p95: number;
  p99: number;
  worst: number;
  /** Frames that cost more than 60 a second allow. */
  over: number;
  /** Of the mean: styles and layout. */
  layout: number;
}

const world = await World.create('chromium');
try {
  const all: Figures[] = [];
  const panel = await world.panel();
  await panel.click('tab-chat');
  const agent = await world.agent('streaming');
  const { sessionId } = await question(agent, 'Are you there?');
  const plain = await world.browser.openExtensionPage('panel.html?tabId=0');
  await showPlainText(plain, sessionId);
  for (const [kind, textOf] of Object.entries(KINDS)) {
    const text = textOf(parts * PART);
    for (const [name, page] of [
      ['panel', panel.page],
      ['plain text', plain],
    ] as const) {
      const about = await question(agent, `Explain ${kind}, for the ${name}`);
      const frames = framesOf(await traced(page, () => stream(agent, about, text)), page.url());
      all.push(summary(kind, name, frames));
    }
  }
  print(all);
  if (values.json) await writeFile(values.json, `${JSON.stringify(all, null, 2)}\n`);
} catch (error) {
  console.error(`What the browser showed and everyone said: ${await world.save('bench-stream')}`);
  throw error;
} finally {
  await world.close();
}

/** The person asks something, and the agent has read it. */
async function question(agent: Agent, text: string): Promise<{ sessionId: string; contextId: string }> {
  const panel = await world.panel();
  await panel.click('composer');
  await panel.page.keyboard.type(text);
  await panel.page.keyboard.press('Enter');
  return world.until('the agent reads the question', async () => {
    const { value } = await agent
      .call('get_ui_context')
      .catch(() => ({ value: {} as Record<string, unknown> }));
    const { sessionId, contextId, userMessage } = value as Record<string, string | undefined>;
    return sessionId && contextId && userMessage?.endsWith(text) ? { sessionId, contextId } : null;
  });
}

/** One answer, in parts, as fast as they are taken. */
async function stream(
  agent: Agent,
  about: { sessionId: string; contextId: string },
  text: string,
): Promise<void> {
  for (let at = 0; at < text.length; at += PART) {
    const isComplete = at + PART >= text.length;
    await agent.call('respond_to_browser', { ...about, message: text.slice(at, at + PART), isComplete });
  }
}

/** A page that hears the same parts as the panel, and does the least that shows them. */
async function showPlainText(page: Page, sessionId: string): Promise<void> {
  await page.evaluate((session) => {
    document.body.innerHTML =
      '<main style="height: 100vh; overflow: auto"><pre style="white-space: pre-wrap"></pre></main>';
    const [view, text] = [document.querySelector('main'), document.querySelector('pre')];
    type Runtime = {
      connect(options: { name: string }): {
        postMessage(message: object): void;
        onMessage: { addListener(listener: (message: { type: string; text?: string }) => void): void };
      };
    };
    const { runtime } = (globalThis as unknown as { chrome: { runtime: Runtime } }).chrome;
    const port = runtime.connect({ name: 'chat' });
    let fresh = '';
    port.onMessage.addListener((message) => {
      if (message.type !== 'chat_text' || !message.text) return;
      if (!fresh) {
        requestAnimationFrame(() => {
          text?.append(fresh);
          fresh = '';
          view?.scrollTo(0, view.scrollHeight);
        });
      }
      fresh += message.text;
    });
    port.postMessage({ type: 'watch_chat', sessionId: session });
  }, sessionId);
}

function summary(kind: string, page: Figures['page'], frames: FrameWork[]): Figures {
  const work = frames.map(({ total }) => total).sort((a, b) => a - b);
  const at = (share: number) => work[Math.min(work.length - 1, Math.floor(work.length * share))] ?? 0;
  const mean = (of: (frame: FrameWork) => number) =>
    frames.reduce((sum, frame) => sum + of(frame), 0) / Math.max(1, frames.length);
  return {
    kind,
    page,
    frames: frames.length,
    mean: mean(({ total }) => total),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    worst: work.at(-1) ?? 0,
    over: work.filter((cost) => cost > FRAME_MS).length,
    layout: mean(({ layout }) => layout),
  };
}

function print(all: Figures[]): void {
  console.log(`Milliseconds of main-thread work a frame, an answer of ${parts} parts of ${PART} characters:`);
  const row = (cells: string[]) =>
    console.log(cells.map((cell, at) => (at < 2 ? cell.padEnd(19) : cell.padStart(9))).join(''));
  row(['answer', 'page', 'frames', 'mean', 'p50', 'p95', 'p99', 'worst', `> ${FRAME_MS} ms`, 'layout']);
  for (const { kind, page, frames, over, ...times } of all) {
    const { mean, p50, p95, p99, worst, layout } = times;
    const [first, ...rest] = [mean, p50, p95, p99, worst].map((time) => time.toFixed(1));
    row([kind, page, String(frames), first ?? '', ...rest, String(over), layout.toFixed(1)]);
  }
}
