/** What axe-core finds wrong with what a person sees. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'puppeteer-core';
import { atRest, ownAtRest } from './at-rest.ts';
import { inOwn } from './closed.ts';
import { faint } from './contrast.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core leaves undecided and is no mistake, with the reason. Whatever else it leaves undecided is one. */
const DECIDED: readonly { rule: string; why: string }[] = [
  { rule: 'color-contrast', why: '`contrast.ts` decides it, of all that is shown' },
  // In our root; the panel has no frames.
  {
    rule: 'frame-tested',
    why: 'the frames are our text fields, which `field.test.ts` looks at in both colours',
  },
];

/** Violations of axe-core's rules within a part of a page, one line each. */
export async function violations(page: Page | Frame, within: string): Promise<string[]> {
  await atRest(page);
  return [...(await found(page, within)), ...((await page.evaluate(faintHere)) as string[])];
}

/**
 * The same in what is ours on a page. No script comes into our root: it is an open copy beside it that is looked at.
 */
export async function ownViolations(page: Page): Promise<string[]> {
  await ownAtRest(page);
  const isCopied = await inOwn(page, (root) => {
    const host = document.createElement('div');
    host.setAttribute('data-copy', '');
    host.setAttribute('popover', 'manual');
    const copy = host.attachShadow({ mode: 'open' });
    for (const node of root.childNodes) copy.append(node.cloneNode(true));
    copy.adoptedStyleSheets = root.adoptedStyleSheets.map((sheet) => {
      const own = new CSSStyleSheet();
      own.replaceSync([...sheet.cssRules].map((rule) => rule.cssText).join('\n'));
      return own;
    });
    // What is in a frame of ours is no part of our root, and is looked at by itself.
    for (const frame of copy.querySelectorAll('iframe')) frame.removeAttribute('src');
    document.documentElement.append(host);
    host.showPopover();
    const copies = copy.querySelectorAll<HTMLElement>('*');
    for (const [at, original] of root.querySelectorAll('*').entries()) {
      const isShown = original.matches(':popover-open');
      if (isShown) copies[at]?.showPopover();
    }
    return true;
  });
  if (!isCopied) throw new Error('nothing of ours is on this page');
  try {
    const copy = `document.querySelector('[data-copy]').shadowRoot`;
    await atRest(page, copy);
    const isSeen = await page.evaluate(
      `[...${copy}.querySelectorAll('*')].some((each) => each.checkVisibility() && each.textContent)`,
    );
    if (!isSeen) throw new Error('nothing of ours is seen on this page');
    return [...(await found(page, '[data-copy]')), ...((await inOwn(page, faint)) ?? [])];
  } finally {
    await page.evaluate(() => document.querySelector('[data-copy]')?.remove());
  }
}

/** A page knows neither our functions nor those that they call. */
const faintHere = `(${String(faint)})(document)`;

interface Outcome {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string; any: { message: string }[] }[];
}

async function found(page: Page | Frame, within: string): Promise<string[]> {
  await page.evaluate(axe);
  const { violations, incomplete } = await page.evaluate(async (selector) => {
    interface Axe {
      run(context: unknown, options: object): Promise<{ violations: Outcome[]; incomplete: Outcome[] }>;
    }
    const runner = (globalThis as unknown as { axe: Axe }).axe;
    const context = selector === 'document' ? document : { include: [selector] };
    return runner.run(context, { resultTypes: ['violations', 'incomplete'] });
  }, within);
  const undecided = incomplete.filter(({ id }) => !DECIDED.some(({ rule }) => rule === id));
  return [...violations.map((each) => line(each)), ...undecided.map((each) => `undecided: ${line(each)}`)];
}

function line({ id, help, nodes }: Outcome): string {
  const elements = nodes.map(({ html, failureSummary, any }) => {
    const why = failureSummary ?? any.map(({ message }) => message).join(', ');
    return `${html.slice(0, 160)} ${why}`;
  });
  return `${id}: ${help}: ${elements.join(' | ')}`;
}
