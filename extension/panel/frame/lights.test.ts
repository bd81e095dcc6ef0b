import { expect, test } from 'vitest';
import type { Connection } from '../../messages';
import { connection, NOW, project } from '../fixtures/states';
import { agentLight, hubLight, waitingSentence } from './lights';

const { project: _, ...withoutProject } = connection();
const agent = (client: string, lastSeen: number) => ({ client, project, lastSeen });

test.each<[Connection['hub'], string, string, string]>([
  ['checking', 'waiting', 'Checking', 'none'],
  ['connected', 'good', 'Connected', 'none'],
  ['none', 'broken', 'Stored in this browser', 'run'],
  ['lost', 'broken', 'Lost', 'retry'],
  ['incompatible', 'broken', 'Other version', 'retry'],
])('a host that is %s shows %s: %s, next step %s', (hub, state, word, next) => {
  const light = hubLight(connection({ hub }));
  expect([light.state, light.word, light.next?.kind ?? 'none']).toEqual([state, word, next]);
  expect(light.sentence).toMatch(/[.:]$/);
});

test('no host names the command that installs it', () => {
  expect(hubLight(connection({ hub: 'none' })).next).toMatchObject({ command: 'opentoolbar setup' });
});

test('what the background knows of the reason is said', () => {
  const hubDetail = 'Protocol 3 here, 2 there. Update opentoolbar.';
  expect(hubLight(connection({ hub: 'incompatible', hubDetail })).sentence).toBe(hubDetail);
});

test.each<Connection['hub']>(['checking', 'none', 'lost', 'incompatible'])(
  'no agent is called connected while the host is %s, whatever was known before',
  (hub) => {
    expect(agentLight(connection({ hub }), NOW)).toMatchObject({ state: 'waiting', word: 'Unknown' });
  },
);

test('no project asks for one and says why', () => {
  const light = agentLight({ ...withoutProject, projectReason: 'Two projects have agents.' }, NOW);
  expect(light).toMatchObject({
    state: 'broken',
    word: 'No project',
    sentence: 'Two projects have agents.',
    next: { kind: 'choose_project' },
  });
});

test('a project without an agent says how to add one', () => {
  const light = agentLight(connection({ agents: [] }), NOW);
  expect(light).toMatchObject({
    state: 'broken',
    word: 'None',
    next: { kind: 'run', command: 'opentoolbar mcp' },
  });
  expect(light.sentence).toContain('acme-dashboard');
});

test('connected names the agent that asked last, and the others by number', () => {
  const agents = [agent('codex', NOW - 90_000), agent('claude-code', NOW - 1000), agent('zed', NOW - 80_000)];
  expect(agentLight(connection({ agents }), NOW)).toMatchObject({
    state: 'good',
    sentence: 'claude-code and 2 more, last asked just now.',
  });
});

test('an agent that was silent for long is quiet, not connected', () => {
  const light = agentLight(connection({ agents: [agent('codex', NOW - 25 * 60_000)] }), NOW);
  expect(light).toMatchObject({ state: 'waiting', word: 'Quiet' });
  expect(light.sentence).toContain('25 min ago');
});

test('what waits in the outbox is counted', () => {
  expect(waitingSentence(connection())).toBe('');
  expect(waitingSentence(connection({ waiting: 1 }))).toMatch(/^1 change waits /);
  expect(waitingSentence(connection({ waiting: 4, hub: 'none' }))).toBe(
    '4 changes are kept for it until then.',
  );
  expect(waitingSentence(connection({ waiting: 4 }))).toMatch(/^4 changes wait /);
});
