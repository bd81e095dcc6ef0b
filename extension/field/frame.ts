/**
 * Runs in the field's frame. It does nothing until somebody hands it a port with a secret that the background confirms: a page that puts
 * this frame into itself has an empty field that tells nothing and takes nothing.
 */
import { decodeOpening, decodeToField, encode, type FromField, type ToField, textOf } from './protocol';

/** A page may try to open a frame that it made: each try asks the background. */
const MOST_TRIES = 8;

/** `confirm`: whether the overlay of this tab has told the background of this secret. */
export function startField(field: HTMLTextAreaElement, confirm: (secret: string) => Promise<boolean>): void {
  let overlay: MessagePort | null = null;
  let tries = 0;

  const open = async (port: MessagePort, secret: string) => {
    if (overlay || ++tries > MOST_TRIES) return;
    port.postMessage(encode({ type: 'here' }));
    const isOurs = await confirm(secret).catch(() => false);
    if (!isOurs || overlay) return port.postMessage(encode({ type: 'refused' }));
    overlay = port;
    port.onmessage = ({ data }) => {
      const message = decodeToField(data);
      if (message) obey(field, message);
    };
    attend(field, (message) => port.postMessage(encode(message)));
    port.postMessage(encode({ type: 'ready' }));
  };

  addEventListener('message', ({ data, ports: [port] }) => {
    const opening = decodeOpening(data);
    if (opening && port) void open(port, opening.secret);
  });
}

function obey(field: HTMLTextAreaElement, message: ToField): void {
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
  field.addEventListener('input', () => tell({ type: 'text', text: textOf(field.value) }));
  addEventListener('focus', () => field.focus({ preventScroll: true }));
  addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    if (!event.isTrusted) return;
    // The first key may overtake the news that the frame has the focus.
    if (document.activeElement !== field) field.focus({ preventScroll: true });
    if (isComposing || altKey) return;
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
