/** Text that a person has not saved yet. */

/** Characters of one text at most: of a field, and of a comment that is made of it. */
export const MOST_TEXT = 100_000;

/**
 * A text by the field that it was typed into and how many came before it there, so that an older one never replaces
 * it.
 */
export interface Typed {
  secret: string;
  count: number;
}

/** An empty text forgets what was kept there. */
export interface Draft {
  pathname: string;
  /** Of its page, not redacted: the background tells pages apart by it, and keeps none. */
  url: string;
  text: string;
  /** Of a field in a frame. */
  typed?: Typed | undefined;
}
