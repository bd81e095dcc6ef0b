/** The comments of the page or the site: filter, list, and the way out and in. */
import type { ComponentChildren } from 'preact';
import type { Repair } from '../frame/Boundary';
import type { BrowserShortcuts } from '../frame/browser-shortcuts';
import { CommentList } from './CommentList';
import type { Comments } from './comments';
import { ExchangeBar } from './ExchangeBar';
import { FilterBar } from './FilterBar';
import { NoComments } from './NoComments';

interface Props {
  comments: Comments;
  shortcuts: BrowserShortcuts;
  repair: Repair;
  /** Stands below the list: what there is to do about the connection. */
  children: ComponentChildren;
}

export function CommentsView({ comments, shortcuts, repair, children }: Props) {
  const { list, exchange } = comments;
  const empty = list.drawn.value.length === 0;
  return (
    <>
      {list.all.value.length > 0 && <FilterBar list={list} />}
      <main class="view" aria-label="Comments">
        {empty ? (
          <NoComments list={list} shortcuts={shortcuts} />
        ) : (
          <CommentList comments={comments} repair={repair} />
        )}
      </main>
      {children}
      <ExchangeBar list={list} exchange={exchange} />
    </>
  );
}
