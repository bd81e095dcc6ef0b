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
import type { BrowserName } from '../e2e/harness/paths.ts';
import { until } from '../e2e/harness/until.ts';
import { World } from '../e2e/harness/world.ts';

/** What `busy.record` of the sample tells. */
interface Recording {
  took: number;
  beats: number;
  frames: number[];
  /** Tasks of more than 50 ms; null where the browser does not tell. */
  tasks: number[] | null;
  own: { name: string; duration: number }[];
}

/** One kind of work: pieces a second, their 99th percentile and the longest in milliseconds, and milliseconds a second. */
interface Piece {
  kind: string;
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
  /** What the extension says of its own pieces of work on the page's main thread, by kind. */
  pieces: Piece[];
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

/** A capture is made of slices, with the page's own work in between. */
const KINDS = ['slice', 'frame', 'mutations'];
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
    const nodes = await plain.evaluate(() => busy.nodes());
    const recorded = new Map<Mode, Recording[]>(MODES.map((mode) => [mode, []]));
    for (let round = 0; round < rounds; round++) {
      for (const mode of MODES) {
        const page = mode === WITHOUT ? plain : await enter(world, mode);
        recorded.get(mode)?.push(await record(page, mode));
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

async function record(page: Page, mode: Mode): Promise<Recording> {
  await page.evaluate(() => busy.start());
  // Whatever loading and starting takes is over then.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const recording = page.evaluate((ms) => busy.record(ms), seconds * 1_000);
  if (mode === 'picking, five pins') await wander(page, Date.now() + seconds * 1_000);
  const result = await recording;
  await page.evaluate(() => busy.stop());
  return result;
}

/** The mouse goes over the page, as of somebody who looks for the thing to point at. */
async function wander(page: Page, end: number): Promise<void> {
  for (let step = 0; Date.now() < end; step++) {
    await page.mouse.move(100 + ((step * 37) % 900), 60 + ((step * 23) % 600));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function summary(browser: BrowserName, mode: Mode, nodes: number, recordings: Recording[]): Figures {
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  const took = sum(recordings.map((each) => each.took)) / 1_000;
  const frames = recordings.flatMap((each) => each.frames).sort((a, b) => a - b);
  const tasks = recordings.every((each) => each.tasks)
    ? recordings.flatMap((each) => each.tasks ?? [])
    : null;
  const own = recordings.flatMap((each) => each.own);
  const pieces = KINDS.map((kind): Piece => {
    const durations = own.filter(({ name }) => name === kind).map(({ duration }) => duration);
    durations.sort((a, b) => a - b);
    const [p99, longest] = [quantile(durations, 0.99), quantile(durations, 1)];
    return { kind, count: durations.length / took, p99, longest, total: sum(durations) / took };
  });
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
    captures: own.filter((each) => each.name === 'capture').length / took,
    pieces: pieces.filter(({ count }) => count > 0),
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
    '(a frame and a slice measure the page, so that layout which the page would do a moment later falls into them)',
  );
  console.log(`${''.padEnd(24)} median     p95     p99   worst  dropped  rewrites/s  long tasks  captures/s`);
  const base = figures[0];
  for (const each of figures) {
    const long = each.longTasks ? `${each.longTasks.count} (${each.longTasks.worst.toFixed(0)})` : 'not told';
    console.log(
      `${each.mode.padEnd(24)}${ms(each.median)} ${ms(each.p95)} ${ms(each.p99)} ${ms(each.worst)}  ${(each.dropped * 100).toFixed(1).padStart(5)} %     ${each.beats.toFixed(1).padStart(7)} ${long.padStart(11)}     ${per(each.captures)}`,
    );
    for (const { kind, count, p99, longest, total } of each.pieces) {
      console.log(
        `${`  ${kind}`.padEnd(24)}${count.toFixed(1)} a second, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(1)}, ${total.toFixed(1)} ms of each second`,
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
