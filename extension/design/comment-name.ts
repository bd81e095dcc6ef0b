/** What a comment is called on the page and in the panel: one rule, so that both always agree. */
import type { Comment } from '../generated/Comment';

type Numbered = Pick<Comment, 'number'>;

/** What stands in place of the number that the hub gives a comment once it has stored it. */
export const unsentLook = {
  word: 'Not sent yet',
  meaning: 'Kept in this browser. It gets its number when the host has stored it.',
  // SVG path in a 16 x 16 box: an arrow up, from a line.
  path: 'M8 1.5 12.8 6.3 11.6 7.5 8.85 4.75V11.5H7.15V4.75L4.4 7.5 3.2 6.3ZM3 13H13V14.6H3Z',
};

/** A comment as it was answered, with the number that the hub said meanwhile: it is never taken back. */
export function withKnownNumber(comment: Comment, known: Comment | undefined): Comment {
  const number = comment.number ?? known?.number;
  return number === undefined ? comment : { ...comment, number };
}

/** `comment 3`, within a sentence. */
export function commentName(comment: Numbered | undefined): string {
  return comment?.number === undefined ? 'the comment' : `comment ${comment.number}`;
}

/** `Comment 3`, where a sentence begins. */
export function commentTitle(comment: Numbered | undefined): string {
  return comment?.number === undefined ? 'The comment' : `Comment ${comment.number}`;
}

/** `Comment 3`, as the name of what shows it. */
export function commentLabel({ number }: Numbered): string {
  return number === undefined ? 'Comment not sent yet' : `Comment ${number}`;
}
