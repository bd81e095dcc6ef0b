import { expect, test } from 'vitest';
import { GLIDE_MS, glides } from './glide';

const jump = { dx: 40, dy: 0, now: 10_000, scrolledAt: 0, movedAt: 0, calm: false };

test('a jump glides, for less than 150 ms', () => {
  expect(glides(jump)).toBe(true);
  expect(GLIDE_MS).toBeLessThan(150);
});
test('not for a person who wants no motion', () => expect(glides({ ...jump, calm: true })).toBe(false));
test('not while the page is scrolled', () => expect(glides({ ...jump, scrolledAt: 9_950 })).toBe(false));
test('not while something carries it', () => expect(glides({ ...jump, movedAt: 9_984 })).toBe(false));
test('not for a step that nobody sees', () => expect(glides({ ...jump, dx: 3 })).toBe(false));
