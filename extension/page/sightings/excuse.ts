/** Why an element need not be found well at the moment, although nothing is wrong with it. */
import { redactUrl } from '../../capture/redact';
import type { Comment } from '../../generated/Comment';
import { type Excuse, liveElement, type Sighting } from './sighting';
import { drawsInPart, outOfView, sameSpot, whereaboutsOf } from './whereabouts';

/**
 * `address`: of the page now, redacted. `lost`: everyone has been told that it is gone, and so it is until it is found.
 */
export function excuseOf(
  comment: Comment,
  at: number,
  sighting: Sighting,
  address: string,
  lost: boolean,
): Excuse | null {
  const kind = sighting.verdict?.kind;
  const element = liveElement(sighting);
  if (sighting.unreadable || (element && (kind === undefined || kind === 'unchanged' || kind === 'moved')))
    return null;
  const here = address || redactUrl(location.href);
  if (routeOf(comment.url) !== routeOf(here)) return 'elsewhere';
  const { whereabouts } = sighting;
  if (!lost && whereabouts && outOfView(whereabouts)) {
    const now = element ? whereaboutsOf(element) : null;
    if (kind !== 'changed' || !now || !sameSpot(whereabouts, now)) return 'scrolled';
  }
  if (kind !== 'missing') return null;
  if (document.readyState !== 'complete') return 'coming';
  if (queryOf(comment.url) !== queryOf(here)) return 'elsewhere';
  if (!lost && !whereabouts && drawsInPart(comment.targets[at]?.snapshot.ancestors ?? [])) return 'in_part';
  return null;
}

/** What a router that lives behind `#` takes for the path; empty for a plain fragment. */
function routeOf(address: string): string {
  return /#(!?\/.*)$/.exec(address)?.[1] ?? '';
}

function queryOf(address: string): string {
  return URL.canParse(address) ? new URL(address).search : '';
}
