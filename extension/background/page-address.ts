/** Of which site a page is, as its address says. */

/** Nothing for what is no address. */
export function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** What a page says of itself is of the site that the browser says it is of. Throws `sentence` where it is not. */
export function mustBeOf(origin: string, url: string, sentence = 'This is another page.'): void {
  if (originOf(url) !== origin) throw new Error(sentence);
}
