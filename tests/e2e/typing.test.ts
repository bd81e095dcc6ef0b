/** What a person types to us is theirs: a page that listens to all it can before we come hears nothing of it. */
import assert from 'node:assert/strict';
import { keptTexts } from './harness/drafts.ts';
import { own } from './harness/overlay.ts';
import { browserUnderTest } from './harness/paths.ts';
import { scenarioOn, type World } from './harness/world.ts';

/** Everything by which a page can hear of what is typed. */
const TYPES = [
  'keydown',
  'keyup',
  'keypress',
  'textInput',
  'beforeinput',
  'input',
  'change',
  'beforepaste',
  'paste',
  'beforecopy',
  'copy',
  'beforecut',
  'cut',
  'compositionstart',
  'compositionupdate',
  'compositionend',
  'selectstart',
  'focusin',
  'focusout',
  'beforetoggle',
  'toggle',
];

const LISTENING = `<!doctype html>
<html lang="en">
  <head>
    <title>Listening</title>
    <script>
      window.heard = [];
      for (const type of ${JSON.stringify(TYPES)})
        for (const target of [window, document, document.documentElement])
          target.addEventListener(type, (event) => {
            window.heard.push(type + ' ' + (event.key ?? event.data ?? '') + ' at ' + event.target.localName);
          }, { capture: true });
    </script>
  </head>
  <body>
    <h1>Listening</h1>
    <input id="own" />
    <p id="target" style="width: 300px; height: 60px">Here</p>
  </body>
</html>
`;

const heard = (world: World): Promise<string[]> =>
  world.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.splice(0));

const written = (world: World): Promise<string | undefined> => world.overlay.written();

scenarioOn(
  LISTENING,
  {},
  'a page that listens to every key hears nothing of what is typed to us',
  async (world) => {
    const { page, overlay } = world;
    await page.focus('#own');
    await page.keyboard.type('abc');
    const own = await heard(world);
    assert.ok(
      own.includes('keydown b at input') && own.includes('beforeinput b at input'),
      'the page does listen',
    );

    await world.startPicking();
    await overlay.pick('#target');
    await overlay.visible('comment-input');
    await overlay.focused('comment-input');
    await heard(world);
    await page.keyboard.type('Hush');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('h');
    const withControl = async (...keys: ('a' | 'c' | 'x' | 'v')[]) => {
      await page.keyboard.down('Control');
      for (const key of keys) await page.keyboard.press(key);
      await page.keyboard.up('Control');
    };
    if (browserUnderTest() === 'chromium') {
      // As an input method writes: nothing of it is a key.
      const cdp = await page.createCDPSession();
      await cdp.send('Input.imeSetComposition', { text: 'ひ', selectionStart: 1, selectionEnd: 1 });
      await cdp.send('Input.insertText', { text: '秘密' });
      assert.equal(await written(world), 'Hush秘密');
      await withControl('a', 'x');
      assert.equal(await written(world), '');
      await withControl('v');
    }
    const text = browserUnderTest() === 'chromium' ? 'Hush秘密' : 'Hush';
    await world.until('the text is there', async () => (await written(world)) === text);
    // Around our controls and back.
    await page.keyboard.press('Tab');
    await overlay.focused('comment-cancel');
    await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    await page.keyboard.up('Shift');
    await overlay.focused('comment-input');
    assert.deepEqual(await heard(world), []);

    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    const pin = await world.until('the pin', async () => (await overlay.pins())[0]);
    const [comment] = JSON.parse(await world.download('export-json')).comments;
    assert.equal(comment.id, pin.id);
    assert.equal(comment.text, text);
    // A letter of our own shortcuts may come up after the box has closed; none of the text does.
    const after = (await heard(world)).filter((one) => !/^keyup (Enter|Control) /.test(one));
    assert.deepEqual(
      after.filter((one) => /^(key|text|before|input|paste|composition)/.test(one)),
      [],
    );
    await world.startPicking();
    await overlay.pick('#own');
    await overlay.visible('comment-box');
    await page.keyboard.press('Escape');
    await overlay.gone('comment-box');
  },
);

const WRITING = LISTENING.replace(
  '</script>',
  `window.forge = () => {
        window.tries = (window.tries ?? 0) + 1;
        if (window.rests) return false;
        return document.execCommand('insertText', false, 'FORGED');
      };
      window.addEventListener('pointerdown', window.forge, true);
      window.addEventListener('mousedown', window.forge, true);
      setInterval(window.forge, 20);
      setInterval(() => window.rests || document.execCommand('delete'), 50);
    </script>`,
);

scenarioOn(
  WRITING,
  {},
  'a page that writes into the field that has the focus changes nothing of what is typed to us',
  async (world) => {
    const { page, overlay } = world;
    const tries = () => page.evaluate(() => (globalThis as unknown as { tries: number }).tries);
    const withControl = async (key: 'a' | 'c' | 'v') => {
      await page.keyboard.down('Control');
      await page.keyboard.press(key);
      await page.keyboard.up('Control');
    };
    await page.focus('#own');
    await world.until('the page does write', () =>
      page.$eval('#own', (field) => (field as HTMLInputElement).value.includes('FORGED')),
    );
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await world.startPicking();
    await overlay.pick('#target');
    await overlay.visible('comment-input');
    await overlay.focused('comment-input');
    await page.keyboard.type('My own words');
    const before = await tries();
    await world.until('the page tried again', async () => (await tries()) > before + 5);
    assert.equal(await written(world), 'My own words');
    // The caret stays where the person put it.
    await page.keyboard.press('ArrowLeft');
    const atLeft = await tries();
    await world.until('the page tried again', async () => (await tries()) > atLeft + 5);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('D');
    assert.equal(await written(world), 'My own worDs');
    // What is selected, a page that writes takes away; the text it does not.
    const rest = (rests: boolean) => page.evaluate((rests) => Object.assign(globalThis, { rests }), rests);
    await rest(true);
    await withControl('a');
    await withControl('c');
    await page.keyboard.press('End');
    await rest(false);
    await withControl('v');
    await world.until('it is pasted', async () => (await written(world)) === 'My own worDsMy own worDs');
    await overlay.click('comment-submit');
    await world.until('the pin', async () => (await overlay.pins())[0]);
    const [comment] = JSON.parse(await world.download('export-json')).comments;
    assert.equal(comment.text, 'My own worDsMy own worDs');
  },
);

scenarioOn(
  LISTENING,
  {},
  'what a person undoes, breaks into lines and cuts in our field is theirs',
  async (world) => {
    const { page, overlay } = world;
    const press = async (key: 'z' | 'x', shift = false) => {
      await page.keyboard.down('Control');
      if (shift) await page.keyboard.down('Shift');
      await page.keyboard.press(key);
      if (shift) await page.keyboard.up('Shift');
      await page.keyboard.up('Control');
    };
    await world.startPicking();
    await overlay.pick('#target');
    await overlay.type('One');
    await press('z');
    await world.until('it is undone', async () => (await written(world)) === '');
    await press('z', true);
    await world.until('it is done again', async () => (await written(world)) === 'One');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Two');
    assert.equal(await written(world), 'One\nTwo');
    await page.keyboard.down('Shift');
    for (let letter = 0; letter < 3; letter++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.up('Shift');
    await press('x');
    await world.until('it is cut', async () => (await written(world)) === 'One\n');
  },
);

const REFUSING = LISTENING.replace(
  '</script>',
  `window.addEventListener('beforetoggle', (event) => {
        event.preventDefault();
        if (window.removes) event.target.remove();
      }, true);
    </script>`,
);

scenarioOn(
  REFUSING,
  {},
  'a page that refuses popovers, or takes them out as they open, has ours in the top layer',
  async (world) => {
    const { page, overlay } = world;
    await page.evaluate(() => Object.assign(globalThis, { removes: true }));
    const id = await world.comment('#target', 'Open after all');
    await overlay.pin(id, 'is there');
    const isOpen = await page.$eval('[data-opentoolbar-root]', (root) => root.matches(':popover-open'));
    assert.equal(isOpen, true);
  },
);

// Firefox ends content scripts with their extension, and reloading it there leaves no page behind.
if (browserUnderTest() === 'chromium') {
  scenarioOn(
    REFUSING,
    {},
    'a page that was there before the extension and refuses popovers has ours by its z-index',
    async (world) => {
      const { page, overlay } = world;
      const id = await world.comment('#target', 'Before the reload');
      await page.evaluate(() => {
        Object.assign(globalThis, { old: document.querySelector('[data-opentoolbar-root]') });
      });
      await world.browser.reloadExtension();
      await world.until('another root stands there', () =>
        page.evaluate(() => {
          const now = document.querySelector('[data-opentoolbar-root]');
          return now !== null && now !== (globalThis as unknown as { old: Element }).old;
        }),
      );
      const isOpen = await page.$eval('[data-opentoolbar-root]', (root) => root.matches(':popover-open'));
      assert.equal(isOpen, false, 'the page does refuse it');
      await overlay.pin(id, 'is there');
      await overlay.openThread(id);
    },
  );
}

scenarioOn(
  LISTENING,
  {},
  'a page that opens its document anew has our pins again, and what was being written',
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('#target', 'Stays');
    const kept = await keptTexts(world);
    await world.startPicking();
    await overlay.pick('#own');
    await overlay.type('Not saved yet');
    // What is typed is told to the background a moment later.
    await world.until('it is kept', async () => (await kept()).includes('Not saved yet'));
    await page.evaluate(() => {
      document.open();
      document.write('<!doctype html><title>Anew</title><input id="own"><p id="target">Here</p>');
      document.close();
    });
    await overlay.pin(id, 'is there again');
    await world.until('one root stands there', () =>
      page.evaluate(() => document.querySelectorAll('[data-opentoolbar-root]').length === 1),
    );
    await page.bringToFront();
    const picking = await overlay.$(own('pick-bar'));
    if (!picking) await world.startPicking();
    await overlay.pick('#own');
    await overlay.focused('comment-input');
    assert.equal(await written(world), 'Not saved yet');
    // Written to and never closed.
    await page.evaluate(() => {
      document.open();
      document.write('<!doctype html><title>Never closed</title><p id="target">Here</p>');
    });
    await overlay.pin(id, 'is there once more');
    await page.evaluate(() => document.close());
  },
);
