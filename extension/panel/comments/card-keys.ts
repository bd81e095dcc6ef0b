/** The keys that work while a comment of the list has the focus. They are listed in the help. */
import type { Comment } from '../../generated/Comment';
import type { Comments } from './comments';

/** Whether typed letters belong to the element. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** `card` is the focused comment's own element: Enter and Delete on a button inside belong to that button. */
export function cardKey(
  comments: Comments,
  comment: Comment,
  event: KeyboardEvent,
  card: Element | null,
): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesText(event.target))
    return;
  const own = event.target === card;
  const actions: Record<string, (() => unknown) | undefined> = {
    ArrowDown: () => comments.list.move(comment.id, 1),
    j: () => comments.list.move(comment.id, 1),
    ArrowUp: () => comments.list.move(comment.id, -1),
    k: () => comments.list.move(comment.id, -1),
    PageDown: () => comments.list.move(comment.id, 10),
    PageUp: () => comments.list.move(comment.id, -10),
    Home: () => comments.list.move(comment.id, -Infinity),
    End: () => comments.list.move(comment.id, Infinity),
    Enter: own ? () => comments.jump(comment) : undefined,
    e: () => comments.editor.start(comment, 'edit'),
    a: () => comments.editor.start(comment, 'reply'),
    r: () =>
      comment.status === 'resolved' ? comments.actions.reopen(comment) : comments.actions.resolve(comment),
    Delete: own ? () => comments.delete(comment) : undefined,
    Backspace: own ? () => comments.delete(comment) : undefined,
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = actions[key];
  if (!action) return;
  event.preventDefault();
  action();
}
