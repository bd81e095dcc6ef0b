// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { selectionOf } from './selection';

beforeEach(() => {
  document.body.innerHTML = `<main id="top" class="wide page"><form class="pay" data-token="abc123" onclick="x()">
    <b>Card</b> 4111 1111 1111 1111 <script>var secret = 1;</script>
    <input type="password" value="hunter2"><textarea>typed by a person</textarea>
    <p class="note">Thanks</p></form></main>`;
});

const form = () => document.querySelector('form') as Element;

it('says what the element is and what is around it', () => {
  const { element, ancestors, children } = selectionOf(form(), []);
  expect(element).toMatchObject({ tagName: 'FORM', classList: ['pay'] });
  expect(ancestors[0]).toEqual({ tagName: 'MAIN', classList: ['wide', 'page'], id: 'top' });
  expect(ancestors.map(({ tagName }) => tagName)).toEqual(['MAIN', 'BODY', 'HTML']);
  expect(children?.find(({ tagName }) => tagName === 'P')).toMatchObject({ textContent: 'Thanks' });
});

it('keeps what is secret, what a person typed and what is no text in the page', () => {
  const told = JSON.stringify(selectionOf(form(), []));
  for (const secret of ['4111', 'hunter2', 'abc123', 'var secret', 'typed by', 'x()']) {
    expect(told).not.toContain(secret);
  }
  expect(told).toContain('Card [redacted]');
});

it('a huge element is cut', () => {
  form().innerHTML = '<i class="x">word </i>'.repeat(5_000);
  const { element, children } = selectionOf(form(), []);
  expect(element.textContent.length).toBe(2_000);
  expect(children).toHaveLength(24);
});

it('an element as deep as no page should be is read to where it is cut', () => {
  const top = document.createElement('section');
  let at: Element = top;
  for (let depth = 0; depth < 20_000; depth++) {
    const inner = document.createElement('div');
    inner.append(`w${depth} `);
    at.append(inner);
    at = inner;
  }
  const { element } = selectionOf(top, []);
  expect(element.textContent).toMatch(/w0 w1 w2/);
  expect(element.textContent.length).toBe(2_000);
}, 120_000);

it('a form whose fields are called as what is asked of it is described all the same', () => {
  for (const name of [
    'id',
    'classList',
    'tagName',
    'attributes',
    'childNodes',
    'parentNode',
    'shadowRoot',
    'nodeType',
  ])
    Object.defineProperty(form(), name, { get: () => document.createElement('input') });
  const { element, ancestors } = selectionOf(form(), []);
  expect(element).toMatchObject({ tagName: 'FORM', classList: ['pay'], attributes: { class: 'pay' } });
  expect(element.textContent).toContain('Thanks');
  expect(ancestors[0]).toMatchObject({ tagName: 'MAIN' });
});
