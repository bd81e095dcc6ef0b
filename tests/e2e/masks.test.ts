/** What a picture hides, however the page lays it out. Every secret is magenta; where nothing is hidden, the page shows it. */
import assert from 'node:assert/strict';
import { browserUnderTest } from './harness/paths.ts';
import { coloursIn, MASKED, pictureIfAny } from './harness/picture.ts';
import { scenariosInOneWorld, type World } from './harness/world.ts';

const SECRET = '#ff00ff';
const FIELD =
  'display: block; box-sizing: border-box; width: 200px; height: 40px; border: 0; background: rgb(255 0 255); color: rgb(255 0 255)';

/** The area that comments are about: nothing of the app is seen. What it holds stands away from its middle, which is picked. */
const AREA = 'width: 900px; height: 700px; background: rgb(0 128 0); overflow: hidden';
const PASSWORD = `<input type="password" style="${FIELD}">`;
/** A frame of the page's own site; `style` is the frame's. */
const frame = (style: string, content = PASSWORD) =>
  `<iframe style="width: 260px; height: 120px; border: 0; ${style}" srcdoc="${escaped(`<body style='margin: 0; background: rgb(0 128 0)'>${content}`)}"></iframe>`;
const at = (content: string, style = '') =>
  `<div style="position: absolute; left: 60px; top: 60px; ${style}">${content}</div>`;

function escaped(html: string): string {
  return html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** A filter that draws everything below where it stands. */
const AWAY =
  '<svg width="0" height="0" style="position: absolute"><filter id="away" x="-9" y="-9" width="19" height="19"><feOffset dy="70"/></filter></svg>';
const OVER = 'position: absolute; left: 0; top: 0; width: 400px; height: 200px';

const SVG = `<svg xmlns='http://www.w3.org/2000/svg' width='200' height='80'><rect width='200' height='80' fill='rgb(255,0,255)'/></svg>`;
const SVG_ADDRESS = `data:image/svg+xml,${encodeURIComponent(SVG)}`;

/** What stands in the area. */
const LAYOUTS: Record<string, string> = {
  'a turned field': at(PASSWORD, 'transform: rotate(30deg)'),
  'a field turned in space': at(PASSWORD, 'transform: perspective(300px) rotateY(50deg)'),
  'a field in a container that is enlarged': at(PASSWORD, 'zoom: 1.5'),
  'a clipped field': at(`<div style="width: 90px; height: 25px; overflow: hidden">${PASSWORD}</div>`),
  'a sticky field in a scrolled container': at(
    `<div id="scroller" style="width: 300px; height: 150px; overflow: auto"><div style="height: 90px"></div><div style="position: sticky; top: 10px">${PASSWORD}</div><div style="height: 900px"></div></div>`,
  ),
  'a frame that is turned': at(frame('transform: rotate(25deg)')),
  'a frame turned by its own property': at(frame('rotate: 90deg')),
  'a mirrored frame': at(frame('transform: scaleX(-1)')),
  'a frame mirrored by its own property': at(frame('scale: -1 1')),
  'a skewed frame': at(frame('transform: skewX(40deg)')),
  'a frame turned in space': at(frame('transform: rotateY(55deg)'), 'perspective: 200px'),
  'a frame nearer than the page': at(frame('translate: 0 0 100px'), 'perspective: 300px'),
  'a frame on a path': at(frame('offset-path: path("M 130 60 L 230 260"); offset-distance: 20%')),
  'a frame that is scaled': at(
    frame('transform: scale(0.5); border: 10px solid rgb(0 128 0); padding: 12px'),
  ),
  'a frame that is enlarged': at(frame('zoom: 1.5; border: 10px solid rgb(0 128 0); padding: 12px')),
  'a frame in a turned container': at(frame(''), 'transform: rotate(-20deg)'),
  'a frame in a frame that is turned': at(
    frame('transform: rotate(20deg)', frame('width: 220px; height: 60px')),
  ),
  'a turned frame in a frame': at(frame('', frame('width: 220px; height: 60px; transform: rotate(15deg)'))),
  'a scrolled frame': at(
    frame('', `<div style='height: 60px'></div>${PASSWORD}<div style='height: 900px'></div>`),
  ),
  'a field with a shadow that falls beside it': at(
    `<input type="password" style="${FIELD.replaceAll('255 0 255', '0 0 0')}">`,
    'filter: drop-shadow(0 60px 0 rgb(255 0 255))',
  ),
  'a field with a shadow that falls beside it, in a container that is turned': at(
    `<div style="filter: drop-shadow(60px 60px 0 rgb(255 0 255))"><input type="password" style="${FIELD.replaceAll('255 0 255', '0 0 0')}"></div>`,
    'top: 200px; transform: rotate(45deg)',
  ),
  'a field that shows its password, by its name': at(`<input name="user_pwd" style="${FIELD}">`),
  'a field that shows its password, by its label': at(
    `<label style="display: block; color: rgb(0 128 0)">Passwort <input style="${FIELD}"></label>`,
  ),
  'a field that shows its password, by its placeholder': at(
    `<input placeholder="Mot de passe" style="${FIELD}">`,
  ),
  'a field that shows its password, by what it is called aloud': at(
    `<b id="called" style="color: rgb(0 128 0)">パスワード</b><input aria-labelledby="called" style="${FIELD}">`,
  ),
  'a field that shows a code of one use': at(`<input name="code" autocomplete="off" style="${FIELD}">`),
  'an object that holds another document': at(
    `<object type="image/svg+xml" data="${SVG_ADDRESS}" width="200" height="80"></object>`,
  ),
  'an embedded document': at(`<embed type="image/svg+xml" src="${SVG_ADDRESS}" width="200" height="80">`),
  'an object with a document of the site': at(
    '<object type="text/html" data="/guide.html" width="260" height="120"></object>',
  ),
  'a sandboxed frame': at(frame('" sandbox="')),
};

/** Puts a layout in the page, and waits until its secret is seen as a person would see it. */
async function lay(world: World, html: string): Promise<void> {
  await put(world, html);
  await isShown(world);
}

async function put(world: World, html: string): Promise<void> {
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

async function isShown(world: World): Promise<void> {
  await world.until('the secret is seen in the page', async () => {
    const png = Buffer.from(await world.page.screenshot());
    return (await allColours(world, png)).includes(SECRET);
  });
}

async function allColours(world: World, png: Buffer): Promise<string[]> {
  // Width and height of the picture stand in its head.
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return coloursIn(world, png, { x: 0, y: 0, width, height });
}

/** A comment's picture of `target`. */
async function pictured(world: World, target: string): Promise<Buffer> {
  await world.startPicking();
  await world.overlay.pick(target);
  const pin = await world.overlay.write('Look');
  const png = await pictureIfAny(world, pin.id);
  assert.ok(png, 'there is a picture');
  return png;
}

async function hides(world: World, target = '#vault'): Promise<void> {
  assert.ok(
    !(await allColours(world, await pictured(world, target))).includes(SECRET),
    'the secret is hidden',
  );
}

const plays: Record<string, (world: World) => Promise<void>> = {};
for (const [name, html] of Object.entries(LAYOUTS)) {
  plays[name] = async (world) => {
    await lay(world, html);
    await hides(world);
  };
}

plays['a page that is enlarged as a whole'] = async (world) => {
  await world.page.evaluate(() => {
    document.documentElement.style.zoom = '1.25';
  });
  await lay(world, at(frame('')) + at(PASSWORD, 'top: 300px'));
  await hides(world);
  await world.page.evaluate(() => document.documentElement.removeAttribute('style'));
};

plays['a popover'] = async (world) => {
  await put(
    world,
    `<div id="over" popover="manual" style="inset: auto; left: 60px; top: 60px; margin: 0">${PASSWORD}</div>`,
  );
  await world.page.evaluate(() => document.getElementById('over')?.showPopover());
  await isShown(world);
  await hides(world);
};

plays['a modal dialog'] = async (world) => {
  await world.page.evaluate((field) => {
    const dialog = document.createElement('dialog');
    dialog.id = 'modal';
    dialog.style.cssText = 'width: 700px; height: 500px; padding: 20px; transform: rotate(3deg)';
    dialog.innerHTML = field;
    document.body.append(dialog);
    dialog.showModal();
  }, PASSWORD + frame(''));
  await isShown(world);
  await hides(world, '#modal');
  await world.page.evaluate(() => document.getElementById('modal')?.remove());
};

plays['nothing else'] = async (world) => {
  const plain = `<input name="zip_code" aria-label="Promo code" style="${FIELD}">`;
  for (const html of [at(plain), at(frame('transform: rotate(25deg)', plain))]) {
    await lay(world, html);
    const colours = await allColours(world, await pictured(world, '#vault'));
    assert.ok(colours.includes(SECRET) && !colours.includes(MASKED));
  }
};

plays['nothing where a backdrop is drawn a second time and no field is'] = async (world) => {
  // The app has fields of its own in view.
  const alone = '<style>body > :not(#vault, [data-opentoolbar-root]) { display: none }</style>';
  const undrawn = `<input type="hidden" name="csrf"><div style="display: none">${PASSWORD}</div>`;
  const glass = `<div style="${OVER}; backdrop-filter: url(#away)"></div>`;
  await put(world, at(`${alone}${AWAY}${undrawn}<div style="${FIELD}"></div>${glass}`));
  const colours = await allColours(world, await pictured(world, '#vault'));
  assert.ok(!colours.includes(MASKED));
};

scenariosInOneWorld('a picture hides', { registered: false }, plays);

/** What is drawn a second time, and how: with the cause there is no picture; without it there is one, with the secret hidden. */
interface Refusal {
  html: string;
  /** Puts the cause there, or takes it away. In the page; without it the attribute `data-cause` of the section does. */
  cause?: (world: World, isThere: boolean) => Promise<void>;
}

/** What a rule applies to is not always asked: it is there, or it is not. */
async function rule(world: World, isThere: boolean): Promise<void> {
  await mark(world, isThere);
  await world.page.evaluate((isThere) => {
    for (const style of document.querySelectorAll<HTMLStyleElement>('#vault style'))
      style.disabled = !isThere;
  }, isThere);
}

/** A style that holds while the cause is there. */
const caused = (selector: string, style: string) => `<style>[data-cause] ${selector} { ${style} }</style>`;

const REFUSALS: Record<string, Refusal> = {
  'a field in a filter that may draw it anywhere': {
    html: `<svg width="0" height="0"><filter id="far" x="0" y="0" width="3" height="9"><feOffset dy="70"/></filter></svg>${caused('.in', 'filter: url(#far)')}<div class="in">${PASSWORD}</div>`,
  },
  'a field below an element whose backdrop is drawn elsewhere': {
    html: `${AWAY}${caused('.over', 'backdrop-filter: url(#away)')}${PASSWORD}<div class="over" style="${OVER}"></div>`,
  },
  'a field below a pseudo-element whose backdrop is drawn elsewhere': {
    html: `${AWAY}${caused('b::before', `content: ''; ${OVER}; backdrop-filter: url(#away)`)}${PASSWORD}<b></b>`,
  },
  'a field below the pseudo-element of a part of a shadow root': {
    html: `${AWAY}${caused('span::part(over)::after', `content: ''; ${OVER}; backdrop-filter: url(#away)`)}${PASSWORD}<span><template shadowrootmode="open"><i part="over"></i></template></span>`,
  },
  'a field below the backdrop of a dialog': {
    html: `${AWAY}${caused('dialog::backdrop', 'backdrop-filter: url(#away)')}${PASSWORD}<dialog id="modeless" style="width: 9px; padding: 0; border: 0"></dialog>`,
    cause: async (world, isThere) => {
      await mark(world, isThere);
      await world.page.evaluate((isThere) => {
        const dialog = document.querySelector<HTMLDialogElement>('#vault dialog');
        if (isThere) dialog?.showModal();
        else dialog?.close();
      }, isThere);
    },
  },
  'a field below a button that the browser makes': {
    html: `${AWAY}${caused('input::file-selector-button', `${OVER}; backdrop-filter: var(--away)`)}${PASSWORD}<input type="file" style="--away: url(#away); position: absolute; opacity: 0.99">`,
    cause: rule,
  },
  'a field below the thumb of a slider': {
    html: `${AWAY}${caused('input::-webkit-slider-thumb', 'backdrop-filter: url(#away)')}${caused('input::-moz-range-thumb', 'backdrop-filter: url(#away)')}${PASSWORD}<input type="range">`,
    cause: rule,
  },
};
if (browserUnderTest() === 'chromium')
  REFUSALS['a field that is mirrored below itself'] = {
    html: `${caused('.in', '-webkit-box-reflect: below 20px')}<div class="in">${PASSWORD}</div>`,
  };

async function mark(world: World, isThere: boolean): Promise<void> {
  await world.page.evaluate(
    (isThere) => document.getElementById('vault')?.toggleAttribute('data-cause', isThere),
    isThere,
  );
}

/** Comments once with the cause and once without it. */
async function refusesOnly(world: World, cause: (isThere: boolean) => Promise<void>): Promise<void> {
  await world.startPicking();
  await world.overlay.pick('#vault');
  await world.overlay.type('Look');
  await cause(true);
  const refused = await world.overlay.write(' now');
  assert.equal(await pictureIfAny(world, refused.id), null, 'there is no picture');
  await cause(false);
  const png = await pictured(world, '#vault');
  assert.ok(
    !(await allColours(world, png)).includes(SECRET),
    'without it there is one, which hides the secret',
  );
}

const refusals: Record<string, (world: World) => Promise<void>> = {};
for (const [name, { html, cause = mark }] of Object.entries(REFUSALS)) {
  refusals[name] = async (world) => {
    await lay(world, at(html));
    await refusesOnly(world, (isThere) => cause(world, isThere));
  };
}

/** What has a transition, in the page's own words. */
const TRANSITIONS = {
  'a page in a view transition': 'document',
  'a page with a frame in a view transition': 'document.querySelector("#vault iframe").contentDocument',
  'a page with an element in a view transition': 'document.querySelector("#vault > div")',
};
for (const [name, scope] of Object.entries(TRANSITIONS)) {
  refusals[name] = async (world) => {
    const { page } = world;
    await lay(world, at(frame('')));
    const can = await page.evaluate((scope) => {
      const found = new Function(`return ${scope}`)() as { startViewTransition?: unknown };
      return found.startViewTransition !== undefined;
    }, scope);
    if (!can) return console.error(`    this browser has none: ${name}`);
    await refusesOnly(world, async (isThere) => {
      await page.evaluate(
        async (scope, isThere) => {
          const kept = globalThis as unknown as {
            transition?: { ready: Promise<void>; finished: Promise<void>; skipTransition(): void };
          };
          if (!isThere) {
            kept.transition?.skipTransition();
            return kept.transition?.finished;
          }
          const held = new Function(`return ${scope}`)();
          const inside = held.defaultView ?? held.ownerDocument?.defaultView ?? window;
          const style = inside.document.createElement('style');
          style.textContent =
            '::view-transition-group(*), ::view-transition-old(*) { animation-duration: 60s }';
          inside.document.head.append(style);
          kept.transition = held.startViewTransition(() => undefined);
          return kept.transition?.ready;
        },
        scope,
        isThere,
      );
    });
  };
}
scenariosInOneWorld('there is no picture of', { registered: false }, refusals);
