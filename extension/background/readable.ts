/**
 * What the hub sent or this browser kept, as the core reads it. What cannot be read is skipped, stays where it is, is
 * counted, and told in the panel; everything else goes on.
 */
import type { AgentLink } from '../generated/AgentLink';
import type { Comment } from '../generated/Comment';
import type { Message } from '../generated/Message';
import type { Presence } from '../generated/Presence';
import type { Selection } from '../generated/Selection';
import type { Core } from './core';
import type { StoredMessage } from './store';

/** Where it came from. */
export type Source = 'browser' | 'host';
/** What it would have been. */
type Kind = 'comment' | 'conversation' | 'change' | 'agent' | 'news';

export class Readable {
  #core: Pick<Core, 'checkComment' | 'checkSelection'>;
  #changed: () => void;
  /** Stored comments that were read since the start, by id: the version that was. */
  #good = new Map<string, string>();
  /** What cannot be read, by source and id. */
  #bad = new Map<string, { source: Source; kind: Kind }>();
  /** How many the host left out of its answers because it cannot read them, by kind and what was asked about. */
  #skipped = new Map<string, { kind: Kind; count: number }>();

  /** `changed`: more, or less, cannot be read than before. */
  constructor(core: Pick<Core, 'checkComment' | 'checkSelection'>, changed: () => void) {
    this.#core = core;
    this.#changed = changed;
  }

  /** A comment of the hub. */
  heard(comment: unknown): Comment | undefined {
    return this.#read('host', 'comment', comment, () => this.#core.checkComment(comment as Comment));
  }

  /**
   * A comment that this browser kept: checked once for each version of it, since everybody asks for it at every change.
   */
  stored(comment: Comment): Comment | undefined {
    const version = versionOf(comment);
    if (version !== undefined && this.#good.get(comment.id) === version) return comment;
    const read = this.#read('browser', 'comment', comment, () => {
      this.#core.checkComment(comment);
      new URL(comment.url); // its origin is asked for everywhere
      return comment;
    });
    if (read && version !== undefined) this.#good.set(comment.id, version);
    return read;
  }

  /** A selection with whatever else belongs to it. */
  selection<T extends Selection>(source: Source, selection: T): T | undefined {
    return this.#read(source, 'conversation', selection, () => {
      this.#core.checkSelection(selection);
      return selection;
    });
  }

  /** A message of a conversation. */
  message<T extends Message | StoredMessage>(source: Source, message: T): T | undefined {
    return this.#read(source, 'conversation', message, () => {
      if (!isMessage(message)) throw new Error('it is no message that this version knows');
      return message;
    });
  }

  /** The agents that the hub tells of. */
  agents(told: unknown): AgentLink[] {
    if (!Array.isArray(told)) return [];
    return told.flatMap((agent: AgentLink) => {
      const named = { id: agent?.client };
      return this.#read('host', 'agent', named, () => readAgent(agent)) ?? [];
    });
  }

  /** News of the hub that this version does not understand; `type` tells kinds apart. */
  notUnderstood(type: unknown): void {
    this.#read('host', 'news', { id: String(type) }, () => {
      throw new Error(`${type} is not known here`);
    });
  }

  /**
   * How many the host says it left out of an answer about `of`: all of them, or, when it was asked for what is `new`,
   * of those alone.
   */
  skippedByHost(kind: 'comment' | 'conversation', of: string, told: unknown, extent: 'all' | 'new'): void {
    const key = `${kind} ${of}`;
    const before = this.#skipped.get(key)?.count ?? 0;
    const said = typeof told === 'number' && Number.isSafeInteger(told) && told > 0 ? told : 0;
    const count = extent === 'all' ? said : Math.max(before, said);
    if (count === before) return;
    if (count > 0) this.#skipped.set(key, { kind, count });
    else this.#skipped.delete(key);
    this.#changed();
  }

  /** A record that the browser itself cannot read any more, or can again. */
  record(store: string, key: string, isReadable: boolean): void {
    // What waits is told by itself, to be let go: see `damaged.ts`.
    if (store === 'outbox') return;
    const kind = KINDS[store] ?? 'conversation';
    const place = `browser ${kind} ${store} ${key}`;
    if (this.#bad.has(place) !== isReadable) return;
    if (isReadable) this.#bad.delete(place);
    else this.#bad.set(place, { source: 'browser', kind });
    this.#changed();
  }

  /** For people, with what to do. */
  get sentences(): string[] {
    const all = [...this.#bad.values()];
    const count = (source: Source, kind: string) =>
      all.filter((one) => one.source === source && one.kind === kind).length;
    const skipped = (kind: Kind) =>
      [...this.#skipped.values()].reduce((sum, one) => (one.kind === kind ? sum + one.count : sum), 0);
    const update = 'Update the extension and opentoolbar.';
    const look = 'Nothing is deleted: `opentoolbar status` says what to do.';
    return [
      told(count('browser', 'comment'), 'comment', 'kept in this browser', 'It stays in this browser.'),
      told(
        count('browser', 'conversation'),
        'part',
        'of a conversation kept in this browser',
        'It stays there.',
      ),
      told(count('browser', 'change'), 'change', 'kept in this browser', 'It stays there.', 'sent'),
      told(count('host', 'comment'), 'comment', 'from the host', update),
      told(count('host', 'conversation'), 'part', 'of a conversation from the host', update),
      told(skipped('comment'), 'comment', 'that the host keeps', look),
      told(skipped('conversation'), 'part', 'of conversations that the host keeps', look),
      told(count('host', 'agent'), 'agent', 'that the host tells of', update),
      told(count('host', 'news'), 'kind', 'of news from the host', update),
    ].filter((sentence) => sentence !== undefined);
  }

  #read<T>(source: Source, kind: Kind, value: unknown, read: () => T): T | undefined {
    const key = `${source} ${kind} ${idOf(value)}`;
    try {
      const result = read();
      if (this.#bad.delete(key)) this.#changed();
      return result;
    } catch (failure) {
      if (!this.#bad.has(key)) {
        console.warn(`opentoolbar: a ${kind} (${source}) cannot be read and is skipped:`, failure);
        this.#bad.set(key, { source, kind });
        this.#changed();
      }
      return undefined;
    }
  }
}

/** What the records of each store are to a person. */
const KINDS: Record<string, Kind> = { comments: 'comment', problems: 'change' };

function told(count: number, what: string, where: string, next: string, done = 'shown'): string | undefined {
  if (count === 0) return undefined;
  const [many, is] =
    count === 1 ? [what, "can't be read and isn't"] : [`${what}s`, "can't be read and aren't"];
  return `${count} ${many} ${where} ${is} ${done}. ${next}`;
}

/** A presence that this version has no word for is one that nothing is known of. */
function readAgent(agent: AgentLink): AgentLink {
  const { client, project, presence } = agent;
  if (typeof client !== 'string' || typeof project?.root !== 'string' || typeof project.name !== 'string')
    throw new Error('it has no name or no project');
  return presence === undefined || PRESENCES.has(presence) ? agent : { ...agent, presence: 'unknown' };
}

const PRESENCES = new Set<string>([
  'unknown',
  'answers',
  'server_answers',
  'takes_no_question',
  'server_alone',
  'silent',
] satisfies Presence[]);

function idOf(value: unknown): string {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : '';
}

function versionOf(comment: Comment): string | undefined {
  const { id, revision, updatedAt } = (comment ?? {}) as Partial<Comment>;
  return typeof id === 'string' ? `${revision} ${updatedAt}` : undefined;
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value);

function isMessage(message: Message): boolean {
  const { id, role, content, parts, position, createdAt, isComplete, contextId, agent } = message ?? {};
  return (
    typeof id === 'string' &&
    (role === 'user' || role === 'assistant') &&
    typeof content === 'string' &&
    typeof isComplete === 'boolean' &&
    [parts, position, createdAt].every(isCount) &&
    (contextId === undefined || contextId === null || typeof contextId === 'string') &&
    (agent === undefined || agent === null || typeof agent === 'string')
  );
}
