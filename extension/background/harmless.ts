/**
 * Words of strangers on which a person decides: nothing in them may hide, or turn round, what they say. The same rule
 * as the core's `prompt/untrusted.rs`, by which agents and terminals are told.
 */
import { UNSEEN } from '../capture/redaction/fold';

const DECEIVING = new RegExp(`${UNSEEN.source}|(?![\\t\\n])\\p{Cc}|[\\u2028\\u2029]`, 'gu');
const EMOJI = /[\u203c-\u3299\u{1f000}-\u{1faff}]/u;
/** Letters of the scripts that are written with joiners. */
const JOINED = /[\u0620-\u0dff]/;

/** The text with every deceiving character written out as `⟨U+202E⟩`; lines stay. */
export function harmless(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(DECEIVING, (sign, at: number, whole: string) => {
    if (belongs([...whole.slice(Math.max(0, at - 2), at)].at(-1), sign, [...whole.slice(at + 1, at + 3)][0]))
      return sign;
    return `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** One line of it, with at most so many characters: for places that have no room, and for the system's notes. */
export function harmlessLine(text: string, most: number): string {
  const line = [...harmless(text).replace(/\s+/g, ' ').trim()];
  return line.length > most ? `${line.slice(0, most - 1).join('')}…` : line.join('');
}

/** A selector or joiner within an emoji, or a joiner between letters: what stands on both sides is seen. */
function belongs(before = '', sign: string, after = ''): boolean {
  if (sign === '\ufe0f') return EMOJI.test(before);
  if (sign === '\u200d' && EMOJI.test(after)) return EMOJI.test(before) || before === '\ufe0f';
  return (sign === '\u200c' || sign === '\u200d') && JOINED.test(before) && JOINED.test(after);
}
