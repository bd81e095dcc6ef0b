/**
 * The list, grouped by path when it covers the whole site. Long lists are drawn in blocks: those out of sight are
 * empty boxes of the height they had, so that a thousand comments cost as much as the few on the screen.
 */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Comment } from '../../generated/Comment';
import { Boundary } from '../frame/Boundary';
import type { Workbench } from '../workbench';
import { CommentCard } from './CommentCard';

/** Up to this many are all drawn. */
const ALL_DRAWN = 200;
const BLOCK = 10;
/** A guess for a comment that was never drawn, CSS pixels. */
const GUESSED_HEIGHT = 140;

interface BlockProps {
  bench: Workbench;
  comments: readonly Comment[];
  first: number;
  count: number;
}

function Cards({ bench, comments, first, count }: BlockProps) {
  return (
    <>
      {comments.map((comment, index) => (
        <Boundary key={comment.id} bench={bench} what="This comment" of={comment}>
          <CommentCard bench={bench} comment={comment} place={first + index} count={count} />
        </Boundary>
      ))}
    </>
  );
}

function Block(props: BlockProps) {
  const box = useRef<HTMLDivElement>(null);
  // The first block is in sight when the list appears.
  const near = useSignal(props.first === 1);
  const height = useSignal(props.comments.length * GUESSED_HEIGHT);
  const { bench, comments } = props;
  const ids = new Set(comments.map(({ id }) => id));
  const needed = useComputed(() => {
    const kept = [bench.current.value, bench.wantsFocus.value, bench.editor.open.value?.commentId];
    return kept.some((id) => id !== null && id !== undefined && ids.has(id));
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const seen = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting && near.peek()) height.value = entry.boundingClientRect.height;
          near.value = entry.isIntersecting;
        }
      },
      // A margin counts only for the element that scrolls.
      { root: element.closest('.view'), rootMargin: '800px 0px' },
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, [near, height]);
  const drawn = near.value || needed.value;
  return (
    <div ref={box} class="block" style={drawn ? undefined : { height: `${height.value}px` }}>
      {drawn && <Cards {...props} />}
    </div>
  );
}

function Blocks({ bench, comments, first, count }: BlockProps) {
  const starts = Array.from({ length: Math.ceil(comments.length / BLOCK) }, (_, index) => index * BLOCK);
  return (
    <>
      {starts.map((start) => (
        <Block
          key={comments[start]?.id}
          bench={bench}
          comments={comments.slice(start, start + BLOCK)}
          first={first + start}
          count={count}
        />
      ))}
    </>
  );
}

export function CommentList({ bench }: { bench: Workbench }) {
  const groups = bench.groups.value;
  const count = bench.drawn.value.length;
  const here = bench.address.value.pathname;
  const titled = bench.scope.value === 'origin';
  const Part = count > ALL_DRAWN ? Blocks : Cards;
  let first = 1;
  return (
    <div class="list">
      {groups.map(({ pathname, comments }) => {
        const start = first;
        first += comments.length;
        return (
          <section key={pathname} aria-label={titled ? `Comments on ${pathname}` : 'Comments on this page'}>
            {titled && (
              <h2 class="path">
                <span class="mono ellipsis">{pathname}</span>
                {pathname === here && <span class="stage">This page</span>}
                <span class="muted">{comments.length}</span>
              </h2>
            )}
            <div role="feed" aria-label={titled ? pathname : 'Comments'}>
              <Part bench={bench} comments={comments} first={start} count={count} />
            </div>
          </section>
        );
      })}
    </div>
  );
}
