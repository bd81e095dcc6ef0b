/**
 * Finds out whether the source of this page changed: by what it loads, by its document, by the client of its dev
 * server, and by what the hub says of the project's files. What is loaded is read once more from the browser's cache, a
 * little at a time, and compared by the background with what was there before. A page that pretends to have loaded
 * something is read like any other: only content that really differs counts.
 */
import { nextTurn } from '../../capture/slices';
import type { SeenSource } from '../../state/looking';
import { ask } from '../messaging/link';
import { documentSource } from './document-source';
import { type Epoch, MORPHED_WITHIN_MS } from './epoch';
import { LoadedAddresses } from './loaded-addresses';
import { navigatedTo, servedDocument } from './served-document';
import {
  documentAddress,
  isFetch,
  isHotClient,
  isHotUpdate,
  isOfDocument,
  nameOf,
  sourceAddress,
} from './source-address';
import { hashInParts, textOf } from './source-text';

/**
 * What one page has read, at most: files, characters of one and of all, and time in milliseconds until others need not
 * wait.
 */
const MAX_FILES = 800;
const MAX_LENGTH = 3_000_000;
const MAX_TOTAL = 24_000_000;
const READ_WITHIN_MS = 8_000;
/** Files that are read side by side, and told of at one time. */
const AT_ONCE = 4;
const TOLD_AT_ONCE = 20;
/** Addresses that are remembered, so that one that is loaded again is known: those that are read, and as many more. */
const MAX_KNOWN = 2 * MAX_FILES;

export interface Evidence {
  /** There is a hub that knows the page's project. */
  hubCame: () => void;
  /** A person said of what the page shows now that it is what a comment is about. */
  pinned: () => void;
}

/** What this page's document is made of and says, as hashes. */
interface Made {
  skeleton: string;
  words: string;
}

/** What the parts of the look want to know. */
export interface EvidenceOptions {
  epoch: Epoch;
  /** The source changed at that moment, as is known now. */
  onChange: (at: number) => void;
  /** All is known of how the page was loaded, or a hub that came later knows more of it. */
  onRead: () => void;
  /**
   * The page fetched its document again, and has had the time to be made of it: what is the same then is none of that.
   */
  onMorphed: () => void;
  /** Comments of this page. */
  comments: () => string[];
  signal: AbortSignal;
}

interface Loaded {
  /** As the page asked for it. */
  url: string;
  address: string;
  /** When it began to be loaded again in the open page, milliseconds since the epoch; null: with the page. */
  again: number | null;
}

export function initEvidence({
  epoch,
  onChange,
  onRead,
  onMorphed,
  comments,
  signal,
}: EvidenceOptions): Evidence {
  const loaded = new LoadedAddresses(MAX_KNOWN);
  const startedAt = performance.now();
  const queue: Loaded[] = [];
  let read = 0;
  let total = 0;
  let working = false;
  let hasOwn = false;
  /** Everything that came with the page has been read. */
  let isRead = false;
  let hasHubCome = false;
  /** Null as long as it was not read, and where it cannot be. */
  let made: Made | null = null;
  let isDocumentTold = false;
  let pinnedAt = 0;

  const changed = (at: number) => {
    if (epoch.changed(at)) onChange(at);
  };

  const ownAddress = documentAddress(navigatedTo());
  /** When we read the document ourselves, which browsers list among what the page fetched. */
  const reads = { from: Number.POSITIVE_INFINITY, until: 0 };
  let morphed: ReturnType<typeof setTimeout> | undefined;

  const fetchedAgain = (startTime: number, at: number) => {
    const isOurs = startTime >= reads.from && startTime <= reads.until;
    // Before anything was seen it is a part of the load.
    if (isOurs || startTime < startedAt || loaded.isOften(ownAddress, at)) return;
    epoch.fetchedAgain(at);
    clearTimeout(morphed);
    morphed = setTimeout(onMorphed, MORPHED_WITHIN_MS + 100);
  };

  const take = ({ name: url, initiatorType, startTime, responseEnd }: PerformanceResourceTiming) => {
    if (isHotClient(url)) epoch.servedHot();
    // How old it is by the page's clock, which may have stood still while the machine slept.
    const at = Date.now() - Math.max(0, performance.now() - startTime);
    if (isFetch(initiatorType) && isOfDocument(url, ownAddress, location.origin)) {
      fetchedAgain(startTime, at + Math.max(0, responseEnd - startTime));
      return;
    }
    if (initiatorType === 'script' && isHotUpdate(url, location.origin)) {
      epoch.servedHot();
      changed(at);
      return;
    }
    const address = sourceAddress(url, location.origin, initiatorType);
    if (address === null || queue.length >= MAX_FILES) return;
    if (loaded.has(address)) {
      if (startTime <= startedAt || loaded.isOften(address, at)) return;
      // An update is waited for by what the page shows; what was there before it goes first.
      const first = queue.findIndex((one) => one.address === address && one.again === null);
      const before = first < 0 ? [] : queue.splice(first, 1);
      queue.unshift(...before, { url, address, again: at });
    } else {
      const isRead = read + queue.length < MAX_FILES;
      loaded.add(address, isRead);
      if (!isRead) return;
      queue.push({ url, address, again: null });
    }
    void work();
  };

  const work = async () => {
    if (working) return;
    working = true;
    try {
      await nextTurn();
      while (queue.length > 0 && !signal.aborted) {
        const [first] = queue;
        const batch: Loaded[] = [];
        // What is loaded again is told of at once, by itself.
        const most = first?.again != null ? 1 : TOLD_AT_ONCE;
        while (
          batch.length < most &&
          queue.length > 0 &&
          (queue[0]?.again == null) === (first?.again == null)
        ) {
          const next = queue.shift();
          if (next) batch.push(next);
        }
        await tellOf(batch);
      }
    } catch (error) {
      console.debug('opentoolbar: what the page loaded could not be read', error);
    } finally {
      working = false;
    }
  };

  const tellOf = async (batch: readonly Loaded[]) => {
    const seen: SeenSource[] = [];
    for (let at = 0; at < batch.length; at += AT_ONCE) {
      const some = batch.slice(at, at + AT_ONCE);
      const hashes = await Promise.all(some.map((one) => hashOf(one.url)));
      for (const [place, hash] of hashes.entries()) {
        const address = some[place]?.address;
        if (hash !== null && address !== undefined) seen.push({ address: nameOf(address), hash });
      }
    }
    read += batch.length;
    if (seen.length === 0) return;
    hasOwn = true;
    const again = batch[0]?.again ?? null;
    const at = await ask('note_sources', { at: again ?? epoch.source(0).began, seen });
    if (at > 0) changed(at);
  };

  /** Null for what cannot be read, or is too much. */
  const hashOf = async (url: string): Promise<string | null> => {
    if (total > MAX_TOTAL || signal.aborted) return null;
    try {
      const response = await fetch(url, {
        cache: 'force-cache',
        credentials: 'same-origin',
        redirect: 'error',
        priority: 'low',
        signal: AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)]),
      } as RequestInit);
      if (!response.ok || Number(response.headers.get('content-length') ?? 0) > MAX_LENGTH) return null;
      const text = await textOf(response, MAX_LENGTH, hasRoom);
      return text === null ? null : await inParts(hashInParts(text));
    } catch {
      return null;
    }
  };

  /**
   * What is code in the document itself; its data is no source. Gives since when it is made of other kinds of elements
   * or says something else than before, 0: it does not. Where it cannot be read it may be any other one with each load.
   */
  const tellOfDocument = async (): Promise<number> => {
    const own = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)]);
    reads.from = performance.now();
    reads.until = Number.POSITIVE_INFINITY;
    const served = await servedDocument(own, MAX_LENGTH, hasRoom);
    reads.until = performance.now();
    const { began } = epoch.source(0);
    if (!served) return began;
    const { code, kinds, skeleton, words } = await inParts(documentSource(served.text));
    const address = nameOf(documentAddress(served.url));
    const changedAt = await ask('note_document', {
      at: began,
      address,
      code: code.join(' '),
      kinds: kinds.join(' '),
    });
    if (changedAt > 0) changed(changedAt);
    made = { skeleton: skeleton ?? '', words: words ?? '' };
    return ask('note_made', { at: began, address, ...made, changedAt: epoch.source(0).changedAt });
  };

  /** Of the documents that were seen at the address, the one that is shown is all that is known from now on. */
  const forgetOthers = () => {
    const own = epoch.wasFetchedAgain ? null : made;
    ask('forget_made', { at: pinnedAt, address: nameOf(ownAddress), own }).catch((error) =>
      console.debug('opentoolbar: documents of before could not be forgotten', error),
    );
  };

  const hasRoom = (more: number) => {
    total += more;
    return total <= MAX_TOTAL;
  };

  /** Once what came with the page is read, and the hub has answered. */
  const finish = async () => {
    const asked = askFiles();
    const end = performance.now() + READ_WITHIN_MS;
    if (document.readyState !== 'complete') await until('load', window, READ_WITHIN_MS);
    while ((working || queue.length > 0) && performance.now() < end) await idle();
    const madeOtherAt = await tellOfDocument().catch((error) => {
      console.debug('opentoolbar: the document could not be read', error);
      return epoch.source(0).began;
    });
    isDocumentTold = true;
    if (pinnedAt > 0) forgetOthers();
    const hubKnows = await asked;
    if (signal.aborted || isRead) return;
    isRead = true;
    epoch.read({ hasOwn, hubKnows, madeOtherAt });
    onRead();
    if (hasHubCome) void askLate();
  };

  const askFiles = (began?: number) =>
    ask('ask_files', { commentIds: comments(), ...(began === undefined ? {} : { began }) }).catch(
      () => false,
    );

  /** A hub that came later may tell what could not be told. */
  const askLate = async () => {
    if (!isRead || epoch.isKnownToHub || !(await askFiles(epoch.source(0).began))) return;
    if (signal.aborted) return;
    epoch.hubCame();
    onRead();
  };

  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) take(entry as PerformanceResourceTiming);
  });
  observer.observe({ type: 'resource', buffered: true });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(morphed);
  });
  // What came before the browser's list was full, or was emptied by the page.
  for (const script of document.scripts) if (script.src) take(named(script.src, 'script'));
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel~=stylesheet][href]'))
    take(named(link.href, 'link'));
  void finish();
  return {
    hubCame: () => {
      hasHubCome = true;
      void askLate();
    },
    pinned: () => {
      pinnedAt = Date.now();
      if (isDocumentTold) forgetOthers();
    },
  };
}

const named = (name: string, initiatorType: string) =>
  ({ name, initiatorType, startTime: 0 }) as PerformanceResourceTiming;

/** What comes of work that is done in parts, each when the page has nothing better to do. */
async function inParts<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await idle();
  }
}

/** Resolves when the page has nothing better to do. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    requestIdleCallback(() => resolve(), { timeout: 200 });
  });
}

function until(event: string, target: EventTarget, most: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, most);
    target.addEventListener(
      event,
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
