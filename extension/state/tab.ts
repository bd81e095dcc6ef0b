/** What the panel is told of one tab. */
import type { AnnotationRequest } from '../generated/AnnotationRequest';
import type { Comment } from '../generated/Comment';
import type { Offer } from '../generated/Offer';
import type { PageApprovals } from './approvals';
import type { ChatSummary } from './chat';
import type { Connection } from './connection';
import type { UnseenAnswers } from './page';

/** Comments made on a site while it belonged to another project. */
export interface OtherProject {
  /** Absolute path of the project root. */
  root: string;
  /** How many, without deleted ones. */
  comments: number;
}

/**
 * Everything the panel needs of one tab. Comments are those of the tab's origin in its project, deleted ones
 * included.
 */
export interface TabState {
  tabId: number;
  url: string;
  title: string;
  /** Whether opentoolbar may run on this page. */
  allowed: boolean;
  /** Whether the overlay is picking. */
  picking: boolean;
  /** The person wants no pins to be seen in this tab for now. */
  pinsHidden: boolean;
  comments: Comment[];
  /** Ids of comments whose picture is kept in this browser. */
  pictures: string[];
  /** Where this origin's other comments are. */
  otherProjects: OtherProject[];
  /** What the hub offers to the tab's project, for the person to take over or not. */
  offers: Offer[];
  /** The tab's own conversation; absent where opentoolbar does not run. */
  sessionId?: string;
  /** What there is to read: the conversations of open tabs, and earlier ones of this origin. The tab's own first. */
  chats: ChatSummary[];
  /** What agents ask the person to point at on this page. */
  annotations: AnnotationRequest[];
  answers: UnseenAnswers;
  /** What waits for the person's yes or no in the tab's project. */
  approvals: PageApprovals;
  connection: Connection;
}
