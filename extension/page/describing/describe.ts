/** Turns live elements into targets: captures the page, asks the probe, lets the background describe. */
import { untilAnswered } from '../../ask-again';
import { probePicked } from '../../capture/probe';
import { findSecrets, inView } from '../../capture/secrets';
import { isAttached } from '../../capture/tree';
import type { Target } from '../../generated/Target';
import { ask } from '../messaging/link';
import { sendPage } from './send-page';

export interface Described {
  targets: Target[];
  /** Whether a page of another site is in view, in a frame. */
  hasEmbedded: boolean;
}

/** Captures anew when the background ended in the middle. Rejects with a sentence for people. */
export async function describe(elements: readonly Element[], signal: AbortSignal): Promise<Described> {
  return untilAnswered(() => describeOnce(elements, signal));
}

async function describeOnce(elements: readonly Element[], signal: AbortSignal): Promise<Described> {
  if (!elements.every(isAttached)) throw new Error('An element has left the page. Pick it again.');
  const page = await sendPage(signal);
  const index = new Map(page.nodes.map((node, at) => [node, at]));
  const nodes = elements.map((element) => index.get(element) ?? -1);
  if (nodes.includes(-1)) {
    throw new Error(
      elements.every(isAttached)
        ? 'This page is too large to describe that element. Pick one nearer to the top of the page.'
        : 'An element has left the page. Pick it again.',
    );
  }
  const targets = await ask('describe', {
    capture: page.capture,
    nodes,
    probes: [...probePicked(elements)],
  });
  // What holds a secret now is remembered: the person may have it shown in plain letters before the picture is taken.
  return { targets, hasEmbedded: findSecrets().embedded.some(inView) };
}
