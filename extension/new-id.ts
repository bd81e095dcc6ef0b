/** Ids that the browser gives. The forms are those of the core: a prefix and 1 to 64 of `A-Z a-z 0-9 _ -`. */

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const LENGTH = 20;

/**
 * A new id: about 100 random bits. Not `crypto.randomUUID`: that one is missing on pages that the browser calls
 * insecure, which is every plain-http host but loopback, and content scripts run there.
 */
export function newId(prefix: 'c_' | 'm_' | 'r_' | 'ctx_' | 'p_' | 'b_' | 't_'): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte % 36]);
  return prefix + letters.join('');
}
