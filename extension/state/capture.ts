/** A captured page on its way to the background. */

/** A part of a `Capture`: the lists go on where the piece before ended. JSON without the brackets; empty: nothing. */
export interface CapturePiece {
  strings: string;
  nodes: string;
  attributes: string;
  drawings: string;
}

/** A capture that was sent in pieces, and what of it is no list. */
export interface SentCapture {
  /** Chosen by the sender, new for every capture. */
  id: string;
  /** How many pieces there are, numbered from 0. */
  pieces: number;
  version: number;
  url: string;
  title: string;
  viewport: { width: number; height: number };
}
