/** What the panel reads from a tab's address. An address that is none (empty, still loading) is no error. */

export interface PageAddress {
  /** Path, `/` first, no query; as comments carry it. */
  pathname: string;
  /** `localhost:5173`; empty for pages without a host. */
  host: string;
  /** Whether a site can be allowed here at all: browsers keep their own pages closed. */
  isWeb: boolean;
}

export function pageAddress(url: string): PageAddress {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  return {
    pathname: address?.pathname || '/',
    host: address?.host ?? '',
    isWeb: address !== undefined && /^https?:$/.test(address.protocol),
  };
}

/**
 * The address of a web page as a person gives it; both schemes' where they give none, and nothing when it is no
 * address.
 */
export function siteAddresses(typed: string): string[] {
  const text = typed.trim();
  // Chrome takes a host with blanks for a name.
  if (/\s/.test(text)) return [];
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const urls = hasScheme ? [text] : [`https://${text}`, `http://${text}`];
  return urls.filter((url) => pageAddress(url).isWeb);
}

/** Whether two addresses are of one site; an imported comment may carry any address. */
export function sameOrigin(a: string, b: string): boolean {
  return (
    URL.canParse(a) && URL.canParse(b) && pageAddress(a).isWeb && new URL(a).origin === new URL(b).origin
  );
}

/** A name for a saved export that sorts by site and day: `opentoolbar-localhost-5173-cart-2026-11-21.json`. */
export function exportFileName(address: PageAddress, pathname: string | undefined, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const place = `${address.host} ${pathname ?? ''}`.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
  const words = place.trim().slice(0, 60).trim().split(' ').filter(Boolean);
  return ['opentoolbar', ...words, day].join('-').concat('.json');
}
