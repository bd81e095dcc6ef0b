/** What the background answers. */

/** `leave`: opentoolbar may not be on the page that asked; its script ends. */
export type Result<T> = { ok: T } | { error: string; isLost?: true; leave?: true };
