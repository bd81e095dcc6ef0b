import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { Comments } from '../background/comments';
import { LinkLost, NoAnswer } from '../background/link';
import { Outbox, type OutboxOptions } from '../background/outbox';
import { Problems } from '../background/problems';
import type { ApplyChange } from '../background/rebase';
import { openStore, type Store } from '../background/store';
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { ErrorCode } from '../generated/ErrorCode';
import type { Request } from '../generated/Request';
import { loadCoreForTest } from './core';
import { kill } from './killed';

const core = loadCoreForTest();

/** Origin of the sample comments. */
export const ORIGIN = 'http://localhost:5173';

/** A hub as the protocol describes it: applies each message id once, by the core's own rules. */
export class Hub {
  comments = new Map<string, Comment>();
  seen: { id: string; request: Request }[] = [];
  #answers = new Map<string, Answer>();
  /** What goes wrong with the next requests, in order. */
  faults: ('lost before' | 'lost after' | ErrorCode)[] = [];
  /** What goes wrong with every request that says this. */
  poison: { word: string; fault: 'no answer' | 'unsendable' | ErrorCode } | undefined;

  async send(request: Request, id: string, _sessionId?: string): Promise<Answer> {
    const fault = this.faults.shift();
    if (this.poison && JSON.stringify(request).includes(this.poison.word)) {
      if (this.poison.fault === 'no answer') throw new NoAnswer('late');
      if (this.poison.fault === 'unsendable') throw new Error('Message length exceeded');
      return error(this.poison.fault);
    }
    if (fault === 'lost before') throw new LinkLost('lost');
    if (fault !== undefined && fault !== 'lost after') return error(fault);
    this.seen.push({ id, request });
    const answer = this.#again(id) ?? this.#apply(request);
    this.#answers.set(id, answer);
    if (fault === 'lost after') throw new NoAnswer('lost');
    return answer;
  }

  /** The answer to what was applied before: with the comment as it is now. */
  #again(id: string): Answer | undefined {
    const answer = this.#answers.get(id);
    if (answer?.type !== 'comment') return answer;
    const comment = this.comments.get(answer.payload.comment.id);
    return comment ? { type: 'comment', payload: { comment } } : answer;
  }

  #apply(request: Request): Answer {
    if (request.type === 'create_comment') {
      this.comments.set(request.payload.comment.id, request.payload.comment);
      return { type: 'comment', payload: { comment: request.payload.comment } };
    }
    if (request.type === 'change_comment') {
      const { commentId, change, at } = request.payload;
      const known = this.comments.get(commentId);
      if (!known) return error('unknown_comment');
      try {
        const comment = core.applyChange(known, change, { kind: 'person' }, at);
        this.comments.set(commentId, comment);
        return { type: 'comment', payload: { comment } };
      } catch {
        return error('conflict');
      }
    }
    if (request.type === 'import_comments') {
      for (const comment of request.payload.comments) this.comments.set(comment.id, comment);
    }
    return { type: 'imported', payload: { added: 0, updated: 0, skipped: 0 } };
  }

  /** Somebody else's change. */
  change(id: string, text: string): Comment {
    const known = this.comments.get(id) as Comment;
    const change = { kind: 'edit', text, baseRevision: known.revision } as const;
    const comment = core.applyChange(known, change, { kind: 'agent', name: 'other' }, 5_000);
    this.comments.set(id, comment);
    return comment;
  }
}

export const error = (code: ErrorCode): Answer => ({
  type: 'error',
  payload: { code, message: `it was ${code}`, nextStep: 'Do something.' },
});

/** A background's outbox with this hub behind it. The database is what a restart keeps. */
export class OutboxWorld {
  store!: Store;
  comments!: Comments;
  outbox!: Outbox;
  problems!: Problems;
  hub = new Hub();
  send: OutboxOptions['send'] = (request, id, sessionId) => this.hub.send(request, id, sessionId);
  session: OutboxOptions['session'] = async (sessionId) => sessionId;
  /** What the background takes for the time, milliseconds. */
  now = 1_000_000;
  /** Origins whose comments were said to have changed since the start. */
  changes: string[] = [];
  /** Conversations that were told of what was let go. */
  lost: string[] = [];
  /** How often the background applied a change to a comment. */
  applied = 0;
  /** Keys of pictures that cannot be read. */
  torn = new Set<string>();

  static #last: OutboxWorld | undefined;

  /** With a database of its own. Ends the one before: what that one means to try later is no part of the next test. */
  static async create(): Promise<OutboxWorld> {
    if (OutboxWorld.#last) kill(OutboxWorld.#last.store);
    globalThis.indexedDB = new IDBFactory();
    const world = new OutboxWorld();
    OutboxWorld.#last = world;
    await world.start();
    return world;
  }

  /** The background as it is after a start. */
  async start(): Promise<void> {
    const store = await openStore();
    this.store = store;
    this.changes = [];
    const apply: ApplyChange = (...change) => {
      this.applied += 1;
      return core.applyChange(...change);
    };
    const comments = new Comments(store, apply, (origin) => this.changes.push(origin));
    this.comments = comments;
    this.problems = new Problems({
      store,
      comments,
      deliveries: { refuseLost: async (sessionId) => void this.lost.push(sessionId) },
      queueing: async () => {},
      changed: () => {},
    });
    this.outbox = new Outbox({
      store: this.#tearing(store),
      now: () => this.now,
      comments,
      deliveries: { acknowledge: async () => {}, refuse: async () => {} },
      rested: () => {},
      waits: { begin: () => {}, end: () => {} },
      sessionIn: async () => undefined,
      keepSession: async () => {},
      send: (...asked) => this.send(...asked),
      session: (...asked) => this.session(...asked),
      readComment: (comment) => {
        try {
          return core.checkComment(comment);
        } catch {
          return undefined;
        }
      },
      changed: () => {},
      imported: () => {},
    });
  }

  /** Flushes so often, each time when every pause is over. */
  async flushes(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await this.outbox.flush();
      this.now += 61_000;
    }
  }

  async waiting(): Promise<number> {
    return (await this.comments.outstanding(ORIGIN)).waiting;
  }

  /** What the person is told. */
  async sentences(): Promise<string[]> {
    return (await this.comments.outstanding(ORIGIN)).problems.map(({ sentence }) => sentence);
  }

  #tearing(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (name !== 'get') return typeof value === 'function' ? value.bind(target) : value;
        return (of: string, key: string) =>
          of === 'screenshots' && this.torn.has(key)
            ? Promise.reject(new DOMException('A requested file could not be found', 'NotFoundError'))
            : value(of, key);
      },
    });
  }
}
