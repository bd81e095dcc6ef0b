/**
 * Work in slices: the main thread is given back before a slice lasts too long. A slice begins right after a frame was
 * drawn, when layout is up to date: measuring then costs no layout of its own. Knows nothing of the work.
 */

/**
 * A slice ends when it has lasted this long, milliseconds. What it is still doing then comes on top, and what it walked
 * is written down and sent: 8 ms are the limit, a collection of garbage included.
 */
const SLICE_MS = 2;
/** A page that is not drawn for other reasons has no frames to wait for. */
const FRAME_MS = 100;

export class Slices {
  private began = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  /** Whether this slice has lasted long enough. */
  over(): boolean {
    return performance.now() - this.began >= SLICE_MS;
  }

  /** Ends the slice and begins the next one once the page has had its turn. Rejects when the signal has ended. */
  async rest(): Promise<void> {
    await afterFrame();
    this.signal?.throwIfAborted();
    this.began = performance.now();
  }
}

/**
 * Resolves in a task of its own right after the next frame was drawn, before the page's timers can make it lay out
 * again.
 */
function afterFrame(): Promise<void> {
  return new Promise((resolve) => {
    // Hidden pages draw no frames, and their timers are slow.
    if (document.visibilityState !== 'visible') return soon(resolve);
    let frame = 0;
    const next = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      soon(resolve);
    };
    const timer = setTimeout(next, FRAME_MS);
    frame = requestAnimationFrame(next);
  });
}

/** Calls in the next task: ahead of timers where the browser knows of priorities. */
function soon(call: () => void): void {
  const { scheduler } = globalThis as {
    scheduler?: { postTask?: (task: () => void, options: { priority: string }) => Promise<void> };
  };
  if (scheduler?.postTask) {
    scheduler.postTask(call, { priority: 'user-blocking' }).catch(() => {});
    return;
  }
  afterOthers(call);
}

/** Resolves once the page's tasks that wait by now have had their turn, without waiting for a frame. */
export function nextTurn(): Promise<void> {
  return new Promise(afterOthers);
}

function afterOthers(call: () => void): void {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    channel.port1.close();
    call();
  };
  channel.port2.postMessage(null);
}
