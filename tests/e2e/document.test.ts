/**
 * What a document tells of its source where nobody knows the project's files: a small server whose template and data
 * are edited, each alone and together, and whose page is loaded again or morphed.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { TESTS } from './harness/paths.ts';
import { isActive, isOutdated, mayHaveChanged, play, rest } from './harness/shop.ts';
import { Source } from './harness/source.ts';
import { scenario } from './harness/world.ts';

const NOTICES = {
  name: 'notices',
  folders: [join(TESTS, 'apps/notices')],
  server: [join(TESTS, 'apps/notices.ts')],
};

scenario(
  'an edited script or style sheet in the document outdates what differs with it; other data in it does not',
  { registered: false, everySite: true },
  async (world) =>
    play(world, async (shop) => {
      const { page } = world;
      const priced = await world.comment('#price', 'With the old price');
      const headed = await world.comment('h1', 'Say which day');
      const noted = await world.comment('#note', 'On Sundays too?');
      await rest();
      Object.assign(shop, {
        visit: 2,
        price: 29,
        goods: [{ id: 2, title: 'Rice', tags: ['new'] }, { id: 3 }],
      });
      await page.reload();
      await rest();
      await mayHaveChanged(world, priced, 'may have changed with other data');
      shop.heading = 'Offers of the week';
      shop.code = shop.code.replace('toggleAttribute', 'setAttribute');
      await page.reload();
      await isOutdated(world, headed);
      await isActive(world, noted, 'is active, as its words are');
      shop.style = '.price { color: blue }';
      shop.note = 'We are open until ten.';
      await page.reload();
      await isOutdated(world, noted);
      assert.equal(shop.asked, 4, 'the server was asked by the loads alone');
    }),
);

scenario(
  'rows that a loop of the template writes into a script, and names that are new for each load, are data',
  { registered: false, everySite: true, alike: true },
  async (world) =>
    play(world, async (shop) => {
      const { page } = world;
      const map = (asked: number) => `map_${['3f9ab2c1d4', '77ce01bb9a', 'a0b1ffe2c8'][asked % 3]}`;
      const row = (on: string, id: unknown) =>
        `var marker = ${on}.add(place(${id}, ${on}));\nmarker.bindPopup("Shop ${id}");\n`;
      shop.codeOf = (asked) => `${shop.code}
function place(id, map) { return { at: [id], map, bindPopup() {} }; }
var ${map(asked)} = { add(one) { return one; } };
function draw() {
  ${shop.goods.map(({ id }) => row(map(asked), id)).join('')}
}
draw();
${shop.goods.map(({ id }) => row(map(asked), id)).join('')}
${map(asked)}.all = [${shop.goods.map(({ id }) => `place(${id}, ${map(asked)})`)}];`;
      await page.reload();
      const headed = await world.comment('h1', 'Say which day');
      await rest();
      Object.assign(shop, { heading: 'Offers of the week', goods: [{ id: 1 }, { id: 2 }, { id: 5 }] });
      await page.reload();
      await rest();
      await mayHaveChanged(world, headed, 'may have changed with two rows more');
      Object.assign(shop, { heading: 'Offers of the month', goods: [{ id: 5 }] });
      shop.code = shop.code.replace('toggleAttribute', 'setAttribute');
      await page.reload();
      await isOutdated(world, headed);
    }),
);

scenario(
  'another page at the same address, as a form to log in, is no edit, there and back; an edit since then is one',
  { registered: false, everySite: true, alike: true },
  async (world) =>
    play(world, async (shop) => {
      const { page } = world;
      const headed = await world.comment('h1', 'Say which day');
      await rest();
      for (const heading of ['Offers of the week', 'Offers of the month']) {
        shop.isOut = true;
        await page.reload();
        await rest();
        Object.assign(shop, { isOut: false, heading });
        await page.reload();
        await rest();
        await mayHaveChanged(world, headed, 'may have changed after the other page');
      }
      shop.isOut = true;
      await page.reload();
      await rest();
      Object.assign(shop, { isOut: false, heading: 'All offers' });
      shop.code = shop.code.replace('toggleAttribute', 'setAttribute');
      await page.reload();
      await isOutdated(world, headed);
    }),
);

scenario(
  'a document of which the browser keeps no copy is not asked for again, and what differs in it may have changed',
  { registered: false, everySite: true },
  async (world) =>
    play(
      world,
      async (shop) => {
        const { page, overlay } = world;
        const headed = await world.comment('h1', 'Say which day');
        const noted = await world.comment('#note', 'On Sundays too?');
        await rest();
        shop.heading = 'Offers of the week';
        await page.reload();
        await mayHaveChanged(world, headed, 'may have changed');
        await rest();
        await isActive(world, noted, 'is as it was');
        await overlay.openThread(headed);
        await overlay.says('thread-verdict', /May have changed/i);
        await page.keyboard.press('Escape');
        // What looked as before after the load differs by use.
        await page.evaluate(() => document.getElementById('note')?.replaceChildren('Thank you.'));
        await overlay.openThread(noted);
        await overlay.says('thread-verdict', /Looks different now: .* No change of the source was seen\./s);
        await page.keyboard.press('Escape');
        await isActive(world, noted, 'is active');
        // By a person's word it is known again, until the next load that shows something else.
        await overlay.openThread(headed);
        await overlay.click('thread-still-same');
        await isActive(world, headed, 'is as it was confirmed');
        await rest();
        shop.heading = 'Offers of the month';
        await page.reload();
        await mayHaveChanged(world, headed, 'may have changed again');
        assert.equal(shop.asked, 3, 'the server was asked by the loads alone');
      },
      { 'cache-control': 'no-store' },
    ),
);

scenario(
  'in a document that is made of other elements, by an edit or by use, what differs may have changed, and nothing is outdated',
  { registered: false, everySite: true, alike: true },
  async (world) =>
    play(world, async (shop) => {
      const { page, overlay } = world;
      const headed = await world.comment('h1', 'Say which day');
      const noted = await world.comment('#note', 'On Sundays too?');
      await rest();
      const mayHave = () => mayHaveChanged(world, headed, 'may have changed');
      shop.heading = 'Offers of the week';
      shop.end = '<aside class="notice">Welcome back.</aside>';
      await page.reload();
      await mayHave();
      await isActive(world, noted, 'is as it was');
      // What nobody could tell of is not known by being seen again.
      await rest();
      await page.reload();
      await rest();
      await mayHave();
      await overlay.openThread(headed);
      await overlay.says('thread-verdict', /May have changed/i);
      await page.keyboard.press('Escape');
      Object.assign(shop, { heading: 'Offers of the day', end: '' });
      await page.reload();
      await rest();
      await isActive(world, headed, 'is as it was');
      // All of that is known from before, so that it says nothing any more.
      Object.assign(shop, {
        heading: 'Offers of the week',
        end: '<aside class="notice">Welcome back.</aside>',
      });
      await page.reload();
      await rest();
      await isActive(world, headed, 'is shown with other data');
      await overlay.openThread(headed);
      await overlay.says('thread-verdict', /Looks different now: .* No change of the source was seen\./s);
    }),
);

scenario(
  'a page that is morphed without a script being loaded may have changed, and nothing is outdated',
  { registered: false, everySite: true, alike: true },
  async (world) =>
    play(world, async (shop) => {
      const { page, overlay } = world;
      const priced = await world.comment('#price', 'With the old price');
      const headed = await world.comment('h1', 'Say which day');
      await rest();
      await page.evaluate(() => Object.assign(window, { isSame: true }));
      Object.assign(shop, { heading: 'Offers of the week', price: 29, visit: 2 });
      shop.goods = [
        { id: 2, name: 'Rice' },
        { id: 3, name: 'Nuts' },
      ];
      await overlay.clickPage('#refresh');
      await world.until('the page shows the other price', () =>
        page.evaluate(() => document.getElementById('price')?.textContent === '29'),
      );
      await rest();
      assert.ok(await page.evaluate(() => 'isSame' in window), 'it was not loaded again');
      for (const id of [priced, headed]) {
        await mayHaveChanged(world, id, 'may have changed');
        await overlay.openThread(id);
        await overlay.says('thread-verdict', /May have changed/i);
        await page.keyboard.press('Escape');
      }
      // An edit of its code is told at the next load, and counts for what came with it.
      shop.code = shop.code.replace('toggleAttribute', 'removeAttribute');
      shop.heading = 'All offers';
      await page.reload();
      await isOutdated(world, headed);
    }),
);

scenario(
  'where a hub knows the files, a document that is made of other elements is use, and an edit of its template is one',
  { project: NOTICES, alike: true },
  async (world) => {
    const { page, overlay } = world;
    const agent = await world.agent();
    const id = await world.comment('h1', 'Say which day');
    await world.delivered(agent, id);
    await rest();
    await fetch(`${world.origin}/say?day=week&notice=Welcome`);
    await page.reload();
    await rest();
    await isActive(world, id, 'is active');
    await overlay.openThread(id);
    await overlay.says('thread-verdict', /Looks different now: .* No change of the source was seen\./s);
    await page.keyboard.press('Escape');
    await new Source(world.project).edit('template.html', '<h1>Offers', '<h1>All new offers');
    await page.reload();
    await isOutdated(world, id);
  },
);

scenario(
  'what may have changed while there was no hub is use or an edit as soon as there is one that knows the files',
  { registered: false, project: NOTICES, alike: true },
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('h1', 'Say which day');
    await rest();
    const source = new Source(world.project);
    await fetch(`${world.origin}/say?day=week&notice=Welcome`);
    await page.reload();
    await rest();
    await mayHaveChanged(world, id, 'may have changed');
    await world.host.register();
    const panel = await world.panel();
    await panel.click('advice-button');
    await panel.says('connection-hub', /Connected/);
    await page.bringToFront();
    await isActive(world, id, 'is active');
    await overlay.openThread(id);
    await overlay.says('thread-verdict', /Looks different now: .* No change of the source was seen\./s);
    await page.keyboard.press('Escape');
    await source.edit('template.html', '<h1>Offers', '<h1>All new offers');
    await page.reload();
    await isOutdated(world, id);
  },
);

scenario(
  'where the browser got another document at the address since the page was loaded, what differs may have changed, and nothing is outdated',
  { registered: false, everySite: true },
  async (world) =>
    play(world, async (shop) => {
      const { page, overlay } = world;
      const headed = await world.comment('h1', 'Say which day');
      await rest();
      // As a page does that keeps itself fresh: what is kept then is the document of another moment.
      shop.end = `<script>
        const again = new XMLHttpRequest();
        again.open('GET', location.href, false);
        again.setRequestHeader('cache-control', 'no-cache');
        again.send();
        document.body.dataset.length = again.responseText.length;
      </script>`;
      const { code } = shop;
      assert.equal(shop.asked, 1);
      shop.codeOf = (asked) => (asked % 2 === 0 ? code : `${code} show${'e'.repeat(asked)}d(menu);`);
      for (const heading of ['Offers of the week', 'Offers of the month']) {
        shop.heading = heading;
        const before: number = shop.asked;
        await page.reload();
        assert.equal(shop.asked, before + 2, 'it asks for itself');
        await rest();
        await mayHaveChanged(world, headed, 'may have changed');
      }
      await overlay.openThread(headed);
      await overlay.says('thread-verdict', /May have changed/i);
    }),
);
