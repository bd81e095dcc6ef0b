/** What is known of the way from a page to its agents. */
import type { AgentLink } from '../generated/AgentLink';
import type { Project } from '../generated/Project';

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

/**
 * Why the browser cannot start the host: it is not there, does not know this extension, or is there and does not run.
 */
export type Obstacle = 'not_installed' | 'not_admitted' | 'not_started';

/** The links of the way page -> host -> agent. `connected` is said only after a round trip. */
export interface Connection {
  /**
   * `checking` until the first answer of the hub; `none` when no host is installed; `silent`: connected, but late to
   * answer.
   */
  hub: 'checking' | 'connected' | 'silent' | 'none' | 'lost' | 'incompatible';
  /** Why, and what to do next; empty when all is well. */
  hubDetail: string;
  /** With `none`: why the host cannot be started, where that is known. */
  hubObstacle?: Obstacle;
  /** Product versions, to say when they differ; the hub's where it is known. */
  hubVersion?: string;
  ownVersion: string;
  /**
   * Our script in the page, by the last round trip to it; `silent`: it is there and does not answer; `expelled`: it
   * answers, and the page takes out what it shows.
   */
  page: 'unknown' | 'answers' | 'silent' | 'absent' | 'expelled';
  /**
   * What the hub is reached by, or was last tried to be: native messaging, or the gateway that the browser is paired
   * with.
   */
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
