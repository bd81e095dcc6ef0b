import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { type App, COME_BACK, startApp } from '../background/app';
import type { ApprovalsPort } from '../background/approval-panels';
import { tellKeys } from '../background/badge';
import type { ChatPort } from '../background/chat-views';
import { watch, watchApprovals, watchChat } from '../background/messages/ports';
import { read } from '../background/messages/schema';
import { isOurs, notify } from '../background/notifications';
import { attachOpenTabs, followPermissions, register } from '../background/permissions';
import { answer } from '../background/router';
import { identify, type RawSender } from '../background/sender';
import { tabClosed, tabUpdated } from '../background/tab-life';
import { openPanel, openPanelTab, toggle } from '../background/toolbar';
import type { PanelPort } from '../background/views';
import { DELIVER } from '../background/wakeup';
import { LOCAL_SITES } from '../sites';

/**
 * Listeners are registered while the script runs, before anything is awaited: a browser that wakes the background for
 * an event delivers it only to those.
 */
export default defineBackground(() => {
  let starting: Promise<App> | undefined;
  /** The app, started at most once; a failed start is tried again at the next need. */
  const app = (): Promise<App> => {
    starting ??= startApp().catch((failure: unknown) => {
      starting = undefined;
      throw failure;
    });
    return starting;
  };
  const extensionRoot = browser.runtime.getURL('/');
  const who = (sender: RawSender) => identify(sender, browser.runtime.id, extensionRoot);

  browser.runtime.onMessage.addListener((raw: unknown, rawSender, respond: (answer: unknown) => void) => {
    void answer(app, raw, who(rawSender)).then(respond);
    return true; // the answer comes later
  });

  browser.runtime.onConnect.addListener((port) => {
    if (port.name !== 'panel' || who(port.sender ?? {})?.kind !== 'panel') return;
    const panel: PanelPort = port;
    port.onMessage.addListener((message: unknown) => {
      const said = read(watch, message);
      if ('wrong' in said) return;
      const { tabId, sight } = said.value;
      void app().then(
        ({ views, link }) => {
          link.start();
          views.watch(panel, tabId, sight);
        },
        (failure: unknown) => console.error('opentoolbar:', failure),
      );
    });
    port.onDisconnect.addListener(() => void app().then(({ views }) => views.unwatch(panel), ignore));
  });

  browser.runtime.onConnect.addListener((port) => {
    if (port.name !== 'chat' || who(port.sender ?? {})?.kind !== 'panel') return;
    const view: ChatPort = port;
    port.onMessage.addListener((message: unknown) => {
      const said = read(watchChat, message);
      if ('wrong' in said) return;
      void app().then(({ chatViews }) => chatViews.watch(view, said.value.sessionId), report);
    });
    port.onDisconnect.addListener(() => void app().then(({ chatViews }) => chatViews.unwatch(view), ignore));
  });

  browser.runtime.onConnect.addListener((port) => {
    if (port.name !== 'approvals' || who(port.sender ?? {})?.kind !== 'panel') return;
    const view: ApprovalsPort = port;
    port.onMessage.addListener((message: unknown) => {
      const said = read(watchApprovals, message);
      if ('wrong' in said) return;
      void app().then(({ approvalPanels }) => approvalPanels.watch(view, said.value.tabId), report);
    });
    port.onDisconnect.addListener(
      () => void app().then(({ approvalPanels }) => approvalPanels.unwatch(view), ignore),
    );
  });

  const onNotification = (id: string) => {
    if (!isOurs(id)) return;
    openPanelTab().catch(report);
    void app().then(({ approvalPanels }) => approvalPanels.show(undefined), report);
  };
  /** The browser has this only while the person allows it. */
  const listenToNotifications = () => {
    const { onClicked } = browser.notifications ?? {};
    if (onClicked && !onClicked.hasListener(onNotification)) onClicked.addListener(onNotification);
  };
  listenToNotifications();

  browser.action.onClicked.addListener((tab) => {
    void toggle(tab, app);
  });
  browser.commands.onCommand.addListener((command, tab) => {
    if (command === 'toggle-picking' && tab) void toggle(tab, app);
    if (command === 'open-panel') void openPanel(tab?.id);
    const tabId = tab?.id;
    if (command === 'toggle-pins' && tabId !== undefined) {
      void app().then(async ({ hiddenPins, views }) => {
        await hiddenPins.toggle(tabId);
        views.changedTab(tabId);
      }, report);
    }
  });

  browser.alarms.onAlarm.addListener((alarm) => {
    const { name } = alarm;
    if (name === COME_BACK) void app().then(({ link }) => link.start(), ignore);
    if (name !== DELIVER) return;
    void app().then(async ({ link, outbox, wakeup }) => {
      link.start();
      await wakeup.rang(alarm);
      await outbox.flush();
    }, ignore);
  });
  // That somebody listens is what starts the background with the browser, and a start looks whether anything waits.
  browser.runtime.onStartup.addListener(() => {});

  browser.tabs.onRemoved.addListener((tabId) => {
    void app().then((known) => tabClosed(known, tabId), ignore);
  });
  browser.tabs.onUpdated.addListener((tabId, change, tab) => {
    if (change.status === undefined && change.title === undefined && change.url === undefined) return;
    void app().then((known) => tabUpdated(known, tabId, change, tab), ignore);
  });

  const follow = () => followPermissions(async () => (await app()).sessions.all());

  browser.permissions.onAdded.addListener(({ origins = [] }) => {
    listenToNotifications();
    void app().then(({ approvals }) => notify(approvals.waiting), report);
    void (async () => {
      try {
        await register();
      } finally {
        // The pages that the person has just allowed are open already.
        await attachOpenTabs(origins);
        await (await app()).views.changedAll();
      }
    })().catch(report);
  });
  browser.permissions.onRemoved.addListener(() => {
    void (async () => {
      try {
        await follow();
      } finally {
        await (await app()).views.changedAll();
      }
    })().catch(report);
  });

  browser.runtime.onInstalled.addListener(() => {
    // Chrome leaves pages that are open without content scripts until they are loaded again.
    if (!import.meta.env.FIREFOX) void attachOpenTabs(LOCAL_SITES).catch(report);
  });

  app().catch(report);
  // No browser tells every change of them: they are looked at whenever the background starts, and at every press.
  tellKeys().catch(report);
  // What changed while no background ran.
  follow().catch(report);
});

function ignore(): void {}

function report(failure: unknown): void {
  console.error('opentoolbar:', failure);
}
