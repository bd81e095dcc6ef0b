/**
 * What a person writes to us stands in a frame of the extension's own: whatever a page's scripts try while it has the
 * focus, they read nothing of it and write nothing into it. Where a page allows no such frame, the field says so.
 */
import assert from 'node:assert/strict';
import { isFramed, openBox, PLAIN, saveByKeys } from './field-play.ts';
import { violations } from './harness/axe.ts';
import { browserUnderTest } from './harness/paths.ts';
import { scenarioOn, type Where, type World } from './harness/world.ts';

/** Of parts that stand nowhere else. */
const SECRET = 'Zqxj 4711 Wvkp';
const LEAK = /Zq|qx|xj|47|71|Wv|vk|kp|^(key|before|input|comp|textInput|paste)/;

/** A page that tries all the time, and keeps what it got. It listens before our scripts come. */
const SPYING = `<!doctype html>
<html lang="en">
  <head>
    <title>Spying</title>
    <script>
      const got = (window.got = []);
      window.rounds = 0;
      const keep = (how, what) => got.push(how + ': ' + what);
      for (const type of ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'compositionupdate', 'textInput', 'paste', 'copy', 'selectstart'])
        addEventListener(type, (event) => {
          if (event.target.id !== 'own') keep(type, event.key ?? event.data ?? '');
        }, true);
      addEventListener('message', (event) => {
        keep('message', JSON.stringify(event.data));
        if (event.source && event.source !== window) keep('a way to the frame', event.origin);
      }, true);
      // Of whatever it can: what is written by somebody who knows none of the page's names.
      for (const [where, name] of [[MessagePort.prototype, 'postMessage'], [Window.prototype, 'postMessage'], [MessageChannel.prototype, 'port1']]) {
        const old = Object.getOwnPropertyDescriptor(where, name);
        if (old && old.value) where[name] = function (...all) { keep(name, String(all[0])); return old.value.apply(this, all); };
      }
      const forged = () => [
        JSON.stringify({ type: 'text', text: 'FORGED', count: 1_000 }),
        JSON.stringify({ type: 'write', text: 'FORGED' }),
        JSON.stringify({ type: 'ready' }),
        JSON.stringify({ type: 'open_field', secret: '00'.repeat(32) }),
      ];
      const spy = () => {
        if (window.rests) return;
        window.rounds++;
        const active = document.activeElement;
        document.execCommand('selectAll');
        keep('selection', getSelection().toString());
        keep('shadow selection', String(getSelection().getComposedRanges?.({ shadowRoots: [] }).map((range) => range.startContainer.textContent)));
        document.execCommand('copy');
        document.execCommand('insertText', false, 'FORGED');
        keep('active', active && active.matches('[data-opentoolbar-root]') ? 'host' : active?.textContent?.slice(0, 40));
        keep('frames', window.length + ' ' + document.querySelectorAll('iframe').length);
        for (let at = 0; at < 5; at++) if (window[at]) { keep('window', at); for (const one of forged()) window[at].postMessage(one, '*'); }
        for (const one of forged()) window.postMessage(one, '*');
        keep('resources', performance.getEntries().map(({ name }) => name).filter((name) => /extension:/.test(name)).join());
        const at = document.querySelector('[data-opentoolbar-root]');
        if (at) {
          try { keep('inside', at.innerHTML + at.textContent); } catch {}
          const box = { x: innerWidth / 2, y: innerHeight / 2 };
          keep('point', document.elementFromPoint(box.x, box.y)?.textContent?.slice(0, 40));
          keep('caret', document.caretPositionFromPoint?.(box.x, box.y)?.offsetNode?.textContent?.slice(0, 40));
        }
        getSelection().removeAllRanges();
      };
      setInterval(spy, 25);
      document.addEventListener('selectionchange', () => keep('selectionchange', getSelection().toString()));
    </script>
  </head>
  <body>
    <h1>Spying</h1>
    <p id="target" style="width: 300px; height: 60px">Here</p>
    <input id="own" />
  </body>
</html>
`;

type Spy = { got: string[]; rounds: number; rests: boolean };

const rounds = (world: World) => world.page.evaluate(() => (globalThis as unknown as Spy).rounds);
const loot = (world: World) => world.page.evaluate(() => (globalThis as unknown as Spy).got.splice(0));

/** Waits until the page has tried everything a few times. */
async function spied(world: World): Promise<string[]> {
  const before = await rounds(world);
  await world.until('the page has tried again', async () => (await rounds(world)) > before + 4);
  return loot(world);
}

scenarioOn(
  SPYING,
  {},
  'a page that tries all it can while the box has the focus reads nothing of what is typed and writes nothing',
  async (world) => {
    const { page, overlay } = world;
    // It would work on a field of the page's own: that is what it is kept from.
    await page.focus('#own');
    await page.keyboard.type('abc');
    await world.until('the page does write', () =>
      page.$eval('#own', (field) => (field as HTMLInputElement).value.includes('FORGED')),
    );
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await openBox(world);
    await loot(world);
    for (const part of SECRET.match(/.{1,4}/g) ?? []) {
      await page.keyboard.type(part);
      const got = await spied(world);
      assert.ok(got.length > 10, 'it tried');
      const leaks = got.filter((one) => LEAK.test(one));
      assert.deepEqual(leaks, []);
      // Our field is in no list of its frames.
      for (const one of got) {
        if (one.startsWith('frames: ')) assert.equal(one, 'frames: 0 0');
        if (one.startsWith('resources: ')) assert.equal(one, 'resources: ');
        if (one.startsWith('active: ')) assert.equal(one, 'active: host');
        assert.doesNotMatch(one, /^(a way to the frame|window): /);
      }
    }
    assert.equal(await overlay.written(), SECRET);
    assert.equal(await saveByKeys(world), SECRET);
  },
);

scenarioOn(SPYING, {}, 'a reply and an edit of a comment are as little the page’s to read', async (world) => {
  const { page, overlay } = world;
  await openBox(world);
  await page.keyboard.type('First');
  await saveByKeys(world);
  await page.bringToFront();
  const [pin] = await overlay.pins();
  await overlay.openThread(pin?.id ?? '');
  for (const [field, open] of [
    ['thread-reply-input', () => overlay.click('thread-reply-input')],
    ['thread-edit-input', () => overlay.click('thread-edit')],
  ] as const) {
    await open();
    await overlay.focused(field);
    await loot(world);
    await page.keyboard.type(SECRET);
    const got = await spied(world);
    assert.deepEqual(
      got.filter((one) => LEAK.test(one)),
      [],
    );
    await world.until('it is written', async () => (await overlay.written(field))?.endsWith(SECRET));
  }
});

scenarioOn(PLAIN, {}, 'a page that puts our field into itself gets nothing from it', async (world) => {
  const { page, overlay, browser } = world;
  await openBox(world);
  const answers = await page.evaluate(async (address) => {
    const frame = document.createElement('iframe');
    frame.src = address;
    await new Promise((resolve) => {
      frame.addEventListener('load', resolve, { once: true });
      document.body.append(frame);
    });
    const said: unknown[] = [];
    addEventListener('message', (event) => said.push(event.data));
    for (let at = 0; at < 20; at++) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event) => said.push(event.data);
      const secret = at.toString(16).padStart(64, '0');
      frame.contentWindow?.postMessage(JSON.stringify({ type: 'open_field', secret }), '*', [port2]);
      port1.postMessage(JSON.stringify({ type: 'write', text: 'FORGED' }));
      const look = {
        label: 'x',
        placeholder: 'x',
        rows: 3,
        maxLength: 9,
        isReadOnly: false,
        isSmall: false,
        tallest: 99,
      };
      port1.postMessage(JSON.stringify({ type: 'look', look }));
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return said;
  }, `${browser.extensionOrigin}/field.html`);
  // That a frame of ours is there and refuses is all that it says, and not for ever.
  const kinds = answers.map((answer) => JSON.parse(String(answer)).type);
  assert.deepEqual([...new Set(kinds)].sort(), ['here', 'refused']);
  assert.ok(kinds.length <= 16, `${kinds.length} answers`);
  const embedded = await (await page.$('iframe'))?.contentFrame();
  const state = await embedded?.$eval('textarea', (field) => [field.disabled, field.value]);
  assert.deepEqual(state, [true, '']);
  await overlay.click('comment-input');
  await page.keyboard.type('Still mine');
  assert.equal(await saveByKeys(world), 'Still mine');
});

if (browserUnderTest() === 'chromium') {
  scenarioOn(
    PLAIN,
    { address: '127.0.0.2' },
    'a site that is none of the local ones cannot find out that we are there by our address',
    async (world) => {
      const { page, browser } = world;
      const found = await page.evaluate(async (address) => {
        const frame = document.createElement('iframe');
        frame.src = address;
        await new Promise((resolve) => {
          frame.addEventListener('load', resolve, { once: true });
          document.body.append(frame);
        });
        const { port1, port2 } = new MessageChannel();
        const answer = new Promise((resolve) => {
          port1.onmessage = (event) => resolve(event.data);
          setTimeout(() => resolve('silence'), 1_000);
        });
        frame.contentWindow?.postMessage(
          JSON.stringify({ type: 'open_field', secret: '00'.repeat(32) }),
          '*',
          [port2],
        );
        return answer;
      }, `${browser.extensionOrigin}/field.html`);
      assert.equal(found, 'silence');
      await page.evaluate(() => document.querySelector('iframe')?.remove());
      await openBox(world);
      assert.equal(await isFramed(world), true);
    },
  );
}

const STRICT = {
  'content-security-policy':
    "default-src 'none'; frame-src 'none'; child-src 'none'; style-src 'unsafe-inline'",
};
const ISOLATED = { 'cross-origin-embedder-policy': 'require-corp' };

for (const [name, where] of [
  ['a page whose policy allows no frame has the field in a frame', { headers: STRICT }],
  ['a page that is isolated from other origins has the field in a frame', { headers: ISOLATED }],
  [
    'a page of another site whose policy allows no frame has the field in a frame',
    { headers: STRICT, address: '127.0.0.2' },
  ],
  [
    'a page in a sandbox with an origin has the field in a frame',
    { headers: { 'content-security-policy': 'sandbox allow-scripts allow-same-origin' } },
  ],
] as [string, Where][])
  scenarioOn(PLAIN, where, name, async (world) => {
    await openBox(world);
    assert.equal(await isFramed(world), true);
    await world.page.keyboard.type('Framed');
    assert.equal(await saveByKeys(world), 'Framed');
  });

const REFUSING: [string, Where][] = [
  [
    'a page in a sandbox without an origin has the field in itself, and the field says so',
    { headers: { 'content-security-policy': 'sandbox allow-scripts' } },
  ],
];
if (browserUnderTest() === 'chromium')
  REFUSING.push([
    'a page of another site that is isolated has the field in itself, and the field says so',
    { headers: ISOLATED, address: '127.0.0.2' },
  ]);
for (const [name, where] of REFUSING)
  scenarioOn(PLAIN, where, name, async (world) => {
    await openBox(world);
    await world.overlay.says('field-warning', /can read what you type/);
    await world.overlay.focused('comment-input');
    assert.equal(await isFramed(world), false);
    await world.page.keyboard.type('In the page');
    assert.equal(await world.overlay.written(), 'In the page');
  });

// Firefox has no such protocol.
if (browserUnderTest() === 'chromium')
  scenarioOn(
    PLAIN,
    {},
    'keys that end an input method’s composition neither save nor close the box',
    async (world) => {
      const { page, overlay } = world;
      await openBox(world);
      await page.keyboard.type('Say ');
      const cdp = await page.createCDPSession();
      const compose = () =>
        cdp.send('Input.imeSetComposition', { text: 'ひ', selectionStart: 1, selectionEnd: 1 });
      for (const key of ['Enter', 'Escape', 'Tab'] as const) {
        await compose();
        await world.until('it is composed', async () => (await overlay.written()) === 'Say ひ');
        if (key === 'Enter') await page.keyboard.down('Control');
        await page.keyboard.press(key);
        if (key === 'Enter') await page.keyboard.up('Control');
        // What the overlay would have done by now.
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
        await overlay.focused('comment-input');
        assert.deepEqual(await overlay.pins(), []);
        await cdp.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
        await world.until('it is taken back', async () => (await overlay.written()) === 'Say ');
      }
      await compose();
      await cdp.send('Input.insertText', { text: '秘密' });
      assert.equal(await saveByKeys(world), 'Say 秘密');
    },
  );

scenarioOn(
  PLAIN,
  {},
  'the field in its frame has a name and contrast in each colour scheme',
  async (world) => {
    const { page, overlay } = world;
    await openBox(world);
    await page.keyboard.type('Seen');
    const element = await overlay.visible('comment-input');
    assert.equal(await element.evaluate((each) => (each as HTMLElement).title), 'What should change?');
    const frame = await element.contentFrame();
    assert.ok(frame);
    assert.equal(
      await frame.$eval('textarea', (field) => field.getAttribute('aria-label')),
      'What should change?',
    );
    const colours = new Set<string>();
    for (const scheme of ['light', 'dark'] as const) {
      await world.colours(page, scheme);
      assert.deepEqual(await violations(frame, 'textarea'), [], scheme);
      colours.add(await frame.$eval('textarea', (field) => getComputedStyle(field).backgroundColor));
    }
    // Firefox takes the scheme from the profile.
    assert.equal(colours.size, browserUnderTest() === 'chromium' ? 2 : 1);
  },
);

scenarioOn(PLAIN, {}, 'by keys a person goes from the field to our buttons and back', async (world) => {
  const { page, overlay } = world;
  await openBox(world);
  await page.keyboard.type('Here');
  await page.keyboard.press('Tab');
  await overlay.focused('comment-cancel');
  await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  await page.keyboard.up('Shift');
  await overlay.focused('comment-input');
  await page.keyboard.type(' again');
  assert.equal(await overlay.written(), 'Here again');
  await page.keyboard.press('Escape');
  await overlay.gone('comment-box');
  // The page's keys are the page's again, and so is picking with them.
  await page.keyboard.press('Escape');
  await overlay.gone('pick-bar');
});
