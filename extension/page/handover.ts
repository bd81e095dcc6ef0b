/**
 * What the small script of every page and the overlay, which comes later and only where it is needed, know of one
 * another. Types and one place to meet: nothing here draws or sends.
 */
import type { AnnotationRequest } from '../generated/AnnotationRequest';
import type { Comment } from '../generated/Comment';
import type { PageApprovals } from '../state/approvals';
import type { PageConnection, UnseenAnswers } from '../state/page';
import type { PageMessage } from '../state/to-content';

/** What is known of the page when the overlay starts. */
export interface PageFacts {
  /** All comments of this origin, deleted ones included. */
  comments: readonly Comment[];
  connection: PageConnection | null;
  /** What agents ask the person to point at. */
  annotations: readonly AnnotationRequest[];
  /** What they answered and nobody has seen. */
  answers: UnseenAnswers;
  /** What waits for the person's yes or no. */
  approvals: PageApprovals;
  /** The person wants no pins to be seen in this tab for now. */
  pinsHidden: boolean;
  /** Redacted. */
  url: string;
  /** Text that a person wrote on this page before it was loaded again, by pathname. */
  drafts: Record<string, string>;
  /** Whether the person wants pages of other sites to be seen in pictures of this one. */
  showsEmbedded: boolean;
}

/** The running overlay. */
export interface Overlay {
  /** What is promised is the answer to the background. */
  receive(message: PageMessage): Promise<unknown> | undefined;
  /** The page got another address without loading; redacted. */
  moved(url: string): void;
}

export type StartOverlay = (facts: PageFacts, signal: AbortSignal) => Overlay;

/** Seen by the extension's own scripts alone: the page's world has a global object of its own. */
const PLACE = 'opentoolbarOverlay';

/** The overlay's script is here: whoever needs it may start it. */
export function offer(start: StartOverlay): void {
  (globalThis as Record<string, unknown>)[PLACE] = start;
}

/** The overlay's way to start, when its script is here. */
export function offered(): StartOverlay | null {
  const start = (globalThis as Record<string, unknown>)[PLACE];
  return typeof start === 'function' ? (start as StartOverlay) : null;
}
