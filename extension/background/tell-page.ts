/** Messages to the script in a tab's page. */
import { browser } from 'wxt/browser';
import { PAGE_ANSWERS_WITHIN, within } from '../deadline';
import type { ToContent } from '../state/to-content';

/**
 * What a person told the page to do. False when there is no script of ours; rejects with a sentence when the page
 * hangs.
 */
export function tellInTime(tabId: number, message: ToContent): Promise<boolean> {
  return within(PAGE_ANSWERS_WITHIN, tell(tabId, message));
}

/** Tells a tab's content script; false when there is none. Waits for ever for a page that hangs. */
export async function tell(tabId: number, message: ToContent): Promise<boolean> {
  try {
    await browser.tabs.sendMessage(tabId, message, { frameId: 0 });
    return true;
  } catch {
    return false;
  }
}
