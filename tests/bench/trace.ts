/** What a trace of Chromium says of one page's main thread: the work from each frame to the next, and that of an extension's scripts. */
import type { Page } from 'puppeteer-core';

/** Milliseconds of one frame. */
export interface FrameWork {
  total: number;
  /** Of it: styles and layout. */
  layout: number;
}

export interface Trace {
  traceEvents: TraceEvent[];
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
  args?: { name?: string; data?: { url?: string; frames?: { url: string; processId?: number }[] } };
}

const LAYOUT = new Set(['UpdateLayoutTree', 'Layout']);

/** Traces a page that is in front while something is done. Chromium alone. */
export async function traced(page: Page, act: () => Promise<void>): Promise<Trace> {
  await page.bringToFront();
  await page.tracing.start({
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await act();
  const trace = await page.tracing.stop();
  if (!trace) throw new Error('Chromium gave no trace');
  return JSON.parse(new TextDecoder().decode(trace)) as Trace;
}

/** Milliseconds of each call of a script whose address begins so, on the main thread of the page at `url`. */
export function callsOf(trace: Trace, url: string, origin: string): number[] {
  return mainThread(trace, url)
    .filter(
      ({ name, ph, args }) => ph === 'X' && name === 'FunctionCall' && args?.data?.url?.startsWith(origin),
    )
    .map(({ dur = 0 }) => dur / 1_000);
}

function mainThread({ traceEvents }: Trace, url: string): TraceEvent[] {
  const frames = traceEvents.flatMap(({ name, args }) =>
    name === 'TracingStartedInBrowser' ? (args?.data?.frames ?? []) : [],
  );
  const pid = frames.find((frame) => frame.url === url)?.processId;
  const isMain = ({ name, ph, args, pid: of }: TraceEvent) =>
    ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain' && of === pid;
  const tid = traceEvents.find(isMain)?.tid;
  if (tid === undefined) throw new Error(`the trace knows no main thread of ${url}`);
  return traceEvents.filter((event) => event.pid === pid && event.tid === tid).sort((a, b) => a.ts - b.ts);
}

export function framesOf(trace: Trace, url: string): FrameWork[] {
  const all: FrameWork[] = [];
  let frame: FrameWork = { total: 0, layout: 0 };
  for (const event of mainThread(trace, url)) {
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
