import { expect, test } from 'vitest';
import type { AgentLink } from '../../generated/AgentLink';
import type { Connection } from '../../state/connection';
import { connection, NOW, project } from '../../testing/panel/states';
import { agentLight, hasAdvice, hubLight, waitingSentence } from './lights';

const { project: _, ...withoutProject } = connection();
const agent = (client: string, lastSeen: number, over: Partial<AgentLink> = {}): AgentLink => ({
  client,
  project,
  lastSeen,
  ...over,
});

test.each<[Connection['hub'], string, string, string]>([
  ['checking', 'waiting', 'Checking', 'none'],
  ['connected', 'good', 'Connected', 'none'],
  ['none', 'broken', 'Stored in this browser', 'run'],
  ['silent', 'broken', 'No answer', 'run'],
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

test('a host that is installed and does not start says so, whatever the words of that are', () => {
  const hubDetail = 'Words of any kind.';
  const light = (hubObstacle: Connection['hubObstacle']) =>
    hubLight({ ...connection({ hub: 'none', hubDetail }), ...(hubObstacle ? { hubObstacle } : {}) });
  for (const obstacle of ['not_admitted', 'not_started'] as const) {
    expect(light(obstacle)).toMatchObject({ sentence: hubDetail, next: { command: 'opentoolbar setup' } });
  }
  for (const obstacle of ['not_installed', undefined] as const) {
    expect(light(obstacle).sentence).toContain('no agent can read them yet');
  }
});

test('what the background knows of the reason is said', () => {
  const hubDetail = 'Protocol 3 here, 2 there. Update opentoolbar.';
  expect(hubLight(connection({ hub: 'incompatible', hubDetail })).sentence).toBe(hubDetail);
});

test.each<Connection['hub']>(['checking', 'silent', 'none', 'lost', 'incompatible'])(
  'no agent is called connected while the host is %s, whatever was known before',
  (hub) => {
    expect(agentLight(connection({ hub }), NOW)).toMatchObject({
      state: 'waiting',
      word: 'Unknown',
      // What is wrong with the host stands at its own light.
      sentence: 'Agents can’t be seen until the host is connected.',
    });
  },
);

test('no project asks for one and says why', () => {
  // The host's reasons are no sentences.
  const light = agentLight({ ...withoutProject, projectReason: 'two projects have agents' }, NOW);
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
    // `opentoolbar mcp` in a terminal waits for an agent for ever.
    next: { kind: 'run', command: 'opentoolbar setup --dry-run' },
  });
  expect(light.sentence).toContain('the line that connects your agent');
  expect(light.sentence).toContain('acme-dashboard');
});

test('connected names the agent that asked last, and the others by number', () => {
  const heard = { presence: 'answers' } as const;
  const agents = [
    agent('codex', NOW - 90_000, heard),
    agent('claude-code', NOW - 1000, heard),
    agent('zed', NOW - 80_000, heard),
  ];
  expect(agentLight(connection({ agents }), NOW)).toMatchObject({
    state: 'good',
    sentence: 'claude-code and 2 more, last asked just now.',
  });
});

test('of an agent that nobody can ask it is said that nobody can', () => {
  const codex = agent('codex', NOW, { presence: 'takes_no_question' });
  const { state, word, sentence } = agentLight(connection({ agents: [codex] }), NOW);
  expect([state, word]).toEqual(['waiting', 'Asked']);
  expect(sentence).toContain('its version of MCP lets nobody ask');
  expect(sentence).not.toContain('has answered no question');
});

test.each([undefined, 'unknown', 'server_answers'] as const)(
  'an agent whose program was never heard (%s) is not called connected: its own word is said',
  (presence) => {
    const light = (over: Partial<AgentLink>) => {
      const told = presence === undefined ? over : { ...over, presence };
      return agentLight(connection({ agents: [agent('codex', NOW - 120_000, told)] }), NOW);
    };
    expect(light({})).toMatchObject({ state: 'waiting', word: 'Asked' });
    expect(light({}).sentence).toMatch(/^codex last asked 2 min ago\. .*has answered no question so far\.$/);
    expect(light({ isWaiting: true })).toMatchObject({ state: 'waiting', word: 'Listening' });
    expect(light({ isNew: true })).toMatchObject({ state: 'waiting', word: 'Not asked yet' });
    expect(hasAdvice(light({}))).toBe(false);
  },
);

test('an agent whose program answers stands before one that was never heard', () => {
  const unheard = agent('zed', NOW, { presence: 'server_answers', isWaiting: true });
  const agents = [unheard, agent('codex', NOW - 90_000, { presence: 'answers' })];
  expect(agentLight(connection({ agents }), NOW)).toMatchObject({ state: 'good', word: 'Connected' });
});

test('an agent that came long ago and never asked is not said to have asked', () => {
  const agents = [agent('codex', NOW - 25 * 60_000, { isNew: true })];
  expect(agentLight(connection({ agents }), NOW)).toMatchObject({ word: 'Not asked yet' });
});

test('an agent that was silent for long is quiet, not connected', () => {
  const light = agentLight(connection({ agents: [agent('codex', NOW - 25 * 60_000)] }), NOW);
  expect(light).toMatchObject({ state: 'waiting', word: 'Quiet' });
  expect(light.sentence).toContain('25 min ago');
});

test('a page without our script, or one that hangs, is said although the host answers', () => {
  expect(hubLight(connection({ page: 'absent' }))).toMatchObject({
    state: 'broken',
    next: { kind: 'attach_page' },
  });
  expect(hubLight(connection({ page: 'silent' }))).toMatchObject({
    state: 'broken',
    next: { kind: 'reload_page' },
  });
  // What is further away cannot be better known.
  expect(hubLight(connection({ page: 'expelled' }))).toMatchObject({
    state: 'broken',
    word: 'Not shown',
    next: { kind: 'reload_page' },
  });
  expect(hubLight(connection({ page: 'absent', hub: 'lost' })).word).toBe('Lost');
  // Where there is no host, the page is all there is.
  expect(hubLight(connection({ page: 'expelled', hub: 'none' })).word).toBe('Not shown');
});

test('versions that differ are said, and break nothing', () => {
  const light = hubLight(connection({ hubVersion: '0.2.0' }));
  expect(light.state).toBe('good');
  expect(light.sentence).toMatch(/0\.2\.0.*0\.1\.0/);
  const agents = [agent('codex', NOW, { presence: 'answers', version: '0.0.9' })];
  expect(agentLight(connection({ agents }), NOW).sentence).toMatch(/0\.0\.9/);
});

test.each([
  ['silent', /does not answer/],
  ['server_alone', /its program does not answer/],
] as const)('an agent that is %s is not called connected, however lately it asked', (presence, sentence) => {
  const light = agentLight(connection({ agents: [agent('codex', NOW, { presence })] }), NOW);
  expect(light).toMatchObject({ state: 'broken', word: 'No answer', next: { kind: 'retry' } });
  expect(light.sentence).toMatch(sentence);
});

test('one agent that hangs does not hide another that answers, and is named', () => {
  const agents = [
    agent('codex', NOW, { presence: 'silent' }),
    agent('zed', NOW - 50_000, { presence: 'answers' }),
  ];
  const light = agentLight(connection({ agents }), NOW);
  expect(light.state).toBe('good');
  expect(light.sentence).toMatch(/^zed and 1 more, .* codex does not answer\.$/);
});

test('an agent that answers is connected however long ago it asked; one that waits is listening', () => {
  const old = NOW - 25 * 60_000;
  const idle = agentLight(connection({ agents: [agent('codex', old, { presence: 'answers' })] }), NOW);
  expect([idle.state, hasAdvice(idle)]).toEqual(['good', false]);
  const waiting = agent('codex', old, { presence: 'answers', isWaiting: true });
  expect(agentLight(connection({ agents: [waiting] }), NOW)).toMatchObject({
    state: 'good',
    word: 'Listening',
  });
});

test('an agent that was never asked for anything comes with the words to tell it', () => {
  const agents = [agent('codex', NOW, { presence: 'answers', isNew: true })];
  const light = agentLight(connection({ agents }), NOW);
  expect(light).toMatchObject({ state: 'waiting', next: { kind: 'tell' } });
  expect(hasAdvice(light)).toBe(true);
});

test('an agent that came after one that works does not hide it', () => {
  const agents = [
    agent('codex', NOW - 5000, { presence: 'answers' }),
    agent('zed', NOW, { presence: 'answers', isNew: true }),
  ];
  expect(agentLight(connection({ agents }), NOW)).toMatchObject({
    state: 'good',
    sentence: 'codex and 1 more, last asked just now.',
  });
});

test('only what is true of several agents is said of several', () => {
  const first = agent('codex', NOW, { presence: 'answers', isNew: true });
  const second = agent('zed', NOW - 5000, { presence: 'answers', isNew: true });
  const sentence = (agents: AgentLink[]) => agentLight(connection({ agents }), NOW).sentence;
  expect(sentence([first, second])).toMatch(/^codex and 1 more work in .*, but have asked for nothing yet\./);
  const waiting = { ...second, isNew: false, isWaiting: true };
  expect(sentence([first, waiting])).toBe('zed waits for what you say. 1 more is here.');
});

test('an agent of another project is said, with the choice', () => {
  const other = { root: '/home/ada/shop', name: 'shop' };
  const light = agentLight(
    connection({ agents: [], elsewhere: [agent('codex', NOW, { project: other })] }),
    NOW,
  );
  expect(light).toMatchObject({ state: 'broken', word: 'None here', next: { kind: 'choose_project' } });
  expect(light.sentence).toMatch(/codex works in shop/);
});

test('what waits in the outbox is counted', () => {
  expect(waitingSentence(connection())).toBe('');
  expect(waitingSentence(connection({ waiting: 1 }))).toBe('1 change waiting to sync with the host.');
  expect(waitingSentence(connection({ waiting: 4, hub: 'none' }))).toBe(
    '4 changes will sync when the host is installed.',
  );
  expect(waitingSentence(connection({ waiting: 4, hub: 'lost' }))).toBe(
    '4 changes will sync when the host is back.',
  );
});
