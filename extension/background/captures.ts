/**
 * Captured pages on their way in: a content script sends a page in pieces, so that none of them holds it up. Kept in
 * memory until it is asked about; a background that was stopped in between asks for another one. A tab may send several
 * at a time: a person comments while the page is looked at again.
 */
import type { CapturePiece, SentCapture } from '../state/capture';
import { joinPieces } from '../state/pieces';
import type { PackedCapture } from './core';

/** As much as the core takes, in UTF-16 units. */
export const MOST_CAPTURE = 96 * 1024 * 1024;
/**
 * On their way from one tab: for a look, for the element just picked, and for one picked before that nobody waits for.
 */
const MOST_AT_ONCE = 3;

/** What a page sent is not here: the background was stopped in between. */
export class CaptureLost extends Error {}

interface Coming {
  pieces: Map<number, CapturePiece>;
  size: number;
}

function lengthOf({ strings, nodes, attributes, drawings }: CapturePiece): number {
  return strings.length + nodes.length + attributes.length + drawings.length;
}

export class Captures {
  /** By tab, then by the capture's id; the oldest comes first. */
  #coming = new Map<number, Map<string, Coming>>();

  /** Throws an Error with a sentence when the page is too large. */
  keep(tabId: number, id: string, at: number, piece: CapturePiece): void {
    const ofTab = this.#coming.get(tabId) ?? new Map<string, Coming>();
    this.#coming.set(tabId, ofTab);
    const coming = ofTab.get(id) ?? { pieces: new Map(), size: 0 };
    ofTab.set(id, coming);
    const [oldest] = ofTab.keys();
    if (ofTab.size > MOST_AT_ONCE && oldest !== undefined) ofTab.delete(oldest);
    coming.size += lengthOf(piece);
    if (coming.size > MOST_CAPTURE) {
      ofTab.delete(id);
      throw new Error('This page is too large. Comment on a smaller one.');
    }
    coming.pieces.set(at, piece);
  }

  /**
   * The capture, put together. Throws `CaptureLost` when a piece is missing, and an Error with a sentence when one
   * is damaged.
   */
  take(tabId: number, sent: SentCapture): PackedCapture {
    const coming = this.#coming.get(tabId)?.get(sent.id);
    const pieces = Array.from({ length: sent.pieces }, (_, at) => coming?.pieces.get(at));
    const whole = pieces.filter((piece) => piece !== undefined);
    if (!coming || whole.length < sent.pieces) {
      throw new CaptureLost('The page did not arrive whole. Try again.');
    }
    this.#coming.get(tabId)?.delete(sent.id);
    const { version, url, title, viewport } = sent;
    try {
      return { version, url, title, viewport, ...joinPieces(whole) };
    } catch {
      throw new Error('The page arrived damaged. Reload it.');
    }
  }

  /** The tab is gone, or its page is a new one. */
  forget(tabId: number): void {
    this.#coming.delete(tabId);
  }
}
