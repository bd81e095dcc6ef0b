/**
 * What a picture hides, however the page lays it out. Where nothing is hidden, the page shows it. Each layout is tried
 * in a page alone; some go the whole way of a comment as well, and what depends on when the picture is taken goes that
 * way alone.
 */
import assert from 'node:assert/strict';
import {
  AWAY,
  allColours,
  at,
  DARK,
  FIELD,
  type Fixture,
  frame,
  isShown,
  lay,
  OVER,
  PASSWORD,
  pictured,
  put,
  SECRET,
  SHADOWED,
  wholeWayOf,
} from './harness/area.ts';
import { areaIn, coloursAtPlaces, coloursIn, MASKED } from './harness/picture.ts';
import { scenariosInOnePage } from './harness/pictured-page.ts';
import { scenariosInOneWorld } from './harness/world.ts';

const SVG = `<svg xmlns='http://www.w3.org/2000/svg' width='200' height='80'><rect width='200' height='80' fill='rgb(255,0,255)'/></svg>`;
const SVG_ADDRESS = `data:image/svg+xml,${encodeURIComponent(SVG)}`;

function details(content: string): string {
  return `<details open><summary style="color: rgb(0 128 0)">a</summary>${content}</details>`;
}

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
    `<input type="password" style="${DARK}">`,
    'filter: drop-shadow(0 60px 0 rgb(255 0 255))',
  ),
  'a field with a shadow that falls beside it, in a container that is turned': at(
    `<div style="filter: drop-shadow(60px 60px 0 rgb(255 0 255))"><input type="password" style="${DARK}"></div>`,
    'top: 200px; transform: rotate(45deg)',
  ),
  'a field with a shadow in containers without a size, of which one is enlarged': at(
    SHADOWED,
    'transform: scale(3); transform-origin: 0 0',
  ),
  'a field with a shadow in containers without a size, of which one is enlarged by its own properties': at(
    SHADOWED,
    'zoom: 2; scale: 1.5; transform-origin: 0 0',
  ),
  'a field with a shadow in a container without a size in a frame that is enlarged': at(
    frame('', `<body style='margin: 0'>${SHADOWED}`),
    'scale: 1.5; transform-origin: 0 0',
  ),
  'a field with a shadow in a form whose field is called as what an SVG is asked': at(
    `<form><input type="hidden" name="getScreenCTM">${SHADOWED}</form>`,
  ),
  'a field with a shadow in an SVG that is enlarged': at(
    `<svg viewBox="0 0 100 25" width="380" height="95"><g style="filter: drop-shadow(0 15px 0 rgb(255 0 255))"><foreignObject width="50" height="5"><input type="password" style="${DARK}; width: 50px; height: 5px"></foreignObject></g></svg>`,
  ),
  'a field with a shadow in an HTML part of an SVG that is enlarged': at(
    `<svg viewBox="0 0 100 25" width="380" height="95"><foreignObject width="100" height="25"><div style="filter: drop-shadow(0 15px 0 rgb(255 0 255))"><input type="password" style="${DARK}; position: absolute; width: 50px; height: 5px"></div></foreignObject></svg>`,
  ),
  'a field with a shadow of what details hold': at(
    `<style>details::details-content { filter: drop-shadow(0 60px 0 rgb(255 0 255)) }</style>${details(`<input type="password" style="${DARK}">`)}`,
  ),
  'a frame in details, whose content is turned': at(
    `<style>details::details-content { transform: rotate(25deg) }</style>${details(frame(''))}`,
  ),
  'a list that is longer than its field': at(
    `<select multiple autocomplete="cc-exp-month" style="${DARK}; overflow: visible">${'<option style="background: rgb(255 0 255)">08</option>'.repeat(6)}</select>`,
  ),
  'a field in an SVG that is drawn a second time': at(
    `<svg width="300" height="200" style="pointer-events: none"><g id="twice"><foreignObject width="200" height="40">${PASSWORD}</foreignObject></g><use href="#twice" x="40" y="100"></use></svg>`,
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

/** Wherever the page showed the secret, the picture shows a mask; and it shows the secret nowhere else. */
async function hides(fixture: Fixture, shown: Buffer, target = '#vault'): Promise<void> {
  const png = await pictured(fixture, target);
  assert.deepEqual(
    await coloursAtPlaces(fixture, shown, SECRET, png, target),
    [MASKED],
    'what the picture shows where the secret is',
  );
  assert.ok(!(await allColours(fixture, png)).includes(SECRET), 'the secret is hidden');
}

type Play = (fixture: Fixture) => Promise<void>;

const plays: Record<string, Play> = {};
for (const [name, html] of Object.entries(LAYOUTS)) {
  plays[name] = async (fixture) => {
    await hides(fixture, await lay(fixture, html));
  };
}

plays['a page that is enlarged as a whole'] = async (fixture) => {
  await fixture.page.evaluate(() => {
    document.documentElement.style.zoom = '1.25';
  });
  await hides(fixture, await lay(fixture, at(frame('')) + at(PASSWORD, 'top: 300px')));
  await fixture.page.evaluate(() => document.documentElement.removeAttribute('style'));
};

plays['a popover'] = async (fixture) => {
  await put(
    fixture,
    `<div id="over" popover="manual" style="inset: auto; left: 60px; top: 60px; margin: 0">${PASSWORD}</div>`,
  );
  await fixture.page.evaluate(() => document.getElementById('over')?.showPopover());
  await hides(fixture, await isShown(fixture));
};

plays['a modal dialog'] = async (fixture) => {
  await fixture.page.evaluate(async (field) => {
    const dialog = document.createElement('dialog');
    dialog.id = 'modal';
    dialog.style.cssText = 'width: 700px; height: 500px; padding: 20px; transform: rotate(3deg)';
    dialog.innerHTML = field;
    document.body.append(dialog);
    dialog.showModal();
    const inner = dialog.querySelector('iframe');
    await new Promise((resolve) => inner?.addEventListener('load', resolve));
  }, PASSWORD + frame(''));
  await hides(fixture, await isShown(fixture), '#modal');
  await fixture.page.evaluate(() => document.getElementById('modal')?.remove());
};

plays['a field in a picture of something else, which shows nothing of it'] = async (fixture) => {
  const other = '<div id="other" style="width: 100px; height: 50px"></div>';
  const shown = await lay(fixture, at(PASSWORD) + at(other, 'left: 600px; top: 500px'));
  // The other scenarios cannot pass because the field is not in the picture.
  await assert.rejects(hides(fixture, shown, '#other'), /is not inside the picture/);
};

plays['nothing else'] = async (fixture) => {
  const plain = `<input name="zip_code" aria-label="Promo code" style="${FIELD}">`;
  for (const html of [at(plain), at(frame('transform: rotate(25deg)', plain))]) {
    await lay(fixture, html);
    const colours = await allColours(fixture, await pictured(fixture, '#vault'));
    assert.ok(colours.includes(SECRET) && !colours.includes(MASKED));
  }
};

plays['nothing where a backdrop is drawn a second time and no field is'] = async (fixture) => {
  // The app has fields of its own in view.
  const alone = '<style>body > :not(#vault, [data-opentoolbar-root]) { display: none }</style>';
  const undrawn = `<input type="hidden" name="csrf"><div style="display: none">${PASSWORD}</div>`;
  const glass = `<div style="${OVER}; backdrop-filter: url(#away)"></div>`;
  await put(fixture, at(`${alone}${AWAY}${undrawn}<div style="${FIELD}"></div>${glass}`));
  const colours = await allColours(fixture, await pictured(fixture, '#vault'));
  assert.ok(!colours.includes(MASKED));
};

/** What depends on when the page is searched, and when the browser takes the picture. */
const inTime: Record<string, Play> = {};

inTime['a field that moves while the page is searched'] = async (fixture) => {
  const { page } = fixture;
  // Large enough to be searched in several slices, and small enough to be searched in time on a busy machine.
  await lay(fixture, `${at(PASSWORD)}<div style="position: absolute">${'<i></i>'.repeat(1_500)}</div>`);
  await page.evaluate(() => {
    const field = document.querySelector<HTMLElement>('#vault > div');
    if (!field) throw new Error('the page lacks a field');
    const isHidden = () => document.querySelector('[data-opentoolbar-root][data-hidden]') !== null;
    let moves = 0;
    // About once a slice of the search, which comes before ours is hidden.
    const move = () => {
      if (document.getElementById('vault')?.contains(field)) setTimeout(move, 8);
      if (!isHidden()) field.style.top = `${60 + ((++moves * 50) % 500)}px`;
    };
    move();
  });
  const png = await pictured(fixture, '#vault');
  const vault = await areaIn(fixture, '#vault', '#vault', 0);
  // Throws where any of the places that it moves to is outside of the picture.
  const colours = await coloursIn(fixture, png, vault);
  assert.ok(colours.includes(MASKED), 'the field is in the picture');
  assert.ok(!colours.includes(SECRET), 'the secret is hidden');
};

inTime['nothing of what it is about, which moves while it is taken'] = async (fixture) => {
  const stripe = (colour: string) => `<i style="width: 10px; background: ${colour}"></i>`;
  await put(
    fixture,
    at(
      `<div id="moving" style="display: flex; justify-content: space-between; width: 100px; height: 40px">${stripe('rgb(255 255 0)')}${stripe('rgb(0 255 255)')}</div>`,
    ),
  );
  await fixture.page.evaluate(() => {
    const moving = document.getElementById('moving');
    let left = 0;
    const step = () => {
      left = Math.min(left + 20, 600);
      if (moving) moving.style.transform = `translateX(${left}px)`;
      requestAnimationFrame(step);
    };
    new MutationObserver((_, observer) => {
      observer.disconnect();
      step();
    }).observe(document, { subtree: true, attributeFilter: ['data-hidden'] });
  });
  const colours = await allColours(fixture, await pictured(fixture, '#moving'));
  assert.ok(colours.includes('#ffff00') && colours.includes('#00ffff'), 'all of it is in the picture');
};

/**
 * What of the rest goes the whole way too: a field, a frame that only itself tells the place of, what raises our own
 * element above itself, and what is seen.
 */
const WHOLE_WAY = [
  'a field that shows its password, by its name',
  'a frame that is turned',
  'a modal dialog',
  'nothing else',
];

scenariosInOnePage('a picture hides', plays);
scenariosInOneWorld(
  'a comment’s picture hides',
  { registered: false, everySite: true },
  { ...wholeWayOf(plays, WHOLE_WAY), ...wholeWayOf(inTime, Object.keys(inTime)) },
);
