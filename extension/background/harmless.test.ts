import { expect, test } from 'vitest';
import { harmless, harmlessLine } from './harmless';

test.each([
  ['rm -rf build\u202e/', 'rm -rf build⟨U+202E⟩/'],
  ['a\u0000b\u001b[2Jc\u007f', 'a⟨U+0000⟩b⟨U+001B⟩[2Jc⟨U+007F⟩'],
  ['one\r\ntwo\rthree\n\tfour', 'one\ntwo\nthree\n\tfour'],
  ['a\u2028b\u200bc\u2066d', 'a⟨U+2028⟩b⟨U+200B⟩c⟨U+2066⟩d'],
  ['tag \u{e0041}', 'tag ⟨U+E0041⟩'],
  // What is written so, and hides nothing.
  ['👩‍💻 ❤️ نمی‌خواهم', '👩‍💻 ❤️ نمی‌خواهم'],
  ['a\u200db \ufe0f', 'a⟨U+200D⟩b ⟨U+FE0F⟩'],
])('%j is shown as %j', (text, shown) => {
  expect(harmless(text)).toBe(shown);
});

test('one line has no more characters than there is room, and cuts none in two', () => {
  expect(harmlessLine(' Delete\n\tbuild/ \u202e', 100)).toBe('Delete build/ ⟨U+202E⟩');
  expect(harmlessLine('💣'.repeat(101), 100)).toBe(`${'💣'.repeat(99)}…`);
  expect(harmlessLine('x'.repeat(100), 100)).toBe('x'.repeat(100));
});
