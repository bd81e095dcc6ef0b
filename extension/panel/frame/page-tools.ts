/** What a person does to the page from the panel's frame: picking, and hiding the pins. */
import { attempt } from '../notices/attempt';
import type { Notices } from '../notices/notices';
import type { Platform } from '../platform/platform';
import type { WatchedTab } from '../tab/tab';

export class PageTools {
  constructor(
    private readonly platform: Platform,
    readonly tab: WatchedTab,
    private readonly notices: Notices,
  ) {}

  togglePicking(): Promise<void> {
    const picking = !this.tab.state.peek()?.picking;
    return this.#ask((tabId) => this.platform.ask('set_picking', { tabId, picking }));
  }

  /** Of this tab, whatever page it shows. */
  togglePins(): Promise<void> {
    const hidden = !this.tab.state.peek()?.pinsHidden;
    return this.#ask((tabId) => this.platform.ask('set_pins_hidden', { tabId, hidden }));
  }

  #ask(work: (tabId: number) => Promise<unknown>): Promise<void> {
    return attempt(this.tab, this.notices, work);
  }
}
