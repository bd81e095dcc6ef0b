/**
 * Sessions: one for each tab on one origin, kept in `storage.session` so that a restart of the background keeps them.
 * Opens them at the hub, opens them again after a reconnect, and closes them when the tab leaves the origin or closes.
 */
import { browser } from 'wxt/browser';
import { redactedAddress, redactedBeginning } from '../capture/beginning';
import type { Answer } from '../generated/Answer';
import type { Project } from '../generated/Project';
import type { Request } from '../generated/Request';
import { fateOf, pauseAfter } from './fate';
import { newSessionId } from './ids';

export interface TabSession {
  id: string;
  tabId: number;
  origin: string;
  /** Redacted. */
  url: string;
  title: string;
  project?: Project;
  /** What decided the project, or why none is known. */
  reason: string;
  choices: Project[];
}

export interface SessionsOptions {
  /** Rejects when there is no link. */
  request: (request: Request) => Promise<Answer>;
  /** Removes what is secret from an address. */
  redact: (text: string) => string;
  /** A session's project or page changed. */
  changed: (tabId: number) => void;
  /** The hub knows the session now, with a project: its comments can be asked for. */
  opened: (session: TabSession, project: Project) => void;
  /** A tab closed or went to another origin: its session is over. */
  left?: (id: string) => void;
}

const KEY = 'sessions';
/** The protocol's limits, in bytes of UTF-8; cut by characters of at most 4 bytes. */
const MAX_TITLE = 1_000;

export class Sessions {
  #options: SessionsOptions;
  #byTab = new Map<number, TabSession>();
  /** Ids that this connection's hub knows. */
  #known = new Set<string>();
  /** Those that were opened though their tab is closed, because something was still to be said in them. */
  #tabless = new Set<string>();
  /** What is being done for a tab: one thing after the other, or two first visits would make two sessions. */
  #turns = new Map<number, Promise<unknown>>();
  /** How often in a row the hub could not open a session, and when that is asked again. */
  #inVain = new Map<string, { tries: number; timer: ReturnType<typeof setTimeout> }>();
  /** How often the hub of this connection did not know a session that it had opened. */
  #forgotten = new Map<string, number>();
  #loading: Promise<void>;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#loading = this.#load();
  }

  async #load(): Promise<void> {
    const stored = await browser.storage.session.get(KEY);
    const tabs = new Set((await browser.tabs.query({})).map((tab) => tab.id));
    for (const session of (stored[KEY] ?? []) as TabSession[]) {
      if (tabs.has(session.tabId)) this.#byTab.set(session.tabId, session);
    }
  }

  async #save(): Promise<void> {
    await browser.storage.session.set({ [KEY]: [...this.#byTab.values()] });
  }

  async of(tabId: number): Promise<TabSession | undefined> {
    await this.#loading;
    return this.#byTab.get(tabId);
  }

  async all(): Promise<TabSession[]> {
    await this.#loading;
    return [...this.#byTab.values()];
  }

  /** A content script reports its page. The session stays the same while the tab stays on the origin. */
  visit(tabId: number, url: string, title: string): Promise<TabSession> {
    return this.#inTurn(tabId, () => this.#visit(tabId, url, title));
  }

  async #visit(tabId: number, url: string, title: string): Promise<TabSession> {
    const { origin } = new URL(url);
    const { redact } = this.#options;
    // Redacted before it is cut: half a secret is not told from text.
    const page = { url: redactedAddress(url, redact), title: redactedBeginning(title, MAX_TITLE, redact) };
    const before = this.#byTab.get(tabId);
    if (before?.origin === origin) {
      const moved = before.url !== page.url || before.title !== page.title;
      const session = { ...before, ...page };
      this.#byTab.set(tabId, session);
      if (moved || !this.#known.has(session.id)) void this.#open(session);
      if (moved) await this.#save();
      return session;
    }
    const id = await newSessionId(tabId, origin, Date.now());
    const session = { id, tabId, origin, ...page, reason: '', choices: [] };
    this.#byTab.set(tabId, session);
    // Only now: an opening that this overtakes closes its session again when it is answered, as of a tab that has left.
    if (before) {
      void this.#close(before.id);
      this.#options.left?.(before.id);
    }
    await this.#save();
    void this.#open(session);
    return session;
  }

  /** The tab closed, or shows another origin. */
  leave(tabId: number): Promise<void> {
    return this.#inTurn(tabId, () => this.#leave(tabId));
  }

  /** Does `work` when everything that was begun for the tab before is done, and what is kept has been read. */
  async #inTurn<T>(tabId: number, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(tabId) ?? this.#loading;
    const turn = before.then(work, work);
    this.#turns.set(tabId, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(tabId) === turn) this.#turns.delete(tabId);
    }
  }

  async #leave(tabId: number): Promise<void> {
    const session = this.#byTab.get(tabId);
    if (!session) return;
    this.#byTab.delete(tabId);
    await this.#save();
    void this.#close(session.id);
    this.#options.left?.(session.id);
  }

  /** A new connection: the hub knows nothing of it yet. */
  async connected(): Promise<void> {
    await this.#loading;
    this.#known.clear();
    this.#tabless.clear();
    this.#forgotten.clear();
    await this.reopen();
  }

  /** Asks for the project of each tab's session again. */
  async reopen(): Promise<void> {
    await this.#loading;
    await Promise.all([...this.#byTab.values()].map((session) => this.#open(session)));
  }

  /** The hub told of a session's project. */
  async hear(id: string, project: Project | undefined, reason: string): Promise<void> {
    await this.#loading;
    const session = [...this.#byTab.values()].find((candidate) => candidate.id === id);
    if (session) await this.#learn(session, project, reason, project ? [] : session.choices);
  }

  /**
   * The hub does not know this session, or not any more: it is opened at the next need, and an open tab's soon in any
   * case.
   */
  forget(id: string): void {
    const isNews = this.#known.delete(id) || !this.#inVain.has(id);
    const live = [...this.#byTab.values()].find((session) => session.id === id);
    if (!live || !isNews) return;
    // A hub that forgets it each time is not asked for ever more.
    const times = (this.#forgotten.get(id) ?? 0) + 1;
    this.#forgotten.set(id, times);
    this.#openLater(live, times);
  }

  /**
   * A session by which the hub finds the project of a comment: the one named where its tab is open, else any open tab's
   * of the origin, else the one named, unopened: what is opened is a page to agents.
   */
  async ensure(id: string, origin: string): Promise<string> {
    await this.#loading;
    const here = [...this.#byTab.values()].filter((session) => session.origin === origin);
    const live = here.find((session) => session.id === id) ?? here[0];
    if (live && !this.#known.has(live.id)) await this.#open(live);
    return live?.id ?? id;
  }

  /** The session of an open tab of `origin` that is in this project. */
  async in(origin: string, root: string): Promise<string | undefined> {
    await this.#loading;
    const all = [...this.#byTab.values()];
    return all.find((session) => session.origin === origin && session.project?.root === root)?.id;
  }

  /**
   * Makes sure that the hub knows this session of this browser: an open tab's, or one that something is still to be
   * said in. Another browser's must never be given: its tab would be shut out.
   */
  async keep({ id, url, title }: { id: string; url: string; title: string }): Promise<void> {
    await this.#loading;
    if (this.#known.has(id)) return;
    const live = [...this.#byTab.values()].find((session) => session.id === id);
    if (live) {
      await this.#open(live);
      return;
    }
    await this.#openTabless({ id, url, title });
  }

  /** Closes the sessions of closed tabs in which nothing is awaited any more. */
  async tidy(isAwaited: (id: string) => Promise<boolean>): Promise<void> {
    for (const id of [...this.#tabless]) {
      if (await isAwaited(id)) continue;
      this.#tabless.delete(id);
      await this.#close(id);
    }
  }

  /** The session of an open tab. */
  async withId(id: string): Promise<TabSession | undefined> {
    await this.#loading;
    return [...this.#byTab.values()].find((session) => session.id === id);
  }

  async #openTabless(page: { id: string; url: string; title: string }): Promise<void> {
    const payload = { ...page, lastActive: Date.now() };
    const answer = await this.#options.request({ type: 'open_session', payload });
    if (answer.type !== 'session') return;
    this.#known.add(page.id);
    this.#tabless.add(page.id);
  }

  async #open(session: TabSession): Promise<void> {
    const { id, url, title } = session;
    let answer: Answer;
    try {
      answer = await this.#options.request({
        type: 'open_session',
        payload: { id, url, title, lastActive: Date.now() },
      });
    } catch {
      return; // no link: opened when there is one
    }
    if (!this.#isWanted(id)) {
      // Its tab left meanwhile, and what closed it may have overtaken this.
      await this.#close(id);
      return;
    }
    if (answer.type === 'session') {
      this.#known.add(id);
      clearTimeout(this.#inVain.get(id)?.timer);
      this.#inVain.delete(id);
      const { project, reason, choices } = answer.payload;
      await this.#learn(session, project, reason, choices);
    } else if (answer.type === 'error') {
      const { message, nextStep } = answer.payload;
      await this.#learn(session, undefined, `${message}. ${nextStep}`, []);
      // Whoever has it open may be gone in a while, as a connection of this browser's that broke without a word.
      if (fateOf(answer) === 'retry' || answer.payload.code === 'conflict')
        this.#openLater(session, (this.#inVain.get(id)?.tries ?? 0) + 1);
    }
  }

  /** A hub that is ill now may be well in a while. */
  #openLater({ id, tabId }: TabSession, tries: number): void {
    clearTimeout(this.#inVain.get(id)?.timer);
    const timer = setTimeout(() => {
      const now = this.#byTab.get(tabId);
      if (now?.id === id && !this.#known.has(id)) void this.#open(now);
      else this.#inVain.delete(id);
    }, pauseAfter(tries));
    this.#inVain.set(id, { tries, timer });
  }

  async #learn(
    session: TabSession,
    project: Project | undefined,
    reason: string,
    choices: Project[],
  ): Promise<void> {
    const now = this.#byTab.get(session.tabId);
    if (now?.id !== session.id) return;
    const { project: _, ...rest } = now;
    const learned = { ...rest, reason, choices, ...(project ? { project } : {}) };
    this.#byTab.set(session.tabId, learned);
    await this.#save();
    this.#options.changed(session.tabId);
    if (project) this.#options.opened(learned, project);
  }

  /** Whether an open tab has this session, or something is still to be said in it. */
  #isWanted(id: string): boolean {
    return this.#tabless.has(id) || [...this.#byTab.values()].some((session) => session.id === id);
  }

  /** Whether or not it is thought to be open: what the hub has open is a page to agents. */
  async #close(id: string, tries = 1): Promise<void> {
    this.#known.delete(id);
    const request: Request = { type: 'close_session', payload: { sessionId: id } };
    // Without a link the hub has closed it already.
    const answer = await this.#options.request(request).catch(() => undefined);
    if (!answer || fateOf(answer) !== 'retry') return;
    setTimeout(() => {
      if (!this.#isWanted(id)) void this.#close(id, tries + 1);
    }, pauseAfter(tries));
  }
}
