/** The views of the panel. Arrow keys walk them; a mark tells of answers that nobody has read. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ChatIcon, CommentIcon, HideIcon, ShowIcon } from '../../design/icons';
import type { View, Workbench } from '../workbench';

const VIEWS: readonly View[] = ['comments', 'chat'];
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The ids by which a tab and what it shows know one another. */
export const viewId = (view: View) => `view-${view}`;
const tabId = (view: View) => `tab-${view}`;

export function ActivityBar({ bench }: { bench: Workbench }) {
  const bar = useRef<HTMLDivElement>(null);
  const unread = bench.chat.unread.value;
  const onKeyDown = (event: KeyboardEvent) => {
    const at = VIEWS.indexOf(bench.view.peek());
    const step = STEPS[event.key];
    const to =
      step !== undefined
        ? VIEWS[(at + step + VIEWS.length) % VIEWS.length]
        : event.key === 'Home'
          ? VIEWS[0]
          : event.key === 'End'
            ? VIEWS.at(-1)
            : undefined;
    if (!to) return;
    event.preventDefault();
    bench.show(to);
    bar.current?.querySelector<HTMLElement>(`#${tabId(to)}`)?.focus();
  };
  const tab = (view: View, name: string, icon: ComponentChildren, marks: number) => {
    const selected = bench.view.value === view;
    return (
      <button
        type="button"
        id={tabId(view)}
        class="activity"
        role="tab"
        aria-selected={selected}
        aria-controls={selected ? viewId(view) : undefined}
        tabIndex={selected ? 0 : -1}
        data-testid={`tab-${view}`}
        onClick={() => bench.show(view)}
      >
        {icon}
        <span>{name}</span>
        {marks > 0 && (
          <span class="mark" data-testid={`marks-${view}`}>
            {marks > 99 ? '99+' : marks}
            <span class="hidden"> unread</span>
          </span>
        )}
      </button>
    );
  };
  return (
    <nav class="views" aria-label="Views">
      <div class="activities" role="tablist" ref={bar} onKeyDown={onKeyDown}>
        {tab('comments', 'Comments', <CommentIcon />, 0)}
        {tab('chat', 'Chat', <ChatIcon />, unread)}
      </div>
      <PinsButton bench={bench} />
    </nav>
  );
}

/** Hides the pins that cover the page, or shows them again; where the page has any. */
function PinsButton({ bench }: { bench: Workbench }) {
  const state = bench.tab.state.value;
  const { pathname } = bench.address.value;
  const hasPins = state?.comments.some((one) => one.pathname === pathname && one.deletedAt === undefined);
  if (!state?.allowed || (!hasPins && !state.pinsHidden)) return null;
  const keys = bench.shortcuts.value?.pins;
  const isHidden = state.pinsHidden;
  return (
    <button
      type="button"
      class="button quiet small"
      data-testid="toggle-pins"
      title={`${isHidden ? 'Show the pins on the page again' : 'Hide the pins on the page, in this tab'}${keys ? ` (${keys})` : ''}`}
      onClick={() => bench.togglePins()}
    >
      {isHidden ? <ShowIcon size={14} /> : <HideIcon size={14} />}
      {isHidden ? 'Show pins' : 'Hide pins'}
    </button>
  );
}
