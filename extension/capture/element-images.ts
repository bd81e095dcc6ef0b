/**
 * Pictures of other elements of the page, live: `-moz-element(#id)` of Firefox, and `element(#id)` where a browser
 * comes to have it.
 */

const FUNCTIONS = ['-moz-element(#a)', 'element(#a)'];
/** With the shorthands that set each. */
const PROPERTIES: Record<string, string[]> = {
  'background-image': ['background'],
  'border-image-source': ['border-image', 'border'],
  content: [],
  'list-style-image': ['list-style'],
  'mask-image': ['mask'],
};

let drawing: readonly string[] | undefined;

/** The properties that can hold such a picture, in this browser. */
function drawingProperties(): readonly string[] {
  drawing ??= Object.keys(PROPERTIES).filter((property) =>
    FUNCTIONS.some((value) => CSS.supports(property, value)),
  );
  return drawing;
}

/** Whether this browser has any. */
export function drawsElements(): boolean {
  return drawingProperties().length > 0;
}

/** Whether an element or a pseudo-element shows another one, by its computed style. */
export function showsElement(style: CSSStyleDeclaration): boolean {
  return drawingProperties().some((property) => mayHoldElement(style.getPropertyValue(property)));
}

export function mayHoldElement(value: string): boolean {
  return value.includes('element(');
}

/**
 * What a value is put together from beside variables: all of it may be such a picture. An `attr` without a type is a
 * text.
 */
const UNKNOWN = /attr\([^)]*type\(|(?<![\w-])(?:if|inherit|--[\w-]+)\(/i;
const VARIABLE = /var\(/gi;
/** Names that say in a style sheet what they are: nothing in them is escaped, and no comment stands before them. */
const NAME = /var\(\s*(--(?:[\w-]|[^\0-\x7f])*)\s*[,)]/gi;

/**
 * The variables that the declarations of a rule may take such a picture from; null: it is not known whether they take
 * one.
 */
export function variablesOf(style: CSSStyleDeclaration): string[] | null {
  const own = Array.from(style);
  const values = own.filter((name) => name.startsWith('--')).map((name) => style.getPropertyValue(name));
  for (const property of drawingProperties()) {
    const names = [property, ...(PROPERTIES[property] ?? [])];
    const value = names.map((name) => style.getPropertyValue(name)).join(' ');
    // A part of a shorthand with a variable, of which another part was set again: the browser writes out neither.
    if (value.trim() === '' && own.includes(property)) return null;
    values.push(value);
  }
  const text = values.join(' ');
  const names = [...text.matchAll(NAME)].map(([, name = '']) => name);
  const isKnown = !UNKNOWN.test(text) && names.length === (text.match(VARIABLE)?.length ?? 0);
  return isKnown ? names : null;
}
