/** The panel's state and actions in one place, without any markup. */

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { REDACTED, redactUrl } from '../capture/redact';
import { commentNumbers } from '../design/comment-number';
import type { Comment } from '../generated/Comment';
import type { Shortcuts } from '../shortcuts';
import type { Sight } from '../state/ports';
import { Chat } from './chat/chat';
import { CommentActions } from './comments/comment-actions';
import { Editor } from './comments/editor';
import { Exchange } from './comments/exchange';
import { countByFilter, type Filter, grouped, inScope, matching, type Scope } from './comments/list';
import { news } from './comments/news';
import { adviceKey } from './connection/lights';
import { lingering } from './connection/lingering';
import { Pairing } from './connection/pairing';
import { Heartbeat } from './heartbeat';
import { Messages } from './messages';
import { pageAddress, sameOrigin } from './page-address';
import type { Platform } from './platform';
import { WatchedTab } from './tab';
import { UndoStack } from './undo';

/** Remembers which advice the person has read and wants the room of. */
const FOLDED = 'opentoolbar.panel.advice-folded';
/** Remembers which view the person was in. */
const VIEW = 'opentoolbar.panel.view';
/** What waits for less is on its way: a page reports what it saw, or a comment was just written. Milliseconds. */
const WAITS_LONG_AFTER = 2_000;
/** `2 min ago` need not be more exact. */
const TICK = 20_000;

/** What the panel can show below its frame. */
export type View = 'comments' | 'chat';

export class Workbench {
  readonly messages = new Messages();
  readonly tab: WatchedTab;
  readonly actions: CommentActions;
  readonly editor: Editor;
  readonly exchange: Exchange;
  readonly chat: Chat;
  readonly pairing: Pairing;

  readonly view = signal<View>(localStorage.getItem(VIEW) === 'chat' ? 'chat' : 'comments');
  /** Whether anybody can see the panel. */
  readonly visible = signal(document.visibilityState !== 'hidden');
  readonly scope = signal<Scope>('page');
  readonly filter = signal<Filter>('all');
  readonly search = signal('');
  readonly now = signal(0);
  readonly helpOpen = signal(false);
  /** Null until the browser has told them. */
  readonly shortcuts = signal<Shortcuts | null>(null);
  /** Local dev servers are not allowed, although the extension is made for them. */
  readonly localWithheld = signal(false);
  readonly #foldedAdvice = signal(localStorage.getItem(FOLDED) ?? '');
  readonly #advice = computed(() => {
    const connection = this.tab.state.value?.connection;
    return connection ? adviceKey(connection, this.now.value) : '';
  });
  /** The person has read what to do about the connection and wants the room. What is to be done anew is shown again. */
  readonly adviceFolded = computed(
    () => this.#advice.value !== '' && this.#foldedAdvice.value === this.#advice.value,
  );
  /** The person is choosing another project. */
  readonly choosingProject = signal(false);
  /** What a screen reader is told next. */
  readonly announcement = signal('');
  /** The comment that Tab reaches. */
  readonly current = signal<string | null>(null);
  /** The comment that takes the keyboard's focus as soon as it is drawn. */
  readonly wantsFocus = signal<string | null>(null);

  /** Redacted, as the addresses of comments are. */
  readonly address = computed(() => pageAddress(redactUrl(this.tab.state.value?.url ?? '')));
  readonly all = computed(() => this.tab.state.value?.comments ?? []);
  readonly numbers = computed(() => commentNumbers(this.all.value));
  readonly here = computed(() => inScope(this.all.value, this.scope.value, this.address.value.pathname));
  readonly counts = computed(() => countByFilter(this.here.value));
  readonly groups = computed(() =>
    grouped(matching(this.here.value, this.filter.value, this.search.value), this.address.value.pathname),
  );
  /** The comments in the order they are drawn. */
  readonly drawn = computed(() => this.groups.value.flatMap((group) => group.comments));
  readonly elsewhere = computed(
    () =>
      inScope(this.all.value, 'origin', '').length -
      inScope(this.all.value, 'page', this.address.value.pathname).length,
  );

  /** What the person can see: what agents answer there is seen. */
  readonly #sight = computed((): Sight => {
    if (!this.visible.value) return 'nothing';
    return this.view.value === 'chat' ? 'chat' : this.scope.value;
  });
  readonly #steps = new UndoStack();
  readonly #heartbeat: Heartbeat;
  readonly #ended = new AbortController();
  /** Changes wait for longer than it takes to send them. */
  readonly waitsLong: ReadonlySignal<boolean>;
  readonly #tick: ReturnType<typeof setInterval>;

  constructor(readonly platform: Platform) {
    this.now.value = platform.now();
    this.#tick = setInterval(() => {
      this.now.value = platform.now();
    }, TICK);
    this.tab = new WatchedTab(platform, this.#sight, (before, after) => {
      this.now.value = platform.now();
      if (before && before.tabId === after.tabId) {
        const told = news(before.comments, after.comments, commentNumbers(after.comments));
        if (told) this.announcement.value = told;
        this.actions.heard(after.comments);
      }
    });
    const waits = computed(() => (this.tab.state.value?.connection.waiting ?? 0) > 0);
    this.waitsLong = lingering(waits, WAITS_LONG_AFTER, this.#ended.signal);
    this.actions = new CommentActions(platform, this.tab, this.messages, this.#steps, (comment) =>
      this.nameOf(comment),
    );
    this.pairing = new Pairing(platform, this.messages, (text) => {
      this.announcement.value = text;
    });
    this.editor = new Editor(this.actions, (commentId) => this.focus(commentId));
    this.exchange = new Exchange(platform, this.tab, this.messages, () => this.scope.peek());
    this.chat = new Chat(
      platform,
      this.tab,
      this.messages,
      computed(() => this.view.value === 'chat' && this.visible.value),
      (text) => {
        this.announcement.value = text;
      },
    );
    this.#heartbeat = new Heartbeat(platform, this.tab, this.visible);
    document.addEventListener(
      'visibilitychange',
      () => {
        this.visible.value = document.visibilityState !== 'hidden';
      },
      { signal: this.#ended.signal },
    );
    // No browser tells every change of them: who comes back from its settings is shown what is set now.
    for (const [target, type] of [
      [window, 'focus'],
      [document, 'visibilitychange'],
    ] as const)
      target.addEventListener(type, () => this.#askShortcuts(), { signal: this.#ended.signal });
    this.#askShortcuts();
    platform.localSitesAllowed().then(
      (allowed) => {
        this.localWithheld.value = !allowed;
      },
      () => {
        // Then the panel says nothing of it; the page itself tells whether it is allowed.
      },
    );
  }

  #askShortcuts(): void {
    this.platform.shortcuts().then(
      (shortcuts) => {
        this.shortcuts.value = shortcuts;
      },
      () => {
        // Without its answer nothing is said of them.
      },
    );
  }

  show(view: View): void {
    this.view.value = view;
    localStorage.setItem(VIEW, view);
  }

  nameOf(comment: Comment): string {
    return `comment ${this.numbers.peek().get(comment.id) ?? ''}`;
  }

  focus(commentId: string | null): void {
    if (commentId !== null) this.current.value = commentId;
    this.wantsFocus.value = commentId;
  }

  /** Moves the focus by so many comments; to the first or last at the ends. */
  move(from: string, by: number): void {
    const drawn = this.drawn.peek();
    const at = drawn.findIndex(({ id }) => id === from);
    const to = drawn[Math.max(0, Math.min(drawn.length - 1, at + by))];
    if (to) this.focus(to.id);
  }

  /** Deletes, and leaves the focus on the next comment. */
  async delete(comment: Comment): Promise<void> {
    const drawn = this.drawn.peek();
    const at = drawn.findIndex(({ id }) => id === comment.id);
    const next = drawn[at + 1] ?? drawn[at - 1];
    if ((await this.actions.delete(comment)) && next) this.focus(next.id);
  }

  /** Shows the element in the page; when the comment is of another page of the site, goes there first. */
  jump(comment: Comment): Promise<void> {
    if (comment.pathname !== this.address.peek().pathname) {
      return this.#ask(async (tabId) => {
        if (!sameOrigin(comment.url, this.tab.state.peek()?.url ?? '')) {
          throw new Error(`This comment was made on ${comment.url}. Open that page to see its element.`);
        }
        if (comment.url.includes(REDACTED)) {
          throw new Error(
            "The address of this comment's page holds a secret that is not kept. Open that page yourself to see its element.",
          );
        }
        await this.platform.navigate(tabId, comment.url);
      });
    }
    return this.#ask((tabId) => this.platform.ask('jump_to', { tabId, commentId: comment.id }));
  }

  /** Lets the page settle what one of a comment's targets is: confirm it, point at it again, or choose among several. */
  settle(comment: Comment, at: number, act: 'confirm' | 'point' | 'choose'): Promise<void> {
    this.actions.repinning(comment);
    return this.#ask((tabId) => this.platform.ask('settle', { tabId, commentId: comment.id, at, act }));
  }

  togglePicking(): Promise<void> {
    const picking = !this.tab.state.peek()?.picking;
    return this.#ask((tabId) => this.platform.ask('set_picking', { tabId, picking }));
  }

  /** Of this tab, whatever page it shows. */
  togglePins(): Promise<void> {
    const hidden = !this.tab.state.peek()?.pinsHidden;
    return this.#ask((tabId) => this.platform.ask('set_pins_hidden', { tabId, hidden }));
  }

  foldAdvice(): void {
    this.#foldedAdvice.value = this.adviceFolded.peek() ? '' : this.#advice.peek();
    localStorage.setItem(FOLDED, this.#foldedAdvice.peek());
  }

  /** Sends a refused change again. */
  retryProblem(seq: number): Promise<void> {
    return this.#ask(() => this.platform.ask('retry_problem', { seq }));
  }

  /** The person wants a refused change no more. */
  discardProblem(seq: number): Promise<void> {
    return this.#ask(() => this.platform.ask('discard_problem', { seq }));
  }

  /** Tries at once to send what waits. */
  deliverNow(): Promise<void> {
    return this.#ask((tabId) => this.platform.ask('deliver_now', { tabId }));
  }

  /** The person has read what was refused. */
  dismissProblems(): Promise<void> {
    return this.#ask((tabId) => this.platform.ask('dismiss_problems', { tabId }));
  }

  /** Asks the host again whether it is there. */
  checkConnection(): Promise<void> {
    return this.#ask((tabId) => this.platform.ask('check_connection', { tabId, isByPerson: true }));
  }

  /** Puts opentoolbar's script into a page that lost it. */
  attachPage(): Promise<void> {
    return this.#ask((tabId) => this.platform.ask('attach_page', { tabId }));
  }

  reloadPage(): Promise<void> {
    return this.#ask((tabId) => this.platform.ask('reload_page', { tabId }));
  }

  /** Rejects with a sentence. */
  async setProject(root: string): Promise<void> {
    const state = this.tab.state.peek();
    if (state) await this.platform.ask('set_project', { tabId: state.tabId, root });
  }

  /** Takes over what is offered to the tab's project, or not. Rejects with a sentence. */
  async answerOffer(offerId: string, accept: boolean): Promise<void> {
    const state = this.tab.state.peek();
    if (!state) return;
    const taken = await this.platform.ask('answer_offer', { tabId: state.tabId, offerId, accept });
    const comments = taken.added === 1 ? '1 comment' : `${taken.added} comments`;
    const rest = taken.skipped > 0 ? ` ${taken.skipped} skipped: known already, or they can’t be read.` : '';
    this.messages.done(accept ? `Imported ${comments}.${rest}` : 'Left as it is. You won’t be asked again.');
  }

  /** Asks for local dev servers, which the person or the browser withholds. */
  async allowLocalSites(): Promise<void> {
    try {
      const allowed = await this.platform.allowLocalSites();
      this.localWithheld.value = !allowed;
      this.messages.done(allowed ? 'Allowed on local dev servers.' : 'Not allowed. Nothing was changed.');
    } catch (error) {
      this.messages.failed(error);
    }
  }

  /** Asks for the site of the page that is shown. */
  async allowSite(): Promise<void> {
    const url = this.tab.state.peek()?.url;
    if (url !== undefined) await this.allowSites([url]);
  }

  /** Asks for the site of these addresses, which is one. */
  async allowSites(urls: readonly string[]): Promise<void> {
    const site = pageAddress(urls[0] ?? '').host;
    try {
      if (await this.platform.allowSites(urls)) this.messages.done(`Allowed on ${site}.`);
      else this.messages.done('Not allowed. Nothing was changed.');
    } catch (error) {
      this.messages.failed(error);
    }
  }

  async copyText(text: string, what: string): Promise<void> {
    try {
      await this.platform.copy(text);
      this.messages.done(`Copied ${what}.`);
    } catch (error) {
      this.messages.failed(error);
    }
  }

  end(): void {
    clearInterval(this.#tick);
    this.#heartbeat.end();
    this.#ended.abort();
    this.chat.end();
    this.tab.end();
  }

  async #ask(work: (tabId: number) => Promise<unknown>): Promise<void> {
    const state = this.tab.state.peek();
    if (!state) return;
    try {
      await work(state.tabId);
    } catch (error) {
      this.messages.failed(error);
    }
  }
}
