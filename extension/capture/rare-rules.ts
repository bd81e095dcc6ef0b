/**
 * What style sheets give to pseudo-elements whose style a browser does not tell (`getComputedStyle` knows few of the
 * parts of form controls, scroll bars and the like): filters of what is below them, and pictures of other elements.
 * What a rule applies to is not asked: one that may draw a secret twice is enough.
 */

import { nodeTypeOf } from './dom';
import { drawsElements, mayHoldElement, variablesOf } from './element-images';
import type { SearchTime } from './search-time';

/** Pseudo-elements but those whose style is asked for element by element, and those that stand for elements. */
const RARE = /::(?!(?:before|after|backdrop|part|slotted)(?![\w-]))[\w-]/;

/**
 * Functions in the value of a filter that draw nothing elsewhere: filters, numbers and colours. What any other stands
 * for (`url`, `var`, `attr`, `if`, a function of the page) is not known, or is a filter of the page's own.
 */
const HARMLESS = new Set(
  [
    'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia',
    'calc min max clamp round mod rem abs sign pow sqrt hypot log exp sin cos tan asin acos atan atan2',
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark',
  ].flatMap((names) => names.split(' ')),
);

/** `CSSRule.KEYFRAMES_RULE`; the rules of a frame are of classes of its own. */
const KEYFRAMES = 7;
/** `Node.DOCUMENT_FRAGMENT_NODE`: a shadow root. */
const FRAGMENT = 11;

interface Step {
  rules: ArrayLike<CSSRule>;
  /** How many there were when the walk through them began. */
  count: number;
  next: number;
  /** The one before the next, when it was looked at. */
  last: CSSRule | undefined;
  isRare: boolean;
}

/**
 * Looks through the sheets of a document or a shadow root that may be read: those of other sites may not. `seen` are
 * those that were looked through before, of other scopes too. Adds to `variables` those that may bring in a picture of
 * an element from wherever they are set. True as well when the time is over.
 */
export async function hasRareCopy(
  scope: Document | ShadowRoot,
  seen: Set<CSSStyleSheet>,
  variables: Set<string>,
  time: SearchTime,
): Promise<boolean> {
  const steps: Step[] = [];
  const walk = (rules: ArrayLike<CSSRule>, isRare: boolean) =>
    steps.push({ rules, count: rules.length, next: 0, last: undefined, isRare });
  const add = (sheet: CSSStyleSheet) => {
    if (seen.has(sheet)) return;
    seen.add(sheet);
    walk(rulesOf(sheet), false);
  };
  for (const sheet of sheetsOf(scope)) add(sheet);
  for (let step = steps.at(-1); step; step = steps.at(-1)) {
    if (time.isDue()) {
      if (!(await time.rest())) return true;
      steps.filter(hasMoved).forEach(startAgain);
    }
    step.last = step.rules[step.next++];
    const rule = step.last as Partial<CSSStyleRule & CSSImportRule & CSSPropertyRule> | undefined;
    if (!rule) {
      steps.pop();
      continue;
    }
    const { style, styleSheet, cssRules, initialValue } = rule;
    const hasMore = cssRules !== undefined && cssRules.length > 0;
    const filter = style ? mayCopyBelow(style.getPropertyValue('backdrop-filter')) : false;
    const drawn = drawsElements() ? style : undefined;
    // A selector is written out anew whenever it is asked for.
    if (filter || hasMore || drawn) {
      // What an animation does to any of them is not known either.
      const isRare = step.isRare || rule.type === KEYFRAMES || RARE.test(rule.selectorText ?? '');
      if (filter && isRare) return true;
      if (isRare && drawn) {
        const names = variablesOf(drawn);
        if (!names) return true;
        for (const name of names) variables.add(name);
      }
      if (hasMore) walk(cssRules, isRare);
    }
    // May be in a variable, and be used anywhere.
    if (mayHoldElement(drawn?.cssText ?? '') || mayHoldElement(initialValue ?? '')) return true;
    if (styleSheet) add(styleSheet);
  }
  return false;
}

/**
 * Whether the page may have put rules elsewhere, so that some would be passed over: it took one away, or put one in.
 */
function hasMoved({ rules, count, next, last }: Step): boolean {
  return rules.length !== count || (next > 0 && rules[next - 1] !== last);
}

function startAgain(step: Step): void {
  Object.assign(step, { count: step.rules.length, next: 0, last: undefined });
}

function mayCopyBelow(filter: string): boolean {
  return [...filter.matchAll(/([^\s(),/]*)\(/g)].some(([, name = '']) => !HARMLESS.has(name.toLowerCase()));
}

function sheetsOf(scope: Document | ShadowRoot): CSSStyleSheet[] {
  // A form of the page may be called as what is asked of a document.
  const owner = nodeTypeOf(scope) === FRAGMENT ? ShadowRoot.prototype : Document.prototype;
  const all = ['styleSheets', 'adoptedStyleSheets'].map((name) => {
    const get = Object.getOwnPropertyDescriptor(owner, name)?.get;
    return get ? Array.from(Reflect.apply(get, scope, []) as ArrayLike<CSSStyleSheet>) : [];
  });
  return all.flat().filter(({ disabled }) => !disabled);
}

function rulesOf(sheet: CSSStyleSheet): ArrayLike<CSSRule> {
  try {
    return sheet.cssRules;
  } catch {
    return [];
  }
}
