// @vitest-environment happy-dom
import { render } from 'preact';
import { expect, test } from 'vitest';
import { Differences } from './Differences';

test('classes that went and came stand apart', () => {
  render(
    <Differences diff={[{ field: 'classes', before: 'btn primary save', after: 'cta bg-indigo' }]} />,
    document.body,
  );
  const row = document.querySelector('dd') as HTMLElement;
  for (const said of row.querySelectorAll('.said-only')) said.remove();
  expect(row.textContent).toBe('btn primary save → cta bg-indigo');
});
