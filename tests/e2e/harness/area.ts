/** The area that scenarios of pictures lay out: what must not be seen there is magenta. */
import assert from 'node:assert/strict';
import { coloursIn, type PageWithCanvas, pictureIfAny } from './picture.ts';
import { until } from './until.ts';
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

/** Where layouts are shown, and pictures of them made. */
export interface Fixture extends PageWithCanvas {
  /**
   * The picture of the first element that a selector names, PNG; null: there is none. `meanwhile`: before it is asked
   * for; the whole way when the element is chosen already.
   */
  picture(target: string, meanwhile?: () => Promise<void>): Promise<Buffer | null>;
}

/** The whole way: a picture is that of a comment which is made by hand. */
function wholeWay(world: World): Fixture {
  return {
    page: world.page,
    canvas: () => world.canvas(),
    async picture(target, meanwhile) {
      await world.startPicking();
      await world.overlay.pick(target);
      await world.overlay.type('Look');
      await meanwhile?.();
      const pin = await world.overlay.write(' now');
      return pictureIfAny(world, pin.id);
    },
  };
}

/** The plays of these names, each the whole way. */
export function wholeWayOf(
  plays: Record<string, (fixture: Fixture) => Promise<void>>,
  names: readonly string[],
): Record<string, (world: World) => Promise<void>> {
  return Object.fromEntries(
    names.map((name) => {
      const play = plays[name];
      if (!play) throw new Error(`nothing is called ${name}`);
      return [name, (world: World) => play(wholeWay(world))];
    }),
  );
}

/** Puts a layout in the page, and waits until its secret is seen as a person would see it: what the page shows, PNG. */
export async function lay(fixture: Fixture, html: string): Promise<Buffer> {
  await put(fixture, html);
  return isShown(fixture);
}

export async function put({ page }: Fixture, html: string): Promise<void> {
  await page.bringToFront();
  await page.evaluate(
    async (html, area, password) => {
      document.getElementById('vault')?.remove();
      const vault = document.createElement('section');
      vault.id = 'vault';
      vault.style.cssText = `position: fixed; z-index: 9; left: 0; top: 0; ${area}`;
      // With its shadow roots.
      vault.setHTMLUnsafe(html);
      document.body.append(vault);
      document.getElementById('scroller')?.scrollTo(0, 300);
      const loaded = (of: Element) => new Promise((resolve) => of.addEventListener('load', resolve));
      const frames = [...vault.querySelectorAll('iframe')].map(async (inner) => {
        await loaded(inner);
        // One that is sandboxed lets nobody in.
        if (inner.contentDocument) inner.contentWindow?.scrollTo(0, 30);
      });
      const held = vault.querySelector<HTMLObjectElement>('object[type="text/html"]');
      const fill = async (held: HTMLObjectElement) => {
        await loaded(held);
        if (held.contentDocument) held.contentDocument.body.innerHTML = password;
      };
      await Promise.all([...frames, ...(held ? [fill(held)] : [])]);
    },
    html,
    AREA,
    PASSWORD,
  );
}

export async function isShown(fixture: Fixture): Promise<Buffer> {
  return until('the secret is seen in the page', async () => {
    const png = Buffer.from(await fixture.page.screenshot());
    return (await allColours(fixture, png)).includes(SECRET) ? png : null;
  });
}

export async function allColours(fixture: Fixture, png: Buffer): Promise<string[]> {
  // Width and height of the picture stand in its head.
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return coloursIn(fixture, png, { x: 0, y: 0, width, height });
}

/** The picture of what a selector names. */
export async function pictured(fixture: Fixture, target: string): Promise<Buffer> {
  const png = await fixture.picture(target);
  assert.ok(png, 'there is a picture');
  return png;
}
