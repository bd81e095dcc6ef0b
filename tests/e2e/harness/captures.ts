/** How often pages are captured: an extension's own pages hear what its scripts in pages send to the background. */
import type { World } from './world.ts';

/** Counts the captures from now on, as their first pieces come. Returns what tells how many there were. */
export async function countCaptures(world: World): Promise<() => Promise<number>> {
  const { page } = await world.panel();
  const seen = await page.evaluateHandle(() => {
    type Message = { type?: unknown; payload?: { at?: unknown } } | null;
    type Api = { runtime: { onMessage: { addListener(listen: (message: Message) => void): void } } };
    const scope = globalThis as unknown as { browser?: Api; chrome?: Api };
    const seen = { captures: 0 };
    (scope.browser ?? scope.chrome)?.runtime.onMessage.addListener((message) => {
      if (message?.type === 'capture_piece' && message.payload?.at === 0) seen.captures += 1;
    });
    return seen;
  });
  return () => seen.evaluate(({ captures }) => captures);
}
