// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing';
import { Captures } from '../../background/captures';
import type { CapturePiece, SentCapture } from '../../state/capture';
import { describe } from './describe';

afterEach(() => fakeBrowser.reset());

interface Piece {
  id: string;
  at: number;
  piece: CapturePiece;
}

test('a background that ends in the middle of a capture gets another one, and nobody is asked to try again', async () => {
  const background = vi.fn();
  let captures = new Captures();
  fakeBrowser.runtime.onMessage.addListener(async (message: unknown) => {
    const { type, payload } = message as { type: string; payload: unknown };
    background(type);
    if (type === 'capture_piece') {
      const { id, at, piece } = payload as Piece;
      captures.keep(1, id, at, piece);
      return { ok: null };
    }
    // Ended after the pieces came, and started anew by the question.
    if (background.mock.calls.filter(([asked]) => asked === 'describe').length === 1)
      captures = new Captures();
    try {
      captures.take(1, (payload as { capture: SentCapture }).capture);
      return { ok: [] };
    } catch (failure) {
      return { error: String(failure), isLost: true };
    }
  });
  const described = await describe([document.body], new AbortController().signal);
  expect(described.targets).toEqual([]);
  expect(background.mock.calls.filter(([asked]) => asked === 'describe')).toHaveLength(2);
});
