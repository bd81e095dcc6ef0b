/**
 * A cheap hash of an element: is it still what it was? Constant time, whatever the size of the subtree. Not an anchor:
 * a difference only means that the core should look.
 */

/** Most nodes whose text takes part. */
const MAX_NODES = 64;
/** Changes with every frame of an animation, or with the pointer. */
const IGNORED = new Set(['style']);

export function cheapHash(element: Element): number {
  let hash = mix(2_166_136_261, element.localName);
  for (const { name, value } of element.attributes) {
    if (!IGNORED.has(name)) hash = mix(mix(hash, name), value);
  }
  hash = mix(hash, String(element.childElementCount));
  const walker = element.ownerDocument.createTreeWalker(element, 4);
  for (let seen = 0; seen < MAX_NODES; seen++) {
    const text = walker.nextNode();
    if (!text) break;
    hash = mix(hash, (text.nodeValue ?? '').trim());
  }
  return hash;
}

/** FNV-1a over the UTF-16 units, at most 256 of them, and the length. */
function mix(hash: number, text: string): number {
  let next = hash;
  const end = Math.min(text.length, 256);
  for (let at = 0; at < end; at++) next = Math.imul(next ^ text.charCodeAt(at), 16_777_619);
  return Math.imul(next ^ text.length, 16_777_619) >>> 0;
}
