/**
 * The two links page -> host -> agent as words: each light says only what was seen, and what to do next.
 * Pure; `connected` comes from a round trip alone.
 */
import type { AgentLink } from '../../generated/AgentLink';
import type { Connection } from '../../state/connection';
import { asSentence } from '../notices/notices';
import { ago } from '../platform/time';

/** `good`: a round trip happened. `waiting`: not known yet, or nothing is wrong. `broken`: needs the person. */
export type LightState = 'good' | 'waiting' | 'broken';

/** What the person can do about a light. */
export type NextStep =
  | { kind: 'retry'; label: string }
  | { kind: 'run'; command: string; afterwards: string }
  /** What to say to the agent, where it runs: what the person is about to do says which words. */
  | { kind: 'tell' }
  | { kind: 'attach_page'; label: string }
  | { kind: 'reload_page'; label: string }
  /** `isOption`: nothing has to be chosen, it may be. */
  | { kind: 'choose_project'; isOption?: boolean };

export interface Light {
  state: LightState;
  /** The word beside the shape. */
  word: string;
  /** One sentence. */
  sentence: string;
  next?: NextStep;
}

/** What makes an agent work off the comments. */
export const FIX = 'Fix the comments I left in the browser.';
/** What makes an agent wait for the person's words. */
export const LISTEN = 'Wait for what I say in the browser, and answer there.';

/** An agent that cannot be asked and itself asked nothing for this long may be gone without saying so. */
const QUIET_AFTER = 10 * 60_000;

/** Whether anything needs the person or would help. */
export function hasAdvice({ state, next }: Light): boolean {
  return state === 'broken' || (state === 'waiting' && next !== undefined);
}

/** What is advised now, in short: the same as long as it is the same thing to do. Empty: nothing is. */
export function adviceKey(connection: Connection, now: number): string {
  const lights = { host: hubLight(connection), agent: agentLight(connection, now) };
  return Object.entries(lights)
    .filter(([, light]) => hasAdvice(light))
    .map(([name, { state, next }]) => `${name} ${state} ${next?.kind ?? ''}`)
    .join(', ');
}

export function hubLight(connection: Connection): Light {
  // Without a host the page is all there is: what is wrong with it is not to wait for one.
  const page = ['connected', 'none'].includes(connection.hub) ? pageLight(connection) : undefined;
  if (page) return page;
  const detail = connection.hubDetail.trim();
  switch (connection.hub) {
    case 'checking':
      return { state: 'waiting', word: 'Checking', sentence: 'Waiting for the first answer of the host.' };
    case 'connected':
      return { state: 'good', word: 'Connected', sentence: hostAnswers(connection) };
    case 'none':
      return {
        state: 'broken',
        word: 'Stored in this browser',
        // Installed, and yet not to be started: what is wrong is in the detail.
        sentence: isInstalled(connection)
          ? detail
          : 'Comments are kept here, but no agent can read them yet. Install the host, then check again:',
        next: { kind: 'run', command: 'opentoolbar setup', afterwards: 'Check again' },
      };
    case 'silent':
      return {
        state: 'broken',
        word: 'No answer',
        sentence:
          'The host is there, but has not answered for some seconds: it may be stopped or very busy. If this stays, see which process it is and end it; the next one starts by itself:',
        next: { kind: 'run', command: 'opentoolbar status', afterwards: 'Check again' },
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

function isInstalled({ hubObstacle }: Connection): boolean {
  return hubObstacle === 'not_admitted' || hubObstacle === 'not_started';
}

/** The link before the host: from the page's script to this extension. */
function pageLight({ page }: Connection): Light | undefined {
  if (page === 'absent') {
    return {
      state: 'broken',
      word: 'Not in the page',
      sentence:
        'opentoolbar’s script is not in this page: the extension may have been updated since it was opened. Nothing can be picked until it is back.',
      next: { kind: 'attach_page', label: 'Put it back' },
    };
  }
  if (page === 'silent') {
    return {
      state: 'broken',
      word: 'Page is stuck',
      sentence:
        'The page doesn’t respond: its scripts are busy, or a debugger holds them. If this stays, reload it; what you typed into the page’s own forms is lost then.',
      next: { kind: 'reload_page', label: 'Reload the page' },
    };
  }
  if (page === 'expelled') {
    return {
      state: 'broken',
      word: 'Not shown',
      sentence:
        'This page keeps removing opentoolbar’s pins and comment box. Your comments are safe and listed here, and what you were writing is kept. Reload the page to try again; what you typed into the page’s own forms is lost then.',
      next: { kind: 'reload_page', label: 'Reload the page' },
    };
  }
  return undefined;
}

function hostAnswers({ hubVersion, ownVersion }: Connection): string {
  if (!hubVersion || hubVersion === ownVersion) return 'The host answers.';
  return `The host answers. It is opentoolbar ${hubVersion}, this extension ${ownVersion}: they understand each other; update the older one when you can.`;
}

export function agentLight(connection: Connection, now: number): Light {
  if (connection.hub !== 'connected') {
    return {
      state: 'waiting',
      word: 'Unknown',
      sentence: 'Agents can’t be seen until the host is connected.',
    };
  }
  if (!connection.project) {
    return {
      state: 'broken',
      word: 'No project',
      sentence: asSentence(
        connection.projectReason.trim() || 'It is not known which project this page belongs to.',
      ),
      next: { kind: 'choose_project' },
    };
  }
  const [best, ...others] = [...connection.agents].sort(byWorth);
  if (!best) return noAgent(connection, connection.project.name);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  if (hangs(best)) return hanging(best, more);
  const seen = ago(best.lastSeen, now);
  const rest = `${silentOnes(others)}${otherVersion(best, connection)}`;
  if (best.isNew) {
    return {
      state: 'waiting',
      word: 'Not asked yet',
      sentence: `${best.client}${more} ${more ? 'work' : 'works'} in ${connection.project.name}, but ${more ? 'have' : 'has'} asked for nothing yet.${rest} Tell ${more ? 'one' : 'it'}, where it runs:`,
      next: { kind: 'tell' },
    };
  }
  if (!answers(best)) return byOwnWord(best, others.length, seen, rest, now);
  if (best.isWaiting) {
    const sentence = `${best.client} waits for what you say.${beside(others.length)}${rest}`;
    return { state: 'good', word: 'Listening', sentence };
  }
  return {
    state: 'good',
    word: 'Connected',
    sentence: `${best.client}${more}, last asked ${seen}.${rest}`,
    next: { kind: 'tell' },
  };
}

/** Nobody could ask its program yet, or ever: what it did itself is said, and not that it is there now. */
function byOwnWord(agent: AgentLink, others: number, seen: string, rest: string, now: number): Light {
  const { client, isWaiting, lastSeen } = agent;
  const why =
    agent.presence === 'takes_no_question'
      ? 'its version of MCP lets nobody ask'
      : 'it has answered no question so far';
  const unknown = `Whether it is still there is not known: ${why}.${beside(others)}${rest}`;
  if (isWaiting) {
    return { state: 'waiting', word: 'Listening', sentence: `${client} waits for what you say. ${unknown}` };
  }
  const sentence = `${client} last asked ${seen}.`;
  return now - lastSeen > QUIET_AFTER
    ? {
        state: 'waiting',
        word: 'Quiet',
        sentence: `${sentence} It sees new comments when it asks again.${rest}`,
      }
    : { state: 'waiting', word: 'Asked', sentence: `${sentence} ${unknown}` };
}

function beside(count: number): string {
  return count > 0 ? ` ${count} more ${count === 1 ? 'is' : 'are'} here.` : '';
}

/**
 * Those that hang last, and before them those that asked for nothing; of the others those whose programs answer, of
 * these those that wait for the person, then whoever asked last.
 */
function byWorth(a: AgentLink, b: AgentLink): number {
  const worth = (agent: AgentLink) => {
    if (hangs(agent)) return 0;
    if (agent.isNew) return 1;
    return 2 + (answers(agent) ? 2 : 0) + (agent.isWaiting ? 1 : 0);
  };
  return worth(b) - worth(a) || b.lastSeen - a.lastSeen;
}

/** A round trip went down to the agent's own program. */
function answers({ presence }: AgentLink): boolean {
  return presence === 'answers';
}

export function hangs({ presence }: AgentLink): boolean {
  return presence === 'silent' || presence === 'server_alone';
}

function hanging({ client, presence }: AgentLink, more: string): Light {
  const verb = more ? 'do' : 'does';
  const what =
    presence === 'server_alone'
      ? `is connected, but its program ${verb} not answer`
      : `${more ? 'are' : 'is'} connected, but ${verb} not answer`;
  return {
    state: 'broken',
    word: 'No answer',
    sentence: `${client}${more} ${what}: it may be stopped, stuck, or asking you something. Look where it runs, or start it again.`,
    next: { kind: 'retry', label: 'Ask again' },
  };
}

function noAgent({ elsewhere }: Connection, name: string): Light {
  const [other] = elsewhere;
  if (other) {
    return {
      state: 'broken',
      word: 'None here',
      sentence: `No agent works in ${name}; ${other.client} works in ${other.project.name}. Start one in ${name}. Or, where this site belongs to another project, say so:`,
      next: { kind: 'choose_project', isOption: true },
    };
  }
  return {
    state: 'broken',
    word: 'None',
    sentence: `No agent works in ${name} yet. Run this in a terminal: it shows the line that connects your agent. Then start the agent in ${name}.`,
    next: { kind: 'run', command: 'opentoolbar setup --dry-run', afterwards: 'Check again' },
  };
}

function silentOnes(others: readonly AgentLink[]): string {
  const names = others.filter(hangs).map(({ client }) => client);
  if (names.length === 0) return '';
  return ` ${names.join(', ')} ${names.length === 1 ? 'does' : 'do'} not answer.`;
}

function otherVersion({ version }: AgentLink, { hubVersion }: Connection): string {
  if (!version || !hubVersion || version === hubVersion) return '';
  return ` Its opentoolbar is ${version}, the host ${hubVersion}: start the agent again to bring both to one version.`;
}

/** What waits to be sent, as a sentence; empty when nothing waits. */
export function waitingSentence(connection: Connection): string {
  if (connection.waiting === 0) return '';
  const changes = connection.waiting === 1 ? '1 change' : `${connection.waiting} changes`;
  if (connection.hub === 'none') return `${changes} will sync when the host is installed.`;
  if (connection.hub === 'connected') return `${changes} waiting to sync with the host.`;
  return `${changes} will sync when the host is back.`;
}
