/**
 * What agents ask the person's yes or no for. Only a page of the extension decides: a content script shares its process
 * with a page that may be hostile, and shows no more than that something waits.
 */
import { openPanel } from '../toolbar';
import { atOnce, message } from './message';
import { boolean, count, fields, id, nothing, optional, text } from './schema';

export const approvals = {
  /** The person wants to see what waits: opens the panel of the page's tab, with that in it. */
  open_approvals: atOnce({
    from: 'content',
    payload: nothing,
    async answer(_payload, { tabId }, app) {
      const opened = openPanel(tabId);
      const { approvalPanels } = await app();
      approvalPanels.show(tabId);
      await opened;
      return null;
    },
  }),

  /** The person's yes or no, bound to the words that were shown by their `hash`. */
  decide_approval: message({
    from: 'panel',
    payload: fields({
      id,
      hash: text(200),
      approve: boolean,
      note: optional(text(4_000)),
      rule: optional(fields({ hours: count(168), anyContext: boolean })),
    }),
    async answer({ approvals }, decision) {
      await approvals.decide(decision);
      return null;
    },
  }),

  /** A rule that says yes in the person's place holds no longer. */
  stop_rule: message({
    from: 'panel',
    payload: fields({ ruleId: id }),
    async answer({ approvals }, { ruleId }) {
      await approvals.stopRule(ruleId);
      return null;
    },
  }),
};
