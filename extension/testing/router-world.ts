/**
 * All of the background but the hub, asked as the browser asks it: everything stays here. For the tests of what it
 * answers.
 */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { Answered } from '../background/answered';
import type { App } from '../background/app';
import { ApprovalPanels } from '../background/approval-panels';
import { Approvals } from '../background/approvals';
import { Captures } from '../background/captures';
import { ChatViews } from '../background/chat-views';
import { Comments } from '../background/comments';
import { Conversations } from '../background/conversations';
import { Drafts } from '../background/drafts';
import { FieldOffers } from '../background/fields';
import { Files } from '../background/files';
import { HiddenPins } from '../background/hidden-pins';
import { KeptAnchors } from '../background/kept-anchors';
import { LinkLost } from '../background/link';
import { Looks } from '../background/looks';
import { Offers } from '../background/offers';
import { Outbox } from '../background/outbox';
import { PageKeys } from '../background/page-keys';
import { Paired } from '../background/pairing';
import { Picking } from '../background/picking';
import { Problems } from '../background/problems';
import { RoundTrips } from '../background/round-trips';
import { answer } from '../background/router';
import { SeenStates } from '../background/seen-states';
import type { Sender } from '../background/sender';
import { Sessions } from '../background/sessions';
import { SourceTable } from '../background/source-table';
import { openStore } from '../background/store';
import { Views } from '../background/views';
import { Wakeup } from '../background/wakeup';
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';
import type { Asked } from '../messages';
import type { PageSource } from '../state/looking';
import { pieceOf } from '../state/pieces';
import { loadCoreForTest } from './core';
import { sampleButton } from './samples';

const core = loadCoreForTest();
const { get: getTab } = fakeBrowser.tabs;
export const SITE = 'http://localhost:5173';
export const panel: Sender = { kind: 'panel' };

export class RouterWorld {
  app!: App;
  /** A page of the site. */
  page!: Extract<Sender, { kind: 'content' }>;
  /** The site, as a match pattern, that the person does not allow. */
  forbidden = '';
  /** The hub. */
  request: (request: Request, id?: string) => Promise<Answer> = async () => {
    throw new LinkLost('no hub');
  };

  static async create(): Promise<RouterWorld> {
    const world = new RouterWorld();
    await world.#start();
    await world.ask({ type: 'get_page_state', payload: {} }, world.page);
    return world;
  }

  readonly ask = (message: Asked, sender: Sender) => answer(async () => this.app, message, sender);

  /** The page sends a capture of itself: it has one button. */
  readonly send = async (id: string, text: string): Promise<void> => {
    const nodes = [
      [0, -1, 0, 0, 0, 0, 0, 800, 600, 1],
      [1, 0, 1, 0, 0, 0, 0, 800, 600, 1],
      [1, 1, 2, 0, 0, 0, 0, 800, 600, 1],
      [1, 2, 3, 0, 0, 8, 8, 60, 20, 3],
      [2, 3, 4, 0, 0, 0, 0, 0, 0, 1],
    ];
    const strings = [`${SITE}/shop`, 'html', 'body', 'button', text];
    const piece = pieceOf({ strings, nodes: nodes.flat(), attributes: [], drawings: [] });
    await this.ask({ type: 'capture_piece', payload: { id, at: 0, piece } }, this.page);
  };

  async #start(): Promise<void> {
    fakeBrowser.reset();
    globalThis.indexedDB = new IDBFactory();
    const contains = async ({ origins }: { origins: string[] }) => !origins.includes(this.forbidden);
    Object.assign(fakeBrowser, { permissions: { contains } });
    // A test before may have put another in its place, which no reset takes back.
    Object.assign(fakeBrowser.tabs, { get: getTab });
    fakeBrowser.tabs.sendMessage = async () => {
      throw new Error('Receiving end does not exist');
    };
    const tabId = (await fakeBrowser.tabs.create({ url: `${SITE}/shop` })).id ?? -1;
    this.page = {
      kind: 'content',
      tabId,
      url: `${SITE}/shop`,
      origin: SITE,
      title: 'Shop',
      windowId: 1,
      active: true,
    };
    const request = (asked: Request, id?: string) => this.request(asked, id);
    const store = await openStore();
    const comments = new Comments(store, core.applyChange, () => {});
    const sessions = new Sessions({ request, redact: core.redactText, changed: () => {}, opened: () => {} });
    const picking = new Picking();
    const hiddenPins = new HiddenPins();
    const state = { hub: 'none', detail: '' } as const;
    const link = { state, start() {}, request, ping: async () => undefined } as unknown as App['link'];
    const conversations = new Conversations({
      store,
      request,
      session: (id) => sessions.withId(id),
      changed: () => {},
      answered: () => {},
      grew: () => {},
      listed: () => {},
    });
    const chatViews = new ChatViews((id) => conversations.state(id));
    const roundTrips = new RoundTrips({
      hub: () => state.hub,
      ping: () => link.ping(),
      askPage: async () => {},
      isPageReady: async () => true,
      changedTab: () => {},
      changedAll: () => {},
    });
    const pages = new PageKeys(store, core.redactText);
    const seenStates = new SeenStates();
    const views = new Views({
      comments,
      pages,
      conversations,
      sessions,
      picking,
      hiddenPins,
      link: () => state,
      hubVersion: () => undefined,
      ownVersion: core.version(),
      roundTrips,
      agents: () => [],
      paired: () => undefined,
      seenStates,
    });
    const outbox = new Outbox({
      store,
      comments,
      deliveries: conversations.deliveries,
      rested: () => {},
      sessionIn: async () => undefined,
      keepSession: async () => {},
      send: request,
      session: async (id) => id,
      readComment: (comment) => comment,
      changed: () => {},
      imported: () => {},
    });
    const approvals = new Approvals({ request, changed: () => {} });
    this.app = {
      core,
      approvals,
      approvalPanels: new ApprovalPanels(() => approvals.state),
      anchors: new KeptAnchors(core),
      answered: new Answered(),
      captures: new Captures(),
      fields: new FieldOffers(),
      files: new Files({ request, session: (id) => sessions.of(id), isComing: () => false }),
      looks: new Looks(store),
      seenStates,
      sources: new SourceTable(store),
      comments,
      pages,
      conversations,
      chatViews,
      sessions,
      picking,
      hiddenPins,
      drafts: new Drafts(),
      offers: new Offers({ request, changed: () => {}, taken: async () => {} }),
      outbox,
      link,
      roundTrips,
      paired: await Paired.load({ store, protocol: core.protocolVersion(), changed: () => {} }),
      views,
      wakeup: new Wakeup(),
      problems: new Problems({
        store,
        comments,
        deliveries: conversations.deliveries,
        queueing: async () => {},
        changed: () => {},
      }),
    };
  }
}

/** What a page knows of its source that was just loaded, and of which nothing changed. */
export const SOURCE: PageSource = {
  began: 2_000,
  changedAt: 0,
  filesUntil: 0,
  isServedHot: false,
  isUnknown: false,
  madeOtherAt: 0,
};

/** The head of a capture that was sent in one piece. */
export const sent = (id: string) => ({
  id,
  pieces: 1,
  version: 1,
  url: `${SITE}/shop`,
  title: 'Shop',
  viewport: { width: 800, height: 600 },
});

/** Something of the page is sent to the chat. */
export const pointed = (url: string): Asked<'content'> => ({
  type: 'send_to_chat',
  payload: {
    id: 'm_pointed',
    selection: sampleButton,
    text: ' Make it blue ',
    url,
    title: 'Shop',
    picture: true,
  },
});
