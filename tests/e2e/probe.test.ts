/** Where the framework itself says which component an element belongs to, and in which file, the comment says so. */
import assert from 'node:assert/strict';
import { scenario } from './harness/world.ts';

for (const [app, file] of [
  ['react', /src\/CheckoutButton\.tsx/],
  ['vue', /src\/CheckoutButton\.vue/],
  ['svelte', /src\/CheckoutButton\.svelte/],
] as const) {
  scenario(
    `the probe names component and file in a ${app} app`,
    { app, registered: false },
    async (world) => {
      await world.page.waitForSelector('#checkout');
      await world.comment('#checkout', 'Say what it costs');
      const { comments } = JSON.parse(await world.download('export-json'));
      const { component, source } = comments[0].targets[0].snapshot;
      assert.equal(component, 'CheckoutButton');
      assert.match(source?.file ?? '', file);
    },
  );
}
