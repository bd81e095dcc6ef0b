/** Which sites the extension may be on, as the person allows them. */
import { signal } from '@preact/signals';
import type { Notices } from '../notices/notices';
import type { Platform } from '../platform/platform';
import { pageAddress } from '../tab/page-address';
import type { WatchedTab } from '../tab/tab';

export class Sites {
  /** Local dev servers are not allowed, although the extension is made for them. */
  readonly localWithheld = signal(false);

  constructor(
    private readonly platform: Platform,
    readonly tab: WatchedTab,
    private readonly notices: Notices,
  ) {
    platform.localSitesAllowed().then(
      (allowed) => {
        this.localWithheld.value = !allowed;
      },
      () => {
        // Then the panel says nothing of it; the page itself tells whether it is allowed.
      },
    );
  }

  /** Asks for local dev servers, which the person or the browser withholds. */
  async allowLocalSites(): Promise<void> {
    try {
      const allowed = await this.platform.allowLocalSites();
      this.localWithheld.value = !allowed;
      this.notices.done(allowed ? 'Allowed on local dev servers.' : 'Not allowed. Nothing was changed.');
    } catch (error) {
      this.notices.failed(error);
    }
  }

  /** Asks for the site of the page that is shown. */
  async allowSite(): Promise<void> {
    const url = this.tab.state.peek()?.url;
    if (url !== undefined) await this.allowSites([url]);
  }

  /** Asks for the site of these addresses, which is one. */
  async allowSites(urls: readonly string[]): Promise<void> {
    const site = pageAddress(urls[0] ?? '').host;
    try {
      if (await this.platform.allowSites(urls)) this.notices.done(`Allowed on ${site}.`);
      else this.notices.done('Not allowed. Nothing was changed.');
    } catch (error) {
      this.notices.failed(error);
    }
  }
}
