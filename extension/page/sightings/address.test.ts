// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { resolveSelector } from '../../capture/resolve';
import { leadsTo } from './address';

beforeEach(() => {
  document.body.innerHTML = `
    <nav><a>Log in</a><a> Sign
      up </a></nav>
    <section><h2>Members</h2><p>Everyone who says ">>> (yes)"</p><button>Add</button></section>
    <section><h2>Guests</h2><p>Nobody</p><div><button>Add</button></div></section>`;
});

const element = (css: string) => document.querySelector(css) as Element;

describe('a selector that tests texts', () => {
  it('leads to what says so, white space aside, and to nothing else', () => {
    expect(leadsTo('a:text-is("Sign up")', element('a + a'))).toBe(true);
    expect(leadsTo('a:text-is("Sign up")', element('a'))).toBe(false);
    expect(leadsTo('nav > a:text-starts("Si")', element('a + a'))).toBe(true);
    expect(leadsTo('section > a:text-starts("Si")', element('a + a'))).toBe(false);
    element('a + a').textContent = 'Sign out';
    expect(leadsTo('a:text-is("Sign up")', element('a + a'))).toBe(false);
  });

  it('is followed to what is before the element, around it and in that', () => {
    const [members, guests] = document.querySelectorAll('button');
    for (const selector of [
      'h2:text-is("Members") + p + button',
      'h2:text-is("Members") ~ button',
      'section:has(h2:text-is("Members")) button',
      'section:has(h2:text-is("Members")) > button:text-is("Add")',
    ]) {
      expect(leadsTo(selector, members as Element), selector).toBe(true);
      expect(leadsTo(selector, guests as Element), selector).toBe(false);
    }
    // The nearest that fits one part need not be the one that fits the whole.
    document.body.innerHTML = '<main><h1>A</h1><div><div><i>x</i><b></b></div></div></main>';
    expect(leadsTo('h1:text-is("A") + div b', element('b'))).toBe(true);
    expect(leadsTo('h1:text-is("B") + div b', element('b'))).toBe(false);
  });

  it('may hold the sign that separates segments', () => {
    expect(leadsTo('p:text-is("Everyone who says \\">>> (yes)\\"")', element('p'))).toBe(true);
  });

  it('is followed out of shadow roots', () => {
    document.body.innerHTML = '<h2>Ships</h2><x-card></x-card>';
    const inner = Object.assign(document.createElement('p'), { textContent: 'Two' });
    element('x-card').attachShadow({ mode: 'open' }).append(inner);
    expect(leadsTo('h2:text-is("Ships") + x-card >>> p:text-is("Two")', inner)).toBe(true);
    expect(leadsTo('h2:text-is("Boats") + x-card >>> p:text-is("Two")', inner)).toBe(false);
    expect(leadsTo('p:text-is("Two")', inner)).toBe(false);
  });

  it('is given up when it takes too long', () => {
    const far = (rows: number) => {
      document.body.innerHTML = `<p>First</p>${'<p>Row</p>'.repeat(rows)}<b></b>`;
      return leadsTo('p:text-is("First") ~ b', element('b'));
    };
    expect(far(100)).toBe(true);
    expect(far(1_000)).toBe(false);
  });
});

it('leads to each element that a search finds, and to no other', () => {
  const all = [...document.querySelectorAll('*')];
  for (const selector of [
    'section p',
    'section:has(p:text-starts("No")) *',
    'h2:text-starts("M") ~ *',
    ':has(a:text-is("Log in"))',
  ]) {
    const found = resolveSelector(selector);
    expect(found.length, selector).toBeGreaterThan(0);
    expect(
      all.filter((each) => leadsTo(selector, each)),
      selector,
    ).toEqual(found);
  }
});
