/** What agents ask the person to point at: a calm note in the corner, until it is answered, declined or taken back. */
import { render } from 'preact';
import { AgentIcon } from '../../design/icons';
import type { AnnotationRequest } from '../../generated/AnnotationRequest';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import { startPicking } from '../state/pick';
import type { State } from '../state/state';
import { LiveRegion } from './live-region';

export function initAsked(root: Root, state: State, signal: AbortSignal): void {
  const layer = root.layer('asked');
  render(<Asked state={state} />, layer);
  signal.addEventListener('abort', () => render(null, layer));
}

/** Starts picking for what an agent asks. */
export function pointFor(state: State, request: AnnotationRequest): void {
  startPicking(state, { kind: 'answer', request });
}

function Asked({ state }: { state: State }) {
  const requests = state.annotations.value;
  // One after the other; and none in the way of the picking, or over a thread.
  const [request] = requests;
  return (
    <>
      <LiveRegion
        text={request ? `${request.agent} asks you to point at something: ${request.message}` : ''}
        mark={request?.annotationId ?? ''}
      />
      {request && !state.picking.value && !state.thread.value && (
        <Note key={request.annotationId} state={state} request={request} />
      )}
    </>
  );
}

function Note({ state, request }: { state: State; request: AnnotationRequest }) {
  const { annotationId, agent, message } = request;
  const decline = () => {
    ask('decline_annotation', { annotationId }).catch((error) => {
      state.notice.value = { kind: 'error', text: sentence(error) };
    });
  };
  return (
    <section class="asked-note" aria-label={`${agent} asks`} data-testid="asked" data-part>
      <p class="asked-who">
        <AgentIcon size={14} />
        <span>
          <b>{agent}</b> asks you to point at something
        </span>
      </p>
      <p class="asked-what">{message}</p>
      <div class="row">
        <button type="button" class="button" data-testid="asked-decline" data-part onClick={decline}>
          Decline
        </button>
        <button
          type="button"
          class="button primary"
          data-testid="asked-point"
          data-part
          onClick={() => pointFor(state, request)}
        >
          Point at it
        </button>
      </div>
    </section>
  );
}
