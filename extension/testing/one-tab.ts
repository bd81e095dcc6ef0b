/**
 * A browser with one tab, which is always seen, for the code of the page and of the background in one page. What the
 * background sends to the tab is answered there, and a picture of it is asked of whoever drives the page. Stands in the
 * place of `wxt/browser`; it imports nothing, and knows no more of the browser than pictures need.
 */

/** What has to be done next for the picture that was begun: the browser's part of it, or nothing. */
export type Step = { next: 'capture' } | { next: 'nothing'; picture: string | null };

const nothing = { addListener: () => {}, removeListener: () => {} };

/** Answers messages, as the page's script does. */
let receive: (message: unknown) => unknown = () => undefined;
/** Gives what is seen, as the address of a PNG. */
let capture: () => Promise<string> = () => Promise.reject(new Error('nobody drives this page'));

export function setUpTab(parts: { receive: typeof receive; capture: typeof capture }): void {
  ({ receive, capture } = parts);
}

/** What a message is after its way between two processes. */
const copied = (value: unknown) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

export const browser = {
  runtime: { id: 'opentoolbar' },
  tabs: {
    onActivated: nothing,
    get: async (id: number) => ({ id, windowId: 1, active: true }),
    sendMessage: async (_id: number, message: unknown) => copied(await receive(copied(message))),
    captureVisibleTab: () => capture(),
  },
};
