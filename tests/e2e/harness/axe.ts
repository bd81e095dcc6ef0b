/** What axe-core finds wrong with what a person sees. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'puppeteer-core';
import { until } from './until.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of axe-core's rules within a part of a page, one line each. */
export async function violations(page: Page | Frame, within: string): Promise<string[]> {
  await page.evaluate(axe);
  // Colours on their way to others are neither.
  await until('nothing changes its colour any more', () =>
    page.evaluate(() => document.getAnimations().every(({ playState }) => playState !== 'running')),
  );
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
