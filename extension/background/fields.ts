/**
 * Who may talk to a text field in a frame. The overlay tells the background a secret before it hands it to its frame,
 * and the frame asks here whether it is one: of this tab, and used once. A page knows none, so a frame of ours that
 * it made serves nobody.
 */

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
