/**
 * The system's notes of what waits for the person's yes or no, where the person allowed them. Each is shown once, and
 * taken away when it is decided.
 */
import { browser } from 'wxt/browser';
import type { Verification } from '../generated/Verification';
import { harmlessLine } from './harmless';

const PREFIX = 'approval:';
/** Under which name it is kept which were shown: a background that restarts shows none again. */
const SHOWN = 'approvalsNotified';
/** Says that more wait than have a note of their own. */
const OTHERS = `${PREFIX}others`;
/** So many have a note of their own at a time: whoever asks without end fills no screen. */
const MOST_NOTES = 3;
/** Characters of the action. */
const MOST = 100;

/** What is being brought in line, and whatever is to be after it. */
let running: Promise<void> = Promise.resolve();

/** Whether the person allows them. Browsers have the API only then. */
export const canNotify = (): boolean => browser.notifications !== undefined;

/** Shows what is new of these, and takes away what waits no more. Never rejects. */
export function notify(waiting: readonly Verification[]): Promise<void> {
  running = running
    .then(() => inLine(waiting))
    .catch((failure: unknown) => console.warn('opentoolbar:', failure));
  return running;
}

/** Whether a press on a note was on one of these. */
export function isOurs(notificationId: string): boolean {
  return notificationId.startsWith(PREFIX);
}

async function inLine(waiting: readonly Verification[]): Promise<void> {
  if (!canNotify()) return;
  const ids = new Set(waiting.map(({ id }) => PREFIX + id));
  const { [SHOWN]: kept } = await browser.storage.session.get(SHOWN);
  const shown = Array.isArray(kept) ? (kept as string[]) : [];
  // Of those that wait: the person may have closed their notes, and is not told again.
  const own = shown.filter((id) => ids.has(id));
  const without = waiting.filter(({ id }) => !own.includes(PREFIX + id));
  const fresh = without.slice(0, Math.max(0, MOST_NOTES - own.length));
  const hasOthers = without.length > fresh.length;
  const wanted = new Set([...ids, ...(hasOthers ? [OTHERS] : [])]);
  const there = Object.keys(await browser.notifications.getAll()).filter(isOurs);
  const old = there.filter((id) => !wanted.has(id));
  await Promise.all(old.map((id) => browser.notifications.clear(id)));
  const now = [...own, ...fresh.map(({ id }) => PREFIX + id), ...(hasOthers ? [OTHERS] : [])];
  if (now.length !== shown.length || now.some((id) => !shown.includes(id)))
    await browser.storage.session.set({ [SHOWN]: now });
  for (const { id, action } of fresh)
    await note(PREFIX + id, 'An agent asks for your approval', harmlessLine(action, MOST));
  if (hasOthers && !shown.includes(OTHERS))
    await note(OTHERS, 'Agents ask for your approval', 'More approvals wait for you.');
}

const note = (id: string, title: string, message: string) =>
  browser.notifications.create(id, {
    type: 'basic',
    iconUrl: browser.runtime.getURL('/icon/128.png'),
    title,
    message,
  });
