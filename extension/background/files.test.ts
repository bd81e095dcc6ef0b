import { expect, test } from 'vitest';
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';
import { sampleComment, sampleTarget } from '../testing/samples';
import { Files } from './files';
import type { TabSession } from './sessions';

const project = { root: '/shop', name: 'shop' } as TabSession['project'] & object;
const session: TabSession = {
  id: 's_1',
  tabId: 7,
  origin: 'http://a.test',
  url: '',
  title: '',
  reason: '',
  choices: [],
};
const target = sampleTarget();
const source = { file: 'src/Shop.tsx', confidence: 1, reason: '' };
const comment = {
  ...sampleComment('c_1'),
  targets: [{ ...target, snapshot: { ...target.snapshot, source } }, target],
};

/** A hub that answers so; the session learns of its project after so many waits. */
function world(answer: unknown, { waits = 0, isComing = true } = {}) {
  const asked: Request[] = [];
  let slept = 0;
  const files = new Files({
    request: async (request) => {
      asked.push(request);
      return answer as Answer;
    },
    session: async () => (slept >= waits ? { ...session, project } : session),
    isComing: () => isComing,
    sleep: async () => {
      slept += 1;
    },
  });
  return { files, asked, slept: () => slept };
}

test('the hub is asked for the files of the elements, and what it knows of them is kept by tab', async () => {
  const { files, asked } = world({
    type: 'source_changes',
    payload: { at: 9_000, files: [{ known: true, at: 5_000 }] },
  });
  expect(await files.loaded(7, [comment])).toBe(true);
  expect(asked).toEqual([
    { type: 'get_source_changes', payload: { sessionId: 's_1', since: 1_000, files: ['src/Shop.tsx'] } },
  ]);
  expect(files.of('s_1')).toEqual([{ at: 9_000, files: new Map([['src/Shop.tsx', 5_000]]) }]);
  expect(files.of('s_2')).toEqual([]);
  files.forget('s_1');
  expect(files.of('s_1')).toEqual([]);
});

test('a file that the hub knows and that did not change is told from one that it does not know', async () => {
  const known = world({ type: 'source_changes', payload: { files: [{ known: true }] } });
  await known.files.loaded(7, [comment]);
  expect(known.files.of('s_1')).toEqual([{ files: new Map([['src/Shop.tsx', 0]]) }]);
  const unknown = world({ type: 'source_changes', payload: { files: [{ known: false }] } });
  await unknown.files.loaded(7, [comment]);
  expect(unknown.files.of('s_1')).toEqual([{ files: new Map() }]);
});

test('a hub that does not know the question cannot tell, nor one that answers nothing that can be read', async () => {
  for (const answer of [
    { type: 'error', payload: { code: 'invalid_message', message: 'What?', nextStep: 'Update.' } },
    { type: 'source_changes' },
    undefined,
  ]) {
    const { files } = world(answer);
    expect(await files.loaded(7, [comment])).toBe(false);
    expect(files.of('s_1')).toEqual([]);
  }
});

test('a project that is still being looked for is waited for, while there is a hub', async () => {
  const answer = { type: 'source_changes', payload: { files: [{ known: true }] } };
  expect(await world(answer, { waits: 3 }).files.loaded(7, [comment])).toBe(true);
  expect(await world(answer, { waits: 1_000 }).files.loaded(7, [comment])).toBe(false);
  const alone = world(answer, { waits: 1_000, isComing: false });
  expect(await alone.files.loaded(7, [comment])).toBe(false);
  expect([alone.slept(), alone.asked]).toEqual([0, []]);
});

test('a hub that came later than the page can tell only where nothing has changed since the page began to be loaded', async () => {
  const at = (any: number | undefined, own: number) => ({
    type: 'source_changes',
    payload: { ...(any === undefined ? {} : { at: any }), files: [{ known: true, at: own }] },
  });
  for (const answer of [at(5_001, 4_000), at(undefined, 5_001)]) {
    const { files } = world(answer);
    expect(await files.loaded(7, [comment], 5_000)).toBe(false);
    expect(files.of('s_1')).toEqual([]);
    expect(await files.loaded(7, [comment])).toBe(true);
  }
  const { files } = world(at(5_000, 4_000));
  expect(await files.loaded(7, [comment], 5_000)).toBe(true);
  expect(files.of('s_1')).toHaveLength(1);
});

test('what is said of an open page stands beside what was said when it was loaded', async () => {
  const { files } = world({ type: 'source_changes', payload: { at: 5, files: [{ known: true }] } });
  await files.loaded(7, [comment]);
  expect(await files.changed({ ...session, project }, [comment])).toBe(true);
  expect(files.of('s_1')).toHaveLength(2);
  await files.loaded(7, [comment]);
  expect(files.of('s_1')).toHaveLength(1);
});

test('where words stand is asked of the hub of a tab with a project, and any other answer tells nothing', async () => {
  const queries = [
    { file: 'src/Shop.tsx', since: 5, words: ['24', 'x', 'y'] },
    { since: 5, words: ['z'] },
  ];
  const own = { ...session, project };
  const { files, asked } = world({
    type: 'found_in_source',
    payload: { found: [['changed_file', 'nowhere', 'in a drawer'], 7] },
  });
  expect(await files.find(own, queries)).toEqual([['changed_file', 'nowhere', 'unknown'], []]);
  expect(asked).toEqual([{ type: 'find_in_source', payload: { sessionId: 's_1', queries } }]);
  expect(await files.find(session, queries)).toBeUndefined();
  const answers = [undefined, { type: 'error', payload: {} }, { type: 'found_in_source', payload: {} }];
  for (const answer of answers) expect(await world(answer).files.find(own, queries)).toBeUndefined();
});
