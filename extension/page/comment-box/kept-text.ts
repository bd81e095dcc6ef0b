/**
 * Where the text of a comment box is kept, and the way back to it. A comment's is the page's; an answer's is of what
 * the agent asked, so that neither stands in the other's box. Once the agent waits no longer, the next comment takes
 * it.
 */
import { compose, type Pick } from '../state/pick';
import type { Notice, State } from '../state/state';
import { type DraftPlace, type Drafts, placeHere } from '../text-field/drafts';

export type Composing = Extract<Pick, { step: 'composing' }>;

const ANSWER = 'answer:';
/** Keys of what is being sent: its request may be over before it is heard that it came. */
const underWay = new Set<string>();

export function placeFor(state: State, { purpose }: Composing): DraftPlace {
  return placeHere(
    purpose.kind === 'answer' ? `${ANSWER}${purpose.request.annotationId}` : state.pathname.peek(),
  );
}

/** What a box that opens there begins with. The page's takes over the answers that nobody waits for any more. */
export function firstText(state: State, drafts: Drafts, place: DraftPlace): string {
  const own = drafts.of(place);
  // Without a connection nobody knows who waits.
  if (place.pathname.startsWith(ANSWER) || !state.connection.peek()?.isConnected) return own;
  const late = drafts
    .keys(ANSWER)
    .filter((key) => !underWay.has(key) && !isAsked(state, key.slice(ANSWER.length)))
    .map(placeHere);
  if (late.length === 0) return own;
  const text = [own, ...late.map((each) => drafts.of(each))].filter(Boolean).join('\n\n');
  drafts.keep(place, text);
  for (const each of late) drafts.keep(each, '');
  return text;
}

/** While `work` saves or sends the text of this place, nobody takes it over. */
export async function whileSending<T>({ key }: DraftPlace, work: () => Promise<T>): Promise<T> {
  underWay.add(key);
  try {
    return await work();
  } finally {
    underWay.delete(key);
  }
}

/** Says that the text of a box that went is kept, unless there is none, or it is of a page that the app went from. */
export function tellKept(state: State, drafts: Drafts, place: DraftPlace, pick: Composing): void {
  const isAnswer = pick.purpose.kind === 'answer';
  if (!drafts.of(place) || (!isAnswer && place.key !== placeHere(state.pathname.peek()).key)) return;
  state.notice.value = {
    kind: 'info',
    text: isAnswer ? 'Your answer is kept.' : 'Your text is kept for the next comment on this page.',
    action: wayBack(state, pick),
  };
}

/** Opens the box again for what it was open for; once nobody waits for the answer, as a comment's. */
export function wayBack(state: State, { purpose, elements }: Composing): NonNullable<Notice['action']> {
  // The notice may stand for long; the page may take the elements away meanwhile.
  const kept = elements.map((element) => new WeakRef(element));
  return {
    label: 'Bring it back',
    run: () => {
      const waits = purpose.kind === 'answer' && isAsked(state, purpose.request.annotationId);
      compose(
        state,
        kept.flatMap((element) => element.deref() ?? []),
        waits ? purpose : { kind: 'comment' },
      );
    },
  };
}

const isAsked = (state: State, annotationId: string) =>
  state.annotations.peek().some((request) => request.annotationId === annotationId);
