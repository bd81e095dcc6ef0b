/**
 * What pages do: strict policies, routes without loading, layers, shadow roots, frames; and that we leave them alone.
 */
import assert from 'node:assert/strict';
import { own } from './harness/overlay.ts';
import { scenario, type World } from './harness/world.ts';

/** The page without our root: markup, every form's values, focus and scroll. */
async function state(world: World): Promise<string> {
  return world.page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    for (const node of copy.querySelectorAll('[data-opentoolbar-root]')) node.remove();
    const layout = [...document.querySelectorAll('body *')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map((n) => n.toFixed(2)).join(' ');
    });
    const forms = [...document.querySelectorAll('input, textarea, select')].map((field) => {
      const { value, checked, selectionStart, selectionEnd } = field as HTMLInputElement;
      return [value, checked, selectionStart, selectionEnd].join(' ');
    });
    const focused = document.activeElement;
    return [
      copy.outerHTML,
      `focus: ${focused?.localName} ${focused?.getAttribute('name')}`,
      String(getSelection()),
      ...forms,
      document.styleSheets.length,
      document.adoptedStyleSheets.length,
      scrollX,
      scrollY,
      ...layout,
    ].join('\n');
  });
}

scenario(
  'works under a strict content security policy',
  { registered: false, strictCsp: true },
  async (world) => {
    const violations: string[] = [];
    await world.page.exposeFunction('reportViolation', (what: string) => violations.push(what));
    await world.page.evaluate(() => {
      const scope = globalThis as unknown as { reportViolation(what: string): void };
      document.addEventListener('securitypolicyviolation', (event) =>
        scope.reportViolation(`${event.violatedDirective} ${event.blockedURI}`),
      );
    });
    const id = await world.comment('#new-order', 'Works here too');
    const pin = await world.overlay.pin(id, 'is there');
    assert.equal(pin.status, 'active');
    // Styles arrived as well: a pin without them has no size of its own.
    const outline = await world.overlay.$eval(own(`pin-${id}`), (node) => getComputedStyle(node).cursor);
    assert.equal(outline, 'pointer');
    assert.deepEqual(violations, []);
  },
);

scenario('the page outside our root stays unchanged', { registered: false }, async (world) => {
  // The person was typing, with some of it selected.
  await world.page.type('input[name=card]', '4242 4242');
  await world.page.keyboard.down('Shift');
  for (const key of ['ArrowLeft', 'ArrowLeft'] as const) await world.page.keyboard.press(key);
  await world.page.keyboard.up('Shift');
  const before = await state(world);
  for (const told of [/^focus: input card$/m, /^4242 4242 false 7 9$/m]) assert.match(before, told);
  const id = await world.comment('#new-order', 'Changes nothing');
  await world.overlay.pin(id, 'is there');
  assert.equal(await state(world), before);
  await world.startPicking();
  await world.overlay.hover('.order:nth-child(3)');
  assert.equal(await state(world), before);
  await world.page.keyboard.press('Escape');
  await world.overlay.gone('pick-bar');
  assert.equal(await state(world), before);
});

scenario(
  'the bar of picking makes way for the pointer, and not for who aims at its buttons',
  {},
  async (world) => {
    const { overlay, page } = world;
    await page.setViewport({ width: 900, height: 600 });
    await world.startPicking();
    const box = async () => (await overlay.visible('pick-bar')).boundingBox();
    const isAt = async (edge: 'top' | 'bottom') => ((await box())?.y ?? 0) < 300 === (edge === 'top');
    const becomes = (edge: 'top' | 'bottom') => world.until(`the bar is at the ${edge}`, () => isAt(edge));
    /** As long as the bar waits, and once more. */
    const moment = () => new Promise((resolve) => setTimeout(resolve, 300));

    await page.mouse.move(450, 300);
    await becomes('bottom');
    await page.mouse.move(400, 565, { steps: 3 });
    await becomes('top');
    // And back, where it is in the way there.
    await page.mouse.move(400, 35, { steps: 3 });
    await becomes('bottom');
    // Who has the keyboard in it keeps it where it is.
    await overlay.$eval(own('pick-panel'), (button) => (button as HTMLElement).focus());
    await page.keyboard.press('Shift');
    await page.mouse.move(400, 565, { steps: 3 });
    await moment();
    assert.ok(await isAt('bottom'), 'with the focus in it it stays');
    await overlay.$eval(own('pick-panel'), (button) => (button as HTMLElement).blur());
    await page.mouse.move(405, 565);
    await becomes('top');
    // What lay under it is picked.
    await page.mouse.click(405, 565);
    await overlay.visible('comment-box');
    await page.keyboard.press('Escape');
    await overlay.gone('comment-box');
    const cancel = await (await overlay.visible('pick-cancel')).boundingBox();
    assert.ok(cancel);
    await page.mouse.move(cancel.x + 10, 300);
    await page.mouse.move(cancel.x + 10, cancel.y + 10, { steps: 5 });
    await moment();
    await page.mouse.click(cancel.x + 10, cancel.y + 10);
    await overlay.gone('pick-bar');
  },
);

scenario('picking does not reach the page', { registered: false }, async (world) => {
  await world.startPicking();
  await world.overlay.pick('#new-order');
  await world.overlay.visible('comment-box');
  const open = await world.page.$eval('#order-dialog', (dialog) => (dialog as HTMLDialogElement).open);
  assert.equal(open, false, 'the click that picks must not open the dialog of the app');
});

scenario(
  'a path change without loading changes the page of comments',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('#refresh', 'Only on the orders page');
    await overlay.clickPage('nav a[href="/customers"]');
    await world.until('the pin is gone', async () => (await overlay.pins()).length === 0);
    const other = await world.comment('#customers-title', 'Only on the customers page');
    await page.goBack();
    await overlay.pin(id, 'is back');
    assert.deepEqual(
      (await overlay.pins()).map((pin) => pin.id),
      [id],
    );
    await page.goForward();
    await overlay.pin(other, 'is back');
  },
);

scenario('works above a modal dialog', { registered: false }, async (world) => {
  await world.overlay.clickPage('#new-order');
  const id = await world.comment('#place-order', 'Say what it costs');
  await world.overlay.pin(id, 'is there');
  const open = await world.page.$eval('#order-dialog', (dialog) => (dialog as HTMLDialogElement).open);
  assert.equal(open, true);
});

scenario('works above a popover', { registered: false }, async (world) => {
  await world.startPicking();
  await world.page.evaluate(() => document.getElementById('notices')?.showPopover());
  await world.overlay.pick('#notice-gate');
  const pin = await world.overlay.write('Which gate instead?');
  await world.overlay.pin(pin.id, 'is there');
});

scenario('works inside a shadow root', { registered: false }, async (world) => {
  const id = await world.comment('roaster-status >>> #pause', 'Ask before pausing');
  const middle = await world.overlay.middle('roaster-status >>> #pause');
  await world.overlay.pin(
    id,
    'stands at the button',
    (pin) => Math.hypot(pin.x - middle.x, pin.y - middle.y) < 60,
  );
  const selector = JSON.parse(await world.download('export-json')).comments[0].targets[0].selector;
  assert.match(selector, / >>> #pause$/);
});

scenario('works inside a same-origin frame', { registered: false, path: '/help' }, async (world) => {
  const id = await world.comment('#print-guide', 'Print two columns', '#guide');
  const middle = await world.overlay.middle('#print-guide', '#guide');
  await world.overlay.pin(
    id,
    'stands at the button',
    (pin) => Math.hypot(pin.x - middle.x, pin.y - middle.y) < 120,
  );
  const selector = JSON.parse(await world.download('export-json')).comments[0].targets[0].selector;
  assert.match(selector, /^#guide >>> #print-guide$/);
});

scenario('shift-click picks several', { registered: false }, async (world) => {
  await world.startPicking();
  await world.overlay.pick('.stat:nth-of-type(1)', { shift: true });
  await world.overlay.pick('.stat:nth-of-type(2)', { shift: true });
  await world.overlay.click('pick-done');
  await world.overlay.write('Same height for both');
  const { comments } = JSON.parse(await world.download('export-json'));
  assert.equal(comments[0].targets.length, 2);
});

scenario('arrow keys walk the tree and Enter picks', { registered: false }, async (world) => {
  const { page, overlay } = world;
  const label = async () =>
    (await overlay.visible('outline-label')).evaluate((node) => node.textContent ?? '');
  await world.startPicking();
  await overlay.hover('.stat:nth-of-type(1) h2');
  const first = await label();
  await page.keyboard.press('ArrowUp');
  await world.until('the outline goes to the parent', async () => (await label()) !== first);
  await page.keyboard.press('ArrowDown');
  await world.until('the outline comes to the first child', async () => (await label()) === first);
  await page.keyboard.press('ArrowRight');
  await world.until('the outline goes to the sibling', async () => /figure/.test(await label()));
  await page.keyboard.press('Enter');
  await overlay.visible('comment-input');
});

scenario('Esc leaves step by step', { registered: false }, async (world) => {
  await world.startPicking();
  await world.overlay.pick('#refresh');
  await world.overlay.visible('comment-box');
  await world.page.keyboard.press('Escape');
  await world.overlay.gone('comment-box');
  await world.page.keyboard.press('Escape');
  await world.overlay.gone('pick-bar');
});

scenario('pins follow scrolling and a re-render', { registered: false }, async (world) => {
  const { page, overlay } = world;
  const third = '.order:nth-child(3) b';
  const id = await world.comment(third, 'Spell it out');
  const before = await overlay.pin(id, 'is there');
  await page.evaluate(() => document.getElementById('order-list')?.scrollBy(0, 60));
  await overlay.pin(id, 'scrolls along', (pin) => Math.abs(before.y - pin.y - 60) < 3);
  await overlay.clickPage('#refresh');
  const middle = await overlay.middle(third);
  await overlay.pin(
    id,
    'is at the new node',
    (pin) => Math.abs(pin.y - middle.y) < 40 && pin.status === 'active',
  );
});
