import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const list = readFileSync(new URL('./styles.ts', import.meta.url), 'utf8');
const listed = [...list.matchAll(/import '(\.\.?\/[^']+\.css)'/g)].map((match) => match[1] as string);
const css = listed
  .filter((file) => !file.endsWith('/tokens.css'))
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')
  .replace(/\/\*[\s\S]*?\*\//g, '');
const tokens = readFileSync(new URL('../design/tokens.css', import.meta.url), 'utf8');

test('every sheet in the panel is listed', () => {
  const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' });
  const own = files.filter((file) => file.endsWith('.css')).map((file) => `./${file.replaceAll('\\', '/')}`);
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((file) => !listed.includes(file))).toEqual([]);
});

test('the panel has no colour of its own: all come from the tokens', () => {
  const colour = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|lab|lch|hwb)a?\(|:\s*(?:white|black|red|gray|grey)\b/gi;
  expect(css.match(colour) ?? []).toEqual([]);
});

test('every token that the panel uses exists', () => {
  const used = new Set([...css.matchAll(/var\((--otb-[\w-]+)/g)].map((match) => match[1] as string));
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !tokens.includes(`${name}:`))).toEqual([]);
});

test('every transition follows the motion token, so that it ends with reduced motion', () => {
  expect(css).not.toMatch(/\b\d*\.?\d+m?s\b/);
  expect(css).not.toMatch(/animation/);
});
