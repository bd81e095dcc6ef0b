/**
 * The page's part in a picture of it. The background asks twice: before the picture, when our own parts leave and everything
 * that must not be seen is looked for, and after it, when the same is looked for again and our parts come back. A picture is good
 * only if both say the same; nothing here depends on how long the background takes.
 */
import { mayCopyBackdrop } from '../capture/backdrop';
import { isInTransition } from '../capture/drawing';
import { boxesOf, findSecrets, inView } from '../capture/secrets';
import type { PictureFrame } from '../messages';
import type { Root } from './root';

/** A background that ended in the middle asks no second time: our parts come back after this long, milliseconds, and the picture is void. */
const MAX_HIDDEN_MS = 10_000;
/** A page that draws nothing for so long, milliseconds, is not seen: a picture would show another one. */
const MAX_FRAME_MS = 3_000;
/**
 * How long a page is looked through for what draws it twice, milliseconds, before a picture and after it: one that could not be
 * judged in time before is not taken at all, so that there is more time after it.
 */
const BEFORE_MS = 1_000;
const AFTER_MS = 2_000;
/**
 * Frames until what was changed is what the browser shows: the first draws it, the second begins when that is handed over,
 * the third when it has taken the place of what was shown before.
 */
const FRAMES = 3;

export interface PictureOf {
  elements: readonly Element[];
  /** Whether the person wants pages of other sites to be seen in it. */
  showsEmbedded: boolean;
}

export class Pictures {
  /** What may be taken a picture of, by the id of what it is for. */
  readonly #wanted = new Map<string, PictureOf>();
  #running: { id: string; before: PictureFrame; end: () => void } | null = null;

  constructor(
    private readonly root: Pick<Root, 'hide' | 'isHidden'>,
    signal: AbortSignal,
  ) {
    // The background may be asked for a page that the person has left.
    window.addEventListener('pagehide', (event) => event.isTrusted && this.#running?.end(), { signal });
    signal.addEventListener('abort', () => this.#running?.end());
  }

  /** The background may ask for a picture under this id while `work` runs. */
  async during<T>(id: string, of: PictureOf, work: () => Promise<T>): Promise<T> {
    this.#wanted.set(id, of);
    try {
      return await work();
    } finally {
      this.#wanted.delete(id);
      if (this.#running?.id === id) this.#running.end();
    }
  }

  /** Takes our parts away and says what is to be seen; null: no picture. */
  async begin(id: string): Promise<PictureFrame | null> {
    this.#running?.end();
    const wanted = this.#wanted.get(id);
    if (!wanted) return null;
    this.root.hide(true);
    // Another one, or the end, may come meanwhile.
    const isOn = () => this.#running === null && this.#wanted.has(id);
    const before = (await nextFrames()) && isOn() ? await frameOf(wanted, BEFORE_MS) : null;
    if (!before || !isOn()) {
      if (this.#running === null) this.root.hide(false);
      return null;
    }
    const end = () => {
      clearTimeout(timer);
      this.#running = null;
      this.root.hide(false);
    };
    const timer = setTimeout(end, MAX_HIDDEN_MS);
    this.#running = { id, before, end };
    return before;
  }

  /** Brings our parts back. What is to be seen, as `begin` said, if it held all the time; null: the picture is void. */
  async finish(id: string): Promise<PictureFrame | null> {
    const running = this.#running;
    const wanted = this.#wanted.get(id);
    if (running?.id !== id || !wanted) return null;
    const held = this.root.isHidden() && isSame(running.before, await frameOf(wanted, AFTER_MS));
    const isOn = this.#running === running;
    if (isOn) running.end();
    return held && isOn ? running.before : null;
  }
}

/** What is in view now; null when pictures do not show the page as it is measured, or what must not be seen is in them twice. */
async function frameOf({ elements, showsEmbedded }: PictureOf, within: number): Promise<PictureFrame | null> {
  // A page that a person enlarged with two fingers is drawn elsewhere than it says.
  if (Math.abs((window.visualViewport?.scale ?? 1) - 1) > 0.01) return null;
  const { fields, embedded, roots } = findSecrets();
  // A transition shows pictures of the page as it was, wherever it likes.
  if (roots.some(isInTransition)) return null;
  const hidden = showsEmbedded ? fields : [...fields, ...embedded];
  const mask = boxesOf(hidden);
  if (!mask) return null;
  const boxes = elements.flatMap((element) => inView(element) ?? []);
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const frame = {
    ...(boxes.length > 0 ? { crop: { x: left, y: top, width: right - left, height: bottom - top } } : {}),
    mask,
    viewport: { width: innerWidth, height: innerHeight },
    devicePixelRatio,
  };
  // Last, because it takes its time. What is not in view is not below anything that is: most forms have fields that are never drawn.
  return mask.length > 0 && (await mayCopyBackdrop(within)) ? null : frame;
}

/** What is cut out may move meanwhile; what is painted over may not. */
function isSame(before: PictureFrame, after: PictureFrame | null): boolean {
  const { crop: _before, ...known } = before;
  const { crop: _after, ...seen } = after ?? before;
  return after !== null && JSON.stringify(known) === JSON.stringify(seen);
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
