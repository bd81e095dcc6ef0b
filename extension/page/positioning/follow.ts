/**
 * Tells when something on the page may have moved: scrolling of any scroller, layout, resizing, transitions. The frame
 * loop runs only while something does move. Knows nothing of what follows.
 */
import { nodeTypeOf, viewOf } from '../../capture/dom';
import { documentsOf, rootsOf } from '../../capture/tree';

/** Frames without movement after which the loop rests. */
const STILL_FRAMES = 4;

/** Called once a frame while things may move; returns whether anything did. */
export type Step = () => boolean;

export class Follow {
  private readonly steps = new Set<Step>();
  private readonly watched = new WeakMap<
    Element,
    { times: number; roots: readonly (Document | ShadowRoot)[] }
  >();
  private readonly listened = new WeakMap<Document | ShadowRoot, { times: number; end: AbortController }>();
  private readonly sizes: ResizeObserver;
  private readonly ends = new Set<AbortController>();
  private frame = 0;
  private still = 0;
  private busyUntil = 0;
  /** When something was last scrolled, or the window resized. */
  scrolledAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly signal: AbortSignal) {
    this.sizes = new ResizeObserver(() => this.wake());
    this.sizes.observe(document.documentElement);
    if (document.body) this.sizes.observe(document.body);
    window.addEventListener('resize', this.carried, { signal, passive: true });
    window.visualViewport?.addEventListener('resize', this.carried, { signal, passive: true });
    window.visualViewport?.addEventListener('scroll', this.carried, { signal, passive: true });
    for (const each of documentsOf(document)) this.listen(each);
    signal.addEventListener('abort', () => {
      this.sizes.disconnect();
      for (const end of this.ends) end.abort();
      cancelAnimationFrame(this.frame);
    });
  }

  /** Calls `step` whenever things may have moved, until the signal ends. */
  each(step: Step, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.steps.add(step);
    signal.addEventListener('abort', () => this.steps.delete(step));
    this.wake();
  }

  /**
   * Watches what can move this element: its size, and scrollers in its shadow roots and frames. As often let go as
   * asked for.
   */
  watch(element: Element): void {
    const known = this.watched.get(element);
    if (known) {
      known.times += 1;
      return;
    }
    const roots = rootsOf(element);
    this.watched.set(element, { times: 1, roots });
    for (const root of roots) this.listen(root);
    this.sizes.observe(element);
  }

  unwatch(element: Element): void {
    const known = this.watched.get(element);
    if (!known) return;
    known.times -= 1;
    if (known.times > 0) return;
    this.watched.delete(element);
    this.sizes.unobserve(element);
    for (const root of known.roots) this.unlisten(root);
  }

  readonly wake = (): void => {
    this.still = 0;
    if (this.frame === 0 && !this.signal.aborted && this.steps.size > 0) {
      this.frame = requestAnimationFrame(this.tick);
    }
  };

  private readonly carried = (): void => {
    this.scrolledAt = performance.now();
    this.wake();
  };

  private readonly tick = (now: number): void => {
    this.frame = 0;
    let moved = false;
    for (const step of this.steps) {
      try {
        moved = step() || moved;
      } catch (error) {
        // One follower's failure must not stop the others.
        this.steps.delete(step);
        console.warn('opentoolbar: a part stopped following the page', error);
      }
    }
    this.still = moved || now < this.busyUntil ? 0 : this.still + 1;
    if (this.still < STILL_FRAMES && !this.signal.aborted) this.frame = requestAnimationFrame(this.tick);
  };

  private listen(root: Document | ShadowRoot): void {
    const known = this.listened.get(root);
    if (known) {
      known.times += 1;
      return;
    }
    const end = new AbortController();
    this.listened.set(root, { times: 1, end });
    // One signal for all roots would hold every root that was ever watched.
    this.ends.add(end);
    const options = { capture: true, passive: true, signal: end.signal };
    root.addEventListener('scroll', this.carried, options);
    for (const type of ['load', 'toggle', 'transitionend', 'animationend']) {
      root.addEventListener(type, this.wake, options);
    }
    // Something moves without telling again until it ends: keep looking, but not for an endless animation.
    const moving = () => {
      this.busyUntil = performance.now() + 1_500;
      this.wake();
    };
    for (const type of ['transitionrun', 'animationstart']) root.addEventListener(type, moving, options);
    if (nodeTypeOf(root) === 9) {
      viewOf(root as Document)?.addEventListener('resize', this.wake, {
        passive: true,
        signal: end.signal,
      });
    }
  }

  private unlisten(root: Document | ShadowRoot): void {
    const known = this.listened.get(root);
    if (!known) return;
    known.times -= 1;
    if (known.times > 0) return;
    this.listened.delete(root);
    this.ends.delete(known.end);
    known.end.abort();
  }
}
