/**
 * How an element is drawn, where neither its tag nor its attributes say it: the shape of an SVG's element as a hash,
 * colours and pictures of its inline style. The same rules as the core's `html/appearance.rs`. What style sheets say is
 * left out: a theme or a pointer changes that, and the class names are captured anyway. Reads attributes only.
 */
import { attributeOf, namespaceOf } from './dom';
import { redactText } from './redact';

/** Longest text that says how an element is drawn, in UTF-16 units. */
const MAX_DRAWING = 300;
/** A longer value is told by its hash. */
const MAX_VALUE = 100;
/** How much of a shape or an inline style is looked at, in UTF-16 units. */
const LOOKED_AT = 4_000;

const SVG_SHAPES = [
  ['d', 'path'],
  ['points', 'points'],
] as const;
const HTML = 'http://www.w3.org/1999/xhtml';

/** Declarations that say how an element without text looks. */
const PROPERTIES = new Set([
  'background',
  'background-color',
  'background-image',
  'border-color',
  'color',
  'fill',
  'stroke',
  'mask',
  'mask-image',
  '-webkit-mask-image',
]);
/** What a property of the page's own begins with when it is a colour or a picture. */
const OF_ITS_OWN = /^(?:#|rgb|hsl|oklch|oklab|url\()/;
/** A cheap look at whether an inline style holds any of these. */
const MAY_HOLD = /color|background|fill|stroke|mask|--/i;

/** What to keep of an element; empty where there is nothing of the kind. */
export function drawingOf(element: Element): string {
  let drawing = '';
  const add = (part: string) => {
    const longer = drawing === '' ? part : `${drawing}; ${part}`;
    if (longer.length <= MAX_DRAWING) drawing = longer;
  };
  if (namespaceOf(element) !== HTML) {
    for (const [name, said] of SVG_SHAPES) {
      const shape = folded(beginning(attributeOf(element, name) ?? ''));
      if (shape !== '') add(`${said} #${digest(shape)}`);
    }
  }
  const style = beginning(attributeOf(element, 'style') ?? '');
  if (!MAY_HOLD.test(style)) return drawing;
  for (const [name, value] of declarations(style)) {
    const isKept = name.startsWith('--') ? OF_ITS_OWN.test(value) : PROPERTIES.has(name);
    if (!isKept || value === '') continue;
    const said = redactText(value);
    add(`${name}: ${said.length > MAX_VALUE ? `#${digest(said)}` : said}`);
  }
  return drawing;
}

/** Name, in lower case, and value of each declaration; what stands in brackets or quotes ends none. */
function declarations(style: string): [string, string][] {
  const found: [string, string][] = [];
  let from = 0;
  let depth = 0;
  let quote = '';
  const take = (declaration: string) => {
    const colon = declaration.indexOf(':');
    if (colon < 0) return;
    const name = folded(declaration.slice(0, colon));
    found.push([
      name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
      folded(declaration.slice(colon + 1)),
    ]);
  };
  for (let at = 0; at < style.length; at++) {
    const c = style[at] ?? '';
    if (quote !== '') {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '(') depth += 1;
    else if (c === ')') depth = Math.max(0, depth - 1);
    else if (c === ';' && depth === 0) {
      take(style.slice(from, at));
      from = at + 1;
    }
  }
  take(style.slice(from));
  return found;
}

/** White space as HTML has it, folded. */
function folded(text: string): string {
  return text
    .split(/[\t\n\f\r ]+/)
    .filter(Boolean)
    .join(' ');
}

/** The first units, whole characters. */
function beginning(text: string): string {
  return text.length <= LOOKED_AT ? text : text.slice(0, LOOKED_AT).replace(/[\ud800-\udbff]$/, '');
}

/** FNV-1a over the UTF-16 units, as eight digits. */
function digest(text: string): string {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0).toString(16).padStart(8, '0');
}
