/** The picture kept with a comment: asked for when it scrolls into sight, small until clicked. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Comments } from './comments';

interface Props {
  comments: Comments;
  commentId: string;
  name: string;
}

export function Screenshot({ comments, commentId, name }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const picture = useSignal<string | null | undefined>(undefined);
  const large = useSignal(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        seen.disconnect();
        comments.picture(commentId).then(
          (url) => {
            picture.value = url;
          },
          () => {
            picture.value = null;
          },
        );
      },
      { rootMargin: '200px' },
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, [comments, commentId, picture]);
  // A picture that is gone is not worth a word.
  if (picture.value === null) return null;
  return (
    <div class="screenshot" ref={place}>
      {picture.value && (
        <button
          type="button"
          class={large.value ? 'large' : ''}
          aria-expanded={large.value}
          aria-label={`Screenshot of ${name}: ${large.value ? 'make smaller' : 'enlarge'}`}
          onClick={() => {
            large.value = !large.value;
          }}
        >
          <img src={picture.value} alt="" />
        </button>
      )}
    </div>
  );
}
