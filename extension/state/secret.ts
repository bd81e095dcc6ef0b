/**
 * By what a text field in a frame, its overlay and the background know one another: 32 random bytes, in hexadecimal.
 */

const BYTES = 32;

export const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

export const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length === BYTES * 2 && /^[0-9a-f]+$/.test(value);
