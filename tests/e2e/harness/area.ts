/** The area that scenarios of pictures lay out: what must not be seen there is magenta. */
import assert from 'node:assert/strict';
import { coloursIn, pictureIfAny } from './picture.ts';
import type { World } from './world.ts';

export const SECRET = '#ff00ff';
export const FIELD =
  'display: block; box-sizing: border-box; width: 200px; height: 40px; border: 0; background: rgb(255 0 255); color: rgb(255 0 255)';

/**
 * The area that comments are about: nothing of the app is seen. What it holds stands away from its middle, which is
 * picked.
 */
const AREA = 'width: 900px; height: 700px; background: rgb(0 128 0); overflow: hidden';
export const PASSWORD = `<input type="password" style="${FIELD}">`;
/** A frame of the page's own site; `style` is the frame's. */
export const frame = (style: string, content = PASSWORD) =>
  `<iframe style="width: 260px; height: 120px; border: 0; ${style}" srcdoc="${escaped(`<body style='margin: 0; background: rgb(0 128 0)'>${content}`)}"></iframe>`;
export const at = (content: string, style = '') =>
  `<div style="position: absolute; left: 60px; top: 60px; ${style}">${content}</div>`;

function escaped(html: string): string {
  return html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** A field whose shadow alone is magenta, in a container that has no size of its own. */
export const DARK = FIELD.replaceAll('255 0 255', '0 0 0');
export const SHADOWED = `<div style="filter: drop-shadow(0 60px 0 rgb(255 0 255))"><input type="password" style="${DARK}; position: absolute"></div>`;

/** A filter that draws everything below where it stands. */
export const AWAY =
  '<svg width="0" height="0" style="position: absolute"><filter id="away" x="-9" y="-9" width="19" height="19"><feOffset dy="70"/></filter></svg>';
export const OVER = 'position: absolute; left: 0; top: 0; width: 400px; height: 200px';

/** Puts a layout in the page, and waits until its secret is seen as a person would see it. */
export async function lay(world: World, html: string): Promise<void> {
  await put(world, html);
  await isShown(world);
}

export async function put(world: World, html: string): Promise<void> {
  const { page } = world;
  await page.bringToFront();
  await page.evaluate(
    (html, area, password) => {
      document.getElementById('vault')?.remove();
      const vault = document.createElement('section');
      vault.id = 'vault';
      vault.style.cssText = `position: fixed; z-index: 9; left: 0; top: 0; ${area}`;
      // With its shadow roots.
      vault.setHTMLUnsafe(html);
      document.body.append(vault);
      document.getElementById('scroller')?.scrollTo(0, 300);
      for (const inner of document.querySelectorAll('iframe'))
        inner.addEventListener('load', () => inner.contentWindow?.scrollTo(0, 30));
      const held = document.querySelector<HTMLObjectElement>('object[type="text/html"]');
      held?.addEventListener('load', () => {
        if (held.contentDocument) held.contentDocument.body.innerHTML = password;
      });
    },
    html,
    AREA,
    PASSWORD,
  );
}

export async function isShown(world: World): Promise<void> {
  await world.until('the secret is seen in the page', async () => {
    const png = Buffer.from(await world.page.screenshot());
    return (await allColours(world, png)).includes(SECRET);
  });
}

export async function allColours(world: World, png: Buffer): Promise<string[]> {
  // Width and height of the picture stand in its head.
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return coloursIn(world, png, { x: 0, y: 0, width, height });
}

/** A comment's picture of `target`. */
export async function pictured(world: World, target: string): Promise<Buffer> {
  await world.startPicking();
  await world.overlay.pick(target);
  const pin = await world.overlay.write('Look');
  const png = await pictureIfAny(world, pin.id);
  assert.ok(png, 'there is a picture');
  return png;
}
