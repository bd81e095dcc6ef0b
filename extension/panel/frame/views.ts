/** Which view the panel shows, and whether anybody can see it. */
import { signal } from '@preact/signals';
import type { Sight } from '../../state/ports';

/** Remembers which view the person was in. */
const VIEW = 'opentoolbar.panel.view';

/** What the panel can show below its frame. */
export type View = 'comments' | 'chat' | 'approvals';

interface Known {
  /** On its tab. */
  name: string;
  /** At the beginning of a sentence that says that it could not be drawn. */
  what: string;
  /** What a person who looks at it sees. `list`: what one who looks at the list of comments does. */
  sight: (list: Sight) => Sight;
}

/** Each of them, in the order of their tabs. */
export const VIEWS: Readonly<Record<View, Known>> = {
  comments: { name: 'Comments', what: 'The comments', sight: (list) => list },
  chat: { name: 'Chat', what: 'The chat', sight: () => 'chat' },
  approvals: { name: 'Approvals', what: 'The approvals', sight: () => 'nothing' },
};
/** The names, in that order; of an object's keys the compiler knows less. */
export const ALL_VIEWS = Object.keys(VIEWS) as readonly View[];

/** The view that the person was in; the first where that is none any more. */
function remembered(): View {
  const kept = localStorage.getItem(VIEW);
  return ALL_VIEWS.find((view) => view === kept) ?? 'comments';
}

export class Views {
  readonly view = signal<View>(remembered());
  /** Whether anybody can see the panel. */
  readonly visible = signal(document.visibilityState !== 'hidden');

  constructor(ended: AbortSignal) {
    const look = () => {
      this.visible.value = document.visibilityState !== 'hidden';
    };
    document.addEventListener('visibilitychange', look, { signal: ended });
  }

  show(view: View): void {
    this.view.value = view;
    localStorage.setItem(VIEW, view);
  }
}
