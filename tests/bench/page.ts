/**
 * How smoothly a page of 10,000 nodes that rewrites itself 60 times a second runs: in a browser without the extension, and in
 * one with it (with nothing to show, with five pins, while picking). Rounds go in turn through all of these, so that what else
 * the machine does falls on each alike. `cargo xtask bench page` builds what it needs and starts it:
 *
 *   node bench/page.ts [--browser chromium|firefox]... [--rounds N] [--seconds N] [--json FILE]
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'puppeteer-core';
import { countCaptures } from '../e2e/harness/captures.ts';
import type { BrowserName } from '../e2e/harness/paths.ts';
import { until } from '../e2e/harness/until.ts';
import { World } from '../e2e/harness/world.ts';
import { callsOf, traced } from './trace.ts';

/** What `busy.record` of the sample tells. */
interface Recording {
  took: number;
  beats: number;
  frames: number[];
  /** Tasks of more than 50 ms; null where the browser does not tell. */
  tasks: number[] | null;
}

/** The same, and what the extension did meanwhile. */
interface Round extends Recording {
  captures: number;
  /** Calls of its scripts, milliseconds each; null where the browser does not tell. */
  calls: number[] | null;
}

/** Calls of scripts: a second, their 99th percentile and the longest in milliseconds, and milliseconds a second. */
interface Calls {
  count: number;
  p99: number;
  longest: number;
  total: number;
}

interface Figures {
  browser: BrowserName;
  mode: string;
  nodes: number;
  seconds: number;
  /** Times that the page rewrote itself, a second; it aims at 60. */
  beats: number;
  /** Milliseconds from one frame to the next. */
  median: number;
  p95: number;
  p99: number;
  worst: number;
  /** Share of the frames that 60 a second would have been and that did not come. */
  dropped: number;
  /** More than 50 ms; null where the browser does not tell. */
  longTasks: { count: number; worst: number } | null;
  /** Captures of the page, a second. */
  captures: number;
  /** Calls of the extension's scripts on the page's main thread, as Chromium's trace has them; null where there is none. */
  calls: Calls | null;
}

const { values } = parseArgs({
  options: {
    browser: { type: 'string', multiple: true, default: ['chromium', 'firefox'] },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    json: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

/** One that nothing happens to, and four that the rewriting touches or moves. */
const COMMENTED = [
  '#export',
  '.gauge:nth-of-type(3) output',
  '.gauge:nth-of-type(5) h2',
  '.lot:nth-child(4) .moisture',
  '.lot:nth-child(6) button',
];
const COMMENTS_AT = '/floor';
const FRAME_MS = 1_000 / 60;

const WITHOUT = 'without the extension';
const MODES = [WITHOUT, 'nothing to show', 'five pins', 'picking, five pins'] as const;
type Mode = (typeof MODES)[number];

const all: Figures[] = [];
for (const browser of values.browser) {
  if (browser !== 'chromium' && browser !== 'firefox') throw new Error('--browser chromium or firefox');
  all.push(...(await measure(browser)));
}
if (values.json) await writeFile(values.json, `${JSON.stringify(all, null, 2)}\n`);

async function measure(browser: BrowserName): Promise<Figures[]> {
  const world = await World.create(browser, { app: 'busy', registered: false, path: COMMENTS_AT });
  try {
    const plain = await world.plain();
    for (const [at, selector] of COMMENTED.entries()) await world.comment(selector, `Comment ${at + 1}`);
    const captures = await countCaptures(world);
    const nodes = await plain.evaluate(() => busy.nodes());
    const recorded = new Map<Mode, Round[]>(MODES.map((mode) => [mode, []]));
    for (let round = 0; round < rounds; round++) {
      for (const mode of MODES) {
        const page = mode === WITHOUT ? plain : await enter(world, mode);
        recorded.get(mode)?.push(await record(world, page, mode, captures));
        if (mode === 'picking, five pins') {
          await page.keyboard.press('Escape');
          await world.overlay.gone('pick-bar');
        }
      }
    }
    const figures = MODES.map((mode) => summary(browser, mode, nodes, recorded.get(mode) ?? []));
    print(browser, nodes, figures);
    return figures;
  } catch (error) {
    console.error(`What the browser showed and everyone said: ${await world.save('bench-page')}`);
    throw error;
  } finally {
    await world.close();
  }
}

/** Brings the extension into a mode. The page is loaded anew: each round begins alike. */
async function enter(world: World, mode: Mode): Promise<Page> {
  const { page } = world;
  await page.bringToFront();
  const path = mode === 'nothing to show' ? '/' : COMMENTS_AT;
  await page.goto(world.origin + path, { waitUntil: 'load' });
  const wanted = path === COMMENTS_AT ? COMMENTED.length : 0;
  await until('the pins', async () => (await world.overlay.pins()).length >= wanted);
  if (mode === 'picking, five pins') await world.startPicking();
  return page;
}

async function record(world: World, page: Page, mode: Mode, captures: () => Promise<number>): Promise<Round> {
  await page.evaluate(() => busy.start());
  // Whatever loading and starting takes is over then.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const before = await captures();
  let result: Recording | undefined;
  const work = async () => {
    const recording = page.evaluate((ms) => busy.record(ms), seconds * 1_000);
    if (mode === 'picking, five pins') await wander(page, Date.now() + seconds * 1_000);
    result = await recording;
  };
  // The page without the extension is traced as well: a trace costs something itself.
  const trace = world.browser.name === 'chromium' ? await traced(page, work) : await work();
  if (!result) throw new Error('nothing was recorded');
  const captured = mode === WITHOUT ? 0 : (await captures()) - before;
  await page.evaluate(() => busy.stop());
  const calls = trace && mode !== WITHOUT ? callsOf(trace, page.url(), world.browser.extensionOrigin) : null;
  return { ...result, captures: captured, calls };
}

/** The mouse goes over the page, as of somebody who looks for the thing to point at. */
async function wander(page: Page, end: number): Promise<void> {
  for (let step = 0; Date.now() < end; step++) {
    await page.mouse.move(100 + ((step * 37) % 900), 60 + ((step * 23) % 600));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function summary(browser: BrowserName, mode: Mode, nodes: number, recordings: Round[]): Figures {
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  const took = sum(recordings.map((each) => each.took)) / 1_000;
  const frames = recordings.flatMap((each) => each.frames).sort((a, b) => a - b);
  const tasks = recordings.every((each) => each.tasks)
    ? recordings.flatMap((each) => each.tasks ?? [])
    : null;
  const calls = recordings.flatMap((each) => each.calls ?? []).sort((a, b) => a - b);
  return {
    browser,
    mode,
    nodes,
    seconds: took,
    beats: sum(recordings.map((each) => each.beats)) / took,
    median: quantile(frames, 0.5),
    p95: quantile(frames, 0.95),
    p99: quantile(frames, 0.99),
    worst: quantile(frames, 1),
    dropped: 1 - Math.min(1, (frames.length * FRAME_MS) / sum(frames)),
    longTasks: tasks && { count: tasks.length, worst: Math.max(0, ...tasks) },
    captures: sum(recordings.map((each) => each.captures)) / took,
    calls: recordings.every((each) => each.calls)
      ? {
          count: calls.length / took,
          p99: quantile(calls, 0.99),
          longest: quantile(calls, 1),
          total: sum(calls) / took,
        }
      : null,
  };
}

/** Of sorted numbers; 0 of none. */
function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function print(browser: BrowserName, nodes: number, figures: Figures[]): void {
  const ms = (number: number) => number.toFixed(1).padStart(7);
  const per = (number: number) => number.toFixed(2).padStart(7);
  console.log(
    `\n${browser}: ${nodes} nodes, rewritten 60 times a second, ${rounds} rounds of ${seconds} s each; milliseconds`,
  );
  console.log(
    '(our scripts measure the page, so that layout which the page would do a moment later falls into their calls)',
  );
  console.log(`${''.padEnd(24)} median     p95     p99   worst  dropped  rewrites/s  long tasks  captures/s`);
  const base = figures[0];
  for (const each of figures) {
    const long = each.longTasks ? `${each.longTasks.count} (${each.longTasks.worst.toFixed(0)})` : 'not told';
    console.log(
      `${each.mode.padEnd(24)}${ms(each.median)} ${ms(each.p95)} ${ms(each.p99)} ${ms(each.worst)}  ${(each.dropped * 100).toFixed(1).padStart(5)} %     ${each.beats.toFixed(1).padStart(7)} ${long.padStart(11)}     ${per(each.captures)}`,
    );
    if (each.calls) {
      const { count, p99, longest, total } = each.calls;
      console.log(
        `${'  calls of its scripts'.padEnd(24)}${count.toFixed(1)} a second, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(1)}, ${total.toFixed(1)} ms of each second`,
      );
    }
    if (base && each !== base) {
      const times = (key: 'median' | 'p95' | 'p99' | 'worst') =>
        `${(each[key] / base[key]).toFixed(2)} x`.padStart(7);
      console.log(
        `${'  times without'.padEnd(24)}${times('median')} ${times('p95')} ${times('p99')} ${times('worst')}`,
      );
    }
  }
}

declare global {
  /** The sample's own. */
  var busy: {
    start(): void;
    stop(): void;
    nodes(): number;
    record(milliseconds: number): Promise<Recording>;
  };
}
