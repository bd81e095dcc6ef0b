/** What the panel says over its ports. */
import { type PanelToApprovals, type PanelToBackground, type PanelToChat, SIGHTS } from '../../state/ports';
import { fields, id, is, nullable, oneOf, type Schema, tabId } from './schema';

export const watch: Schema<unknown, PanelToBackground> = fields({
  type: is('watch'),
  tabId,
  sight: oneOf(SIGHTS),
});
export const watchChat: Schema<unknown, PanelToChat> = fields({ type: is('watch_chat'), sessionId: id });
export const watchApprovals: Schema<unknown, PanelToApprovals> = fields({
  type: is('watch_approvals'),
  tabId: nullable(tabId),
});
