/** Which panels show what waits for the person's yes or no, and where the person wants to see it now. */
import type { ApprovalsState } from '../state/approvals';
import type { ApprovalsToPanel } from '../state/ports';

/** What is needed of a port to a panel. */
export interface ApprovalsPort {
  postMessage(message: ApprovalsToPanel): void;
}

/** A panel that the person opened for it is there by then, milliseconds. */
const OPENS_WITHIN = 15_000;

export class ApprovalPanels {
  #state: () => ApprovalsState;
  #now: () => number;
  #panels = new Map<ApprovalsPort, number | null>();
  /** Where it is wanted, by a panel that has not come yet. `undefined`: in whichever comes. */
  #wanted: { tabId: number | undefined; at: number } | undefined;

  constructor(state: () => ApprovalsState, now = () => Date.now()) {
    this.#state = state;
    this.#now = now;
  }

  /** A panel beside this tab, or that shows it, wants to know from now on. */
  watch(port: ApprovalsPort, tabId: number | null): void {
    const isNew = !this.#panels.has(port);
    this.#panels.set(port, tabId);
    if (isNew) this.#post(port, { type: 'approvals', state: this.#state() });
    const wanted = this.#wanted;
    if (!wanted || (wanted.tabId !== undefined && wanted.tabId !== tabId)) return;
    this.#wanted = undefined;
    if (this.#now() - wanted.at < OPENS_WITHIN) this.#post(port, { type: 'show' });
  }

  unwatch(port: ApprovalsPort): void {
    this.#panels.delete(port);
  }

  /** The person wants to see it in the panel of a tab, which may be about to open; without one in any. */
  show(tabId: number | undefined): void {
    const ports = [...this.#panels].filter(([, shown]) => tabId === undefined || shown === tabId);
    for (const [port] of ports) this.#post(port, { type: 'show' });
    this.#wanted = ports.length > 0 ? undefined : { tabId, at: this.#now() };
  }

  changed(): void {
    const state = this.#state();
    for (const port of this.#panels.keys()) this.#post(port, { type: 'approvals', state });
  }

  #post(port: ApprovalsPort, message: ApprovalsToPanel): void {
    try {
      port.postMessage(message);
    } catch {
      // It closes: its end is told in a moment.
    }
  }
}
