/** A captured page on its way to the background. */

export type { CapturePiece } from './pieces';

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
