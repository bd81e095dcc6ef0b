/** The platform as the real browser gives it. */
import { effect } from '@preact/signals';
import { browser } from 'wxt/browser';
import { inTime, TooLate, Unanswered } from '../../ask-again';
import type { Answer, Type } from '../../messages';
import { openShortcutSettings, SHORTCUT_SETTINGS, shortcuts } from '../../shortcuts';
import { LOCAL_SITES } from '../../sites';
import type {
  ApprovalsToPanel,
  BackgroundToPanel,
  ChatToPanel,
  PanelToApprovals,
  PanelToBackground,
  PanelToChat,
} from '../../state/ports';
import type { Result } from '../../state/result';
import type { Platform } from './platform';

const LATE =
  "The extension's background does not answer. Try again. If that does not help, close this panel and open it again.";
const NOTIFICATIONS = { permissions: ['notifications' as const] };
const RELOADED = 'The extension was updated or reloaded. Close this panel and open it again.';

async function ask(type: string, payload: unknown): Promise<unknown> {
  let result: Result<unknown> | undefined;
  try {
    result = await inTime(browser.runtime.sendMessage({ type, payload }), LATE);
  } catch (error) {
    if (error instanceof TooLate) throw error;
    if (!browser.runtime?.id) throw new Error(RELOADED);
    throw new Unanswered("The extension's background ended before it answered. Try again.");
  }
  if (!result) throw new Unanswered("The extension's background gave no answer. Try again.");
  if ('error' in result) throw new Error(result.error);
  return result.ok;
}

/**
 * A line to the background: says what changes, the first time at once, and hears the answers until the returned
 * function is called.
 */
function listen<Said, Heard>(
  name: string,
  said: () => Said,
  watcher: { onLost(): void },
  heard: (message: Heard) => void,
): () => void {
  let port: ReturnType<typeof browser.runtime.connect>;
  try {
    port = browser.runtime.connect({ name });
  } catch {
    // Throws once the extension was reloaded; told in a later turn, as every other loss is.
    const timer = setTimeout(() => watcher.onLost());
    return () => clearTimeout(timer);
  }
  port.onMessage.addListener((message: Heard) => heard(message));
  const hush = effect(() => port.postMessage(said()));
  port.onDisconnect.addListener(() => {
    hush();
    watcher.onLost();
  });
  return () => {
    hush();
    port.disconnect();
  };
}

/** Follows the active tab of the panel's own window, or stays with one tab. */
function followTab(fixed: number | undefined, onTab: (tabId: number | null) => void): () => void {
  let shown: number | null | undefined;
  const show = (tabId: number | null) => {
    if (tabId !== shown) onTab(tabId);
    shown = tabId;
  };
  const ended = new AbortController();
  const onRemoved = (tabId: number) => {
    if (tabId === shown) show(null);
  };
  browser.tabs.onRemoved.addListener(onRemoved);
  ended.signal.addEventListener('abort', () => browser.tabs.onRemoved.removeListener(onRemoved));
  if (fixed !== undefined) {
    browser.tabs.get(fixed).then(
      () => show(fixed),
      () => show(null),
    );
    return () => ended.abort();
  }
  const own = browser.runtime.getURL('/');
  browser.windows.getCurrent().then(
    async ({ id: windowId }) => {
      const showActive = async () => {
        const tabs = await browser.tabs.query(windowId === undefined ? {} : { windowId });
        // A panel that was opened as a tab would show itself: it shows the tab that was looked at before it.
        const others = tabs.filter((tab) => !tab.url?.startsWith(own));
        const latest = others.sort((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0];
        show((others.find(({ active }) => active) ?? latest)?.id ?? null);
      };
      const onActivated = (info: { windowId: number }) => {
        if (info.windowId === windowId) void showActive();
      };
      if (ended.signal.aborted) return;
      browser.tabs.onActivated.addListener(onActivated);
      ended.signal.addEventListener('abort', () => browser.tabs.onActivated.removeListener(onActivated));
      await showActive();
    },
    () => show(null),
  );
  return () => ended.abort();
}

/** `fixedTab`: show this tab whatever is active. */
export function browserPlatform(fixedTab: number | undefined): Platform {
  return {
    async ask<T extends Type<'panel'>>(type: T, payload: unknown) {
      return (await ask(type, payload)) as Answer<'panel', T>;
    },
    watch: (tabId, sight, watcher) =>
      listen<PanelToBackground, BackgroundToPanel>(
        'panel',
        () => ({ type: 'watch', tabId, sight: sight.value }),
        watcher,
        (message) => {
          if (message.type === 'show_view') watcher.onShow(message.view);
          else watcher.onState(message.state);
        },
      ),
    watchChat: (sessionId, watcher) =>
      listen<PanelToChat, ChatToPanel>(
        'chat',
        () => ({ type: 'watch_chat', sessionId }),
        watcher,
        (message) => {
          if (message.type === 'chat') watcher.onChat(message.chat);
          else watcher.onText(message.messageId, message.text, message.parts);
        },
      ),
    watchApprovals: (tabId, watcher) =>
      listen<PanelToApprovals, ApprovalsToPanel>(
        'approvals',
        () => ({ type: 'watch_approvals', tabId: tabId.value }),
        watcher,
        (message) => {
          if (message.type === 'approvals') watcher.onApprovals(message.state);
          else watcher.onShow();
        },
      ),
    notificationsAllowed: () => browser.permissions.contains(NOTIFICATIONS),
    allowNotifications: () => browser.permissions.request(NOTIFICATIONS),
    followTab: (onTab) => followTab(fixedTab, onTab),
    async copy(text) {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        throw new Error('The browser refused the clipboard. Click into the panel and try again.');
      }
    },
    download(name, text) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      link.download = name;
      link.click();
      // The browser has to have read it before it goes.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
    shortcuts,
    shortcutSettings: SHORTCUT_SETTINGS,
    openShortcutSettings,
    async allowSites(urls) {
      const origins = urls.map((url) => {
        const { protocol, hostname } = new URL(url);
        return `${protocol}//${hostname}/*`;
      });
      return browser.permissions.request({ origins });
    },
    localSitesAllowed: () => browser.permissions.contains({ origins: LOCAL_SITES }),
    allowLocalSites: () => browser.permissions.request({ origins: LOCAL_SITES }),
    openLink(url) {
      void browser.tabs.create({ url });
    },
    async navigate(tabId, url) {
      await browser.tabs.update(tabId, { url });
    },
    now: () => Date.now(),
  };
}
