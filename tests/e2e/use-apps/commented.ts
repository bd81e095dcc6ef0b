/**
 * The ten elements of the shop that comments are about, and the edit of each one's source that its comment has to
 * notice.
 */
import type { Page } from 'puppeteer-core';
import { until } from '../harness/until.ts';

export const FRAMEWORKS = ['react', 'vue', 'svelte'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** What has to be on the screen for an element to be there: a route, and on the shop's the cart or a tab opened. */
export type Scene = 'shop' | 'cart' | 'brewing' | 'account';

export interface Commented {
  /** For the tables. */
  name: string;
  scene: Scene;
  /** Right after `enter`. */
  selector: string;
  /** A component's name, or a file of `src/`. */
  file: string;
  before: string;
  after: string;
  /** What the page says of itself once the edit is shown: an expression of its own. */
  edited: (page: Page) => Promise<boolean>;
}

const says = (selector: string, words: string) => (page: Page) =>
  page.evaluate(
    (css, text) => document.querySelector(css)?.textContent?.includes(text) ?? false,
    selector,
    words,
  );
const has = (selector: string) => async (page: Page) => (await page.$(selector)) !== null;

export const COMMENTED: Commented[] = [
  {
    name: 'button with a count',
    scene: 'shop',
    selector: '.open-cart',
    file: 'App',
    before: 'Open cart <span',
    after: 'Open basket <span',
    edited: says('.open-cart', 'Open basket'),
  },
  {
    name: 'heading',
    scene: 'shop',
    selector: 'h1',
    file: 'Shop',
    before: 'Coffee for the corner',
    after: 'Coffee and all around it',
    edited: says('h1', 'all around it'),
  },
  {
    name: 'row of the list',
    scene: 'shop',
    selector: '.goods li:nth-child(3)',
    file: 'goods.ts',
    before: 'Forty settings, steel burrs',
    after: 'Sixty settings, ceramic burrs',
    edited: says('.goods', 'ceramic burrs'),
  },
  {
    name: 'price',
    scene: 'shop',
    selector: '.goods li:nth-child(5) .price',
    file: 'goods.ts',
    before: 'price: 24',
    after: 'price: 29',
    edited: says('.goods', '€ 29'),
  },
  {
    name: 'picture',
    scene: 'shop',
    selector: '.logo',
    file: 'App',
    before: '/beans.svg',
    after: '/leaf.svg',
    // By its address, or, as Vue's templates get it, by the colour in it.
    edited: has('.logo[src*="leaf.svg"], .logo[src*="%23284"]'),
  },
  {
    name: 'container with counters',
    scene: 'shop',
    selector: '.today',
    file: 'Today',
    before: 'Orders today',
    after: 'Orders since midnight',
    edited: says('.today', 'Orders since midnight'),
  },
  {
    name: 'text of a tab',
    scene: 'brewing',
    selector: '[role="tabpanel"] .lead',
    file: 'Tabs',
    before: 'Sixty grams for a litre',
    after: 'Fifty-five grams for a litre',
    edited: says('.lead', 'Fifty-five grams'),
  },
  {
    name: 'button of a dialog',
    scene: 'cart',
    selector: '.pay',
    file: 'Cart',
    before: 'pay primary',
    after: 'pay danger',
    edited: has('.pay.danger'),
  },
  {
    name: 'field of a form',
    scene: 'account',
    selector: '.email',
    file: 'Account',
    before: 'you@example.org',
    after: 'your.name@example.org',
    edited: has('.email[placeholder="your.name@example.org"]'),
  },
  {
    name: 'link that is removed',
    scene: 'shop',
    selector: 'footer a:nth-of-type(2)',
    file: 'Footer',
    before: '<a href="#returns">Returns</a>',
    after: '',
    edited: async (page) => (await page.$('footer')) !== null && !(await has('a[href="#returns"]')(page)),
  },
];

const EXTENSIONS: Record<Framework, string> = { react: 'tsx', vue: 'vue', svelte: 'svelte' };

/** Where an edit is made, relative to the project. */
export const fileOf = (framework: Framework, { file }: Commented) =>
  `src/${file.includes('.') ? file : `${file}.${EXTENSIONS[framework]}`}`;

/** Loads the page anew, and opens what the scene asks for. */
export async function enter(page: Page, origin: string, scene: Scene): Promise<void> {
  await page.goto(origin + (scene === 'account' ? '/account' : '/'), { waitUntil: 'load' });
  const opens: Record<Scene, [button: string | null, shown: string]> = {
    shop: [null, '.goods'],
    account: [null, '.email'],
    cart: ['.open-cart', '.pay'],
    brewing: ['[role="tab"]:nth-child(2)', '[role="tab"]:nth-child(2)[aria-selected="true"]'],
  };
  const [button, shown] = opens[scene];
  await until(`the scene ${scene} is shown`, async () => {
    if (await page.$(shown)) return true;
    if (button) await page.evaluate((css) => document.querySelector<HTMLElement>(css)?.click(), button);
    return (await page.$(shown)) !== null;
  });
}
