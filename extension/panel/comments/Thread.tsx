/** The answers to a comment, oldest first, and how it was resolved. Older answers of a long thread are folded. */
import { useSignal } from '@preact/signals';
import { authorName } from '../../design/author';
import { AgentIcon, CheckIcon, PersonIcon } from '../../design/icons';
import type { Author } from '../../generated/Author';
import type { Comment } from '../../generated/Comment';
import { Ago } from '../frame/Ago';
import { Markdown } from '../text/Markdown';
import type { Comments } from './comments';

const UNFOLDED = 3;

function AuthorLine({ author, importedAt }: { author: Author; importedAt: number | undefined }) {
  return (
    <span class="author">
      {author.kind === 'agent' ? <AgentIcon size={14} /> : <PersonIcon size={14} />}
      {authorName(author, importedAt)}
    </span>
  );
}

export function Thread({ comments, comment }: { comments: Comments; comment: Comment }) {
  const whole = useSignal(false);
  const { replies, resolution } = comment;
  const folded = whole.value ? 0 : Math.max(0, replies.length - UNFOLDED);
  if (replies.length === 0 && !resolution) return null;
  return (
    <div class="thread">
      {folded > 0 && (
        <button
          type="button"
          class="button quiet small"
          onClick={() => {
            whole.value = true;
          }}
        >
          {folded === 1 ? 'Show 1 earlier reply' : `Show ${folded} earlier replies`}
        </button>
      )}
      {replies.slice(folded).map((reply) => (
        <div key={reply.id} class="reply" data-answer={reply.author.kind === 'agent' || undefined}>
          <p class="by">
            <AuthorLine author={reply.author} importedAt={reply.importedAt} />
            <Ago clock={comments.clock} at={reply.createdAt} />
          </p>
          <Markdown openLink={comments.openLink} text={reply.text} />
        </div>
      ))}
      {resolution && (
        <div class="reply resolution" data-answer={resolution.by.kind === 'agent' || undefined}>
          <p class="by">
            <span class="author">
              <CheckIcon size={14} />
              Resolved by {authorName(resolution.by, resolution.importedAt)}
            </span>
            <Ago clock={comments.clock} at={resolution.at} />
          </p>
          {resolution.summary && <Markdown openLink={comments.openLink} text={resolution.summary} />}
        </div>
      )}
    </div>
  );
}
