/** The keys of the browser's own, as it has them; where it has none, how to get one. */
import type { Workbench } from '../workbench';

/** ` or <the keys that start picking>`; nothing where none are set. */
export function OrPickingKeys({ bench }: { bench: Workbench }) {
  const keys = bench.shortcuts.value?.picking;
  if (!keys) return null;
  return (
    <>
      {' '}
      or <kbd>{keys}</kbd>
    </>
  );
}

/** Says that no keys start picking, and leads to where they are set. */
export function NoPickingKeys({ bench }: { bench: Workbench }) {
  if (bench.shortcuts.value?.picking !== '') return null;
  return (
    <p class="muted" data-testid="no-shortcut">
      No keyboard shortcut is set for picking. <SetShortcuts bench={bench}>Set one</SetShortcuts> in{' '}
      {bench.platform.shortcutSettings}
    </p>
  );
}

export function SetShortcuts({ bench, children }: { bench: Workbench; children: string }) {
  return (
    <button
      type="button"
      class="button quiet small"
      onClick={() => {
        bench.platform.openShortcutSettings().catch(() => {
          const where = bench.platform.shortcutSettings;
          bench.messages.failed(
            `The browser did not open its shortcut settings. Open them yourself: ${where}.`,
          );
        });
      }}
    >
      {children}
    </button>
  );
}
