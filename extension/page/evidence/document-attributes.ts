/**
 * What the attributes of a document's elements say, as far as it may be source or data like its words: names,
 * addresses, kinds of fields. Neither states, nor what is made up for one load. Pure.
 */
import type { Tag } from './html-tags';
import { withoutMadeUp } from './made-up-names';

/** These say something to a person: their numbers are words as well. */
const SAID =
  /^(?:title|alt|label|placeholder|summary|aria-(?:label|description|roledescription|placeholder|valuetext))$/;
/** These lead somewhere, or say what is shown. */
const LEADS = /^(?:href|xlink:href|src|srcset|action|formaction|poster|data|cite|ping|srcdoc)$/;
/** Kinds of elements and code are told by themselves; states, looks and tokens say nothing. */
const SAYS_NOTHING =
  /^(?:class|style|nonce|integrity|crossorigin|on[a-z]+|tabindex|datetime|hidden|inert|open|checked|selected|disabled|readonly|autofocus|aria-(?:activedescendant|busy|checked|controls|current|describedby|disabled|expanded|hidden|invalid|labelledby|owns|pressed|selected|sort|valuenow)|data-(?:state|headlessui-state|reactid|reactroot|server-rendered|source.*|loc|component-file|insp-path|tsd-source|sentry-.*|v-.*|astro-.*|inspector-.*|locator.*|styled.*|emotion.*|lp.*|1p.*|dashlane.*|gramm.*|bw.*)|_ng.*)$|^(?:signed|signature)|csrf|nonce|token|session|time/;
/** What the head holds, and the document itself. */
const NO_ELEMENT = new Set('html head body title meta link style script base noscript'.split(' '));
/** What an icon or a chart is drawn with is data. */
const DRAWN = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan defs use stop lineargradient radialgradient clippath mask pattern marker symbol filter'.split(
    ' ',
  ),
);
/** Kinds of fields whose value the template says; of others it is what was entered, or a token. */
const SAYS_VALUE = new Set(['submit', 'button', 'reset', 'image', 'checkbox', 'radio']);
/**
 * What a server or a build tool puts into an address for one load: tokens, signatures, and times or versions, which
 * have a digit.
 */
const VOLATILE =
  /([?&;])(?:(?:_|hash|cachebust|utm_\w+|gclid|fbclid|sid|sig|policy|[\w-]*(?:csrf|token|session|nonce|signature|credential|key-?pair)[\w-]*|x-(?:amz|goog|ms|oss|cos)-[\w-]+)=|(?:t|v|ts|time|timestamp|ver|version|expires?|exp|s[etv])=(?=[^&;#\s,]*\d))[^&;#\s,]*/gi;
const DATA_ADDRESS = /^\s*data:/i;
/** Numbers that a template says: what may be entered, and over how much a cell goes. Others count rows and measure. */
const SAYS_NUMBER = /^(?:min|max|step|minlength|maxlength|colspan|rowspan|size|pattern)$/;
/** Data of a script. */
const STRUCTURED = /^\s*[[{]/;

/** One text for each of them, in their order. */
export function attributeTexts({ name: tag, attributes }: Tag): string[] {
  const texts: string[] = [];
  if (NO_ELEMENT.has(tag)) return texts;
  for (const [name, value] of attributes) {
    const text = textOf(tag, name, value, attributes);
    if (text !== '') texts.push(text);
  }
  return texts;
}

function textOf(tag: string, name: string, value: string, all: Tag['attributes']): string {
  if (SAID.test(name)) return value;
  if (LEADS.test(name)) return `${name}=${addressOf(value)}`;
  if (DRAWN.has(tag) || SAYS_NOTHING.test(name) || STRUCTURED.test(value)) return '';
  if (name === 'value' && tag === 'input' && !SAYS_VALUE.has((all.get('type') ?? '').trim().toLowerCase()))
    return '';
  // What a button says is written on it.
  if (name === 'value') return /\p{L}/u.test(value) ? `${name}=${value}` : '';
  if (SAYS_NUMBER.test(name)) return `${name}=${value}`;
  return withoutNumbers(value === '' ? name : `${name}=${value}`);
}

const addressOf = (value: string) =>
  DATA_ADDRESS.test(value) ? value : withoutMadeUp(value.replace(VOLATILE, '$1'), '#');

const withoutNumbers = (text: string) => withoutMadeUp(text, '#').replace(/\d+/g, '#');
