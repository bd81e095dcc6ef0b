import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { PictureFrame } from '../state/picture';
import type { ToContent } from '../state/to-content';
import { fits, inImage, PICTURE_WITHIN, takePictures } from './screenshots';

test('a crop has a margin, device pixels and never leaves the image', () => {
  expect(inImage({ x: 100, y: 50, width: 20, height: 10 }, 10, 2, 1000, 1000)).toEqual({
    x: 180,
    y: 80,
    width: 80,
    height: 60,
  });
  expect(inImage({ x: -50, y: 0, width: 2000, height: 10 }, 0, 1, 800, 600)).toEqual({
    x: 0,
    y: 0,
    width: 800,
    height: 10,
  });
});

test('an element outside the view gives an empty crop', () => {
  expect(inImage({ x: 0, y: 5000, width: 10, height: 10 }, 24, 1, 800, 600).height).toBe(0);
});

const frame: PictureFrame = { mask: [], viewport: { width: 800, height: 600 }, devicePixelRatio: 2 };

test('a picture of another size than the page measured is none of it, give or take a scrollbar', () => {
  expect(fits({ width: 1600, height: 1200 }, frame)).toBe(true);
  expect(fits({ width: 1570, height: 1200 }, frame)).toBe(true);
  expect(fits({ width: 800, height: 600 }, frame)).toBe(false);
});

let seen = 7;
const tab = { id: 7, windowId: 1 };
let asked: string[] = [];
/** What the page answers after the picture. */
let after: unknown;
let captures = 0;
/** The question that the page never answers. */
let hangsAt = '';
/** What happens while the picture is taken. */
let meanwhile = async () => {};

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fakeBrowser.reset();
  asked = [];
  captures = 0;
  hangsAt = '';
  after = frame;
  meanwhile = async () => {};
  seen = tab.id;
  fakeBrowser.tabs.sendMessage = (async (_tabId: number, message: ToContent) => {
    asked.push(message.type);
    if (hangsAt === message.type) return new Promise(() => {});
    return message.type === 'begin_picture' ? frame : after;
  }) as typeof fakeBrowser.tabs.sendMessage;
  Object.assign(fakeBrowser.tabs, {
    get: async (id: number) => ({ id, windowId: tab.windowId, active: id === seen }),
    captureVisibleTab: async () => {
      captures++;
      await meanwhile();
      return 'data:image/png;base64,';
    },
  });
  return () => vi.useRealTimers();
});

async function take() {
  const taken = takePictures(tab.id, 'c_1');
  await vi.runAllTimersAsync();
  return taken;
}

const none = { element: null, viewport: null, isAllowed: true };

test('no picture is taken of a tab that is not the one that is seen', async () => {
  seen = 8;
  expect(await take()).toEqual(none);
  expect(captures).toBe(0);
  expect(asked).toEqual([]);
});

test('a tab that is left while its page prepares has no picture at once, and our parts come back', async () => {
  hangsAt = 'begin_picture';
  const taken = takePictures(tab.id, 'c_1');
  await vi.waitFor(() => expect(asked).toEqual(['begin_picture']));
  await fakeBrowser.tabs.onActivated.trigger({ tabId: 9, windowId: 2 });
  await fakeBrowser.tabs.onActivated.trigger({ tabId: 8, windowId: tab.windowId });
  expect(await taken).toEqual(none);
  expect(captures).toBe(0);
  expect(asked).toEqual(['begin_picture', 'finish_picture']);
});

test('a picture is no picture when another tab was seen meanwhile, though the person came back', async () => {
  meanwhile = async () => {
    await fakeBrowser.tabs.onActivated.trigger({ tabId: 8, windowId: tab.windowId });
    await fakeBrowser.tabs.onActivated.trigger({ tabId: tab.id, windowId: tab.windowId });
  };
  expect(await take()).toEqual(none);
  expect(captures).toBe(3);
  expect(asked.filter((type) => type === 'finish_picture')).toHaveLength(3);
});

test.each([
  ['void', null],
  ['of no page', undefined],
  ['nonsense', { mask: [{ x: 'left' }] }],
])(
  'a page that says after the picture that it is %s is asked thrice, then there is none',
  async (_, answer) => {
    after = answer;
    expect(await take()).toEqual(none);
    expect(captures).toBe(3);
  },
);

test('a picture that the browser refuses brings our parts back, and says what would allow it', async () => {
  meanwhile = async () => {
    throw new Error("Either the '<all_urls>' or 'activeTab' permission is required.");
  };
  expect(await take()).toEqual({ ...none, isAllowed: false });
  expect(asked).toEqual(['begin_picture', 'finish_picture']);
});

test.each([
  ['begin_picture', 0],
  ['finish_picture', 3],
])('a page that hangs at %s is waited for so long, then there is no picture', async (question, taken) => {
  hangsAt = question;
  expect(await take()).toEqual(none);
  expect(captures).toBe(taken);
});

test('a page and a browser that are slow at each try are given up before what the picture is for goes without it', async () => {
  const slow = fakeBrowser.tabs.sendMessage;
  const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
  fakeBrowser.tabs.sendMessage = (async (tabId: number, message: ToContent) => {
    await wait(message.type === 'begin_picture' ? 5_900 : 2_900);
    return slow(tabId, message);
  }) as typeof fakeBrowser.tabs.sendMessage;
  meanwhile = () => wait(2_000).then(() => {});
  after = null;
  const began = Date.now();
  let took = Number.POSITIVE_INFINITY;
  const taken = takePictures(tab.id, 'c_1').finally(() => {
    took = Date.now() - began;
  });
  await vi.runAllTimersAsync();
  expect(await taken).toEqual(none);
  expect(took).toBeLessThan(PICTURE_WITHIN);
  // No try begins after that, and the last one lets the page show our parts again.
  expect(asked).toHaveLength(4);
});
