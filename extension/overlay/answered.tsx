/**
 * What agents answered while no panel in sight showed it: a calm note in the corner, until the person looks at it or puts it away.
 * The pin of a comment keeps its mark until its thread is opened.
 */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { AgentIcon } from '../design/icons';
import type { Comment } from '../generated/Comment';
import { ask } from './link';
import type { Root } from './root';
import type { State } from './state';
import { sentence } from './words';

export function initAnswered(root: Root, state: State, signal: AbortSignal): void {
  const layer = root.layer('answered');
  render(<Answered state={state} />, layer);
  // Whoever opens a thread sees what is in it.
  const stop = effect(() => {
    const { opened, answers } = state;
    const commentId = opened.value;
    if (commentId === null || !answers.value.comments.includes(commentId)) return;
    const comments = answers.value.comments.filter((id) => id !== commentId);
    answers.value = { ...answers.value, comments };
    ask('seen_answer', { commentId }).catch((error) => console.debug(`opentoolbar: ${sentence(error)}`));
  });
  signal.addEventListener('abort', () => {
    stop();
    render(null, layer);
  });
}

function Answered({ state }: { state: State }) {
  const { answers, here, numbers, picking, annotations, opened } = state;
  const { chat, comments } = answers.value;
  const [away, setAway] = useState('');
  const key = [chat, ...comments].join();
  // None in the way of what the person does, or of what an agent asks.
  const isFree = !picking.value && annotations.value.length === 0 && opened.value === null;
  const comment = here.value.find(({ id }) => comments.includes(id));
  const words =
    chat > 0 ? 'Your agent answered in the conversation.' : comment && wordsOf(comment, numbers.value);
  const isShown = isFree && words !== undefined && away !== key;
  const openPanel = () => {
    ask('open_panel', {}).catch((error) => {
      state.notice.value = { kind: 'error', text: sentence(error) };
    });
  };
  const show = () => {
    if (chat > 0 || !comment) openPanel();
    else opened.value = comment.id;
  };
  return (
    <>
      <div class="heard" role="status">
        {isShown && words}
      </div>
      {isShown && (
        <section class="asked-note" aria-label="Answer" data-testid="answered" data-part>
          <p class="asked-who">
            <AgentIcon size={14} />
            <span>{words}</span>
          </p>
          <div class="row">
            <button
              type="button"
              class="button"
              data-testid="answered-away"
              data-part
              onClick={() => setAway(key)}
            >
              Not now
            </button>
            <button type="button" class="button primary" data-testid="answered-show" data-part onClick={show}>
              {chat > 0 ? 'Open the panel' : 'Show'}
            </button>
          </div>
        </section>
      )}
    </>
  );
}

function wordsOf(comment: Comment, numbers: ReadonlyMap<string, number>): string {
  const said = comment.replies.findLast(({ author }) => author.kind === 'agent')?.author;
  const by = comment.resolution?.by.kind === 'agent' ? comment.resolution.by : said;
  const name = by?.kind === 'agent' ? by.name : 'Your agent';
  const number = numbers.get(comment.id) ?? '';
  return comment.status === 'resolved'
    ? `${name} resolved comment ${number}.`
    : `${name} answered comment ${number}.`;
}
