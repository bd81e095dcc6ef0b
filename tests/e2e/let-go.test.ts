/**
 * What of the page is held on to: nothing that a person pointed at and the page took away. Chromium collects garbage
 * when asked.
 */
import { browserUnderTest } from './harness/paths.ts';
import { scenario } from './harness/world.ts';

if (browserUnderTest() === 'chromium') {
  scenario(
    'what was pointed at and taken away by the page is let go',
    { registered: false },
    async (world) => {
      const { page, overlay } = world;
      await page.evaluate(() => {
        const row = document.createElement('div');
        row.id = 'row';
        row.style.cssText = 'position: fixed; z-index: 9; left: 0; top: 0; display: flex; background: white';
        const refs: WeakRef<Element>[] = [];
        for (let one = 0; one < 6; one++) {
          const cell = document.createElement('div');
          cell.style.cssText = 'width: 60px; height: 60px; overflow: auto';
          const inner = document.createElement('p');
          inner.textContent = `cell ${one}`;
          cell.attachShadow({ mode: 'open' }).append(inner);
          row.append(cell);
          refs.push(new WeakRef(cell), new WeakRef(inner));
        }
        document.body.append(row);
        Object.assign(globalThis, { refs });
      });
      await world.startPicking();
      for (let one = 0; one < 6; one++) {
        await page.mouse.move(60 * one + 28, 30);
        await page.mouse.move(60 * one + 30, 32);
        await overlay.says('outline-label', /./);
      }
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.mouse.move(700, 500);
      await page.evaluate(() => document.getElementById('row')?.remove());
      const session = await page.createCDPSession();
      await world.until('all of it is let go', async () => {
        await session.send('HeapProfiler.collectGarbage');
        const left = await page.evaluate(
          () =>
            (globalThis as unknown as { refs: WeakRef<Element>[] }).refs.filter((ref) => ref.deref()).length,
        );
        if (left > 0) throw new Error(`${left} of 12 are held`);
        return true;
      });
    },
  );
}
