/**
 * Whether a pin that is to stand elsewhere glides there: it does when its element jumped, and never while it is carried
 * along by scrolling or by an animation of the page, where it would lag behind. Pure; moments are milliseconds.
 */

/** As long as a glide takes; the design's limit is 150. */
export const GLIDE_MS = 120;
/** A step this small needs no glide, CSS pixels. */
const SMALL = 6;
/** Within this of the last scrolling the page is being scrolled. */
const SCROLLING_MS = 120;
/** Moves that follow one another faster than this are one movement. */
const CARRIED_MS = 80;

export interface Move {
  dx: number;
  dy: number;
  now: number;
  /** When the page was last scrolled or resized. */
  scrolledAt: number;
  /** When this pin last moved. */
  movedAt: number;
  /** The person wants no motion. */
  calm: boolean;
}

export function glides({ dx, dy, now, scrolledAt, movedAt, calm }: Move): boolean {
  if (calm || Math.hypot(dx, dy) < SMALL) return false;
  return now - scrolledAt > SCROLLING_MS && now - movedAt > CARRIED_MS;
}
