/**
 * What the extension keeps in IndexedDB: comments, conversations, the outbox, refused changes, screenshots and the
 * gateway that it is paired with. Knows how things are stored, not what they mean.
 */
import {
  type DBSchema,
  type IDBPDatabase,
  type IDBPObjectStore,
  type IDBPTransaction,
  type IndexKey,
  type IndexNames,
  openDB,
  type StoreKey,
  type StoreNames,
  type StoreValue,
  unwrap,
} from 'idb';
import type { Comment } from '../generated/Comment';
import type { Context } from '../generated/Context';
import type { ErrorCode } from '../generated/ErrorCode';
import type { Request } from '../generated/Request';
import { newId } from '../new-id';
import type { ChatMessage } from '../state/chat';
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
  /** Key of the latest edit of it in the outbox, sent or not: no later item is one. Absent while that is not known. */
  lastEdit?: number;
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
  /** Order of creation, given by the database: a whole number. Parts of an import are between it and the next. */
  seq: number;
  /** `m_...`: the hub applies an id once, however often it is sent. */
  id: string;
  /** What must stay in order: the id of a comment or of a session, or `import` (see `subjectsOf`). */
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
  /** Its origin, once it was tried so often in vain that the person is told. */
  delayed?: string;
  /** Its pictures were too large or cannot be read: it goes without. */
  withoutPicture?: true;
  /** Its pictures were looked up for the hub, which may have it by now: what comes later would not go with it. */
  isUnderWay?: boolean;
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
  /** As it was to be sent; of an earlier version also what could not be read, as it was found. */
  request?: DurableRequest;
  /** Its key in the outbox, where it still waits, damaged, and holds up others. */
  waitsAt?: number;
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
    indexes: { subject: string; origin: string; delayed: string };
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
  /** Transactions that were committed, until the next one; see `writing`. */
  marks: { key: string; value: true };
  /** Secrets of this browser, by what they are for. */
  keys: { key: string; value: Uint8Array<ArrayBuffer> };
  /** What tabs last saw of commented elements, by session and comment: `s_… c_…`. */
  looks: { key: string; value: StoredLook };
  /** Scripts, style sheets and documents that pages loaded, by origin. */
  sources: { key: string; value: StoredSources };
}

/** What one tab last saw of a comment's elements, under the source that its page had then. */
export interface StoredLook {
  /** A hash of the anchors that it belongs to: of a comment that was pinned anew nothing is known. */
  anchors: string;
  /** One for each target; null where nothing is known. */
  targets: (LookedAt | null)[];
  /** `checkedAt` of what this tab reported last: it may report again what it takes back. */
  reportedAt?: number;
}

export interface LookedAt {
  /** The element's anchor as it was then; absent while it is the comment's own. */
  look?: string;
  /** Up to when the source was looked at, milliseconds since the epoch: changes after it are evidence. */
  judgedAt: number;
  /**
   * What was known when something was seen of which nobody could tell: a hub that comes back may tell of all since
   * then.
   */
  known?: Omit<LookedAt, 'known'>;
}

/** What was loaded of one origin. */
export interface StoredSources {
  /** When a page of it was last loaded, milliseconds since the epoch. */
  usedAt: number;
  /**
   * Address, hash of the content, and when that took the place of other content; 0: never. The last used at the end.
   */
  loaded: [address: string, hash: string, since: number][];
  /**
   * By address of a document the pages that were seen there, as `SeenDocument` says what of each: its kinds of
   * elements, its code, and when that took the place of other code of this page; 0: never. The last used at the end.
   * Absent in records of an earlier version.
   */
  documents?: [address: string, pages: [kinds: string, code: string, since: number][]][];
  /**
   * By address of a document the kinds of elements that it was made of: a hash, since when it is in place of others (0:
   * it was the first), and when it was seen last. The last used at the end. Absent in records of an earlier version.
   */
  skeletons?: HashesByDocument;
  /** The same of what it said. */
  words?: HashesByDocument;
}

export type HashesByDocument = [address: string, seen: [hash: string, since: number, usedAt: number][]][];

/** What is asked of the database outside transactions, as `idb` says it. */
type Raw = IDBPDatabase<Schema>;
type Name = StoreNames<Schema>;

/** The database. Every operation opens it again when the browser closed it, and is done once more then. */
export class Store extends Reopening<Schema> {
  readonly get: Raw['get'] = (name, key) => this.#ask(name, (store) => store.get(key));
  readonly getAll: Raw['getAll'] = (name, key, most) => this.#ask(name, (store) => store.getAll(key, most));
  readonly getAllKeys: Raw['getAllKeys'] = (name, key, most) =>
    this.#ask(name, (store) => store.getAllKeys(key, most));
  readonly getAllFromIndex: Raw['getAllFromIndex'] = (name, index, key, most) =>
    this.#ask(name, (store) => store.index(index).getAll(key, most));
  readonly count: Raw['count'] = (name, key) => this.#ask(name, (store) => store.count(key));
  readonly countFromIndex: Raw['countFromIndex'] = (name, index, key) =>
    this.#ask(name, (store) => store.index(index).count(key));
  readonly getFromIndex: Raw['getFromIndex'] = (name, index, key) =>
    this.#ask(name, (store) => store.index(index).get(key));
  readonly put: Raw['put'] = (name, value, key) => this.run((db) => db.put(name, value, key));
  readonly delete: Raw['delete'] = (name, key) => this.run((db) => db.delete(name, key));

  /**
   * Hears of each record that the browser cannot read any more (its file is damaged or gone), and of one that it can
   * again.
   */
  onReadable: (name: Name, key: string, isReadable: boolean) => void = () => {};
  readonly #unreadable = new Set<string>();

  /** One question of one object store. */
  #ask<N extends Name, T>(
    name: N,
    question: (store: IDBPObjectStore<Schema, [N], N, 'readonly'>) => Promise<T>,
  ): Promise<T> {
    return this.run((db) => {
      const tx = db.transaction(name);
      // A question that fails aborts its transaction: that is told by the question.
      tx.done.catch(() => {});
      return question(tx.store);
    });
  }

  /**
   * The subject of each item of the outbox, by its key. From the index alone: items that the browser cannot read are
   * among them.
   */
  outboxSubjects(): Promise<Map<number, string>> {
    return this.#ask('outbox', async (store) => {
      const subjects = new Map<number, string>();
      let cursor = await store.index('subject').openKeyCursor();
      for (; cursor; cursor = await cursor.continue()) subjects.set(cursor.primaryKey, cursor.key);
      return subjects;
    });
  }

  /** What the outbox's indexes tell of one item, whether or not the browser can read it. */
  outboxNames(seq: number): Promise<{ subjects: string[]; origins: string[] }> {
    return this.#ask('outbox', async (store) => {
      const named = async (index: 'subject' | 'origin') => {
        for (let at = await store.index(index).openKeyCursor(); at; at = await at.continue())
          if (at.primaryKey === seq) return typeof at.key === 'string' ? [at.key] : [];
        return [];
      };
      return { subjects: await named('subject'), origins: await named('origin') };
    });
  }

  /** A record; nothing when there is none or when the browser cannot read it. */
  async read<N extends Name>(name: N, key: StoreKey<Schema, N>): Promise<StoreValue<Schema, N> | undefined> {
    const place = `${name} ${String(key)}`;
    try {
      const value = await this.get(name, key);
      if (this.#unreadable.delete(place)) this.onReadable(name, String(key), true);
      return value;
    } catch (failure) {
      if (!this.#unreadable.has(place)) {
        this.#unreadable.add(place);
        console.warn(`opentoolbar: the browser cannot read ${place}:`, failure);
        this.onReadable(name, String(key), false);
      }
      return undefined;
    }
  }

  /** All records that can be read, or those of an index's key. One that cannot costs itself alone. */
  async readAll<N extends Name>(name: N): Promise<StoreValue<Schema, N>[]>;
  async readAll<N extends Name, I extends IndexNames<Schema, N>>(
    name: N,
    index: I,
    key: IndexKey<Schema, N, I>,
  ): Promise<StoreValue<Schema, N>[]>;
  async readAll<N extends Name, I extends IndexNames<Schema, N>>(
    name: N,
    index?: I,
    key?: IndexKey<Schema, N, I>,
  ): Promise<StoreValue<Schema, N>[]> {
    try {
      return await (index === undefined ? this.getAll(name) : this.getAllFromIndex(name, index, key));
    } catch {
      const keys = await this.#ask(name, (store) =>
        index === undefined ? store.getAllKeys() : store.index(index).getAllKeys(key),
      );
      const all = await Promise.all(keys.map((one) => this.read(name, one)));
      return all.flatMap((one) => (one === undefined ? [] : [one as StoreValue<Schema, N>]));
    }
  }
}

/** The same inside a transaction, which goes on: a record, or nothing when the browser cannot read it. */
export async function readIn<T>(asked: Promise<T | undefined>): Promise<T | undefined> {
  const request = unwrap(asked);
  // Or the browser would abort the transaction.
  request.addEventListener('error', (event) => {
    event.preventDefault();
    event.stopPropagation();
  });
  return asked.catch(() => undefined);
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
  'marks',
] as const;
/** One transaction over everything a change touches: either all of it is stored, or nothing. */
export type Writing = IDBPTransaction<Schema, typeof STORES, 'readwrite'>;

export const DATABASE = 'opentoolbar';

/** Opens the database, creating it at the first start. Rejects with a sentence when the browser does not let it. */
export async function openStore(name = DATABASE): Promise<Store> {
  const store = new Store((closed) => open(name, closed));
  // Of transactions before the start: nobody asks for them any more.
  await store.run((db) => db.clear('marks'));
  return store;
}

function open(name: string, closed: () => void): Promise<Raw> {
  return openDB<Schema>(name, 7, {
    upgrade(db, before, _after, tx) {
      if (before < 1) createFirst(db);
      if (before < 7) {
        db.createObjectStore('looks');
        db.createObjectStore('sources');
      }
      if (before < 6) {
        db.createObjectStore('marks');
        tx.objectStore('outbox').createIndex('delayed', 'delayed');
      }
      if (before < 5) db.createObjectStore('keys');
      if (before < 4) db.createObjectStore('pairings');
      if (before < 2) db.createObjectStore('projects');
      if (before < 3) {
        db.createObjectStore('threads', { keyPath: 'sessionId' });
        db.createObjectStore('messages', { keyPath: 'id' }).createIndex('sessionId', 'sessionId');
        db.createObjectStore('contexts', { keyPath: 'id' }).createIndex('sessionId', 'sessionId');
      }
    },
    // A newer version of the extension wants to upgrade while this one still runs: let it.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      closed();
    },
    terminated: closed,
  });
}

/** The stores of the first version. */
function createFirst(db: Raw): void {
  db.createObjectStore('comments', { keyPath: 'id' }).createIndex('origin', 'origin');
  const outbox = db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
  outbox.createIndex('subject', 'subject');
  outbox.createIndex('origin', 'origin');
  const problems = db.createObjectStore('problems', { keyPath: 'seq', autoIncrement: true });
  problems.createIndex('origin', 'origin');
  db.createObjectStore('screenshots');
}

/** Marks whose transactions are known to have ended: nobody asks for them any more. */
const finished: string[] = [];

/**
 * Runs `work` in one transaction, once: when the connection broke before it was known whether it was committed, the
 * mark that goes in with it tells. `work` may await database calls only, or the transaction ends under it.
 */
export async function writing<T>(
  store: Store,
  work: (tx: Writing) => Promise<T>,
  /** `relaxed` for what the hub has anyway: faster, and a power cut costs only a question. */
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<T> {
  const mark = newId('t_');
  let before: { result: T } | undefined;
  const once = async (db: Raw) => {
    const tx = db.transaction(STORES, 'readwrite', { durability });
    try {
      const marks = tx.objectStore('marks');
      // It was committed, and the browser could not say so any more.
      if (before && (await marks.get(mark))) return before.result;
      for (const old of finished.splice(0)) await marks.delete(old);
      const result = await work(tx);
      await marks.put(true, mark);
      before = { result };
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
  };
  try {
    return await store.run(once);
  } finally {
    finished.push(mark);
  }
}
