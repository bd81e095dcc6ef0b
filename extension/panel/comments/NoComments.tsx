/** What stands in the list's place when it is empty, and why. */
import { PickIcon } from '../../design/icons';
import type { BrowserShortcuts } from '../frame/browser-shortcuts';
import { NoPickingKeys, OrPickingKeys } from '../frame/Shortcuts';
import type { Listing } from './listing';

interface Props {
  list: Listing;
  shortcuts: BrowserShortcuts;
}

function FirstSteps({ list, shortcuts }: Props) {
  const elsewhere = list.scope.value === 'page' ? list.elsewhere.value : 0;
  return (
    <div class="empty" data-testid="empty">
      <PickIcon size={28} />
      <h2>No comments on this {list.scope.value === 'page' ? 'page' : 'site'} yet</h2>
      <ol>
        <li>
          Press opentoolbar’s button in the browser’s toolbar
          <OrPickingKeys shortcuts={shortcuts} />: a picture of the element comes along. <b>Pick</b> in this
          panel works too, without a picture.
        </li>
        <li>Click the element you mean; Shift+click takes several.</li>
        <li>Say what you want. Your agent gets the element, its source file, your words, and the picture.</li>
      </ol>
      <NoPickingKeys shortcuts={shortcuts} />
      {elsewhere > 0 && (
        <button
          type="button"
          class="button"
          data-testid="show-elsewhere"
          onClick={() => {
            list.scope.value = 'origin';
          }}
        >
          Show {elsewhere} on other pages of this site
        </button>
      )}
    </div>
  );
}

export function NoComments({ list, shortcuts }: Props) {
  if (list.counts.value.all === 0) return <FirstSteps list={list} shortcuts={shortcuts} />;
  return (
    <div class="empty" data-testid="no-match">
      <h2>No comment matches</h2>
      <p>
        {list.counts.value.all} {list.counts.value.all === 1 ? 'is' : 'are'} hidden by the filter or the
        search.
      </p>
      <button
        type="button"
        class="button"
        onClick={() => {
          list.filter.value = 'all';
          list.search.value = '';
        }}
      >
        Show all
      </button>
    </div>
  );
}
