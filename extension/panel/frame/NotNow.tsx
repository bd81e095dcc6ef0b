/** What stands in the view's place when there is no page to show: still asking, no answer, closed, or not allowed. */
import { OfflineIcon, RetryIcon } from '../../design/icons';
import type { WatchedTab } from '../tab/tab';
import { AllowByAddress } from './AllowByAddress';
import type { Sites } from './sites';

export function Waiting() {
  return (
    <main class="view">
      <div class="empty" role="status" data-testid="loading">
        <p class="muted">Reading this page’s comments…</p>
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
    </main>
  );
}

export function NoAnswer({ tab }: { tab: WatchedTab }) {
  return (
    <main class="view">
      <div class="empty" role="alert" data-testid="no-answer">
        <OfflineIcon size={28} />
        <h2>The extension isn’t responding</h2>
        <p>It may have been updated. Your comments are safe. Retrying…</p>
        <button type="button" class="button" onClick={() => tab.retry()}>
          <RetryIcon />
          Try now
        </button>
      </div>
    </main>
  );
}

export function NoTab() {
  return (
    <main class="view">
      <div class="empty" data-testid="no-tab">
        <h2>This tab is closed</h2>
        <p>Its comments are kept. Open the page again to see them.</p>
      </div>
    </main>
  );
}

/** Browsers tell the address of a page only where the extension may be, so it is often not known which page this is. */
export function NotAllowed({ sites }: { sites: Sites }) {
  const { isWeb, host } = sites.tab.address.value;
  const url = sites.tab.state.value?.url;
  return (
    <div class="empty" data-testid="not-allowed">
      {isWeb && (
        <>
          <h2>Not allowed on {host} yet</h2>
          <p>
            Local dev servers work at once; other sites only when you say so. Nothing was read from this page.
          </p>
          <button
            type="button"
            class="button primary"
            data-testid="allow-site"
            onClick={() => sites.allowSite()}
          >
            Allow on {host}
          </button>
        </>
      )}
      {!isWeb && url && (
        <>
          <h2>Not on this page</h2>
          <p>Browsers keep their own pages and local files closed to extensions. Go to your app’s page.</p>
        </>
      )}
      {!url && sites.localWithheld.value && (
        <>
          <h2>Not allowed on local dev servers</h2>
          <p>
            The browser keeps sites from opentoolbar until you allow them. It needs those of your own machine.
          </p>
          <button
            type="button"
            class="button primary"
            data-testid="allow-local"
            onClick={() => sites.allowLocalSites()}
          >
            Allow on local dev servers
          </button>
          <p class="muted">
            On another site, click opentoolbar’s button in the browser’s toolbar. Nothing was read from this
            page.
          </p>
        </>
      )}
      {!url && !sites.localWithheld.value && (
        <>
          <h2>Not allowed on this page yet</h2>
          <p>
            Local dev servers work at once. On another site, click opentoolbar’s button in the browser’s
            toolbar and allow the site when asked, or give the page’s address here:
          </p>
          <AllowByAddress sites={sites} />
          <p class="muted">Nothing was read from this page. The browser’s own pages stay closed.</p>
        </>
      )}
    </div>
  );
}
