/** Keeps every view up to date: content scripts of the origin that changed, and panels that watch its tabs. */
import { browser } from 'wxt/browser';
import type { AgentLink } from '../generated/AgentLink';
import type { Comment } from '../generated/Comment';
import type { Offer } from '../generated/Offer';
import { NO_APPROVALS, type PageApprovals } from '../state/approvals';
import type { Connection, PairedHost } from '../state/connection';
import type { PageState, UnseenAnswers } from '../state/page';
import type { AskedView, BackgroundToPanel, Sight } from '../state/ports';
import type { TabState } from '../state/tab';
import type { Answered } from './answered';
import { chatList } from './chat-state';
import type { Comments } from './comments';
import type { Conversations } from './conversations';
import type { HiddenPins } from './hidden-pins';
import type { LinkState } from './link';
import { originOf } from './page-address';
import type { PageKeys } from './page-keys';
import { isAllowed } from './permissions';
import type { Picking } from './picking';
import { canRetry, textOf } from './problems';
import type { RoundTrips } from './round-trips';
import type { SeenStates } from './seen-states';
import type { Sessions } from './sessions';
import { tell } from './tell-page';
import { showAnswers } from './toolbar';

/** What a view needs of a port to a panel. */
export interface PanelPort {
  postMessage(message: BackgroundToPanel): void;
}

export interface ViewsOptions {
  comments: Comments;
  pages: Pick<PageKeys, 'pathOf' | 'seenFrom'>;
  conversations: Pick<Conversations, 'list' | 'annotations'>;
  sessions: Sessions;
  picking: Picking;
  /** Absent: none are. */
  hiddenPins?: Pick<HiddenPins, 'of'>;
  link: () => LinkState;
  /** The hub's version, once it said hello. */
  hubVersion: () => string | undefined;
  ownVersion: string;
  roundTrips: Pick<RoundTrips, 'isLate' | 'page'>;
  paired: () => PairedHost | undefined;
  agents: () => AgentLink[];
  /** Comments that agents answered and nobody has seen. */
  answered?: Pick<Answered, 'of' | 'isNew'>;
  /** What waits for the person's yes or no in a project. */
  approvals?: (root: string) => PageApprovals;
  /** What may have changed, by what a tab sees. */
  seenStates?: Pick<SeenStates, 'over'>;
  /** What cannot be read, in sentences. */
  unreadable?: () => string[];
  /** What the hub offers to a session's project. */
  offers?: (sessionId: string) => Offer[];
}

/** A panel that the person opened to see something is there by then, milliseconds. */
const OPENS_WITHIN = 15_000;
/** A panel has said by then that what came was on its screen, milliseconds. */
const SEEN_WITHIN = 500;

const NOTHING_OUTSTANDING: Awaited<ReturnType<Comments['outstanding']>> = { waiting: 0, problems: [] };

export class Views {
  #options: ViewsOptions;
  #panels = new Map<PanelPort, { tabId: number; sight: Sight }>();
  /** What the person opened a panel for that has not come yet. */
  #wanted: { tabId: number; view: AskedView; at: number } | undefined;
  /** Tabs whose views changed since they were last read; and those whose views are being read, one after the other. */
  #due = new Set<number>();
  #reading = new Set<number>();
  /** What each page was told last, in short: an idle page is not woken for what it knows. */
  #told = new Map<
    number,
    Record<'comments' | 'connection' | 'annotations' | 'answers' | 'approvals' | 'pinsHidden', string>
  >();

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  /** A panel shows this tab from now on, and of it what the person can see there. */
  watch(port: PanelPort, tabId: number, sight: Sight): void {
    this.#panels.set(port, { tabId, sight });
    const wanted = this.#wanted;
    if (wanted?.tabId === tabId && sight !== 'nothing') {
      this.#wanted = undefined;
      if (Date.now() - wanted.at < OPENS_WITHIN) port.postMessage({ type: 'show_view', view: wanted.view });
    }
    this.changedTab(tabId);
  }

  /** The person wants to see this in the panel of a tab, which may be about to open. */
  show(tabId: number, view: AskedView): void {
    for (const [port, shown] of this.#panels) {
      if (shown.tabId === tabId) port.postMessage({ type: 'show_view', view });
    }
    // One that nobody sees, as in a tab in the background, is not the one that opens.
    this.#wanted = this.isSeen(tabId) ? undefined : { tabId, view, at: Date.now() };
  }

  /** Whether a panel of the tab is before the person's eyes. */
  isSeen(tabId: number): boolean {
    return [...this.#panels.values()].some((panel) => panel.tabId === tabId && panel.sight !== 'nothing');
  }

  /** A panel is gone: what comes from now on shows elsewhere. */
  unwatch(port: PanelPort): void {
    const tabId = this.#panels.get(port)?.tabId;
    this.#panels.delete(port);
    if (tabId !== undefined) this.changedTab(tabId);
  }

  /** The tab's page is new, or has asked by itself: what it was told before says nothing. */
  forget(tabId: number): void {
    this.#told.delete(tabId);
  }

  /** Something else stood at the tab's button: it is told anew what agents answered. */
  answersAnew(tabId: number): void {
    const told = this.#told.get(tabId);
    if (told) told.answers = 'to be told';
    this.changedTab(tabId);
  }

  changedTab(tabId: number): void {
    this.#due.add(tabId);
    if (!this.#reading.has(tabId)) void this.#keepUp(tabId);
  }

  /** However many changes come, one read is under way: they come faster than it ends while an outbox is sent. */
  async #keepUp(tabId: number): Promise<void> {
    this.#reading.add(tabId);
    await undefined; // all changes of a moment are read at once
    while (this.#due.delete(tabId)) await this.#refresh(tabId);
    this.#reading.delete(tabId);
  }

  async changedOrigin(origin: string): Promise<void> {
    for (const session of await this.#options.sessions.all()) {
      if (session.origin === origin) this.changedTab(session.tabId);
    }
  }

  async changedAll(): Promise<void> {
    for (const session of await this.#options.sessions.all()) this.changedTab(session.tabId);
    for (const { tabId } of this.#panels.values()) this.changedTab(tabId);
  }

  /** Everything a view of a tab needs. Throws an Error when the tab is gone. */
  async stateOf(tabId: number): Promise<TabState> {
    const { comments, pages, conversations, sessions, picking } = this.#options;
    const tab = await browser.tabs.get(tabId).catch(() => undefined);
    if (!tab) throw new Error('This tab is closed.');
    const session = await sessions.of(tabId);
    // Without permission for the site the browser does not tell the address.
    const url = tab.url ?? session?.url ?? '';
    const origin = session?.origin ?? originOf(url);
    const all = origin === undefined ? [] : await comments.of(origin);
    const shown = origin === undefined ? [] : await pages.seenFrom(url, all, () => comments.pages(origin));
    const pictured = await comments.pictured();
    const chats = chatList(await conversations.list(), await sessions.all(), session);
    return {
      tabId,
      url,
      title: tab.title ?? session?.title ?? '',
      allowed: await isAllowed(url),
      picking: await picking.of(tabId),
      pinsHidden: (await this.#options.hiddenPins?.of(tabId)) ?? false,
      comments: shown,
      pictures: shown.flatMap(({ id }) => (pictured.has(id) ? [id] : [])),
      offers: session ? (this.#options.offers?.(session.id) ?? []) : [],
      otherProjects: origin === undefined ? [] : await comments.elsewhere(origin),
      ...(session ? { sessionId: session.id } : {}),
      chats,
      annotations: session ? await conversations.annotations(session.id) : [],
      answers: await this.#answersOf(
        tabId,
        shown,
        chats.find((one) => one.sessionId === session?.id)?.unread,
      ),
      approvals: (session?.project && this.#options.approvals?.(session.project.root)) ?? NO_APPROVALS,
      connection: await this.connectionOf(tabId),
    };
  }

  /** Of the conversation the page is told only while no panel is in sight: there the chat's tab says it. */
  async #answersOf(tabId: number, shown: readonly Comment[], unread = 0): Promise<UnseenAnswers> {
    const comments = (await this.#options.answered?.of(shown)) ?? [];
    return { chat: this.isSeen(tabId) ? 0 : unread, comments };
  }

  /**
   * Those of them that the page is told of. What a panel before the person's eyes lists, that panel may be about to say
   * to be seen: the page waits a moment, or a note would come and go.
   */
  #forPage({ tabId, url, comments, answers }: TabState): UnseenAnswers {
    const { answered, pages } = this.#options;
    const panels = [...this.#panels.values()].filter((panel) => panel.tabId === tabId);
    const sights = new Set(panels.map(({ sight }) => sight));
    const here = pages.pathOf(url);
    const isListed = ({ pathname }: Comment) =>
      sights.has('origin') || (sights.has('page') && pathname === here);
    const listed = new Set(comments.filter(isListed).map(({ id }) => id));
    const isAwaited = (id: string) => listed.has(id) && (answered?.isNew(id, SEEN_WITHIN) ?? false);
    const told = answers.comments.filter((id) => !isAwaited(id));
    if (told.length < answers.comments.length) setTimeout(() => this.changedTab(tabId), SEEN_WITHIN);
    return { ...answers, comments: told };
  }

  /** How a tab's way to its agents stands; without a tab only what holds for all. */
  async connectionOf(tabId: number | undefined): Promise<Connection> {
    const { comments, sessions, link, agents, paired, hubVersion, ownVersion, roundTrips } = this.#options;
    const { hub, detail, obstacle, way } = link();
    const version = hubVersion();
    const host = paired();
    const session = tabId === undefined ? undefined : await sessions.of(tabId);
    const outstanding = session ? await comments.outstanding(session.origin) : NOTHING_OUTSTANDING;
    const connected = hub === 'connected';
    const project = connected ? session?.project : undefined;
    return {
      hub: connected && roundTrips.isLate ? 'silent' : hub,
      hubDetail: detail,
      ...(obstacle ? { hubObstacle: obstacle } : {}),
      ...(connected && version !== undefined ? { hubVersion: version } : {}),
      ownVersion,
      page: tabId === undefined ? 'unknown' : roundTrips.page(tabId),
      ...(way ? { way } : {}),
      ...(host ? { paired: host } : {}),
      agents: project ? agents().filter((agent) => agent.project.root === project.root) : [],
      elsewhere: project ? agents().filter((agent) => agent.project.root !== project.root) : [],
      ...(project ? { project } : {}),
      projectReason: connected ? (session?.reason ?? '') : '',
      choices: connected ? (session?.choices ?? []) : [],
      waiting: outstanding.waiting,
      ...(outstanding.delayed === undefined ? {} : { delayed: outstanding.delayed }),
      problems: outstanding.problems.map((problem) => ({
        seq: problem.seq,
        sentence: problem.sentence,
        text: textOf(problem),
        canRetry: canRetry(problem),
      })),
      unreadable: this.#options.unreadable?.() ?? [],
    };
  }

  async #tell(
    tabId: number,
    { comments, connection, annotations, answers, approvals, pinsHidden }: Omit<PageState, 'showsEmbedded'>,
  ): Promise<void> {
    const before = this.#told.get(tabId);
    const now = {
      comments: comments.map(versionOf).join(' '),
      connection: JSON.stringify(connection),
      annotations: annotations.map(({ annotationId }) => annotationId).join(' '),
      answers: [answers.chat, ...answers.comments].join(' '),
      approvals: JSON.stringify(approvals),
      pinsHidden: String(pinsHidden),
    };
    this.#told.set(tabId, now);
    // All at once: sent only after the page's answer, something older would follow what is told meanwhile.
    const telling: Promise<boolean>[] = [];
    if (before?.comments !== now.comments)
      telling.push(tell(tabId, { type: 'comments', payload: { comments } }));
    if (before?.connection !== now.connection)
      telling.push(tell(tabId, { type: 'connection', payload: { connection } }));
    if (before?.annotations !== now.annotations)
      telling.push(tell(tabId, { type: 'annotations', payload: { annotations } }));
    if (before?.approvals !== now.approvals)
      telling.push(tell(tabId, { type: 'approvals', payload: { approvals } }));
    if (before?.pinsHidden !== now.pinsHidden)
      telling.push(tell(tabId, { type: 'pins_hidden', payload: { hidden: pinsHidden } }));
    if (before?.answers !== now.answers) {
      telling.push(tell(tabId, { type: 'answers', payload: { answers } }));
      void showAnswers(tabId, answers.chat + answers.comments.length);
    }
    if ((await Promise.all(telling)).includes(false)) this.forget(tabId);
  }

  /** Never rejects, and waits for no page: one may hang. */
  async #refresh(tabId: number): Promise<void> {
    try {
      const state = await this.stateOf(tabId);
      // The page knows what it sees; its panel is to say the same.
      const comments = (await this.#options.seenStates?.over(tabId, state.comments)) ?? state.comments;
      for (const [port, watched] of this.#panels) {
        if (watched.tabId === tabId) port.postMessage({ type: 'tab_state', state: { ...state, comments } });
      }
      // The tab may have gone to another site while that was read: then it is not for the page that is there now.
      const session = await this.#options.sessions.of(tabId);
      if (!state.allowed || session === undefined || session.id !== state.sessionId) return;
      this.#tell(tabId, pageStateOf({ ...state, answers: this.#forPage(state) })).catch(() =>
        this.forget(tabId),
      );
    } catch {
      this.forget(tabId);
      // The tab or the panel went away meanwhile: there is nobody to tell.
    }
  }
}

const versionOf = ({ id, number, revision, updatedAt, status, deletedAt, pathname }: Comment) =>
  [id, number, revision, updatedAt, status, deletedAt, pathname].join();

/** What of it is for the page's own script: nothing of other tabs, of agents, of this machine's folders. */
export function pageStateOf({
  comments,
  picking,
  pinsHidden,
  annotations,
  answers,
  approvals,
  connection,
}: TabState): Omit<PageState, 'showsEmbedded'> {
  const { hub, project } = connection;
  return {
    comments,
    picking,
    pinsHidden,
    annotations,
    answers,
    approvals,
    connection: {
      isConnected: hub === 'connected',
      ...(project ? { project: project.name } : {}),
    },
  };
}
