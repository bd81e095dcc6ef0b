/**
 * The list, grouped by path when it covers the whole site. Long lists are drawn in blocks: those out of sight are
 * empty boxes of the height they had, so that a thousand comments cost as much as the few on the screen.
 */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Comment } from '../../generated/Comment';
import { Boundary, type Repair } from '../frame/Boundary';
import { CommentCard } from './CommentCard';
import type { Comments } from './comments';

/** Up to this many are all drawn. */
const ALL_DRAWN = 200;
const BLOCK = 10;
/** A guess for a comment that was never drawn, CSS pixels. */
const GUESSED_HEIGHT = 140;

interface Props {
  comments: Comments;
  repair: Repair;
}

interface BlockProps extends Props {
  drawn: readonly Comment[];
  first: number;
  count: number;
}

function Cards({ comments, repair, drawn, first, count }: BlockProps) {
  return (
    <>
      {drawn.map((comment, index) => (
        <Boundary key={comment.id} repair={repair} what="This comment" of={comment}>
          <CommentCard comments={comments} comment={comment} place={first + index} count={count} />
        </Boundary>
      ))}
    </>
  );
}

function Block(props: BlockProps) {
  const box = useRef<HTMLDivElement>(null);
  // The first block is in sight when the list appears.
  const near = useSignal(props.first === 1);
  const height = useSignal(props.drawn.length * GUESSED_HEIGHT);
  const { list, editor } = props.comments;
  const ids = new Set(props.drawn.map(({ id }) => id));
  const needed = useComputed(() => {
    const kept = [list.current.value, list.wantsFocus.value, editor.open.value?.commentId];
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
  const isDrawn = near.value || needed.value;
  return (
    <div ref={box} class="block" style={isDrawn ? undefined : { height: `${height.value}px` }}>
      {isDrawn && <Cards {...props} />}
    </div>
  );
}

function Blocks({ drawn, first, count, ...rest }: BlockProps) {
  const starts = Array.from({ length: Math.ceil(drawn.length / BLOCK) }, (_, index) => index * BLOCK);
  return (
    <>
      {starts.map((start) => (
        <Block
          key={drawn[start]?.id}
          {...rest}
          drawn={drawn.slice(start, start + BLOCK)}
          first={first + start}
          count={count}
        />
      ))}
    </>
  );
}

export function CommentList(props: Props) {
  const { list, tab } = props.comments;
  const groups = list.groups.value;
  const count = list.drawn.value.length;
  const here = tab.address.value.pathname;
  const titled = list.scope.value === 'origin';
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
              <Part {...props} drawn={comments} first={start} count={count} />
            </div>
          </section>
        );
      })}
    </div>
  );
}
