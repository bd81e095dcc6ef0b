/** What a person does in the shop, one step after the other: chosen by a seed, so that a run can be had again. */
import type { Page } from 'puppeteer-core';

/** A person takes about six seconds for a step: so many are an hour's. */
export const STEPS_OF_AN_HOUR = 600;

export type Step =
  /** One more of what stands there in the list, from 0. */
  | { kind: 'buy'; at: number }
  | { kind: 'remove' }
  | { kind: 'pay' }
  | { kind: 'cart' }
  | { kind: 'tab'; at: number }
  | { kind: 'sort'; at: number }
  | { kind: 'filter'; words: string }
  | { kind: 'colours' }
  | { kind: 'write'; field: 'name' | 'email'; words: string }
  | { kind: 'tick' }
  | { kind: 'save' }
  | { kind: 'route'; to: 'shop' | 'account' }
  | { kind: 'back' }
  | { kind: 'reload' }
  /** Looks at the page for a while: a clock ticks, orders come in. */
  | { kind: 'wait' };

export type Kind = Step['kind'];

/** How often, against one another. Those of a route are drawn only there. */
const WEIGHTS: Record<'everywhere' | 'shop' | 'account', Partial<Record<Kind, number>>> = {
  everywhere: { remove: 5, pay: 1, cart: 10, colours: 4, route: 10, back: 4, reload: 3, wait: 8 },
  shop: { buy: 18, tab: 14, sort: 12, filter: 10 },
  account: { write: 18, tick: 6, save: 10 },
};

const WORDS = ['', '', '', 'e', 'gr', 'kettle', 'beans', 'nothing of that'];
const NAMES = ['Ada', 'Ines Marquez', 'j.doe@example.org', 'Bo'];

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** So many steps, from the shop's route on. Each can be done where the ones before it lead. */
export function stepsOf(seed: number, count: number): Step[] {
  const draw = random(seed);
  const below = (bound: number) => Math.floor(draw() * bound);
  const of = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];
  const steps: Step[] = [];
  const visited: ('shop' | 'account')[] = ['shop'];
  while (steps.length < count) {
    const route = visited.at(-1) ?? 'shop';
    const kind = weighed({ ...WEIGHTS.everywhere, ...WEIGHTS[route] }, draw());
    // Before the first page is another that is none of ours.
    if (kind === 'back' && visited.length < 2) continue;
    const to = route === 'shop' ? 'account' : 'shop';
    if (kind === 'route') visited.push(to);
    if (kind === 'back') visited.pop();
    steps.push(drawn(kind));
    function drawn(wanted: Kind): Step {
      if (wanted === 'buy') return { kind: wanted, at: below(7) };
      if (wanted === 'tab') return { kind: wanted, at: below(3) };
      if (wanted === 'sort') return { kind: wanted, at: below(4) };
      if (wanted === 'filter') return { kind: wanted, words: of(WORDS as [string, ...string[]]) };
      if (wanted === 'route') return { kind: wanted, to };
      if (wanted === 'write')
        return { kind: wanted, field: of(['name', 'email']), words: of(NAMES as [string, ...string[]]) };
      return { kind: wanted };
    }
  }
  return steps;
}

/** The kind in whose share of the weights a number from 0 up to 1 falls. */
function weighed(weights: Partial<Record<Kind, number>>, share: number): Kind {
  const entries = Object.entries(weights) as [Kind, number][];
  let left = share * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of entries) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'wait';
}

/** Between two steps. The page is looked at once a second at most, so that some steps are seen together. */
const BETWEEN_MS = 250;
/** Longer than what was seen has to rest before it is kept. */
const WAIT_MS = 3_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does a step. What is not there now (a row that the filter hides, a cart that is closed) is left alone. */
export async function perform(page: Page, step: Step): Promise<void> {
  switch (step.kind) {
    case 'buy':
      await press(page, '.goods .buy', step.at);
      break;
    case 'remove':
      await press(page, '.remove');
      break;
    case 'pay':
      await press(page, '.pay');
      break;
    case 'cart':
      await press(page, '.open-cart');
      break;
    case 'tab':
      await press(page, '[role="tab"]', step.at);
      break;
    case 'sort':
      await press(page, '.sort', step.at);
      break;
    case 'filter':
      await write(page, '.filter', step.words);
      break;
    case 'colours':
      await press(page, '.theme');
      break;
    case 'write':
      await write(page, `.${step.field}`, step.words);
      break;
    case 'tick':
      await press(page, '.news');
      break;
    case 'save':
      await write(page, '.email', 'ada@example.org');
      await press(page, '.save');
      break;
    case 'route':
      await press(page, step.to === 'shop' ? 'nav a[href="/"]' : 'nav a[href="/account"]');
      break;
    case 'back':
      await page.evaluate(() => history.back());
      break;
    case 'reload':
      await page.reload({ waitUntil: 'load' });
      await page.waitForSelector('footer');
      break;
    case 'wait':
      await pause(WAIT_MS);
  }
  await pause(BETWEEN_MS);
}

async function press(page: Page, selector: string, at = 0): Promise<void> {
  await page.evaluate(
    (css, index) => document.querySelectorAll<HTMLElement>(css)[index]?.click(),
    selector,
    at,
  );
}

/** As typing does: the frameworks hear of it. */
async function write(page: Page, selector: string, words: string): Promise<void> {
  await page.evaluate(
    (css, text) => {
      const field = document.querySelector<HTMLInputElement>(css);
      if (!field) return;
      const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      value?.set?.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    selector,
    words,
  );
}
