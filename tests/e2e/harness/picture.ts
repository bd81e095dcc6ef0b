/** A comment's picture, pixel by pixel, as the browser or an agent got it. */
import type { Page } from 'puppeteer-core';
import { askBackground } from './ask-background.ts';
import type { Panel } from './panel.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** In CSS pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a page is, and a page that decodes pictures of it. */
export interface PageWithCanvas {
  readonly page: Page;
  canvas(): Promise<Page>;
}

/** What opentoolbar leaves around the elements, CSS pixels. */
const MARGIN = 24;

/** The picture that the extension keeps of a comment, once it is there: the comment is kept before it is taken. PNG. */
export async function pictureOf(world: World, commentId: string): Promise<Buffer> {
  const panel = await world.panel();
  const url = await until('a picture is kept of the comment', () => storedPicture(panel, commentId));
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/** What the extension has now, as an address. */
async function storedPicture(panel: Panel, commentId: string): Promise<string | null> {
  const message = { type: 'get_screenshot', payload: { commentId } };
  return (await askBackground(panel.page, message)) as string | null;
}

/**
 * The picture of a comment, once it is decided whether there is one: then what waits for the hub is held back no more.
 * PNG; null when there is none. For worlds without a host, where everything waits.
 */
export async function pictureIfAny(world: World, commentId: string): Promise<Buffer | null> {
  const panel = await world.panel();
  await until('the comment is held for its picture no more', () =>
    panel.page.evaluate(async (commentId) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const db = await done(indexedDB.open('opentoolbar'));
      try {
        const waiting = db.transaction('outbox').objectStore('outbox').index('subject').getAll(commentId);
        const items = (await done(waiting)) as { retryAt?: number }[];
        return items.length > 0 && items.every(({ retryAt }) => retryAt === undefined);
      } finally {
        db.close();
      }
    }, commentId),
  );
  const url = await storedPicture(panel, commentId);
  return url ? Buffer.from(url.slice(url.indexOf(',') + 1), 'base64') : null;
}

/** Where in the window the picture of a comment about `target` begins. */
function cornerOf(on: PageWithCanvas, target: string): Promise<{ x: number; y: number }> {
  return on.page.evaluate(
    (css, margin) => {
      const around = document.querySelector(css)?.getBoundingClientRect();
      if (!around) throw new Error(`the page lacks ${css}`);
      return {
        x: Math.max(0, Math.floor(around.x - margin)),
        y: Math.max(0, Math.floor(around.y - margin)),
      };
    },
    target,
    MARGIN,
  );
}

/** Where an element is in the picture of a comment about `target`, a few pixels off its edge. */
export async function areaIn(
  on: PageWithCanvas,
  target: string,
  selector: string,
  inset: number,
): Promise<Area> {
  const corner = await cornerOf(on, target);
  return on.page.evaluate(
    (css, { x, y }, inset) => {
      const within = document.querySelector(css)?.getBoundingClientRect();
      if (!within) throw new Error(`the page lacks ${css}`);
      return {
        x: within.x - x + inset,
        y: within.y - y + inset,
        width: within.width - 2 * inset,
        height: within.height - 2 * inset,
      };
    },
    selector,
    corner,
    inset,
  );
}

/** The colours in an area of a picture, `#rrggbb`. Throws when any of the area is outside of the picture. */
export async function coloursIn(on: PageWithCanvas, png: Buffer, area: Area): Promise<string[]> {
  const canvas = await on.canvas();
  const found = await canvas.evaluate(
    async (base64, { x, y, width, height }) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const [left, top] = [Math.round(x), Math.round(y)];
      const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
      if (
        left < 0 ||
        top < 0 ||
        right > image.width ||
        bottom > image.height ||
        right <= left ||
        bottom <= top
      ) {
        const told = `${left},${top} to ${right},${bottom}`;
        throw new Error(`${told} is not inside the picture of ${image.width} by ${image.height}`);
      }
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(left, top, right - left, bottom - top);
      const found = new Set<number>();
      let last = -1;
      for (const pixel of new Uint32Array(data.buffer)) {
        if (pixel === last) continue;
        last = pixel;
        found.add(pixel & 0xffffff);
      }
      return [...found];
    },
    png.toString('base64'),
    area,
  );
  return found.map(nameOf);
}

/** A colour as a canvas keeps it, blue, green and red with the last one lowest, is `#rrggbb`. */
function nameOf(bgr: number): string {
  return `#${swapped(bgr).toString(16).padStart(6, '0')}`;
}

/** Red and blue in each other's place. */
function swapped(colour: number): number {
  return ((colour & 0xff) << 16) | (colour & 0xff00) | (colour >> 16);
}

/**
 * The colours that a comment's picture of `target` shows wherever the page shows one colour. `page` is what the browser
 * shows, PNG. Throws when the page shows it nowhere, or when any of it is outside of the picture.
 */
export async function coloursAtPlaces(
  on: PageWithCanvas,
  page: Buffer,
  colour: string,
  png: Buffer,
  target: string,
): Promise<string[]> {
  const canvas = await on.canvas();
  const { x, y } = await cornerOf(on, target);
  const found = await canvas.evaluate(
    async (pngs, wanted, left, top) => {
      const [shown, picture] = await Promise.all(
        pngs.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return context?.getImageData(0, 0, image.width, image.height);
        }),
      );
      if (!shown || !picture) throw new Error('no canvas');
      const bgr = (image: ImageData) => new Uint32Array(image.data.buffer).map((pixel) => pixel & 0xffffff);
      const [all, masked] = [bgr(shown), bgr(picture)];
      const found = new Set<number>();
      for (let at = 0; at < all.length; at++) {
        if (all[at] !== wanted) continue;
        const [across, down] = [(at % shown.width) - left, Math.floor(at / shown.width) - top];
        if (across < 0 || down < 0 || across >= picture.width || down >= picture.height)
          throw new Error(
            `${across},${down} is not inside the picture of ${picture.width} by ${picture.height}`,
          );
        found.add(masked[down * picture.width + across] ?? 0);
      }
      return [...found];
    },
    [page, png].map((each) => each.toString('base64')),
    swapped(Number.parseInt(colour.slice(1), 16)),
    x,
    y,
  );
  if (found.length === 0) throw new Error(`the page shows ${colour} nowhere`);
  return found.map(nameOf);
}

/** What is painted over what must not be seen. */
export const MASKED = '#808080';
