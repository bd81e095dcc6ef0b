/** Every message by what the table says of it: nobody else may send it, and nothing else may stand in it. */
import { beforeEach, expect, expectTypeOf, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Comment } from '../../generated/Comment';
import type { Target } from '../../generated/Target';
import type { Answer, Asked, Payload, Type } from '../../messages';
import type { Finding } from '../../state/looking';
import { partAt, partsOf, sampleOf, withPart } from '../../testing/sample-of';
import { answer } from '../router';
import type { Sender } from '../sender';
import type { Kind, Message } from './message';
import { read } from './schema';
import { TABLE, variantOf } from './table';

const SENDERS: { [K in Kind]: Extract<Sender, { kind: K }> } = {
  content: {
    kind: 'content',
    tabId: 7,
    url: 'http://localhost:5173/',
    origin: 'http://localhost:5173',
    title: '',
    windowId: 1,
    active: true,
  },
  panel: { kind: 'panel' },
  field: { kind: 'field', tabId: 7 },
};
const KINDS = Object.keys(SENDERS) as Kind[];
const TYPES = Object.keys(TABLE) as (keyof typeof TABLE)[];
const allowed = (kind: Kind) => TYPES.filter((type) => variantOf(type, kind)).sort();

/** All that somebody may send, with a payload that is right. */
const RIGHT = KINDS.flatMap((kind) =>
  TYPES.flatMap((type) => {
    const variant = variantOf(type, kind);
    return variant ? [{ kind, type, variant, payload: sampleOf(variant.payload) }] : [];
  }),
);

const NOT_ALLOWED = { error: 'This message is not allowed. Reload the page and the extension.' };

/** They wait for nothing, the app included. */
const AT_ONCE = ['open_approvals', 'open_panel'];

/** Nothing when a message gets as far as to its answer, else what is said of it. */
async function ask(kind: Kind, type: string, payload: unknown): Promise<{ error?: string }> {
  let isReached = AT_ONCE.includes(type);
  const app = () => {
    isReached = true;
    return Promise.reject(new Error('no app'));
  };
  const said = await answer(app, { type, payload }, SENDERS[kind]);
  if (!('error' in said)) return {};
  const isRefused = said.error === NOT_ALLOWED.error || /^This message cannot be read: /.test(said.error);
  expect(isReached).toBe(!isRefused || AT_ONCE.includes(type));
  return isRefused ? { error: said.error } : {};
}

beforeEach(() => void Object.assign(fakeBrowser, { permissions: { contains: async () => true } }));

test('every family is in the table, and no message stands in two', () => {
  const files = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], { eager: true });
  const isMessage = (it: unknown) =>
    typeof it === 'object' && it !== null && KINDS.some((kind) => (it as Message)[kind]?.answer);
  const named = Object.entries(files).flatMap(([file, parts]) =>
    file === './table.ts'
      ? []
      : Object.values(parts).flatMap((part) =>
          Object.keys(Object(part)).filter((name) => isMessage((part as Record<string, unknown>)[name])),
        ),
  );
  expect(named.sort()).toEqual([...TYPES].sort());
});

test('a content script may send these messages and no other', () => {
  expect(allowed('content')).toEqual([
    'ask_files',
    'capture_piece',
    'change_comment',
    'create_comment',
    'decline_annotation',
    'describe',
    'forget_made',
    'get_drafts',
    'get_page_state',
    'hide_pins',
    'judge',
    'keep_draft',
    'keep_looks',
    'load_overlay',
    'note_document',
    'note_made',
    'note_sources',
    'offer_field',
    'open_approvals',
    'open_panel',
    'overlay_removed',
    'page_moved',
    'picking_changed',
    'report_states',
    'seen_answer',
    'send_to_chat',
    'show_embedded',
  ]);
});

test('a field in a frame may send these messages and no other', () => {
  expect(allowed('field')).toEqual(['claim_field', 'keep_text']);
});

test('only a content script captures, creates and tells of its page', () => {
  const panels = allowed('panel');
  expect(allowed('content').filter((type) => panels.includes(type))).toEqual([
    'change_comment',
    'decline_annotation',
  ]);
});

test.each(RIGHT)('$type of a $kind gets its answer', async ({ kind, type, payload }) => {
  expect(await ask(kind, type, payload)).toEqual({});
});

test.each(RIGHT)('$type of a $kind is nobody else’s', async ({ kind, type, payload }) => {
  for (const other of KINDS) {
    if (other === kind || variantOf(type, other)) continue;
    expect([other, await ask(other, type, payload)]).toEqual([other, NOT_ALLOWED]);
  }
});

test('only the panel names the tab that it declines for', async () => {
  const ofTab = { tabId: 8, annotationId: 'a_1' };
  const own = { annotationId: 'a_1' };
  const wrong = { error: expect.stringContaining('"tabId" of "decline_annotation"') };
  expect(await ask('content', 'decline_annotation', ofTab)).toEqual(wrong);
  expect(await ask('content', 'decline_annotation', own)).toEqual({});
  expect(await ask('panel', 'decline_annotation', ofTab)).toEqual({});
  expect(await ask('panel', 'decline_annotation', own)).toEqual(wrong);
});

/** What may be left out; whatever else is missing makes a message wrong. */
const OPTIONAL = [
  'ask_files.began',
  'decide_approval.note',
  'decide_approval.rule',
  'export_json.pathname',
  'export_prompt.pathname',
  'judge.held',
  'keep_draft.typed',
  'open_panel.view',
  'report_states.reports.0.varied',
  'send_message.contextId',
  'send_to_chat.annotationId',
  'send_to_chat.selection.children',
  'send_to_chat.selection.targets',
];

test('a message without one of its fields is refused by that field’s name, but for what may be left out', async () => {
  const left: string[] = [];
  for (const { kind, type, payload } of RIGHT) {
    for (const way of partsOf(payload)) {
      if (typeof way.at(-1) === 'number' || partAt(payload, way) === undefined) continue;
      const { error } = await ask(kind, type, withPart(payload, way));
      if (error === undefined) left.push(`${type}.${way.join('.')}`);
      // What is in the core's own values is told of as a whole.
      else expect(error).toMatch(type === 'send_to_chat' ? String(way[0]) : `"${way.join('.')}"`);
    }
  }
  expect(left.sort()).toEqual(OPTIONAL);
});

const LONG = 'c_'.repeat(64 * 1024 * 1024);

/** What nothing of this kind may be. */
function wrongs(part: unknown): unknown[] {
  if (typeof part === 'string') return [5, null, {}, [], true, LONG];
  if (typeof part === 'number') return ['5', -1, 1.5, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY, {}, []];
  if (typeof part === 'boolean') return ['yes', 1, null, {}, []];
  if (Array.isArray(part)) return [{ length: 0 }, null, 'x', 5, Array(100_001).fill(part[0])];
  return [5, 'x', true, []];
}
/** Numbers that are no counts: they may be a part of something, or less than nothing. */
const NO_COUNTS = /viewport|\.began|\.changedAt|\.filesUntil|\.madeOtherAt|\.at$/;

test('a message with something else in one of its fields is refused', async () => {
  for (const { kind, type, payload } of RIGHT) {
    for (const way of partsOf(payload)) {
      const name = `${type}.${way.join('.')}`;
      const part = partAt(payload, way);
      if (part === undefined) continue;
      for (const put of wrongs(part)) {
        const isNumber = typeof put === 'number' && typeof part === 'number' && Number.isFinite(put);
        if (isNumber && NO_COUNTS.test(name)) continue;
        const said = await ask(kind, type, withPart(payload, way, { put }));
        const shown = typeof put === 'string' ? put.slice(0, 9) : put;
        expect([name, shown, said]).toEqual([name, shown, { error: expect.stringContaining(type) }]);
      }
    }
  }
});

test.each([
  ['nothing', undefined],
  ['text', 'describe'],
  ['a number', 5],
  ['a list', []],
  ['no type', { payload: {} }],
  ['an unknown type', { type: 'reboot', payload: {} }],
  ['a type that every object has', { type: 'constructor', payload: {} }],
  ['a type that is every object’s', { type: '__proto__', payload: {} }],
  ['a type that is no text', { type: ['describe'], payload: {} }],
  ['no payload', { type: 'picking_changed' }],
  ['a payload that is none', { type: 'get_drafts', payload: 'all' }],
  ['nodes that are no indexes', { type: 'describe', payload: { capture: '', nodes: [-1], probes: [null] } }],
  [
    'far too many nodes',
    { type: 'describe', payload: { capture: '', nodes: Array(51).fill(1), probes: [] } },
  ],
])('%s is no message', async (_name, said) => {
  for (const kind of KINDS) {
    let isReached = false;
    const app = () => {
      isReached = true;
      return Promise.reject(new Error('reached'));
    };
    const sentence = expect.stringMatching(/^[A-Z].*\. Reload the page and the extension\.$/);
    expect(await answer(app, said, SENDERS[kind])).toEqual({ error: sentence });
    expect(isReached).toBe(false);
  }
});

test('a stranger gets no answer', async () => {
  for (const { type, payload } of RIGHT) {
    expect(await answer(() => Promise.reject(new Error()), { type, payload }, undefined)).toEqual(
      NOT_ALLOWED,
    );
  }
});

test('what a message does not name does not come in, and what is the core’s comes whole', async () => {
  const payload = { ...(sampleOf(TABLE.create_comment.content.payload) as object), planted: true };
  const targets = [{ odd: [1] }];
  expect(await ask('content', 'create_comment', { ...payload, targets })).toEqual({});
  const taken = read(TABLE.create_comment.content.payload, { ...payload, targets });
  expect(taken).toEqual({ value: expect.not.objectContaining({ planted: true }) });
  expect(taken).toMatchObject({ value: { targets } });
});

test('page and panel take nothing of the background with them but types', async () => {
  expect(Object.keys(await import('../../messages'))).toEqual([]);
});

test('page and panel are held to the table by the compiler', () => {
  expectTypeOf<Payload<'content', 'create_comment'>>().toEqualTypeOf<{
    id: string;
    targets: Target[];
    text: string;
    url: string;
    title: string;
    picture: boolean;
  }>();
  expectTypeOf<Answer<'content', 'create_comment'>>().toEqualTypeOf<{
    comment: Comment;
    picture: 'kept' | 'none' | 'not_allowed';
  }>();
  expectTypeOf<Answer<'content', 'judge'>>().toEqualTypeOf<Finding[][]>();
  expectTypeOf<Payload<'panel', 'settle'>['act']>().toEqualTypeOf<'confirm' | 'point' | 'choose'>();
  expectTypeOf<Payload<'panel', 'decline_annotation'>>().toEqualTypeOf<{
    annotationId: string;
    tabId: number;
  }>();
  expectTypeOf<Payload<'content', 'decline_annotation'>['tabId']>().toEqualTypeOf<undefined>();
  expectTypeOf<Payload<'field', 'claim_field'>>().toEqualTypeOf<{ secret: string }>();
  expectTypeOf<Answer<'field', 'claim_field'>>().toEqualTypeOf<boolean>();
  // None is of any type, which the compiler would let pass whatever is asked and done with it.
  type Loose<K extends Kind> = {
    [T in Type<K>]: 0 extends 1 & (Payload<K, T> | Answer<K, T>) ? T : never;
  }[Type<K>];
  expectTypeOf<Loose<'content'> | Loose<'panel'> | Loose<'field'>>().toBeNever();
  expectTypeOf<'set_picking'>().not.toExtend<Type<'content'>>();
  expectTypeOf<'describe'>().not.toExtend<Type<'panel'>>();
  expectTypeOf<{ type: 'jump_to'; payload: { tabId: string } }>().not.toExtend<Asked>();
});
