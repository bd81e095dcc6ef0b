/** Answers the messages of content scripts and panels. Each message is one function; a failure is a sentence. */
import { browser } from 'wxt/browser';
import { Late, PAGE_ANSWERS_WITHIN, within } from '../deadline';
import type { Comment } from '../generated/Comment';
import type { SourceQuery } from '../generated/SourceQuery';
import type { Answers, Result, ToBackground } from '../messages';
import type { App } from './app';
import { base64 } from './base64';
import { CaptureLost } from './captures';
import { keepDraft } from './drafts';
import { showEmbedded, showsEmbedded } from './embedded';
import { describe, judge, news } from './pages';
import { attach, injectOverlay, isAllowed } from './permissions';
import { contentOf, ownComment, type Sender } from './sender';
import { createComment, sendToChat } from './submissions';
import { openPanel, warn } from './toolbar';
import { pageStateOf, tellInTime } from './views';

type Type = ToBackground['type'];
type Payload<T extends Type> = Extract<ToBackground, { type: T }>['payload'];
type Handlers = {
  [T in Type]: (app: App, payload: Payload<T>, sender: Sender) => Promise<Answers[T]>;
};

/**
 * What a page's script is told where opentoolbar may not be (any more). It may have been left in a page that nobody sees: one
 * that the browser keeps for the way back, or has frozen.
 */
const FORBIDDEN = {
  error: 'opentoolbar is not allowed on this site. Click its button in the toolbar to allow it.',
  leave: true,
} as const;

/** The answer to whatever a sender asks who may not be where it is; nothing for all others. */
export async function refusal(sender: Sender): Promise<typeof FORBIDDEN | undefined> {
  return sender.kind === 'content' && !(await isAllowed(sender.url)) ? FORBIDDEN : undefined;
}

/** The answer to a decoded message of a sender who may ask. Never rejects. */
export async function answer<T extends Type>(
  app: () => Promise<App>,
  message: Extract<ToBackground, { type: T }>,
  sender: Sender,
): Promise<Result<Answers[T]>> {
  try {
    const refused = await refusal(sender);
    if (refused) return refused;
    const handler = handlers[message.type] as Handlers[T];
    return { ok: await handler(await app(), message.payload as Payload<T>, sender) };
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure);
    return failure instanceof CaptureLost ? { error, isLost: true } : { error };
  }
}

const handlers: Handlers = {
  async describe({ core, captures }, { capture, nodes, probes }, sender) {
    return describe(core, captures.take(contentOf(sender).tabId, capture), nodes, probes);
  },

  async capture_piece({ captures }, { id, at, piece }, sender) {
    captures.keep(contentOf(sender).tabId, id, at, piece);
    return null;
  },

  async judge(app, { capture, commentIds, page }, sender) {
    const { core, comments, captures, sessions, looks, files, seenStates, views } = app;
    const { tabId } = contentOf(sender);
    const json = captures.take(tabId, capture);
    const asked = await Promise.all(commentIds.map((id) => ownComment(comments, id, sender)));
    const tab = await sessions.of(tabId);
    const session = tab?.id;
    const known = {
      page,
      find: async (queries: SourceQuery[]) => (tab ? files.find(tab, queries) : undefined),
      words: session === undefined ? [] : files.of(session),
      looks: session === undefined ? new Map() : await looks.of(session, asked),
    };
    const { findings, seen } = await judge(core, json, asked, known);
    if (session !== undefined) looks.propose(session, capture.id, seen);
    if (await seenStates.look(tabId, asked, findings)) views.changedTab(tabId);
    return findings;
  },

  async keep_looks({ comments, sessions, looks }, { capture, commentIds }, sender) {
    const session = await sessions.of(contentOf(sender).tabId);
    const kept = await Promise.all(commentIds.map((id) => ownComment(comments, id, sender)));
    if (session) await looks.keep(session.id, capture, kept);
    return null;
  },

  async note_sources({ sources }, { at, seen }, sender) {
    return sources.note(contentOf(sender).origin, seen, at);
  },

  async note_document({ sources }, { at, ...seen }, sender) {
    return sources.noteDocument(contentOf(sender).origin, seen, at);
  },

  async note_made({ sources }, { at, ...seen }, sender) {
    return sources.noteMade(contentOf(sender).origin, seen, at);
  },

  async ask_files({ comments, files }, { commentIds, began }, sender) {
    const asked = await Promise.all(commentIds.map((id) => ownComment(comments, id, sender)));
    return files.loaded(contentOf(sender).tabId, asked, began);
  },

  async report_states({ comments, outbox, looks, sessions }, { reports }, sender) {
    const session = await sessions.of(contentOf(sender).tabId);
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

  create_comment: createComment,

  async change_comment({ comments, outbox }, { commentId, change }, sender) {
    await ownComment(comments, commentId, sender);
    const changed = await comments.change(commentId, change, Date.now());
    void outbox.flush();
    return changed;
  },

  async get_page_state(app, _payload, sender) {
    const { views, sessions, picking, captures, link, roundTrips, seenStates } = app;
    link.start();
    const { tabId, url, title, origin } = contentOf(sender);
    // A content script asks when it starts: its page is new, and not picking yet.
    captures.forget(tabId);
    roundTrips.setExpelled(tabId, false);
    await sessions.visit(tabId, url, title);
    await picking.heard(tabId, false);
    await seenStates.forget(tabId);
    views.forget(tabId);
    views.changedTab(tabId);
    return { ...pageStateOf(await views.stateOf(tabId)), showsEmbedded: await showsEmbedded(origin) };
  },

  async load_overlay(_app, _payload, sender) {
    await injectOverlay(contentOf(sender).tabId);
    return null;
  },

  async keep_draft(app, draft, sender) {
    await keepDraft(app, contentOf(sender), draft, false);
    return null;
  },

  async get_drafts({ drafts, pages }, _payload, sender) {
    const { tabId, origin, url } = contentOf(sender);
    return drafts.of(tabId, origin, await pages.of(url));
  },

  async page_moved({ sessions, views }, { url, title }, sender) {
    const { tabId, origin } = contentOf(sender);
    if (!URL.canParse(url) || new URL(url).origin !== origin) throw new Error('This is another page.');
    await sessions.visit(tabId, url, title);
    views.changedTab(tabId);
    return null;
  },

  async picking_changed({ picking, views }, payload, sender) {
    const { tabId } = contentOf(sender);
    if (await picking.heard(tabId, payload.picking)) views.changedTab(tabId);
    return null;
  },

  async offer_field({ fields }, { secret }, sender) {
    fields.offer(contentOf(sender).tabId, secret);
    return null;
  },

  async overlay_removed({ roundTrips }, _payload, sender) {
    const { tabId } = contentOf(sender);
    roundTrips.setExpelled(tabId, true);
    await warn(
      tabId,
      'This page keeps removing opentoolbar’s pins and comment box. Its comments are in the panel; reload the page to try again.',
    );
    return null;
  },

  async show_embedded(_app, payload, sender) {
    await showEmbedded(contentOf(sender).origin, payload.showsEmbedded);
    return null;
  },

  async set_picking({ picking, roundTrips }, payload) {
    // The page's script tries again, and says so if it is taken out again.
    if (payload.picking) roundTrips.setExpelled(payload.tabId, false);
    await picking.set(payload.tabId, payload.picking);
    return null;
  },

  async jump_to(_app, { tabId, commentId }) {
    const told = await tellInTime(tabId, { type: 'jump_to', payload: { commentId } });
    if (!told) throw new Error('The page does not answer. Reload it and try again.');
    return null;
  },

  async settle(_app, { tabId, commentId, at, act }) {
    const told = await tellInTime(tabId, { type: 'settle', payload: { commentId, at, act } });
    if (!told) throw new Error('The page does not answer. Reload it and try again.');
    return null;
  },

  async import_comments({ core, comments, sessions, outbox }, { tabId, json }) {
    const session = await sessionOf(sessions, tabId);
    // All comments, not only the origin's: an export may hold comments of several.
    const all = await comments.all();
    const {
      comments: merged,
      imported,
      added,
      updated,
      skipped,
      full,
    } = core.importJson(all, json, Date.now());
    const taken = new Set([...added, ...updated]);
    const [changed, theirs] = [merged, imported].map((list) => list.filter(({ id }) => taken.has(id)));
    if (changed?.length && theirs) await comments.import(changed, theirs, session.id, session.origin);
    void outbox.flush();
    return { added: added.length, updated: updated.length, skipped: skipped.length, full: full.length };
  },

  async export_json(app, { tabId, pathname }) {
    return app.core.exportJson(await commentsOf(app, tabId, pathname), Date.now());
  },

  async export_prompt(app, { tabId, pathname, level }) {
    const { core, seenStates } = app;
    const those = await seenStates.over(tabId, await commentsOf(app, tabId, pathname));
    return core.exportPrompt(those, { level, includeResolved: false });
  },

  async get_screenshot({ comments }, { commentId }) {
    const png = await comments.screenshot(commentId);
    return png ? `data:image/png;base64,${await base64(png)}` : null;
  },

  async set_project({ link, sessions }, { tabId, root }) {
    const { origin } = await sessionOf(sessions, tabId);
    const result = await link.request({ type: 'set_origin_project', payload: { origin, root } });
    if (result.type === 'error') throw new Error(`${result.payload.message}. ${result.payload.nextStep}`);
    await sessions.reopen(); // answers with the project, and what waits can go
    return null;
  },

  async answer_offer({ offers, sessions }, { tabId, offerId, accept }) {
    return offers.answer(await sessionOf(sessions, tabId), offerId, accept);
  },

  async retry_problem({ problems, outbox }, { seq }) {
    await problems.retry(seq);
    void outbox.flush();
    return null;
  },

  async discard_problem({ problems, outbox }, { seq }) {
    await problems.discard(seq);
    void outbox.flush();
    return null;
  },

  async deliver_now({ link, outbox, sessions }, { tabId }) {
    const { origin } = await sessionOf(sessions, tabId);
    link.start();
    await outbox.hurry(origin);
    // Not waited for: much may wait, and the hub may be slow with each of it.
    void outbox.flush();
    return null;
  },

  async dismiss_problems({ problems, outbox, sessions }, { tabId }) {
    await problems.dismiss((await sessionOf(sessions, tabId)).origin);
    void outbox.flush();
    return null;
  },

  async check_connection({ roundTrips }, { tabId, isByPerson }) {
    await roundTrips.make(tabId, isByPerson);
    return null;
  },

  async attach_page({ roundTrips }, { tabId }) {
    await within(PAGE_ANSWERS_WITHIN, attach(tabId)).catch((failure: unknown) => {
      if (failure instanceof Late) throw failure;
      throw new Error(
        'This page takes no script. Reload it; pictures, PDF and XML have nothing to point at.',
      );
    });
    await roundTrips.make(tabId, true);
    return null;
  },

  async reload_page(_app, { tabId }) {
    await browser.tabs.reload(tabId);
    return null;
  },

  async pair({ paired }, { address, code }) {
    return paired.pair(address, code);
  },

  async forget_pairing({ paired, views }) {
    await paired.forget();
    await views.changedAll();
    return null;
  },

  async open_panel(_app, _payload, sender) {
    await openPanel(sender.kind === 'content' ? sender.tabId : undefined);
    return null;
  },

  send_to_chat: sendToChat,

  async send_message({ conversations, sessions, outbox }, { id, sessionId, text, contextId }) {
    const session = await sessions.withId(sessionId);
    if (!session) throw new Error('The page of this conversation is closed. Open it again to go on.');
    await conversations.say(session, { id, text }, contextId === undefined ? undefined : { contextId });
    void outbox.flush();
    return null;
  },

  async retry_message({ conversations, outbox }, { messageId }) {
    await conversations.retry(messageId);
    void outbox.flush();
    return null;
  },

  async discard_message({ conversations }, { messageId }) {
    await conversations.discard(messageId);
    return null;
  },

  async stop_waiting({ conversations }, { sessionId }) {
    await conversations.stop(sessionId);
    return null;
  },

  async read_chat({ conversations }, { sessionId }) {
    await conversations.read(sessionId);
    return null;
  },

  async seen_answer({ answered, comments, views }, { commentId }, sender) {
    await ownComment(comments, commentId, sender);
    if (await answered.seen([commentId])) await views.changedOrigin(contentOf(sender).origin);
    return null;
  },

  async get_context_picture({ conversations }, { contextId }) {
    const png = await conversations.picture(contextId);
    return png ? `data:image/png;base64,${await base64(png)}` : null;
  },

  async decline_annotation({ conversations, sessions }, { tabId, annotationId }, sender) {
    const { id } = await sessionOf(sessions, sender.kind === 'content' ? sender.tabId : (tabId ?? -1));
    // The hub refuses what was not asked in this session: a background that has just started does not know what was.
    await conversations.decline(id, annotationId);
    return null;
  },

  async point_for_annotation(_app, { tabId, annotationId }) {
    const told = await tellInTime(tabId, { type: 'point_for_annotation', payload: { annotationId } });
    if (!told) throw new Error('The page does not answer. Reload it and try again.');
    return null;
  },
};

async function sessionOf(sessions: App['sessions'], tabId: number) {
  const session = await sessions.of(tabId);
  if (!session)
    throw new Error('opentoolbar isn’t running on this page. Press its toolbar button there first.');
  return session;
}

async function commentsOf(
  { comments, sessions, views }: App,
  tabId: number,
  pathname: string | undefined,
): Promise<Comment[]> {
  const { origin } = await sessionOf(sessions, tabId);
  const all = await comments.of(origin);
  if (pathname === undefined) return all;
  // Pages whose addresses differ in what is redacted alone are told apart where they are shown.
  const shown = (await views.stateOf(tabId)).comments.filter((comment) => comment.pathname === pathname);
  const ids = new Set(shown.map(({ id }) => id));
  return all.filter(({ id }) => ids.has(id));
}
