/** Comments and selections for unit tests: valid by the core's rules. */
import type { Comment } from '../generated/Comment';
import type { Target } from '../generated/Target';

export function sampleTarget(): Target {
  return {
    snapshot: {
      tag: 'button',
      classes: [],
      ownText: 'Save',
      text: 'Save',
      attributes: {},
      box: { x: 0, y: 0, width: 10, height: 10 },
      ancestors: [],
      children: [],
      childCount: 0,
      siblings: { index: 0, count: 1 },
    } as unknown as Target['snapshot'],
    selector: 'button',
    anchor: 'AQ==',
  };
}

/** A button that somebody points at. */
export const sampleButton = {
  element: {
    tagName: 'BUTTON',
    classList: [],
    textContent: 'Save',
    attributes: {},
    boundingBox: { x: 0, y: 0, width: 1, height: 1 },
  },
  ancestors: [],
};

export function sampleComment(id: string, text = 'Make it blue'): Comment {
  return {
    id,
    revision: 1,
    url: 'http://localhost:5173/shop',
    pathname: '/shop',
    title: 'Shop',
    sessionId: 's_1',
    status: 'active',
    stage: 'open',
    text,
    author: { kind: 'person' },
    targets: [sampleTarget()],
    replies: [],
    history: [],
    createdAt: 1_000,
    updatedAt: 1_000,
  };
}
