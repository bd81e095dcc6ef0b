/**
 * What each tab last saw of elements that may have changed: of which nothing tells whether their source did. It is that
 * tab's alone: shown in its panel, as its pins say it, and told to nobody else. Kept in `storage.session`, because the
 * background may restart meanwhile.
 */
import { browser } from 'wxt/browser';
import type { Comment } from '../generated/Comment';
import type { TargetState } from '../generated/TargetState';
import type { Finding } from '../state/looking';
import { hashOf } from '../text-hash';
import { causeOf, differs } from '../verdict/cause';

/** Of one comment. */
interface Seen {
  /** A hash of which elements it was about: a comment that was pinned anew is another one. */
  anchors: string;
  /** One for each target; null: what is stored holds. */
  states: (TargetState | null)[];
}
type ByComment = Record<string, Seen>;

export class SeenStates {
  /** By tab; read once from the storage. */
  readonly #tabs = new Map<number, Promise<ByComment>>();

  /** What a look at all comments of the tab's page found takes the place of the look before. Whether that is news. */
  async look(tabId: number, comments: readonly Comment[], findings: readonly Finding[][]): Promise<boolean> {
    const now: ByComment = {};
    for (const [at, comment] of comments.entries()) {
      const states = comment.targets.map(({ state }, place) =>
        toldHere(state, findings[at]?.[place], Date.now()),
      );
      if (states.some((state) => state !== null)) now[comment.id] = { anchors: anchorsOf(comment), states };
    }
    const before = await this.#of(tabId);
    if (said(now) === said(before)) return false;
    await this.#keep(tabId, now);
    return true;
  }

  /** The comments as this tab shows them. */
  async over(tabId: number, comments: readonly Comment[]): Promise<Comment[]> {
    const known = await this.#of(tabId);
    return comments.map((comment) => {
      const seen = known[comment.id];
      if (comment.status !== 'active' || seen?.anchors !== anchorsOf(comment)) return comment;
      const targets = comment.targets.map((target, at) => {
        const state = seen.states[at];
        return state ? { ...target, state } : target;
      });
      return { ...comment, targets };
    });
  }

  /** The tab's page is new, or the tab is closed. */
  async forget(tabId: number): Promise<void> {
    if (Object.keys(await this.#of(tabId)).length > 0) await this.#keep(tabId, {});
    this.#tabs.delete(tabId);
  }

  #of(tabId: number): Promise<ByComment> {
    const key = keyOf(tabId);
    const known =
      this.#tabs.get(tabId) ??
      browser.storage.session.get(key).then(
        (stored) => (stored[key] ?? {}) as ByComment,
        () => ({}),
      );
    this.#tabs.set(tabId, known);
    return known;
  }

  async #keep(tabId: number, seen: ByComment): Promise<void> {
    this.#tabs.set(tabId, Promise.resolve(seen));
    const isEmpty = Object.keys(seen).length === 0;
    const key = keyOf(tabId);
    const { session } = browser.storage;
    await (isEmpty ? session.remove(key) : session.set({ [key]: seen })).catch((failure: unknown) => {
      // Known for as long as this background lives.
      console.warn('opentoolbar: what may have changed is not kept:', failure);
    });
  }
}

/** What a finding says that is not told to everyone; null where there is nothing of that. */
function toldHere(
  stored: TargetState | undefined,
  finding: Finding | undefined,
  checkedAt: number,
): TargetState | null {
  if (!finding || 'unreadable' in finding) return null;
  const { verdict, cause } = finding;
  const isDifferent = differs(verdict.kind);
  // What was stored as unsure is known better by who sees the page.
  const wasUnsure = stored !== undefined && differs(stored.verdict) && causeOf(stored) === 'unknown';
  const isWell = !isDifferent || cause === 'state';
  if (!(isDifferent && cause === 'unknown') && !(wasUnsure && isWell)) return null;
  const { kind, confidence, diff, reason } = verdict;
  return { verdict: kind, confidence, diff, reason, cause, checkedAt };
}

/** When it was looked is no news. */
function said(seen: ByComment): string {
  return JSON.stringify(seen, (key, value) => (key === 'checkedAt' ? undefined : value));
}

const keyOf = (tabId: number) => `seen:${tabId}`;

function anchorsOf({ targets }: Comment): string {
  return hashOf(targets.map(({ anchor }) => anchor).join(' '));
}
