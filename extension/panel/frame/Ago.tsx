/** How long ago something was, kept current; the full time is in the tooltip. */

import type { Clock } from '../platform/clock';
import { ago, fullTime } from '../platform/time';

export function Ago({ clock, at }: { clock: Clock; at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {ago(at, clock.now.value)}
    </time>
  );
}
