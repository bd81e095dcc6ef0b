/** Which page this is about, and the button that starts picking on it. */
import { HelpIcon, PickIcon } from '../../design/icons';
import type { Workbench } from '../workbench';
import { IconButton } from './IconButton';

export function Header({ bench }: { bench: Workbench }) {
  const state = bench.tab.state.value;
  const address = bench.address.value;
  const picking = state?.picking ?? false;
  const keys = bench.shortcuts.value?.picking;
  const hint = keys || (keys === '' ? `no shortcut is set: ${bench.platform.shortcutSettings}` : '');
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
          onClick={() => bench.togglePicking()}
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
          bench.helpOpen.value = true;
        }}
      >
        <HelpIcon />
      </IconButton>
    </header>
  );
}
