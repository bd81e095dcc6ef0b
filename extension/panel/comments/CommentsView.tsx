/** The comments of the page or the site: filter, list, and the way out and in. */

import { ConnectionAdvice } from '../connection/ConnectionStrip';
import { PairingDetails } from '../connection/PairingDetails';
import { Boundary } from '../frame/Boundary';
import type { Workbench } from '../workbench';
import { CommentList } from './CommentList';
import { ExchangeBar } from './ExchangeBar';
import { FilterBar } from './FilterBar';
import { NoComments } from './NoComments';

export function CommentsView({ bench }: { bench: Workbench }) {
  const empty = bench.drawn.value.length === 0;
  return (
    <>
      {bench.all.value.length > 0 && <FilterBar bench={bench} />}
      <main class="view" aria-label="Comments">
        {empty ? <NoComments bench={bench} /> : <CommentList bench={bench} />}
      </main>
      <Boundary bench={bench} what="What there is to do about the connection">
        <ConnectionAdvice bench={bench} />
      </Boundary>
      <PairingDetails bench={bench} />
      <ExchangeBar bench={bench} />
    </>
  );
}
