import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** `--otb-bg` -> [light, dark], as `#rrggbb`. */
const colors = new Map(
  [...css.matchAll(/(--otb-[\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map((match) => [
    match[1] as string,
    [match[2] as string, match[3] as string] as const,
  ]),
);

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const backgrounds = ['--otb-bg', '--otb-bg-raised', '--otb-bg-hover', '--otb-bg-selected'];
const texts = [
  '--otb-fg',
  '--otb-fg-muted',
  '--otb-accent',
  '--otb-active',
  '--otb-outdated',
  '--otb-resolved',
  '--otb-danger',
];
const fills = ['--otb-accent', '--otb-active', '--otb-outdated', '--otb-resolved', '--otb-danger'];

// Every text colour on every background, so that no pair in use can be missing here.
const pairs: [front: string, back: string, least: number][] = [
  ...texts.flatMap((text) => backgrounds.map((back): [string, string, number] => [text, back, 4.5])),
  ...fills.map((fill): [string, string, number] => ['--otb-accent-fg', fill, 4.5]),
  ...backgrounds.map((back): [string, string, number] => ['--otb-border-strong', back, 3]),
];

test('the reference values of the contrast formula', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
});

test.each(pairs)('%s on %s is at least %f in light and dark', (front, back, least) => {
  for (const theme of [0, 1] as const) {
    const ratio = contrast(colors.get(front)?.[theme] ?? '', colors.get(back)?.[theme] ?? '');
    expect(ratio, theme === 0 ? 'light' : 'dark').toBeGreaterThanOrEqual(least);
  }
});

test('every colour token is a light and dark pair that is checked here, or decoration', () => {
  const checked = new Set<string | number>(pairs.flat());
  const unchecked = [...colors.keys()].filter((name) => !checked.has(name));
  expect(unchecked).toEqual(['--otb-border']);
});

test('motion is under 150 ms and none for those who ask for less', () => {
  const durations = [...css.matchAll(/--otb-motion: (\d+)ms;/g)].map((match) => Number(match[1]));
  expect(durations).toHaveLength(2);
  expect(durations[0]).toBeLessThan(150);
  expect(durations[1]).toBe(0);
});
