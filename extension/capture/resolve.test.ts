// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { parseSelector } from './notation';
import { resolveSelector, resolveUnless } from './resolve';

beforeEach(() => {
  document.body.innerHTML = `
    <nav><a>Log in</a><a> Sign
      up </a><a><i></i><b>Sign</b> <b>up</b> now</a></nav>
    <section id="one"><h2>Members</h2><p>Everyone who may say "yes" \\ no</p><button>Add</button></section>
    <section id="two"><h2>Guests</h2><p>Nobody</p><button>Add</button></section>`;
});

const hits = (selector: string) => resolveSelector(selector).map((element) => element.textContent?.trim());

test('texts are compared without their white space', () => {
  expect(hits('a:text-is("Log in")')).toEqual(['Log in']);
  expect(hits('a:text-is("Sign up")')).toHaveLength(1);
  expect(hits('a:text-starts("Signup")')).toHaveLength(2);
  expect(hits('nav > a:text-is("Signupnow")')).toHaveLength(1);
  expect(hits('a:text-is("log in")')).toEqual([]);
});

test('a text may hold every sign of the notation', () => {
  expect(hits('p:text-is("Everyone who may say \\"yes\\" \\\\ no")')).toHaveLength(1);
  document.body.innerHTML = '<a>a > b >>> c) :text-is("x") [y]</a><a>b</a>';
  expect(hits('a:text-is("a > b >>> c) :text-is(\\"x\\") [y]")')).toHaveLength(1);
});

test('an element is told by what it holds and by what stands before it', () => {
  const [button] = resolveSelector('section:has(h2:text-is("Guests")) button');
  expect(button?.parentElement?.id).toBe('two');
  expect(resolveSelector('h2:text-is("Members") + p + button')[0]?.parentElement?.id).toBe('one');
  expect(resolveSelector('h2:text-is("Members") ~ button')).toHaveLength(1);
  expect(resolveSelector('section:has(h2:text-is("Nobody")) button')).toEqual([]);
});

test('what needs no help is left to the browser as it is written', () => {
  expect(parseSelector('#a\\.b > li:nth-of-type(2) a[href="x y"] >>> .c:not(* *)')).toEqual([
    { css: '#a\\.b > li:nth-of-type(2)   a[href="x y"]' },
    { css: '.c:not(* *)' },
  ]);
  expect(resolveSelector('#one > p')).toHaveLength(1);
  expect(resolveSelector('#one >>> p')).toEqual([]);
  expect(resolveSelector('p[')).toEqual([]);
});

test('a search for texts is given up when there is no more time; plain CSS needs none', () => {
  document.body.innerHTML = '<p>Row</p>'.repeat(500);
  let asked = 0;
  const over = () => ++asked > 3;
  expect(resolveUnless(over, 'p:text-is("Nobody")')).toBeNull();
  expect(asked).toBe(4);
  expect(resolveUnless(() => true, 'p')).toHaveLength(500);
  expect(resolveUnless(() => false, 'p:text-is("Row")')).toHaveLength(500);
  expect(resolveUnless(() => true, 'body:has(p:text-is("Nobody"))')).toBeNull();
});

test('places from the end, with a text besides, are taken as they stand', () => {
  document.body.innerHTML = '<pre id="code"><i>=</i><i>+</i><i>=</i><i>.</i></pre>';
  const [, , third] = document.querySelectorAll('i');
  expect(resolveSelector('#code > i:nth-last-of-type(2):text-is("=")')).toEqual([third]);
  expect(resolveSelector('#code > i:nth-last-of-type(3):text-is("=")')).toEqual([]);
  expect(resolveSelector('pre > i:text-is("+") + i')).toEqual([third]);
});

test('a selector of a stranger’s that is nothing but brackets hits nothing, and takes nobody along', () => {
  for (const bracket of ['(', '[', ':has(', '(")"'])
    expect(resolveSelector(`p${bracket.repeat(50_000)}`)).toEqual([]);
});
