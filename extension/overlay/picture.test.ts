// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { Pictures } from './picture';

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
  styles.mockRestore();
  document.body.innerHTML = '';
});
