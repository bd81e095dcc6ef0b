/**
 * Who may talk to a text field in a frame. The overlay tells the background a secret before it hands it to its frame, and the frame asks
 * here whether it is one: of this tab, and used once. A page knows none, so a frame of ours that it made serves nobody.
 */
import { isSecret } from '../field/protocol';
import type { Draft } from '../messages';
import { isDraft } from './decode';
import type { RawSender } from './sender';

/** Frames of one tab that may be about to be opened. */
const MOST_OF_TAB = 16;

export class FieldOffers {
  /** By tab; the oldest comes first. */
  readonly #open = new Map<number, Set<string>>();

  offer(tabId: number, secret: string): void {
    const ofTab = this.#open.get(tabId) ?? new Set<string>();
    this.#open.set(tabId, ofTab);
    ofTab.add(secret);
    const [oldest] = ofTab;
    if (ofTab.size > MOST_OF_TAB && oldest !== undefined) ofTab.delete(oldest);
  }

  /** Whether the overlay of this tab offered it; good for one time. */
  claim(tabId: number, secret: string): boolean {
    return this.#open.get(tabId)?.delete(secret) ?? false;
  }

  forget(tabId: number): void {
    this.#open.delete(tabId);
  }
}

export type FromFieldFrame =
  /** It asks whether the overlay of its tab offered this secret. */
  | { type: 'claim_field'; tabId: number; secret: string }
  /** What is being typed. A field says so only when its overlay's secret was right: the place is the overlay's word. */
  | { type: 'keep_text'; tabId: number; draft: Draft };

/** What a text field in a frame says. Undefined for every other sender and message. */
export function fieldMessageOf(
  sender: RawSender,
  message: unknown,
  extensionId: string,
  extensionRoot: string,
): FromFieldFrame | undefined {
  const tabId = sender.tab?.id;
  if (sender.id !== extensionId || tabId === undefined || sender.frameId === 0) return undefined;
  if (sender.url !== `${extensionRoot}field.html`) return undefined;
  const { type, payload } = (message ?? {}) as { type?: unknown; payload?: { secret?: unknown } };
  if (type === 'claim_field' && isSecret(payload?.secret)) return { type, tabId, secret: payload.secret };
  if (type === 'keep_text' && isDraft(payload) && payload.typed) return { type, tabId, draft: payload };
  return undefined;
}
