/** Conversations, as this browser knows them. */
import type { Activity } from '../generated/Activity';
import type { AnnotationRequest } from '../generated/AnnotationRequest';
import type { Message } from '../generated/Message';
import type { Target } from '../generated/Target';

/** One conversation in a list. */
export interface ChatSummary {
  sessionId: string;
  /** The tab it belongs to; absent when that is closed: then it can be read, not continued. */
  tabId?: number;
  url: string;
  title: string;
  /** Whole answers that nobody has looked at. */
  unread: number;
  /** Milliseconds since the epoch; 0 when nothing was said. */
  lastAt: number;
}

/** One message of a conversation, as this browser knows it. */
export interface ChatMessage extends Message {
  /** Whether the hub has it. `refused`: it never will, unless it is sent again. */
  delivery: 'waiting' | 'sent' | 'refused';
  /** Why it was refused, a sentence. */
  why?: string;
  /** The person no longer waits for an answer to it. */
  isStopped?: true;
}

/** A selection that messages are about. */
export interface ChatContext {
  id: string;
  /** The element's tag; `html` for the page as a whole. */
  tagName: string;
  page: { url: string; title: string };
  /** Empty for the page as a whole. */
  targets: Target[];
  /** Whether a picture of it is kept in this browser. */
  pictured: boolean;
}

/** A conversation as it is looked at. */
export interface ChatState {
  sessionId: string;
  /** Oldest first. */
  messages: ChatMessage[];
  /** By age, oldest first. */
  contexts: ChatContext[];
  /** What agents are doing for it. */
  activities: Activity[];
  /** What agents ask the person to point at. */
  annotations: AnnotationRequest[];
}
