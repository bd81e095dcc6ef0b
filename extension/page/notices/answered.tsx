/**
 * What agents answered while no panel in sight showed it: a calm note in the corner, until the person looks at it or
 * puts it away. The pin of a comment keeps its mark until its thread is opened.
 */

import { effect, type Signal, signal as value } from '@preact/signals';
import { render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { commentName } from '../../design/comment-name';
import { AgentIcon } from '../../design/icons';
import type { Comment } from '../../generated/Comment';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import type { State } from '../state/state';
import { LiveRegion } from './live-region';
import { type AnswerNews, afterReading, NOTHING_AWAY, newsOf, type PutAway, putAway } from './put-away';

export function initAnswered(root: Root, state: State, signal: AbortSignal): void {
  const layer = root.layer('answered');
  const away = value(NOTHING_AWAY);
  render(<Answered root={root} state={state} away={away} />, layer);
  const stops = [
    // Whoever opens a thread sees what is in it.
    effect(() => {
      const { opened, answers } = state;
      const commentId = opened.value;
      if (commentId === null || !answers.value.comments.includes(commentId)) return;
      const comments = answers.value.comments.filter((id) => id !== commentId);
      answers.value = { ...answers.value, comments };
      ask('seen_answer', { commentId }).catch((error) => console.debug(`opentoolbar: ${sentence(error)}`));
    }),
    effect(() => {
      away.value = afterReading(away.value, state.answers.value);
    }),
  ];
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop();
    render(null, layer);
  });
}

interface Props {
  root: Root;
  state: State;
  away: Signal<PutAway>;
}

function Answered({ root, state, away }: Props) {
  const { answers, here, picking, annotations, opened } = state;
  const news = newsOf(answers.value, here.value, away.value);
  // None in the way of what the person does, or of what an agent asks.
  const isFree = !picking.value && annotations.value.length === 0 && opened.value === null;
  const words = !news
    ? ''
    : news.comment
      ? wordsOf(news.comment)
      : 'Your agent answered in the conversation.';
  return (
    <>
      <LiveRegion text={words} mark={news?.mark ?? ''} />
      {news && isFree && <Note root={root} state={state} away={away} news={news} words={words} />}
    </>
  );
}

function Note({ root, state, away, news, words }: Props & { news: AnswerNews; words: string }) {
  const note = useRef<HTMLElement>(null);
  useLayoutEffect(
    () => () => {
      if (note.current?.contains(root.shadow.activeElement)) root.giveFocusBack();
    },
    [],
  );
  const { comment } = news;
  const show = () => {
    if (comment) state.opened.value = comment.id;
    else {
      ask('open_panel', { view: 'chat' }).catch((error) => {
        state.notice.value = { kind: 'error', text: sentence(error) };
      });
    }
  };
  return (
    <section class="asked-note" aria-label="Answer" data-testid="answered" data-part ref={note}>
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
          onClick={() => {
            away.value = putAway(state.answers.value, state.comments.value);
          }}
        >
          Not now
        </button>
        <button type="button" class="button primary" data-testid="answered-show" data-part onClick={show}>
          {comment ? 'Show' : 'Open the panel'}
        </button>
      </div>
    </section>
  );
}

function wordsOf(comment: Comment): string {
  const said = comment.replies.findLast(({ author }) => author.kind === 'agent')?.author;
  const by = comment.resolution?.by.kind === 'agent' ? comment.resolution.by : said;
  const name = by?.kind === 'agent' ? by.name : 'Your agent';
  return `${name} ${comment.status === 'resolved' ? 'resolved' : 'answered'} ${commentName(comment)}.`;
}
