/** What a trace of Chromium says of one page's main thread: the work from each frame to the next. */

/** Milliseconds of one frame. */
export interface FrameWork {
  total: number;
  /** Of it: styles and layout. */
  layout: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  /** Of it, on the processor: what else the machine does is not in it. */
  tdur?: number;
  args?: { name?: string; data?: { frames?: { url: string; processId?: number }[] } };
}

const LAYOUT = new Set(['UpdateLayoutTree', 'Layout']);

export function framesOf({ traceEvents }: { traceEvents: TraceEvent[] }, url: string): FrameWork[] {
  const frames = traceEvents.flatMap(({ name, args }) =>
    name === 'TracingStartedInBrowser' ? (args?.data?.frames ?? []) : [],
  );
  const pid = frames.find((frame) => frame.url === url)?.processId;
  const isMain = ({ name, ph, args, pid: of }: TraceEvent) =>
    ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain' && of === pid;
  const tid = traceEvents.find(isMain)?.tid;
  if (tid === undefined) throw new Error(`the trace knows no main thread of ${url}`);
  const own = traceEvents
    .filter((event) => event.pid === pid && event.tid === tid)
    .sort((a, b) => a.ts - b.ts);
  const all: FrameWork[] = [];
  let frame: FrameWork = { total: 0, layout: 0 };
  for (const event of own) {
    if (event.ph !== 'X') continue;
    const cost = (event.tdur ?? event.dur ?? 0) / 1_000;
    if (event.name === 'RunTask') frame.total += cost;
    else if (LAYOUT.has(event.name)) frame.layout += cost;
    else if (event.name === 'Commit') {
      // The task that commits a frame is its last; what scripts did since the one before brought it about.
      all.push(frame);
      frame = { total: 0, layout: 0 };
    }
  }
  return all;
}
