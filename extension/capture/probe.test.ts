// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { readFramework } from './frameworks/read';
import { probe, readProbeFacts } from './probe';
import { PROBE_EVENT } from './probe-event';

function element(html: string): Element {
  document.body.innerHTML = html;
  const found = document.querySelector('#it');
  if (!found) throw new Error('no #it');
  return found;
}

describe('frameworks tell', () => {
  it('React to 18: component, file, line and column', () => {
    function SaveButton() {}
    const it = element('<button id="it"></button>');
    const owner = { type: SaveButton, return: null };
    const source = { fileName: '/src/SaveButton.tsx', lineNumber: 8, columnNumber: 3 };
    Object.assign(it, { __reactFiber$x1: { type: 'button', _debugSource: source, return: owner } });
    expect(readFramework(it)).toEqual({
      framework: 'react',
      component: 'SaveButton',
      file: '/src/SaveButton.tsx',
      line: 8,
      column: 3,
    });
  });

  it('React 19: the component only; memo and forwardRef are seen through', () => {
    const it = element('<button id="it"></button>');
    const type = { type: { render: Object.assign(() => null, { displayName: 'Fancy' }) } };
    Object.assign(it, { __reactFiber$x1: { type: 'button', return: { type, return: null } } });
    expect(readFramework(it)).toEqual({ framework: 'react', component: 'Fancy' });
  });

  it('Vue 3 and Vue 2: file and name', () => {
    const three = element('<p id="it"></p>');
    Object.assign(three, { __vueParentComponent: { type: { __file: 'src/Card.vue' } } });
    expect(readFramework(three)).toEqual({ framework: 'vue', component: 'Card', file: 'src/Card.vue' });
    const two = element('<p id="it"></p>');
    Object.assign(two, { __vue__: { $options: { __file: 'src/Old.vue', name: 'OldCard' } } });
    expect(readFramework(two)).toEqual({ framework: 'vue', component: 'OldCard', file: 'src/Old.vue' });
  });

  it('Svelte 4 counts lines from 0, Svelte 5 from 1; both count columns from 0', () => {
    const it = element('<p id="it"></p>');
    Object.assign(it, { __svelte_meta: { loc: { file: 'src/A.svelte', line: 4, column: 2, char: 90 } } });
    expect(readFramework(it)).toMatchObject({ component: 'A', line: 5, column: 3 });
    Object.assign(it, { __svelte_meta: { loc: { file: 'src/A.svelte', line: 5, column: 2 } } });
    expect(readFramework(it)).toMatchObject({ line: 5, column: 3 });
  });

  it.each([
    ['data-source="src/A.tsx:3:7"', { file: 'src/A.tsx', line: 3, column: 7 }],
    ['data-v-inspector="src/A.vue:3:7"', { file: 'src/A.vue', line: 3, column: 7 }],
    ['data-insp-path="src/A.tsx:3:7:button"', { file: 'src/A.tsx', line: 3, column: 7 }],
    ['data-component-file="src/A.tsx"', { file: 'src/A.tsx' }],
    [
      'data-inspector-relative-path="src/A.tsx" data-inspector-line="3" data-inspector-column="7"',
      { file: 'src/A.tsx', line: 3, column: 7 },
    ],
  ])('inspectors by attributes: %s', (attributes, place) => {
    expect(readFramework(element(`<p id="it" ${attributes}></p>`))).toEqual({
      framework: 'attribute',
      ...place,
    });
  });

  it('takes no attribute for a file that holds something else', () => {
    expect(readFramework(element('<p id="it" data-source="newsletter" data-loc="Oslo"></p>'))).toBeNull();
  });

  it('survives getters that throw', () => {
    const it = element('<p id="it"></p>');
    Object.defineProperty(it, '__vueParentComponent', {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(readFramework(it)).toBeNull();
  });
});

describe('an answer of the page is decoded, never trusted', () => {
  it.each([
    ['not JSON', '{'],
    ['a number', 5],
    ['null', 'null'],
    ['nothing known', '{"evil":1}'],
    ['too long', `"${'x'.repeat(5_000)}"`],
    ['a component that is no string', '{"component":{"toString":1}}'],
    ['line breaks in a file', '{"file":"a\\nb.ts"}'],
    ['text that turns direction', '{"component":"a\\u202eb"}'],
  ])('%s', (_what, answer) => expect(readProbeFacts(answer)).toBeNull());

  it('keeps only what fits', () => {
    const answer = JSON.stringify({
      component: 'A',
      file: 'a.ts',
      line: -1,
      column: 'x',
      framework: 'evil',
      other: 1,
    });
    expect(readProbeFacts(answer)).toEqual({ component: 'A', file: 'a.ts' });
  });
});

describe('asking', () => {
  it('nobody answers: null', () => expect(probe(element('<p id="it"></p>'))).toBeNull());

  it('the first answer counts', () => {
    const it = element('<p id="it"></p>');
    const twice = (event: Event) => {
      const { channel } = JSON.parse((event as CustomEvent<string>).detail) as { channel: string };
      for (const component of ['First', 'Second']) {
        window.dispatchEvent(new CustomEvent(channel, { detail: JSON.stringify({ component }) }));
      }
    };
    window.addEventListener(PROBE_EVENT, twice, { capture: true });
    expect(probe(it)).toEqual({ component: 'First' });
    window.removeEventListener(PROBE_EVENT, twice, { capture: true });
  });
});

it('a page that takes its time with an answer is not asked again for a while', () => {
  const end = new AbortController();
  let asked = 0;
  const slow = (event: Event) => {
    asked++;
    const until = performance.now() + 120;
    while (performance.now() < until);
    const { channel } = JSON.parse((event as CustomEvent<string>).detail) as { channel: string };
    window.dispatchEvent(new CustomEvent(channel, { detail: '{"component":"Slow"}' }));
  };
  window.addEventListener(PROBE_EVENT, slow, { capture: true, signal: end.signal });
  const it = element('<p id="it"></p>');
  expect(probe(it)).toEqual({ component: 'Slow' });
  expect(probe(it)).toBeNull();
  expect(asked).toBe(1);
  end.abort();
});
