// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { nextTurn } from '../../capture/slices';
import { Pictures } from './picture';

/** Where elements are drawn: there is no layout here. */
const places = vi.hoisted(() => {
  const places = new Map<Element, { x: number; y: number }>();
  const own = Element.prototype.getBoundingClientRect;
  // What reads boxes keeps the method of its first moment.
  Element.prototype.getBoundingClientRect = function () {
    const place = places.get(this);
    return place ? new DOMRect(place.x, place.y, 200, 40) : own.call(this);
  };
  return places;
});

vi.mock('../../capture/slices', () => ({ nextTurn: vi.fn() }));

afterEach(() => {
  vi.restoreAllMocks();
  vi.mocked(nextTurn).mockReset();
  places.clear();
  document.body.innerHTML = '';
});

/**
 * The page changes whenever the search for what draws it twice gives it its turn; answers how many turns there were.
 */
function changingPage(change: (turn: number) => void): () => number {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  let turns = 0;
  vi.mocked(nextTurn).mockImplementation(async () => change(++turns));
  return () => turns;
}

function drawn(html: string, place: { x: number; y: number }): Element {
  document.body.insertAdjacentHTML('beforeend', html);
  const element = document.body.lastElementChild as Element;
  places.set(element, place);
  return element;
}

function play() {
  let hidden = false;
  const hides: boolean[] = [];
  const root = {
    hide: (now: boolean) => {
      hidden = now;
      hides.push(now);
    },
    isHidden: () => hidden,
  };
  const end = new AbortController();
  const pictures = new Pictures(root, end.signal);
  const wanted = { elements: [document.body], showsEmbedded: false };
  return { pictures, root, wanted, hides, end, isHidden: () => hidden };
}

test('nothing of ours is drawn from before a picture to after it, and both say the same', async () => {
  const { pictures, wanted, hides, isHidden } = play();
  await pictures.during('c_1', wanted, async () => {
    const before = await pictures.begin('c_1');
    expect(before).toMatchObject({ mask: [], viewport: { width: innerWidth, height: innerHeight } });
    expect(isHidden()).toBe(true);
    expect(await pictures.finish('c_1')).toEqual(before);
  });
  expect(hides).toEqual([true, false]);
});

test('what nobody asked a picture of, or no more, has none, and nothing is hidden for it', async () => {
  const { pictures, wanted, hides } = play();
  expect(await pictures.begin('c_other')).toBeNull();
  await pictures.during('c_1', wanted, async () => {});
  expect(await pictures.begin('c_1')).toBeNull();
  expect(await pictures.finish('c_1')).toBeNull();
  expect(hides).toEqual([]);
});

test('a picture is void when ours was seen, or the page became another, meanwhile', async () => {
  const { pictures, root, wanted, isHidden } = play();
  await pictures.during('c_1', wanted, async () => {
    await pictures.begin('c_1');
    root.hide(false);
    expect(await pictures.finish('c_1')).toBeNull();
    await pictures.begin('c_1');
    const { innerWidth: before } = window;
    Object.assign(window, { innerWidth: before - 100 });
    expect(await pictures.finish('c_1')).toBeNull();
    Object.assign(window, { innerWidth: before });
  });
  expect(isHidden()).toBe(false);
});

test('a background that ended in the middle leaves nothing hidden', async () => {
  const { pictures, wanted, isHidden } = play();
  await expect(
    pictures.during('c_1', wanted, async () => {
      await pictures.begin('c_1');
      throw new Error('the background did not answer');
    }),
  ).rejects.toThrow();
  expect(isHidden()).toBe(false);
});

test('a page that cannot be measured has no picture, and nothing stays hidden for it', async () => {
  const { pictures, wanted, isHidden } = play();
  const element = drawn('<b></b>', { x: 10, y: 10 });
  const fails = (from: () => boolean) =>
    places.set(element, {
      y: 10,
      get x() {
        if (from()) throw new Error('the page answers for the browser');
        return 10;
      },
    });
  await pictures.during('c_1', { ...wanted, elements: [element] }, async () => {
    fails(isHidden);
    await expect(pictures.begin('c_1')).rejects.toThrow('the page answers');
    expect(isHidden()).toBe(false);
    fails(() => false);
    expect(await pictures.begin('c_1')).toMatchObject({ mask: [] });
    fails(() => true);
    await expect(pictures.finish('c_1')).rejects.toThrow('the page answers');
    expect(isHidden()).toBe(false);
  });
});

test('what moves or comes while the page is searched is masked where it is when the picture is taken', async () => {
  const { pictures, isHidden } = play();
  const password = { x: 10, y: 10 };
  const target = { x: 300, y: 300 };
  drawn('<input type="password">', password);
  const wanted = { elements: [drawn('<b></b>', target)], showsEmbedded: false };
  document.body.insertAdjacentHTML('beforeend', '<i></i>'.repeat(50));
  const hidden: boolean[] = [];
  const turns = changingPage((turn) => {
    hidden.push(isHidden());
    password.y = 10 + turn;
    target.x = 300 + turn;
    if (turn === 3) drawn('<input type="password">', { x: 10, y: 200 });
  });
  await pictures.during('c_1', wanted, async () => {
    const before = await pictures.begin('c_1');
    const first = turns();
    expect(first).toBeGreaterThan(3);
    expect(before?.mask.map(({ y }) => y)).toEqual([password.y, 200]);
    expect(before?.crop).toMatchObject({ x: target.x });
    // What the page does while it is searched again comes after the picture.
    expect(await pictures.finish('c_1')).toEqual(before);
    expect(turns()).toBeGreaterThan(first);
  });
  expect(hidden).not.toContain(true);
});

test('a picture of what moved while it was taken has room for both places', async () => {
  const { pictures } = play();
  const target = { x: 300, y: 300 };
  const wanted = { elements: [drawn('<b></b>', target)], showsEmbedded: false };
  await pictures.during('c_1', wanted, async () => {
    expect(await pictures.begin('c_1')).toMatchObject({ crop: { x: 300, y: 300, width: 200, height: 40 } });
    Object.assign(target, { x: 320, y: 290 });
    expect(await pictures.finish('c_1')).toMatchObject({
      crop: { x: 300, y: 290, width: 220, height: 50 },
    });
    // Where it was gone from view, nobody knows what the picture shows.
    await pictures.begin('c_1');
    target.x = -1_000;
    expect(await pictures.finish('c_1')).toBeNull();
  });
});

test('a field that came when the search was over makes the picture void, and the next one is searched', async () => {
  const { pictures, wanted } = play();
  let came = false;
  const frame = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((call) => {
    if (!came) drawn('<input type="password">', { x: 10, y: 10 });
    came = true;
    return setTimeout(call) as unknown as number;
  });
  const turns = changingPage(() => {});
  await pictures.during('c_1', wanted, async () => {
    expect(await pictures.begin('c_1')).toMatchObject({ mask: [{ y: 10 }] });
    expect(turns()).toBe(0);
    expect(await pictures.finish('c_1')).toBeNull();
    const before = await pictures.begin('c_1');
    expect(turns()).toBeGreaterThan(0);
    expect(await pictures.finish('c_1')).toEqual(before);
  });
  frame.mockRestore();
});

test('a background that gave up while the page was searched leaves nothing hidden', async () => {
  const { pictures, wanted, hides } = play();
  drawn('<input type="password">', { x: 10, y: 10 });
  document.body.insertAdjacentHTML('beforeend', '<i></i>'.repeat(50));
  await pictures.during('c_1', wanted, async () => {
    let finished: Promise<unknown> | undefined;
    changingPage(() => {
      finished ??= pictures.finish('c_1');
    });
    expect(await pictures.begin('c_1')).toBeNull();
    expect(await finished).toBeNull();
  });
  expect(hides).toEqual([]);
});

test('fields that are not drawn cost no look at the page for what draws them twice', async () => {
  const { pictures, wanted } = play();
  document.body.innerHTML = `<input type="hidden" name="csrf"><div style="display: none"><input type="password"></div>${'<i></i>'.repeat(500)}`;
  const styles = vi.spyOn(window, 'getComputedStyle');
  await pictures.during('c_1', wanted, async () => {
    const before = await pictures.begin('c_1');
    expect(before).toMatchObject({ mask: [] });
    expect(await pictures.finish('c_1')).toEqual(before);
  });
  expect(styles).not.toHaveBeenCalled();
});
