/** Pages that are against us: what they send, take away or call as we call things neither ends us nor hangs the tab. */
import assert from 'node:assert/strict';
import { ownRoot } from './harness/closed.ts';
import { own } from './harness/overlay.ts';
import { pictureOf } from './harness/picture.ts';
import { otherSite } from './harness/sites.ts';
import { scenario } from './harness/world.ts';

interface Exported {
  id: string;
  targets: {
    selector: string;
    anchor: string;
    snapshot: {
      tag: string;
      text: string;
      ancestors: unknown[];
      component?: string;
      source?: { file?: string };
    };
  }[];
}

scenario(
  'events that a page sends end nothing; a page that ended the probe has comments without a source',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const first = await world.comment('#new-order', 'Before');
    const root = await page.$('[data-opentoolbar-root]');
    assert.ok(root);
    await page.evaluate(() => {
      // All that our scripts ever heard of each other, and what browsers say when a page goes.
      const said = [
        new Event('opentoolbar:replaced'),
        new CustomEvent('wxt:content-script-started', { detail: {} }),
        new PageTransitionEvent('pagehide', { persisted: true }),
        new PageTransitionEvent('pageshow', { persisted: true }),
        new Event('visibilitychange'),
        new Event('load'),
        new Event('freeze'),
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }),
        new MouseEvent('click', { bubbles: true, composed: true }),
      ];
      for (const event of said) {
        window.dispatchEvent(event);
        document.dispatchEvent(event);
        document.documentElement.dispatchEvent(event);
        document.querySelector('[data-opentoolbar-root]')?.dispatchEvent(event);
      }
      for (const message of [
        { type: 'wxt:content-script-started', contentScriptName: 'content' },
        { type: 'set_picking', payload: { picking: true } },
        { type: 'leave', payload: {} },
      ])
        window.postMessage(message, '*');
      // Every question to the probe, whatever its name will be, is stopped before the probe hears of it or answered
      // with nonsense.
      const dispatch = EventTarget.prototype.dispatchEvent;
      for (const name of ['opentoolbar:probe', 'opentoolbar:probe:2']) {
        dispatch.call(document.documentElement, new CustomEvent(name, { detail: '{"replace":true}' }));
        window.addEventListener(name, (event) => event.stopImmediatePropagation(), true);
      }
      JSON.parse = () => {
        throw new Error('no');
      };
    });
    // Neither gone nor replaced, at once or after a look around.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const stands = await page.evaluate(
      (before) => document.querySelector('[data-opentoolbar-root]') === before,
      root,
    );
    assert.equal(stands, true, 'our element is the one that stood there');
    const second = await world.comment('#refresh', 'After');
    await overlay.pin(first, 'still stands');
    await overlay.pin(second, 'stands');
    const { comments } = JSON.parse(await world.download('export-json')) as { comments: Exported[] };
    const [before, after] = [first, second].map((id) => {
      const [target] = comments.find((comment) => comment.id === id)?.targets ?? [];
      assert.ok(target, `${id} is exported with its element`);
      return target;
    });
    assert.equal(before?.snapshot.component, 'Header');
    assert.match(before?.snapshot.source?.file ?? '', /components\/Header\.html$/);
    // All but what the probe alone can tell.
    const { source, component, tag, text, ancestors } = after?.snapshot ?? {};
    assert.deepEqual({ source, component }, { source: undefined, component: undefined });
    assert.deepEqual({ tag, text }, { tag: 'button', text: 'Refresh' });
    assert.ok(ancestors?.length);
    assert.equal(await page.$eval(after?.selector ?? '', ({ id }) => id), 'refresh');
    assert.ok(after?.anchor);
  },
);

scenario(
  'a page that takes our element out whenever it comes goes on, and the person can still pick',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    await world.comment('#new-order', 'Here');
    await page.evaluate(() => {
      const scope = globalThis as unknown as { removals: number; guard: MutationObserver };
      scope.removals = 0;
      scope.guard = new MutationObserver(() => {
        for (const root of document.querySelectorAll('[data-opentoolbar-root]')) {
          root.remove();
          scope.removals++;
        }
      });
      scope.guard.observe(document.documentElement, { childList: true });
      document.querySelector('[data-opentoolbar-root]')?.remove();
    });
    // A page that hangs answers nothing; this one has its turn between all that we do.
    const removals = () => page.evaluate(() => (globalThis as unknown as { removals: number }).removals);
    await world.until('we gave up', async () => (await removals()) >= 8);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
    assert.equal(await removals(), 8);
    await page.evaluate(() => (globalThis as unknown as { guard: MutationObserver }).guard.disconnect());
    await world.startPicking();
    await overlay.visible('pick-bar');
  },
);

scenario(
  'a page as deep and as large as it likes, with fields called as what is asked of a form, takes comments with pictures',
  { registered: false, everySite: true },
  async (world) => {
    const { page, overlay } = world;
    await page.evaluate(() => {
      const form = document.createElement('form');
      form.id = 'clobber';
      form.style.cssText =
        'position: fixed; left: 0; top: 0; width: 300px; height: 60px; background: white; z-index: 9';
      for (const name of [
        'attributes',
        'parentNode',
        'parentElement',
        'shadowRoot',
        'childNodes',
        'children',
        'nodeType',
        'localName',
        'getBoundingClientRect',
        'getAttribute',
        'getRootNode',
        'isConnected',
        'ownerDocument',
        'classList',
        'tagName',
        'matches',
        'querySelectorAll',
        'dispatchEvent',
        'firstChild',
        'lastChild',
        'nextSibling',
        'textContent',
      ]) {
        const field = Object.assign(document.createElement('input'), { type: 'hidden' });
        field.setAttribute('name', name);
        form.append(field);
      }
      form.append('Clobbered');
      document.body.append(form);
      // Not drawn: laying it out is the browser's own affair, and recursive.
      let at: Element = document.createElement('div');
      at.setAttribute('style', 'display: none');
      document.body.append(at);
      for (let depth = 0; depth < 20_000; depth++) {
        const inner = document.createElement('div');
        (depth % 10 === 0 ? at.attachShadow({ mode: 'closed' }) : at).append(inner);
        at = inner;
      }
      const many = document.createElement('div');
      many.style.display = 'none';
      for (let one = 0; one < 100_000; one++) many.append(document.createElement('i'));
      document.body.append(many);
    });
    await world.startPicking();
    // By its place: the harness asks the page's own script about elements, which such a form misleads.
    await page.mouse.move(198, 45);
    await page.mouse.move(200, 45);
    await overlay.visible('outline');
    await page.mouse.click(200, 45);
    // Firefox takes 17 s for such a page on a busy machine.
    const pin = await overlay.write('A form', 60_000);
    assert.ok((await pictureOf(world, pin.id)).length > 0);
    const { comments } = JSON.parse(await world.download('export-json'));
    assert.equal(comments[0].targets[0].snapshot.tag, 'form');
    assert.equal(await overlay.$(own('comment-problem')), null);
  },
);

/** What a page can do to any element that it defined the name of. */
const BEFOREHAND = {
  'reads its shadow root': 'window.seen.push(this.attachInternals())',
  'has a shadow root already': "this.attachShadow({ mode: 'open' })",
};
for (const [what, step] of Object.entries(BEFOREHAND)) {
  scenario(`our element is none that a page defined, which ${what}`, { registered: false }, async (world) => {
    const site = await otherSite(
      `<!doctype html><title>Defined</title><p id="target" style="width: 300px; height: 60px">Here</p>
        <script>
          window.seen = [];
          const define = (name, Base, options) =>
            customElements.define(name, class extends Base { constructor() { super(); ${step}; } }, options);
          define('opentoolbar-root', HTMLElement);
          define('opentoolbar-div', HTMLDivElement, { extends: 'div' });
          for (const name of ['attachShadow', 'showPopover', 'setAttribute', 'attachInternals']) {
            const real = HTMLElement.prototype[name];
            HTMLElement.prototype[name] = function (...given) {
              window.seen.push(name);
              return real.apply(this, given);
            };
          }
        </script>`,
      '127.0.0.1',
    );
    try {
      const { page } = world;
      await page.goto(site.url, { waitUntil: 'load' });
      await page.evaluate(() => {
        // The page does own what it defined.
        const scope = globalThis as unknown as { seen: unknown[] };
        document.createElement('opentoolbar-root');
        scope.seen.length = 0;
      });
      const panel = await world.panel();
      await panel.click('toggle-picking');
      await page.bringToFront();
      await world.until('our element is in the page', () => page.$('[data-opentoolbar-root]'));
      await panel.knowsPicking(true);
      await page.mouse.move(90, 40);
      await page.mouse.click(100, 40);
      await world.until('what we show has the focus', () =>
        page.evaluate(() => document.activeElement?.matches('[data-opentoolbar-root]')),
      );
      await page.keyboard.type('As installed');
      const reached = await page.evaluate(() => {
        const host = document.querySelector<HTMLElement>('[data-opentoolbar-root]');
        let internals = 'none';
        try {
          internals = String(host?.attachInternals().shadowRoot);
        } catch {
          // A built-in element has none.
        }
        const { seen } = globalThis as unknown as { seen: unknown[] };
        return { seen: seen.filter((one) => one !== 'attachInternals'), internals, root: host?.shadowRoot };
      });
      assert.deepEqual(reached, { seen: [], internals: 'none', root: null });
      await page.keyboard.down('Control');
      await page.keyboard.press('Enter');
      await page.keyboard.up('Control');
      await world.until('it is saved', async () => {
        const { comments } = JSON.parse(await world.download('export-json'));
        return comments[0]?.text === 'As installed';
      });
    } finally {
      site.stop();
    }
  });
}

scenario(
  'a page that came into our element nevertheless presses nothing there and writes nothing',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('#new-order', 'Mine');
    await overlay.openThread(id);
    // No page comes into our root: it is given to this one's script.
    const forge = async () =>
      (await ownRoot(page))?.evaluate((root) => {
        const parts = [...root.querySelectorAll<HTMLElement>('button, a, summary, textarea, dialog')];
        for (const part of parts) {
          for (const type of ['pointerdown', 'mousedown', 'click'])
            part.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, composed: true }));
          part.click();
          for (const key of ['Escape', 'Enter'])
            part.dispatchEvent(
              new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true }),
            );
          if (!(part instanceof HTMLTextAreaElement)) continue;
          part.value = 'Forged';
          for (const type of ['beforeinput', 'input', 'change'])
            part.dispatchEvent(
              new InputEvent(type, { bubbles: true, data: 'Forged', inputType: 'insertText' }),
            );
        }
        return parts.length;
      });
    assert.ok(((await forge()) ?? 0) > 2, 'the page is inside');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.ok(await overlay.visible('pin-thread'));
    const text = await overlay.$eval(own('thread-text'), (part) => part.textContent);
    assert.equal(text, 'Mine');
    const { comments } = JSON.parse(await world.download('export-json'));
    assert.deepEqual(
      comments.map((comment: { id: string; text: string; status: string; replies?: unknown[] }) => [
        comment.id,
        comment.text,
        comment.status,
        comment.replies ?? [],
      ]),
      [[id, 'Mine', 'active', []]],
    );
  },
);
