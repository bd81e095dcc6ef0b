/** A page as its content script captured it, and what becomes of its comments' elements. */
import type { ProbeFacts } from '../../generated/ProbeFacts';
import type { SourceQuery } from '../../generated/SourceQuery';
import type { TargetState } from '../../generated/TargetState';
import type { Varied } from '../../generated/Varied';
import { MOST_CAPTURE } from '../captures';
import { describe, judge, news } from '../pages';
import { ownComment } from '../sender';
import { message } from './message';
import {
  boolean,
  count,
  fields,
  finite,
  fromCore,
  id,
  integer,
  list,
  moment,
  nullable,
  optional,
  text,
  title,
  url,
} from './schema';

const capture = fields({
  id,
  pieces: count(100_000),
  version: integer,
  url,
  title,
  viewport: fields({ width: finite, height: finite }),
});
/** Part of a list, as `state/pieces.ts` writes it. */
const part = text(MOST_CAPTURE);
const commentIds = list(id, 10_000);
const hash = text(20);

export const looking = {
  /** A piece of a capture that `describe` or `judge` will ask about. */
  capture_piece: message({
    from: 'content',
    payload: fields({
      id,
      at: integer,
      piece: fields({ strings: part, nodes: part, attributes: part, drawings: part }),
    }),
    async answer({ captures }, { id, at, piece }, { tabId }) {
      captures.keep(tabId, id, at, piece);
      return null;
    },
  }),

  /** `nodes` are indexes into the capture, `probes` what the probe says of each. Answered with a target for each. */
  describe: message({
    from: 'content',
    payload: fields({
      capture,
      nodes: list(integer, 50),
      probes: list(nullable(fromCore<ProbeFacts>()), 50),
    }),
    async answer({ core, captures }, { capture, nodes, probes }, { tabId }) {
      return describe(core, captures.take(tabId, capture), nodes, probes);
    },
  }),

  /**
   * Looks for these comments of the page. Answered with a list for each of them, of a finding for each of its targets.
   * `held`: likewise the node that the page holds as the element, by its index in the capture; 0: one that is no part
   * of the page any more; null: none.
   */
  judge: message({
    from: 'content',
    payload: fields({
      capture,
      commentIds,
      page: fields({
        began: moment,
        changedAt: moment,
        filesUntil: moment,
        isServedHot: boolean,
        isUnknown: boolean,
        madeOtherAt: moment,
      }),
      held: optional(list(list(nullable(integer), 50), 10_000)),
    }),
    async answer(app, { capture, commentIds, page, held }, sender) {
      const { core, anchors, comments, captures, sessions, looks, files, seenStates, views } = app;
      const { tabId } = sender;
      const captured = captures.take(tabId, capture);
      const asked = await Promise.all(commentIds.map((id) => ownComment(comments, id, sender)));
      const tab = await sessions.of(tabId);
      const session = tab?.id;
      const known = {
        anchors,
        page,
        held: held ?? [],
        find: async (queries: SourceQuery[]) => (tab ? files.find(tab, queries) : undefined),
        words: session === undefined ? [] : files.of(session),
        looks: session === undefined ? new Map() : await looks.of(session, asked),
      };
      const { findings, seen } = await judge(core, captured, asked, known);
      if (session !== undefined) looks.propose(session, capture.id, seen);
      if (await seenStates.look(tabId, asked, findings)) views.changedTab(tabId);
      return findings;
    },
  }),

  /** What that capture shows of these comments has come to rest: what is seen later is compared with it. */
  keep_looks: message({
    from: 'content',
    payload: fields({ capture: id, commentIds }),
    async answer({ comments, sessions, looks }, { capture, commentIds }, sender) {
      const session = await sessions.of(sender.tabId);
      const kept = await Promise.all(commentIds.map((id) => ownComment(comments, id, sender)));
      if (session) await looks.keep(session.id, capture, kept);
      return null;
    },
  }),

  /**
   * What the page loaded, at that moment. Answered with when the latest of it took the place of other content; 0:
   * none did, as far as is known.
   */
  note_sources: message({
    from: 'content',
    payload: fields({ at: moment, seen: list(fields({ address: hash, hash }), 500) }),
    async answer({ sources }, { at, seen }, { origin }) {
      return sources.note(origin, seen, at);
    },
  }),

  /**
   * What code its document had, as `SeenDocument`: 32 pieces at most. Answered with when the code of such a page took
   * the place of other code; 0: never, as far as is known.
   */
  note_document: message({
    from: 'content',
    payload: fields({ at: moment, address: hash, code: text(500), kinds: text(200) }),
    async answer({ sources }, { at, ...seen }, { origin }) {
      return sources.noteDocument(origin, seen, at);
    },
  }),

  /**
   * Which kinds of elements its document was made of and what it said, as `SeenMade`, at that moment. Answered with
   * since when such a document is there in place of others; 0: it was the first, or is one of many.
   */
  note_made: message({
    from: 'content',
    payload: fields({ at: moment, address: hash, skeleton: hash, words: hash, changedAt: moment }),
    async answer({ sources }, { at, ...seen }, { origin }) {
      return sources.noteMade(origin, seen, at);
    },
  }),

  /**
   * A person pinned a comment to what is shown at that address: of the documents that were seen there only this one is
   * known from now on; null: nobody can tell which it is.
   */
  forget_made: message({
    from: 'content',
    payload: fields({ at: moment, address: hash, own: nullable(fields({ skeleton: hash, words: hash })) }),
    async answer({ sources }, { at, address, own }, { origin }) {
      await sources.forgetMade(origin, address, own, at);
      return null;
    },
  }),

  /**
   * Asks the hub about the files of the page's project, as far as these comments want to know. Answered with whether
   * it knows.
   */
  ask_files: message({
    from: 'content',
    // `began`: of a hub that came since the page began to be loaded, which can tell only where nothing has changed
    // since.
    payload: fields({ commentIds, began: optional(moment) }),
    async answer({ comments, files }, { commentIds, began }, sender) {
      const asked = await Promise.all(commentIds.map((id) => ownComment(comments, id, sender)));
      return files.loaded(sender.tabId, asked, began);
    },
  }),

  /** What has been seen for long enough to tell everyone: a state for each target; null: it stays as it is. */
  report_states: message({
    from: 'content',
    payload: fields({
      reports: list(
        fields({
          commentId: id,
          states: list(nullable(fromCore<TargetState>()), 50),
          varied: optional(list(list(fromCore<Varied>(), 8), 50)),
        }),
        10_000,
      ),
    }),
    async answer({ comments, outbox, looks, sessions }, { reports }, sender) {
      const session = await sessions.of(sender.tabId);
      for (const { commentId, ...report } of reports) {
        const comment = await ownComment(comments, commentId, sender);
        const states = news(comment, report);
        if (!states) continue;
        const changed = await comments.change(commentId, { kind: 'report_states', states }, Date.now());
        const said = report.states.find((state) => state !== null);
        if (session && said) await looks.reported(session.id, changed, said.checkedAt);
      }
      void outbox.flush();
      return null;
    },
  }),
};
