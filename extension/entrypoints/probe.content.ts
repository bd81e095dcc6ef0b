import { defineContentScript } from 'wxt/utils/define-content-script';
import { readFramework } from '../capture/frameworks/read';
import { PROBE_EVENT } from '../capture/probe-event';
import { LOCAL_SITES } from '../sites';

interface Question {
  channel?: unknown;
  enter?: unknown;
}

function parse(detail: string): Question {
  try {
    const value: unknown = JSON.parse(detail);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * Reads framework internals in the page's main world. Has no extension API, and the page can see and forge all it says:
 * the content script checks and bounds every answer. Leaves nothing behind in the page: no global, no attribute.
 */
export default defineContentScript({
  matches: LOCAL_SITES,
  allFrames: false,
  runAt: 'document_idle',
  world: 'MAIN',
  main() {
    const answer = (event: Event) => {
      const detail: unknown = (event as CustomEvent<unknown>).detail;
      const element = event.composedPath()[0];
      if (typeof detail !== 'string' || detail.length > 200 || !element || !('nodeType' in element)) return;
      event.stopImmediatePropagation();
      const question = parse(detail);
      if (question.enter === true) enter((element as HTMLIFrameElement).contentWindow);
      else if (typeof question.channel === 'string' && question.channel.startsWith('opentoolbar:')) {
        const facts = readFramework(element as Element);
        window.dispatchEvent(new CustomEvent(question.channel, { detail: JSON.stringify(facts) }));
      }
    };
    const enter = (target: Window | null) => {
      // A frame that loads another page gets a new document under the same window; listening again is harmless.
      if (!target) return;
      target.addEventListener(PROBE_EVENT, answer, { capture: true });
    };
    enter(window);
  },
});
