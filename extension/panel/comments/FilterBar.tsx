/** Which comments the list shows: this page or the site, a status, words. */
import { CloseIcon, SearchIcon, StatusShape } from '../../design/icons';
import { statusLook } from '../../design/status';
import { IconButton } from '../frame/IconButton';
import type { Workbench } from '../workbench';
import { filters, type Scope } from './list';

export const SEARCH_ID = 'search';

function ScopeButton({ bench, scope, label }: { bench: Workbench; scope: Scope; label: string }) {
  return (
    <button
      type="button"
      class="segment"
      data-testid={`scope-${scope}`}
      aria-pressed={bench.scope.value === scope}
      onClick={() => {
        bench.scope.value = scope;
      }}
    >
      {label}
    </button>
  );
}

export function FilterBar({ bench }: { bench: Workbench }) {
  const counts = bench.counts.value;
  const search = bench.search.value;
  const clear = () => {
    bench.search.value = '';
  };
  return (
    <search class="filters" aria-label="Filter comments">
      <div class="row">
        <fieldset class="segments">
          <legend class="hidden">Where</legend>
          <ScopeButton bench={bench} scope="page" label="This page" />
          <ScopeButton bench={bench} scope="origin" label="Whole site" />
        </fieldset>
        <div class="search">
          <SearchIcon size={14} />
          <input
            id={SEARCH_ID}
            class="input"
            type="search"
            placeholder="Search"
            aria-label="Search comments"
            title="Search (/)"
            data-testid="search"
            autocomplete="off"
            spellcheck={false}
            value={search}
            onInput={(event) => {
              bench.search.value = event.currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') clear();
              if (event.key === 'ArrowDown' || event.key === 'Enter') {
                event.preventDefault();
                bench.focus(bench.drawn.value[0]?.id ?? null);
              }
            }}
          />
          {search && (
            <IconButton label="Clear the search" onClick={clear}>
              <CloseIcon size={14} />
            </IconButton>
          )}
        </div>
      </div>
      <fieldset class="segments wide">
        <legend class="hidden">Status</legend>
        {filters.map((filter) => (
          <button
            key={filter}
            type="button"
            class="segment"
            data-testid={`filter-${filter}`}
            aria-pressed={bench.filter.value === filter}
            onClick={() => {
              bench.filter.value = filter;
            }}
          >
            {filter !== 'all' && <StatusShape status={filter} size={12} />}
            {filter === 'all' ? 'All' : statusLook[filter].word}
            <span class="count">{counts[filter]}</span>
          </button>
        ))}
      </fieldset>
    </search>
  );
}
