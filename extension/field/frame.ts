/**
 * Runs in the field's frame. It does nothing until somebody hands it a port with a secret that the background confirms:
 * a page that puts this frame into itself has an empty field that tells nothing and takes nothing.
 */

import type { Typed } from '../state/draft';
import {
  decodeOpening,
  decodeToField,
  encode,
  type FieldPlace,
  type FromField,
  type ToField,
  textOf,
} from './protocol';

/** A page may try to open a frame that it made: each try asks the background. */
const MOST_TRIES = 8;

/** Between two texts that the background is told, milliseconds. */
const KEEP_EVERY_MS = 100;
/** How often a text is told to a background that does not keep it, with pauses that double. */
const MOST_KEEPS = 5;

/** A text that is not saved yet, and where it belongs. */
export type KeptText = FieldPlace & { text: string; typed: Typed };

export interface Background {
  /** Whether the overlay of this tab has told the background of this secret. */
  confirm: (secret: string) => Promise<boolean>;
  /** Keeps a text over whatever becomes of the page; resolves to whether it was. Never rejects. */
  keep: (text: KeptText) => Promise<boolean>;
}

export function startField(field: HTMLTextAreaElement, { confirm, keep }: Background): void {
  let overlay: MessagePort | null = null;
  let tries = 0;

  const open = async (port: MessagePort, secret: string) => {
    if (overlay || ++tries > MOST_TRIES) return;
    port.postMessage(encode({ type: 'here' }));
    const isOurs = await confirm(secret).catch(() => false);
    if (!isOurs || overlay) return port.postMessage(encode({ type: 'refused' }));
    overlay = port;
    const tell = (message: FromField) => port.postMessage(encode(message));
    const typing = new Typing(field, secret, tell, keep);
    port.onmessage = ({ data }) => {
      const message = decodeToField(data);
      if (message?.type === 'place') typing.belongs(message.place);
      else if (message) obey(field, message);
    };
    attend(field, tell);
    port.postMessage(encode({ type: 'ready' }));
  };

  addEventListener('message', ({ data, ports: [port] }) => {
    const opening = decodeOpening(data);
    if (opening && port) void open(port, opening.secret);
  });
}

/**
 * Each text is told to the overlay, and to the background itself: the overlay's page may be busy, hang for good, or go.
 * One text is on its way there at a time, and then the latest; as the page goes, what is not known to be kept is told
 * at once.
 */
class Typing {
  #count = 0;
  #text = '';
  #kept = 0;
  #isKeeping = false;
  #place: FieldPlace | null = null;

  constructor(
    field: HTMLTextAreaElement,
    private readonly secret: string,
    tell: (message: FromField) => void,
    private readonly keep: (text: KeptText) => Promise<boolean>,
  ) {
    field.addEventListener('input', () => {
      this.#count += 1;
      this.#text = textOf(field.value);
      tell({ type: 'text', text: this.#text, count: this.#count });
      void this.#keepUp();
    });
    addEventListener('pagehide', () => {
      if (this.#place && this.#kept < this.#count) void this.#keep(this.#place);
    });
  }

  belongs(place: FieldPlace): void {
    this.#place = place;
    void this.#keepUp();
  }

  async #keepUp(): Promise<void> {
    if (this.#isKeeping) return;
    this.#isKeeping = true;
    for (let failures = 0; this.#place && this.#kept < this.#count && failures < MOST_KEEPS; ) {
      failures = (await this.#keep(this.#place)) ? 0 : failures + 1;
      await pause(KEEP_EVERY_MS * 2 ** failures);
    }
    this.#isKeeping = false;
  }

  async #keep(place: FieldPlace): Promise<boolean> {
    const count = this.#count;
    // Blanks alone are nothing that somebody would look for.
    const text = this.#text.trim() ? this.#text : '';
    const isKept = await this.keep({ ...place, text, typed: { secret: this.secret, count } });
    if (isKept) this.#kept = Math.max(this.#kept, count);
    return isKept;
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

function obey(field: HTMLTextAreaElement, message: Exclude<ToField, { type: 'place' }>): void {
  if (message.type === 'write') {
    if (field.value !== message.text) field.value = message.text;
    return;
  }
  if (message.type === 'focus') {
    field.focus({ preventScroll: true });
    return;
  }
  const { label, placeholder, rows, maxLength, isReadOnly, isSmall, tallest } = message.look;
  field.setAttribute('aria-label', label);
  field.placeholder = placeholder;
  field.rows = rows;
  field.maxLength = maxLength;
  field.readOnly = isReadOnly;
  field.classList.toggle('small', isSmall);
  field.style.maxHeight = `${tallest}px`;
  field.disabled = false;
  if (document.hasFocus()) field.focus({ preventScroll: true });
}

function attend(field: HTMLTextAreaElement, tell: (message: FromField) => void): void {
  addEventListener('focus', () => field.focus({ preventScroll: true }));
  field.addEventListener('focus', () => tell({ type: 'focused', isFocused: true }));
  field.addEventListener('blur', () => tell({ type: 'focused', isFocused: false }));
  if (document.activeElement === field && document.hasFocus()) tell({ type: 'focused', isFocused: true });
  addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    if (!event.isTrusted) return;
    // The first key may overtake the news that the frame has the focus.
    if (document.activeElement !== field) field.focus({ preventScroll: true });
    if (isComposing) {
      // The input method's keys. One that it leaves to the browser would move the focus out of the box, into the page.
      if (key === 'Tab') event.preventDefault();
      return;
    }
    if (altKey) return;
    const isSubmit = key === 'Enter' && (ctrlKey || metaKey);
    if (!isSubmit && key !== 'Escape' && (key !== 'Tab' || ctrlKey || metaKey)) return;
    event.preventDefault();
    tell({
      type: 'key',
      key: isSubmit ? 'Enter' : key === 'Tab' ? 'Tab' : 'Escape',
      shiftKey,
      ctrlKey,
      metaKey,
    });
  });
  new ResizeObserver(() => tell({ type: 'height', height: Math.ceil(field.offsetHeight) })).observe(field);
}
