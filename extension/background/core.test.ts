import { expect, test } from 'vitest';
import { version } from '../package.json';
import { loadCoreForTest } from '../testing/core';

test('the core is of the same version as the extension', () => {
  expect(loadCoreForTest().version()).toBe(version);
});
