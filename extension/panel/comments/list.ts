/** Which comments the list shows: scope, filter, search, groups. Pure. */
import type { Comment } from '../../generated/Comment';
import type { Status } from '../../generated/Status';
import { shownStatus } from '../../verdict/asked';

export type Filter = 'all' | Status;
export const filters: readonly Filter[] = ['all', 'active', 'outdated', 'resolved'];

/** Comments of this page only, or of the whole origin. */
export type Scope = 'page' | 'origin';

/** Not deleted, and on this page when the scope says so. */
export function inScope(comments: readonly Comment[], scope: Scope, pathname: string): Comment[] {
  return comments.filter(
    (comment) => comment.deletedAt === undefined && (scope === 'origin' || comment.pathname === pathname),
  );
}

/** How many there are for each filter, by the status that people see. */
export function countByFilter(comments: readonly Comment[]): Record<Filter, number> {
  const counts: Record<Filter, number> = { all: comments.length, active: 0, outdated: 0, resolved: 0 };
  for (const comment of comments) counts[shownStatus(comment)] += 1;
  return counts;
}

/** Everything of a comment that a person may remember, lower case. */
function searchable(comment: Comment): string {
  const words = [comment.text, comment.title, comment.pathname];
  if (comment.number !== undefined) words.push(`#${comment.number}`);
  for (const reply of comment.replies) words.push(reply.text);
  for (const { snapshot, selector } of comment.targets) {
    words.push(snapshot.tag, snapshot.name ?? snapshot.text, snapshot.component ?? '', selector);
    words.push(snapshot.source?.file ?? '');
  }
  return words.join('\n').toLowerCase();
}

/** Those with the status, in which every word of the search occurs. */
export function matching(comments: readonly Comment[], filter: Filter, search: string): Comment[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return comments.filter((comment) => {
    if (filter !== 'all' && shownStatus(comment) !== filter) return false;
    if (words.length === 0) return true;
    const text = searchable(comment);
    return words.every((word) => text.includes(word));
  });
}

export interface Group {
  pathname: string;
  comments: Comment[];
}

const order: Record<Status, number> = { active: 0, outdated: 0, resolved: 1 };

/** By path, this page first, then by name; inside: what waits for work before what is done, then by age. */
export function grouped(comments: readonly Comment[], pathname: string): Group[] {
  const groups = new Map<string, Comment[]>();
  for (const comment of comments) {
    const group = groups.get(comment.pathname);
    if (group) group.push(comment);
    else groups.set(comment.pathname, [comment]);
  }
  for (const group of groups.values()) {
    group.sort(
      (a, b) => order[a.status] - order[b.status] || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    );
  }
  return [...groups]
    .map(([path, group]) => ({ pathname: path, comments: group }))
    .sort((a, b) => {
      if (a.pathname === pathname) return -1;
      if (b.pathname === pathname) return 1;
      return a.pathname.localeCompare(b.pathname);
    });
}
