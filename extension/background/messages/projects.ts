/** Which project a tab belongs to, and what the hub offers to that. */
import { message } from './message';
import { boolean, fields, tabId, text } from './schema';
import { sessionOf } from './tab';

export const projects = {
  set_project: message({
    from: 'panel',
    payload: fields({ tabId, root: text(8192) }),
    async answer({ link, sessions }, { tabId, root }) {
      const { origin } = await sessionOf(sessions, tabId);
      const result = await link.request({ type: 'set_origin_project', payload: { origin, root } });
      if (result.type === 'error') throw new Error(`${result.payload.message}. ${result.payload.nextStep}`);
      await sessions.reopen(); // answers with the project, and what waits can go
      return null;
    },
  }),

  /**
   * The person takes over what is offered to the tab's project, or does not want it. Answered with how many comments
   * came, and how many did not: they were here already, or cannot be read.
   */
  answer_offer: message({
    from: 'panel',
    payload: fields({ tabId, offerId: text(1_000), accept: boolean }),
    async answer({ offers, sessions }, { tabId, offerId, accept }) {
      return offers.answer(await sessionOf(sessions, tabId), offerId, accept);
    },
  }),
};
