/**
 * A small server whose template and data are edited, each alone and together, and whose page is loaded again or
 * morphed; and what its comments' pins say then.
 */
import { pinIs } from './pins.ts';
import { otherSite } from './sites.ts';
import type { World } from './world.ts';

/** Long enough for a look, for a difference to be told, and for what was seen to be kept. */
export const rest = () => new Promise((resolve) => setTimeout(resolve, 5_500));

/**
 * What a library does that morphs pages: what differs in the page that comes is put into this one, element by element.
 */
const MORPH = `
function morph(old, now) {
  const [before, after] = [[...old.childNodes], [...now.childNodes]];
  for (const [at, node] of after.entries()) {
    const own = before[at];
    if (!own) old.append(node);
    else if (own.nodeName !== node.nodeName) own.replaceWith(node);
    else if (own.nodeType !== 1) own.nodeValue = node.nodeValue;
    else if (own.nodeName !== 'SCRIPT') morph(own, node);
  }
  for (const node of before.slice(after.length)) node.remove();
}
document.getElementById('refresh').addEventListener('click', async () => {
  const came = await (await fetch(location.href)).text();
  morph(document.querySelector('main'), new DOMParser().parseFromString(came, 'text/html').querySelector('main'));
});`;

const LOGIN = `<!doctype html><html lang="en"><head><title>Shop</title><link rel="stylesheet" href="/shop.css"></head><body>
<form><label>Name <input name="name"></label><button>Log in</button></form>
<script>document.forms[0].addEventListener('submit', (event) => event.preventDefault());</script></body></html>`;

/** What the server writes its page from. */
export class Shop {
  /** The template. */
  heading = 'Offers of the day';
  note = 'We are open until nine.';
  style = '.price { color: green }';
  code = "menu.addEventListener('click', () => menu.toggleAttribute('data-open'));";
  end = '';
  /** Whether a form to log in is sent in its place. */
  isOut = false;
  /** The data. */
  visit = 1;
  price = 24;
  goods: Record<string, unknown>[] = [{ id: 1, name: 'Tea' }];
  /** The code, by how often its page was asked for. */
  codeOf: (asked: number) => string = () => this.code;
  /** How often its page was asked for. */
  asked = 0;

  readonly page = (path: string): string => {
    if (path === '/shop.css') return 'body { margin: 20px }';
    if (path === '/') this.asked += 1;
    if (this.isOut) return LOGIN;
    const { heading, note, style, end, visit, price, goods } = this;
    return `<!doctype html><html lang="en"><head><title>Shop</title><link rel="stylesheet" href="/shop.css">
<style nonce="n${visit}">${style}</style></head><body>
<main><button id="menu">Menu</button><h1>${heading}</h1><p class="note" id="note">${note}</p>
<p>Only € <b class="price" id="price">${price}</b> today</p>
<ul>${goods.map(({ id, name }) => `<li class="good" id="good-${id}" onclick="show(${id})">${name}</li>`).join('')}</ul>
${end}</main><button id="refresh">Refresh</button><script>${MORPH}</script><script nonce="n${visit}">
window.__STATE__ = ${JSON.stringify({ visit, goods })};
const menu = document.getElementById('menu'); menu.dataset.token = 't${visit}';
${this.codeOf(this.asked)}
</script></body></html>`;
  };
}

export async function play(
  world: World,
  run: (shop: Shop) => Promise<void>,
  headers: Record<string, string> = {},
): Promise<void> {
  const shop = new Shop();
  const site = await otherSite(shop.page, '127.0.0.2', headers);
  try {
    await world.page.goto(site.url);
    await run(shop);
  } finally {
    site.stop();
  }
}

export const isActive = (world: World, id: string, why: string) =>
  pinIs(world, id, why, ({ words, place }) => words === 'Active' && place === 'found');
/** Nothing is outdated, and whoever looks is told that nobody knows. */
export const mayHaveChanged = (world: World, id: string, why: string) =>
  pinIs(world, id, why, ({ words, status, place }) => {
    return status === 'active' && place === 'found' && /may have changed/i.test(words);
  });
export const isOutdated = (world: World, id: string) =>
  pinIs(world, id, 'is outdated', ({ status }) => status === 'outdated');
