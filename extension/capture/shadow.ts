/** Shadow roots of the page, closed ones included: browsers let an extension's script see them, and nobody else. */
import { localNameOf, shadowRootOf } from './dom';

type Open = (element: Element) => ShadowRoot | null;

interface Browsers {
  chrome?: { dom?: { openOrClosedShadowRoot?: Open } };
}

/** Other elements of HTML cannot have one; `use` has a copy of what it draws, which Firefox shows. */
const HOSTS = new Set([
  'article',
  'aside',
  'blockquote',
  'body',
  'div',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'main',
  'nav',
  'p',
  'section',
  'span',
  'use',
]);

/** The element's shadow root, open or closed; where the browser shows no closed ones, the open one. */
export function anyShadowRootOf(element: Element): ShadowRoot | null {
  const open = shadowRootOf(element);
  if (open) return open;
  const name = localNameOf(element);
  if (!HOSTS.has(name) && !name.includes('-')) return null;
  // Firefox has it on elements, for extensions alone.
  const { openOrClosedShadowRoot: own } = element as { openOrClosedShadowRoot?: unknown };
  if (own !== undefined && typeof own === 'object') return own as ShadowRoot | null;
  try {
    return (globalThis as Browsers).chrome?.dom?.openOrClosedShadowRoot?.(element) ?? null;
  } catch {
    // No element of HTML.
    return null;
  }
}
