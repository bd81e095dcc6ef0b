/** The views of the panel. Arrow keys walk them; a mark tells of what nobody has read, or decided. */

import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ApprovalIcon, ChatIcon, CommentIcon, HideIcon, ShowIcon } from '../../design/icons';
import type { BrowserShortcuts } from './browser-shortcuts';
import type { PageTools } from './page-tools';
import { ALL_VIEWS, VIEWS, type View, type Views } from './views';

const ICONS: Record<View, () => ComponentChildren> = {
  comments: () => <CommentIcon />,
  chat: () => <ChatIcon />,
  approvals: () => <ApprovalIcon />,
};
/** What a mark counts. */
const COUNTED: Record<View, string> = { comments: '', chat: 'unread', approvals: 'waiting' };
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The ids by which a tab and what it shows know one another. */
export const viewId = (view: View) => `view-${view}`;
const tabId = (view: View) => `tab-${view}`;

interface PinsProps {
  page: PageTools;
  shortcuts: BrowserShortcuts;
}

interface Props extends PinsProps {
  views: Views;
  /** How much there is in a view that nobody has read, or decided. */
  marks: Partial<Record<View, ReadonlySignal<number>>>;
}

export function ActivityBar({ views, marks: counts, ...pins }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = ALL_VIEWS.indexOf(views.view.peek());
    const step = STEPS[event.key];
    const to =
      step !== undefined
        ? ALL_VIEWS[(at + step + ALL_VIEWS.length) % ALL_VIEWS.length]
        : event.key === 'Home'
          ? ALL_VIEWS[0]
          : event.key === 'End'
            ? ALL_VIEWS.at(-1)
            : undefined;
    if (!to) return;
    event.preventDefault();
    views.show(to);
    bar.current?.querySelector<HTMLElement>(`#${tabId(to)}`)?.focus();
  };
  const tab = (view: View) => {
    const marks = counts[view]?.value ?? 0;
    const selected = views.view.value === view;
    return (
      <button
        key={view}
        type="button"
        id={tabId(view)}
        class="activity"
        role="tab"
        aria-selected={selected}
        aria-controls={selected ? viewId(view) : undefined}
        tabIndex={selected ? 0 : -1}
        data-testid={`tab-${view}`}
        onClick={() => views.show(view)}
      >
        {ICONS[view]()}
        <span>{VIEWS[view].name}</span>
        {marks > 0 && (
          <span class="mark" data-testid={`marks-${view}`}>
            {marks > 99 ? '99+' : marks}
            <span class="hidden"> {COUNTED[view]}</span>
          </span>
        )}
      </button>
    );
  };
  return (
    <nav class="views" aria-label="Views">
      <div class="activities" role="tablist" ref={bar} onKeyDown={onKeyDown}>
        {ALL_VIEWS.map(tab)}
      </div>
      <PinsButton {...pins} />
    </nav>
  );
}

/** Hides the pins that cover the page, or shows them again; where the page has any. */
function PinsButton({ page, shortcuts }: PinsProps) {
  const state = page.tab.state.value;
  const { pathname } = page.tab.address.value;
  const hasPins = state?.comments.some((one) => one.pathname === pathname && one.deletedAt === undefined);
  if (!state?.allowed || (!hasPins && !state.pinsHidden)) return null;
  const keys = shortcuts.keys.value?.pins;
  const isHidden = state.pinsHidden;
  return (
    <button
      type="button"
      class="button quiet small"
      data-testid="toggle-pins"
      title={`${isHidden ? 'Show the pins on the page again' : 'Hide the pins on the page, in this tab'}${keys ? ` (${keys})` : ''}`}
      onClick={() => page.togglePins()}
    >
      {isHidden ? <ShowIcon size={14} /> : <HideIcon size={14} />}
      <span class="pins-words">{isHidden ? 'Show pins' : 'Hide pins'}</span>
    </button>
  );
}
