/** What axe-core finds wrong with what a person sees. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'puppeteer-core';
import { inOwn } from './closed.ts';
import { until } from './until.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of axe-core's rules within a part of a page, one line each. */
export async function violations(page: Page | Frame, within: string): Promise<string[]> {
  // Colours on their way to others are neither.
  await until('nothing changes its colour any more', () =>
    page.evaluate(() => document.getAnimations().every(({ playState }) => playState !== 'running')),
  );
  return found(page, within);
}

/** The same in what is ours on a page. No script comes into our root: it is an open copy beside it that is looked at. */
export async function ownViolations(page: Page): Promise<string[]> {
  const isCopied = await inOwn(page, async (root) => {
    const atRest = (one: ShadowRoot) =>
      Promise.all(one.getAnimations().map((each) => each.finished.catch(() => undefined)));
    await atRest(root);
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
    await atRest(copy);
    return [...copies].some((each) => each.checkVisibility() && each.textContent);
  });
  try {
    if (!isCopied) throw new Error('nothing of ours is seen on this page');
    return await found(page, '[data-copy]');
  } finally {
    await page.evaluate(() => document.querySelector('[data-copy]')?.remove());
  }
}

async function found(page: Page | Frame, within: string): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (selector) => {
    interface Axe {
      run(
        context: unknown,
        options: object,
      ): Promise<{
        violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
      }>;
    }
    const runner = (globalThis as unknown as { axe: Axe }).axe;
    const context = selector === 'document' ? document : { include: [selector] };
    const found = await runner.run(context, { resultTypes: ['violations'] });
    return found.violations.map(
      (violation) =>
        `${violation.id}: ${violation.help}: ${violation.nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join(' | ')}`,
    );
  }, within);
}
