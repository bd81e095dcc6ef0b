/**
 * What the last look said about one element of a comment: in words, how sure, what differs, and what a person can do
 * about it.
 */
import { useMemo, useState } from 'preact/hooks';
import { isConnected } from '../../capture/dom';
import { JumpIcon, SourceIcon } from '../../design/icons';
import type { Comment } from '../../generated/Comment';
import { Differences } from '../../verdict/Differences';
import { saysSureness, surenessSentence, verdictWords } from '../../verdict/words';
import type { Follow } from '../positioning/follow';
import type { Sightings } from '../sightings/sightings';
import type { Place, TargetStanding } from '../sightings/standing';
import type { State } from '../state/state';
import { Candidates } from './Candidates';
import { distinct } from './marks';
import { confirmable, confirmSame, pickFor, pinTo } from './repin';

interface Props {
  state: State;
  follow: Follow;
  sightings: Sightings;
  /** Where candidates are framed. */
  layer: HTMLElement;
  comment: Comment;
  at: number;
  standing: TargetStanding;
  /** Its comment asks whether the change is what was asked for; then the thread has the buttons for that. */
  isAsked: boolean;
}

export function Found({ state, follow, sightings, layer, comment, at, standing, isAsked }: Props) {
  const [busy, setBusy] = useState(false);
  const target = comment.targets[at];
  const sighting = sightings.of(comment.id)[at];
  const live = (sighting?.candidates ?? []).flatMap((candidate) => candidate.deref() ?? []);
  const key = sighting?.candidates ?? null;
  // The same list as long as the last look is the same: the frames are not drawn anew for nothing.
  const candidates = useMemo(() => distinct(live.filter(isConnected)), [key]);
  if (!target) return null;
  const { place, verdict, confidence, reason, diff, cause } = standing;
  const open = comment.status !== 'resolved';
  const wrong = open && (reason !== '' || comment.status === 'outdated');
  const asks = isAsked && cause === 'source' && verdict === 'changed';
  // What the state of the app did to it needs no decision.
  const mayConfirm =
    wrong &&
    !asks &&
    cause !== 'state' &&
    (verdict === 'changed' || verdict === 'moved' || place === 'unsure' || place === 'unread');
  const offerSame = mayConfirm && at === 0 && confirmable(sightings, comment) !== null;
  const offers = open && candidates.length > 0 && (place === 'unsure' || place === 'gone');
  // What was outdated when it was resolved is no warning any more.
  const tone = !open ? 'settled' : isAsked && cause === 'source' ? 'asked' : (cause ?? 'source');
  const run = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    await work();
    setBusy(false);
  };
  return (
    <>
      <p class="chip" title={target.selector}>
        {target.snapshot.source ? <SourceIcon size={12} /> : <JumpIcon size={12} />}
        <span class="chip-tag">
          {target.snapshot.component ?? target.snapshot.name ?? target.snapshot.tag}
        </span>
        {target.snapshot.source && (
          <span
            class="chip-file"
            title={target.snapshot.source.file + (target.snapshot.source.line ? '' : ' (line not known)')}
          >
            {target.snapshot.source.file.split(/[\\/]/).at(-1)}
            {target.snapshot.source.line ? `:${target.snapshot.source.line}` : ''}
          </span>
        )}
      </p>
      {reason && (
        <div
          class="why"
          data-testid="thread-verdict"
          data-verdict={verdict ?? ''}
          data-place={place}
          data-tone={tone}
        >
          <p>
            {reason}{' '}
            {verdict &&
              saysSureness(cause, isAsked) &&
              confidence !== null &&
              (place === 'found' || place === 'unsure' || place === 'gone') && (
                <span class="hint" title={surenessSentence(confidence)}>
                  {verdictWords(verdict, confidence)}.
                </span>
              )}
          </p>
          {verdict === 'changed' && place !== 'gone' && place !== 'away' && <Differences diff={diff} />}
          {offers && (
            <Candidates
              elements={candidates}
              layer={layer}
              follow={follow}
              title={questionOf(place, candidates.length)}
              busy={busy}
              choose={(element) => void run(() => pinTo(state, sightings, comment, at, element))}
            />
          )}
        </div>
      )}
      {wrong && (
        <div class="row">
          {offerSame && (
            <button
              type="button"
              class="button"
              data-testid="thread-still-same"
              data-part
              aria-disabled={busy}
              title="What it looks like now is what the comment is about"
              onClick={() => void run(() => confirmSame(state, sightings, comment))}
            >
              Still the same
            </button>
          )}
          <button
            type="button"
            class={`button ${asks ? 'quiet' : ''}`}
            data-testid="thread-repin"
            data-part
            onClick={() => pickFor(state, comment.id, at)}
          >
            Point at it again
          </button>
        </div>
      )}
    </>
  );
}

function questionOf(place: Place, count: number): string {
  if (count === 1) return 'Is it this one?';
  return place === 'unsure' ? 'Which one is it?' : 'Is it one of these?';
}
