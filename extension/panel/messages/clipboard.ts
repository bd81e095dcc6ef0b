/** Text to the clipboard, with a message that says what became of it. */

import type { Platform } from '../platform/platform';
import type { Messages } from './messages';

export class Clipboard {
  constructor(
    private readonly platform: Platform,
    private readonly messages: Messages,
  ) {}

  /** `what`: as in "Copied the code." */
  async copyText(text: string, what: string): Promise<void> {
    try {
      await this.platform.copy(text);
      this.messages.done(`Copied ${what}.`);
    } catch (error) {
      this.messages.failed(error);
    }
  }
}
