/** Where scripts run in a frame. Puppeteer has two for each, and keeps them to itself. */
import type { ElementHandle, Frame, JSHandle } from 'puppeteer-core';

export interface Realm {
  /** A text is run as a script; a function knows its arguments alone. */
  evaluate<Args extends unknown[], Result>(
    script: string | ((...args: Args) => Result),
    ...args: Args
  ): Promise<Awaited<Result>>;
  evaluateHandle<Result>(script: (css: string) => Result, css: string): Promise<JSHandle<Result>>;
  /** Chromium alone. */
  adoptBackendNode(id: number): Promise<ElementHandle>;
  /** Firefox alone. */
  createHandle(node: RemoteNode): ElementHandle;
  /** The same element there. */
  adoptHandle(element: ElementHandle): Promise<ElementHandle>;
}

/** A node as WebDriver BiDi tells of it: with its shadow root, however closed. */
export interface RemoteNode {
  type: 'node';
  sharedId: string;
  value?: { shadowRoot?: RemoteNode | null };
}

/** The page's own, and the one that its scripts hear nothing of: in it the browser keeps an extension's scripts too. */
export type Where = 'mainRealm' | 'isolatedRealm';

export const realmOf = (frame: Frame, where: Where) =>
  (frame as unknown as Record<Where, () => Realm>)[where]();
