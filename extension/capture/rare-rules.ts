/**
 * Backdrop filters that style sheets give to pseudo-elements whose style a browser does not tell (`getComputedStyle` knows few of the
 * parts of form controls, scroll bars and the like). What a rule applies to is not asked: one that may draw a secret twice is enough.
 */

import { nodeTypeOf } from './dom';

/** Pseudo-elements but those whose style is asked for element by element, and those that stand for elements. */
const RARE = /::(?!(?:before|after|backdrop|part|slotted)(?![\w-]))[\w-]/;

/** `CSSRule.KEYFRAMES_RULE`; the rules of a frame are of classes of its own. */
const KEYFRAMES = 7;
/** `Node.DOCUMENT_FRAGMENT_NODE`: a shadow root. */
const FRAGMENT = 11;

interface Step {
  rules: ArrayLike<CSSRule>;
  isRare: boolean;
}

/** Looks through the sheets of a document or a shadow root that may be read: those of other sites may not. */
export function hasRareBackdrop(scope: Document | ShadowRoot): boolean {
  const steps: Step[] = sheetsOf(scope).map((sheet) => ({ rules: rulesOf(sheet), isRare: false }));
  for (let step = steps.pop(); step; step = steps.pop()) {
    for (const rule of Array.from(step.rules)) {
      const { selectorText, style, styleSheet, cssRules } = rule as Partial<CSSStyleRule & CSSImportRule>;
      // What an animation does to any of them is not known either.
      const isRare = step.isRare || rule.type === KEYFRAMES || RARE.test(selectorText ?? '');
      // A variable may hold anything.
      if (isRare && /url\(|var\(/.test(style?.getPropertyValue('backdrop-filter') ?? '')) return true;
      if (cssRules) steps.push({ rules: cssRules, isRare });
      if (styleSheet) steps.push({ rules: rulesOf(styleSheet), isRare });
    }
  }
  return false;
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
