/** The keys that the browser itself listens to, as it has them now, and where a person sets them. */
import { signal } from '@preact/signals';
import type { Shortcuts } from '../../shortcuts';
import type { Notices } from '../notices/notices';
import type { Platform } from '../platform/platform';

export class BrowserShortcuts {
  /** Null until the browser has told them. */
  readonly keys = signal<Shortcuts | null>(null);

  constructor(
    private readonly platform: Platform,
    private readonly notices: Notices,
    ended: AbortSignal,
  ) {
    // No browser tells every change of them: who comes back from its settings is shown what is set now.
    for (const [target, type] of [
      [window, 'focus'],
      [document, 'visibilitychange'],
    ] as const)
      target.addEventListener(type, () => this.#refresh(), { signal: ended });
    this.#refresh();
  }

  /** Where the person sets them, in the browser's own words. */
  get settings(): string {
    return this.platform.shortcutSettings;
  }

  /** Takes the person there. Must be called within a click. */
  openSettings(): void {
    this.platform.openShortcutSettings().catch(() => {
      this.notices.failed(
        `The browser did not open its shortcut settings. Open them yourself: ${this.settings}.`,
      );
    });
  }

  #refresh(): void {
    this.platform.shortcuts().then(
      (shortcuts) => {
        this.keys.value = shortcuts;
      },
      () => {
        // Without its answer nothing is said of them.
      },
    );
  }
}
