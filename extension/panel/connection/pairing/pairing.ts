/** What the person does about pairing: the form's fields, and how the last try went. No markup. */
import { signal } from '@preact/signals';
import type { PairedHost } from '../../../state/connection';
import { asSentence, type Notices } from '../../notices/notices';
import type { Platform } from '../../platform/platform';

/** Where the gateway listens unless it was told otherwise. */
export const USUAL_ADDRESS = '127.0.0.1:7847';

export class Pairing {
  /** Whether the form is shown. */
  readonly isOpen = signal(false);
  /** Whether the host that the browser is paired with is shown, though there is nothing to do about it. */
  readonly isShown = signal(false);
  readonly code = signal('');
  readonly address = signal(USUAL_ADDRESS);
  readonly error = signal('');
  readonly isBusy = signal(false);
  /** What takes the keyboard's focus as soon as it is drawn: the form has gone, or come. */
  readonly wantsFocus = signal<'code' | 'opener' | 'paired' | null>(null);

  readonly #platform: Platform;
  readonly #notices: Notices;
  readonly #announce: (text: string) => void;

  /** `announce` tells a screen reader what eyes see by the lights: a message would cover the buttons. */
  constructor(platform: Platform, notices: Notices, announce: (text: string) => void) {
    this.#platform = platform;
    this.#notices = notices;
    this.#announce = announce;
  }

  open(paired: PairedHost | undefined): void {
    this.code.value = '';
    this.error.value = '';
    if (paired) this.address.value = paired.address;
    this.isOpen.value = true;
    this.wantsFocus.value = 'code';
  }

  cancel(): void {
    this.isOpen.value = false;
    this.wantsFocus.value = 'opener';
  }

  async submit(): Promise<void> {
    if (this.isBusy.peek()) return;
    if (this.code.peek().trim() === '') {
      this.error.value = 'Type the code that `opentoolbar pair` printed.';
      this.wantsFocus.value = 'code';
      return;
    }
    this.isBusy.value = true;
    this.error.value = '';
    try {
      const { host } = await this.#platform.ask('pair', {
        address: this.address.peek(),
        code: this.code.peek(),
      });
      this.isOpen.value = false;
      this.code.value = '';
      this.wantsFocus.value = 'paired';
      this.#announce(`Paired with ${host}.`);
    } catch (failure) {
      this.error.value = asSentence(failure);
    }
    this.isBusy.value = false;
  }

  async forget({ host }: PairedHost): Promise<void> {
    try {
      await this.#platform.ask('forget_pairing', {});
      this.isShown.value = false;
      this.wantsFocus.value = 'opener';
      this.#announce(`Forgot ${host}.`);
    } catch (failure) {
      this.#notices.failed(failure);
    }
  }
}
