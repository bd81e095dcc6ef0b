/** For a page whose address the browser does not tell: whoever knows it can allow its site here. */
import { useSignal } from '@preact/signals';
import { siteAddresses } from '../tab/page-address';
import type { Sites } from './sites';

export function AllowByAddress({ sites }: { sites: Sites }) {
  const typed = useSignal('');
  const isWrong = useSignal(false);
  return (
    <form
      class="allow-by-address"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const urls = siteAddresses(typed.value);
        isWrong.value = urls.length === 0;
        // Straight from the click: browsers ask a person only then.
        if (urls.length > 0) void sites.allowSites(urls);
      }}
    >
      <input
        class="input mono"
        aria-label="Address of the page"
        placeholder="https://staging.example.org"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        data-testid="allow-address"
        aria-invalid={isWrong.value}
        aria-describedby={isWrong.value ? 'allow-error' : undefined}
        value={typed}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          // A second mistake is told again.
          isWrong.value = false;
        }}
      />
      <button type="submit" class="button primary" data-testid="allow-site">
        Allow this site
      </button>
      {isWrong.value && (
        <p class="error" role="alert" id="allow-error" data-testid="allow-error">
          That is no address of a web page. Copy it from the browser’s address bar.
        </p>
      )}
    </form>
  );
}
