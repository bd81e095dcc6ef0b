// @vitest-environment happy-dom
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawingOf } from './appearance';
import { capturePageNow } from './capture';

interface Case {
  what: string;
  html: string;
  element: string;
  expect: string;
}

function cases(): Case[] {
  let at = process.cwd();
  while (!existsSync(join(at, 'tests', 'cases', 'drawings.json'))) {
    if (dirname(at) === at) throw new Error('tests/cases/drawings.json is not above the working directory');
    at = dirname(at);
  }
  return JSON.parse(readFileSync(join(at, 'tests', 'cases', 'drawings.json'), 'utf8'));
}

describe('how an element is drawn', () => {
  it.each(cases())('$what', ({ html, element, expect: expected }) => {
    document.body.innerHTML = html;
    const found = document.body.querySelector(element);
    expect(found && drawingOf(found)).toBe(expected);
  });

  it('is captured for each element that is drawn in a way of its own', () => {
    document.body.innerHTML = '<p>Dots</p><i style="color: red"></i><i></i><i style="color: blue"></i>';
    const { capture, nodes } = capturePageNow();
    const pairs = capture.drawings ?? [];
    expect(pairs.length).toBe(4);
    const told = [0, 2].map((at) => [nodes[pairs[at] ?? -1], capture.strings[pairs[at + 1] ?? -1]]);
    const [first, , last] = document.querySelectorAll('i');
    expect(told).toEqual([
      [first, 'color: red'],
      [last, 'color: blue'],
    ]);
  });
});
