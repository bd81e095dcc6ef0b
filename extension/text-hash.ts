/**
 * A hash of a text for telling whether it is the same as before: 53 bits, not against those who look for another text
 * like it.
 */

/** Taken in parts, so that a long text holds nobody up. */
export class TextHash {
  private a = 0xdeadbeef;
  private b = 0x41c6ce57;

  /** Takes one UTF-16 unit. */
  add(code: number): void {
    this.a = Math.imul(this.a ^ code, 2654435761);
    this.b = Math.imul(this.b ^ code, 1597334677);
  }

  /** As 11 characters at most. */
  get value(): string {
    let { a, b } = this;
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
  }
}

export function hashOf(text: string): string {
  const hash = new TextHash();
  for (let at = 0; at < text.length; at++) hash.add(text.charCodeAt(at));
  return hash.value;
}
