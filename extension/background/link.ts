/**
 * The link to the hub: hello both ways, requests and answers by id, joined chunks, reconnecting with growing pauses,
 * and a truthful word on how things stand. Knows the protocol, neither what carries it nor what comments are.
 */
import { HUB_ANSWERS_WITHIN } from '../deadline';
import type { AgentLink } from '../generated/AgentLink';
import type { Answer } from '../generated/Answer';
import type { AnswerEnvelope } from '../generated/AnswerEnvelope';
import type { Chunk } from '../generated/Chunk';
import type { Event } from '../generated/Event';
import type { EventEnvelope } from '../generated/EventEnvelope';
import type { Hello } from '../generated/Hello';
import type { Request } from '../generated/Request';
import { newId } from '../new-id';
import type { Connection, Obstacle } from '../state/connection';
import { type End, type Port, PortEnded, type Way, type WayName } from './transport/way';

/** Joins the parts of messages that were too large for one frame: the core's `ChunkJoiner`. */
export interface Joiner {
  /** The message's JSON text when the part was the last one. Throws on parts that do not fit together. */
  push(chunk: Chunk): string | undefined;
  free(): void;
}

export interface LinkState {
  hub: Connection['hub'];
  /** Why, and what to do next; empty when connected. */
  detail: string;
  /** Why the host cannot be started; with `none` alone. */
  obstacle?: Obstacle;
  /** What the hub is reached by, or was last tried to be. */
  way?: WayName;
}

export interface LinkOptions {
  /** The ways to the hub, the best first; the next is tried where one leads nowhere. Asked for at every attempt. */
  ways: () => Way[];
  joiner: () => Joiner;
  hello: () => Promise<Hello>;
  onState: (state: LinkState) => void;
  onEvent: (event: EventEnvelope) => void;
  /** A message was not understood: its type, where it has one. */
  onUnknown?: (type: unknown) => void;
  /** After every round trip that the link makes by itself. */
  onPong: (agents: AgentLink[]) => void;
  /** After every hello: open sessions again, refresh, send what waits. */
  onConnected: () => void;
  /** From 0 to below 1: spreads the attempts of many browsers that lost the same hub. */
  random?: () => number;
}

/** There is no link to the hub, or it broke. */
export class LinkLost extends Error {}

/**
 * The request went, and no answer came: the link broke, or the hub was too late. It may or may not have been applied.
 */
export class NoAnswer extends LinkLost {}

const HELLO_TIMEOUT = 10_000;
const PING_TIMEOUT = 10_000;
const PING_EVERY = 20_000;
const FIRST_PAUSE = 1_000;
/** Below the 30 s after which Chrome ends an idle service worker, which would then try no more. */
const LONGEST_PAUSE = 20_000;
/** Where only the person can change something; whoever looks at a page or the panel has it tried at once. */
const PATIENT_PAUSE = 60_000;
/** How much of a pause is left to chance. */
const JITTER = 0.25;

interface Waiting {
  resolve: (answer: Answer) => void;
  reject: (failure: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

/** One connection, from connecting to its end. */
interface Wire {
  way: WayName;
  port: Port;
  joiner: Joiner;
  waiting: Map<string, Waiting>;
  ready: boolean;
  /** What the other side said of its own accord before it ended: it knows better than the browser why. */
  lastWords?: string;
}

export class Link {
  #options: LinkOptions;
  #wire: Wire | undefined;
  #pause = FIRST_PAUSE;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #hubVersion: string | undefined;
  #state: LinkState = { hub: 'checking', detail: 'Looking for the host.' };

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Of the program that answered the last hello. */
  get hubVersion(): string | undefined {
    return this.#hubVersion;
  }

  get connected(): boolean {
    return this.#state.hub === 'connected';
  }

  /** Connects now, unless a connection stands or is being made. */
  start(): void {
    if (this.#wire) return;
    clearTimeout(this.#retry);
    this.#open(this.#options.ways());
  }

  /** The ways to the hub changed: tries them anew, unless the best is in use. */
  renew(): void {
    const best = this.#options.ways()[0]?.name;
    if (this.connected && this.#wire?.way === best) return;
    if (this.#wire) this.#close(this.#wire, 'The way to the host changed.');
    this.#pause = FIRST_PAUSE;
    this.start();
  }

  /** Takes the first of these ways, and the rest where that leads nowhere. */
  #open([way, ...rest]: Way[]): void {
    if (!way) return;
    const ended = (end: End) => {
      const next = end.hub === 'none' ? rest : [];
      if (this.#wire) this.#close(this.#wire, end.detail);
      if (next.length > 0) this.#open(next);
      else this.#ended(end, way.name);
    };
    const joiner = this.#options.joiner();
    let wire: Wire | undefined;
    let port: Port;
    try {
      port = way.open({
        heard: (message) => wire && this.#receive(wire, message),
        ended: (end) => {
          if (this.#wire !== wire) return;
          const said = wire?.lastWords;
          ended(said === undefined ? end : { hub: 'lost', detail: said });
        },
      });
    } catch (failure) {
      joiner.free();
      ended(lost(failure instanceof Error ? failure.message : String(failure)));
      return;
    }
    wire = { way: way.name, port, joiner, waiting: new Map(), ready: false };
    this.#wire = wire;
    const opened = wire;
    this.#greet(opened).catch((failure: unknown) => {
      if (this.#wire === opened) this.#drop(failure instanceof Error ? failure.message : String(failure));
    });
  }

  /**
   * Asks the hub. Rejects with LinkLost when there is no link, with NoAnswer when the request went and nothing came
   * back, and with another Error when this request cannot be written; an error of the hub is an answer. `sessionId`:
   * which session a message of a conversation belongs to.
   */
  request(request: Request, id = newId('m_'), sessionId?: string): Promise<Answer> {
    if (!this.#wire?.ready) return Promise.reject(new LinkLost(this.#state.detail));
    return this.#ask(this.#wire, request, id, HUB_ANSWERS_WITHIN, sessionId);
  }

  /** A round trip; ends the connection when it fails. The answer tells which agents are connected. */
  async ping(): Promise<Answer | undefined> {
    const wire = this.#wire;
    if (!wire?.ready) {
      this.start();
      return undefined;
    }
    try {
      const answer = await this.#ask(wire, { type: 'ping' }, newId('m_'), PING_TIMEOUT);
      if (answer.type === 'pong') {
        this.#options.onPong(answer.payload.agents);
        return answer;
      }
      throw new LinkLost('The host does not know this browser any more.');
    } catch {
      if (this.#wire === wire) this.#drop('The host does not answer.');
      return undefined;
    }
  }

  async #greet(wire: Wire): Promise<void> {
    const hello = await this.#options.hello();
    const answer = await this.#ask(wire, { type: 'hello', payload: hello }, newId('m_'), HELLO_TIMEOUT);
    if (this.#wire !== wire) return;
    if (answer.type === 'error') {
      const { code, message, nextStep } = answer.payload;
      if (code !== 'incompatible') throw new LinkLost(`${message}. ${nextStep}`);
      this.#incompatible(wire, `${message}. ${nextStep}`);
      return;
    }
    if (answer.type !== 'hello') throw new LinkLost('The host answered something else than hello.');
    const theirs = answer.payload.protocol;
    this.#hubVersion = answer.payload.version;
    if (theirs !== hello.protocol) {
      const older = theirs < hello.protocol ? 'the host' : 'this extension';
      this.#incompatible(
        wire,
        `The host speaks protocol ${theirs} and this extension ${hello.protocol}. Update ${older}, then reload.`,
      );
      return;
    }
    wire.ready = true;
    this.#pause = FIRST_PAUSE;
    clearInterval(this.#pinging);
    this.#pinging = setInterval(() => void this.ping(), PING_EVERY);
    this.#set({ hub: 'connected', detail: '', way: wire.way });
    this.#options.onConnected();
  }

  #ask(wire: Wire, request: Request, id: string, timeout: number, sessionId?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        wire.waiting.delete(id);
        reject(new NoAnswer('The host did not answer in time.'));
      }, timeout);
      wire.waiting.set(id, { resolve, reject, timer });
      try {
        wire.port.post({ id, ...(sessionId === undefined ? {} : { sessionId }), ...request });
      } catch (failure) {
        wire.waiting.delete(id);
        clearTimeout(timer);
        reject(failure instanceof PortEnded ? new LinkLost(failure.message) : failure);
      }
    });
  }

  #receive(wire: Wire, frame: unknown): void {
    if (this.#wire !== wire) return;
    let message: AnswerEnvelope | EventEnvelope | undefined;
    try {
      message = read(wire, frame);
    } catch (failure) {
      // A newer hub may tell of things this extension does not know. What waits for an answer runs out of time.
      console.warn('opentoolbar: a message of the hub was not understood:', failure);
      this.#options.onUnknown?.(isObject(frame) ? frame.type : undefined);
      return;
    }
    if (message) this.#deliver(wire, message);
  }

  #deliver(wire: Wire, message: AnswerEnvelope | EventEnvelope): void {
    if (!('replyTo' in message)) {
      if (wire.ready) this.#options.onEvent(message);
      return;
    }
    if (message.replyTo === null && message.type === 'error') {
      wire.lastWords = `${message.payload.message}. ${message.payload.nextStep}`;
    }
    const waiting = message.replyTo === null ? undefined : wire.waiting.get(message.replyTo);
    if (!waiting || message.replyTo === null) return;
    wire.waiting.delete(message.replyTo);
    clearTimeout(waiting.timer);
    waiting.resolve(message);
  }

  #incompatible(wire: Wire, detail: string): void {
    this.#close(wire, detail);
    this.#set({ hub: 'incompatible', detail, way: wire.way });
    this.#again(PATIENT_PAUSE);
  }

  /** Ends the connection from this side. */
  #drop(reason: string): void {
    const wire = this.#wire;
    if (!wire) return;
    this.#close(wire, reason);
    this.#ended(lost(reason), wire.way);
  }

  #ended(end: End, way: WayName): void {
    this.#set({ ...end, way });
    this.#again(end.hub === 'none' ? PATIENT_PAUSE : this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #close(wire: Wire, reason: string): void {
    this.#wire = undefined;
    clearInterval(this.#pinging);
    wire.port.close();
    for (const waiting of wire.waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(new NoAnswer(reason));
    }
    wire.waiting.clear();
    wire.joiner.free();
  }

  #again(pause: number): void {
    clearTimeout(this.#retry);
    const { random = Math.random } = this.#options;
    this.#retry = setTimeout(() => this.start(), pause * (1 - JITTER * random()));
  }

  #set(state: LinkState): void {
    const { hub, detail, obstacle, way } = this.#state;
    const same = state.hub === hub && state.detail === detail && state.obstacle === obstacle;
    if (same && state.way === way) return;
    this.#state = state;
    this.#options.onState(state);
  }
}

/**
 * The message that a frame holds or completes. Checks the envelope; what a payload holds is checked where it is kept.
 * Throws an Error on what is no frame of this protocol.
 */
function read(wire: Wire, frame: unknown): AnswerEnvelope | EventEnvelope | undefined {
  let message: unknown = frame;
  if (isObject(frame) && 'transfer' in frame) {
    const text = wire.joiner.push(frame as Chunk);
    if (text === undefined) return undefined;
    message = JSON.parse(text);
  }
  if (!isObject(message) || typeof message.type !== 'string') throw new Error('it has no type');
  if ('replyTo' in message) {
    if (message.replyTo !== null && typeof message.replyTo !== 'string')
      throw new Error('replyTo is not an id');
    return message as AnswerEnvelope;
  }
  if (!EVENTS.has(message.type)) throw new Error(`unknown event ${message.type}`);
  return message as EventEnvelope;
}

const EVENTS = new Set<string>([
  'comment_changed',
  'session_changed',
  'agents_changed',
  'status_update',
  'agent_response',
  'agent_response_chunk',
  'message_read',
  'annotation_requested',
  'annotation_withdrawn',
  'source_changed',
  'verification_changed',
  'rules_changed',
] satisfies Event['type'][]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** An end that this side saw or made. */
function lost(reason: string): End {
  return {
    hub: 'lost',
    detail: `${reason} Trying again; changes wait here until then. If this stays, run \`opentoolbar status\`.`,
  };
}
