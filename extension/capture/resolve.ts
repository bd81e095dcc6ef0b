/**
 * Resolves a selector on the live page: each segment is CSS, ` >>> ` enters a shadow root or a frame.
 * Knows nothing of comments or anchors.
 */
import { frameDocument, isOwn } from './tree';

/** Every element that the selector hits now; empty for a selector that is not valid here. */
export function resolveSelector(selector: string, top: Document = document): Element[] {
  const segments = selector.split(' >>> ');
  let scopes: (Document | ShadowRoot)[] = [top];
  let found: Element[] = [];
  for (const [at, segment] of segments.entries()) {
    found = [];
    for (const scope of scopes) {
      try {
        found.push(...scope.querySelectorAll(segment));
      } catch {
        return [];
      }
    }
    found = found.filter((element) => !isOwn(element));
    if (at === segments.length - 1) break;
    scopes = found.flatMap((element) => {
      const inner = element.shadowRoot ?? frameDocument(element);
      return inner ? [inner] : [];
    });
  }
  return found;
}
