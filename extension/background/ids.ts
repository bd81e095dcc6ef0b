/**
 * The id of a session: a hash of tab, origin and moment, with a random part, because two browsers on one machine
 * count their tabs alike.
 */
export async function newSessionId(tabId: number, origin: string, at: number): Promise<string> {
  const salt = crypto.getRandomValues(new Uint32Array(2)).join('.');
  const text = new TextEncoder().encode(`${tabId}\n${origin}\n${at}\n${salt}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return `s_${Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
