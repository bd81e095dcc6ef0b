/** What the chat says about itself. Pure. */
import type { Activity } from '../../generated/Activity';
import type { AgentLink } from '../../generated/AgentLink';
import type { ChatContext, ChatMessage, ChatSummary } from '../../state/chat';
import type { Connection } from '../../state/connection';
import { hangs } from '../connection/lights';
import { pageAddress } from '../tab/page-address';
import { type TargetLabel, targetLabel } from '../text/target-label';

/** Longest part of an answer that a screen reader is told; the rest is there to be read. */
const MOST_SPOKEN = 400;

const doing: Record<Activity['status'], string> = {
  idle: 'is idle',
  thinking: 'is thinking',
  searching: 'is searching',
  editing: 'is editing',
};

const did: Record<Activity['status'], string> = {
  idle: 'was idle',
  thinking: 'was thinking',
  searching: 'was searching',
  editing: 'was editing',
};

/** What an agent last said that it does; of one that hangs it is not known whether it still does. */
export function activityWords(
  { agent, status, detail }: Activity,
  agents: readonly AgentLink[] = [],
): string {
  if (isSilent(agent, agents)) {
    return `${agent} ${did[status]}${detail ? `: ${detail}` : ''}. It does not answer now.`;
  }
  return detail ? `${agent} ${doing[status]}: ${detail}` : `${agent} ${doing[status]}…`;
}

/** Answers that are not whole: who writes, and who left before the end. */
export function writingWords(
  messages: readonly ChatMessage[],
  activities: readonly Activity[],
  { hub, agents }: Connection,
): { agent: string; words: string }[] {
  if (hub !== 'connected') return [];
  const busy = new Set(activities.map(({ agent }) => agent));
  const last = messages.at(-1);
  return messages
    .filter(({ role, isComplete }) => role === 'assistant' && !isComplete)
    .flatMap(({ id, agent = 'The agent' }) => {
      if (busy.has(agent)) return [];
      if (isSilent(agent, agents))
        return [{ agent, words: `${agent} stopped writing. It does not answer now.` }];
      if (agents.some(({ client }) => client === agent)) return [{ agent, words: `${agent} is writing…` }];
      // Of an answer that others followed nobody waits for the end.
      return id === last?.id ? [{ agent, words: `${agent} left before its answer was complete.` }] : [];
    });
}

function isSilent(name: string, agents: readonly AgentLink[]): boolean {
  return agents.some((agent) => agent.client === name && hangs(agent));
}

/** How a question stands that nobody has answered yet. */
export function waitingWords(unanswered: readonly ChatMessage[], connection: Connection): string {
  const last = unanswered.at(-1);
  if (!last) return '';
  if (last.delivery === 'waiting') {
    if (connection.hub === 'checking') return 'Sending…';
    if (connection.hub !== 'connected')
      return 'Waits in this browser, and is sent as soon as the host is connected.';
    if (!connection.project)
      return 'Waits in this browser until it is known which project this page belongs to.';
    return 'Sending…';
  }
  if (last.isRead) return 'Read by an agent. Waiting for its answer…';
  return connection.agents.length > 0
    ? 'Sent. Waiting for an agent to read it…'
    : 'Sent. No agent is connected to this project yet.';
}

/** Answers that became whole between two states, for a screen reader; empty when there are none. */
export function announced(before: readonly ChatMessage[], after: readonly ChatMessage[]): string {
  const whole = new Set(before.filter(({ isComplete }) => isComplete).map(({ id }) => id));
  const fresh = after.filter(
    ({ id, role, isComplete }) => role === 'assistant' && isComplete && !whole.has(id),
  );
  return fresh.map(({ agent, content }) => `${agent ?? 'The agent'} answered: ${spoken(content)}`).join(' ');
}

function spoken(markdown: string): string {
  const text = markdown
    .replace(/^(```|~~~)[^\n]*$/gm, '')
    .replace(/[*_`#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > MOST_SPOKEN ? `${text.slice(0, MOST_SPOKEN)}…` : text;
}

/** A selection in a few words. */
export function contextLabel({ targets, tagName }: ChatContext): TargetLabel {
  const [first] = targets;
  if (!first) return { element: tagName === 'html' ? 'This page' : tagName };
  const label = targetLabel(first);
  return targets.length > 1
    ? { ...label, element: `${label.element} and ${targets.length - 1} more` }
    : label;
}

/** A conversation in a list: the page's title, its path, and what is new. */
export function summaryLabel({ title, url, unread }: ChatSummary): string {
  const { host, pathname } = pageAddress(url);
  const name = title ? `${title} · ${host}${pathname}` : `${host}${pathname}`;
  return unread > 0 ? `${name} (${unread} new)` : name;
}
