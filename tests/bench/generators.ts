/**
 * What runs inside the page: the generators of others, and what their selectors match. Installed by `selectors.ts`;
 * knows nothing of Node.
 */

/** One generated selector. Times in milliseconds. */
export interface Made {
  selector: string | null;
  ms: number;
  /** Positions in `querySelectorAll('*')` of the first two it matches. */
  matches: number[];
  error?: string;
}

export interface Bench {
  count: number;
  tools: Record<string, (element: Element) => string>;
  /** Milliseconds that a tool takes once a page. */
  setup: Record<string, number>;
  /** The element that is being asked about, as an index of the list; kept for when it has to be stopped. */
  at: number;
  made: Made[];
  /** Asks about elements from `from` on until the time is up; the number done is in `made`. */
  make(tool: string, elements: number[], from: number, budget: number): void;
  matches(selector: string): number[];
}

/** Makes `window.bench`. Self-contained, as it is sent to the page as text. */
export function install(): void {
  const page = globalThis as unknown as {
    bench: Bench;
    finder(element: Element): string;
    CssSelectorGenerator: { getCssSelector(element: Element): string };
    axe: { setup(): void; teardown(): void; utils: { getSelector(element: Element): string | string[] } };
  };
  const all = [...document.querySelectorAll('*')];
  const positions = new Map(all.map((element, at) => [element, at]));
  const childNumber = (element: Element) =>
    [...(element.parentElement?.children ?? [element])].indexOf(element) + 1;

  const path = (element: Element): string => {
    const steps: string[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) {
      steps.unshift(
        at.parentElement ? `${CSS.escape(at.localName)}:nth-child(${childNumber(at)})` : at.localName,
      );
    }
    return steps.join(' > ');
  };

  /** In the manner of a browser's "copy selector": up to the next id, classes where they tell siblings apart. */
  const copied = (element: Element): string => {
    const steps: string[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) {
      const name = CSS.escape(at.localName);
      if (at.id) {
        steps.unshift(`#${CSS.escape(at.id)}`);
        break;
      }
      if (['body', 'head', 'html'].includes(at.localName)) {
        steps.unshift(name);
        break;
      }
      const self: Element = at;
      const twins = [...(self.parentElement?.children ?? [])].filter(
        (other) => other !== self && other.localName === self.localName,
      );
      const telling = [...self.classList].filter((c) => twins.every((twin) => !twin.classList.contains(c)));
      const classes = telling.map((c) => `.${CSS.escape(c)}`).join('');
      const type = self === element && self.matches('input[type]') && !self.classList.length;
      const kind = type ? `[type="${CSS.escape(self.getAttribute('type') ?? '')}"]` : '';
      steps.unshift(name + kind + (twins.length === 0 ? '' : classes || `:nth-child(${childNumber(self)})`));
    }
    return steps.join(' > ');
  };

  const setup: Record<string, number> = {};
  const began = performance.now();
  page.axe.teardown();
  page.axe.setup();
  setup['axe-core'] = performance.now() - began;

  const matches = (selector: string): number[] => {
    try {
      return [...document.querySelectorAll(selector)]
        .slice(0, 2)
        .map((element) => positions.get(element) ?? -1);
    } catch {
      return [];
    }
  };

  const bench: Bench = {
    count: all.length,
    setup,
    tools: {
      '@medv/finder': (element) => page.finder(element),
      'axe-core': (element) => {
        const selector = page.axe.utils.getSelector(element);
        return Array.isArray(selector) ? selector.join(' >>> ') : selector;
      },
      'css-selector-generator': (element) => page.CssSelectorGenerator.getCssSelector(element),
      'copied as in DevTools': copied,
      'nth-child path': path,
    },
    at: 0,
    made: [],
    make(tool, elements, from, budget) {
      const until = performance.now() + budget;
      const run = bench.tools[tool];
      bench.made = [];
      for (bench.at = from; bench.at < elements.length && performance.now() < until; bench.at++) {
        const element = all[elements[bench.at] ?? -1];
        if (!run || !element) throw new Error(`no ${tool}, or no element ${elements[bench.at]}`);
        const start = performance.now();
        try {
          const selector = run(element);
          const ms = performance.now() - start;
          bench.made.push({ selector, ms, matches: matches(selector) });
        } catch (error) {
          bench.made.push({
            selector: null,
            ms: performance.now() - start,
            matches: [],
            error: String(error),
          });
        }
      }
    },
    matches,
  };
  page.bench = bench;
}
