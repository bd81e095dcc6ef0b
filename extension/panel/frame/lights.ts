/**
 * The two links page -> host -> agent as words: each light says only what was seen, and what to do next.
 * Pure; `connected` comes from a round trip alone.
 */
import type { Connection } from '../../messages';
import { ago } from '../time';

/** `good`: a round trip happened. `waiting`: not known yet, or nothing to do but wait. `broken`: needs the person. */
export type LightState = 'good' | 'waiting' | 'broken';

/** What the person can do about a light. */
export type NextStep =
  | { kind: 'retry'; label: string }
  | { kind: 'run'; command: string; afterwards: string }
  | { kind: 'choose_project' };

export interface Light {
  state: LightState;
  /** The word beside the shape. */
  word: string;
  /** One sentence. */
  sentence: string;
  next?: NextStep;
}

/** An agent that asked nothing for this long may be gone without saying so. */
const QUIET_AFTER = 10 * 60_000;

export function hubLight(connection: Connection): Light {
  const detail = connection.hubDetail.trim();
  switch (connection.hub) {
    case 'checking':
      return { state: 'waiting', word: 'Checking', sentence: 'Waiting for the first answer of the host.' };
    case 'connected':
      return { state: 'good', word: 'Connected', sentence: 'The host answers.' };
    case 'none':
      return {
        state: 'broken',
        word: 'Stored in this browser',
        sentence:
          'Comments are kept here, but no agent can read them yet. Install the host, then check again:',
        next: { kind: 'run', command: 'opentoolbar setup', afterwards: 'Check again' },
      };
    case 'lost':
      return {
        state: 'broken',
        word: 'Lost',
        sentence: detail || 'The host stopped answering. Changes are kept here and sent when it is back.',
        next: { kind: 'retry', label: 'Try again' },
      };
    case 'incompatible':
      return {
        state: 'broken',
        word: 'Other version',
        sentence: detail || 'The host and this extension do not understand each other. Update the older one.',
        next: { kind: 'retry', label: 'Check again' },
      };
  }
}

export function agentLight(connection: Connection, now: number): Light {
  if (connection.hub !== 'connected') {
    return { state: 'waiting', word: 'Unknown', sentence: 'The host would know; it does not answer.' };
  }
  if (!connection.project) {
    return {
      state: 'broken',
      word: 'No project',
      sentence: connection.projectReason.trim() || 'It is not known which project this page belongs to.',
      next: { kind: 'choose_project' },
    };
  }
  const newest = connection.agents.reduce<(typeof connection.agents)[number] | undefined>(
    (best, agent) => (best && best.lastSeen >= agent.lastSeen ? best : agent),
    undefined,
  );
  if (!newest) {
    return {
      state: 'broken',
      word: 'None',
      sentence: `No agent works in ${connection.project.name} yet. Add this MCP server to your agent and start it there:`,
      next: { kind: 'run', command: 'opentoolbar mcp', afterwards: 'Check again' },
    };
  }
  const others = connection.agents.length - 1;
  const more = others > 0 ? ` and ${others} more` : '';
  const seen = ago(newest.lastSeen, now);
  if (now - newest.lastSeen > QUIET_AFTER) {
    return {
      state: 'waiting',
      word: 'Quiet',
      sentence: `${newest.client}${more} last asked ${seen}. It sees new comments when it asks again.`,
    };
  }
  return { state: 'good', word: 'Connected', sentence: `${newest.client}${more}, last asked ${seen}.` };
}

/** What waits to be sent, as a sentence; empty when nothing waits. */
export function waitingSentence(connection: Connection): string {
  if (connection.waiting === 0) return '';
  const count = connection.waiting === 1 ? '1 change is' : `${connection.waiting} changes are`;
  if (connection.hub === 'none') return `${count} kept for it until then.`;
  const changes = connection.waiting === 1 ? '1 change waits' : `${connection.waiting} changes wait`;
  return `${changes} to be sent to the host; nothing is lost meanwhile.`;
}
