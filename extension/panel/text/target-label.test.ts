import { expect, test } from 'vitest';
import { snapshot, target } from '../../testing/panel/states';
import { targetLabel } from './target-label';

test('role, name, component and place', () => {
  expect(targetLabel(target())).toEqual({
    element: 'button “Save changes”',
    component: 'SaveBar',
    place: 'src/components/SaveBar.tsx:42',
    shortPlace: 'SaveBar.tsx:42',
  });
});

test('without role and name the tag and its id stand in', () => {
  const bare = { tag: 'div', id: 'chart', ownText: '', text: '' };
  const { role: _, name: __, component: ___, source: ____, ...rest } = snapshot(bare);
  expect(targetLabel(target({ snapshot: rest }))).toEqual({ element: 'div#chart' });
});

test('a long name is cut between characters, not inside one', () => {
  const label = targetLabel(target({ snapshot: snapshot({ name: '🙂'.repeat(80) }) }));
  expect([...label.element].filter((character) => character === '🙂')).toHaveLength(59);
  expect(label.element).toMatch(/…”$/);
});

test('a Windows path is shortened too', () => {
  const source = { file: 'src\\ui\\Bar.vue', confidence: 1, reason: 'Vue __file' };
  expect(targetLabel(target({ snapshot: snapshot({ source }) })).shortPlace).toBe('Bar.vue');
});

test('a file without a line is told as such', () => {
  const source = { file: 'src/pages/Shop.tsx', confidence: 0.8, reason: 'React _debugStack' };
  expect(targetLabel(target({ snapshot: snapshot({ source }) }))).toMatchObject({
    place: 'src/pages/Shop.tsx (line not known)',
    shortPlace: 'Shop.tsx',
  });
});
