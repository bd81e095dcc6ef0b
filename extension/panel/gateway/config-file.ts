/** The file with everything that an agent over HTTP needs, saved where the person's downloads are. No markup. */
import { signal } from '@preact/signals';
import { asSentence } from '../notices/notices';
import type { Platform } from '../platform/platform';

/** Its name among the downloads. */
export const FILE = 'opentoolbar-config.json';

/** What became of the last press. */
export type Saved = { kind: 'token' } | { kind: 'no token' } | { kind: 'failed'; why: string };

export class ConfigFile {
  readonly isBusy = signal(false);
  readonly saved = signal<Saved | undefined>(undefined);
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  async download(): Promise<void> {
    if (this.isBusy.peek()) return;
    this.isBusy.value = true;
    this.saved.value = undefined;
    try {
      const { text, hasToken } = await this.#platform.ask('get_gateway_config', {});
      this.#platform.download(FILE, text);
      this.saved.value = { kind: hasToken ? 'token' : 'no token' };
    } catch (failure) {
      this.saved.value = { kind: 'failed', why: asSentence(failure) };
    } finally {
      this.isBusy.value = false;
    }
  }
}
