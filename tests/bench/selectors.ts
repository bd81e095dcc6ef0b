/**
 * Selector generators of others in a real Chromium, for `cargo xtask bench selector`:
 * `node selectors.ts <job.json> <result.json>`. Progress goes to standard error.
 *
 * Only asks and writes down; what the answers are worth is reckoned by `lab`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import puppeteer, { type Browser, type CDPSession, type Page } from 'puppeteer-core';
import { browserProgram, TESTS } from '../e2e/harness/paths.ts';
import { type Bench, install, type Made } from './generators.ts';

interface Job {
  /** Milliseconds after which a generator is stopped and the element counted as failed. */
  limit: number;
  pages: { name: string; html: string; elements: number[]; own: (string | null)[] }[];
  pairs: { name: string; old: string; new: string; elements: number[] }[];
}

/** For each page and pair, in the job's order. */
interface Outcome {
  browser: string;
  pages: {
    count: number;
    setup: Record<string, number>;
    tools: Record<string, Made[]>;
    /** What the job's own selectors match. */
    own: number[][];
  }[];
  pairs: {
    oldCount: number;
    newCount: number;
    tools: Record<string, { selector: string | null; matches: number[] }[]>;
  }[];
}

type Scope = { bench: Bench };

/** How long one call into the page may take before it gives what it has. */
const BUDGET_MS = 1_000;
const TOOLS = [
  '@medv/finder',
  'axe-core',
  'css-selector-generator',
  'copied as in DevTools',
  'nth-child path',
];

const packages = join(TESTS, 'node_modules');
const read = (path: string) => readFileSync(join(packages, path), 'utf8');
const finder = `${read('@medv/finder/finder.js').replaceAll(/^export /gm, '')}\nglobalThis.finder = finder;`;
const scripts = [
  `(() => {${finder}})();`,
  read('css-selector-generator/build/index.js'),
  read('axe-core/axe.min.js'),
];

/** A folder of pages on the loopback, each isolated: only then a page's clock tells five microseconds. */
async function serve(): Promise<{ url(html: string): string; close(): void }> {
  const files: string[] = [];
  const server = createServer((request, response) => {
    const file = files[Number(request.url?.slice(1))];
    response.writeHead(file ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    response.end(file ? readFileSync(file) : '');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('no port for the pages');
  return {
    url: (html) => `http://127.0.0.1:${address.port}/${files.push(html) - 1}`,
    close: () => server.close(),
  };
}

/** The page, with the generators in it. */
async function open(browser: Browser, url: string): Promise<{ page: Page; session: CDPSession }> {
  const page = await browser.newPage();
  await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 60_000 });
  for (const script of scripts) await page.evaluate(script);
  await page.evaluate(install);
  if (!(await page.evaluate(() => crossOriginIsolated))) throw new Error('the page is not isolated');
  return { page, session: await page.createCDPSession() };
}

const count = (page: Page) => page.evaluate(() => (globalThis as unknown as Scope).bench.count);

/** Asks one generator about all elements; one that takes longer than the limit is stopped, and the next is asked. */
async function ask(
  { page, session }: { page: Page; session: CDPSession },
  tool: string,
  elements: number[],
  limit: number,
): Promise<Made[]> {
  const made: Made[] = [];
  while (made.length < elements.length) {
    let stopped = false;
    const watch = setTimeout(() => {
      stopped = true;
      session.send('Runtime.terminateExecution').catch(() => undefined);
    }, BUDGET_MS + limit);
    const make = (t: string, list: number[], from: number, budget: number) =>
      (globalThis as unknown as Scope).bench.make(t, list, from, budget);
    try {
      await page.evaluate(make, tool, elements, made.length, BUDGET_MS);
    } catch (error) {
      if (!stopped) throw error;
    } finally {
      clearTimeout(watch);
    }
    const done = await page.evaluate(() => (globalThis as unknown as Scope).bench.made);
    made.push(...done);
    if (stopped && made.length < elements.length) {
      made.push({ selector: null, ms: limit, matches: [], error: `stopped after ${limit} ms` });
    }
  }
  return made;
}

async function main(jobPath: string, resultPath: string): Promise<void> {
  const job = JSON.parse(readFileSync(jobPath, 'utf8')) as Job;
  const browser = await puppeteer.launch({
    executablePath: browserProgram('chromium'),
    headless: true,
    pipe: true,
    // Nothing of the stored pages is fetched from anywhere.
    args: [
      '--no-first-run',
      '--disable-gpu',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    defaultViewport: { width: 1920, height: 1080 },
    protocolTimeout: 120_000,
  });
  const server = await serve();
  const outcome: Outcome = { browser: await browser.version(), pages: [], pairs: [] };
  const began = Date.now();
  const progress = (what: string) => {
    process.stderr.write(`    ${what}, ${Math.round((Date.now() - began) / 1000)} s\n`);
  };
  try {
    for (const { name, html, elements, own } of job.pages) {
      const opened = await open(browser, server.url(html));
      const tools: Record<string, Made[]> = {};
      for (const tool of TOOLS) {
        progress(`${name}: ${tool}`);
        tools[tool] = await ask(opened, tool, elements, job.limit);
      }
      const matched = await opened.page.evaluate(
        (selectors) =>
          selectors.map((s) => (s === null ? [] : (globalThis as unknown as Scope).bench.matches(s))),
        own,
      );
      const setup = await opened.page.evaluate(() => (globalThis as unknown as Scope).bench.setup);
      outcome.pages.push({ count: await count(opened.page), setup, tools, own: matched });
      await opened.page.close();
    }
    for (const [at, pair] of job.pairs.entries()) {
      if (at % 10 === 0) progress(`pair ${at + 1} of ${job.pairs.length}: ${pair.name}`);
      const old = await open(browser, server.url(pair.old));
      const made: Record<string, Made[]> = {};
      for (const tool of TOOLS) made[tool] = await ask(old, tool, pair.elements, job.limit);
      const oldCount = await count(old.page);
      await old.page.close();
      const later = await open(browser, server.url(pair.new));
      const tools: Outcome['pairs'][number]['tools'] = {};
      for (const [tool, list] of Object.entries(made)) {
        const matched = await later.page.evaluate(
          (selectors) =>
            selectors.map((s) => (s === null ? [] : (globalThis as unknown as Scope).bench.matches(s))),
          list.map((one) => one.selector),
        );
        tools[tool] = list.map((one, i) => ({ selector: one.selector, matches: matched[i] ?? [] }));
      }
      outcome.pairs.push({ oldCount, newCount: await count(later.page), tools });
      await later.page.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
  writeFileSync(resultPath, JSON.stringify(outcome));
}

const [, , jobPath, resultPath] = process.argv;
if (!jobPath || !resultPath) throw new Error('node selectors.ts <job.json> <result.json>');
await main(jobPath, resultPath);
