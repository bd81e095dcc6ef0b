/** The text field's page, which stands in a frame of the overlay. */
import { browser } from 'wxt/browser';
import '../../design/tokens.css';
import '../../field/field.css';
import { startField } from '../../field/frame';

const field = document.querySelector('textarea');
if (field) {
  startField(field, {
    confirm: async (secret) =>
      (await browser.runtime.sendMessage({ type: 'claim_field', payload: { secret } })) === true,
    // Nobody is left to hear of a failure.
    keep: (words) => void browser.runtime.sendMessage({ type: 'last_words', payload: words }).catch(() => {}),
  });
}
