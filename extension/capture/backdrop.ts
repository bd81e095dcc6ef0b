/** Whether something of the page draws what is below it a second time: a `backdrop-filter` with a filter of the page's own. */
import { contains, localNameOf, matches, selectIn } from './dom';
import { hasRareBackdrop } from './rare-rules';
import { anyShadowRootOf } from './shadow';
import { nextTurn } from './slices';
import { frameDocument, isOwn } from './tree';

/** What can have a filter of its own beside the element, wherever the element is drawn. */
const PSEUDO_ELEMENTS = ['::before', '::after'];
/** Where only some elements have it, by their names: for style sheets that cannot be read. */
const OF_SOME: Record<string, string[]> = {
  details: ['::details-content'],
  input: ['::file-selector-button', '::placeholder'],
  option: ['::checkmark'],
  select: ['::picker(select)', '::picker-icon'],
  textarea: ['::placeholder'],
};

/** A page that draws more elements is not looked through: it would take seconds, before and after the picture. */
export const MAX_ELEMENTS = 30_000;
/** The page has its turn after this long, milliseconds. */
const SLICE_MS = 8;

/**
 * Looks at every drawn element, in shadow roots and in frames of the page's own site. Costs up to three styles each: for pictures with
 * secrets alone. True as well when the page is too large, or when it is not known `within` so many milliseconds.
 */
export async function mayCopyBackdrop(within: number, top: Document = document): Promise<boolean> {
  const began = performance.now();
  let slice = began;
  let left = MAX_ELEMENTS;
  const scopes: (Document | ShadowRoot)[] = [top];
  for (let scope = scopes.pop(); scope; scope = scopes.pop()) {
    const view = (scope.ownerDocument ?? (scope as Document)).defaultView;
    if (!view) continue;
    // All at once: a page that changes meanwhile must not end a walk through it early.
    const elements = selectIn(scope, '*');
    if (hasRareBackdrop(scope)) return true;
    let undrawn: Element | null = null;
    for (const element of elements) {
      if (performance.now() - slice >= SLICE_MS) {
        if (slice - began >= within) return true;
        await nextTurn();
        slice = performance.now();
      }
      if (undrawn && contains(undrawn, element)) continue;
      const style = view.getComputedStyle(element);
      // Nothing in it is drawn.
      undrawn = isOwn(element) || style.display === 'none' ? element : null;
      if (undrawn) continue;
      left -= 1;
      if (left < 0) return true;
      if (isCopying(style)) return true;
      if (pseudosOf(element).some((name) => isCopying(view.getComputedStyle(element, name)))) return true;
      const inner = anyShadowRootOf(element) ?? frameDocument(element);
      if (inner) scopes.push(inner);
    }
  }
  return false;
}

function isCopying(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue('backdrop-filter').includes('url(');
}

function pseudosOf(element: Element): string[] {
  const name = localNameOf(element);
  const own = Object.hasOwn(OF_SOME, name) ? [...PSEUDO_ELEMENTS, ...(OF_SOME[name] ?? [])] : PSEUDO_ELEMENTS;
  const isInTopLayer = name === 'dialog' || matches(element, '[popover], :fullscreen');
  return isInTopLayer ? [...own, '::backdrop'] : own;
}
