/** Which comments the list shows: this page or the site, a status, words. */
import { CloseIcon, SearchIcon, StatusShape } from '../../design/icons';
import { statusLook } from '../../design/status';
import { IconButton } from '../frame/IconButton';
import { filters, type Scope } from './list';
import type { Listing } from './listing';

export const SEARCH_ID = 'search';

function ScopeButton({ list, scope, label }: { list: Listing; scope: Scope; label: string }) {
  return (
    <button
      type="button"
      class="segment"
      data-testid={`scope-${scope}`}
      aria-pressed={list.scope.value === scope}
      onClick={() => {
        list.scope.value = scope;
      }}
    >
      {label}
    </button>
  );
}

export function FilterBar({ list }: { list: Listing }) {
  const counts = list.counts.value;
  const search = list.search.value;
  const clear = () => {
    list.search.value = '';
  };
  return (
    <search class="filters" aria-label="Filter comments">
      <div class="row">
        <fieldset class="segments">
          <legend class="hidden">Where</legend>
          <ScopeButton list={list} scope="page" label="This page" />
          <ScopeButton list={list} scope="origin" label="Whole site" />
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
              list.search.value = event.currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') clear();
              if (event.key === 'ArrowDown' || event.key === 'Enter') {
                event.preventDefault();
                list.focus(list.drawn.value[0]?.id ?? null);
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
            aria-pressed={list.filter.value === filter}
            onClick={() => {
              list.filter.value = filter;
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
