/**
 * Looks at the page again when an element is gone or different: captures, asks the core, takes its findings, and tells
 * what has held for long enough and comes from a change of the source. When is decided by `schedule.ts`, `patience.ts`
 * and `reports.ts`, what is known of the source by `evidence.ts`; all work is done in slices.
 */
import { Slices } from '../../capture/slices';
import { documentsOf, isOwn, rootsOf } from '../../capture/tree';
import type { Comment } from '../../generated/Comment';
import type { TargetState } from '../../generated/TargetState';
import type { Finding, SightingReport } from '../../state/looking';
import { sendPage } from '../describing/send-page';
import { Epoch } from '../evidence/epoch';
import { initEvidence } from '../evidence/evidence';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import { Changing } from '../sightings/changing';
import { excuseOf } from '../sightings/excuse';
import type { Sighting } from '../sightings/sighting';
import type { Sightings } from '../sightings/sightings';
import type { State } from '../state/state';
import { Keeping, type KeptComment } from './keeping';
import { Patience } from './patience';
import { Reports, reportOf, type Sight } from './reports';
import { CHECK_AFTER_MS, Schedule } from './schedule';

/** A page that goes on coming is waited for at most this long. */
const LONGEST_ARRIVAL_MS = 15_000;
/** Changed nodes that are looked into at one time; more than that count as a change everywhere. */
const LOOKED_INTO = 64;
/** A page that is looked at again and again is so before this; what left it is not kept for longer. */
const KEEP_NODES_MS = 10_000;

export interface Look {
  /** The comments or the page have changed; looks soon if anything is due. */
  soon: (pageChanged: boolean) => void;
  /** The page has another address: what is not there yet may still come, and what is known of other routes is void. */
  arrived: () => void;
  /** There is a hub that knows the page's project. */
  hubCame: () => void;
  /** A person said of what the page shows now that it is what a comment is about. */
  pinned: () => void;
  /** The hub says that files of the project changed at that moment, milliseconds since the epoch. */
  filesChanged: (at: number) => void;
  /** Watches this element's shadow roots and frames for changes as well. */
  watch: (element: Element) => void;
}

export function initLook(
  state: State,
  sightings: Sightings,
  onSeen: () => void,
  onMutation: () => void,
  signal: AbortSignal,
): Look {
  const now = () => performance.now();
  const schedule = new Schedule(document.visibilityState === 'visible');
  const reports = new Reports(now());
  const patience = new Map<string, Patience>();
  const epoch = new Epoch(Math.floor(performance.timeOrigin));
  const keeping = new Keeping(epoch);
  let keepTimer: ReturnType<typeof setTimeout> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pageBegan = now();
  let changing: Changing | null = null;
  let kept: number | undefined;
  /** Most elements that the page has had: while it grows, it is still coming. */
  let size = 0;

  const patienceOf = ({ id }: Comment): Patience => {
    const known = patience.get(id) ?? new Patience();
    patience.set(id, known);
    return known;
  };

  const wake = () => {
    clearTimeout(timer);
    const at = schedule.next();
    if (at !== null && !signal.aborted) timer = setTimeout(() => void run(), Math.max(0, at - now()));
  };

  const run = async () => {
    const changed = schedule.begin();
    try {
      const due = await check(changed);
      const wanted = due.map((comment) => patienceOf(comment).notBefore);
      if (schedule.checked(now(), due.length > 0 ? Math.min(...wanted) : null, changed)) {
        const mutated = await look(due);
        schedule.looked(now(), mutated);
        await tell(() => true);
      } else await tell((comment) => !due.includes(comment));
    } catch (error) {
      if (signal.aborted) return;
      changing = null;
      console.warn(`opentoolbar: could not look for the commented elements: ${sentence(error)}`);
      schedule.failed(now());
    }
    wake();
  };

  /** The cheap check of every comment. */
  const check = async (changed: boolean): Promise<Comment[]> => {
    const slices = new Slices(signal);
    await slices.rest();
    const due = new Set<Comment>();
    const comments = state.pinned.value;
    const { length } = document.getElementsByTagName('*');
    if (length > size && now() - pageBegan < LONGEST_ARRIVAL_MS) reports.arrived(now());
    size = Math.max(size, length);
    for (const comment of comments) {
      if (slices.over()) await slices.rest();
      const before = excusesOf(sightings.of(comment.id));
      excuse(comment);
      // Scrolled back, loaded, or at its own address again.
      if (before && !excusesOf(sightings.of(comment.id))) patienceOf(comment).renew();
      if (sightings.isDue(comment, changed)) {
        due.add(comment);
        // Bad news is told only right after a look.
        if (reports.isRipe(comment.id, now())) patienceOf(comment).renew();
      } else if (changed) sightings.measure(comment.id);
    }
    if (changed) {
      // Searching the page is bounded by itself, but takes what a slice has.
      await slices.rest();
      for (const comment of sightings.misled(comments, now)) {
        if (!due.has(comment)) patienceOf(comment).renew();
        due.add(comment);
      }
    }
    return [...due];
  };

  /** Captures and asks; all comments take part, so that no two are given the same element. */
  const look = async (due: readonly Comment[]): Promise<boolean> => {
    const comments = state.pinned.value;
    changing = new Changing();
    const capturedAt = Date.now();
    const page = await sendPage(signal);
    holdNodes(page.nodes);
    const source = epoch.source(capturedAt);
    const answers = await ask('judge', {
      capture: page.capture,
      commentIds: comments.map((comment) => comment.id),
      page: source,
      held: sightings.nodesOf(comments, page.nodes),
    });
    hear(observer.takeRecords());
    const { has } = changing;
    const slices = new Slices(signal);
    await slices.rest();
    const wasDue = new Set(due.map(({ id }) => id));
    const seen: KeptComment[] = [];
    for (const [at, comment] of comments.entries()) {
      if (slices.over()) await slices.rest();
      const findings = answers[at];
      if (findings?.length !== comment.targets.length) continue;
      const news = sightings.take(comment, findings, page.nodes, wasDue.has(comment.id), has);
      excuse(comment);
      if (wasDue.has(comment.id)) patienceOf(comment).looked(now(), news);
      seen.push(seenOf(comment, findings));
    }
    const until = Date.now() + Math.max(0, reports.hereAt - now());
    keeping.add({ capture: page.capture.id, at: capturedAt, until, comments: seen }, source);
    keepLater();
    changing = null;
    return page.mutated;
  };

  /**
   * The browser makes an object for each node that a script sees. While those of the last look are kept, the next one
   * makes none, and no collection of thousands of new ones falls into a slice. A timer holds what it is to be called
   * with.
   */
  const holdNodes = (nodes: readonly Node[]) => {
    clearTimeout(kept);
    kept = window.setTimeout(() => {}, KEEP_NODES_MS, nodes);
  };

  const keepLater = () => {
    clearTimeout(keepTimer);
    const at = keeping.next();
    if (at === null || signal.aborted) return;
    keepTimer = setTimeout(() => void keepLooks(), Math.max(0, at - Date.now()));
  };

  /** What has rested is what later looks are compared with. */
  const keepLooks = async () => {
    try {
      const isOpen = (id: string) => reports.waits(id) || excusesOf(sightings.of(id));
      for (const { capture, comments } of keeping.due(Date.now(), isOpen)) {
        await ask('keep_looks', { capture, commentIds: comments.map(({ id }) => id) });
        const grown = comments.flatMap(({ id, varied }) =>
          varied ? [{ commentId: id, states: varied.map(() => null), varied }] : [],
        );
        if (grown.length > 0) await ask('report_states', { reports: grown });
      }
    } catch (error) {
      // They are seen again.
      console.debug(`opentoolbar: looks were not kept: ${sentence(error)}`);
    }
    keepLater();
  };

  /** The source changed at that moment, as is known now: every comment is judged by it, though it may look the same. */
  const sourceChanged = (at: number) => {
    keeping.changed(at, Date.now());
    reports.sourceChanged();
    sightings.touchAll();
    for (const each of patience.values()) each.renew();
    soon(true);
  };

  const excuse = (comment: Comment) => {
    const lost = reports.told(comment.id) === 'lost';
    for (const [at, sighting] of sightings.of(comment.id).entries())
      sighting.excuse = excuseOf(comment, at, sighting, state.url.value, lost);
  };

  /** Tells what has held, and draws what was seen. `fresh`: what is known of a comment is what is there now. */
  const tell = async (fresh: (comment: Comment) => boolean) => {
    const at = now();
    if (document.readyState !== 'complete') reports.arrived(at);
    const told: SightingReport[] = [];
    for (const comment of state.pinned.value) {
      const targets = sightings.of(comment.id);
      const states = reportOf(targets, Date.now());
      if (!states || comment.status === 'resolved') {
        sightings.hold(comment.id, false);
        continue;
      }
      reports.know(comment.id, anchorsOf(comment), storedSight(comment), storedDetails(comment));
      const excused = targets.some((sighting) => sighting.excuse !== null);
      const known = comment.targets.map(({ state }, place) => states[place] ?? state);
      reports.saw(comment.id, sightOf(known), detailsOf(known), at, excused);
      if (fresh(comment) && reports.isRipe(comment.id, at)) told.push({ commentId: comment.id, states });
      sightings.hold(comment.id, reports.waits(comment.id));
    }
    onSeen();
    const next = reports.next();
    if (next !== null) schedule.dueBy(Math.max(next, now() + CHECK_AFTER_MS));
    if (told.length === 0) return;
    await ask('report_states', { reports: told });
    for (const { commentId } of told) {
      reports.tell(commentId, at);
      sightings.hold(commentId, false);
    }
    onSeen();
  };

  const soon = (pageChanged: boolean) => {
    schedule.notice(now(), pageChanged);
    wake();
  };

  const hear = (records: MutationRecord[]) => {
    if (records.every(({ target }) => isOwn(target))) return;
    onMutation();
    const some = records.slice(0, LOOKED_INTO);
    sightings.touch(records.length > some.length ? [document] : some.map(({ target }) => target));
    changing?.add(records);
    soon(true);
  };
  const observer = new MutationObserver(hear);
  const observed = new WeakSet<Node>();
  const observe = (node: Document | ShadowRoot) => {
    if (observed.has(node)) return;
    observed.add(node);
    observer.observe(node, { subtree: true, childList: true, characterData: true, attributes: true });
  };
  for (const each of documentsOf(document)) observe(each);
  const onLoad = (event: Event) => {
    if (!event.isTrusted) return;
    for (const each of documentsOf(document)) observe(each);
    soon(true);
  };
  const { hubCame, pinned } = initEvidence({
    epoch,
    onChange: sourceChanged,
    onRead: () => {
      // What could not be told from a change before can be now.
      sightings.touchAll();
      soon(true);
    },
    onMorphed: () => {
      sightings.touchAll();
      soon(true);
    },
    comments: () => state.pinned.peek().map(({ id }) => id),
    signal,
  });
  document.addEventListener('load', onLoad, { capture: true, signal });
  document.addEventListener('readystatechange', () => soon(true), { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      schedule.show(now(), document.visibilityState === 'visible');
      wake();
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
    clearTimeout(kept);
    clearTimeout(keepTimer);
  });

  return {
    soon,
    arrived: () => {
      pageBegan = now();
      size = 0;
      reports.arrived(pageBegan);
      sightings.keepOnly(state.pinned.value);
      for (const each of patience.values()) each.renew();
      soon(true);
    },
    hubCame,
    pinned,
    filesChanged: (at) => {
      if (epoch.filesChanged(at)) sourceChanged(at);
    },
    watch: (element) => {
      for (const root of rootsOf(element)) observe(root);
    },
  };
}

function excusesOf(targets: readonly Sighting[]): boolean {
  return targets.some((sighting) => sighting.excuse !== null);
}

/** What is to be kept of a look at a comment. */
function seenOf({ id }: Comment, findings: readonly Finding[]): KeptComment {
  const found = findings.map((finding) => ('unreadable' in finding ? null : finding));
  const varied = found.map((finding) => finding?.varied ?? []);
  return {
    id,
    isEvident: found.some((finding) => finding?.evidence === 'hot' || finding?.evidence === 'loaded'),
    ...(varied.some((values) => values.length > 0) ? { varied } : {}),
  };
}

const SIGHTS: Record<TargetState['verdict'], Sight> = {
  unchanged: 'well',
  moved: 'well',
  changed: 'changed',
  ambiguous: 'lost',
  missing: 'lost',
};

/** Only what comes from a change of the source is bad news. */
function sightOf(states: readonly (TargetState | undefined)[]): Sight {
  const sights = states.map((state) =>
    state && (state.cause ?? 'source') === 'source' ? SIGHTS[state.verdict] : 'well',
  );
  return sights.includes('lost') ? 'lost' : sights.includes('changed') ? 'changed' : 'well';
}

function detailsOf(states: readonly (TargetState | undefined)[]): string {
  return JSON.stringify(states.map((state) => [state?.verdict ?? 'unchanged', state?.diff ?? []]));
}

function storedSight(comment: Comment): Sight {
  return sightOf(comment.targets.map(({ state }) => state));
}

function storedDetails(comment: Comment): string {
  return detailsOf(comment.targets.map(({ state }) => state));
}

function anchorsOf(comment: Comment): string {
  return comment.targets.map((target) => target.anchor).join(' ');
}
