/**
 * The way from the page to host and agent, as far as the panel advises on it, and what a person does about it. No
 * markup.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { attempt } from '../notices/attempt';
import type { Clipboard } from '../notices/clipboard';
import type { Notices } from '../notices/notices';
import type { Clock } from '../platform/clock';
import type { Platform } from '../platform/platform';
import type { WatchedTab } from '../tab/tab';
import { adviceKey } from './lights';
import { lingering } from './lingering';
import type { Pairing } from './pairing/pairing';

/** Remembers which advice the person has read and wants the room of. */
const FOLDED = 'opentoolbar.panel.advice-folded';
/**
 * What waits for less is on its way: a page reports what it saw, or a comment was just written. Milliseconds.
 */
const WAITS_LONG_AFTER = 2_000;

/** What the state of the connection is made of. */
export interface HostLinkParts {
  platform: Platform;
  tab: WatchedTab;
  notices: Notices;
  clock: Clock;
  clipboard: Clipboard;
  pairing: Pairing;
  /** Whether the chat is the view that is shown. */
  isInChat: ReadonlySignal<boolean>;
}

export class HostLink {
  readonly tab: WatchedTab;
  readonly clock: Clock;
  readonly clipboard: Clipboard;
  readonly pairing: Pairing;
  readonly isInChat: ReadonlySignal<boolean>;
  /** The person is choosing another project. */
  readonly choosingProject = signal(false);
  /** Changes wait for longer than it takes to send them. */
  readonly waitsLong: ReadonlySignal<boolean>;
  /** The person has read what to do about the connection and wants the room. What is to be done anew is shown again. */
  readonly adviceFolded: ReadonlySignal<boolean>;
  readonly #platform: Platform;
  readonly #notices: Notices;
  readonly #foldedAdvice = signal(localStorage.getItem(FOLDED) ?? '');
  readonly #advice: ReadonlySignal<string>;

  constructor(
    { platform, tab, notices, clock, clipboard, pairing, isInChat }: HostLinkParts,
    ended: AbortSignal,
  ) {
    this.tab = tab;
    this.clock = clock;
    this.clipboard = clipboard;
    this.pairing = pairing;
    this.isInChat = isInChat;
    this.#platform = platform;
    this.#notices = notices;
    this.#advice = computed(() => {
      const connection = tab.state.value?.connection;
      return connection ? adviceKey(connection, clock.now.value) : '';
    });
    this.adviceFolded = computed(
      () => this.#advice.value !== '' && this.#foldedAdvice.value === this.#advice.value,
    );
    const waits = computed(() => (tab.state.value?.connection.waiting ?? 0) > 0);
    this.waitsLong = lingering(waits, WAITS_LONG_AFTER, ended);
  }

  foldAdvice(): void {
    this.#foldedAdvice.value = this.adviceFolded.peek() ? '' : this.#advice.peek();
    localStorage.setItem(FOLDED, this.#foldedAdvice.peek());
  }

  /** Sends a refused change again. */
  retryProblem(seq: number): Promise<void> {
    return this.#ask(() => this.#platform.ask('retry_problem', { seq }));
  }

  /** The person wants a refused change no more. */
  discardProblem(seq: number): Promise<void> {
    return this.#ask(() => this.#platform.ask('discard_problem', { seq }));
  }

  /** The person has read what was refused. */
  dismissProblems(): Promise<void> {
    return this.#ask((tabId) => this.#platform.ask('dismiss_problems', { tabId }));
  }

  /** Tries at once to send what waits. */
  deliverNow(): Promise<void> {
    return this.#ask((tabId) => this.#platform.ask('deliver_now', { tabId }));
  }

  /** Asks the host again whether it is there. */
  checkConnection(): Promise<void> {
    return this.#ask((tabId) => this.#platform.ask('check_connection', { tabId, isByPerson: true }));
  }

  /** Puts opentoolbar's script into a page that lost it. */
  attachPage(): Promise<void> {
    return this.#ask((tabId) => this.#platform.ask('attach_page', { tabId }));
  }

  reloadPage(): Promise<void> {
    return this.#ask((tabId) => this.#platform.ask('reload_page', { tabId }));
  }

  /** Rejects with a sentence. */
  async setProject(root: string): Promise<void> {
    const state = this.tab.state.peek();
    if (state) await this.#platform.ask('set_project', { tabId: state.tabId, root });
  }

  /** Takes over what is offered to the tab's project, or not. Rejects with a sentence. */
  async answerOffer(offerId: string, accept: boolean): Promise<void> {
    const state = this.tab.state.peek();
    if (!state) return;
    const taken = await this.#platform.ask('answer_offer', { tabId: state.tabId, offerId, accept });
    const comments = taken.added === 1 ? '1 comment' : `${taken.added} comments`;
    const rest = taken.skipped > 0 ? ` ${taken.skipped} skipped: known already, or they can’t be read.` : '';
    this.#notices.done(accept ? `Imported ${comments}.${rest}` : 'Left as it is. You won’t be asked again.');
  }

  #ask(work: (tabId: number) => Promise<unknown>): Promise<void> {
    return attempt(this.tab, this.#notices, work);
  }
}
