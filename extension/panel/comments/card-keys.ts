/** The keys that work while a comment of the list has the focus. They are listed in the help. */
import type { Comment } from '../../generated/Comment';
import type { Workbench } from '../workbench';

/** Whether typed letters belong to the element. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** `card` is the focused comment's own element: Enter and Delete on a button inside belong to that button. */
export function cardKey(
  bench: Workbench,
  comment: Comment,
  event: KeyboardEvent,
  card: Element | null,
): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesText(event.target))
    return;
  const own = event.target === card;
  const actions: Record<string, (() => unknown) | undefined> = {
    ArrowDown: () => bench.move(comment.id, 1),
    j: () => bench.move(comment.id, 1),
    ArrowUp: () => bench.move(comment.id, -1),
    k: () => bench.move(comment.id, -1),
    PageDown: () => bench.move(comment.id, 10),
    PageUp: () => bench.move(comment.id, -10),
    Home: () => bench.move(comment.id, -Infinity),
    End: () => bench.move(comment.id, Infinity),
    Enter: own ? () => bench.jump(comment) : undefined,
    e: () => bench.editor.start(comment, 'edit'),
    a: () => bench.editor.start(comment, 'reply'),
    r: () => (comment.status === 'resolved' ? bench.actions.reopen(comment) : bench.actions.resolve(comment)),
    Delete: own ? () => bench.delete(comment) : undefined,
    Backspace: own ? () => bench.delete(comment) : undefined,
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = actions[key];
  if (!action) return;
  event.preventDefault();
  action();
}
