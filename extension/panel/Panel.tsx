/** The whole panel. The frame stays; the room below the activity bar belongs to the view: the comments or the chat. */
import { useEffect } from 'preact/hooks';
import { ChatView } from './chat/ChatView';
import { COMPOSER_ID } from './chat/Composer';
import { CommentsView } from './comments/CommentsView';
import { takesText } from './comments/card-keys';
import { rememberedLevel } from './comments/ExchangeBar';
import { SEARCH_ID } from './comments/FilterBar';
import { ConnectionStrip } from './connection/ConnectionStrip';
import { ActivityBar, viewId } from './frame/ActivityBar';
import { Boundary } from './frame/Boundary';
import { Header } from './frame/Header';
import { Help } from './frame/Help';
import { MessageList } from './frame/MessageList';
import { NoAnswer, NoTab, NotAllowed, Waiting } from './frame/NotNow';
import type { Workbench } from './workbench';

function panelKey(bench: Workbench, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || takesText(event.target) || bench.helpOpen.peek()) return;
  const withMod = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (withMod && key === 'z' && !event.shiftKey) {
    event.preventDefault();
    void bench.actions.undo();
  } else if (withMod) {
    return;
  } else if (key === '?') {
    event.preventDefault();
    bench.helpOpen.value = true;
  } else if (key === '/') {
    event.preventDefault();
    document.getElementById(bench.view.peek() === 'chat' ? COMPOSER_ID : SEARCH_ID)?.focus();
  } else if (bench.view.peek() !== 'comments') {
    return;
  } else if (key === 'c' && bench.counts.peek().active + bench.counts.peek().outdated > 0) {
    event.preventDefault();
    void bench.exchange.copyPrompt(rememberedLevel());
  } else if (key === 'arrowdown' && event.target === document.body) {
    event.preventDefault();
    bench.focus(bench.current.peek() ?? bench.drawn.peek()[0]?.id ?? null);
  }
}

function View({ bench }: { bench: Workbench }) {
  const line = bench.tab.line.value;
  const state = bench.tab.state.value;
  if (line === 'no_tab') return <NoTab />;
  if (!state) return line === 'lost' ? <NoAnswer bench={bench} /> : <Waiting />;
  if (!state.allowed && bench.all.value.length === 0) {
    return (
      <main class="view">
        <NotAllowed bench={bench} />
      </main>
    );
  }
  const view = bench.view.value;
  return (
    <div class="current-view" id={viewId(view)} role="tabpanel">
      <Boundary key={view} bench={bench} what={view === 'chat' ? 'The chat' : 'The comments'}>
        {view === 'chat' ? <ChatView bench={bench} /> : <CommentsView bench={bench} />}
      </Boundary>
    </div>
  );
}

export function Panel({ bench }: { bench: Workbench }) {
  useEffect(() => {
    const listen = new AbortController();
    document.addEventListener('keydown', (event) => panelKey(bench, event), { signal: listen.signal });
    return () => listen.abort();
  }, [bench]);
  const state = bench.tab.state.value;
  return (
    <div class="workbench">
      <Boundary bench={bench} what="The page’s name">
        <Header bench={bench} />
      </Boundary>
      <Boundary bench={bench} what="The connection">
        {(state?.allowed ?? bench.tab.line.value === 'waiting') && <ConnectionStrip bench={bench} />}
      </Boundary>
      {state && bench.tab.line.value === 'lost' && (
        <p class="banner" role="alert" data-testid="stale">
          The extension isn’t responding. What you see may be out of date. Retrying…
        </p>
      )}
      {state && !state.allowed && bench.all.value.length > 0 && (
        <section class="banner" aria-label="This page">
          <NotAllowed bench={bench} />
        </section>
      )}
      <Boundary bench={bench} what="The choice of views">
        {(state?.allowed || bench.all.value.length > 0) && <ActivityBar bench={bench} />}
      </Boundary>
      <Boundary bench={bench} what="This view">
        <View bench={bench} />
      </Boundary>
      <Boundary bench={bench} what="What was done">
        <MessageList bench={bench} />
      </Boundary>
      <p class="hidden" role="status" data-testid="announcement">
        {bench.announcement}
      </p>
      <Boundary bench={bench} what="The help">
        <Help bench={bench} />
      </Boundary>
    </div>
  );
}
