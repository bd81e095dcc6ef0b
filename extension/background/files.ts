/**
 * What the hub says of the files of each tab's project: when one of them changed last. A hub that does not know the
 * question, or a tab without a project, cannot tell.
 */
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { FoundIn } from '../generated/FoundIn';
import type { Request } from '../generated/Request';
import type { SourceQuery } from '../generated/SourceQuery';
import type { FilesWord } from './due';
import type { TabSession } from './sessions';

/** A hub that is being connected, or a project that is being looked for, is waited for so long, milliseconds. */
const WAIT_MS = 3_000;
const AGAIN_MS = 150;
/** A question for words is waited for so long, milliseconds: the page waits for what is said of its elements. */
const FIND_MS = 3_000;
/** Files, and queries for words, in one question. */
const MAX_FILES = 100;

/** What this part needs of others. */
export interface FilesOptions {
  request: (request: Request) => Promise<Answer>;
  /** The tab's session now; it learns of its project a moment after it was opened. */
  session: (tabId: number) => Promise<TabSession | undefined>;
  /** Whether there is a hub, or may be soon. */
  isComing: () => boolean;
  /** All comments that the question is for. */
  sleep?: (ms: number) => Promise<unknown>;
}

export class Files {
  #options: FilesOptions;
  /** By session: what was said when its page was loaded, and what was said of it while it was open. */
  #words = new Map<string, { loaded?: FilesWord; open?: FilesWord }>();

  constructor(options: FilesOptions) {
    this.#options = options;
  }

  /** What the hub said of this session's files, oldest first; nothing when it cannot tell. */
  of(sessionId: string): FilesWord[] {
    const { loaded, open } = this.#words.get(sessionId) ?? {};
    return [loaded, open].filter((word) => word !== undefined);
  }

  forget(sessionId: string): void {
    this.#words.delete(sessionId);
  }

  /**
   * A page was loaded: asks for all that these comments want to know. Whether the hub can tell. `began`: it came later
   * than the page, which began to be loaded then; what changed since hides what changed before.
   */
  async loaded(
    tabId: number,
    comments: readonly Comment[],
    began = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    const { sleep = pause, isComing } = this.#options;
    let session = await this.#options.session(tabId);
    for (let waited = 0; session && !session.project && waited < WAIT_MS && isComing(); waited += AGAIN_MS) {
      await sleep(AGAIN_MS);
      session = await this.#options.session(tabId);
    }
    if (!session) return false;
    const word = await this.#ask(session, comments);
    const isLate = word !== undefined && Math.max(word.at ?? 0, ...word.files.values()) > began;
    if (isLate) return false;
    this.#words.set(session.id, word ? { loaded: word } : {});
    return word !== undefined;
  }

  /** Files changed while the page is open. Whether the hub can tell more of it. */
  async changed(session: TabSession, comments: readonly Comment[]): Promise<boolean> {
    const open = await this.#ask(session, comments);
    if (open) this.#words.set(session.id, { ...this.#words.get(session.id), open });
    return open !== undefined;
  }

  /**
   * Where words stand in the files of this session's project; one list for each query, nothing when that cannot be
   * told.
   */
  async find(session: TabSession, queries: SourceQuery[]): Promise<FoundIn[][] | undefined> {
    if (!session.project) return undefined;
    const payload = { sessionId: session.id, queries: queries.slice(0, MAX_FILES) };
    const request = this.#options.request({ type: 'find_in_source', payload });
    return readFound(await Promise.race([request.catch(() => undefined), pause(FIND_MS)]));
  }

  async #ask(session: TabSession, comments: readonly Comment[]): Promise<FilesWord | undefined> {
    if (!session.project) return undefined;
    const named = comments.flatMap(({ targets }) =>
      targets.flatMap(({ snapshot }) => snapshot.source?.file ?? []),
    );
    const files = [...new Set(named)].slice(0, MAX_FILES);
    const since = Math.max(0, Math.min(...comments.map(({ createdAt }) => createdAt)));
    const payload = { sessionId: session.id, since: Number.isFinite(since) ? since : 0, files };
    const answer = await this.#options
      .request({ type: 'get_source_changes', payload })
      .catch(() => undefined);
    return readWord(answer, files);
  }
}

/** Nothing for any other answer: an error of a hub that does not know the question, too. */
function readWord(answer: unknown, asked: readonly string[]): FilesWord | undefined {
  const { type, payload } = (answer ?? {}) as { type?: unknown; payload?: { at?: unknown; files?: unknown } };
  if (type !== 'source_changes' || !payload) return undefined;
  const told = Array.isArray(payload.files) ? payload.files : [];
  const files = new Map(
    asked.flatMap((file, place) => {
      const { known, at } = (told[place] ?? {}) as { known?: unknown; at?: unknown };
      return known === true ? [[file, typeof at === 'number' ? at : 0] as const] : [];
    }),
  );
  return { files, ...(typeof payload.at === 'number' ? { at: payload.at } : {}) };
}

const FOUND_IN: readonly unknown[] = ['changed_file', 'own_file', 'nowhere'] satisfies FoundIn[];

/** Nothing for any other answer: an error of a hub that does not know the question, too. */
function readFound(answer: unknown): FoundIn[][] | undefined {
  const { type, payload } = (answer ?? {}) as { type?: unknown; payload?: { found?: unknown } };
  if (type !== 'found_in_source' || !Array.isArray(payload?.found)) return undefined;
  const word = (found: unknown) => (FOUND_IN.includes(found) ? (found as FoundIn) : 'unknown');
  return payload.found.map((list: unknown) => (Array.isArray(list) ? list.map(word) : []));
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
