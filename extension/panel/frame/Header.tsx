/** Which page this is about, and the button that starts picking on it. */

import type { Signal } from '@preact/signals';
import { HelpIcon, PickIcon } from '../../design/icons';
import type { BrowserShortcuts } from './browser-shortcuts';
import { IconButton } from './IconButton';
import type { PageTools } from './page-tools';

interface Props {
  page: PageTools;
  shortcuts: BrowserShortcuts;
  /** Whether the help is shown. */
  helpOpen: Signal<boolean>;
}

export function Header({ page, shortcuts, helpOpen }: Props) {
  const state = page.tab.state.value;
  const address = page.tab.address.value;
  const picking = state?.picking ?? false;
  const keys = shortcuts.keys.value?.picking;
  const hint = keys || (keys === '' ? `no shortcut is set: ${shortcuts.settings}` : '');
  // Browsers give a picture of the page to what the person calls in one of these ways, and not to a button of ours.
  const forPicture = `To keep a picture with the comment, start with the toolbar button${keys ? ` or ${keys}` : ''}.`;
  return (
    <header class="header">
      <div class="page">
        <h1 title={state?.title}>{state?.title || address.host || 'opentoolbar'}</h1>
        {/* A line of its own from the start: the title must not move when the address comes. */}
        <p class="mono muted" title={state?.url}>
          {(address.isWeb ? address.host + address.pathname : state?.url) || '\u00a0'}
        </p>
      </div>
      {state?.allowed && (
        <button
          type="button"
          class={`button ${picking ? 'primary' : ''}`}
          data-testid="toggle-picking"
          aria-pressed={picking}
          title={`Pick an element to comment on${hint && ` (${hint})`}\n${forPicture}`}
          onClick={() => page.togglePicking()}
        >
          <PickIcon />
          {picking ? 'Picking…' : 'Pick'}
        </button>
      )}
      <IconButton
        label="Keyboard and help"
        title="Keyboard and help (?)"
        testId="help"
        onClick={() => {
          helpOpen.value = true;
        }}
      >
        <HelpIcon />
      </IconButton>
    </header>
  );
}
