/** The way to the hub: round trips, pairing, and what waits for it or was refused. */
import { sentenceOf } from '../approvals';
import { message } from './message';
import { boolean, fields, integer, nothing, tabId, text } from './schema';
import { sessionOf } from './tab';

export const connection = {
  /** One round trip to the page's script, the host and the agents. `isByPerson`: whatever the last one said. */
  check_connection: message({
    from: 'panel',
    payload: fields({ tabId, isByPerson: boolean }),
    async answer({ roundTrips }, { tabId, isByPerson }) {
      await roundTrips.make(tabId, isByPerson);
      return null;
    },
  }),

  /** Pairs with the gateway at an address by a code that `opentoolbar pair` printed. */
  pair: message({
    from: 'panel',
    payload: fields({ address: text(200), code: text(200) }),
    async answer({ paired }, { address, code }) {
      return paired.pair(address, code);
    },
  }),

  /** What an agent needs that comes over HTTP, as JSON for the person to keep. Rejects with why there is none. */
  get_gateway_config: message({
    from: 'panel',
    payload: nothing,
    async answer({ link }) {
      const answer = await link.request({ type: 'get_gateway_config' });
      if (answer.type === 'gateway_config') return answer.payload;
      if (answer.type !== 'error') throw new Error('The host answered something else. Update opentoolbar.');
      // A host that does not know the request says that it is none.
      if (answer.payload.code === 'bad_request')
        throw new Error('The host cannot tell it yet. Update opentoolbar.');
      throw new Error(sentenceOf(answer));
    },
  }),

  forget_pairing: message({
    from: 'panel',
    payload: nothing,
    async answer({ paired, views }) {
      await paired.forget();
      await views.changedAll();
      return null;
    },
  }),

  /** What waits of the tab's page is tried at once, whatever pause it is in. */
  deliver_now: message({
    from: 'panel',
    payload: fields({ tabId }),
    async answer({ link, outbox, sessions }, { tabId }) {
      const { origin } = await sessionOf(sessions, tabId);
      link.start();
      await outbox.hurry(origin);
      // Not waited for: much may wait, and the hub may be slow with each of it.
      void outbox.flush();
      return null;
    },
  }),

  /** Sends a refused change again. */
  retry_problem: message({
    from: 'panel',
    payload: fields({ seq: integer }),
    async answer({ problems, outbox }, { seq }) {
      await problems.retry(seq);
      void outbox.flush();
      return null;
    },
  }),

  /** The person wants a refused change no more. */
  discard_problem: message({
    from: 'panel',
    payload: fields({ seq: integer }),
    async answer({ problems, outbox }, { seq }) {
      await problems.discard(seq);
      void outbox.flush();
      return null;
    },
  }),

  /** The person has read the problems of the tab's page. */
  dismiss_problems: message({
    from: 'panel',
    payload: fields({ tabId }),
    async answer({ problems, outbox, sessions }, { tabId }) {
      await problems.dismiss((await sessionOf(sessions, tabId)).origin);
      void outbox.flush();
      return null;
    },
  }),
};
