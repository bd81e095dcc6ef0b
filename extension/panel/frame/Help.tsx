/** The keys and the way of working, in a dialog. */

import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { CloseIcon } from '../../design/icons';
import type { BrowserShortcuts } from './browser-shortcuts';
import { IconButton } from './IconButton';
import { SetShortcuts } from './Shortcuts';

const mac = /mac/i.test(navigator.userAgent);
const mod = mac ? '⌘' : 'Ctrl';

/** Keys of the panel, for people. */
export const keys: readonly [keys: string[], what: string][] = [
  [['↑', '↓'], 'Move through the comments (also K, J; Home, End)'],
  [['Enter'], 'Jump to the element in the page'],
  [['E'], 'Edit the comment'],
  [['R'], 'Resolve, or reopen'],
  [['A'], 'Reply'],
  [['Delete'], 'Delete the comment'],
  [[`${mod}+Z`], 'Undo'],
  [['C'], 'Copy as prompt'],
  [['/'], 'Search'],
  [[`${mod}+Enter`], 'Save what you write'],
  [['Esc'], 'Leave a text without saving; clear the search'],
  [['Enter'], 'In the chat: send; Shift+Enter for a new line'],
  [['?'], 'This help'],
];

/** Keys and ways on the page, for people: they are said while an element is picked, and wanted before. */
const onPage: readonly [keys: string[], what: string][] = [
  [['Shift'], 'Held while you click: pick several elements'],
  [['↑', '↓', '←', '→'], 'Walk the page from the element that is framed; Enter picks it'],
  [[`${mod}+Enter`], 'Save the comment'],
  [[`${mod}+Shift+Enter`], 'Send it to the chat instead'],
  [['Esc'], 'Stop picking; close a thread'],
];

interface Props {
  isOpen: Signal<boolean>;
  shortcuts: BrowserShortcuts;
}

export function Help({ isOpen, shortcuts }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = isOpen.value;
  const browserKeys = shortcuts.keys.value;
  const everywhere = [
    [browserKeys?.picking, 'Pick an element in the page (works everywhere)'],
    [browserKeys?.panel, 'Open this panel (works everywhere)'],
    [browserKeys?.pins, 'Hide the pins on the page, or show them (works everywhere)'],
  ] as const;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const close = () => {
    isOpen.value = false;
  };
  return (
    <dialog class="help" ref={dialog} aria-labelledby="help-title" onClose={close}>
      <header>
        <h2 id="help-title">Keyboard and help</h2>
        <IconButton label="Close help" onClick={close}>
          <CloseIcon />
        </IconButton>
      </header>
      <dl>
        {browserKeys &&
          everywhere.map(([keys, what]) => (
            <div key={what} data-testid="everywhere">
              <dt>{keys ? <kbd>{keys}</kbd> : <span class="muted">not set</span>}</dt>
              <dd>{what}</dd>
            </div>
          ))}
      </dl>
      <h3>On the page</h3>
      <KeyList all={onPage} />
      <h3>In this panel</h3>
      <KeyList all={keys} />
      <p class="muted">
        Shortcuts that work on every page are set in the browser.{' '}
        <SetShortcuts shortcuts={shortcuts}>Set them</SetShortcuts> in {shortcuts.settings}
      </p>
      <p class="muted">
        “Connected” means that a message went there and an answer came back. Without a host, comments stay in
        this browser; Copy as Prompt and the JSON export work all the same.
      </p>
      <p class="muted">
        A resolved comment keeps its pin on the page for a day; later, Jump brings the pin back. A picture is
        kept with a comment when you start picking by the toolbar button or its shortcut.
      </p>
    </dialog>
  );
}

function KeyList({ all }: { all: readonly [keys: string[], what: string][] }) {
  return (
    <dl>
      {all.map(([names, what]) => (
        <div key={what}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
