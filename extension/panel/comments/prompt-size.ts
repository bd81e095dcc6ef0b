/** How much of an agent's context a prompt takes. */

/** About four UTF-8 bytes make a token in the tokenizers of today's agents; an estimate, and shown as one. */
const BYTES_PER_TOKEN = 4;

/** Tokens, rounded up to the next ten so that it does not look exact. */
export function promptTokens(prompt: string): number {
  const bytes = new TextEncoder().encode(prompt).length;
  return Math.ceil(bytes / BYTES_PER_TOKEN / 10) * 10;
}
