/** Puts the background's parts together: what each needs of the others is written here and nowhere else. */
import { browser } from 'wxt/browser';
import { redactedAddress } from '../capture/beginning';
import type { AgentLink } from '../generated/AgentLink';
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { EventEnvelope } from '../generated/EventEnvelope';
import type { Project } from '../generated/Project';
import { Answered } from './answered';
import { ApprovalPanels } from './approval-panels';
import { Approvals } from './approvals';
import { showWaiting } from './badge';
import { Captures } from './captures';
import { ChatViews } from './chat-views';
import { Comments } from './comments';
import { Conversations } from './conversations';
import { type Core, loadCore } from './core';
import { Drafts } from './drafts';
import { fateOf, pauseAfter } from './fate';
import { FieldOffers } from './fields';
import { Files } from './files';
import { hello } from './hello';
import { HiddenPins } from './hidden-pins';
import { KeptAnchors } from './kept-anchors';
import { Link } from './link';
import { Looks } from './looks';
import { notify } from './notifications';
import { Offers } from './offers';
import { Outbox } from './outbox';
import { PageKeys } from './page-keys';
import { Paired } from './pairing';
import { isAllowed } from './permissions';
import { Picking } from './picking';
import { Problems } from './problems';
import { Readable } from './readable';
import { RoundTrips } from './round-trips';
import { SeenStates } from './seen-states';
import { forgetting } from './session-requests';
import { Sessions, type TabSession } from './sessions';
import { SourceTable } from './source-table';
import { openStore } from './store';
import { tell } from './tell-page';
import { tidyConversations, tidyLooks, tidyPictures } from './tidy';
import { native } from './transport/native';
import { gatewayWay } from './transport/websocket';
import { Views } from './views';
import { Wakeup } from './wakeup';

export interface App {
  core: Core;
  anchors: KeptAnchors;
  answered: Answered;
  approvals: Approvals;
  approvalPanels: ApprovalPanels;
  captures: Captures;
  fields: FieldOffers;
  files: Files;
  looks: Looks;
  seenStates: SeenStates;
  sources: SourceTable;
  comments: Comments;
  pages: PageKeys;
  conversations: Conversations;
  chatViews: ChatViews;
  sessions: Sessions;
  picking: Picking;
  hiddenPins: HiddenPins;
  drafts: Drafts;
  offers: Offers;
  outbox: Outbox;
  wakeup: Wakeup;
  problems: Problems;
  link: Link;
  roundTrips: RoundTrips;
  paired: Paired;
  views: Views;
}

/** Starts everything. Rejects with a sentence when the core or the database cannot be opened. */
export async function startApp(): Promise<App> {
  const [core, store] = await Promise.all([
    loadCore().catch((failure: unknown) => {
      throw new Error(`opentoolbar's core could not be loaded (${failure}). Reload the extension.`);
    }),
    openStore(),
  ]);
  const protocol = core.protocolVersion();
  const paired = await Paired.load({ store, protocol, changed: () => link.renew() });
  let agents: AgentLink[] = [];
  const changed = (origin: string) => void views.changedOrigin(origin);

  const readable = new Readable(core, () => void views.changedAll());
  store.onReadable = (...record) => readable.record(...record);
  const wakeup = new Wakeup();
  const queueing = () => wakeup.queueing();
  const answered = new Answered();
  const comments = new Comments(store, core.applyChange, changed, {
    merge: core.mergeComments,
    readable: (comment) => readable.stored(comment),
    queueing,
    answered: (id) => void answered.add(id),
  });
  const conversations = new Conversations({
    store,
    request: (asked, sessionId) => request(asked, undefined, sessionId),
    session: (id) => sessions.withId(id),
    changed: (sessionId) => chatViews.changed(sessionId),
    answered: () => void sessions.tidy((id) => conversations.isAwaited(id)),
    grew: (...growth) => chatViews.grew(...growth),
    listed: () => void views.changedAll(),
    readable,
    queueing,
  });
  const chatViews = new ChatViews((sessionId) => conversations.state(sessionId));
  const picking = new Picking();
  const hiddenPins = new HiddenPins();
  const drafts = new Drafts();
  const link = new Link({
    ways: () => {
      const { pairing } = paired;
      const gateway = pairing && gatewayWay({ pairing, stayAwake, known: (is) => paired.heard(is) });
      return gateway ? [native, gateway] : [native];
    },
    joiner: () => new core.ChunkJoiner(),
    hello: () => hello(core),
    onState: ({ hub, detail }) => {
      if (hub !== 'connected') void conversations.silence();
      if (hub !== 'connected' && hub !== 'checking') approvals.lost(detail);
      void comeBack(hub === 'lost');
      void views.changedAll();
    },
    onEvent: (event) =>
      hear(event).catch((failure: unknown) => {
        console.warn(`opentoolbar: ${event.type} was skipped:`, failure);
        readable.notUnderstood(event.type);
      }),
    onUnknown: (type) => readable.notUnderstood(type),
    onPong: (now) => {
      heardAgents(now);
      void outbox.flush(); // what got no answer last time
    },
    onConnected: () => void connected(),
  });
  const request = forgetting(
    (asked, id, sessionId) => link.request(asked, id, sessionId),
    (sessionId) => sessions.forget(sessionId),
  );
  const sessions = new Sessions({
    request: (asked) => link.request(asked),
    redact: core.redactText,
    changed: (tabId) => views.changedTab(tabId),
    opened: (session, project) => void opened(session, project),
    left: (id) => {
      files.forget(id);
      looks.forget(id).catch((failure: unknown) => console.warn('opentoolbar:', failure));
    },
  });
  const outbox = new Outbox({
    store,
    comments,
    deliveries: conversations.deliveries,
    send: request,
    readComment: (comment) => readable.heard(comment),
    waits: wakeup,
    rested: () => {
      void sessions.tidy((id) => conversations.isAwaited(id));
      tidy();
    },
    keepSession: (session) => sessions.keep(session),
    session: (id, origin) => sessions.ensure(id, origin),
    sessionIn: (origin, project) => sessions.in(origin, project),
    changed,
    imported: (origin) => void refreshOrigin(origin),
  });
  const problems = new Problems({ store, comments, deliveries: conversations.deliveries, queueing, changed });
  const roundTrips = new RoundTrips({
    hub: () => link.state.hub,
    ping: () => link.ping(),
    askPage: async (tabId) => {
      if (!(await tell(tabId, { type: 'ping' }))) throw new Error('no script hears');
    },
    isPageReady: async (tabId) => {
      const tab = await browser.tabs.get(tabId).catch(() => undefined);
      return tab?.status === 'complete' && !tab.discarded && tab.url !== undefined && isAllowed(tab.url);
    },
    changedTab: (tabId) => views.changedTab(tabId),
    changedAll: () => void views.changedAll(),
  });
  const approvals = new Approvals({
    request: (asked) => link.request(asked),
    changed: () => {
      approvalPanels.changed();
      void showWaiting(approvals.count);
      void notify(approvals.waiting);
      void views.changedAll();
    },
  });
  const approvalPanels = new ApprovalPanels(() => approvals.state);
  const looks = new Looks(store);
  const seenStates = new SeenStates();
  const files = new Files({
    request,
    session: (tabId) => sessions.of(tabId),
    isComing: () => link.state.hub === 'connected' || link.state.hub === 'checking',
  });
  /** Files of a project changed: its open pages may show it in a moment. */
  const filesChanged = async (root: string, at: number) => {
    for (const session of await sessions.all()) {
      if (session.project?.root !== root) continue;
      if (await files.changed(session, await comments.of(session.origin)))
        void tell(session.tabId, { type: 'source_changed', payload: { at } });
    }
  };
  const refreshAll = async (root: string) => {
    const own = (await sessions.all()).filter((session) => session.project?.root === root);
    // Whichever cannot be asked for now is when its tab opens again.
    await Promise.allSettled(own.map(refresh));
  };
  const offers = new Offers({
    request,
    changed: (tabId) => views.changedTab(tabId),
    taken: (root) => void refreshAll(root),
  });
  const pages = new PageKeys(store, (url) => redactedAddress(url, core.redactText));
  const views = new Views({
    comments,
    pages,
    conversations,
    sessions,
    picking,
    hiddenPins,
    link: () => link.state,
    hubVersion: () => link.hubVersion,
    ownVersion: core.version(),
    roundTrips,
    paired: () => paired.host,
    unreadable: () => readable.sentences,
    offers: (sessionId) => offers.of(sessionId),
    agents: () => agents,
    answered,
    approvals: (root) => approvals.ofProject(root),
    seenStates,
  });

  const heardAgents = (told: AgentLink[]) => {
    const now = readable.agents(told);
    // Asked for every few seconds; nobody is woken for what is as it was.
    if (JSON.stringify(now) === JSON.stringify(agents)) return;
    agents = now;
    void views.changedAll();
  };

  /** The hub's comments, as far as they can be read: one bad one does not hide the others. */
  const take = async (heard: Comment[], project?: string) => {
    if (!Array.isArray(heard)) return readable.notUnderstood('comments');
    await comments.hear(
      heard.flatMap((comment) => readable.heard(comment) ?? []),
      project,
    );
  };

  const hear = async (event: EventEnvelope) => {
    switch (event.type) {
      case 'comment_changed':
        await take([event.payload.comment]);
        break;
      case 'session_changed':
        await sessions.hear(event.payload.sessionId, event.payload.project, event.payload.reason);
        break;
      case 'source_changed':
        await filesChanged(event.payload.root, event.payload.at);
        break;
      case 'agents_changed':
        heardAgents(event.payload.agents);
        break;
      case 'verification_changed':
        approvals.hear(event.payload.verification);
        break;
      case 'rules_changed':
        approvals.hearRules(event.payload.rules);
        break;
      default:
        await conversations.hear(event);
    }
  };

  let tidied = 0;
  /** At the start, and while it goes on, each hour. */
  const tidy = () => {
    const now = Date.now();
    if (now - tidied < TIDY_EVERY) return;
    tidied = now;
    const pictures = () => tidyPictures(store, now);
    tidyConversations(store, now)
      .then(pictures)
      .then(() => tidyLooks(looks, sessions, comments))
      .catch((failure: unknown) => console.warn('opentoolbar:', failure));
  };

  const opened = async (session: TabSession, project: Project) => {
    void offers.look(session);
    void tell(session.tabId, { type: 'hub_came', payload: {} });
    await comments.belongs(session.origin, project.root);
    void conversations.resume(session.id);
    await refresh(session);
  };
  const refresh = async (session: TabSession) => {
    const question = { type: 'list_comments', payload: { sessionId: session.id } } as const;
    const answer = await untilWell(() => request(question)).catch(() => undefined);
    if (answer?.type === 'comments') {
      readable.skippedByHost('comment', session.origin, answer.payload.unreadable, 'all');
      await take(answer.payload.comments, session.project?.root);
    }
    await outbox.flush();
  };
  const refreshOrigin = async (origin: string) => {
    const session = (await sessions.all()).find((one) => one.origin === origin);
    if (session) await refresh(session);
  };

  const connected = async () => {
    void approvals.connected();
    await sessions.connected();
    await link.ping(); // tells of agents, and sends what waits
  };

  tidy();
  link.start();
  void outbox.flush(); // nothing goes before there is a link; but what waits gets its alarm
  return {
    core,
    anchors: new KeptAnchors(core),
    answered,
    approvals,
    approvalPanels,
    captures: new Captures(),
    fields: new FieldOffers(),
    files,
    looks,
    seenStates,
    sources: new SourceTable(store),
    comments,
    pages,
    conversations,
    chatViews,
    sessions,
    picking,
    hiddenPins,
    drafts,
    offers,
    outbox,
    wakeup,
    problems,
    link,
    roundTrips,
    paired,
    views,
  };
}

/** How often a hub that is ill is asked the same, with growing pauses: about five minutes. */
const MOST_QUESTIONS = 10;

async function untilWell(ask: () => Promise<Answer>): Promise<Answer> {
  for (let asked = 1; ; asked++) {
    const answer = await ask();
    if (asked === MOST_QUESTIONS || fateOf(answer) !== 'retry') return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(asked)));
  }
}

const TIDY_EVERY = 60 * 60 * 1_000;

/** Wakes the background for another try: its own timers end with it. */
export const COME_BACK = 'come-back';

async function comeBack(isWanted: boolean): Promise<void> {
  if (isWanted) await browser.alarms.create(COME_BACK, { delayInMinutes: 1, periodInMinutes: 1 });
  else await browser.alarms.clear(COME_BACK);
}

/**
 * Any call of the browser's keeps the background awake for another 30 s. Chrome counts a WebSocket's messages too,
 * Firefox does not.
 */
function stayAwake(): void {
  void browser.runtime.getPlatformInfo();
}
