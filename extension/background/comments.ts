/**
 * The comments of this browser: a change is applied here at once by the core's rules and put into the outbox in the
 * same transaction, so that what people see and what will be sent cannot differ. What the hub says becomes the base.
 */
import type { Comment } from '../generated/Comment';
import type { CommentChange } from '../generated/CommentChange';
import type { HistoryEntry } from '../generated/HistoryEntry';
import type { Varied } from '../generated/Varied';
import { newId } from '../new-id';
import type { OtherProject } from '../state/tab';
import { isAnswer } from './answered';
import { type ApplyChange, isExpected, type MergeComments, PERSON, rebase } from './rebase';
import type { DurableRequest, OutboxItem, Problem, Store, StoredComment, Writing } from './store';
import { readIn, writing } from './store';
import { readItem, release, waitingIn } from './waiting';

/** `origin` of the comments that changed. */
export type Listener = (origin: string) => void;

/** What `Comments` needs of others besides the database and the rule for changes. */
export interface CommentsOptions {
  /** The core's rule for an imported copy; without it the hub's word is waited for. */
  merge?: MergeComments;
  /** A comment that was kept, or nothing when it cannot be read. */
  readable?: (comment: Comment) => Comment | undefined;
  /** Something is about to be put into the outbox. */
  queueing?: () => Promise<void>;
  /** An agent says something in a comment that was not there before. */
  answered?: (id: string) => void;
}

export class Comments {
  #store: Store;
  #apply: ApplyChange;
  #changed: Listener;
  #merge: MergeComments;
  #readable: (comment: Comment) => Comment | undefined;
  #queueing: () => Promise<void>;
  #answered: (id: string) => void;

  /** `changed` is called after every change of what people see, and of what waits. */
  constructor(
    store: Store,
    apply: ApplyChange,
    changed: Listener,
    {
      merge = (comment) => comment,
      readable = (comment) => comment,
      queueing = async () => {},
      answered = () => {},
    }: CommentsOptions = {},
  ) {
    this.#store = store;
    this.#apply = apply;
    this.#changed = changed;
    this.#merge = merge;
    this.#readable = readable;
    this.#queueing = queueing;
    this.#answered = answered;
  }

  /** Comments of an origin in its project, and those no project has yet; deleted ones too, oldest first. */
  async of(origin: string): Promise<Comment[]> {
    const [stored, project] = await Promise.all([
      this.#store.readAll('comments', 'origin', origin),
      this.#store.get('projects', origin),
    ]);
    return stored
      .filter((record) => isOf(project, record))
      .flatMap((record) => this.#readable(record.current) ?? [])
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** Where the origin's other comments are: those of projects it belonged to before. By name, sorted. */
  async elsewhere(origin: string): Promise<OtherProject[]> {
    const [stored, project] = await Promise.all([
      this.#store.readAll('comments', 'origin', origin),
      this.#store.get('projects', origin),
    ]);
    const counts = new Map<string, number>();
    for (const record of stored) {
      if (isOf(project, record) || record.current?.deletedAt !== undefined) continue;
      counts.set(record.project ?? '', (counts.get(record.project ?? '') ?? 0) + 1);
    }
    return [...counts].sort().map(([root, comments]) => ({ root, comments }));
  }

  /** The hub says which project an origin belongs to: from now on its comments are shown there, and no other's. */
  async belongs(origin: string, project: string): Promise<void> {
    if ((await this.#store.get('projects', origin)) === project) return;
    await this.#store.put('projects', project, origin);
    this.#changed(origin);
  }

  /** Every comment of every origin that can be read. */
  async all(): Promise<Comment[]> {
    return (await this.#store.readAll('comments')).flatMap(({ current }) => this.#readable(current) ?? []);
  }

  async get(id: string): Promise<Comment | undefined> {
    const record = await this.#store.read('comments', id);
    return record && this.#readable(record.current);
  }

  /** The keys of their pages, of those that have one, by comment id. */
  async pages(origin: string): Promise<Map<string, string>> {
    const stored = await this.#store.readAll('comments', 'origin', origin);
    return new Map(stored.flatMap(({ id, page }) => (page === undefined ? [] : [[id, page] as const])));
  }

  /**
   * Keeps a new comment, and its screenshot, to be sent to `sessionId`'s project. One that is known stays as it is.
   * `page`: the key of its page, where the address does not tell that apart. `heldUntil`: it is not sent before, unless
   * `illustrate` lets it go.
   */
  async create(
    comment: Comment,
    sessionId: string,
    screenshot: Blob | null,
    page?: string,
    heldUntil?: number,
  ): Promise<void> {
    const origin = new URL(comment.url).origin;
    await this.#queueing();
    await writing(this.#store, async (tx) => {
      if ((await tx.objectStore('comments').getKey(comment.id)) !== undefined) return;
      await tx.objectStore('comments').put({
        id: comment.id,
        origin,
        current: comment,
        ...(page === undefined ? {} : { page }),
      });
      if (screenshot) await tx.objectStore('screenshots').put(screenshot, comment.id);
      const request = { type: 'create_comment', payload: { sessionId, comment } } as const;
      await queue(tx, comment.id, origin, request, heldUntil);
    });
    // One that waits for its picture is shown with it: who sees its pin may go on, to another tab too.
    if (heldUntil === undefined) this.#changed(origin);
  }

  /**
   * The picture of a new comment has come, or there will be none: the comment can go. Whether the picture goes with it:
   * one that comes when the comment is sent, or under way, is not kept, for the hub would never get it.
   */
  async illustrate(id: string, screenshot: Blob | null): Promise<boolean> {
    const { origin, goes } = await writing(this.#store, async (tx) => {
      const [first] = await waitingIn(tx, 'subject', id);
      const waits = first?.request.type === 'create_comment' && !first.withoutPicture && !first.isUnderWay;
      if (first && waits) await release(tx, first);
      if (waits && screenshot) await tx.objectStore('screenshots').put(screenshot, id);
      const record = await readIn(tx.objectStore('comments').get(id));
      return { origin: record?.origin, goes: waits && screenshot !== null };
    });
    if (origin !== undefined) this.#changed(origin);
    return goes;
  }

  /** Whether a new comment is still held for its picture. */
  async isHeld(id: string): Promise<boolean> {
    const waiting = (await this.#store.readAll('outbox', 'subject', id)).flatMap(
      (one) => readItem(one) ?? [],
    );
    return waiting.some(({ request, attempts, retryAt, isUnderWay }) => {
      return request.type === 'create_comment' && attempts === 0 && retryAt !== undefined && !isUnderWay;
    });
  }

  /** Changes a comment. Throws an Error with a sentence when the change does not fit. */
  async change(id: string, change: CommentChange, at: number): Promise<Comment> {
    await this.#queueing();
    const { origin, current } = await writing(this.#store, async (tx) => {
      const record = await readIn(tx.objectStore('comments').get(id));
      if (!record) throw new Error('This comment is not known here any more. Reload the page.');
      const next: StoredComment = { ...record, current: this.#apply(record.current, change, PERSON, at) };
      const { taken, change: whole } = await takeReports(tx, id, change);
      const payload = { commentId: id, change: await asSeenByHub(tx, whole, record), at };
      const seq = await queue(tx, id, record.origin, { type: 'change_comment', payload });
      if (change.kind === 'edit') next.lastEdit = seq;
      // Without the reports that are not sent any more, it is as if they had never been.
      if (taken > 0) return this.#settle(tx, next, await waitingIn(tx, 'subject', 'import'));
      await tx.objectStore('comments').put(next);
      return next;
    });
    this.#changed(origin);
    return current;
  }

  /**
   * Takes comments from an export, already validated and merged by the core: `comments` are those to store, `imported`
   * what the export says of them. That is what the hub gets, which merges it with what it has by the same rule.
   */
  async import(comments: Comment[], imported: Comment[], sessionId: string, origin: string): Promise<void> {
    const origins = new Set([origin]);
    await this.#queueing();
    await writing(this.#store, async (tx) => {
      for (const comment of comments) {
        // One that the browser cannot read is replaced by the copy of the import.
        const record = await readIn(tx.objectStore('comments').get(comment.id));
        const itsOrigin = new URL(comment.url).origin;
        origins.add(itsOrigin);
        await tx
          .objectStore('comments')
          .put({ ...record, id: comment.id, origin: itsOrigin, current: comment });
      }
      const payload = { sessionId, comments: imported };
      await queue(tx, 'import', origin, { type: 'import_comments', payload });
    });
    for (const changed of origins) this.#changed(changed);
  }

  /**
   * The hub's version of some comments; changes that still wait are applied on top. `project`: whose list they are
   * from; without it a comment stays where it is known to be, and a new one is of its origin's project.
   */
  async hear(comments: Comment[], project?: string): Promise<void> {
    const origins = await writing(this.#store, (tx) => this.hearIn(tx, comments, project), 'relaxed');
    for (const origin of origins) this.#changed(origin);
  }

  /** As `hear`, inside a transaction of the caller, who tells the listener. */
  async hearIn(tx: Writing, comments: Comment[], project?: string): Promise<Set<string>> {
    const origins = new Set<string>();
    if (comments.length === 0) return origins;
    const imports = await waitingIn(tx, 'subject', 'import');
    for (const comment of comments) {
      // One that the browser cannot read is replaced by what the hub has.
      const known = await readIn(tx.objectStore('comments').get(comment.id));
      // Events and answers may overtake one another: an older revision never replaces a newer one.
      const base = known?.base && known.base.revision > comment.revision ? known.base : comment;
      if (known?.base && isAnswer(base, known.base)) this.#answered(comment.id);
      const origin = new URL(base.url).origin;
      const its = project ?? known?.project ?? (await tx.objectStore('projects').get(origin));
      const record = {
        ...known,
        id: comment.id,
        origin,
        base,
        current: base,
        ...(its === undefined ? {} : { project: its }),
      };
      await this.#settle(tx, record, imports);
      origins.add(record.origin);
    }
    return origins;
  }

  /**
   * The hub acknowledged `item` with the comment as it is now. Edits that wait behind it were made by someone who saw
   * its effect, so they count from there: unless others changed the text, which this person has not seen.
   * `waited`: it was still in the outbox, so what is shown has it applied.
   */
  async acknowledgeIn(tx: Writing, item: OutboxItem, comment: Comment, waited: boolean): Promise<void> {
    const known = await readIn(tx.objectStore('comments').get(comment.id));
    const mayEditFollow = known?.lastEdit === undefined || known.lastEdit > item.seq;
    if (mayEditFollow) {
      for (const later of await waitingIn(tx, 'subject', item.subject))
        await countFrom(tx, later, item, comment);
    }
    // What is shown has this change in it: built anew for each of many that wait, it would cost their square.
    if (waited && known && isExpected(comment, known.base, item.request, this.#apply)) {
      const project = known.project ?? (await tx.objectStore('projects').get(known.origin));
      const its = project === undefined ? {} : { project };
      await tx.objectStore('comments').put({ ...known, ...its, base: comment });
    } else await this.hearIn(tx, [comment]);
  }

  /** Builds `current` anew after something left the outbox. */
  async settleIn(tx: Writing, id: string): Promise<void> {
    const record = await readIn(tx.objectStore('comments').get(id));
    if (record) await this.#settle(tx, record, await waitingIn(tx, 'subject', 'import'));
  }

  async #settle(tx: Writing, record: StoredComment, imports: OutboxItem[]): Promise<StoredComment> {
    const own = await waitingIn(tx, 'subject', record.id);
    const requests = [...own, ...imports].sort((a, b) => a.seq - b.seq).map((item) => item.request);
    // A comment that the hub refused stays as it was: nothing that a person wrote is taken away.
    const current = rebase(record.id, record.base, requests, this.#apply, this.#merge) ?? record.current;
    const edits = own.filter(isEdit).map(({ seq }) => seq);
    const settled = { ...record, current, lastEdit: Math.max(record.lastEdit ?? 0, ...edits) };
    await tx.objectStore('comments').put(settled);
    return settled;
  }

  /** How many changes of an origin wait, why one of them is tried in vain, and what was refused or cannot be sent. */
  async outstanding(origin: string): Promise<{ waiting: number; delayed?: string; problems: Problem[] }> {
    const [queued, own, nobodys] = await Promise.all([
      this.#store.countFromIndex('outbox', 'origin', origin),
      this.#store.readAll('problems', 'origin', origin),
      this.#store.readAll('problems', 'origin', ''), // too damaged to say whose it is
    ]);
    // What is told of by itself is not counted once more.
    const damaged = origin === '' ? 0 : own.filter(({ waitsAt }) => waitsAt !== undefined).length;
    const waiting = Math.max(0, queued - damaged);
    const why = waiting === 0 ? undefined : await this.#whyDelayed(origin);
    const problems = [...own, ...(origin === '' ? [] : nobodys)] as Problem[];
    return {
      waiting,
      ...(why === undefined ? {} : { delayed: why }),
      problems: await Promise.all(problems.map((problem) => this.#withWords(problem))),
    };
  }

  /** What can be read of a damaged change stands where it waits. */
  async #withWords(problem: Problem): Promise<Problem> {
    if (problem.waitsAt === undefined) return problem;
    const found = await this.#store.read('outbox', problem.waitsAt);
    return found ? { ...problem, request: found.request ?? (found as never) } : problem;
  }

  /** What went wrong with the first item that has been tried several times. */
  async #whyDelayed(origin: string): Promise<string | undefined> {
    const first = await this.#store.getFromIndex('outbox', 'delayed', origin).catch(() => undefined);
    return first?.why;
  }

  /** Ids of all comments with a screenshot. */
  async pictured(): Promise<Set<string>> {
    return new Set(await this.#store.getAllKeys('screenshots'));
  }

  async screenshot(id: string): Promise<Blob | undefined> {
    return this.#store.get('screenshots', id);
  }
}

function isOf(project: string | undefined, record: StoredComment): boolean {
  return project === undefined || record.project === undefined || record.project === project;
}

/**
 * An edit names the revision that the person saw. Here that counts changes which the hub does not have yet and may
 * number differently, so towards the hub it is the newest revision that the person can have seen of the hub's, or of an
 * import that goes to the hub before it.
 */
async function asSeenByHub(
  tx: Writing,
  change: CommentChange,
  { id, base }: StoredComment,
): Promise<CommentChange> {
  if (change.kind !== 'edit') return change;
  const waiting = [...(await waitingIn(tx, 'subject', id)), ...(await waitingIn(tx, 'subject', 'import'))];
  const imported = waiting.flatMap(({ request }) =>
    request.type === 'import_comments' ? request.payload.comments.filter((one) => one.id === id) : [],
  );
  const newest = Math.max(base?.revision ?? 1, ...imported.map(({ revision }) => revision));
  return { ...change, baseRevision: Math.min(change.baseRevision, newest) };
}

/**
 * Before a report: takes back those of its comment that wait. The next one says what is seen now, and without a hub one
 * each few seconds would pile up; what they saw vary goes with it. How many there were, and the change as it is to be
 * sent.
 */
async function takeReports(
  tx: Writing,
  id: string,
  change: CommentChange,
): Promise<{ taken: number; change: CommentChange }> {
  if (change.kind !== 'report_states') return { taken: 0, change };
  const states = [...change.states];
  let taken = 0;
  for (const { seq, request } of await waitingIn(tx, 'subject', id)) {
    if (request.type !== 'change_comment' || request.payload.change.kind !== 'report_states') continue;
    for (const [at, { varied = [] }] of request.payload.change.states.entries()) {
      const state = states[at];
      if (state && varied.length > 0) states[at] = { ...state, varied: joined(varied, state.varied ?? []) };
    }
    await tx.objectStore('outbox').delete(seq);
    taken += 1;
  }
  return { taken, change: taken > 0 ? { ...change, states } : change };
}

/** Field by field; the core sees to it that there is room. */
function joined(before: readonly Varied[], after: readonly Varied[]): Varied[] {
  const fields = new Map(before.map(({ field, values }) => [field, new Set(values)]));
  for (const { field, values } of after)
    fields.set(field, new Set([...(fields.get(field) ?? []), ...values]));
  return [...fields]
    .map(([field, values]) => ({ field, values: [...values].slice(-MAX_VALUES) }))
    .slice(0, MAX_VALUES);
}

/** Fields, and values of a field: the core's bound. */
const MAX_VALUES = 8;

async function queue(
  tx: Writing,
  subject: string,
  origin: string,
  request: DurableRequest,
  heldUntil?: number,
): Promise<number> {
  const held = heldUntil === undefined ? {} : { retryAt: heldUntil };
  return tx.objectStore('outbox').add({ id: newId('m_'), subject, origin, request, attempts: 0, ...held });
}

const isEdit = ({ request }: OutboxItem): boolean =>
  request.type === 'change_comment' && request.payload.change.kind === 'edit';

/** Of an edit that waits behind `taken`, which the hub acknowledged with this comment. */
async function countFrom(tx: Writing, item: OutboxItem, taken: OutboxItem, comment: Comment): Promise<void> {
  const { request } = item;
  if (request.type !== 'change_comment' || request.payload.change.kind !== 'edit') return;
  const { baseRevision } = request.payload.change;
  // Only an edit keeps a previous text, and none is ever dropped from the history.
  const [first, ...more] = comment.history.filter(
    ({ revision, previousText }) => revision > baseRevision && previousText !== undefined,
  );
  // One alone made the text that there is now.
  if (more.length > 0 || (first && !isMadeBy(taken, first, comment.text))) return;
  // What others wrote after an own edit is not shown before that one's answer has come; after anything else it is.
  if (!isEdit(taken) && comment.revision <= baseRevision) return;
  const change = { ...request.payload.change, baseRevision: comment.revision };
  const counted = { ...item, request: { ...request, payload: { ...request.payload, change } } };
  await tx.objectStore('outbox').put(counted);
}

/**
 * Whether this edit in a history is that item's. The hub may have taken a secret out of its text, or moved it behind
 * others in time.
 */
function isMadeBy({ request }: OutboxItem, { by, at }: HistoryEntry, text: string): boolean {
  if (request.type !== 'change_comment' || request.payload.change.kind !== 'edit') return false;
  return by.kind === 'person' && (at === request.payload.at || text === request.payload.change.text);
}
