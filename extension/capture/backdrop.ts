/**
 * Whether something of the page draws other parts of it a second time: a `backdrop-filter` with a filter of the page's
 * own, which draws what is below it elsewhere, or a picture of another element.
 */
import { contains, localNameOf, matches, ownerDocumentOf, selectIn, viewOf } from './dom';
import { mayHoldElement, showsElement } from './element-images';
import { hasRareCopy } from './rare-rules';
import { SearchTime } from './search-time';
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

/**
 * Looks at every drawn element, in shadow roots and in frames of the page's own site, and at every rule once. Costs up
 * to three styles an element: for pictures with secrets alone. True as well when the page is too large, or when it is
 * not known `within` so many milliseconds.
 */
export async function mayCopy(within: number, top: Document = document): Promise<boolean> {
  // Who asks has measured the page just now.
  await nextTurn();
  const time = new SearchTime(within);
  let left = MAX_ELEMENTS;
  const sheets = new Set<CSSStyleSheet>();
  /** A part of an element whose style is not told takes them from the element. */
  const variables = new Set<string>();
  const scopes: (Document | ShadowRoot)[] = [top];
  for (let scope = scopes.pop(); scope; scope = scopes.pop()) {
    const view = viewOf(ownerDocumentOf(scope) ?? (scope as Document));
    if (!view) continue;
    if (await hasRareCopy(scope, sheets, variables, time)) return true;
    // All at once: a page that changes meanwhile must not end a walk through it early. After the sheets, which take
    // their time.
    const elements = selectIn(scope, '*');
    let undrawn: Element | null = null;
    for (const element of elements) {
      if (time.isDue() && !(await time.rest())) return true;
      if (undrawn && contains(undrawn, element)) continue;
      const style = view.getComputedStyle(element);
      // Nothing in it is drawn.
      undrawn = isOwn(element) || style.display === 'none' ? element : null;
      if (undrawn) continue;
      left -= 1;
      if (left < 0) return true;
      if (isCopying(style)) return true;
      for (const name of variables) if (mayHoldElement(style.getPropertyValue(name))) return true;
      if (pseudosOf(element).some((name) => isCopying(view.getComputedStyle(element, name)))) return true;
      const inner = anyShadowRootOf(element) ?? frameDocument(element);
      if (inner) scopes.push(inner);
    }
  }
  return false;
}

function isCopying(style: CSSStyleDeclaration): boolean {
  return /(?:url|src)\(/.test(style.getPropertyValue('backdrop-filter')) || showsElement(style);
}

function pseudosOf(element: Element): string[] {
  const name = localNameOf(element);
  const own = Object.hasOwn(OF_SOME, name) ? [...PSEUDO_ELEMENTS, ...(OF_SOME[name] ?? [])] : PSEUDO_ELEMENTS;
  const isInTopLayer = name === 'dialog' || matches(element, '[popover], :fullscreen');
  return isInTopLayer ? [...own, '::backdrop'] : own;
}
