/** Screenshots: the visible part of a tab, cut to the commented elements, with fields that hold secrets painted over. */
import { browser } from 'wxt/browser';

/** What is around the elements, CSS pixels: enough to see where they stand. */
const MARGIN = 24;
/** The protocol's limit for a PNG. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface Shot {
  /** Viewport rectangle of the elements, CSS pixels. */
  crop: DOMRectInit;
  /** Viewport rectangles to paint over, CSS pixels. */
  mask: DOMRectInit[];
  devicePixelRatio: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A rectangle in device pixels, whole, inside an image of `width` by `height`; empty when it lies outside. */
export function inImage(
  rect: DOMRectInit,
  margin: number,
  ratio: number,
  width: number,
  height: number,
): Box {
  const left = Math.max(0, Math.floor(((rect.x ?? 0) - margin) * ratio));
  const top = Math.max(0, Math.floor(((rect.y ?? 0) - margin) * ratio));
  const right = Math.min(width, Math.ceil(((rect.x ?? 0) + (rect.width ?? 0) + margin) * ratio));
  const bottom = Math.min(height, Math.ceil(((rect.y ?? 0) + (rect.height ?? 0) + margin) * ratio));
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** A picture, or why there is none. `not_allowed`: only a start by the toolbar button or the shortcut allows it here. */
export type Taken = { png: Blob } | { png: null; why: 'none' | 'not_allowed' };

/**
 * A PNG of at most 8 MiB; none when the browser does not allow one (no permission for the site, the tab is not the
 * visible one, too many in a second) or the elements are not in view. A comment never fails for want of a picture.
 */
export async function takeScreenshot(tab: { windowId: number; active: boolean }, shot: Shot): Promise<Taken> {
  if (!tab.active) return { png: null, why: 'none' };
  try {
    const url = await browser.tabs.captureVisibleTab(tab.windowId, { format: 'png' });
    const image = await createImageBitmap(await (await fetch(url)).blob());
    const png = await cut(image, shot);
    return png ? { png } : { png, why: 'none' };
  } catch (failure) {
    // Both browsers name the permission; a click on the button or the shortcut grants it for the tab.
    if (/activeTab/.test(String(failure))) return { png: null, why: 'not_allowed' };
    console.warn('opentoolbar: no screenshot:', failure);
    return { png: null, why: 'none' };
  }
}

/** The pictures that go with a selection: of the elements (none when they are out of view) and of the whole viewport. */
export interface Pictures {
  element: Blob | null;
  viewport: Blob | null;
  /** Only a start by the toolbar button or the shortcut allows pictures here. */
  isAllowed: boolean;
}

/** Both from one look at the page, so that they show the same moment. */
export async function takePictures(
  tab: { windowId: number; active: boolean },
  { crop, mask, devicePixelRatio }: Omit<Shot, 'crop'> & { crop?: DOMRectInit },
): Promise<Pictures> {
  const none = { element: null, viewport: null, isAllowed: true };
  if (!tab.active) return none;
  try {
    const url = await browser.tabs.captureVisibleTab(tab.windowId, { format: 'png' });
    const image = await createImageBitmap(await (await fetch(url)).blob());
    const whole = {
      x: 0,
      y: 0,
      width: image.width / devicePixelRatio,
      height: image.height / devicePixelRatio,
    };
    return {
      element: crop ? await cut(image, { crop, mask, devicePixelRatio }) : null,
      viewport: await cut(image, { crop: whole, mask, devicePixelRatio }),
      isAllowed: true,
    };
  } catch (failure) {
    if (/activeTab/.test(String(failure))) return { ...none, isAllowed: false };
    console.warn('opentoolbar: no screenshot:', failure);
    return none;
  }
}

async function cut(image: ImageBitmap, { crop, mask, devicePixelRatio }: Shot): Promise<Blob | null> {
  const box = inImage(crop, MARGIN, devicePixelRatio, image.width, image.height);
  if (box.width === 0 || box.height === 0) return null;
  for (let scale = 1; scale > 0.1; scale /= 2) {
    const width = Math.max(1, Math.round(box.width * scale));
    const height = Math.max(1, Math.round(box.height * scale));
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) return null;
    context.scale(scale, scale);
    context.translate(-box.x, -box.y);
    context.drawImage(image, 0, 0);
    context.fillStyle = '#808080';
    for (const rect of mask) {
      const { x, y, width, height } = inImage(rect, 1, devicePixelRatio, image.width, image.height);
      context.fillRect(x, y, width, height);
    }
    const png = await canvas.convertToBlob({ type: 'image/png' });
    if (png.size <= MAX_BYTES) return png;
  }
  return null;
}
