/**
 * What the host reads from HTML is what the content script captures of the same page in a browser: nodes, order,
 * attributes, redaction. Both are held against `tests/cases/html/<name>.txt`; the core's half is `core/tests/html.rs`.
 * `OPENTOOLBAR_UPDATE=1` writes the files.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'vite';
import { TestBrowser } from './harness/browser.ts';
import { Host } from './harness/host.ts';
import { browserUnderTest, ROOT, TESTS } from './harness/paths.ts';

/** What is read of the wire form of a page, `Capture` in the core. */
interface Capture {
  title: string;
  strings: string[];
  nodes: number[];
  attributes: number[];
}

const CASES = join(TESTS, 'cases/html');
const STRIDE = 10;
const ADDRESS = 'http://localhost:5173/';

/** The content script's own capture, as one script that leaves `otb.capturePageNow` behind. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(ROOT, 'extension/capture/capture.ts'), formats: ['iife'], name: 'otb' },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  assert.ok(output && 'output' in output);
  return output.output[0].code;
}

/** A line a node, as `core/tests/html.rs` writes it. */
function outline({ nodes, strings, attributes, title }: Capture): string {
  const depths: number[] = [];
  const lines = [`title ${title}`];
  for (let at = 0; at < nodes.length; at += STRIDE) {
    const [kind = 0, parent = 0, string = 0, first = 0, count = 0] = nodes.slice(at, at + 5);
    const depth = (depths[parent] ?? -1) + 1;
    depths.push(depth);
    const text = strings[string] ?? '';
    let line = '#shadow';
    if (kind === 0) line = `#document ${text}`;
    else if (kind === 1) {
      const pairs = Array.from({ length: count }, (_, n) =>
        [0, 1].map((o) => strings[attributes[2 * (first + n) + o] ?? 0]),
      );
      line = [text, ...pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' ');
    } else if (kind === 2) line = JSON.stringify(text);
    lines.push(' '.repeat(depth) + line);
  }
  return `${lines.join('\n')}\n`;
}

const home = await mkdtemp(join(tmpdir(), 'otb-'));
let browser: TestBrowser;

before(async () => {
  const options = { headless: true, extension: false };
  browser = await TestBrowser.launch(browserUnderTest(), await Host.in(home), options);
});

after(async () => {
  await browser.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

test('the capture of a page in the browser is what the host reads from its HTML', async () => {
  const script = await bundle();
  const names = (await readdir(CASES)).filter((name) => name.endsWith('.html'));
  assert.ok(names.length > 0);
  const server = createServer(async (request, response) => {
    const file = join(CASES, basename(request.url ?? ''));
    const html = await readFile(file).catch(() => '');
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  try {
    for (const name of names) {
      const page = await browser.open(`${origin}/${name}`);
      const capture = (await page.evaluate(`${script}; otb.capturePageNow().capture`)) as Capture;
      const told = outline(capture).replaceAll(`${origin}/${name}`, ADDRESS);
      const expected = join(CASES, name.replace(/html$/, 'txt'));
      if (process.env.OPENTOOLBAR_UPDATE) await writeFile(expected, told);
      assert.equal(told, await readFile(expected, 'utf8'), name);
      await page.close();
    }
  } finally {
    server.close();
  }
});
