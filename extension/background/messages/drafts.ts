/** Text that is not saved yet, and the fields in frames in which it is written. */
import { MOST_TEXT } from '../../state/draft';
import { keepDraft } from '../drafts';
import { originOf } from '../page-address';
import { message } from './message';
import { fields, integer, nothing, optional, secret, text, url, wholeUrl } from './schema';

const typed = fields({ secret, count: integer });
const place = { pathname: url, url: wholeUrl, text: text(MOST_TEXT) };

export const drafts = {
  /** Kept for as long as the tab lives. */
  keep_draft: message({
    from: 'content',
    payload: fields({ ...place, typed: optional(typed) }),
    async answer(app, draft, sender) {
      await keepDraft(app, sender, draft, false);
      return null;
    },
  }),

  /** Answered by pathname, of the sender's origin; of pages whose pathname is redacted the sender's own alone. */
  get_drafts: message({
    from: 'content',
    payload: nothing,
    async answer({ drafts, pages }, _payload, { tabId, origin, url }) {
      return drafts.of(tabId, origin, await pages.of(url));
    },
  }),

  /** What the overlay will hand to a text field of its own in a frame, which then asks whether it is known. */
  offer_field: message({
    from: 'content',
    payload: fields({ secret }),
    async answer({ fields }, { secret }, { tabId }) {
      fields.offer(tabId, secret);
      return null;
    },
  }),

  /** A field asks whether the overlay of its tab offered it this secret. */
  claim_field: message({
    from: 'field',
    payload: fields({ secret }),
    async answer({ fields }, { secret }, { tabId }) {
      return fields.claim(tabId, secret);
    },
  }),

  /** What is being typed. A field says so only when its overlay's secret was right: the place is the overlay's word. */
  keep_text: message({
    from: 'field',
    payload: fields({ ...place, typed }),
    async answer(app, draft, { tabId }) {
      await keepDraft(app, { tabId, origin: originOf(draft.url) ?? '' }, draft, true);
      return null;
    },
  }),
};
