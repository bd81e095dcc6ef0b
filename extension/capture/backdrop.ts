/** Whether something of the page draws what is below it a second time: a `backdrop-filter` with a filter of the page's own. */
import { localNameOf, matches } from './dom';
import { hasRareBackdrop } from './rare-rules';
import { anyShadowRootOf } from './shadow';
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

/** Looks at every drawn element, in shadow roots and in frames of the page's own site. Costs a style each: for pictures with secrets alone. */
export function mayCopyBackdrop(top: Document = document): boolean {
  const scopes: (Document | ShadowRoot)[] = [top];
  for (let scope = scopes.pop(); scope; scope = scopes.pop()) {
    const view = (scope.ownerDocument ?? (scope as Document)).defaultView;
    if (!view) continue;
    if (hasRareBackdrop(scope)) return true;
    let found = false;
    const look = (node: Node): number => {
      const element = node as Element;
      const style = view.getComputedStyle(element);
      // Nothing in it is drawn.
      if (found || isOwn(element) || style.display === 'none') return NodeFilter.FILTER_REJECT;
      found =
        isCopying(style) ||
        pseudosOf(element).some((name) => isCopying(view.getComputedStyle(element, name)));
      const inner = anyShadowRootOf(element) ?? frameDocument(element);
      if (inner) scopes.push(inner);
      return NodeFilter.FILTER_ACCEPT;
    };
    const walker = top.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT, look);
    while (!found && walker.nextNode());
    if (found) return true;
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
