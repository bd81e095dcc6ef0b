/**
 * Work in slices: the main thread is given back before a slice lasts too long. A slice begins right after a frame was drawn,
 * when layout is up to date: measuring then costs no layout of its own. Knows nothing of the work.
 */
import { record } from './timeline';

/** A slice ends when it has lasted this long, milliseconds. What it is still doing then comes on top: 8 ms are the limit. */
const SLICE_MS = 4;
/** A page that is not drawn has no frames to wait for. */
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
    this.end();
    await afterFrame();
    this.signal?.throwIfAborted();
    this.began = performance.now();
  }

  /** The work is done. */
  end(): void {
    record('slice', this.began);
  }
}

/** Resolves in a task of its own right after the next frame was drawn. */
function afterFrame(): Promise<void> {
  return new Promise((resolve) => {
    let frame = 0;
    const next = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        channel.port1.close();
        resolve();
      };
      channel.port2.postMessage(null);
    };
    const timer = setTimeout(next, document.visibilityState === 'visible' ? FRAME_MS : 0);
    frame = requestAnimationFrame(next);
  });
}
