/**
 * Where the text of a comment box is kept, and the way back to it. A comment's is the page's; an answer's is of what
 * the agent asked, so that neither stands in the other's box. When the agent waits no longer, it is the page's too.
 */
import { effect } from '@preact/signals';
import { compose, type Pick } from '../state/pick';
import type { State } from '../state/state';
import { type DraftPlace, type Drafts, placeHere } from '../text-field/drafts';

export type Composing = Extract<Pick, { step: 'composing' }>;

const placeOfAnswer = (annotationId: string) => placeHere(`answer:${annotationId}`);
const placeOfPage = (state: State) => placeHere(state.pathname.peek());

export function placeFor(state: State, { purpose }: Composing): DraftPlace {
  return purpose.kind === 'answer' ? placeOfAnswer(purpose.request.annotationId) : placeOfPage(state);
}

/** Says that the text of a box that went is kept, unless there is none, or it is of a page that the app went from. */
export function tellKept(state: State, drafts: Drafts, place: DraftPlace, { purpose, elements }: Composing) {
  const isAnswer = purpose.kind === 'answer';
  if (!drafts.of(place) || (!isAnswer && place.key !== placeOfPage(state).key)) return;
  // The notice may stand for long; the page may take the elements away meanwhile.
  const kept = elements.map((element) => new WeakRef(element));
  state.notice.value = {
    kind: 'info',
    text: isAnswer
      ? `Your answer to ${purpose.request.agent} is kept.`
      : 'Your text is kept for the next comment on this page.',
    action: {
      label: 'Bring it back',
      run: () => {
        const waits = isAnswer && isAsked(state, purpose.request.annotationId);
        compose(
          state,
          kept.flatMap((element) => element.deref() ?? []),
          waits ? purpose : { kind: 'comment' },
        );
      },
    },
  };
}

/** Gives the page the text of answers that nobody waits for any more, after what is kept for its next comment. */
export function keepLateAnswers(state: State, drafts: Drafts, signal: AbortSignal): void {
  const stop = effect(() => {
    const { value: pick } = state.pick;
    const open = pick.step === 'composing' ? placeFor(state, pick).key : null;
    for (const key of drafts.keys('answer:')) {
      if (key === open || isAsked(state, key.slice('answer:'.length))) continue;
      const [from, to] = [placeHere(key), placeOfPage(state)];
      drafts.keep(to, [drafts.of(to), drafts.of(from)].filter(Boolean).join('\n\n'));
      drafts.keep(from, '');
    }
  });
  signal.addEventListener('abort', stop);
}

const isAsked = (state: State, annotationId: string) =>
  state.annotations.value.some((request) => request.annotationId === annotationId);
