/** The style sheets of the features, the general ones first: of two rules that weigh the same the later one holds. */
import differences from '../verdict/differences.css?raw';
import approvals from './approvals/approvals.css?raw';
import commentBox from './comment-box/comment-box.css?raw';
import controls from './host/controls.css?raw';
import host from './host/host.css?raw';
import notices from './notices/notices.css?raw';
import picking from './picking/picking.css?raw';
import pins from './pins/pins.css?raw';
import card from './positioning/card.css?raw';
import outline from './positioning/outline.css?raw';
import textField from './text-field/text-field.css?raw';
import thread from './thread/thread.css?raw';

const general = [host, outline, card, differences, textField, controls];
export const styles = [...general, picking, commentBox, notices, approvals, pins, thread].join('\n');
