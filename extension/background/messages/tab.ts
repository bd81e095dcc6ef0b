/** The tab that a panel's message names. */
import type { ToContent } from '../../state/to-content';
import type { Sessions, TabSession } from '../sessions';
import { tellInTime } from '../tell-page';

/** Throws a sentence when there is none. */
export async function sessionOf(sessions: Sessions, tabId: number): Promise<TabSession> {
  const session = await sessions.of(tabId);
  if (!session)
    throw new Error('opentoolbar isn’t running on this page. Press its toolbar button there first.');
  return session;
}

/** What the person wants of the page. Throws a sentence when it does not hear it. */
export async function tellPage(tabId: number, message: ToContent): Promise<null> {
  const told = await tellInTime(tabId, message);
  if (!told) throw new Error('The page does not answer. Reload it and try again.');
  return null;
}
