/** Answers the messages of content scripts, panels and fields by the table. A failure is a sentence. */
import type { Result } from '../state/result';
import type { App } from './app';
import { CaptureLost } from './captures';
import { read } from './messages/schema';
import { variantOf } from './messages/table';
import { isAllowed } from './permissions';
import type { Sender } from './sender';

/**
 * What a page's script is told where opentoolbar may not be (any more). It may have been left in a page that nobody
 * sees: one that the browser keeps for the way back, or has frozen.
 */
const FORBIDDEN = {
  error: 'opentoolbar is not allowed on this site. Click its button in the toolbar to allow it.',
  leave: true,
} as const;

/**
 * The answer to whatever comes, decoded here once: a content script shares its process with a page that may be
 * hostile. Without a sender it came from a stranger. Never rejects.
 */
export async function answer(
  app: () => Promise<App>,
  said: unknown,
  sender: Sender | undefined,
): Promise<Result<unknown>> {
  try {
    const { type, payload } = (said ?? {}) as { type?: unknown; payload?: unknown };
    const variant = sender && variantOf(type, sender.kind);
    if (!variant) return { error: 'This message is not allowed. Reload the page and the extension.' };
    const asked = read(variant.payload, payload);
    if ('wrong' in asked) {
      const where = asked.wrong ? `"${asked.wrong}" of "${type}"` : `"${type}"`;
      return { error: `This message cannot be read: ${where} is wrong. Reload the page and the extension.` };
    }
    const answered = async () => ({ ok: await variant.answer(app, asked.value as never, sender as never) });
    const early = variant.isAtOnce ? await answered() : undefined;
    const isRefused = sender.kind === 'content' && !(await isAllowed(sender.url));
    return isRefused ? FORBIDDEN : (early ?? (await answered()));
  } catch (failure) {
    // Nobody reads what a field is told.
    if (sender?.kind === 'field') console.error('opentoolbar:', failure);
    const error = failure instanceof Error ? failure.message : String(failure);
    return failure instanceof CaptureLost ? { error, isLost: true } : { error };
  }
}
