/** What our pieces of work took, in the page's timeline: test builds alone leave it there, for tests and benches to read. */

/**
 * `slice`: of work that is cut in slices. `capture`: a whole capture, with the page's own work in between. `frame`: following
 * what moves, once a frame. `mutations`: hearing what the page changed. `search`: a slice of the search for what draws the page twice.
 */
export type Piece = 'slice' | 'capture' | 'frame' | 'mutations' | 'search';

/** Milliseconds. An entry of the timeline costs something itself; what is shorter is not worth it. */
const SHORTEST = 0.5;

/** A piece of work ends that began at `began`, of `performance.now()`. */
export function record(piece: Piece, began: number): void {
  if (!__TEST_BUILD__ || performance.now() - began < SHORTEST) return;
  performance.measure(`opentoolbar:${piece}`, { start: began });
}
