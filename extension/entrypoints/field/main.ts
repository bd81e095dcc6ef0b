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
    keep: (text) =>
      browser.runtime.sendMessage({ type: 'keep_text', payload: text }).then(
        (isKept) => isKept === true,
        () => false,
      ),
  });
}
