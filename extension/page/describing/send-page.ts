/**
 * Captures the page and sends it to the background, piece by piece as it is walked, so that no piece holds up the page.
 */
import { capturePage } from '../../capture/capture';
import { newId } from '../../new-id';
import type { SentCapture } from '../../state/capture';
import { pieceOf } from '../../state/pieces';
import { ask } from '../messaging/link';

export interface SentPage {
  /** What a question names the capture by. */
  capture: SentCapture;
  /** Live nodes by index. Dies with the page: keep it no longer than the answer takes. */
  nodes: readonly Node[];
  /** The page changed while it was being walked. */
  mutated: boolean;
}

/** Rejects with a sentence for people. */
export async function sendPage(signal: AbortSignal): Promise<SentPage> {
  const id = newId('p_');
  const sent: Promise<null>[] = [];
  const page = await capturePage((stretch) => {
    sent.push(ask('capture_piece', { id, at: sent.length, piece: pieceOf(stretch) }));
  }, signal);
  await Promise.all(sent);
  return {
    capture: { id, pieces: sent.length, ...page.head },
    nodes: page.nodes,
    mutated: page.mutated,
  };
}
