// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import type { Comment } from '../generated/Comment';
import type { Verdict } from '../generated/Verdict';
import type { VerdictKind } from '../generated/VerdictKind';
import { cheapHash } from './hash';
import { Sightings } from './sightings';
import { standingOf } from './standing';

function comment(parts: Partial<Comment> = {}, targets = 1): Comment {
  const snapshot = {
    tag: 'p',
    classes: [],
    ownText: '',
    text: '',
    attributes: {},
    box: { x: 0, y: 0, width: 0, height: 0 },
    ancestors: [],
    children: [],
    childCount: 0,
    siblings: { index: 0, count: 1 },
  };
  return {
    id: 'c_1',
    revision: 1,
    url: 'http://localhost/',
    pathname: '/',
    title: '',
    status: 'active',
    stage: 'open',
    text: 'Say more',
    author: { kind: 'person' },
    replies: [],
    history: [],
    createdAt: 1,
    updatedAt: 1,
    targets: Array.from({ length: targets }, (_, at) => ({ snapshot, selector: 'p', anchor: `a${at}` })),
    ...parts,
  };
}

function verdict(kind: VerdictKind, parts: Partial<Verdict> = {}): Verdict {
  return { kind, confidence: 1, candidates: [], diff: [], reason: `It is ${kind}.`, ...parts };
}

let element: Element;
beforeEach(() => {
  document.body.innerHTML = '<section><p class="x">one <b>two</b></p></section>';
  const found = document.querySelector('p');
  if (!found) throw new Error('no p');
  element = found;
});

describe('the cheap hash', () => {
  it.each([
    ['text', () => element.append('more')],
    ['an attribute', () => element.setAttribute('title', 't')],
    ['a class', () => element.classList.add('y')],
    ['text deeper down', () => document.querySelector('b')?.replaceChildren('three')],
    ['a child', () => element.append(document.createElement('i'))],
  ])('sees %s change', (_what, change) => {
    const before = cheapHash(element);
    change();
    expect(cheapHash(element)).not.toBe(before);
  });

  it('does not see inline styles and white space around texts', () => {
    const before = cheapHash(element);
    element.setAttribute('style', 'opacity: 0.5');
    if (element.firstChild) element.firstChild.nodeValue = '  one ';
    expect(cheapHash(element)).toBe(before);
  });
});

describe('another look is due', () => {
  const seen = () => {
    const sightings = new Sightings();
    sightings.adopt(comment(), [element]);
    return sightings;
  };

  it('before the first', () => expect(new Sightings().isDue(comment(), false)).toBe(true));
  it('not while the element is the same', () => expect(seen().isDue(comment(), true)).toBe(false));
  it('when it was replaced by one that looks the same', () => {
    const sightings = seen();
    element.replaceWith(element.cloneNode(true));
    expect(sightings.isDue(comment(), true)).toBe(true);
  });
  it('when it has changed', () => {
    const sightings = seen();
    element.textContent = 'other';
    expect(sightings.isDue(comment(), true)).toBe(true);
  });
  it('when the comment was pinned anew', () => {
    const [target] = comment().targets;
    if (!target) throw new Error('no target');
    expect(seen().isDue(comment({ targets: [{ ...target, anchor: 'other' }] }), false)).toBe(true);
  });
  it.each(['missing', 'ambiguous'] as const)('after %s only when the page has changed', (kind) => {
    const sightings = new Sightings();
    sightings.take(comment(), [verdict(kind)], []);
    expect(sightings.isDue(comment(), false)).toBe(false);
    expect(sightings.isDue(comment(), true)).toBe(true);
  });
});

describe('verdicts', () => {
  it('say where the element is; a node that is none is not taken', () => {
    const sightings = new Sightings();
    sightings.take(comment(), [verdict('moved', { node: 1 })], [document, element]);
    expect(sightings.elements('c_1')).toEqual([element]);
    sightings.take(comment(), [verdict('moved', { node: 0 })], [document, element]);
    expect(sightings.elements('c_1')).toEqual([null]);
  });

  it('ambiguous: the pin goes to the likeliest, and says it is unsure', () => {
    const sightings = new Sightings();
    sightings.take(comment(), [verdict('ambiguous', { candidates: [1] })], [document, element]);
    expect(sightings.elements('c_1')).toEqual([element]);
    expect(standingOf(comment(), [verdict('ambiguous')])).toMatchObject({
      place: 'unsure',
      words: 'Active, place unsure',
    });
  });

  it('missing: the pin has no place, and the reason is told', () => {
    const standing = standingOf(comment({ status: 'outdated' }), [verdict('missing')]);
    expect(standing).toMatchObject({ place: 'gone', words: 'Outdated, not found', reason: 'It is missing.' });
  });

  it('one of two targets is found: the pin stands there, and tells of the worse', () => {
    const standing = standingOf(comment({}, 2), [verdict('missing'), verdict('unchanged')]);
    expect(standing).toMatchObject({ place: 'found', verdict: 'missing', reason: 'It is missing.' });
  });

  it('unchanged gives no reason; stages are told until it is resolved', () => {
    expect(standingOf(comment({ stage: 'in_progress' }), [verdict('unchanged')])).toMatchObject({
      reason: '',
      words: 'Active, in progress',
    });
    expect(standingOf(comment({ stage: 'review', status: 'resolved' }), []).words).toBe('Resolved');
  });

  it('before the first look the stored state speaks', () => {
    const [target] = comment().targets;
    if (!target) throw new Error('no target');
    const state = {
      verdict: 'changed' as const,
      confidence: 1,
      diff: [],
      reason: 'Its text differs.',
      checkedAt: 1,
    };
    expect(standingOf(comment({ targets: [{ ...target, state }] }), [])).toMatchObject({
      reason: 'Its text differs.',
    });
  });
});
