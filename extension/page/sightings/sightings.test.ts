// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import type { VerdictKind } from '../../generated/VerdictKind';
import type { Found } from '../../state/looking';
import { sampleComment, sampleTarget } from '../../testing/samples';
import { leadsTo } from './address';
import { Changing } from './changing';
import { cheapHash } from './hash';
import { Sightings } from './sightings';

const comment = sampleComment('c_1');
const one = { ...comment, targets: [{ ...sampleTarget(), selector: 'p.x' }] };

function verdict(kind: VerdictKind, parts: Partial<Found['verdict']> = {}): Found {
  const rest = { confidence: 1, candidates: [], diff: [], reason: `It is ${kind}.` };
  const verdict = { kind, ...rest, ...parts } as Found['verdict'];
  return { verdict, cause: 'source', inView: true, evidence: 'hot', counts: true };
}

let element: Element;
beforeEach(() => {
  document.body.innerHTML = '<section><p class="x">one <b>two</b></p></section>';
  const found = document.querySelector('p');
  if (!found) throw new Error('no p');
  element = found;
});

describe('the cheap hash', () => {
  const hash = () => cheapHash(element).hash;

  it.each([
    ['text', () => element.append('more')],
    ['an attribute', () => element.setAttribute('title', 't')],
    ['a class', () => element.classList.add('y')],
    ['text deeper down', () => document.querySelector('b')?.replaceChildren('three')],
    ['a child', () => element.append(document.createElement('i'))],
  ])('sees %s change', (_what, change) => {
    const before = hash();
    change();
    expect(hash()).not.toBe(before);
  });

  it('does not see inline styles and white space around texts', () => {
    const before = hash();
    element.setAttribute('style', 'opacity: 0.5');
    if (element.firstChild) element.firstChild.nodeValue = '  one ';
    expect(hash()).toBe(before);
  });

  it('says when there is more text than it sees', () => {
    expect(cheapHash(element).whole).toBe(true);
    element.append(...Array.from({ length: 70 }, () => document.createElement('i')));
    for (const each of element.querySelectorAll('i')) each.textContent = 'word';
    expect(cheapHash(element).whole).toBe(false);
  });
});

describe('another look is due', () => {
  const seen = () => {
    const sightings = new Sightings();
    sightings.adopt(one, [element]);
    return sightings;
  };

  it('before the first', () => expect(new Sightings().isDue(one, false)).toBe(true));
  it('not while the element is the same', () => expect(seen().isDue(one, true)).toBe(false));
  it('when it was replaced by one that looks the same', () => {
    const sightings = seen();
    element.replaceWith(element.cloneNode(true));
    expect(sightings.isDue(one, true)).toBe(true);
  });
  it('when it has changed', () => {
    const sightings = seen();
    element.textContent = 'other';
    expect(sightings.isDue(one, true)).toBe(true);
  });
  it('when its selector no longer leads to it', () => {
    const nested = { ...one, targets: [{ ...sampleTarget(), selector: 'section > p' }] };
    const sightings = new Sightings();
    sightings.adopt(nested, [element]);
    document.body.append(element);
    expect(sightings.isDue(nested, true)).toBe(true);
  });
  it('when its selector leads to another one as well', () => {
    const sightings = seen();
    expect(sightings.misled([one], () => 0)).toEqual([]);
    document.body.append(element.cloneNode(true));
    expect(sightings.misled([one], () => 0)).toEqual([one]);
  });
  it('when something changed deep inside an element that is larger than the hash sees', () => {
    element.append('x'.repeat(1_000));
    const sightings = seen();
    const text = element.lastChild as Text;
    text.data = `${text.data.slice(0, 999)}y`;
    expect(sightings.isDue(one, true)).toBe(false);
    sightings.touch([text]);
    expect(sightings.isDue(one, true)).toBe(true);
  });
  it('when the comment was pinned anew', () => {
    const anew = { ...one, targets: [{ ...sampleTarget(), anchor: 'other' }] };
    expect(seen().isDue(anew, false)).toBe(true);
  });
  it.each(['missing', 'ambiguous'] as const)('after %s only when the page has changed', (kind) => {
    const sightings = new Sightings();
    sightings.take(one, [verdict(kind)], [], true);
    expect(sightings.isDue(one, false)).toBe(false);
    expect(sightings.isDue(one, true)).toBe(true);
  });
  it('never for an anchor that cannot be read', () => {
    const sightings = new Sightings();
    sightings.take(one, [{ unreadable: 'It is damaged.' }], [], true);
    expect(sightings.isDue(one, true)).toBe(false);
    expect(sightings.of('c_1')[0]).toMatchObject({ unreadable: 'It is damaged.', verdict: null });
  });
});

describe('what the core found', () => {
  const nodes = () => [document, element];

  it('says where the element is; a node that is none is not taken', () => {
    const sightings = new Sightings();
    sightings.take(one, [verdict('moved', { node: 1 })], nodes(), true);
    expect(sightings.elements('c_1')).toEqual([element]);
    sightings.take(one, [verdict('moved', { node: 0 })], nodes(), true);
    expect(sightings.elements('c_1')).toEqual([null]);
  });

  it('ambiguous: the likeliest is shown, and all can be chosen', () => {
    const sightings = new Sightings();
    sightings.take(one, [verdict('ambiguous', { candidates: [1] })], nodes(), true);
    expect(sightings.elements('c_1')).toEqual([element]);
    expect(sightings.of('c_1')[0]?.candidates.map((each) => each.deref())).toEqual([element]);
  });

  it('missing: what is most like it can be chosen, and is not taken for it', () => {
    const sightings = new Sightings();
    sightings.take(one, [verdict('missing', { candidates: [1] })], nodes(), true);
    expect(sightings.elements('c_1')).toEqual([null]);
    expect(sightings.of('c_1')[0]?.candidates.map((each) => each.deref())).toEqual([element]);
  });

  it('does not take an untouched element for another one', () => {
    const twin = element.cloneNode(true) as Element;
    document.body.append(twin);
    const sightings = new Sightings();
    sightings.take(one, [verdict('unchanged', { node: 1 })], nodes(), true);
    sightings.take(one, [verdict('moved', { node: 1 })], [document, twin], false);
    expect(sightings.elements('c_1')).toEqual([element]);
    sightings.take(one, [verdict('moved', { node: 1 })], [document, twin], true);
    expect(sightings.elements('c_1')).toEqual([twin]);
  });

  it('stays due when the element was given other content while the core was asked', async () => {
    const changing = new Changing();
    const observer = new MutationObserver(() => {});
    observer.observe(document, { subtree: true, childList: true, characterData: true });
    document.querySelector('b')?.replaceChildren('three');
    document.body.append('elsewhere');
    changing.add(observer.takeRecords());
    const sightings = new Sightings();
    sightings.take(one, [verdict('unchanged', { node: 1 })], nodes(), true, changing.has);
    expect(sightings.isDue(one, false)).toBe(true);
    sightings.take(one, [verdict('unchanged', { node: 1 })], nodes(), true, new Changing().has);
    expect(sightings.isDue(one, false)).toBe(false);
  });

  it('is news when the verdict is another, not when a text differs that differed before', () => {
    const sightings = new Sightings();
    const changed = (after: string) => verdict('changed', { node: 1, diff: [{ field: 'text', after }] });
    expect(sightings.take(one, [verdict('unchanged', { node: 1 })], nodes(), true)).toBe(true);
    expect(sightings.take(one, [verdict('unchanged', { node: 1 })], nodes(), true)).toBe(false);
    expect(sightings.take(one, [changed('12:00:01')], nodes(), true)).toBe(true);
    expect(sightings.take(one, [changed('12:00:02')], nodes(), true)).toBe(false);
  });
});

it('a selector is followed out of shadow roots', () => {
  document.body.innerHTML = '<x-card></x-card>';
  const root = document.querySelector('x-card')?.attachShadow({ mode: 'open' });
  root?.append(element);
  expect(leadsTo('x-card >>> p', element)).toBe(true);
  expect(leadsTo('p', element)).toBe(false);
  expect(leadsTo('y-card >>> p', element)).toBe(false);
  expect(leadsTo('x-card >>> p[', element)).toBe(false);
});

it('knows whether the source changed since what is not in view was seen, and that is news', () => {
  const sightings = new Sightings();
  const away = (evidence: Found['evidence']): Found => ({
    ...verdict('missing'),
    cause: 'state',
    inView: false,
    evidence,
  });
  const take = (evidence: Found['evidence']) => sightings.take(one, [away(evidence)], [document], true);
  const told = () => sightings.of('c_1')[0]?.sourceChanged;
  expect([take('none'), told()]).toEqual([true, false]);
  expect([take('none'), told()]).toEqual([false, false]);
  expect([take('loaded'), told()]).toEqual([true, true]);
  expect([take('hot'), told()]).toEqual([false, true]);
  // Where nobody can tell, no more is said.
  expect([take('unknown'), told()]).toEqual([true, false]);
});

describe('the node that is held as the element', () => {
  const nodes = () => [document, element];
  const quiet = (kind: VerdictKind, parts: Partial<Found['verdict']> = {}): Found => ({
    ...verdict(kind, parts),
    evidence: 'none',
  });
  const picked = () => {
    const sightings = new Sightings();
    sightings.adopt(one, [element]);
    return sightings;
  };

  it('is told by its place in the capture, wherever it was moved, and 0 when it is no part of the page', () => {
    const sightings = picked();
    expect(sightings.nodesOf([one], nodes())).toEqual([[1]]);
    document.body.append(element);
    expect(sightings.nodesOf([one], [document, document.body, element])).toEqual([[2]]);
    element.remove();
    expect(sightings.nodesOf([one], [document, document.body])).toEqual([[0]]);
  });

  it('is not told of a comment that was not seen, nor where the capture leaves it out', () => {
    const other = { ...one, id: 'c_2' };
    expect(picked().nodesOf([other, one], [document])).toEqual([[], [null]]);
  });

  it.each(['missing', 'ambiguous'] as const)('stays after %s while the source is the same', (kind) => {
    const sightings = picked();
    sightings.take(one, [quiet(kind)], nodes(), true);
    expect(sightings.nodesOf([one], nodes())).toEqual([[1]]);
    element.remove();
    sightings.take(one, [quiet(kind)], [document], true);
    expect(sightings.nodesOf([one], [document])).toEqual([[0]]);
  });

  it('is let go when it is not found after a change of the source', () => {
    const sightings = picked();
    sightings.take(one, [verdict('missing')], nodes(), true);
    expect(sightings.nodesOf([one], nodes())).toEqual([[null]]);
  });

  it('is the one that was found for sure, and not a likely one', () => {
    const sightings = picked();
    const twin = element.cloneNode(true) as Element;
    document.body.append(twin);
    const both = [document, element, twin];
    sightings.take(one, [quiet('ambiguous', { candidates: [2, 1] })], both, true);
    expect(sightings.nodesOf([one], both)).toEqual([[1]]);
    sightings.take(one, [quiet('changed', { node: 2, confidence: 0.5 })], both, true);
    expect(sightings.nodesOf([one], both)).toEqual([[1]]);
    sightings.take(one, [quiet('changed', { node: 2, confidence: 0.95 })], both, true);
    expect(sightings.nodesOf([one], both)).toEqual([[2]]);
  });

  it('is none of a comment that was pinned anew, by Undo or in another window, before and after the look at that', () => {
    const sightings = picked();
    const anew = { ...one, targets: [{ ...sampleTarget(), anchor: 'other' }] };
    expect(sightings.nodesOf([anew, one], nodes())).toEqual([[], [1]]);
    sightings.take(anew, [quiet('missing')], nodes(), true);
    expect(sightings.nodesOf([anew], nodes())).toEqual([[null]]);
  });

  it('is none of a target that was pinned to another element elsewhere, when this window pins another target of the comment', () => {
    const [first, second] = [sampleTarget(), { ...sampleTarget(), anchor: 'second' }];
    const sightings = new Sightings();
    sightings.adopt({ ...one, targets: [first, second] }, [element, element]);
    const again = { ...one, targets: [first, { ...second, anchor: 'again' }] };
    sightings.adopt(again, [null, element]);
    expect(sightings.nodesOf([again], nodes())).toEqual([[1, 1]]);
    const elsewhere = { ...one, targets: [{ ...first, anchor: 'elsewhere' }, second] };
    sightings.adopt(elsewhere, [null, element]);
    expect(sightings.nodesOf([elsewhere], nodes())).toEqual([[null, 1]]);
  });
});
