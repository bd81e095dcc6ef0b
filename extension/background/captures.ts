/**
 * Captured pages on their way in: a content script sends a page in pieces, so that none of them holds it up. One page a tab at
 * a time, kept in memory until it is asked about; a background that was stopped in between asks for another one.
 */
import type { CapturePiece, SentCapture } from '../messages';

/** As much as the core takes, in UTF-16 units. */
const MOST = 96 * 1024 * 1024;

interface Coming {
  id: string;
  pieces: Map<number, CapturePiece>;
  size: number;
}

export class Captures {
  #coming = new Map<number, Coming>();

  /** Throws an Error with a sentence when the page is too large. */
  keep(tabId: number, id: string, at: number, piece: CapturePiece): void {
    let coming = this.#coming.get(tabId);
    if (coming?.id !== id) {
      coming = { id, pieces: new Map(), size: 0 };
      this.#coming.set(tabId, coming);
    }
    coming.size += piece.strings.length + piece.nodes.length + piece.attributes.length;
    if (coming.size > MOST) {
      this.forget(tabId);
      throw new Error('This page is too large. Comment on a smaller one.');
    }
    coming.pieces.set(at, piece);
  }

  /** The JSON of a `Capture`, put together. Throws an Error with a sentence when a piece is missing. */
  take(tabId: number, sent: SentCapture): string {
    const coming = this.#coming.get(tabId);
    const pieces = Array.from({ length: sent.pieces }, (_, at) => coming?.pieces.get(at));
    if (coming?.id !== sent.id || pieces.includes(undefined)) {
      throw new Error('The page did not arrive whole. Try again.');
    }
    this.#coming.delete(tabId);
    const list = (of: (piece: CapturePiece) => string) =>
      `[${pieces.flatMap((piece) => (piece && of(piece) ? [of(piece)] : [])).join(',')}]`;
    const { version, url, title, viewport } = sent;
    const head = JSON.stringify({ version, url, title, viewport }).slice(0, -1);
    const lists = [
      `"strings":${list((piece) => piece.strings)}`,
      `"nodes":${list((piece) => piece.nodes)}`,
      `"attributes":${list((piece) => piece.attributes)}`,
    ];
    return `${head},${lists.join(',')}}`;
  }

  /** The tab is gone, or its page is a new one. */
  forget(tabId: number): void {
    this.#coming.delete(tabId);
  }
}
