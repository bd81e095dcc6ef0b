import { expect, test } from 'vitest';
import { busyComments } from '../../testing/panel/states';
import { reuseUnchanged } from './reuse-unchanged';

test('an unchanged comment keeps its object, a changed one does not', () => {
  const old = busyComments();
  const fresh = structuredClone(old);
  const edited = fresh[1];
  if (!edited) throw new Error('the fixture has comments');
  edited.revision += 1;
  const outdated = fresh[2];
  const state = outdated?.targets[0]?.state;
  if (state) state.checkedAt += 1;
  const numbered = fresh[3];
  if (numbered) numbered.number = 99;
  const merged = reuseUnchanged(old, fresh);
  expect(merged[0]).toBe(old[0]);
  expect(merged[1]).toBe(edited);
  expect(merged[2]).toBe(outdated);
  expect(merged[3]).toBe(numbered);
  expect(merged).toHaveLength(old.length);
});
