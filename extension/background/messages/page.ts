/** A page and its overlay: what its content script needs and tells, and what the person does with it from the panel. */
import { browser } from 'wxt/browser';
import { Late, PAGE_ANSWERS_WITHIN, within } from '../../deadline';
import { ASKED_VIEWS } from '../../state/ports';
import { showEmbedded, showsEmbedded } from '../embedded';
import { mustBeOf } from '../page-address';
import { attach, injectOverlay } from '../permissions';
import { pageStarted } from '../tab-life';
import { openPanel, warn } from '../toolbar';
import { pageStateOf } from '../views';
import { atOnce, message } from './message';
import { boolean, fields, id, integer, nothing, oneOf, optional, tabId, title, url } from './schema';
import { tellPage } from './tab';

export const page = {
  /** The page's script has started, and asks what there is for it. */
  get_page_state: message({
    from: 'content',
    payload: nothing,
    async answer(app, _payload, { tabId, url, title, origin }) {
      app.link.start();
      await pageStarted(app, { tabId, url, title });
      return { ...pageStateOf(await app.views.stateOf(tabId)), showsEmbedded: await showsEmbedded(origin) };
    },
  }),

  /** The page has something to show: put the overlay's script into it. */
  load_overlay: message({
    from: 'content',
    payload: nothing,
    async answer(_app, _payload, { tabId }) {
      await injectOverlay(tabId);
      return null;
    },
  }),

  /** The content script's page got another address without loading. */
  page_moved: message({
    from: 'content',
    payload: fields({ url, title }),
    async answer({ sessions, views }, { url, title }, { tabId, origin }) {
      mustBeOf(origin, url);
      await sessions.visit(tabId, url, title);
      views.changedTab(tabId);
      return null;
    },
  }),

  picking_changed: message({
    from: 'content',
    payload: fields({ picking: boolean }),
    async answer({ picking, views }, payload, { tabId }) {
      if (await picking.heard(tabId, payload.picking)) views.changedTab(tabId);
      return null;
    },
  }),

  /** The page takes the overlay's element out as often as it comes: there is none any more. */
  overlay_removed: message({
    from: 'content',
    payload: nothing,
    async answer({ roundTrips }, _payload, { tabId }) {
      roundTrips.setExpelled(tabId, true);
      await warn(
        tabId,
        'This page keeps removing opentoolbar’s pins and comment box. Its comments are in the panel; reload the page to try again.',
      );
      return null;
    },
  }),

  /** The person says whether pictures of this site show pages of other sites in its frames. */
  show_embedded: message({
    from: 'content',
    payload: fields({ showsEmbedded: boolean }),
    async answer(_app, payload, { origin }) {
      await showEmbedded(origin, payload.showsEmbedded);
      return null;
    },
  }),

  /** `view`: what the person wants to see there, in a panel of the page's tab that is open too; else what was there. */
  open_panel: atOnce({
    from: 'content',
    payload: fields({ view: optional(oneOf(ASKED_VIEWS)) }),
    async answer({ view }, { tabId }, app) {
      const isSeen = () =>
        app().then(
          ({ views }) => views.isSeen(tabId),
          () => false,
        );
      const opened = openPanel(tabId, isSeen);
      const shown = view && app().then(({ views }) => views.show(tabId, view));
      await Promise.all([opened, shown]);
      return null;
    },
  }),

  set_picking: message({
    from: 'panel',
    payload: fields({ tabId, picking: boolean }),
    async answer({ picking, roundTrips }, payload) {
      // The page's script tries again, and says so if it is taken out again.
      if (payload.picking) roundTrips.setExpelled(payload.tabId, false);
      await picking.set(payload.tabId, payload.picking);
      return null;
    },
  }),

  /** In the page's own tab. */
  hide_pins: message({
    from: 'content',
    payload: fields({ hidden: boolean }),
    async answer({ hiddenPins, views }, { hidden }, { tabId }) {
      await hiddenPins.set(tabId, hidden);
      views.changedTab(tabId);
      return null;
    },
  }),

  set_pins_hidden: message({
    from: 'panel',
    payload: fields({ tabId, hidden: boolean }),
    async answer({ hiddenPins, views }, payload) {
      await hiddenPins.set(payload.tabId, payload.hidden);
      views.changedTab(payload.tabId);
      return null;
    },
  }),

  jump_to: message({
    from: 'panel',
    payload: fields({ tabId, commentId: id }),
    answer: (_app, { tabId, commentId }) => tellPage(tabId, { type: 'jump_to', payload: { commentId } }),
  }),

  /** What a person decides about a comment's element, done on the page where it is seen. */
  settle: message({
    from: 'panel',
    payload: fields({ tabId, commentId: id, at: integer, act: oneOf(['confirm', 'point', 'choose']) }),
    answer: (_app, { tabId, ...payload }) => tellPage(tabId, { type: 'settle', payload }),
  }),

  /** Puts our script into a page that lost it. */
  attach_page: message({
    from: 'panel',
    payload: fields({ tabId }),
    async answer({ roundTrips }, { tabId }) {
      await within(PAGE_ANSWERS_WITHIN, attach(tabId)).catch((failure: unknown) => {
        if (failure instanceof Late) throw failure;
        throw new Error(
          'This page takes no script. Reload it; pictures, PDF and XML have nothing to point at.',
        );
      });
      await roundTrips.make(tabId, true);
      return null;
    },
  }),

  reload_page: message({
    from: 'panel',
    payload: fields({ tabId }),
    async answer(_app, { tabId }) {
      await browser.tabs.reload(tabId);
      return null;
    },
  }),
};
