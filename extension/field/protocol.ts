/**
 * What the overlay and its text field in a frame say to one another. Each side decodes what it hears, once, here. JSON
 * as text: in Firefox an object that came through a port would be the page's own to a content script.
 */
import { MOST_TEXT } from '../state/draft';
import { isSecret } from '../state/secret';

const MOST_LABEL = 1_000;
/** Characters of one message at most: a text with every character escaped. */
const MOST_MESSAGE = MOST_TEXT * 6 + 10_000;
const MOST_PIXELS = 10_000;

export interface FieldLook {
  /** For screen readers. */
  label: string;
  placeholder: string;
  rows: number;
  /** Characters that may be typed. */
  maxLength: number;
  isReadOnly: boolean;
  /** One line at first. */
  isSmall: boolean;
  /** Pixels that the field may grow to. */
  tallest: number;
}

/** The keys that the overlay acts on. All others stay in the frame. */
export interface FieldKey {
  key: 'Enter' | 'Escape' | 'Tab';
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Where the text belongs that is being written: the page or the comment, and the page's whole address. */
export interface FieldPlace {
  pathname: string;
  url: string;
}

export type ToField =
  /** The text, in place of what is there. */
  | { type: 'write'; text: string }
  | { type: 'look'; look: FieldLook }
  /** The frame has the focus: the field is to have it in there. */
  | { type: 'focus' }
  | { type: 'place'; place: FieldPlace };

export type FromField =
  /** The frame is there, and asks whether the secret is right. */
  | { type: 'here' }
  /** It is: from now on the field does what it is told. */
  | { type: 'ready' }
  /** It is not, or nobody knew. */
  | { type: 'refused' }
  /** The person changed the text, for the `count`th time. */
  | { type: 'text'; text: string; count: number }
  | ({ type: 'key' } & FieldKey)
  /** The field got the focus, or lost it. */
  | { type: 'focused'; isFocused: boolean }
  /** Pixels. */
  | { type: 'height'; height: number };

/** The first words to a frame, beside a port: whoever knows the secret of the moment is the overlay. */
export interface Opening {
  type: 'open_field';
  secret: string;
}

export const encode = (message: ToField | FromField | Opening): string => JSON.stringify(message);

export function decodeOpening(data: unknown): Opening | null {
  const { type, secret } = parsed(data);
  return type === 'open_field' && isSecret(secret) ? { type, secret } : null;
}

export function decodeToField(data: unknown): ToField | null {
  const { type, text, look, place } = parsed(data);
  if (type === 'write' && isText(text)) return { type, text };
  if (type === 'focus') return { type };
  if (type === 'place') return isPlace(place) ? { type, place } : null;
  if (type !== 'look' || typeof look !== 'object' || look === null) return null;
  const { label, placeholder, rows, maxLength, isReadOnly, isSmall, tallest } = look as Record<
    string,
    unknown
  >;
  if (!isLabel(label) || !isLabel(placeholder) || !isCount(rows, 100) || !isCount(maxLength, MOST_TEXT))
    return null;
  if (typeof isReadOnly !== 'boolean' || typeof isSmall !== 'boolean' || !isCount(tallest, MOST_PIXELS))
    return null;
  return { type, look: { label, placeholder, rows, maxLength, isReadOnly, isSmall, tallest } };
}

export function decodeFromField(data: unknown): FromField | null {
  const { type, text, count, height, isFocused, key, shiftKey, ctrlKey, metaKey } = parsed(data);
  if (type === 'here' || type === 'ready' || type === 'refused') return { type };
  if (type === 'text') return isText(text) && isTurn(count) ? { type, text, count } : null;
  if (type === 'focused') return typeof isFocused === 'boolean' ? { type, isFocused } : null;
  if (type === 'height') return isCount(height, MOST_PIXELS) ? { type, height } : null;
  if (type !== 'key' || (key !== 'Enter' && key !== 'Escape' && key !== 'Tab')) return null;
  if (typeof shiftKey !== 'boolean' || typeof ctrlKey !== 'boolean' || typeof metaKey !== 'boolean')
    return null;
  return { type, key, shiftKey, ctrlKey, metaKey };
}

/** The fields of a message; none of what is no message. */
function parsed(data: unknown): Record<string, unknown> {
  if (typeof data !== 'string' || data.length > MOST_MESSAGE) return {};
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MOST_TEXT;
const isTurn = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isLabel = (value: unknown): value is string => typeof value === 'string' && value.length <= MOST_LABEL;
const isCount = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= most;

function isPlace(value: unknown): value is FieldPlace {
  const { pathname, url } = (value ?? {}) as Record<string, unknown>;
  return typeof pathname === 'string' && typeof url === 'string';
}

/** What a label or a placeholder may be at most; agents write some. */
export const labelOf = (text: string): string => text.slice(0, MOST_LABEL);
/** What a field holds at most. */
export const textOf = (text: string): string => text.slice(0, MOST_TEXT);
