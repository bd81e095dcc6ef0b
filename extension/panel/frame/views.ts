/** Which view the panel shows, and whether anybody can see it. */
import { signal } from '@preact/signals';

/** What the panel can show below its frame. */
export type View = 'comments' | 'chat';

/** Remembers which view the person was in. */
const VIEW = 'opentoolbar.panel.view';

export class Views {
  readonly view = signal<View>(localStorage.getItem(VIEW) === 'chat' ? 'chat' : 'comments');
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
