/** An agent asks the person to point at something. */
import { PickIcon } from '../../design/icons';
import type { AnnotationRequest } from '../../generated/AnnotationRequest';
import type { Chat } from './chat';

export function AnnotationNote({ chat, request }: { chat: Chat; request: AnnotationRequest }) {
  const { annotationId, agent, message } = request;
  const isOpen = chat.summary.value?.tabId !== undefined;
  return (
    <section class="asked" aria-label={`${agent} asks`} data-testid={`annotation-${annotationId}`}>
      <p>
        <b>{agent}</b> asks you to point at something:
      </p>
      <p class="text">{message}</p>
      {isOpen && (
        <div class="row">
          <button
            type="button"
            class="button small primary"
            data-testid={`point-${annotationId}`}
            onClick={() => chat.point(annotationId)}
          >
            <PickIcon size={14} />
            Point at it
          </button>
          <button
            type="button"
            class="button small"
            data-testid={`decline-${annotationId}`}
            onClick={() => chat.decline(annotationId)}
          >
            Decline
          </button>
        </div>
      )}
    </section>
  );
}
