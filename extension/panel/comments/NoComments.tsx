/** What stands in the list's place when it is empty, and why. */
import { PickIcon } from '../../design/icons';
import { NoPickingKeys, OrPickingKeys } from '../frame/Shortcuts';
import type { Workbench } from '../workbench';

function FirstSteps({ bench }: { bench: Workbench }) {
  const elsewhere = bench.scope.value === 'page' ? bench.elsewhere.value : 0;
  return (
    <div class="empty" data-testid="empty">
      <PickIcon size={28} />
      <h2>No comments on this {bench.scope.value === 'page' ? 'page' : 'site'} yet</h2>
      <ol>
        <li>
          Press opentoolbar’s button in the browser’s toolbar
          <OrPickingKeys bench={bench} />: a picture of the element comes along. <b>Pick</b> in this panel
          works too, without a picture.
        </li>
        <li>Click the element you mean; Shift+click takes several.</li>
        <li>Say what you want. Your agent gets the element, its source file, your words, and the picture.</li>
      </ol>
      <NoPickingKeys bench={bench} />
      {elsewhere > 0 && (
        <button
          type="button"
          class="button"
          data-testid="show-elsewhere"
          onClick={() => {
            bench.scope.value = 'origin';
          }}
        >
          Show {elsewhere} on other pages of this site
        </button>
      )}
    </div>
  );
}

export function NoComments({ bench }: { bench: Workbench }) {
  if (bench.counts.value.all === 0) return <FirstSteps bench={bench} />;
  return (
    <div class="empty" data-testid="no-match">
      <h2>No comment matches</h2>
      <p>
        {bench.counts.value.all} {bench.counts.value.all === 1 ? 'is' : 'are'} hidden by the filter or the
        search.
      </p>
      <button
        type="button"
        class="button"
        onClick={() => {
          bench.filter.value = 'all';
          bench.search.value = '';
        }}
      >
        Show all
      </button>
    </div>
  );
}
