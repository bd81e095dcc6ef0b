/** The whole panel. The frame stays; the room below the activity bar belongs to the view. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApprovalsView, NOTE_ID } from './approvals/ApprovalsView';
import { ChatView } from './chat/ChatView';
import { COMPOSER_ID } from './chat/Composer';
import { CommentsView } from './comments/CommentsView';
import { takesText } from './comments/card-keys';
import { rememberedLevel } from './comments/ExchangeBar';
import { SEARCH_ID } from './comments/FilterBar';
import { ConnectionAdvice, ConnectionStrip } from './connection/ConnectionStrip';
import { PairingDetails } from './connection/pairing/PairingDetails';
import { ActivityBar, viewId } from './frame/ActivityBar';
import { Boundary } from './frame/Boundary';
import { Header } from './frame/Header';
import { Help } from './frame/Help';
import { NoticeList } from './frame/NoticeList';
import { NoAnswer, NoTab, NotAllowed, Waiting } from './frame/NotNow';
import { VIEWS, type View } from './frame/views';
import { ConfigFileSection } from './gateway/ConfigFileSection';
import type { Workbench } from './workbench';

/** Comments that wait for work. */
function openCount({ comments }: Workbench): number {
  const { active, outdated } = comments.list.counts.peek();
  return active + outdated;
}

/** The field of each view that `/` leads to. */
const FIELDS: Record<View, string> = {
  comments: SEARCH_ID,
  chat: COMPOSER_ID,
  approvals: NOTE_ID,
};

function panelKey(bench: Workbench, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || takesText(event.target) || bench.helpOpen.peek()) return;
  const withMod = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (withMod && key === 'z' && !event.shiftKey) {
    event.preventDefault();
    void bench.comments.actions.undo();
  } else if (withMod) {
    return;
  } else if (key === '?') {
    event.preventDefault();
    bench.helpOpen.value = true;
  } else if (key === '/') {
    event.preventDefault();
    document.getElementById(FIELDS[bench.views.view.peek()])?.focus();
  } else if (bench.views.view.peek() !== 'comments') {
    return;
  } else if (key === 'c' && openCount(bench) > 0) {
    event.preventDefault();
    void bench.comments.exchange.copyPrompt(rememberedLevel());
  } else if (key === 'arrowdown' && event.target === document.body) {
    event.preventDefault();
    const { list } = bench.comments;
    list.focus(list.current.peek() ?? list.drawn.peek()[0]?.id ?? null);
  }
}

/** What there is to do about the connection, in every view. */
function BelowView({ bench: { link, repair } }: { bench: Workbench }) {
  return (
    <>
      <Boundary repair={repair} what="What there is to do about the connection">
        <ConnectionAdvice link={link} />
      </Boundary>
      <PairingDetails link={link} />
    </>
  );
}

/** How each view is drawn. `below`: what stands at its end. */
const DRAWN: Record<View, (bench: Workbench, below: ComponentChildren) => ComponentChildren> = {
  comments: ({ comments, shortcuts, repair }, below) => (
    <CommentsView comments={comments} shortcuts={shortcuts} repair={repair}>
      {below}
    </CommentsView>
  ),
  chat: ({ chat, shortcuts, repair }, below) => (
    <ChatView chat={chat} shortcuts={shortcuts} repair={repair}>
      {below}
    </ChatView>
  ),
  approvals: ({ approvals, configFile }, below) => (
    <ApprovalsView approvals={approvals} foot={<ConfigFileSection file={configFile} />}>
      {below}
    </ApprovalsView>
  ),
};

function DrawnView({ bench, view }: { bench: Workbench; view: View }) {
  const { repair } = bench;
  return (
    <div class="current-view" id={viewId(view)} role="tabpanel">
      <Boundary key={view} repair={repair} what={VIEWS[view].what}>
        {DRAWN[view](bench, bench.tab.state.value && <BelowView bench={bench} />)}
      </Boundary>
    </div>
  );
}

function CurrentView({ bench }: { bench: Workbench }) {
  const line = bench.tab.line.value;
  const view = bench.views.view.value;
  // It is of all projects: whatever the tab shows, and whether opentoolbar may be there.
  if (view === 'approvals') return <DrawnView bench={bench} view={view} />;
  const state = bench.tab.state.value;
  if (line === 'no_tab') return <NoTab />;
  if (!state) return line === 'lost' ? <NoAnswer tab={bench.tab} /> : <Waiting />;
  if (!state.allowed && bench.comments.list.all.value.length === 0) {
    return (
      <main class="view">
        <NotAllowed sites={bench.sites} />
      </main>
    );
  }
  return <DrawnView bench={bench} view={view} />;
}

/** Whether there is more than one view to choose from. */
function hasViews({ tab, comments, approvals, views }: Workbench): boolean {
  const isHere = tab.state.value?.allowed || comments.list.all.value.length > 0;
  return isHere || approvals.waiting.value > 0 || views.view.value === 'approvals';
}

export function Panel({ bench }: { bench: Workbench }) {
  useEffect(() => {
    const listen = new AbortController();
    document.addEventListener('keydown', (event) => panelKey(bench, event), { signal: listen.signal });
    return () => listen.abort();
  }, [bench]);
  const { approvals, chat, comments, helpOpen, link, notices, page, repair, shortcuts } = bench;
  const state = bench.tab.state.value;
  return (
    <div class="workbench">
      <Boundary repair={repair} what="The page’s name">
        <Header page={page} shortcuts={shortcuts} helpOpen={helpOpen} />
      </Boundary>
      <Boundary repair={repair} what="The connection">
        {(state?.allowed ?? bench.tab.line.value === 'waiting') && <ConnectionStrip link={link} />}
      </Boundary>
      {state && bench.tab.line.value === 'lost' && (
        <p class="banner" role="alert" data-testid="stale">
          The extension isn’t responding. What you see may be out of date. Retrying…
        </p>
      )}
      {state && !state.allowed && bench.comments.list.all.value.length > 0 && (
        <section class="banner" aria-label="This page">
          <NotAllowed sites={bench.sites} />
        </section>
      )}
      <Boundary repair={repair} what="The choice of views">
        {hasViews(bench) && (
          <ActivityBar
            views={bench.views}
            marks={{ chat: chat.unread, approvals: approvals.waiting }}
            page={page}
            shortcuts={shortcuts}
          />
        )}
      </Boundary>
      <Boundary repair={repair} what="This view">
        <CurrentView bench={bench} />
      </Boundary>
      <Boundary repair={repair} what="What was done">
        <NoticeList notices={notices} undo={(step) => comments.actions.undo(step)} />
      </Boundary>
      <p class="hidden" role="status" data-testid="announcement">
        {bench.announcement}
      </p>
      <Boundary repair={repair} what="The help">
        <Help isOpen={helpOpen} shortcuts={shortcuts} />
      </Boundary>
    </div>
  );
}
