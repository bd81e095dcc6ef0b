/** The code and the address, as `opentoolbar pair` printed them. */

import { Command } from '../../frame/Command';
import type { Clipboard } from '../../notices/clipboard';
import { useWantedFocus } from '../focus';
import { Sentence } from '../Sentence';
import { type Pairing, USUAL_ADDRESS } from './pairing';

interface Props {
  pairing: Pairing;
  clipboard: Clipboard;
}

export function PairingForm({ pairing, clipboard }: Props) {
  const code = useWantedFocus<HTMLInputElement>(pairing, 'code');
  const isWrong = pairing.error.value !== '';
  return (
    <form
      class="pairing-form"
      aria-label="Pair with a code"
      data-testid="pairing-form"
      onSubmit={(event) => {
        event.preventDefault();
        void pairing.submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        pairing.cancel();
      }}
    >
      <ol id="pairing-how">
        <li>
          Where your agent works, run <Command clipboard={clipboard} command="opentoolbar serve" />
        </li>
        <li>
          In another terminal there, <Command clipboard={clipboard} command="opentoolbar pair" />
        </li>
        <li>Type what that prints:</li>
      </ol>
      <label class="pairing-field">
        <span>Code</span>
        <input
          ref={code}
          class="input mono"
          data-testid="pairing-code"
          placeholder="K7MX-Q2RT"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={20}
          required
          aria-invalid={isWrong}
          aria-describedby={isWrong ? 'pairing-error' : 'pairing-how'}
          value={pairing.code}
          onInput={(event) => {
            pairing.code.value = event.currentTarget.value;
          }}
        />
      </label>
      <label class="pairing-field">
        <span>Address</span>
        <input
          class="input mono"
          data-testid="pairing-address"
          placeholder={USUAL_ADDRESS}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={100}
          required
          value={pairing.address}
          onInput={(event) => {
            pairing.address.value = event.currentTarget.value;
          }}
        />
      </label>
      {isWrong && (
        <p class="error" role="alert" id="pairing-error" data-testid="pairing-error">
          <Sentence text={pairing.error.value} />
        </p>
      )}
      <div class="pairing-actions">
        <button
          type="submit"
          class="button primary small"
          data-testid="pairing-submit"
          aria-disabled={pairing.isBusy.value}
        >
          {pairing.isBusy.value ? 'Pairing…' : 'Pair'}
        </button>
        <button
          type="button"
          class="button small"
          data-testid="pairing-cancel"
          onClick={() => pairing.cancel()}
        >
          Cancel
        </button>
      </div>
    </form>
  );
}
