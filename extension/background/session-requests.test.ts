/**
 * What the hub does not know is opened again: by the real sessions and the real outbox, before a hub that has
 * forgotten.
 */
import { expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';
import { quiet } from '../testing/eventually';
import { error, ORIGIN, OutboxWorld } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';
import { forgetting } from './session-requests';
import { Sessions } from './sessions';

test('a session is forgotten that a request or its envelope names and the hub does not know, and none for another reason', async () => {
  const forgotten: string[] = [];
  let answer: Answer = error('unknown_session');
  const ask = forgetting(
    async () => answer,
    (id) => forgotten.push(id),
  );
  expect(await ask({ type: 'list_comments', payload: { sessionId: 's_1' } })).toEqual(answer);
  await ask({ type: 'stop_waiting' }, 'm_1', 's_2');
  await ask({ type: 'ping' });
  answer = error('no_project');
  await ask({ type: 'list_comments', payload: { sessionId: 's_3' } });
  expect(forgotten).toEqual(['s_1', 's_2']);
});

test('a comment goes in a session that is opened again where the hub lost it alone; closed tabs are closed there all the same', async () => {
  fakeBrowser.reset();
  const world = await OutboxWorld.create();
  const open = new Set<string>();
  const opens: string[] = [];
  const send = world.hub.send.bind(world.hub);
  const hub = async (request: Request, id = '', sessionId?: string): Promise<Answer> => {
    if (request.type === 'open_session') {
      opens.push(request.payload.id);
      open.add(request.payload.id);
      const payload = { sessionId: request.payload.id, reason: '', choices: [] };
      return { type: 'session', payload };
    }
    if (request.type === 'close_session')
      return open.delete(request.payload.sessionId) ? { type: 'done' } : error('unknown_session');
    if (request.type === 'create_comment' && !open.has(request.payload.sessionId))
      return error('unknown_session');
    return send(request, id, sessionId);
  };
  const sessions = new Sessions({
    request: hub,
    redact: (text) => text,
    changed: () => {},
    opened: () => {},
  });
  world.send = forgetting(hub, (id) => sessions.forget(id));
  world.session = (id, origin) => sessions.ensure(id, origin);
  await world.start();
  const visit = async (origin: string) => {
    const tab = (await fakeBrowser.tabs.create({ url: `${origin}/` })).id ?? -1;
    return { tab, id: (await sessions.visit(tab, `${origin}/`, '')).id };
  };
  const here = await visit(ORIGIN);
  const other = await visit('http://localhost:8080');
  await quiet();
  open.delete(here.id);
  await world.comments.create(sampleComment('c_1'), here.id, null);
  await world.outbox.flush();
  expect(world.hub.comments.has('c_1')).toBe(true);
  // The other one was not asked about, and is open as before.
  expect(opens).toEqual([here.id, other.id, here.id]);
  await sessions.leave(other.tab);
  await sessions.leave(here.tab);
  await quiet();
  expect([...open]).toEqual([]);
});
