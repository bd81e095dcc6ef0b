/** Messages to and from the background, typed by its table. Knows no DOM. */
import { browser } from 'wxt/browser';
import { inTime, TooLate, Unanswered } from '../../ask-again';
import type { Answer, Payload, Type } from '../../messages';
import type { Result } from '../../state/result';
import type { PageMessage } from '../../state/to-content';
import { endLife, isOrphan } from '../lifecycle/life';

const LATE =
  "opentoolbar's background does not answer. Try again. " +
  'If that does not help, copy what you wrote and reload the page.';

/**
 * Asks the background. Rejects with an `Error` whose message says what to do next, `Unanswered` when it ended meanwhile
 * or hangs.
 */
export async function ask<T extends Type<'content'>>(
  type: T,
  payload: Payload<'content', T>,
): Promise<Answer<'content', T>> {
  let result: Result<Answer<'content', T>> | undefined;
  try {
    result = await inTime(browser.runtime.sendMessage({ type, payload }), LATE);
  } catch (error) {
    if (error instanceof TooLate) throw error;
    const why = error instanceof Error ? error.message : String(error);
    if (isOrphan() || /context invalidated/i.test(why)) {
      throw new Error('opentoolbar was updated or turned off. Reload the page to go on.');
    }
    throw new Unanswered(`opentoolbar's background did not answer (${why}). Try again.`);
  }
  if (!result) throw new Unanswered("opentoolbar's background did not answer. Try again.");
  if ('error' in result && result.leave) endLife();
  if ('error' in result) throw new (result.isLost ? Unanswered : Error)(result.error);
  return result.ok;
}

/**
 * Hears the background until the signal ends. What the listener promises is the answer; a promise that is broken
 * answers null.
 */
export function hear(
  listener: (message: PageMessage) => Promise<unknown> | undefined,
  signal: AbortSignal,
): void {
  const onMessage = (message: unknown, _sender: unknown, respond: (answer: unknown) => void) => {
    const known = readMessage(message);
    const answer = known ? listener(known) : undefined;
    if (!answer) return undefined;
    answer.then(respond, () => respond(null));
    return true; // the answer comes later
  };
  browser.runtime.onMessage.addListener(onMessage);
  signal.addEventListener('abort', () => browser.runtime?.onMessage?.removeListener(onMessage));
}

/** All of them, as the compiler sees to. */
const TYPES: Record<PageMessage['type'], true> = {
  set_picking: true,
  pins_hidden: true,
  comments: true,
  jump_to: true,
  settle: true,
  connection: true,
  annotations: true,
  answers: true,
  approvals: true,
  source_changed: true,
  hub_came: true,
  point_for_annotation: true,
  leave: true,
  begin_picture: true,
  finish_picture: true,
};

/** Only the extension's own background can send these; the check guards against an older or newer half. */
function readMessage(message: unknown): PageMessage | null {
  if (typeof message !== 'object' || message === null || !('type' in message) || !('payload' in message))
    return null;
  return Object.hasOwn(TYPES, String(message.type)) ? (message as PageMessage) : null;
}
