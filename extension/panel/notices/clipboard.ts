/** Text to the clipboard, with a notice that says what became of it. */

import type { Platform } from '../platform/platform';
import type { Notices } from './notices';

export class Clipboard {
  constructor(
    private readonly platform: Platform,
    private readonly notices: Notices,
  ) {}

  /** `what`: as in "Copied the code." */
  async copyText(text: string, what: string): Promise<void> {
    try {
      await this.platform.copy(text);
      this.notices.done(`Copied ${what}.`);
    } catch (error) {
      this.notices.failed(error);
    }
  }
}
