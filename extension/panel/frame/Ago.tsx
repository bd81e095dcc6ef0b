/** How long ago something was, kept current; the full time is in the tooltip. */

import { ago, fullTime } from '../time';
import type { Workbench } from '../workbench';

export function Ago({ bench, at }: { bench: Workbench; at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {ago(at, bench.now.value)}
    </time>
  );
}
