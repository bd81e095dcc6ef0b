/**
 * Markdown in blocks, while it still comes: what is finished stays as it is, so that only the last block is drawn
 * again. A block ends at a blank line before text that goes not on with it, and around a fence. Pure.
 */

/**
 * A block of prose longer than this ends at the next line that can begin one, and a longer line at a space: drawing the
 * last block again with every frame must stay cheap.
 */
const LONG = 2_048;

const LIST = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const FENCE = /^( {0,3}|\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})([^\n]*)/;

interface Fence {
  mark: string;
  /** At the margin: a block by itself. Else a part of a list item. */
  isBlock: boolean;
}

/** The opening fence that a line is, if it is one. */
function opening(line: string): Fence | null {
  const [, indent = '', mark = '', info = ''] = FENCE.exec(line) ?? [];
  if (!mark || (mark.startsWith('`') && info.includes('`'))) return null;
  return { mark, isBlock: indent === '' };
}

function closes(line: string, { mark }: Fence): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

export class Blocks {
  /** Those that will not change any more. */
  #finished: string[] = [];
  /** The block that still grows. */
  #open = '';
  /** How much of it was looked at, to the end of a line. */
  #seen = 0;
  #fence: Fence | null = null;
  #isList = false;
  #afterBlank = false;

  /** Everything that came, in blocks. Their concatenation is the text. */
  get all(): readonly string[] {
    return this.#open ? [...this.#finished, this.#open] : this.#finished;
  }

  get length(): number {
    return this.#finished.reduce((sum, { length }) => sum + length, this.#open.length);
  }

  push(text: string): void {
    this.#open += text;
    for (;;) {
      const end = this.#open.indexOf('\n', this.#seen);
      if (!this.#fence && (end < 0 ? this.#open.length : end) - this.#seen > LONG) this.#cut();
      else if (end < 0) return;
      else this.#line(this.#open.slice(this.#seen, end), end + 1);
    }
  }

  /** Ends a block within a line that is longer than any written by hand. */
  #cut(): void {
    if (this.#seen > 0) this.#finish(this.#seen);
    const space = this.#open.lastIndexOf(' ', LONG - 1) + 1;
    const isHalf = /[\uD800-\uDBFF]/.test(this.#open.charAt(LONG - 1));
    this.#finish(space || (isHalf ? LONG - 1 : LONG));
  }

  #line(line: string, end: number): void {
    if (this.#fence) {
      const ended = closes(line, this.#fence);
      this.#seen = end;
      if (!ended) return;
      if (this.#fence.isBlock) this.#finish(end);
      this.#fence = null;
      return;
    }
    if (line.trim() === '') {
      this.#afterBlank = true;
      this.#seen = end;
      return;
    }
    const fence = opening(line);
    const begins = this.#begins(line, fence);
    const length = end - this.#seen;
    if (begins) this.#finish(this.#seen);
    if (this.#seen === 0) this.#isList = LIST.test(line);
    this.#fence = fence;
    this.#afterBlank = false;
    this.#seen += length;
  }

  /** Whether the line begins another block than the open one. */
  #begins(line: string, fence: Fence | null): boolean {
    if (this.#seen === 0) return false;
    if (fence?.isBlock) return true;
    if (/^\s/.test(line)) return false;
    if (this.#isList && LIST.test(line)) return this.#seen > LONG;
    return this.#afterBlank || this.#seen > LONG;
  }

  #finish(at: number): void {
    if (at > 0) this.#finished.push(this.#open.slice(0, at));
    this.#open = this.#open.slice(at);
    this.#seen = 0;
    this.#afterBlank = false;
    this.#isList = false;
  }
}

export function blocksOf(text: string): readonly string[] {
  const blocks = new Blocks();
  blocks.push(text);
  return blocks.all;
}

/** A block that is one fence: its language and what is in it. */
export function codeOf(block: string): { language: string; code: string } | null {
  const [, indent, mark = '', info = ''] = FENCE.exec(block) ?? [];
  if (indent !== '' || !mark || (mark.startsWith('`') && info.includes('`'))) return null;
  const start = block.indexOf('\n') + 1;
  if (start === 0) return { language: info.trim(), code: '' };
  const text = block.slice(start);
  const end = text.replace(/\n$/, '').lastIndexOf('\n') + 1;
  const isEnded = closes(text.slice(end), { mark, isBlock: true });
  return { language: info.trim().split(/\s/)[0] ?? '', code: isEnded ? text.slice(0, end) : text };
}
