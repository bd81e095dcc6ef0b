/** That our check of contrast tells what a person cannot read: whatever axe-core leaves undecided hangs on it. */
import assert from 'node:assert/strict';
import { faint } from './harness/contrast.ts';
import { scenarioOn } from './harness/world.ts';

/** What is too faint is of the class `bad`, and named by its text. */
const PAGE = `<!doctype html><style>
  body { background: #fff; color: #000; font: 13px sans-serif }
  .shape { position: relative; background: #fff }
  .shape::before { content: ""; position: absolute; inset: 0; z-index: -1; background: #222 }
  .gone { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
</style>
<p style="color: #767676">enough</p><p class="bad" style="color: #777">1</p>
<p style="color: #949494; font-size: 24px">large</p><p class="bad" style="color: #9a9a9a; font-size: 24px">2</p>
<div style="background: #000"><p class="bad" style="color: #555">3</p><p style="color: #fff">bright</p></div>
<div style="opacity: 0.5"><p class="bad" style="color: #333">4</p></div>
<p class="bad" style="color: color-mix(in srgb, #000 30%, transparent)">5</p>
<p style="color: oklch(0.4 0.1 250)">another way to say a colour</p>
<p class="bad" style="background-image: linear-gradient(#fff, #000)">6</p>
<p class="shape bad" style="color: #000">7</p><p class="shape" style="color: #fff">on a shape</p>
<p class="gone" style="color: #fff">for screen readers</p><button disabled style="color: #fff; background: #fff">off</button>
<button class="bad" style="background: #fff; color: #ccc" title="8"><svg width="12" height="12"></svg></button>
<input class="bad" style="color: #ccc; background: #fff" value="9">`;

scenarioOn(
  PAGE,
  {},
  'contrast: what is too faint, and what cannot be told, is found, and nothing else',
  async ({ page }) => {
    const found = (await page.evaluate(`(${String(faint)})(document)`)) as string[];
    const wanted = [
      '“1” is 4.48',
      '“2” is 2.8',
      '“3”',
      '“4”',
      '“5”',
      '“6” cannot be told',
      '“7”',
      'icon',
      '<input',
    ];
    assert.equal(found.length, wanted.length, found.join('\n'));
    for (const words of wanted)
      assert.ok(
        found.some((one) => one.includes(words)),
        `${words}: ${found.join('\n')}`,
      );
  },
);
