/**
 * What the extension's own parts say to one another. Every message goes to the background, except `ToContent`.
 * The background checks the sender: content scripts may only speak for their own tab.
 */
import type { Typed } from './field/protocol';
import type { Activity } from './generated/Activity';
import type { AgentLink } from './generated/AgentLink';
import type { AnnotationRequest } from './generated/AnnotationRequest';
import type { Comment } from './generated/Comment';
import type { CommentChange } from './generated/CommentChange';
import type { Evidence } from './generated/Evidence';
import type { Judged } from './generated/Judged';
import type { Message } from './generated/Message';
import type { Offer } from './generated/Offer';
import type { ProbeFacts } from './generated/ProbeFacts';
import type { Project } from './generated/Project';
import type { Selection } from './generated/Selection';
import type { Target } from './generated/Target';
import type { TargetState } from './generated/TargetState';
import type { Varied } from './generated/Varied';

/** The gateway that this browser is paired with. */
export interface PairedHost {
  /** Name of the machine that its hub runs on. */
  host: string;
  /** `127.0.0.1:7847`. */
  address: string;
  /** False when it was seen not to know this browser any more. */
  isKnown: boolean;
}

/** A change that will not be sent as it is; kept until the person decides. */
export interface RefusedChange {
  seq: number;
  /** What happened and what to do, with the person's words. */
  sentence: string;
  /** What copying it gives. */
  text: string;
  /** Whether it can be sent again as it is. */
  canRetry: boolean;
}

/** Why the browser cannot start the host: it is not there, does not know this extension, or is there and does not run. */
export type Obstacle = 'not_installed' | 'not_admitted' | 'not_started';

/** The links of the way page -> host -> agent. `connected` is said only after a round trip. */
export interface Connection {
  /** `checking` until the first answer of the hub; `none` when no host is installed; `silent`: connected, but late to answer. */
  hub: 'checking' | 'connected' | 'silent' | 'none' | 'lost' | 'incompatible';
  /** Why, and what to do next; empty when all is well. */
  hubDetail: string;
  /** With `none`: why the host cannot be started, where that is known. */
  hubObstacle?: Obstacle;
  /** Product versions, to say when they differ; the hub's where it is known. */
  hubVersion?: string;
  ownVersion: string;
  /** Our script in the page, by the last round trip to it; `silent`: it is there and does not answer; `expelled`: it answers, and the
   * page takes out what it shows. */
  page: 'unknown' | 'answers' | 'silent' | 'absent' | 'expelled';
  /** What the hub is reached by, or was last tried to be: native messaging, or the gateway that the browser is paired with. */
  way?: 'native' | 'gateway';
  /** Absent while the browser is paired with none. */
  paired?: PairedHost;
  /** Agents connected to this page's project, by their last round trip. */
  agents: AgentLink[];
  /** Agents of other projects. */
  elsewhere: AgentLink[];
  /** The page's project, when known. */
  project?: Project;
  /** What decided the project, or why none is known. */
  projectReason: string;
  /** Projects to choose from when none is known. */
  choices: Project[];
  /** Changes that wait in the outbox. */
  waiting: number;
  /** Why something of that is not sent yet though the hub answers, a sentence; absent when nothing stands out. */
  delayed?: string;
  /** What the hub will never take as it is. */
  problems: RefusedChange[];
  /** What cannot be read and is not shown, with what to do: sentences. */
  unreadable: string[];
}

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
  /** What agents ask the person to point at on this page. */
  annotations: AnnotationRequest[];
  answers: UnseenAnswers;
  connection: PageConnection;
  /** Whether the person wants pages of other sites to be seen in pictures of this site. */
  showsEmbedded: boolean;
}

/** Comments made on a site while it belonged to another project. */
export interface OtherProject {
  /** Absolute path of the project root. */
  root: string;
  /** How many, without deleted ones. */
  comments: number;
}

/** Everything the panel needs of one tab. Comments are those of the tab's origin in its project, deleted ones included. */
export interface TabState {
  tabId: number;
  url: string;
  title: string;
  /** Whether opentoolbar may run on this page. */
  allowed: boolean;
  /** Whether the overlay is picking. */
  picking: boolean;
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
  connection: Connection;
}

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

/** What a picture of a page shows, in CSS pixels of its viewport. */
export interface PictureFrame {
  /** Where the elements are that it is about; absent: out of view. */
  crop?: DOMRectInit;
  /** To be painted over. */
  mask: DOMRectInit[];
  viewport: { width: number; height: number };
  devicePixelRatio: number;
}

/** A part of a `Capture`: the lists go on where the piece before ended. JSON without the brackets; empty: nothing. */
export interface CapturePiece {
  strings: string;
  nodes: string;
  attributes: string;
  drawings: string;
}

/** A capture that was sent in pieces, and what of it is no list. */
export interface SentCapture {
  /** Chosen by the sender, new for every capture. */
  id: string;
  /** How many pieces there are, numbered from 0. */
  pieces: number;
  version: number;
  url: string;
  title: string;
  viewport: { width: number; height: number };
}

/** What looking for one target says: a verdict and what it comes from, or why it cannot be looked for. */
export type Finding = Found | { unreadable: string };

export interface Found extends Omit<Judged, 'look'> {
  /** Why it was thought that the source changed. */
  evidence: Evidence;
  /** It is about a change of the source that nobody who reported knew of: everyone is to be told. */
  counts: boolean;
}

/** What a page knows of its source; moments are milliseconds since the epoch. */
export interface PageSource {
  /** When it began to be loaded. */
  began: number;
  /** When something that it loads took the place of other content; 0: never, as far as is known. */
  changedAt: number;
  /** Changes of the project's files up to this moment show in it; those before it was loaded do in any case. */
  filesUntil: number;
  /** Its dev server tells it of every change. */
  isServedHot: boolean;
  /** It cannot tell whether its source changed before it was loaded, or not yet. */
  isUnknown: boolean;
  /**
   * Since when its document is made of other kinds of elements or says something else than before, or was fetched again by the open page,
   * while nothing tells whether that is an edit of its source or use; 0: none of that, or something would tell.
   */
  madeOtherAt: number;
}

/** A script or a style sheet that a page loaded. */
export interface SeenSource {
  /** A hash of its address. */
  address: string;
  /** A hash of its content. */
  hash: string;
}

/** What a content script saw of one comment. */
export interface SightingReport {
  commentId: string;
  /** One for each of its targets; null: it stays as it is. */
  states: (TargetState | null)[];
  /** One for each, where it was seen to vary in something new. */
  varied?: Varied[][];
}

/** What the content script asks the core about one captured page. */
export interface DescribeRequest {
  capture: SentCapture;
  /** Node indexes. */
  nodes: number[];
  /** One for each node, from the probe. */
  probes: (ProbeFacts | null)[];
}

/** Text that is not saved yet; an empty one forgets what was kept there. */
export interface Draft {
  pathname: string;
  url: string;
  text: string;
  /** Of a field in a frame. */
  typed?: Typed;
}

/** `confirm`: it is the same as it is now; `point`: pick it anew; `choose`: show the elements that it may be. */
export interface Settle {
  commentId: string;
  /** Which of its targets. */
  at: number;
  act: 'confirm' | 'point' | 'choose';
}

export type ToBackground =
  | { type: 'describe'; payload: DescribeRequest }
  | {
      type: 'judge';
      payload: {
        capture: SentCapture;
        /** Which comments of this page to look for. */
        commentIds: string[];
        page: PageSource;
      };
    }
  /** What that capture shows of these comments has come to rest: what is seen later is compared with it. */
  | { type: 'keep_looks'; payload: { capture: string; commentIds: string[] } }
  /** What the page loaded, at that moment: since the epoch, milliseconds. */
  | { type: 'note_sources'; payload: { at: number; seen: SeenSource[] } }
  /** What code its document had, as `SeenDocument`: 32 pieces at most. */
  | { type: 'note_document'; payload: { at: number; address: string; code: string; kinds: string } }
  /** Which kinds of elements its document was made of and what it said, as `SeenMade`, at that moment. */
  | {
      type: 'note_made';
      payload: { at: number; address: string; skeleton: string; words: string; changedAt: number };
    }
  /**
   * Asks the hub about the files of the page's project, as far as these comments want to know. `began`: of a hub that came since the page
   * began to be loaded, which can tell only where nothing has changed since.
   */
  | { type: 'ask_files'; payload: { commentIds: string[]; began?: number } }
  /** A piece of a capture that `describe` or `judge` will ask about. */
  | { type: 'capture_piece'; payload: { id: string; at: number; piece: CapturePiece } }
  /** What has been seen for long enough to tell everyone. */
  | { type: 'report_states'; payload: { reports: SightingReport[] } }
  | {
      type: 'create_comment';
      payload: {
        /** Chosen by the sender: a comment is made once, however often it is asked for. */
        id: string;
        /** From `describe`, in the order the person picked. */
        targets: Target[];
        text: string;
        url: string;
        title: string;
        /** Whether to take a picture: the page is asked for what it shows, by the id, when it is taken. */
        picture: boolean;
      };
    }
  | { type: 'change_comment'; payload: { commentId: string; change: CommentChange } }
  /** The page's script has started, and asks what there is for it. */
  | { type: 'get_page_state'; payload: Record<string, never> }
  /** The page has something to show: put the overlay's script into it. */
  | { type: 'load_overlay'; payload: Record<string, never> }
  /**
   * Text that a person has not saved, kept for as long as the tab lives; an empty one is forgotten. `url`: of its page, not redacted:
   * the background tells pages apart by it, and keeps none.
   */
  | { type: 'keep_draft'; payload: Draft }
  | { type: 'get_drafts'; payload: Record<string, never> }
  /** The content script's page got another address without loading. */
  | { type: 'page_moved'; payload: { url: string; title: string } }
  | { type: 'picking_changed'; payload: { picking: boolean } }
  /** The page takes the overlay's element out as often as it comes: there is none any more. */
  | { type: 'overlay_removed'; payload: Record<string, never> }
  /** What the overlay will hand to a text field of its own in a frame, which then asks whether it is known. */
  | { type: 'offer_field'; payload: { secret: string } }
  /** The person says whether pictures of this site show pages of other sites in its frames. */
  | { type: 'show_embedded'; payload: { showsEmbedded: boolean } }
  | { type: 'set_picking'; payload: { tabId: number; picking: boolean } }
  | { type: 'jump_to'; payload: { tabId: number; commentId: string } }
  /** What a person decides about a comment's element, done on the page where it is seen. */
  | { type: 'settle'; payload: { tabId: number } & Settle }
  | { type: 'import_comments'; payload: { tabId: number; json: string } }
  | { type: 'export_json'; payload: { tabId: number; pathname?: string } }
  | {
      type: 'export_prompt';
      payload: { tabId: number; pathname?: string; level: 'brief' | 'standard' | 'full' };
    }
  | { type: 'get_screenshot'; payload: { commentId: string } }
  | { type: 'set_project'; payload: { tabId: number; root: string } }
  /** The person takes over what is offered to the tab's project, or does not want it. */
  | { type: 'answer_offer'; payload: { tabId: number; offerId: string; accept: boolean } }
  /** Sends a refused change again. */
  | { type: 'retry_problem'; payload: { seq: number } }
  /** The person wants a refused change no more. */
  | { type: 'discard_problem'; payload: { seq: number } }
  /** What waits of the tab's page is tried at once, whatever pause it is in. */
  | { type: 'deliver_now'; payload: { tabId: number } }
  /** The person has read the problems of the tab's page. */
  | { type: 'dismiss_problems'; payload: { tabId: number } }
  /** One round trip to the page's script, the host and the agents. `isByPerson`: whatever the last one said. */
  | { type: 'check_connection'; payload: { tabId: number; isByPerson: boolean } }
  /** Puts our script into a page that lost it. */
  | { type: 'attach_page'; payload: { tabId: number } }
  | { type: 'reload_page'; payload: { tabId: number } }
  /** Pairs with the gateway at an address by a code that `opentoolbar pair` printed. */
  | { type: 'pair'; payload: { address: string; code: string } }
  | { type: 'forget_pairing'; payload: Record<string, never> }
  | { type: 'open_panel'; payload: Record<string, never> }
  /** What the person points at and says, in one go. */
  | {
      type: 'send_to_chat';
      payload: {
        /** The message's, chosen by the sender: it is said once, however often it is asked for. */
        id: string;
        selection: Omit<Selection, 'page'>;
        text: string;
        url: string;
        title: string;
        /** As with `create_comment`. */
        picture: boolean;
        /** The request of an agent that this answers. */
        annotationId?: string;
      };
    }
  | {
      type: 'send_message';
      payload: {
        /** The message's, chosen by the sender: it is said once, however often it is asked for. */
        id: string;
        sessionId: string;
        text: string;
        /** An earlier selection that it is about; absent: the page as a whole. */
        contextId?: string;
      };
    }
  /** Sends a refused message again. */
  | { type: 'retry_message'; payload: { messageId: string } }
  /** The person wants to see a refused message no more. */
  | { type: 'discard_message'; payload: { messageId: string } }
  /** The person no longer waits for answers. */
  | { type: 'stop_waiting'; payload: { sessionId: string } }
  /** The person has seen everything there is. */
  | { type: 'read_chat'; payload: { sessionId: string } }
  | { type: 'get_context_picture'; payload: { contextId: string } }
  /** The person has opened the thread of a comment that an agent answered. */
  | { type: 'seen_answer'; payload: { commentId: string } }
  /** A content script's is its own tab's, and it names none. */
  | { type: 'decline_annotation'; payload: { tabId?: number; annotationId: string } }
  /** Lets the person point at what an agent asks for, on the page. */
  | { type: 'point_for_annotation'; payload: { tabId: number; annotationId: string } };

/** Answer by type; a failure is `{ error: string }`, a sentence that says what to do next, with `isLost` when asking anew helps. */
export interface Answers {
  describe: Target[];
  /** One list for each comment id, one finding for each of its targets. */
  judge: Finding[][];
  keep_looks: null;
  /** When the latest of it took the place of other content; 0: none did, as far as is known. */
  note_sources: number;
  /** When the code of such a page took the place of other code; 0: never, as far as is known. */
  note_document: number;
  /** Since when such a document is there in place of others; 0: it was the first, or is one of many. */
  note_made: number;
  /** Whether the hub knows. */
  ask_files: boolean;
  capture_piece: null;
  report_states: null;
  /** `picture`: whether a screenshot is kept with it; `not_allowed` when the browser wants the person's own start. */
  create_comment: { comment: Comment; picture: 'kept' | 'none' | 'not_allowed' };
  change_comment: Comment;
  get_page_state: PageState;
  load_overlay: null;
  keep_draft: null;
  /** By pathname, of the sender's origin; of pages whose pathname is redacted the sender's own alone. */
  get_drafts: Record<string, string>;
  page_moved: null;
  picking_changed: null;
  show_embedded: null;
  overlay_removed: null;
  offer_field: null;
  set_picking: null;
  jump_to: null;
  settle: null;
  import_comments: { added: number; updated: number; skipped: number; full: number };
  export_json: string;
  export_prompt: string;
  /** data: URL, or null. */
  get_screenshot: string | null;
  set_project: null;
  /** How many comments came, and how many did not: they were here already, or cannot be read. */
  answer_offer: { added: number; skipped: number };
  retry_problem: null;
  discard_problem: null;
  deliver_now: null;
  dismiss_problems: null;
  check_connection: null;
  attach_page: null;
  reload_page: null;
  pair: PairedHost;
  forget_pairing: null;
  open_panel: null;
  send_to_chat: { picture: 'kept' | 'none' | 'not_allowed' };
  send_message: null;
  retry_message: null;
  discard_message: null;
  stop_waiting: null;
  read_chat: null;
  /** data: URL, or null. */
  get_context_picture: string | null;
  seen_answer: null;
  decline_annotation: null;
  point_for_annotation: null;
}

/** Background to one tab's content script. */
export type ToContent =
  /** Nothing to do: that it arrives is the answer. */
  | { type: 'ping' }
  /** The person allows opentoolbar on this site no more: a script that runs there ends, with everything that it shows. */
  | { type: 'leave'; payload: { origin: string } }
  | { type: 'set_picking'; payload: { picking: boolean } }
  | { type: 'comments'; payload: { comments: Comment[] } }
  | { type: 'jump_to'; payload: { commentId: string } }
  | { type: 'settle'; payload: Settle }
  | { type: 'connection'; payload: { connection: PageConnection } }
  /** What agents ask the person to point at on this page, all of it. */
  | { type: 'annotations'; payload: { annotations: AnnotationRequest[] } }
  /** What agents answered and nobody has seen, all of it. */
  | { type: 'answers'; payload: { answers: UnseenAnswers } }
  /** Files of the page's project changed at that moment. */
  | { type: 'source_changed'; payload: { at: number } }
  /** There is a hub that knows the page's project. */
  | { type: 'hub_came'; payload: Record<string, never> }
  | { type: 'point_for_annotation'; payload: { annotationId: string } }
  /**
   * A picture is about to be taken for what is made under this id. Answered with a `PictureFrame` once nothing of ours is drawn,
   * or null: no picture.
   */
  | { type: 'begin_picture'; payload: { id: string } }
  /** It was taken. Answered with the same `PictureFrame`, or null when the picture is void: something has changed meanwhile. */
  | { type: 'finish_picture'; payload: { id: string } };

/**
 * What the person can see in a panel: nothing while it is hidden, the chat, or comments, those of the tab's page or of its whole
 * site. What agents answer there is seen.
 */
export const SIGHTS = ['nothing', 'chat', 'page', 'origin'] as const;
export type Sight = (typeof SIGHTS)[number];

/**
 * Panel's port (`name: 'panel'`): the panel sends `watch`, and again when what it shows is another sight; the background sends a
 * `TabState` at every change.
 */
export type PanelToBackground = { type: 'watch'; tabId: number; sight: Sight };
export type BackgroundToPanel = { type: 'tab_state'; state: TabState };

/**
 * The port of one conversation (`name: 'chat'`): the panel sends `watch_chat`, the background the whole at first and when
 * anything changes, and `chat_text` when an answer grows: what is new of it, and how many parts it has with that.
 */
export type PanelToChat = { type: 'watch_chat'; sessionId: string };
export type ChatToPanel =
  | { type: 'chat'; chat: ChatState }
  | { type: 'chat_text'; messageId: string; text: string; parts: number };

/** `leave`: opentoolbar may not be on the page that asked; its script ends. */
export type Result<T> = { ok: T } | { error: string; isLost?: true; leave?: true };
