/** What differs, made readable: which words of a text, which classes, what came and what went. Pure. */
import type { FieldChange } from '../generated/FieldChange';

export interface Piece {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

export interface Difference {
  /** `Text`, `Attribute href`. */
  label: string;
  pieces: Piece[];
}

/** Words of the same on either side of what differs. */
const CONTEXT = 3;
/** Beyond this many words on either side a text is not compared word by word. */
const MOST_WORDS = 400;

export function differenceOf({ field, before, after }: FieldChange): Difference {
  const attribute = field.startsWith('attribute:') ? field.slice('attribute:'.length) : null;
  if (attribute !== null) return { label: `Attribute ${attribute}`, pieces: value(before, after) };
  switch (field) {
    case 'text':
      return {
        label: 'Text',
        pieces:
          before === undefined && after === undefined
            ? [{ kind: 'same', text: 'differs further on' }]
            : words(before ?? '', after ?? ''),
      };
    case 'classes':
      return { label: 'Classes', pieces: sets(before ?? '', after ?? '') };
    case 'tag':
      return {
        label: 'Tag',
        pieces: value(before && `<${before}>`, after && `<${after}>`),
      };
    case 'children':
      return { label: 'Children', pieces: counts(before, after) };
    case 'box':
      return { label: 'Size', pieces: value(size(before), size(after)) };
    default:
      return { label: field.charAt(0).toUpperCase() + field.slice(1), pieces: value(before, after) };
  }
}

/** As a sentence's end, for those who hear it: `removed "blue", added "red"`. */
export function spoken({ label, pieces }: Difference): string {
  const told = pieces.flatMap(({ kind, text }) => (kind === 'same' ? [] : [`${kind} “${text.trim()}”`]));
  return `${label}: ${told.length > 0 ? told.join(', ') : pieces.map(({ text }) => text).join('')}`;
}

function value(before: string | undefined, after: string | undefined): Piece[] {
  const pieces: Piece[] = [];
  if (before !== undefined) pieces.push({ kind: 'removed', text: before || '(empty)' });
  if (after !== undefined) pieces.push({ kind: 'added', text: after || '(empty)' });
  return pieces.length > 0 ? pieces : [{ kind: 'same', text: 'differs' }];
}

function size(box: string | undefined): string | undefined {
  return box === undefined ? undefined : `${box.replace(/\s*x\s*/, ' × ')} px`;
}

function counts(before: string | undefined, after: string | undefined): Piece[] {
  if (before === undefined && after === undefined) {
    return [{ kind: 'same', text: 'as many, of other kinds' }];
  }
  return value(before, after);
}

function sets(before: string, after: string): Piece[] {
  const old = new Set(before.split(/\s+/).filter(Boolean));
  const now = new Set(after.split(/\s+/).filter(Boolean));
  const pieces: Piece[] = [];
  for (const name of old) if (!now.has(name)) pieces.push({ kind: 'removed', text: name });
  for (const name of now) if (!old.has(name)) pieces.push({ kind: 'added', text: name });
  return pieces.length > 0 ? pieces : value(before, after);
}

/**
 * The words that went and came, between those that stayed: a longest common subsequence, shortened where nothing
 * differs.
 */
function words(before: string, after: string): Piece[] {
  const old = before.match(/\s+|\S+/g) ?? [];
  const now = after.match(/\s+|\S+/g) ?? [];
  if (old.length === 0 || now.length === 0 || old.length > MOST_WORDS || now.length > MOST_WORDS) {
    return value(before, after);
  }
  const pieces = joined(common(old, now));
  // Hardly a word in common: the two as a whole are easier to read than scraps.
  const kept = pieces.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.trim().length : 0), 0);
  return kept * 4 < Math.min(before.length, after.length) ? value(before, after) : pieces.map(shortened);
}

function common(old: readonly string[], now: readonly string[]): Piece[] {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const skip = Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
      lengths[i * width + j] = old[i] === now[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : skip;
    }
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]];
    if (was !== undefined && was === is) {
      pieces.push({ kind: 'same', text: was });
      i++;
      j++;
    } else if (
      is === undefined ||
      (was !== undefined && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      pieces.push({ kind: 'removed', text: was ?? '' });
      i++;
    } else {
      pieces.push({ kind: 'added', text: is });
      j++;
    }
  }
  return pieces;
}

/** Runs of one kind as one piece; white space alone between two changes belongs to both. */
function joined(pieces: readonly Piece[]): Piece[] {
  const runs: Piece[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed.trim()) runs.push({ kind: 'removed', text: removed });
    if (added.trim()) runs.push({ kind: 'added', text: added });
    removed = '';
    added = '';
  };
  for (const [at, { kind, text }] of pieces.entries()) {
    const next = pieces[at + 1]?.kind;
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (!text.trim() && (removed || added) && next !== 'same' && next !== undefined) {
      removed += text;
      added += text;
    } else {
      flush();
      const last = runs.at(-1);
      if (last?.kind === 'same') last.text += text;
      else runs.push({ kind: 'same', text });
    }
  }
  flush();
  return runs;
}

function shortened(piece: Piece, at: number, all: readonly Piece[]): Piece {
  if (piece.kind !== 'same') return piece;
  const parts = piece.text.split(/(?<=\s)/);
  const [first, last] = [at === 0, at === all.length - 1];
  if (parts.length <= CONTEXT * (first || last ? 1 : 2) + 1) return piece;
  const head = first ? '' : parts.slice(0, CONTEXT).join('');
  const tail = last ? '' : parts.slice(-CONTEXT).join('');
  return { kind: 'same', text: `${head}… ${tail}` };
}
