import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { waitingApproval } from '../testing/approvals';
import { isOurs, notify } from './notifications';

type Note = { title: string; message: string };
let shown: Map<string, Note>;
let created: string[];

function allow(isAllowed: boolean) {
  const notifications = {
    getAll: async () => Object.fromEntries([...shown.keys()].map((id) => [id, true])),
    create: async (id: string, note: Note) => {
      created.push(id);
      shown.set(id, note);
    },
    clear: async (id: string) => shown.delete(id),
  };
  Object.assign(fakeBrowser, { notifications: isAllowed ? notifications : undefined });
}

beforeEach(() => {
  fakeBrowser.reset();
  fakeBrowser.runtime.getURL = ((path: string) => path) as never;
  shown = new Map();
  created = [];
  allow(true);
});

test('each that waits is noted once, and taken away when it waits no more', async () => {
  const [one, two] = [waitingApproval('v_1'), waitingApproval('v_2')];
  await notify([one]);
  await notify([one, two]);
  expect([...shown.keys()]).toEqual(['approval:v_1', 'approval:v_2']);
  // The person closed it.
  shown.delete('approval:v_1');
  await notify([one, two]);
  expect(created).toEqual(['approval:v_1', 'approval:v_2']);
  shown.set('somebody else’s', { title: '', message: '' });
  await notify([]);
  expect([...shown.keys()]).toEqual(['somebody else’s']);
});

test('of many at once three have a note of their own, and one says that there are more', async () => {
  const waiting = Array.from({ length: 40 }, (_, at) => waitingApproval(`v_${at}`));
  await notify(waiting);
  expect(created).toEqual(['approval:v_0', 'approval:v_1', 'approval:v_2', 'approval:others']);
  expect(shown.get('approval:others')?.message).toBe('More approvals wait for you.');
  await notify(waiting);
  await notify([...waiting, waitingApproval('v_40')]);
  expect(created).toHaveLength(4);
  // The person closed one: nothing is said in its place.
  shown.delete('approval:v_1');
  await notify(waiting);
  expect(created).toHaveLength(4);
  // Each that is decided makes room for one that had no note.
  await notify(waiting.slice(3, 8));
  expect([...shown.keys()].sort()).toEqual([
    'approval:others',
    'approval:v_3',
    'approval:v_4',
    'approval:v_5',
  ]);
  await notify(waiting.slice(3, 5));
  expect([...shown.keys()].sort()).toEqual(['approval:v_3', 'approval:v_4']);
});

test('a note says the action’s first characters, on one line and with nothing hidden', async () => {
  await notify([waitingApproval('v_1', { action: `rm\n\u202e${'x'.repeat(200)}` })]);
  const { message = '' } = shown.get('approval:v_1') ?? {};
  expect(message).toMatch(/^rm ⟨U\+202E⟩x+…$/);
  expect([...message]).toHaveLength(100);
});

test('without the permission nothing is noted, and once it is there what waits is', async () => {
  allow(false);
  await notify([waitingApproval('v_1')]);
  expect(created).toEqual([]);
  allow(true);
  await notify([waitingApproval('v_1')]);
  expect(created).toEqual(['approval:v_1']);
  expect(isOurs('approval:v_1')).toBe(true);
  expect(isOurs('v_1')).toBe(false);
});
