/**
 * A way to the hub: what carries the messages between the link and the hub, and how it ends. Whoever is above the link
 * does not know which one is in use.
 */
import type { Obstacle } from '../../state/connection';

export type WayName = 'native' | 'gateway';

/**
 * How a connection ended. `none`: this way leads nowhere before the person does something about it; `lost`: it may come
 * back by itself. `detail`: what happened and what to do, in words for people.
 */
export type End = { hub: 'none'; obstacle: Obstacle; detail: string } | { hub: 'lost'; detail: string };

/** Is called with what comes, in order; nothing comes after the end. */
export interface Listener {
  /** A message as the carrier brought it, not looked at. */
  heard(message: unknown): void;
  ended(end: End): void;
}

/** A message was posted to a connection that has ended. */
export class PortEnded extends Error {}

/** An open connection, or one that is being opened: what is posted meanwhile goes when it is. */
export interface Port {
  /** Throws PortEnded when the connection has ended, and another Error when this message cannot be carried. */
  post(message: object): void;
  /** Ends it from this side, without a word to the listener. */
  close(): void;
}

export interface Way {
  readonly name: WayName;
  /** Throws an Error when it cannot even be tried. */
  open(listener: Listener): Port;
}
