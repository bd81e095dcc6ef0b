/** What the background tells a page's script. */
import type { AnnotationRequest } from '../generated/AnnotationRequest';
import type { Comment } from '../generated/Comment';
import type { PageApprovals } from './approvals';
import type { PageConnection, UnseenAnswers } from './page';

/** `confirm`: it is the same as it is now; `point`: pick it anew; `choose`: show the elements that it may be. */
export interface Settle {
  commentId: string;
  /** Which of its targets. */
  at: number;
  act: 'confirm' | 'point' | 'choose';
}

/** Background to one tab's content script. */
export type ToContent =
  /** Nothing to do: that it arrives is the answer. */
  | { type: 'ping' }
  /**
   * The person allows opentoolbar on this site no more: a script that runs there ends, with everything that it shows.
   */
  | { type: 'leave'; payload: { origin: string } }
  | { type: 'set_picking'; payload: { picking: boolean } }
  /** Whether the person hid the pins in this tab. */
  | { type: 'pins_hidden'; payload: { hidden: boolean } }
  | { type: 'comments'; payload: { comments: Comment[] } }
  | { type: 'jump_to'; payload: { commentId: string } }
  | { type: 'settle'; payload: Settle }
  | { type: 'connection'; payload: { connection: PageConnection } }
  /** What agents ask the person to point at on this page, all of it. */
  | { type: 'annotations'; payload: { annotations: AnnotationRequest[] } }
  /** What agents answered and nobody has seen, all of it. */
  | { type: 'answers'; payload: { answers: UnseenAnswers } }
  /** What waits for the person's yes or no in the page's project, all of it. */
  | { type: 'approvals'; payload: { approvals: PageApprovals } }
  /** Files of the page's project changed at that moment. */
  | { type: 'source_changed'; payload: { at: number } }
  /** There is a hub that knows the page's project. */
  | { type: 'hub_came'; payload: Record<string, never> }
  | { type: 'point_for_annotation'; payload: { annotationId: string } }
  /**
   * A picture is about to be taken for what is made under this id. Answered with a `PictureFrame` once nothing of
   * ours is drawn, or null: no picture.
   */
  | { type: 'begin_picture'; payload: { id: string } }
  /**
   * It was taken. Answered with the same `PictureFrame`, or null when the picture is void: something has changed
   * meanwhile.
   */
  | { type: 'finish_picture'; payload: { id: string } };

/** What the page's script has something to do with. */
export type PageMessage = Exclude<ToContent, { type: 'ping' }>;
