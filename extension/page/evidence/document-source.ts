/**
 * What of a document is source, taken from its text as it was served: the code in it. And what may be source or data:
 * which kinds of elements it is made of, and what it says. What scripts show, and what dev servers put into the page,
 * is not there yet. Pure.
 */
import { hashOf, TextHash } from '../../text-hash';
import { attributeTexts } from './document-attributes';
import { type Tag, tagsOf, withoutEntities } from './html-tags';
import { withoutMadeUp } from './made-up-names';
import { codeOf } from './script-code';

export interface DocumentSource {
  /**
   * Hashes of its scripts, style sheets and event handlers without their data, each once: those that come first in
   * order.
   */
  code: string[];
  /**
   * Short hashes of its kinds of elements, those that come first in order: as good a sample as any, and the same each
   * time.
   */
  kinds: string[];
  /** A hash of the set of kinds of its elements; null: it has none. */
  skeleton: string | null;
  /** A hash of its texts and of what the attributes of its elements say, in their order; null: it says nothing. */
  words: string | null;
}

/** Pieces of code of one document that are looked at, and that are told. */
const MAX_PIECES = 2_000;
const MAX_TOLD = 32;
/** Kinds of elements of one document. */
const MAX_KINDS = 2_000;
/** Kinds that are told of one document, and the length of their hashes. */
const MAX_SAMPLE = 16;
const SHORT = 6;
const SPACE = 32;
/** Between two texts. */
const END = 0;
/** Elements that are open at one time. */
const MAX_DEPTH = 500;
const CODE_TYPE =
  /^(?:module|text\/babel|text\/jsx|(?:text|application)\/(?:x-)?(?:java|ecma|jsc|type)script)?$/i;
const HANDLER = /^on[a-z]+$/;
/** A number in a text of its own is data. */
const HAS_LETTERS = /\p{L}/u;
/** Styles that a library made of the components that it drew this time. */
const MADE_STYLE = /^data-(?:emotion|styled|jss|fela)/;
/** No part of what a page shows, or what data brings along. */
const NO_KIND = new Set(
  'html head body title meta link style script base noscript template br wbr'.split(' '),
);
const VOID = new Set('area base br col embed hr img input link meta param source track wbr frame'.split(' '));
/** What needs no end tag, and the beginnings that end it. */
const ENDS = new Map([
  ['li', /^li$/],
  ['dt', /^d[td]$/],
  ['dd', /^d[td]$/],
  ['td', /^(?:t[dhr]|tbody|tfoot)$/],
  ['th', /^(?:t[dhr]|tbody|tfoot)$/],
  ['tr', /^(?:tr|tbody|tfoot)$/],
  ['thead', /^(?:tbody|tfoot)$/],
  ['tbody', /^(?:tbody|tfoot)$/],
  ['option', /^opt(?:ion|group)$/],
  [
    'p',
    /^(?:p|h[1-6]|ul|ol|dl|li|div|table|form|section|article|aside|header|footer|main|nav|figure|hr|pre|blockquote|fieldset|details|menu|address)$/,
  ],
]);
/** Elements that nothing before them is ended from within. */
const ENDS_NOTHING = new Set('ul ol menu dl table select datalist button object svg'.split(' '));
const STATE =
  /^(?:is-|has-|htmx-|ng-(?:dirty|invalid|pristine|touched|untouched|valid)$|(?:active|checked|closed|collapsed|current|disabled|error|expanded|focus|hidden|hide|hover|in|invalid|loading|open|selected|show|visible)$)/;
const GENERATED = /^(?:css-|sc-|jss|emotion-|svelte-|ng-tns-|_ngcontent|_nghost|radix-|headlessui-)/;

/** Yields after each part. */
export function* documentSource(text: string): Generator<void, DocumentSource> {
  const code = new Set<string>();
  const skeleton = new Skeleton();
  const words = new Words();
  const add = (kind: string, piece: string) => {
    if (piece && code.size < MAX_PIECES) code.add(hashOf(`${kind} ${piece}`));
  };
  for (const tag of tagsOf(text)) {
    if (!tag) {
      yield;
      continue;
    }
    if (typeof tag === 'string') {
      words.add(tag);
      continue;
    }
    skeleton.add(tag);
    if (tag.isEnd) continue;
    const { name, attributes } = tag;
    for (const each of attributeTexts(tag)) words.add(each);
    const names = [...attributes.keys()];
    const isCode = !attributes.has('src') && CODE_TYPE.test(attributes.get('type')?.trim() ?? '');
    if (name === 'script' && isCode) add(name, yield* codeOf(tag.text));
    if (name === 'style' && !names.some((each) => MADE_STYLE.test(each))) add(name, styleOf(tag.text));
    for (const each of names) {
      if (!HANDLER.test(each)) continue;
      // In brackets: that it hands data over is all that many a handler does.
      const own = withoutEntities(attributes.get(each) ?? '').trim();
      if (own) add(each, yield* codeOf(`{${own}}`));
    }
  }
  return {
    code: [...code].sort().slice(0, MAX_TOLD),
    kinds: skeleton.sample(),
    skeleton: skeleton.hash(),
    words: words.hash(),
  };
}

/** A style sheet without comments and spaces, and without what is made up in its selectors; a colour is not. */
const styleOf = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/[^{}]+\{?/g, (part) => (part.endsWith('{') ? withoutMadeUp(part, '#') : part))
    .replace(/\s+/g, ' ')
    .trim();

/** What is said, as one hash; how it is spaced and broken into lines is no difference. */
class Words {
  private readonly all = new TextHash();
  private isEmpty = true;

  add(text: string): void {
    if (!HAS_LETTERS.test(text)) return;
    this.isEmpty = false;
    for (const word of text.split(/\s+/)) {
      for (let at = 0; at < word.length; at++) this.all.add(word.charCodeAt(at));
      this.all.add(SPACE);
    }
    this.all.add(END);
  }

  hash(): string | null {
    return this.isEmpty ? null : this.all.value;
  }
}

/** Which kinds of elements there are, in which kinds: neither how many, nor what they say. */
class Skeleton {
  private readonly kinds = new Set<string>();
  private readonly open: { name: string; kind: string; isDrawing: boolean }[] = [];

  add({ name, isEnd, isClosed, attributes }: Tag): void {
    if (isEnd) {
      this.end(name);
      return;
    }
    if (NO_KIND.has(name)) return;
    this.endWhatEndsBy(name);
    const parent = this.open.at(-1);
    // What an icon or a chart is drawn with is data.
    const isDrawing = parent?.isDrawing ?? false;
    const kind = [name, ...classesOf(attributes.get('class') ?? '')].join('.');
    if (!isDrawing && this.kinds.size < MAX_KINDS) this.kinds.add(`${parent?.kind ?? ''}>${kind}`);
    const isOwn = isDrawing || name === 'svg';
    const isOpen = !VOID.has(name) && !(isClosed && isOwn);
    if (isOpen && this.open.length < MAX_DEPTH) this.open.push({ name, kind, isDrawing: isOwn });
  }

  hash(): string | null {
    return this.kinds.size > 0 ? hashOf([...this.kinds].sort().join('\n')) : null;
  }

  sample(): string[] {
    return [...this.kinds]
      .map((kind) => hashOf(kind).slice(-SHORT))
      .sort()
      .slice(0, MAX_SAMPLE);
  }

  /** What is open in it ends with it; an end of what is not open says nothing. */
  private end(name: string): void {
    const at = this.open.findLastIndex((each) => each.name === name);
    if (at >= 0) this.open.length = at;
  }

  private endWhatEndsBy(name: string): void {
    for (let at = this.open.length - 1; at >= 0; at--) {
      const open = this.open[at]?.name ?? '';
      if (ENDS_NOTHING.has(open)) return;
      if (ENDS.get(open)?.test(name)) this.open.length = at;
    }
  }
}

/** Those that a person chose and that are no state, without numbers, which come from the data. */
function classesOf(list: string): string[] {
  const names = list.split(/\s+/).filter((name) => name && !GENERATED.test(name) && !STATE.test(name));
  const isMadeUp = (name: string) => /\d[a-z]+\d|[a-z]\d+[a-z]/i.test(name);
  return [
    ...new Set(names.filter((name) => !isMadeUp(name)).map((name) => name.replace(/\d+/g, '#'))),
  ].sort();
}
