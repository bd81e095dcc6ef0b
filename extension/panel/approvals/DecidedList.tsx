/** What was decided last: what, by whom, how and when. */
import { useSignal } from '@preact/signals';
import { CheckIcon, CloseIcon } from '../../design/icons';
import type { Verification } from '../../generated/Verification';
import { Ago } from '../frame/Ago';
import type { Approvals } from './approvals';
import { laidOut } from './laid-out';
import { outcome } from './words';

export function DecidedList({ approvals, decided }: { approvals: Approvals; decided: Verification[] }) {
  return (
    <section aria-labelledby="approvals-decided">
      <h2 id="approvals-decided">Decided last</h2>
      <ul class="decided" data-testid="decided">
        {decided.map((one) => (
          <li key={one.id} class="decided-item" data-testid={`decided-${one.id}`}>
            <span class={one.decided?.approved ? 'approved' : 'rejected'}>
              {one.decided?.approved ? <CheckIcon size={14} /> : <CloseIcon size={14} />}
            </span>
            <div class="decided-words">
              <p class="decided-action" dir="auto" title={one.action}>
                {one.action}
              </p>
              <p class="muted">
                {outcome(one)}
                {one.decided && (
                  <>
                    {' · '}
                    <Ago clock={approvals.clock} at={one.decided.at} />
                  </>
                )}
                {' · '}
                asked by <bdi>{one.asker}</bdi>
                {one.project.root !== approvals.ownRoot.value && (
                  <>
                    {' in '}
                    <bdi>{one.project.name}</bdi>
                  </>
                )}
              </p>
              <Exactly one={one} />
              {one.decided?.note && (
                <p class="decided-note" dir="auto">
                  {one.decided.note}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All that was asked; drawn once somebody wants to see it. */
function Exactly({ one }: { one: Verification }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="decided-what"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>What exactly, and why</summary>
      {isOpen.value && (
        <>
          <Told words={one.action} />
          <Told words={one.reason} />
          {one.context !== undefined && <Told words={laidOut(one.context)} />}
        </>
      )}
    </details>
  );
}

/** As it was asked; it scrolls, so it can have the focus. */
function Told({ words }: { words: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <pre class="fenced mono" dir="auto" tabIndex={0}>
      {words}
    </pre>
  );
}
