/**
 * What the extension keeps in IndexedDB: comments, conversations, the outbox, refused changes, screenshots and the gateway
 * that it is paired with.
 * Knows how things are stored, not what they mean.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import type { Comment } from '../generated/Comment';
import type { Context } from '../generated/Context';
import type { ErrorCode } from '../generated/ErrorCode';
import type { Request } from '../generated/Request';
import type { ChatMessage } from '../messages';
import { Reopening } from './reopening';
import type { Pairing } from './transport/gateway';

/** A comment as this browser knows it. */
export interface StoredComment {
  id: string;
  /** Origin of the comment's page: `http://localhost:5173`. */
  origin: string;
  /** As the hub last sent it; absent while the hub has never heard of it. */
  base?: Comment;
  /** Root of the project whose hub database has it; absent while no hub has. */
  project?: string;
  /** Of its page, when the redacted address does not tell that apart from others; never sent anywhere. */
  page?: string;
  /** `base` with everything applied that still waits in the outbox: what people see. */
  current: Comment;
}

/** The requests that must not get lost. */
export type DurableRequest = Extract<
  Request,
  {
    type:
      | 'create_comment'
      | 'change_comment'
      | 'import_comments'
      | 'set_context'
      | 'user_message'
      | 'answer_annotation';
  }
>;

/** Of them those that belong to a conversation. */
export type ChatRequest = Extract<
  DurableRequest,
  { type: 'set_context' | 'user_message' | 'answer_annotation' }
>;

/** A conversation without its messages. */
export interface StoredThread {
  sessionId: string;
  origin: string;
  /** Of the page where something was last said. */
  url: string;
  title: string;
  /** Up to where the hub has told everything; absent when it never has. */
  position?: number;
  /** Whole answers that nobody has looked at. */
  unread: number;
  /** Milliseconds since the epoch. */
  lastAt: number;
}

/** A message with its place in its conversation. */
export interface StoredMessage extends ChatMessage {
  order: number;
  /** The hub does not know what it is about: that must be told again with it. */
  isContextLost?: true;
}

/** A selection; its pictures are in `screenshots`. */
export interface StoredContext extends Context {
  order: number;
  pictured: boolean;
  /** Why the hub refused it; messages about it need another try of it too. */
  refused?: { isTooLarge: boolean; why: string };
}

/** A request that waits to be acknowledged by the hub. */
export interface OutboxItem {
  /** Order of creation, given by the database. */
  seq: number;
  /** `m_...`: the hub applies an id once, however often it is sent. */
  id: string;
  /** What must stay in order: the id of a comment or of a session, or `import`. */
  subject: string;
  /** Origin of the page it was made on. */
  origin: string;
  request: DurableRequest;
  /** How often it was tried in vain. */
  attempts: number;
  /** Not tried before this moment, milliseconds since the epoch. */
  retryAt?: number;
  /** Why the last try failed, a sentence. */
  why?: string;
  /** Its pictures were too large or cannot be read: it goes without. */
  withoutPicture?: true;
  /** The session of a conversation's message, as it is opened again where the hub does not know it. */
  session?: { id: string; url: string; title: string };
  /** The message of the conversation that stands for it, where that is another id than its own. */
  messageId?: string;
}

/** A change that the hub refused for good; kept, so that nothing that a person wrote is lost. */
export interface Problem {
  seq: number;
  origin: string;
  subject: string;
  /** What happened and what to do, for people. */
  sentence: string;
  /** As it was to be sent; what cannot be read is kept here as it was found. */
  request: DurableRequest;
  /** What the hub said; absent where it was never asked. */
  code?: ErrorCode;
  /** Milliseconds since the epoch. */
  at: number;
}

interface Schema extends DBSchema {
  comments: { key: string; value: StoredComment; indexes: { origin: string } };
  outbox: {
    key: number;
    value: Omit<OutboxItem, 'seq'> & { seq?: number };
    indexes: { subject: string; origin: string };
  };
  problems: { key: number; value: Omit<Problem, 'seq'> & { seq?: number }; indexes: { origin: string } };
  /** By comment id; by context id, and by that and `:viewport` for the whole viewport. */
  screenshots: { key: string; value: Blob };
  /** By origin: the project whose comments are shown there, as the hub last said. */
  projects: { key: string; value: string };
  threads: { key: string; value: StoredThread };
  messages: { key: string; value: StoredMessage; indexes: { sessionId: string } };
  contexts: { key: string; value: StoredContext; indexes: { sessionId: string } };
  pairings: { key: string; value: Pairing };
  /** Secrets of this browser, by what they are for. */
  keys: { key: string; value: Uint8Array<ArrayBuffer> };
}

/** What is asked of the database outside transactions, as `idb` says it. */
type Raw = IDBPDatabase<Schema>;

/** The database. Every operation opens it again when the browser closed it, and is done once more then. */
export class Store extends Reopening<Schema> {
  readonly get: Raw['get'] = (name, key) => this.run((db) => db.get(name, key));
  readonly getAll: Raw['getAll'] = (name, key, most) => this.run((db) => db.getAll(name, key, most));
  readonly getAllKeys: Raw['getAllKeys'] = (name, key, most) =>
    this.run((db) => db.getAllKeys(name, key, most));
  readonly getAllFromIndex: Raw['getAllFromIndex'] = (name, index, key, most) =>
    this.run((db) => db.getAllFromIndex(name, index, key, most));
  readonly count: Raw['count'] = (name, key) => this.run((db) => db.count(name, key));
  readonly countFromIndex: Raw['countFromIndex'] = (name, index, key) =>
    this.run((db) => db.countFromIndex(name, index, key));
  readonly put: Raw['put'] = (name, value, key) => this.run((db) => db.put(name, value, key));
  readonly delete: Raw['delete'] = (name, key) => this.run((db) => db.delete(name, key));
}

const STORES = [
  'comments',
  'outbox',
  'problems',
  'screenshots',
  'projects',
  'threads',
  'messages',
  'contexts',
] as const;
/** One transaction over everything a change touches: either all of it is stored, or nothing. */
export type Writing = IDBPTransaction<Schema, typeof STORES, 'readwrite'>;

export const DATABASE = 'opentoolbar';

/** Opens the database, creating it at the first start. Rejects with a sentence when the browser does not let it. */
export async function openStore(name = DATABASE): Promise<Store> {
  const store = new Store((closed) => open(name, closed));
  await store.connected();
  return store;
}

function open(name: string, closed: () => void): Promise<Raw> {
  return openDB<Schema>(name, 5, {
    upgrade(db, before) {
      if (before < 5) db.createObjectStore('keys');
      if (before < 4) db.createObjectStore('pairings');
      if (before < 2) db.createObjectStore('projects');
      if (before < 3) {
        db.createObjectStore('threads', { keyPath: 'sessionId' });
        db.createObjectStore('messages', { keyPath: 'id' }).createIndex('sessionId', 'sessionId');
        db.createObjectStore('contexts', { keyPath: 'id' }).createIndex('sessionId', 'sessionId');
      }
      if (before >= 1) return;
      db.createObjectStore('comments', { keyPath: 'id' }).createIndex('origin', 'origin');
      const outbox = db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
      outbox.createIndex('subject', 'subject');
      outbox.createIndex('origin', 'origin');
      db.createObjectStore('problems', { keyPath: 'seq', autoIncrement: true }).createIndex(
        'origin',
        'origin',
      );
      db.createObjectStore('screenshots');
    },
    // A newer version of the extension wants to upgrade while this one still runs: let it.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      closed();
    },
    terminated: closed,
  });
}

/** Runs `work` in one transaction. `work` may await database calls only, or the transaction ends under it. */
export function writing<T>(
  store: Store,
  work: (tx: Writing) => Promise<T>,
  /** `relaxed` for what the hub has anyway: faster, and a power cut costs only a question. */
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<T> {
  return store.run(async (db) => {
    const tx = db.transaction(STORES, 'readwrite', { durability });
    try {
      const result = await work(tx);
      await tx.done;
      return result;
    } catch (failure) {
      const end = tx.done.then(
        () => undefined,
        (why: unknown) => why,
      );
      try {
        tx.abort();
      } catch {
        // It has ended before: by the browser, and then that is what went wrong.
        const why = await end;
        if (why !== undefined) throw why;
      }
      if (failure instanceof DOMException && failure.name === 'QuotaExceededError') {
        throw new Error(
          'There is no room left to store this. Free some disk space and try again; nothing was changed.',
        );
      }
      throw failure;
    }
  });
}
