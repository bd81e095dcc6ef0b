/**
 * The forms of an address that tests are written in, read by those who define them: Playwright its locators, the
 * browser CSS and XPath. A page is captured as the content script does it, and the core names every element of it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { build } from 'vite';
import { joinPieces, pieceOf } from '../../extension/state/pieces.ts';
import { browserProgram, ROOT, TESTS } from '../e2e/harness/paths.ts';

interface Captured {
  capture: Parameters<typeof pieceOf>[0];
  nodes: Node[];
}
/** What the page keeps between two questions; a frame finds it in the page around it. */
type Keeper = { captured: Captured; capturing: { capturePageNow(): Captured } };

interface Addresses {
  css: string;
  xpath: string;
  playwright?: string;
}
interface Core {
  initSync(options: { module: Uint8Array }): void;
  Page: { decode(capture: object): { target(node: number): { selector: string; addresses?: Addresses } } };
}

const ADDRESS = 'http://addresses.test/';
let browser: Browser;
let page: Page;
/** The elements of the page, by their node in the capture. */
let elements: { node: number; what: string; inFrame: boolean }[];
let target: (node: number) => { selector: string; addresses?: Addresses };

/** The content script's capture as one script. */
async function capturing(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: TESTS,
    build: {
      write: false,
      lib: { entry: join(ROOT, 'extension/capture/capture.ts'), formats: ['iife'], name: 'capturing' },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !('output' in output)) throw new Error('the capture was not built');
  return output.output[0].code;
}

async function core(): Promise<Core> {
  const folder = join(ROOT, 'extension/wasm');
  const core: Core = await import(join(folder, 'opentoolbar_wasm.js'));
  core.initSync({ module: readFileSync(join(folder, 'opentoolbar_wasm_bg.wasm')) });
  return core;
}

before(async () => {
  browser = await chromium.launch({
    executablePath: browserProgram('chromium'),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  page = await browser.newPage();
  const html = readFileSync(join(TESTS, 'addresses/page.html'), 'utf8');
  await page.route(`${ADDRESS}**`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(ADDRESS);
  await page.addScriptTag({ content: `${await capturing()}; globalThis.capturing = capturing;` });
  const told = await page.evaluate(() => {
    const keeper = globalThis as unknown as Keeper;
    const captured = keeper.capturing.capturePageNow();
    keeper.captured = captured;
    const elements = captured.nodes.flatMap((live, node) =>
      live.nodeType === 1
        ? [{ node, what: (live as Element).outerHTML.slice(0, 80), inFrame: live.ownerDocument !== document }]
        : [],
    );
    return { capture: captured.capture, elements };
  });
  elements = told.elements;
  const decoded = (await core()).Page.decode({ ...told.capture, ...joinPieces([pieceOf(told.capture)]) });
  target = (node) => decoded.target(node);
});

after(() => browser?.close());

/** The places in the capture of what a locator finds. */
const nodesOf = (locator: Locator): Promise<number[]> =>
  locator.evaluateAll((found) => {
    const keeper = globalThis.top as unknown as Keeper;
    return found.map((element) => keeper.captured.nodes.indexOf(element));
  });

/** What CSS or XPath finds in the tree that the parts before lead into, each through a shadow root or a frame. */
function found(form: string, inner: 'css' | 'xpath'): Promise<number[]> {
  return page.evaluate(
    ({ parts, inner }) => {
      let tree: Document | ShadowRoot = document;
      const last = parts.pop() ?? '';
      for (const part of parts) {
        const hosts: Element[] = [...tree.querySelectorAll(part)];
        const [host] = hosts;
        const inside = host?.shadowRoot ?? (host as HTMLIFrameElement | undefined)?.contentDocument;
        if (hosts.length !== 1 || !inside) throw new Error(`${part} leads to ${hosts.length} elements`);
        tree = inside;
      }
      const elements: Node[] = [];
      if (inner === 'css') {
        elements.push(...tree.querySelectorAll(last));
      } else {
        const owner = tree.ownerDocument ?? (tree as Document);
        // Browsers refuse a shadow root here; from an element of it, `/` is the root all the same.
        const from = tree.ownerDocument ? (tree.firstElementChild ?? tree) : tree;
        const result = owner.evaluate(last, from, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
        for (let at = 0; at < result.snapshotLength; at++) {
          const item = result.snapshotItem(at);
          if (item) elements.push(item);
        }
      }
      return elements.map((element) => (globalThis as unknown as Keeper).captured.nodes.indexOf(element));
    },
    { parts: form.split(' >>> '), inner },
  );
}

/** Asks for every element, and tells all that were not found alone at once. */
async function each(
  of: (addresses: Addresses) => string | undefined,
  find: (form: string) => Promise<number[]>,
) {
  const wrong: string[] = [];
  let asked = 0;
  for (const { node, what } of elements) {
    const { addresses } = target(node);
    assert.ok(addresses, `no addresses of ${what}`);
    const form = of(addresses);
    if (!form) continue;
    asked++;
    const nodes = await find(form).catch((error: Error) => error.message.split('\n')[0]);
    if (Array.isArray(nodes) && nodes.length === 1 && nodes[0] === node) continue;
    wrong.push(`${form}\n    means ${node}: ${what}\n    finds ${nodes}`);
  }
  assert.deepEqual(wrong, [], wrong.join('\n'));
  return asked;
}

test('the page has shadow roots and frames in it', () => {
  assert.ok(elements.length > 100, `${elements.length} elements`);
  assert.ok(elements.some(({ inFrame }) => inFrame));
  assert.ok(elements.some(({ node }) => target(node).selector.split(' >>> ').length > 2));
});

test('CSS finds every element alone', async () => {
  await each(
    ({ css }) => css,
    (form) => found(form, 'css'),
  );
});

test('XPath finds every element alone', async () => {
  await each(
    ({ xpath }) => xpath,
    (form) => found(form, 'xpath'),
  );
});

test('a Playwright locator finds its element alone', async () => {
  // A locator is written as a program, and run as one.
  const run = (form: string) => nodesOf(new Function('page', `return ${form}`)(page) as Locator);
  const asked = await each(({ playwright }) => playwright, run);
  assert.ok(asked > (9 * elements.length) / 10, `${asked} of ${elements.length} have a locator`);
});
