/**
 * Where a secret may be drawn a second time, and no mask could hide it: there is no picture. Each is tried in a page
 * alone; some go the whole way of a comment as well.
 */
import assert from 'node:assert/strict';
import {
  AWAY,
  allColours,
  at,
  type Fixture,
  frame,
  lay,
  OVER,
  PASSWORD,
  pictured,
  SECRET,
  SHADOWED,
  wholeWayOf,
} from './harness/area.ts';
import { browserUnderTest } from './harness/paths.ts';
import { scenariosInOnePage } from './harness/pictured-page.ts';
import { scenariosInOneWorld } from './harness/world.ts';

/** A part of a filter that draws everything two pixels beside where it stands. */
const BESIDE = `<feConvolveMatrix order="5" kernelMatrix="1 ${'0 '.repeat(24)}"/>`;
const AWAY_FROM_IT =
  'position: absolute; left: 0; top: 120px; width: 200px; height: 60px; color: rgb(0 128 0)';

/**
 * What is drawn a second time, and how: with the cause there is no picture; without it there is one, with the secret
 * hidden.
 */
interface Refusal {
  html: string;
  /** Puts the cause there, or takes it away. In the page; without it the attribute `data-cause` of the section does. */
  cause?: (fixture: Fixture, isThere: boolean) => Promise<void>;
}

/** What a rule applies to is not always asked: it is there, or it is not. */
async function rule(fixture: Fixture, isThere: boolean): Promise<void> {
  await mark(fixture, isThere);
  await fixture.page.evaluate((isThere) => {
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
  'a field in a filter that draws each point beside it': {
    html: `<svg width="0" height="0"><filter id="beside" x="0" y="-1" width="2" height="3">${BESIDE.repeat(8)}</filter></svg>${caused('.in', 'filter: url(#beside)')}<div class="in">${PASSWORD}</div>`,
  },
  'a field with a shadow that is nearer than the page': {
    html: `${caused('.eye', 'perspective: 200px')}<div class="eye"><div style="transform: translateZ(100px)">${SHADOWED}</div></div>`,
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
    cause: async (fixture, isThere) => {
      await mark(fixture, isThere);
      await fixture.page.evaluate((isThere) => {
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
/** A slider whose thumb draws elsewhere what is below it, when a sheet says so. */
const THUMB = browserUnderTest() === 'chromium' ? 'input::-webkit-slider-thumb' : 'input::-moz-range-thumb';
const SLIDER = '<input type="range">';

/** Puts a rule into a sheet that a script made, of the page or of the shadow root of `#host`, or takes it away. */
function constructed(isInRoot: boolean): (fixture: Fixture, isThere: boolean) => Promise<void> {
  return async ({ page }, isThere) => {
    await page.evaluate(
      (thumb, isInRoot, isThere) => {
        const scope = isInRoot ? document.querySelector('#host')?.shadowRoot : document;
        if (!scope) throw new Error('the page lacks a shadow root');
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`${thumb} { backdrop-filter: url(#away) }`);
        scope.adoptedStyleSheets = isThere ? [sheet] : [];
      },
      THUMB,
      isInRoot,
      isThere,
    );
  };
}
REFUSALS['a field below the thumb of a slider, by a sheet that a script made'] = {
  html: `${AWAY}${PASSWORD}${SLIDER}`,
  cause: constructed(false),
};
REFUSALS['a field below the thumb of a slider in a shadow root, by a sheet that a script made'] = {
  html: `${AWAY}${PASSWORD}<div id="host"><template shadowrootmode="open">${SLIDER}</template></div>`,
  cause: constructed(true),
};

if (browserUnderTest() === 'chromium') {
  REFUSALS['a field that is mirrored below itself'] = {
    html: `${caused('.in', '-webkit-box-reflect: below 20px')}<div class="in">${PASSWORD}</div>`,
  };
  // What a function stands for is not known before it is used.
  for (const value of ['if(style(--far: 1): url(#away))', 'attr(data-far type(*))', '--far()'])
    REFUSALS[`a field below the thumb of a slider, by ${value}`] = {
      html: `${AWAY}<style>${THUMB} { backdrop-filter: ${value} }</style>${PASSWORD}${SLIDER}`,
      cause: rule,
    };
} else {
  for (const property of [
    'background-image',
    'border-image-source',
    'content',
    'list-style-image',
    'mask-image',
  ])
    REFUSALS[`a field that is drawn a second time as ${property}`] = {
      html: `<div id="twice">${PASSWORD}</div><ul style="${AWAY_FROM_IT}"><li class="copy">a</li></ul>`,
      cause: async ({ page }, isThere) => {
        await page.evaluate(
          (property, value) =>
            document.querySelector<HTMLElement>('#vault .copy')?.style.setProperty(property, value),
          property,
          isThere ? '-moz-element(#twice)' : '',
        );
      },
    };
  REFUSALS['a field that is drawn a second time on the thumb of a slider'] = {
    html: `<style>${THUMB} { background: -moz-element(#twice) }</style><div id="twice">${PASSWORD}</div>${SLIDER}`,
    cause: rule,
  };
  REFUSALS['a field that is drawn a second time on the thumb of a slider, by a variable of the slider'] = {
    html: `<style>${THUMB} { background: var(--thumb) }</style><div id="twice">${PASSWORD}</div>${SLIDER}`,
    cause: async ({ page }, isThere) => {
      await page.evaluate(
        (value) =>
          document.querySelector<HTMLElement>('#vault [type=range]')?.style.setProperty('--thumb', value),
        isThere ? '-moz-element(#twice)' : 'rgb(0 128 0)',
      );
    },
  };
}

async function mark(fixture: Fixture, isThere: boolean): Promise<void> {
  await fixture.page.evaluate(
    (isThere) => document.getElementById('vault')?.toggleAttribute('data-cause', isThere),
    isThere,
  );
}

/** Asks for a picture once with the cause, which comes as late as it can (`Fixture`), and once without it. */
async function refusesOnly(fixture: Fixture, cause: (isThere: boolean) => Promise<void>): Promise<void> {
  const refused = await fixture.picture('#vault', () => cause(true));
  assert.ok(refused === null, 'there is no picture');
  await cause(false);
  const png = await pictured(fixture, '#vault');
  assert.ok(
    !(await allColours(fixture, png)).includes(SECRET),
    'without it there is one, which hides the secret',
  );
}

const refusals: Record<string, (fixture: Fixture) => Promise<void>> = {};
for (const [name, { html, cause = mark }] of Object.entries(REFUSALS)) {
  refusals[name] = async (fixture) => {
    await lay(fixture, at(html));
    await refusesOnly(fixture, (isThere) => cause(fixture, isThere));
  };
}

/** What has a transition, in the page's own words. */
const TRANSITIONS = {
  'a page in a view transition': 'document',
  'a page with a frame in a view transition': 'document.querySelector("#vault iframe").contentDocument',
  'a page with an element in a view transition': 'document.querySelector("#vault > div")',
};
for (const [name, scope] of Object.entries(TRANSITIONS)) {
  refusals[name] = async (fixture) => {
    const { page } = fixture;
    await lay(fixture, at(frame('')));
    const can = await page.evaluate((scope) => {
      const found = new Function(`return ${scope}`)() as { startViewTransition?: unknown };
      return found.startViewTransition !== undefined;
    }, scope);
    if (!can) return console.error(`    this browser has none: ${name}`);
    await refusesOnly(fixture, async (isThere) => {
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

/** What of it goes the whole way too: a rule of the page's, and what depends on when the picture is taken. */
const WHOLE_WAY = [
  'a field below an element whose backdrop is drawn elsewhere',
  'a page in a view transition',
];

scenariosInOnePage('there is no picture of', refusals);
scenariosInOneWorld(
  'no comment has a picture of',
  { registered: false, everySite: true },
  wholeWayOf(refusals, WHOLE_WAY),
);
