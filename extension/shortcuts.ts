/** The person's keys, as the browser has them: it need not give what the manifest suggests, and people change them. */
import { browser } from 'wxt/browser';

export interface Shortcuts {
  /** The keys that start and stop picking; empty when none are set. */
  picking: string;
  /** The keys that open the panel; empty when none are set. */
  panel: string;
  /** The keys that hide the pins and show them; empty when none are set. */
  pins: string;
}

export async function shortcuts(): Promise<Shortcuts> {
  const commands = await browser.commands.getAll();
  const of = (wanted: string) => commands.find(({ name }) => name === wanted)?.shortcut ?? '';
  return { picking: of('toggle-picking'), panel: of('open-panel'), pins: of('toggle-pins') };
}

/** Where the person sets them, in the browser's own words. */
export const SHORTCUT_SETTINGS = import.meta.env.FIREFOX
  ? 'about:addons, gear menu, Manage Extension Shortcuts'
  : 'chrome://extensions/shortcuts';

/** Firefox's own, which the shared types do not know. */
interface FirefoxCommands {
  openShortcutSettings(): Promise<void>;
}

/** Takes the person there: Firefox lets extensions open its settings by this call alone, Chrome by their address. */
export async function openShortcutSettings(): Promise<void> {
  if (import.meta.env.FIREFOX) await (browser.commands as unknown as FirefoxCommands).openShortcutSettings();
  else await browser.tabs.create({ url: SHORTCUT_SETTINGS });
}

/** What the toolbar button says when it is pointed at. */
export async function buttonTitle(): Promise<string> {
  const { picking } = await shortcuts();
  const keys = picking || `no shortcut is set: ${SHORTCUT_SETTINGS}`;
  return `opentoolbar: comment on this page (${keys})`;
}
