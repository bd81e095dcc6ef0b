/** The conversation that the panel shows: which, what is in it, and what a person does. No markup. */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { untilAnswered } from '../../ask-again';
import { newId } from '../../new-id';
import type { ChatContext, ChatMessage, ChatState, ChatSummary } from '../../state/chat';
import type { Connection } from '../../state/connection';
import { unansweredOf } from '../../unanswered';
import type { Clipboard } from '../notices/clipboard';
import type { Notices } from '../notices/notices';
import type { Clock } from '../platform/clock';
import type { Platform } from '../platform/platform';
import { pageAddress } from '../tab/page-address';
import type { WatchedTab } from '../tab/tab';
import { Blocks } from './blocks';
import { draftOf, keepDraft } from './drafts';
import { announced } from './words';

/** An answer while it comes. */
interface Growing {
  blocks: Blocks;
  shown: Signal<readonly string[]>;
  parts: number;
  /** Came since the last frame. */
  fresh: string;
}

/** A line to the background that broke is tried again after this long, milliseconds. */
const RETRY_AFTER = 500;

/** What a chat's state is made of. */
export interface ChatParts {
  platform: Platform;
  tab: WatchedTab;
  notices: Notices;
  clock: Clock;
  clipboard: Clipboard;
  /** Whether the person can see the conversation. */
  isLookedAt: ReadonlySignal<boolean>;
  /** Tells a screen reader. */
  announce: (text: string) => void;
}

export class Chat {
  readonly clock: Clock;
  readonly clipboard: Clipboard;
  /** Of the tab that is shown, once it is known. */
  readonly connection: ReadonlySignal<Connection | undefined>;
  readonly state = signal<ChatState | null>(null);
  /** The person has chosen another than the tab's own. */
  readonly chosen = signal<string | null>(null);
  readonly draft = signal('');
  readonly sending = signal(false);
  /** The end of the conversation is on the screen, not below the fold. */
  readonly atEnd = signal(true);
  /** The selection that the next message is about; `null`: the page as a whole; absent: the latest. */
  readonly choice = signal<string | null | undefined>(undefined);
  readonly list: ReadonlySignal<readonly ChatSummary[]>;
  /** The session of the tab that is shown. */
  readonly ownId: ReadonlySignal<string | undefined>;
  readonly sessionId: ReadonlySignal<string | undefined>;
  readonly summary: ReadonlySignal<ChatSummary | undefined>;
  readonly unread: ReadonlySignal<number>;
  /** The latest selection on this page, unless the person wants to speak of the page as a whole. */
  readonly about: ReadonlySignal<ChatContext | undefined>;
  /** What the person said and nobody has answered yet. */
  readonly unanswered: ReadonlySignal<readonly ChatMessage[]>;

  readonly #platform: Platform;
  readonly #notices: Notices;
  readonly #announce: (text: string) => void;
  readonly #growing = new Map<string, Growing>();
  readonly #pictures = new Map<string, Promise<string | null>>();
  #frame: number | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #endWatch = () => {};
  /** What was sent and not heard to have arrived. */
  #unsent: { id: string; sessionId: string; text: string } | undefined;
  readonly #stops: (() => void)[];

  constructor({ platform, tab, notices, clock, clipboard, isLookedAt, announce }: ChatParts) {
    this.#platform = platform;
    this.#notices = notices;
    this.#announce = announce;
    this.clock = clock;
    this.clipboard = clipboard;
    this.connection = computed(() => tab.state.value?.connection);
    this.list = computed(() => tab.state.value?.chats ?? []);
    this.ownId = computed(() => tab.state.value?.sessionId);
    this.sessionId = computed(() =>
      this.list.value.some(({ sessionId }) => sessionId === this.chosen.value)
        ? (this.chosen.value ?? undefined)
        : this.ownId.value,
    );
    this.summary = computed(() =>
      this.list.value.find(({ sessionId }) => sessionId === this.sessionId.value),
    );
    this.unread = computed(() => this.list.value.reduce((sum, { unread }) => sum + unread, 0));
    this.about = computed(() => {
      const choice = this.choice.value;
      const contexts = this.state.value?.contexts ?? [];
      if (choice === null) return undefined;
      if (choice !== undefined) return contexts.find(({ id }) => id === choice);
      // What was pointed at on another page is not what the next words are about.
      const { pathname } = pageAddress(this.summary.value?.url ?? '');
      return contexts.findLast(
        ({ targets, page }) => targets.length > 0 && pageAddress(page.url).pathname === pathname,
      );
    });
    this.unanswered = computed(() => {
      const all = unansweredOf(this.state.value?.messages ?? []);
      return all.filter(({ delivery, isStopped }) => delivery !== 'refused' && !isStopped);
    });
    this.#stops = [
      effect(() => this.#watch(this.sessionId.value)),
      effect(() => {
        const { sessionId, unread = 0 } = this.summary.value ?? {};
        if (sessionId === undefined || unread === 0 || !isLookedAt.value || !this.atEnd.value) return;
        this.#platform.ask('read_chat', { sessionId }).catch(() => {
          // The next change tries again.
        });
      }),
    ];
  }

  /** An answer in blocks; those of one that still comes change with every frame at most. */
  blocks(messageId: string): ReadonlySignal<readonly string[]> | undefined {
    return this.#growing.get(messageId)?.shown;
  }

  /** data: URL of a selection's picture, asked for once. */
  picture(contextId: string): Promise<string | null> {
    const known = this.#pictures.get(contextId);
    if (known) return known;
    const asked = this.#platform.ask('get_context_picture', { contextId }).catch(() => null);
    this.#pictures.set(contextId, asked);
    return asked;
  }

  write(text: string): void {
    this.draft.value = text;
    // Written anew, the same words are another message.
    if (text !== this.#unsent?.text) this.#unsent = undefined;
    const sessionId = this.sessionId.peek();
    if (sessionId !== undefined) keepDraft(sessionId, text);
  }

  async send(): Promise<void> {
    const sessionId = this.sessionId.peek();
    const text = this.draft.peek();
    if (sessionId === undefined || this.sending.peek() || !text.trim()) return;
    this.sending.value = true;
    const contextId = this.about.peek()?.id;
    try {
      // The same text that was not heard to be sent is the same message.
      if (this.#unsent?.text !== text || this.#unsent.sessionId !== sessionId)
        this.#unsent = { id: newId('m_'), sessionId, text };
      const message = { ...this.#unsent, ...(contextId === undefined ? {} : { contextId }) };
      await untilAnswered(() => this.#platform.ask('send_message', message));
      this.#unsent = undefined;
      keepDraft(sessionId, '');
      // What was typed meanwhile is of the next message.
      if (this.sessionId.peek() === sessionId && this.draft.peek() === text) this.draft.value = '';
    } catch (error) {
      this.#notices.failed(error);
    } finally {
      this.sending.value = false;
    }
  }

  retry(messageId: string): Promise<void> {
    return this.#try(() => this.#platform.ask('retry_message', { messageId }));
  }

  discard(messageId: string): Promise<void> {
    return this.#try(() => this.#platform.ask('discard_message', { messageId }));
  }

  stop(): Promise<void> {
    const sessionId = this.sessionId.peek();
    return sessionId === undefined
      ? Promise.resolve()
      : this.#try(() => this.#platform.ask('stop_waiting', { sessionId }));
  }

  point(annotationId: string): Promise<void> {
    const tabId = this.summary.peek()?.tabId;
    return tabId === undefined
      ? Promise.resolve()
      : this.#try(() => this.#platform.ask('point_for_annotation', { tabId, annotationId }));
  }

  decline(annotationId: string): Promise<void> {
    const tabId = this.summary.peek()?.tabId;
    return tabId === undefined
      ? Promise.resolve()
      : this.#try(() => this.#platform.ask('decline_annotation', { tabId, annotationId }));
  }

  /** Opens a link of an answer in a new tab. */
  readonly openLink = (url: string): void => this.#platform.openLink(url);

  end(): void {
    for (const stop of this.#stops) stop();
    this.#leave();
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#notices.failed(error);
    }
  }

  #leave(): void {
    clearTimeout(this.#retry);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#growing.clear();
    this.#endWatch();
    this.#endWatch = () => {};
  }

  #watch(sessionId: string | undefined): void {
    this.#leave();
    batch(() => {
      this.state.value = null;
      this.choice.value = undefined;
      this.draft.value = sessionId === undefined ? '' : draftOf(sessionId);
    });
    if (sessionId !== undefined) this.#connect(sessionId);
  }

  #connect(sessionId: string): void {
    this.#endWatch = this.#platform.watchChat(sessionId, {
      onChat: (chat) => {
        if (chat.sessionId === sessionId) this.#hear(chat);
      },
      onText: (messageId, text, parts) => this.#grow(messageId, text, parts),
      // What is shown stays; the background that is woken tells everything again.
      onLost: () => {
        this.#endWatch();
        this.#endWatch = () => {};
        this.#retry = setTimeout(() => this.#connect(sessionId), RETRY_AFTER);
      },
    });
  }

  #hear(chat: ChatState): void {
    const before = this.state.peek();
    const latest = before?.contexts.at(-1)?.id;
    batch(() => {
      for (const message of chat.messages) this.#hold(message);
      this.state.value = chat;
      // Something new was pointed at: that is what it is about now.
      if (before && latest !== chat.contexts.at(-1)?.id) this.choice.value = undefined;
    });
    if (before) {
      const told = announced(before.messages, chat.messages);
      if (told) this.#announce(told);
    }
  }

  /** Keeps an answer that still comes in blocks; one that is complete needs none. */
  #hold(message: ChatMessage): void {
    if (message.isComplete || message.role === 'user') {
      this.#growing.delete(message.id);
      return;
    }
    const known = this.#growing.get(message.id);
    const had = known ? known.blocks.length + known.fresh.length : 0;
    if (known && message.parts === known.parts && message.content.length === had) return;
    const blocks = new Blocks();
    blocks.push(message.content);
    const shown = known?.shown ?? signal<readonly string[]>([]);
    shown.value = blocks.all;
    this.#growing.set(message.id, { blocks, shown, parts: message.parts, fresh: '' });
  }

  #grow(messageId: string, text: string, parts: number): void {
    const growing = this.#growing.get(messageId);
    // Of a message that is not known yet the whole comes next.
    if (!growing || parts <= growing.parts) return;
    growing.parts = parts;
    growing.fresh += text;
    this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = undefined;
    batch(() => {
      for (const growing of this.#growing.values()) {
        if (!growing.fresh) continue;
        growing.blocks.push(growing.fresh);
        growing.fresh = '';
        growing.shown.value = growing.blocks.all;
      }
    });
  }
}
