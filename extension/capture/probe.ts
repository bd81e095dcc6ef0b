/**
 * Asks the probe in the page's main world what the framework says about an element, and trusts nothing of the answer:
 * the page can see the question and forge the reply. Only short strings and small numbers come through.
 */
import type { ProbeFacts } from '../generated/ProbeFacts';
import { dispatch } from './dom';
import { PROBE_EVENT } from './probe-event';
import { frameOf, rootsOf } from './tree';

const MAX_ANSWER = 4_096;
/** An answer that took longer, milliseconds, is followed by a rest: the page's own code runs while it is asked. */
const SLOW_MS = 50;
/** The rest, by how long the answer took: asking takes this part of the time at most. */
const REST = 20;
/** Elements that the person picked are asked for until this has passed, milliseconds. */
const PICKED_MS = 1_000;
let restUntil = Number.NEGATIVE_INFINITY;
const FRAMEWORKS = new Set(['react', 'vue', 'svelte', 'attribute']);

/**
 * What the probe says of an element that is looked at in passing, or null when it is not there or has nothing to say. A
 * page that was slow to answer is let rest first. Synchronous: events are.
 */
export function probe(element: Element): ProbeFacts | null {
  const began = performance.now();
  if (began < restUntil) return null;
  const facts = askProbe(element);
  const took = performance.now() - began;
  if (took > SLOW_MS) restUntil = performance.now() + took * REST;
  return facts;
}

/** What was said of elements that were picked together: the box that shows it and the comment ask once. */
const said = new WeakMap<readonly Element[], (ProbeFacts | null)[]>();

/**
 * The same for what the person picked, by its place. No rest: a machine that was busy for a moment while the pointer
 * went over the page must not cost a comment its component and its file.
 */
export function probePicked(elements: readonly Element[]): readonly (ProbeFacts | null)[] {
  const before = said.get(elements);
  if (before) return before;
  const end = performance.now() + PICKED_MS;
  const facts = elements.map((element) => (performance.now() < end ? askProbe(element) : null));
  // Where nothing was said the probe may come yet.
  if (facts.some((each) => each !== null)) said.set(elements, facts);
  return facts;
}

function askProbe(element: Element): ProbeFacts | null {
  const bytes = crypto.getRandomValues(new Uint32Array(4));
  const channel = `opentoolbar:${[...bytes].map((part) => part.toString(36)).join('')}`;
  let answer: unknown = null;
  const listen = (event: Event) => {
    event.stopImmediatePropagation();
    answer ??= (event as CustomEvent<unknown>).detail;
  };
  window.addEventListener(channel, listen, { capture: true });
  try {
    // The probe lives in the top window: tell it of each frame on the way in, outermost first.
    const frames = rootsOf(element).flatMap((root) =>
      root.nodeType === 9 ? (frameOf(root as Document) ?? []) : [],
    );
    for (const frame of frames.reverse()) ask(frame, { enter: true });
    ask(element, { channel });
  } finally {
    window.removeEventListener(channel, listen, { capture: true });
  }
  return readProbeFacts(answer);
}

function ask(element: Element, question: { channel: string } | { enter: true }): void {
  dispatch(
    element,
    new CustomEvent(PROBE_EVENT, { bubbles: false, composed: true, detail: JSON.stringify(question) }),
  );
}

/** Decodes the probe's answer; anything that is not of the expected form is dropped. */
export function readProbeFacts(answer: unknown): ProbeFacts | null {
  if (typeof answer !== 'string' || answer.length > MAX_ANSWER) return null;
  let value: unknown;
  try {
    value = JSON.parse(answer);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const raw = value as Record<string, unknown>;
  const facts: ProbeFacts = {};
  const component = line(raw.component, 120);
  const file = line(raw.file, 1_024);
  const row = count(raw.line);
  const column = count(raw.column);
  if (component) facts.component = component;
  if (file) facts.file = file;
  if (file && row) facts.line = row;
  if (file && row && column) facts.column = column;
  if (!facts.component && !facts.file) return null;
  if (typeof raw.framework === 'string' && FRAMEWORKS.has(raw.framework)) facts.framework = raw.framework;
  return facts;
}

/** One line of printable text. */
function line(value: unknown, longest: number): string | null {
  if (typeof value !== 'string' || value.length === 0 || value.length > longest) return null;
  return /\p{Cc}|\p{Cf}|\p{Cs}/u.test(value) ? null : value;
}

function count(value: unknown): number | null {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 10_000_000
    ? (value as number)
    : null;
}
