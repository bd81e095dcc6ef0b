/** How the field in a frame speaks to the background. */
import { browser } from 'wxt/browser';
import { inTime } from '../ask-again';
import type { Answer, Payload, Type } from '../messages';
import type { Result } from '../state/result';
import type { Background } from './frame';

/** The answer, or nothing when it failed. No person reads why: the overlay has the text too, and says so itself. */
async function ask<T extends Type<'field'>>(
  type: T,
  payload: Payload<'field', T>,
): Promise<Answer<'field', T> | undefined> {
  const asked: Promise<Result<Answer<'field', T>> | undefined> = browser.runtime.sendMessage({
    type,
    payload,
  });
  const result = await inTime(asked, 'The background does not answer.');
  return result && 'ok' in result ? result.ok : undefined;
}

export const background: Background = {
  confirm: async (secret) => (await ask('claim_field', { secret })) === true,
  keep: (text) =>
    ask('keep_text', text).then(
      (kept) => kept === null,
      () => false,
    ),
};
