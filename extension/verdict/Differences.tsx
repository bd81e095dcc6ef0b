/**
 * What differs, drawn as a list: what went is struck through, what came is underlined, and both are said to screen
 * readers.
 */
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldChange } from '../generated/FieldChange';
import { differenceOf, type Piece } from './difference';

/** More than this many are folded. */
const SHOWN = 6;

export function Differences({ diff }: { diff: readonly FieldChange[] }) {
  const [all, setAll] = useState(false);
  if (diff.length === 0) return null;
  const shown = all ? diff : diff.slice(0, SHOWN);
  return (
    <div class="differences" data-testid="differences">
      <dl aria-label="What differs">
        {shown.map((change, at) => (
          <Row key={`${at} ${change.field}`} change={change} />
        ))}
      </dl>
      {diff.length > shown.length && (
        <button type="button" class="button quiet small" data-part onClick={() => setAll(true)}>
          Show {diff.length - shown.length} more
        </button>
      )}
    </div>
  );
}

function Row({ change }: { change: FieldChange }) {
  const { label, pieces } = differenceOf(change);
  return (
    <div class="difference" data-field={change.field}>
      <dt>{label}</dt>
      <dd>
        {pieces.map((piece, at) => (
          <Fragment key={at}>
            {/* Of several classes each is a piece of its own. */}
            {piece.kind !== 'same' && piece.kind === pieces[at - 1]?.kind && ' '}
            <Part piece={piece} arrow={pieces[at - 1]?.kind === 'removed'} />
          </Fragment>
        ))}
      </dd>
    </div>
  );
}

function Part({ piece: { kind, text }, arrow }: { piece: Piece; arrow: boolean }) {
  if (kind === 'same') return <span>{text}</span>;
  const said = <span class="said-only">{kind === 'removed' ? 'was ' : 'now '}</span>;
  if (kind === 'removed') {
    return (
      <del>
        {said}
        {text}
      </del>
    );
  }
  return (
    <>
      {arrow && (
        <span class="arrow" aria-hidden="true">
          {' → '}
        </span>
      )}
      <ins>
        {said}
        {text}
      </ins>
    </>
  );
}
