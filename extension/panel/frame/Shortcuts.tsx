/** The keys of the browser's own, as it has them; where it has none, how to get one. */
import type { BrowserShortcuts } from './browser-shortcuts';

/** ` or <the keys that start picking>`; nothing where none are set. */
export function OrPickingKeys({ shortcuts }: { shortcuts: BrowserShortcuts }) {
  const keys = shortcuts.keys.value?.picking;
  if (!keys) return null;
  return (
    <>
      {' '}
      or <kbd>{keys}</kbd>
    </>
  );
}

/** Says that no keys start picking, and leads to where they are set. */
export function NoPickingKeys({ shortcuts }: { shortcuts: BrowserShortcuts }) {
  if (shortcuts.keys.value?.picking !== '') return null;
  return (
    <p class="muted" data-testid="no-shortcut">
      No keyboard shortcut is set for picking. <SetShortcuts shortcuts={shortcuts}>Set one</SetShortcuts> in{' '}
      {shortcuts.settings}
    </p>
  );
}

export function SetShortcuts({ shortcuts, children }: { shortcuts: BrowserShortcuts; children: string }) {
  return (
    <button type="button" class="button quiet small" onClick={() => shortcuts.openSettings()}>
      {children}
    </button>
  );
}
