/** The number a person sees on a pin and in the panel: one rule, so that both always agree. */
import type { Comment } from '../generated/Comment';

/**
 * Numbers from 1 by age within each page (`pathname`). Deleted comments keep their number, so that deleting or
 * restoring one never renames the others. Give all comments known for the origin or for the page.
 */
export function commentNumbers(comments: readonly Comment[]): Map<string, number> {
  const byAge = [...comments].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const used = new Map<string, number>();
  const numbers = new Map<string, number>();
  for (const { id, pathname } of byAge) {
    const next = (used.get(pathname) ?? 0) + 1;
    used.set(pathname, next);
    numbers.set(id, next);
  }
  return numbers;
}
