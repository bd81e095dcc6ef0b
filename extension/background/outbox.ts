/**
 * Sends what waits: in order for each subject, each item with its own id, and forgets an item only in the transaction
 * that stores the hub's acknowledgement. Knows nothing of how the link works.
 */
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { ErrorBody } from '../generated/ErrorBody';
import type { Request } from '../generated/Request';
import { base64 } from './base64';
import type { Comments } from './comments';
import type { Conversations } from './conversations';
import type { OutboxItem, Store, Writing } from './store';
import { writing } from './store';

export interface OutboxOptions {
  store: Store;
  comments: Comments;
  conversations: Pick<Conversations, 'acknowledge' | 'refuse'>;
  /** Rejects when there is no answer; the item then stays. */
  send: (request: Request, id: string, sessionId?: string) => Promise<Answer>;
  /** A session that the hub knows now, for an origin; `sessionId` was right when the item was made. */
  session: (sessionId: string, origin: string, pageUrl: string) => Promise<string>;
  /** Makes sure that the hub knows this very session, though its tab may be closed. */
  /** Nothing waits to be sent any more. */
  emptied: () => void;
  keepSession: (session: { id: string; url: string; title: string }) => Promise<void>;
  /** The hub does not know a session that it knew: open them again at the next need. */
  forgetSessions: () => void;
  /** An origin's comments or what waits changed. */
  changed: (origin: string) => void;
  /** An import was taken: the hub's comments are worth asking for. */
  imported: (origin: string) => void;
}

/** Errors that may pass are tried again at most so often, once for each flush. */
const MOST_ATTEMPTS = 5;

/** What to do with an item after an answer. */
type Fate = 'done' | 'wait' | 'retry' | 'refused';

export class Outbox {
  #options: OutboxOptions;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Sends everything that can be sent. Calls while it runs make it run once more. */
  flush(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#rounds().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #rounds(): Promise<void> {
    let reopened = false;
    do {
      this.#again = false;
      const lost = await this.#round();
      if (!lost) continue;
      // A restarted hub knows no sessions. They are opened at the next need, which is now; once, lest it go on so.
      this.#options.forgetSessions();
      if (!reopened) this.#again = true;
      reopened = true;
    } while (this.#again);
    if ((await this.#options.store.count('outbox')) === 0) this.#options.emptied();
  }

  /** Whether the hub did not know a session. */
  async #round(): Promise<boolean> {
    const { store } = this.#options;
    let lostSession = false;
    /** Subjects whose first item must wait, so the later ones must as well. */
    const blocked = new Set<string>();
    for (const seq of await store.getAllKeys('outbox')) {
      // Read one by one: an item may have gone meanwhile, and a screenshot is large.
      const item = (await store.get('outbox', seq)) as OutboxItem | undefined;
      if (!item || blocked.has(item.subject)) continue;
      let answer: Answer;
      try {
        answer = await this.#options.send(await this.#prepared(item), item.id, item.session?.id);
      } catch {
        return false; // no link: everything stays
      }
      const fate = judge(item, answer);
      if (fate === 'done') await this.#acknowledge(item, answer);
      else if (fate === 'refused') await this.#refuse(item, answer as { payload: ErrorBody });
      else {
        blocked.add(item.subject);
        if (fate === 'retry') await this.#failed(item);
        lostSession ||= isError(answer, 'unknown_session');
      }
    }
    return lostSession;
  }

  /** The request with a session that exists now and the screenshot, which is kept beside it. */
  async #prepared({ request, subject, origin, session }: OutboxItem): Promise<Request> {
    if (session) await this.#options.keepSession(session);
    if (request.type === 'set_context') return this.#withPictures(request);
    if (
      request.type === 'change_comment' ||
      request.type === 'user_message' ||
      request.type === 'answer_annotation'
    )
      return request;
    const comments = request.type === 'create_comment' ? [request.payload.comment] : request.payload.comments;
    const pageUrl = comments[0]?.url ?? origin;
    const sessionId = await this.#options.session(request.payload.sessionId, origin, pageUrl);
    if (request.type === 'import_comments') {
      return { type: 'import_comments', payload: { ...request.payload, sessionId } };
    }
    const screenshot = await this.#options.store.get('screenshots', subject);
    return {
      type: 'create_comment',
      payload: {
        sessionId,
        comment: { ...request.payload.comment, sessionId },
        ...(screenshot ? { screenshot: await base64(screenshot) } : {}),
      },
    };
  }

  /** A selection with its pictures, which are kept beside it; without when they were too much. */
  async #withPictures(request: Extract<Request, { type: 'set_context' }>): Promise<Request> {
    const { store } = this.#options;
    const { contextId = '' } = request.payload;
    const context = await store.get('contexts', contextId);
    if (context?.refused?.isTooLarge) return request;
    const [element, viewport] = await Promise.all([
      store.get('screenshots', contextId),
      store.get('screenshots', `${contextId}:viewport`),
    ]);
    return {
      type: 'set_context',
      payload: {
        ...request.payload,
        ...(element ? { screenshot: await base64(element) } : {}),
        ...(viewport ? { viewportScreenshot: await base64(viewport) } : {}),
      },
    };
  }

  async #acknowledge(item: OutboxItem, answer: Answer): Promise<void> {
    const { store, comments, conversations, changed, imported } = this.#options;
    if (item.session) {
      await conversations.acknowledge(item, answer);
      changed(item.origin);
      return;
    }
    await writing(store, async (tx) => {
      await tx.objectStore('outbox').delete(item.seq);
      if (answer.type === 'comment') await comments.acknowledgeIn(tx, item, answer.payload.comment);
    });
    changed(item.origin);
    if (item.request.type === 'import_comments') imported(item.origin);
  }

  async #refuse(item: OutboxItem, answer: { payload: ErrorBody }): Promise<void> {
    const { store, comments, conversations, changed } = this.#options;
    if (item.session) {
      await conversations.refuse(item, answer.payload);
      changed(item.origin);
      return;
    }
    const known = await comments.get(item.subject);
    const { request, origin, subject } = item;
    await writing(store, async (tx) => {
      await tx.objectStore('outbox').delete(item.seq);
      const sentence = refusal(item, answer.payload, await base(tx, subject), known);
      if (sentence)
        await tx.objectStore('problems').add({ origin, subject, sentence, request, at: Date.now() });
      await comments.settleIn(tx, subject);
    });
    changed(origin);
  }

  async #failed(item: OutboxItem): Promise<void> {
    await this.#options.store.put('outbox', { ...item, attempts: item.attempts + 1 });
  }
}

async function base(tx: Writing, id: string): Promise<Comment | undefined> {
  return (await tx.objectStore('comments').get(id))?.base;
}

function isError(answer: Answer, code: ErrorBody['code']): boolean {
  return answer.type === 'error' && answer.payload.code === code;
}

/** Every code has its fate; a new one is a type error here. */
function judge(item: OutboxItem, answer: Answer): Fate {
  if (answer.type !== 'error') return 'done';
  switch (answer.payload.code) {
    case 'no_project':
    case 'unknown_session':
    case 'storage': // read-only or full: the person can mend it, then it goes through
    case 'rate_limited': // the next flush is later
      return 'wait';
    case 'internal':
      return item.attempts + 1 < MOST_ATTEMPTS ? 'retry' : 'refused';
    case 'bad_request':
    case 'incompatible':
    case 'unknown_comment':
    case 'unknown_context':
    case 'conflict':
    case 'too_large':
    case 'forbidden':
      return 'refused';
  }
}

/** What to tell the person, with the words that would otherwise be lost; nothing for what no person wrote. */
function refusal(
  { request }: OutboxItem,
  { code, message, nextStep }: ErrorBody,
  theirs: Comment | undefined,
  ours: Comment | undefined,
): string | undefined {
  const why = `${message}. ${nextStep}`;
  if (request.type === 'import_comments')
    return `An import of ${request.payload.comments.length} comments was refused: ${why}`;
  if (request.type === 'create_comment') {
    return `The comment “${request.payload.comment.text}” was not taken by the hub and stays in this browser: ${why}`;
  }
  // A refused message stands in its conversation.
  if (request.type !== 'change_comment') return undefined;
  const { change } = request.payload;
  switch (change.kind) {
    case 'report_states':
      return undefined; // the next look at the page says it again
    case 'edit': {
      const now = theirs?.text ?? ours?.text;
      return code === 'conflict' && now !== undefined
        ? `Your edit “${change.text}” was not saved, because the comment was changed elsewhere meanwhile and now says “${now}”. Edit it again to replace that.`
        : `Your edit “${change.text}” was not saved: ${why}`;
    }
    case 'reply':
      return `Your reply “${change.text}” was not sent: ${why}`;
    default:
      return `“${change.kind.replace('_', ' ')}” of the comment “${ours?.text ?? request.payload.commentId}” was refused: ${why}`;
  }
}
