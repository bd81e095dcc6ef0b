/**
 * On which sites the person wants pages of other sites to be seen in pictures. Kept for as long as the extension is
 * installed.
 */
import { browser } from 'wxt/browser';

const KEY = 'showsEmbedded';

export async function showsEmbedded(origin: string): Promise<boolean> {
  return (await origins()).has(origin);
}

export async function showEmbedded(origin: string, isShown: boolean): Promise<void> {
  const known = await origins();
  if (isShown) known.add(origin);
  else known.delete(origin);
  await browser.storage.local.set({ [KEY]: [...known] });
}

async function origins(): Promise<Set<string>> {
  const { [KEY]: stored } = await browser.storage.local.get(KEY);
  return new Set(Array.isArray(stored) ? stored.filter((origin) => typeof origin === 'string') : []);
}
