/**
 * What a person makes on a page, with its picture: a comment, or something said in the chat. It never waits for its
 * picture to be kept.
 */
import { browser } from 'wxt/browser';
import { redactedAddress, redactedBeginning } from '../../capture/beginning';
import type { Selection } from '../../generated/Selection';
import type { Target } from '../../generated/Target';
import { MOST_TEXT } from '../../state/draft';
import { mustBeOf } from '../page-address';
import { PERSON } from '../rebase';
import { PICTURE_WITHIN, type Pictures, takePictures } from '../screenshots';
import { ownComment } from '../sender';
import { words } from './chat';
import { message } from './message';
import { boolean, fields, fromCore, id, list, newId, optional, text, title, url } from './schema';

const related = list(fromCore(), 64);
/** The core checks what is in it. */
const selection = fromCore<Omit<Selection, 'page'>>(
  fields({
    element: fromCore(),
    ancestors: related,
    children: optional(related),
    targets: optional(list(fromCore(), 50)),
  }),
);

export const submissions = {
  create_comment: message({
    from: 'content',
    payload: fields({
      id: newId('c_'),
      /** From `describe`, in the order the person picked. */
      targets: list(fromCore<Target>(), 50),
      text: text(MOST_TEXT),
      url,
      title,
      /** Whether to take a picture: the page is asked for what it shows, by the id, when it is taken. */
      picture: boolean,
    }),
    async answer({ core, comments, pages, sessions, outbox }, payload, sender) {
      const { tabId, origin, url: unredacted } = sender;
      const url = redactedAddress(payload.url, core.redactText);
      mustBeOf(origin, url, 'The comment is for another page than the one it came from. Reload the page.');
      const known = await comments.get(payload.id);
      if (known) {
        // Asked again: whoever asked did not hear the answer. Its picture is made up for, unless the comment went
        // without.
        await ownComment(comments, payload.id, sender);
        const missing = payload.picture && (await comments.isHeld(payload.id));
        const late = missing ? await takePictures(tabId, payload.id) : null;
        if (missing) await comments.illustrate(payload.id, late?.element ?? null);
        void outbox.flush();
        const isKept = (await comments.pictured()).has(known.id);
        return { comment: known, picture: pictureWord(late, isKept) };
      }
      // At once: the page may move on while the rest is prepared.
      const shot = payload.picture ? takePictures(tabId, payload.id) : null;
      const session = await sessions.visit(tabId, payload.url, payload.title);
      const at = Date.now();
      const comment = core.checkComment({
        id: payload.id,
        revision: 1,
        url,
        pathname: new URL(url).pathname,
        title: redactedBeginning(payload.title, 1_000, core.redactText),
        sessionId: session.id,
        status: 'active',
        stage: 'open',
        text: payload.text.trim(),
        author: PERSON,
        targets: payload.targets,
        replies: [],
        history: [],
        createdAt: at,
        updatedAt: at,
      });
      // Of the address that the comment was made at: the tab may be at another by now.
      const addresses = [(await browser.tabs.get(tabId).catch(() => undefined))?.url ?? '', unredacted];
      const whole = addresses.find((address) => redactedAddress(address, core.redactText) === url);
      const page = whole === undefined ? undefined : await pages.of(whole);
      // Kept before the picture is there: a page that hangs, or a background that ends, costs the picture alone.
      await comments.create(comment, session.id, null, page, shot ? at + PICTURE_WITHIN : undefined);
      const taken = await shot;
      const goes = shot !== null && (await comments.illustrate(comment.id, taken?.element ?? null));
      void outbox.flush();
      return { comment, picture: pictureWord(taken, goes) };
    },
  }),

  /** What the person points at and says, in one go. */
  send_to_chat: message({
    from: 'content',
    payload: fields({
      id: newId('m_'),
      selection,
      text: words,
      url,
      title,
      /** As with `create_comment`. */
      picture: boolean,
      /** The request of an agent that this answers. */
      annotationId: optional(id),
    }),
    async answer({ core, conversations, sessions, outbox }, payload, { tabId, origin }) {
      const url = redactedAddress(payload.url, core.redactText);
      mustBeOf(origin, url, 'The message is for another page than the one it came from. Reload the page.');
      // At once: the page may move on while the rest is prepared.
      const shot = payload.picture ? takePictures(tabId, payload.id) : null;
      const session = await sessions.visit(tabId, payload.url, payload.title);
      const page = { url, title: redactedBeginning(payload.title, 1_000, core.redactText) };
      const context = {
        // As the core read it: a hostile one would be in the way at every start.
        selection: core.checkSelection({ ...payload.selection, page }),
        element: null,
        viewport: null,
        ...(shot ? { heldUntil: Date.now() + PICTURE_WITHIN } : {}),
      };
      const contextId = await conversations.say(session, payload, context);
      const taken = await shot;
      const goes = taken !== null && (await conversations.illustrate(session.id, contextId, taken));
      void outbox.flush();
      return { picture: pictureWord(taken, goes) };
    },
  }),
};

/** Whether a picture is kept with it; `not_allowed` when the browser wants the person's own start. */
type PictureWord = 'kept' | 'none' | 'not_allowed';

/** `kept` only of a picture that goes to the hub. */
function pictureWord(taken: Pictures | null, isKept: boolean): PictureWord {
  if (isKept) return 'kept';
  return taken?.isAllowed === false ? 'not_allowed' : 'none';
}
