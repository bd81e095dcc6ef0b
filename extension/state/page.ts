/** What a page's script is told. */
import type { AnnotationRequest } from '../generated/AnnotationRequest';
import type { Comment } from '../generated/Comment';
import type { PageApprovals } from './approvals';

/** What a page's script needs of the connection: where a comment goes. */
export interface PageConnection {
  /** Whether the hub has answered. */
  isConnected: boolean;
  /** Name of the page's project, when known. */
  project?: string;
}

/** What agents answered without anybody having seen it: no panel in sight showed it. */
export interface UnseenAnswers {
  /** Whole answers in the tab's own conversation. */
  chat: number;
  /** Ids of comments of this origin that were replied to, or resolved. */
  comments: string[];
}

/** What a page's script is told: of its own tab, and of comments on its own origin in that one's project. */
export interface PageState {
  /** Deleted ones included. */
  comments: Comment[];
  picking: boolean;
  /** The person wants no pins to be seen in this tab for now. */
  pinsHidden: boolean;
  /** What agents ask the person to point at on this page. */
  annotations: AnnotationRequest[];
  answers: UnseenAnswers;
  /** What waits for the person's yes or no in the page's project. */
  approvals: PageApprovals;
  connection: PageConnection;
  /** Whether the person wants pages of other sites to be seen in pictures of this site. */
  showsEmbedded: boolean;
}
