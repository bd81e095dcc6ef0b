/**
 * The tags of an HTML text and what stands between them, without making a document of it: a long one is taken in parts.
 * Pure.
 */

export interface Tag {
  /** In small letters. */
  name: string;
  isEnd: boolean;
  /** Ends in itself, where that says something: in drawings. */
  isClosed: boolean;
  /** Names in small letters; the first of those that are there twice. */
  attributes: ReadonlyMap<string, string>;
  /** What stands in an element whose content is no markup, as a script; empty for others. */
  text: string;
}

/** Characters that are taken at one time. */
const PART = 16 * 1024;
/** Attributes of one tag. */
const MAX_ATTRIBUTES = 100;
const NO_MARKUP = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);
const NAME = /<(\/?)([a-z][^\s/>]*)/iy;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const END = /[\s/]*>?/y;
const ENTITIES: Record<string, string> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };

/**
 * Each tag, and as a string each text between tags that is not blank, as it is written; null after each part. Of an
 * element whose content is no markup the end is not given.
 */
export function* tagsOf(text: string): Generator<Tag | string | null, void> {
  let part = PART;
  let at = 0;
  for (;;) {
    const next = text.indexOf('<', at);
    const between = text.slice(at, next < 0 ? text.length : next).trim();
    if (between) yield between;
    if (next < 0) return;
    at = next;
    if (at >= part) {
      part = at + PART;
      yield null;
    }
    NAME.lastIndex = at;
    const [, slash = '', written = ''] = NAME.exec(text) ?? [];
    if (!written) {
      at = behindNoTag(text, at);
      continue;
    }
    const name = written.toLowerCase();
    at = NAME.lastIndex;
    const attributes = new Map<string, string>();
    for (;;) {
      ATTRIBUTE.lastIndex = at;
      const [all = '', attribute = '', ...values] = ATTRIBUTE.exec(text) ?? [];
      if (!all) break;
      at += all.length;
      const key = attribute.toLowerCase();
      if (attributes.size < MAX_ATTRIBUTES && !attributes.has(key))
        attributes.set(key, values.find((value) => value !== undefined) ?? '');
    }
    END.lastIndex = at;
    const [end = ''] = END.exec(text) ?? [];
    at += end.length;
    let content = '';
    if (!slash && NO_MARKUP.has(name)) {
      const until = endOf(name, text, at);
      content = text.slice(at, until);
      at = behind('>', text, until);
    }
    yield { name, isEnd: slash !== '', isClosed: end.includes('/'), attributes, text: content };
  }
}

/** Behind a comment, a doctype, or a sign that begins nothing. */
function behindNoTag(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return behind('-->', text, at + 2);
  return /[!?/]/.test(text[at + 1] ?? '') ? behind('>', text, at) : at + 1;
}

/** The end of the text where it comes no more. */
function behind(sign: string, text: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at + sign.length;
}

/** Where the end tag begins; the end of the text where there is none. */
function endOf(name: string, text: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** As a browser reads an attribute, of the few entities that code is written with. */
export function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(quot|apos|amp|lt|gt));/gi, (all, ten, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? all;
    const code = ten ? Number(ten) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
