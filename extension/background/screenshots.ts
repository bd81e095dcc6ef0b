/**
 * Screenshots: the visible part of a tab, cut to the commented elements, with fields that hold secrets painted over.
 */
import { browser } from 'wxt/browser';
import { within } from '../deadline';
import type { PictureFrame } from '../state/picture';
import type { ToContent } from '../state/to-content';
import { fields, finite, list, optional, positive, read, type Schema } from './messages/schema';

/** What is around the elements, CSS pixels: enough to see where they stand. */
const MARGIN = 24;
/** The protocol's limit for a PNG. */
const MAX_BYTES = 8 * 1024 * 1024;

type Shot = Pick<PictureFrame, 'mask' | 'devicePixelRatio'> & { crop: DOMRectInit };

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

/** The pictures of a page: of the elements (none when they are out of view) and of the whole viewport. */
export interface Pictures {
  element: Blob | null;
  viewport: Blob | null;
  /** Only a start by the toolbar button or the shortcut allows pictures here. */
  isAllowed: boolean;
}

const NONE: Pictures = { element: null, viewport: null, isAllowed: true };
const rectangle = fields({ x: finite, y: finite, width: finite, height: finite });
/** What a page says that a picture of it shows. */
const pictureFrame: Schema<unknown, PictureFrame> = fields({
  crop: optional(rectangle),
  mask: list(rectangle, 10_000),
  viewport: fields({ width: finite, height: finite }),
  devicePixelRatio: positive,
});
/** A page that moves what must be painted over is taken again, so often; then there is no picture of it. */
const TRIES = 3;
/** Chrome takes two pictures a second. */
const PAUSE_MS = 600;
/**
 * A page that does not do its part by then hangs, milliseconds: it waits 3 s for a frame to be drawn, and looks for
 * what must be hidden.
 */
const BEGIN_MS = 6_000;
const FINISH_MS = 3_000;
/** No picture comes later than this, milliseconds, however many tries it takes. */
const TAKEN_WITHIN = 18_000;
/** What a picture is for is sent without it after this long, milliseconds: when a picture can no longer come. */
export const PICTURE_WITHIN = TAKEN_WITHIN + 2_000;
/** Scrollbars are part of the viewport, and not of every browser's picture. CSS pixels. */
const SCROLLBAR = 24;

/**
 * PNGs of at most 8 MiB, both of the same moment, with what must not be seen painted over; nothing of what was taken is
 * kept without. None when the tab is not the one that is seen, all the time; when its page does not say what is to be
 * painted over, before and after; or when the browser allows none. What a picture is for never fails for want of it.
 *
 * `id`: what the picture is for. Only the page that asked for it knows the id: another one in its tab says nothing.
 */
export async function takePictures(tabId: number, id: string): Promise<Pictures> {
  const time = { isOver: false };
  try {
    return await within(TAKEN_WITHIN, takeInTime(tabId, id, time));
  } catch {
    return NONE;
  } finally {
    time.isOver = true;
  }
}

async function takeInTime(tabId: number, id: string, time: { isOver: boolean }): Promise<Pictures> {
  for (let left = TRIES; left > 0 && !time.isOver; left--) {
    try {
      const taken = await takeOnce(tabId, id);
      if (taken) return taken;
    } catch (failure) {
      // Both browsers name the permission; a click on the button or the shortcut grants it for the tab.
      if (/activeTab/.test(String(failure))) return { ...NONE, isAllowed: false };
      console.warn('opentoolbar: no screenshot:', failure);
      return NONE;
    }
    if (left > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return NONE;
}

/** Null: the page changed in between, or another tab was seen. */
async function takeOnce(tabId: number, id: string): Promise<Pictures | null> {
  // However long `begin` takes, what counts is that the tab is the one that is seen from before the picture to after.
  const before = await begin(tabId, id);
  if (!before) return NONE;
  let url: string;
  let isSeen: boolean;
  let after: PictureFrame | null;
  const stays = watchActive(tabId);
  try {
    const { active, windowId } = await browser.tabs.get(tabId);
    if (!active) return NONE;
    url = await browser.tabs.captureVisibleTab(windowId, { format: 'png' });
    const now = await browser.tabs.get(tabId);
    isSeen = stays.end() && now.active && now.windowId === windowId;
  } finally {
    stays.end();
    after = await askPage(tabId, { type: 'finish_picture', payload: { id } });
  }
  if (!isSeen || !after) return null;
  const image = await createImageBitmap(await (await fetch(url)).blob());
  return fits(image, after) ? cutBoth(image, after) : NONE;
}

/**
 * Null when the page says nothing, and as soon as another tab is seen: a page out of sight draws no frame to wait for.
 */
async function begin(tabId: number, id: string): Promise<PictureFrame | null> {
  const { active, windowId } = await browser.tabs.get(tabId);
  if (!active) return null;
  let leave: (none: null) => void;
  const left = new Promise<null>((resolve) => {
    leave = resolve;
  });
  const onActivated = (other: { tabId: number; windowId: number }) => {
    if (other.windowId === windowId && other.tabId !== tabId) leave(null);
  };
  browser.tabs.onActivated.addListener(onActivated);
  try {
    const asked = askPage(tabId, { type: 'begin_picture', payload: { id } });
    const before = await Promise.race([asked, left]);
    // It may have begun all the same.
    if (!before) void askPage(tabId, { type: 'finish_picture', payload: { id } });
    return before;
  } finally {
    browser.tabs.onActivated.removeListener(onActivated);
  }
}

/** Whether the tab was the one that is seen in its window from now until `end` is called. */
function watchActive(tabId: number): { end(): boolean } {
  let stays = true;
  const onActivated = (other: { tabId: number }) => {
    // Another window's tab is none of this one's; to leave a window and come back is two of these.
    if (other.tabId === tabId) stays = false;
  };
  browser.tabs.onActivated.addListener(onActivated);
  return {
    end() {
      browser.tabs.onActivated.removeListener(onActivated);
      return stays;
    },
  };
}

/** Whether the picture shows the viewport that the page measured, so that its rectangles mean what they say. */
export function fits(
  image: { width: number; height: number },
  { viewport, devicePixelRatio }: PictureFrame,
): boolean {
  const off = (pixels: number, css: number) => Math.abs(pixels - css * devicePixelRatio);
  const most = SCROLLBAR * devicePixelRatio + 2;
  return off(image.width, viewport.width) <= most && off(image.height, viewport.height) <= most;
}

async function cutBoth(image: ImageBitmap, frame: PictureFrame): Promise<Pictures> {
  const { crop, mask, devicePixelRatio } = frame;
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
}

/** Null when the page is gone or hangs, or says that there is to be no picture. */
async function askPage(tabId: number, message: ToContent): Promise<PictureFrame | null> {
  const time = message.type === 'begin_picture' ? BEGIN_MS : FINISH_MS;
  const asked: Promise<unknown> = browser.tabs.sendMessage(tabId, message, { frameId: 0 });
  const frame = read(pictureFrame, await within(time, asked).catch(() => null));
  return 'wrong' in frame ? null : frame.value;
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
