/**
 * Runs in the field's frame. It does nothing until somebody hands it a port with a secret that the background confirms: a page that puts
 * this frame into itself has an empty field that tells nothing and takes nothing.
 */
import {
  decodeOpening,
  decodeToField,
  encode,
  type FieldPlace,
  type FromField,
  type ToField,
  type Typed,
  textOf,
} from './protocol';

/** A page may try to open a frame that it made: each try asks the background. */
const MOST_TRIES = 8;

/** A text that the overlay may never hear of: its page goes. */
export type LastWords = FieldPlace & { text: string; typed: Typed };

export interface Background {
  /** Whether the overlay of this tab has told the background of this secret. */
  confirm: (secret: string) => Promise<boolean>;
  keep: (words: LastWords) => void;
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
      if (message?.type === 'place' || message?.type === 'heard') typing.know(message);
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

/** Each text is told to the overlay. What that has not heard when the page goes, because the page was busy, is told to the background. */
class Typing {
  #count = 0;
  #heard = 0;
  #place: FieldPlace | null = null;

  constructor(
    field: HTMLTextAreaElement,
    secret: string,
    tell: (message: FromField) => void,
    keep: (words: LastWords) => void,
  ) {
    field.addEventListener('input', () => {
      this.#count += 1;
      tell({ type: 'text', text: textOf(field.value), count: this.#count });
    });
    addEventListener('pagehide', () => {
      if (!this.#place || this.#heard >= this.#count) return;
      keep({ ...this.#place, text: textOf(field.value), typed: { secret, count: this.#count } });
    });
  }

  know(message: Extract<ToField, { type: 'place' | 'heard' }>): void {
    if (message.type === 'place') this.#place = message.place;
    else this.#heard = Math.max(this.#heard, message.count);
  }
}

function obey(field: HTMLTextAreaElement, message: Exclude<ToField, { type: 'place' | 'heard' }>): void {
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
