/** All that the panel needs of the browser around it, so that everything else runs without one. */
import type { ReadonlySignal } from '@preact/signals';
import type { Answer, Payload, Type } from '../../messages';
import type { Shortcuts } from '../../shortcuts';
import type { ApprovalsState } from '../../state/approvals';
import type { ChatState } from '../../state/chat';
import type { AskedView, Sight } from '../../state/ports';
import type { TabState } from '../../state/tab';

/** Is called with what happens on the line to the background. */
export interface Watcher {
  /** The tab's state, at first and at every change. */
  onState(state: TabState): void;
  /** The person wants to see this view here. */
  onShow(view: AskedView): void;
  /** The line broke (the background restarts, or the extension was reloaded). */
  onLost(): void;
}

/** Is called with what happens in one conversation. */
export interface ChatWatcher {
  /** All of it, at first and at every change. */
  onChat(chat: ChatState): void;
  /** An answer grew: what is new of it, and how many parts it has with that. */
  onText(messageId: string, text: string, parts: number): void;
  onLost(): void;
}

/** Is called with what happens to what waits for the person's yes or no. */
export interface ApprovalsWatcher {
  /** All of it, at first and at every change. */
  onApprovals(state: ApprovalsState): void;
  /** The person wants to see it here. */
  onShow(): void;
  onLost(): void;
}

export interface Platform {
  /**
   * Asks the background. Rejects with an `Error` whose message is a sentence that says what to do next, `Unanswered`
   * when the background ended meanwhile.
   */
  ask<T extends Type<'panel'>>(type: T, payload: Payload<'panel', T>): Promise<Answer<'panel', T>>;
  /** Watches one tab until the returned function is called. `sight`: what the person can see in the panel. */
  watch(tabId: number, sight: ReadonlySignal<Sight>, watcher: Watcher): () => void;
  /** Watches one conversation until the returned function is called. */
  watchChat(sessionId: string, watcher: ChatWatcher): () => void;
  /**
   * Watches what waits for the person's yes or no until the returned function is called. `tabId`: the tab that the
   * panel shows.
   */
  watchApprovals(tabId: ReadonlySignal<number | null>, watcher: ApprovalsWatcher): () => void;
  /** Whether the system's notifications are allowed. */
  notificationsAllowed(): Promise<boolean>;
  /** Asks the person to allow them. Must be called within a click. Resolves to their answer. */
  allowNotifications(): Promise<boolean>;
  /**
   * Tells which tab to show, now and whenever it changes; `null` when that tab is closed.
   * Returns what ends it.
   */
  followTab(onTab: (tabId: number | null) => void): () => void;
  /** Puts text on the clipboard; rejects when the browser refuses. */
  copy(text: string): Promise<void>;
  /** Saves a file where the browser puts downloads. */
  download(name: string, text: string): void;
  /** The person's keys, as the browser has them now. */
  shortcuts(): Promise<Shortcuts>;
  /** Where the person sets them, in the browser's own words. */
  readonly shortcutSettings: string;
  /** Takes the person there. Must be called within a click. */
  openShortcutSettings(): Promise<void>;
  /** Asks the person to allow the sites of these addresses. Must be called within a click. Resolves to their answer. */
  allowSites(urls: readonly string[]): Promise<boolean>;
  /** Whether local dev servers are allowed: Firefox lets people withhold what the manifest asks for. */
  localSitesAllowed(): Promise<boolean>;
  /** Asks the person to allow local dev servers. Must be called within a click. Resolves to their answer. */
  allowLocalSites(): Promise<boolean>;
  /** Opens a link in a new tab. */
  openLink(url: string): void;
  /** Takes a tab to another page. */
  navigate(tabId: number, url: string): Promise<void>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
}
