/**
 * Messages of the extension's own parts, decoded once: a content script shares its process with a page that may be
 * hostile, so that a message is of its type only after this. What the core checks (captures, targets, changes) is
 * only checked for its outline here.
 */
import { isSecret } from '../field/protocol';
import type { Draft, PictureFrame, ToBackground } from '../messages';

/** What a message of each type must hold, by field. */
type Check = (value: unknown) => boolean;
type Checks = Record<string, Check>;

const text =
  (longest: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= longest;
const integer: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const boolean: Check = (value) => typeof value === 'boolean';
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const list =
  (check: Check, most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(check);
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);
/** Milliseconds since the epoch. */
const moment: Check = (value) => finite(value) && (value as number) >= 0 && (value as number) < 8.64e15;
const finite: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const fields =
  (checks: Checks): Check =>
  (value) =>
    object(value) &&
    Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]));

const id = text(80);
/** An id that the sender chose for something new. */
const fresh =
  (prefix: 'c_' | 'm_'): Check =>
  (value) =>
    typeof value === 'string' && value.startsWith(prefix) && /^[\w-]{3,66}$/.test(value);
const longest = 96 * 1024 * 1024;
/** More than the hub takes: what it refuses is shown with its words and why. */
const message = text(4 * 1024 * 1024);
const rectangle = fields({ x: finite, y: finite, width: finite, height: finite });
const url = text(64 * 1024);
/** As the page has it: browsers take addresses of up to 2 MiB. */
const wholeUrl = text(2 * 1024 * 1024);
const title = text(64 * 1024);
const capture = fields({
  id,
  pieces: (value) => integer(value) && (value as number) <= 100_000,
  version: integer,
  url,
  title,
  viewport: fields({ width: finite, height: finite }),
});

const typed = fields({ secret: isSecret, count: integer });
const draft: Checks = { pathname: url, url: wholeUrl, text: text(100_000), typed: optional(typed) };

const payloads: { [T in ToBackground['type']]: Checks } = {
  describe: { capture, nodes: list(integer, 50), probes: list(nullable(object), 50) },
  judge: {
    capture,
    commentIds: list(id, 10_000),
    page: fields({
      began: moment,
      changedAt: moment,
      filesUntil: moment,
      isServedHot: boolean,
      isUnknown: boolean,
      madeOtherAt: moment,
    }),
  },
  keep_looks: { capture: id, commentIds: list(id, 10_000) },
  note_sources: { at: moment, seen: list(fields({ address: text(20), hash: text(20) }), 500) },
  note_document: { at: moment, address: text(20), code: text(500), kinds: text(200) },
  note_made: { at: moment, address: text(20), skeleton: text(20), words: text(20), changedAt: moment },
  ask_files: { commentIds: list(id, 10_000), began: optional(moment) },
  capture_piece: {
    id,
    at: integer,
    piece: fields({
      strings: text(longest),
      nodes: text(longest),
      attributes: text(longest),
      drawings: text(longest),
    }),
  },
  report_states: {
    reports: list(
      fields({
        commentId: id,
        states: list(nullable(object), 50),
        varied: optional(list(list(object, 8), 50)),
      }),
      10_000,
    ),
  },
  create_comment: {
    id: fresh('c_'),
    targets: list(object, 50),
    text: text(100_000),
    url,
    title,
    picture: boolean,
  },
  change_comment: { commentId: id, change: object },
  get_page_state: {},
  load_overlay: {},
  keep_draft: draft,
  get_drafts: {},
  page_moved: { url, title },
  picking_changed: { picking: boolean },
  overlay_removed: {},
  offer_field: { secret: isSecret },
  show_embedded: { showsEmbedded: boolean },
  set_picking: { tabId: integer, picking: boolean },
  jump_to: { tabId: integer, commentId: id },
  settle: { tabId: integer, commentId: id, at: integer, act: oneOf('confirm', 'point', 'choose') },
  import_comments: { tabId: integer, json: text(longest) },
  export_json: { tabId: integer, pathname: optional(url) },
  export_prompt: { tabId: integer, pathname: optional(url), level: oneOf('brief', 'standard', 'full') },
  get_screenshot: { commentId: id },
  set_project: { tabId: integer, root: text(8192) },
  answer_offer: { tabId: integer, offerId: text(1_000), accept: boolean },
  retry_problem: { seq: integer },
  discard_problem: { seq: integer },
  deliver_now: { tabId: integer },
  dismiss_problems: { tabId: integer },
  check_connection: { tabId: integer, isByPerson: boolean },
  attach_page: { tabId: integer },
  reload_page: { tabId: integer },
  pair: { address: text(200), code: text(200) },
  forget_pairing: {},
  open_panel: {},
  send_to_chat: {
    id: fresh('m_'),
    selection: fields({
      element: object,
      ancestors: list(object, 64),
      children: optional(list(object, 64)),
      targets: optional(list(object, 50)),
    }),
    text: message,
    url,
    title,
    picture: boolean,
    annotationId: optional(id),
  },
  send_message: { id: fresh('m_'), sessionId: id, text: message, contextId: optional(id) },
  retry_message: { messageId: id },
  discard_message: { messageId: id },
  stop_waiting: { sessionId: id },
  read_chat: { sessionId: id },
  get_context_picture: { contextId: id },
  seen_answer: { commentId: id },
  decline_annotation: { tabId: optional(integer), annotationId: id },
  point_for_annotation: { tabId: integer, annotationId: id },
};

const pictureFrame = fields({
  crop: optional(rectangle),
  mask: list(rectangle, 10_000),
  viewport: fields({ width: finite, height: finite }),
  devicePixelRatio: (value) => finite(value) && (value as number) > 0,
});

/** What a page says that a picture of it shows; null when it says something else. */
export function decodePictureFrame(answer: unknown): PictureFrame | null {
  return pictureFrame(answer) ? (answer as PictureFrame) : null;
}

/** A text that is not saved yet. */
export const isDraft = (value: unknown): value is Draft => fields(draft)(value);

/** Every type of message that there is. */
export const messageTypes = Object.keys(payloads) as ToBackground['type'][];

/** The message, or nothing when it is none of ours. */
export function decode(message: unknown): ToBackground | undefined {
  if (!object(message)) return undefined;
  const { type, payload } = message as { type?: unknown; payload?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(payloads, type)) return undefined;
  return fields(payloads[type as ToBackground['type']])(payload) ? (message as ToBackground) : undefined;
}
