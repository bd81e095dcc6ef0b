/**
 * A cheap hash of an element: is it still what it was? Constant time, whatever the size of the subtree. Not an anchor:
 * a difference only means that the core should look.
 */

import {
  attributeOf,
  attributesOf,
  childElementCountOf,
  localNameOf,
  ownerDocumentOf,
} from '../../capture/dom';
import { isElement } from '../../capture/tree';

/** Most nodes whose text takes part. */
const MAX_NODES = 64;
/** Most of one text, in UTF-16 units; its length takes part as well. */
const MAX_TEXT = 256;
/** Most elements inside of which it is told what they draw. */
const MAX_DRAWN = 24;
/** What an icon or a picture inside is told by. */
const DRAWN = ['d', 'points', 'src', 'href', 'xlink:href'];
/** Changes with every frame of an animation, or with the pointer. */
const IGNORED = new Set(['style']);

export interface CheapHash {
  hash: number;
  /** All of its text took part; else a change further on does not show. */
  whole: boolean;
}

export function cheapHash(element: Element): CheapHash {
  let hash = mix(2_166_136_261, localNameOf(element));
  for (const { name, value } of attributesOf(element)) {
    if (!IGNORED.has(name)) hash = mix(mix(hash, name), value);
  }
  hash = mix(hash, String(childElementCountOf(element)));
  const inside = ownerDocumentOf(element).createTreeWalker(element, 1);
  for (let seen = 0; seen < MAX_DRAWN; seen++) {
    const drawn = inside.nextNode();
    if (!isElement(drawn)) break;
    for (const name of DRAWN) {
      const value = attributeOf(drawn, name);
      if (value !== null) hash = mix(hash, value);
    }
  }
  const walker = ownerDocumentOf(element).createTreeWalker(element, 4);
  let whole = true;
  for (let seen = 0; ; seen++) {
    const text = walker.nextNode()?.nodeValue;
    if (text === undefined || text === null) break;
    if (seen === MAX_NODES) {
      whole = false;
      break;
    }
    hash = mix(hash, text.trim());
    if (text.length > MAX_TEXT) whole = false;
  }
  return { hash, whole };
}

/** FNV-1a over the UTF-16 units, at most `MAX_TEXT` of them, and the length. */
function mix(hash: number, text: string): number {
  let next = hash;
  const end = Math.min(text.length, MAX_TEXT);
  for (let at = 0; at < end; at++) next = Math.imul(next ^ text.charCodeAt(at), 16_777_619);
  return Math.imul(next ^ text.length, 16_777_619) >>> 0;
}
