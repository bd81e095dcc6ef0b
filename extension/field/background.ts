/** How the field in a frame speaks to the background. */
import { browser } from 'wxt/browser';
import { inTime } from '../ask-again';
import type { Background } from './frame';

// No person reads this sentence: the overlay, which has the text meanwhile, says so itself.
const ask = (message: unknown): Promise<unknown> =>
  inTime(browser.runtime.sendMessage(message), 'The background does not answer.');

export const background: Background = {
  confirm: async (secret) => (await ask({ type: 'claim_field', payload: { secret } })) === true,
  keep: (text) =>
    ask({ type: 'keep_text', payload: text }).then(
      (isKept) => isKept === true,
      () => false,
    ),
};
