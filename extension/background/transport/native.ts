/** Native messaging: the browser starts the relay, which speaks with the hub of this machine. */
import { browser } from 'wxt/browser';
import identity from '../../identity.json';
import { type End, PortEnded, type Way } from './way';

const INSTALL =
  'Comments are kept in this browser. To let an agent work on them, install opentoolbar and run `opentoolbar setup`.';

export const native: Way = {
  name: 'native',
  open(listener) {
    const port = browser.runtime.connectNative(identity.nativeHost);
    port.onMessage.addListener((message) => listener.heard(message));
    port.onDisconnect.addListener((ended) => {
      // Chrome keeps the reason in `lastError`, Firefox in the port.
      const { error } = ended as unknown as { error?: { message?: string } };
      listener.ended(explain(browser.runtime.lastError?.message ?? error?.message ?? ''));
    });
    return { post: (message) => post(port, message), close: () => port.disconnect() };
  },
};

function post(port: { postMessage(message: object): void }, message: object): void {
  try {
    port.postMessage(message);
  } catch (failure) {
    // Chrome: "Attempting to use a disconnected port object"; Firefox: "Attempt to postMessage on disconnected port".
    if (/disconnected/i.test(String(failure))) throw new PortEnded('The connection to the host ended.');
    throw failure;
  }
}

/** How things stand after an end, in words; `reason` is what the browser said. */
export function explain(reason: string): End {
  // Chrome: "Specified native messaging host not found."; Firefox: "No such native application org...".
  if (/host not found|no such native application/i.test(reason)) {
    const detail = `opentoolbar is not installed for this browser. ${INSTALL}`;
    return { hub: 'none', obstacle: 'not_installed', detail };
  }
  if (/forbidden|not allowed|permission/i.test(reason)) {
    return {
      hub: 'none',
      obstacle: 'not_admitted',
      detail: 'opentoolbar doesn’t know this extension. Run `opentoolbar setup` again.',
    };
  }
  if (/failed to start/i.test(reason)) {
    return {
      hub: 'none',
      obstacle: 'not_started',
      detail: 'The browser could not start opentoolbar. Run `opentoolbar setup` again.',
    };
  }
  if (/has exited|error when communicating|unexpected error/i.test(reason)) {
    return {
      hub: 'lost',
      detail: `The host ended (${reason}). It is started again by itself; if this stays, run \`opentoolbar status\`.`,
    };
  }
  return {
    hub: 'lost',
    detail: `${reason || 'The connection to the host ended.'} Trying again; changes wait here until then. If this stays, run \`opentoolbar status\`.`,
  };
}
