/** How a scenario is played: how long it may take, and what one that fails leaves. */
import { after, describe, test } from 'node:test';
import { closeAfterTests } from './machine.ts';
import { inTime } from './until.ts';

/** What scenarios are played on. */
export interface Playable {
  /** Keeps what the browser shows and everyone said; says where. */
  save(name: string): Promise<string>;
  /** It goes on to the next scenario of this file. */
  handOn(): Promise<void>;
  /** After a scenario that failed: nothing of it may be there for the next one. */
  close(): Promise<void>;
}

/** Of a scenario, without its world's coming and going. */
const PLAY_MS = 200_000;
/** Of the runner, which ends what it ends without a word: longer, so that what hangs is told and taken away. */
export const TEST_MS = 300_000;

/** Plays a scenario. A failure, and one that comes to no end, leaves screenshots and logs. */
export async function playIn<On extends Playable>(
  on: On,
  name: string,
  play: (on: On) => Promise<void>,
): Promise<void> {
  try {
    await inTime('the end of the scenario', play(on), PLAY_MS);
  } catch (error) {
    // A browser that hangs shows nothing.
    const folder = await on.save(name).catch((why: unknown) => `nowhere (${String(why)})`);
    console.error(`${name}: what the browser showed and everyone said is in ${folder}`);
    throw error;
  }
}

/**
 * Scenarios one after the other on the same: each takes away what it brought. After one that failed the next gets one
 * of its own.
 */
export function playsInOne<On extends Playable>(
  subject: string,
  start: () => Promise<On>,
  plays: Record<string, (on: On) => Promise<void>>,
): void {
  closeAfterTests();
  describe(subject, () => {
    let kept: On | undefined;
    for (const [name, play] of Object.entries(plays)) {
      test(name, { timeout: TEST_MS }, async () => {
        const current = kept ?? (await start());
        kept = undefined;
        try {
          await playIn(current, `${subject}: ${name}`, play);
          kept = current;
        } finally {
          if (!kept) await current.close();
        }
      });
    }
    after(() => kept?.handOn());
  });
}
