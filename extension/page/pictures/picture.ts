/**
 * The page's part in a picture of it. The background asks twice: before the picture, when the page is searched for what
 * draws it twice, our own parts leave, and everything that must not be seen is measured; and after it, when it is
 * measured again, our parts come back, and the page is searched again. A picture is good only if both say the same;
 * nothing here depends on how long the background takes.
 */
import { mayCopy } from '../../capture/backdrop';
import { isInTransition } from '../../capture/drawing';
import { boxesOf, findSecrets, inView } from '../../capture/secrets';
import type { PictureFrame } from '../../state/picture';
import type { Root } from '../host/root';

/**
 * A background that ended in the middle asks no second time: our parts come back after this long, milliseconds, and the
 * picture is void.
 */
const MAX_HIDDEN_MS = 10_000;
/** A page that draws nothing for so long, milliseconds, is not seen: a picture would show another one. */
const MAX_FRAME_MS = 3_000;
/**
 * How long a page is looked through for what draws it twice, milliseconds, before a picture and after it: one that
 * could not be judged in time before is not taken at all, so that there is more time after it.
 */
const BEFORE_MS = 1_000;
const AFTER_MS = 2_000;
/**
 * Frames until what was changed is what the browser shows: the first draws it, the second begins when that is handed
 * over, the third when it has taken the place of what was shown before.
 */
const FRAMES = 3;

export interface PictureOf {
  elements: readonly Element[];
  /** Whether the person wants pages of other sites to be seen in it. */
  showsEmbedded: boolean;
}

/** One that is under way. */
interface Picture {
  readonly id: string;
  /** Whether the page was searched for what draws it twice. */
  isSearched: boolean;
  /** What the page said before it; null: not yet. */
  before: PictureFrame | null;
  /** Runs while ours is hidden. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Pictures {
  /** What may be taken a picture of, by the id of what it is for. */
  readonly #wanted = new Map<string, PictureOf>();
  #current: Picture | null = null;

  constructor(
    private readonly root: Pick<Root, 'hide' | 'isHidden'>,
    signal: AbortSignal,
  ) {
    // The background may be asked for a page that the person has left.
    window.addEventListener('pagehide', (event) => event.isTrusted && this.#end(), { signal });
    signal.addEventListener('abort', () => this.#end());
  }

  /** The background may ask for a picture under this id while `work` runs. */
  async during<T>(id: string, of: PictureOf, work: () => Promise<T>): Promise<T> {
    this.#wanted.set(id, of);
    try {
      return await work();
    } finally {
      this.#wanted.delete(id);
      if (this.#current?.id === id) this.#end();
    }
  }

  /** Searches the page, takes our parts away and says what is to be seen; null: no picture. */
  async begin(id: string): Promise<PictureFrame | null> {
    this.#end();
    const wanted = this.#wanted.get(id);
    if (!wanted) return null;
    const picture: Picture = { id, isSearched: false, before: null, timer: undefined };
    this.#current = picture;
    // Another one, or the end, may come meanwhile.
    const isOn = () => this.#current === picture;
    const none = () => {
      if (isOn()) this.#end();
      return null;
    };
    // The search takes its time, in which the page goes on: only then is it measured, and only then is ours hidden.
    const first = measure(wanted);
    picture.isSearched = hasSecrets(first);
    if (!first || (picture.isSearched && (await mayCopy(BEFORE_MS)))) return none();
    if (!isOn()) return null;
    this.root.hide(true);
    picture.timer = setTimeout(none, MAX_HIDDEN_MS);
    if (!(await nextFrames())) return none();
    if (!isOn()) return null;
    try {
      picture.before = measure(wanted);
      return picture.before;
    } finally {
      // Also when the page cannot be measured.
      if (!picture.before) this.#end();
    }
  }

  /**
   * Brings our parts back. What was to be seen, as `begin` said, if it held all the time; null: the picture is void.
   * What is cut out may have moved: there is room for where it was before and for where it is now.
   */
  async finish(id: string): Promise<PictureFrame | null> {
    const picture = this.#current;
    const wanted = this.#wanted.get(id);
    if (picture?.id !== id || !wanted) return null;
    const after = this.#measureAtEnd(picture, wanted);
    const held = picture.before && after ? both(picture.before, after) : null;
    if (!held) return null;
    // What came when the page had been searched is searched with the next picture.
    if (hasSecrets(held) && (!picture.isSearched || (await mayCopy(AFTER_MS)))) return null;
    return this.#wanted.get(id) === wanted ? held : null;
  }

  #measureAtEnd(picture: Picture, wanted: PictureOf): PictureFrame | null {
    try {
      return picture.before && this.root.isHidden() ? measure(wanted) : null;
    } finally {
      // Also when the page cannot be measured.
      this.#end();
    }
  }

  #end(): void {
    const ended = this.#current;
    this.#current = null;
    if (ended?.timer === undefined) return;
    clearTimeout(ended.timer);
    this.root.hide(false);
  }
}

/**
 * What is in view now, all of one moment; null when pictures do not show the page as it is measured, or what must not
 * be seen may be drawn anywhere.
 */
function measure({ elements, showsEmbedded }: PictureOf): PictureFrame | null {
  // A page that a person enlarged with two fingers is drawn elsewhere than it says.
  if (Math.abs((window.visualViewport?.scale ?? 1) - 1) > 0.01) return null;
  const { fields, embedded, roots } = findSecrets();
  // A transition shows pictures of the page as it was, wherever it likes.
  if (roots.some(isInTransition)) return null;
  const hidden = showsEmbedded ? fields : [...fields, ...embedded];
  const mask = boxesOf(hidden);
  if (!mask) return null;
  const crop = around(elements.flatMap((element) => inView(element) ?? []));
  return {
    ...(crop ? { crop } : {}),
    mask,
    viewport: { width: innerWidth, height: innerHeight },
    devicePixelRatio,
  };
}

/**
 * What is not in view is not below anything that is: most forms have fields that are never drawn, and cost no search.
 */
function hasSecrets(frame: PictureFrame | null): boolean {
  return frame !== null && frame.mask.length > 0;
}

/** Null when what is painted over moved, or what is cut out came into view or left it. */
function both(before: PictureFrame, after: PictureFrame): PictureFrame | null {
  const { crop: left, ...known } = before;
  const { crop: right, ...seen } = after;
  if (JSON.stringify(known) !== JSON.stringify(seen)) return null;
  if (!left && !right) return before;
  const crop = left && right ? around([DOMRect.fromRect(left), DOMRect.fromRect(right)]) : null;
  return crop && { ...before, crop };
}

/** The smallest rectangle that holds them all; null: there are none. */
function around(boxes: readonly DOMRect[]): DOMRectInit | null {
  if (boxes.length === 0) return null;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** False when the page is not drawn. */
function nextFrames(): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      cancelAnimationFrame(frame);
      resolve(false);
    }, MAX_FRAME_MS);
    let left = FRAMES;
    const next = () => {
      left -= 1;
      if (left > 0) {
        frame = requestAnimationFrame(next);
        return;
      }
      clearTimeout(timer);
      resolve(true);
    };
    let frame = requestAnimationFrame(next);
  });
}
