/**
 * The toolbar button as browsers have it: each tab has a title of its own, empty ones too, or else that of all tabs.
 */
import { fakeBrowser } from 'wxt/testing/fake-browser';

export const BUTTON_TITLE = 'opentoolbar: comment on this page (Alt+Shift+K)';

interface Of {
  tabId?: number;
}

/** Puts a button, and the keys that start picking, into the fake browser. */
export function fakeButton() {
  const titles = new Map<number | undefined, string>([[undefined, BUTTON_TITLE]]);
  const badges = new Map<number | undefined, string>();
  const action = {
    setTitle: async ({ tabId, title }: Of & { title: string }) => void titles.set(tabId, title),
    getTitle: async ({ tabId }: Of) => titles.get(tabId) ?? titles.get(undefined),
    setBadgeText: async ({ tabId, text }: Of & { text: string }) => void badges.set(tabId, text),
    getBadgeText: async ({ tabId }: Of) => badges.get(tabId) ?? badges.get(undefined) ?? '',
  };
  const commands = { getAll: async () => [{ name: 'toggle-picking', shortcut: 'Alt+Shift+K' }] };
  Object.assign(fakeBrowser, { action, commands });
  return {
    /** Badge and title of a tab. */
    says: async (tabId: number) => [await action.getBadgeText({ tabId }), await action.getTitle({ tabId })],
    /** The tab goes to another page: what was said of it is gone. */
    navigate: (tabId: number) => {
      badges.delete(tabId);
      titles.delete(tabId);
    },
  };
}
