// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { type CapturedPage, capturePage, capturePageNow } from './capture';
import { claim, ROOT_MARK } from './tree';
import type { Stretch } from './walker';
import {
  FLAG_INTERACTIVE,
  KIND_DOCUMENT,
  KIND_ELEMENT,
  KIND_SHADOW_ROOT,
  KIND_TEXT,
  NODE_STRIDE,
} from './walker';

interface Row {
  kind: number;
  parent: number;
  string: string;
  attributes: Record<string, string>;
  flags: number;
}

function rows({ capture }: CapturedPage): Row[] {
  const { nodes, strings, attributes } = capture;
  const at = (index: number) => strings[index] ?? '';
  return Array.from({ length: nodes.length / NODE_STRIDE }, (_, index) => {
    const [kind = -1, parent = -1, string = -1, first = 0, count = 0] = nodes.slice(index * NODE_STRIDE);
    const pairs = Array.from({ length: count }, (_pair, pair) => [
      at(attributes[(first + pair) * 2] ?? -1),
      at(attributes[(first + pair) * 2 + 1] ?? -1),
    ]);
    return {
      kind,
      parent,
      string: at(string),
      attributes: Object.fromEntries(pairs),
      flags: nodes[index * NODE_STRIDE + 9] ?? 0,
    };
  });
}

beforeEach(() => {
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});

describe('a capture', () => {
  it('gives the blank that stands alone to the texts beside it', () => {
    document.body.innerHTML = '<p>a<!-- --> <!-- -->b <i>c</i> </p><p><b>d</b>\n<!-- -->e</p><p> </p>';
    const texts = () =>
      rows(capturePageNow())
        .filter((row) => row.kind === KIND_TEXT)
        .map((row) => row.string);
    expect(texts()).toEqual(['a ', ' b ', 'c', 'd', ' e']);
    document.body.innerHTML = '<button></button>';
    document.querySelector('button')?.append('Open cart (', '0', ')', ' ', 'now');
    expect(texts()).toEqual(['Open cart (', '0', ') ', ' now']);
  });

  it('stands in document order, parents first, and each index answers to its live node', () => {
    document.body.innerHTML = '<main><h1>Hi</h1><p>a <b>c</b></p></main>';
    const page = capturePageNow();
    const all = rows(page);
    expect(all[0]).toMatchObject({ kind: KIND_DOCUMENT, parent: -1 });
    expect(all.slice(1).every((row, at) => row.parent >= 0 && row.parent < at + 1)).toBe(true);
    expect(page.nodes).toHaveLength(all.length);
    all.forEach((row, index) => {
      const node = page.nodes[index];
      if (row.kind === KIND_ELEMENT) expect((node as Element).localName).toBe(row.string);
      if (row.kind === KIND_TEXT) expect((node as Text).data).toBe(row.string);
    });
    expect(all.filter((row) => row.kind === KIND_TEXT).map((row) => row.string)).toEqual(['Hi', 'a ', 'c']);
  });

  it('interns each string once', () => {
    document.body.innerHTML = '<p class="x">x</p><p class="x">x</p>';
    const { strings } = capturePageNow().capture;
    expect(new Set(strings).size).toBe(strings.length);
  });

  it('writes no U+0000, which ends a string on the way to the core', () => {
    document.body.innerHTML = '<p title="a\uFFFDb">c</p>';
    document.body.firstElementChild?.append('a\0b', document.createElement('b'), '\0');
    const { strings } = capturePageNow().capture;
    expect(strings).toContain('a\uFFFDb');
    expect(strings).toContain('\uFFFD');
    expect(strings.join('')).not.toContain('\0');
    expect(new Set(strings).size).toBe(strings.length);
  });

  it('puts an open shadow root before the light children of its host', () => {
    document.body.innerHTML = '<x-card><span>light</span></x-card>';
    const host = document.querySelector('x-card');
    host?.attachShadow({ mode: 'open' }).append(document.createElement('button'));
    const all = rows(capturePageNow());
    const card = all.findIndex((row) => row.string === 'x-card');
    expect(all[card + 1]).toMatchObject({ kind: KIND_SHADOW_ROOT, parent: card });
    expect(all[card + 2]).toMatchObject({ kind: KIND_ELEMENT, string: 'button', parent: card + 1 });
    expect(all[card + 3]).toMatchObject({ kind: KIND_ELEMENT, string: 'span', parent: card });
  });

  it('leaves our own root out', () => {
    const root = document.createElement('h6');
    root.setAttribute(ROOT_MARK, '');
    document.documentElement.append(root);
    const isCaptured = () => rows(capturePageNow()).some((row) => row.string === 'h6');
    expect(isCaptured(), 'the mark alone hides nothing of a page').toBe(true);
    claim(root);
    expect(isCaptured()).toBe(false);
    root.remove();
  });

  it('never holds what a person typed or what is secret', () => {
    document.body.innerHTML = `
      <input name="first" value="initial-text"><input type="password" value="hunter2"><input type="hidden" value="h1dden">
      <textarea>draft-text</textarea><div contenteditable="true">edited-text</div>
      <input type="submit" value="Send it"><input type="radio" value="blue"><a href="/x?token=s3cr3t">go</a>`;
    const typed = document.querySelector<HTMLInputElement>('input[name=first]');
    if (typed) typed.value = 'typed-text';
    const json = JSON.stringify(capturePageNow().capture);
    for (const secret of [
      'initial-text',
      'typed-text',
      'hunter2',
      'h1dden',
      'draft-text',
      'edited-text',
      's3cr3t',
    ]) {
      expect(json).not.toContain(secret);
    }
    for (const kept of ['Send it', 'blue', 'token=[redacted]']) expect(json).toContain(kept);
  });

  it('drops code, styles and handlers, and keeps their elements in place', () => {
    document.body.innerHTML =
      '<script>let code</script><style>.rule{}</style><p onclick="run()" style="color:red">x</p>';
    const page = capturePageNow();
    const json = JSON.stringify(page.capture);
    for (const dropped of ['let code', '.rule', 'run()', 'color:red']) expect(json).not.toContain(dropped);
    expect(rows(page).map((row) => row.string)).toEqual(expect.arrayContaining(['script', 'style', 'p']));
  });

  it('marks what a person can operate', () => {
    document.body.innerHTML = '<button>b</button><a>no</a><a href="/">yes</a><div role="tab">t</div><p>p</p>';
    const operable = rows(capturePageNow())
      .filter((row) => row.kind === KIND_ELEMENT && (row.flags & FLAG_INTERACTIVE) !== 0)
      .map((row) => row.string);
    expect(operable).toEqual(['button', 'a', 'div']);
  });

  it('is well-formed text even where the page is not', () => {
    document.body.append(document.createTextNode('\ud800 half a pair'));
    for (const string of capturePageNow().capture.strings) expect(string.isWellFormed()).toBe(true);
  });

  it('in slices is the same as at once, and notes that the page changed in between', async () => {
    document.body.innerHTML = '<ul></ul>';
    const list = document.querySelector('ul');
    for (let item = 0; item < 3_000; item++) list?.append(document.createElement('li'));
    const stretches: Stretch[] = [];
    const { head, mutated } = await capturePage((stretch) => stretches.push(stretch));
    const capture = {
      ...head,
      strings: stretches.flatMap(({ strings }) => strings),
      nodes: stretches.flatMap(({ nodes }) => nodes),
      attributes: stretches.flatMap(({ attributes }) => attributes),
      drawings: stretches.flatMap(({ drawings }) => drawings),
    };
    expect(stretches.length).toBeGreaterThan(1);
    expect(capture).toEqual(capturePageNow().capture);
    expect(mutated).toBe(false);
    const pending = capturePage(() => {});
    list?.append(document.createElement('li'));
    expect((await pending).mutated).toBe(true);
  });

  it('stops when it is told to', async () => {
    const end = new AbortController();
    document.body.innerHTML = '<p></p>'.repeat(20_000);
    const pending = capturePage(() => {}, end.signal);
    end.abort();
    await expect(pending).rejects.toThrow();
  });
});
