/**
 * All that runs on an idle page: hears the background, tells it of the page's address, and brings the overlay when
 * there is something to show or to pick. Draws nothing and observes nothing of the page.
 */
import { beginningOf, redactUrl } from '../capture/redact';
import { NO_APPROVALS } from '../state/approvals';
import type { PageMessage } from '../state/to-content';
import { type Overlay, offered, type PageFacts } from './handover';
import { watchAddress } from './lifecycle/address';
import { ask, hear } from './messaging/link';
import { sentence } from './messaging/sentence';
import { pathOf } from './state/path';
import { hasPin } from './state/shown';

const MAX_RETRY_MS = 30_000;
/** The most of a title that the background keeps. */
const MAX_TITLE = 1_000;

/** Until `life` ends; ends it when the background says that the site is not allowed any more. */
export function attend(life: AbortController): void {
  const { signal } = life;
  const facts: PageFacts = {
    comments: [],
    connection: null,
    annotations: [],
    answers: { chat: 0, comments: [] },
    approvals: NO_APPROVALS,
    pinsHidden: false,
    url: redactUrl(location.href),
    drafts: {},
    showsEmbedded: false,
  };
  let overlay: Overlay | null = null;
  let coming: Promise<Overlay> | null = null;

  let isLoaded = false;
  let onLoaded = () => {};
  /** The background may tell of a comment before it answered what else it knows, such as unsaved text. */
  const loaded = new Promise<void>((resolve) => {
    onLoaded = resolve;
  });

  const bring = (): Promise<Overlay> => {
    coming ??= (async () => {
      await loaded;
      if (!offered()) await ask('load_overlay', {});
      const start = offered();
      if (!start) throw new Error('The overlay did not come. Reload the page.');
      signal.throwIfAborted();
      overlay = start(facts, signal);
      return overlay;
    })().catch((error: unknown) => {
      coming = null;
      throw error;
    });
    return coming;
  };
  const warn = (error: unknown) => {
    if (!signal.aborted) console.warn(`opentoolbar: ${sentence(error)}`);
  };
  /** Brings the overlay when an agent's request or question, a pin or a person's unsaved text belongs on this page. */
  const look = () => {
    const path = pathOf(facts.url);
    const now = Date.now();
    const something =
      facts.annotations.length > 0 ||
      facts.answers.chat > 0 ||
      facts.approvals.first.length > 0 ||
      facts.drafts[path] ||
      facts.comments.some((one) => one.pathname === path && hasPin(one, now));
    if (!overlay && something) bring().catch(warn);
  };

  /**
   * Keeps what is told, and says whether the overlay has to come for it. A new kind of message does not compile before
   * it has its place here.
   */
  const keep = (message: Exclude<PageMessage, { type: 'leave' }>): boolean => {
    switch (message.type) {
      case 'comments':
        facts.comments = message.payload.comments;
        return false;
      case 'connection':
        facts.connection = message.payload.connection;
        return false;
      case 'annotations':
        facts.annotations = message.payload.annotations;
        return false;
      case 'answers':
        facts.answers = message.payload.answers;
        return false;
      case 'approvals':
        facts.approvals = message.payload.approvals;
        return false;
      case 'pins_hidden': {
        const { hidden } = message.payload;
        const wereHidden = facts.pinsHidden;
        facts.pinsHidden = hidden;
        // A person who hides pins is told so, and shown the way back, also where there is none yet.
        return hidden && !wereHidden && isLoaded;
      }
      case 'set_picking':
        return message.payload.picking;
      case 'jump_to':
      case 'settle':
      case 'point_for_annotation':
        return true;
      case 'source_changed':
      case 'hub_came':
      case 'begin_picture':
      case 'finish_picture':
        return false;
    }
  };

  const receive = (message: PageMessage): Promise<unknown> | undefined => {
    if (message.type === 'leave') {
      if (message.payload.origin === location.origin) life.abort();
      return undefined;
    }
    const isCalled = keep(message);
    if (overlay) return overlay.receive(message);
    if (isCalled) bring().then((it) => void it.receive(message), warn);
    else look();
    return undefined;
  };

  /** When each kind of message was told last, counted in messages. */
  const told = new Map<PageMessage['type'], number>();
  let count = 0;
  const listen = (message: PageMessage) => {
    count += 1;
    told.set(message.type, count);
    return receive(message);
  };

  /** Asks for what is known of this tab until the background answers. */
  const load = async () => {
    for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        const asked = count;
        const [known, drafts] = await Promise.all([ask('get_page_state', {}), ask('get_drafts', {})]);
        facts.drafts = drafts;
        facts.showsEmbedded = known.showsEmbedded;
        onLoaded();
        const { connection, annotations, answers: unseen, approvals, comments, pinsHidden } = known;
        const answers: PageMessage[] = [
          { type: 'connection', payload: { connection } },
          { type: 'annotations', payload: { annotations } },
          { type: 'answers', payload: { answers: unseen } },
          { type: 'approvals', payload: { approvals } },
          { type: 'pins_hidden', payload: { hidden: pinsHidden } },
          { type: 'comments', payload: { comments } },
        ];
        // What was told since it was asked is newer.
        for (const answer of answers) if ((told.get(answer.type) ?? 0) <= asked) receive(answer);
        isLoaded = true;
        if (!overlay) look();
        if (known.picking) receive({ type: 'set_picking', payload: { picking: true } });
        return;
      } catch (error) {
        console.debug(`opentoolbar: ${sentence(error)}`);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };

  hear(listen, signal);
  watchAddress((url) => {
    facts.url = redactUrl(url);
    if (overlay) overlay.moved(facts.url);
    else look();
    // The title often follows the address by a moment.
    setTimeout(() => {
      const page = {
        url: redactUrl(location.href),
        title: beginningOf(document.title, MAX_TITLE).toWellFormed(),
      };
      ask('page_moved', page).catch((error) => console.debug(`opentoolbar: ${sentence(error)}`));
    }, 100);
  }, signal);
  // Back out of the browser's cache: much may have happened meanwhile.
  window.addEventListener('pageshow', (event) => event.isTrusted && event.persisted && void load(), {
    signal,
  });
  void load();
}
